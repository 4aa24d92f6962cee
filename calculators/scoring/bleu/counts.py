"""What BLEU counts in a segment: clipped n-gram matches and lengths (Papineni et al., 2002)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, repeat

import numpy as np

from ..budget import Budget
from ..corpus import Corpus, ScoringError, Segment
from ..metric import Counts
from ..options import Choice, Options, choice, flag, integer, real, reals
from ..text.arrays import (
    Block,
    Integers,
    Texts,
    batches,
    is_worth_arrays,
    new_vocabulary,
    rows,
    shared_ngrams,
    word_symbols,
)
from ..text.ngrams import G, NgramCounts, clipped, count_ngrams, most_in_one, ngrams
from ..text.tokenizers import TOKENIZERS, Tokenizer, tokenizer

MOST_ORDERS = 9

SMOOTHINGS = (
    Choice("none", "none", "an order without a match makes the score 0"),
    Choice("add-one", "add one", "(matched + 1) / (all + 1) in every order that the text has"),
    Choice("floor", "floor", "an order without a match gets a small count, 0.1 if not set"),
    Choice("add-k", "add k", "k, 1 if not set, is added to both counts from 2-grams on"),
    Choice("exp", "exponential", "the k-th order without a match counts 1/2^k matches, as mteval"),
    Choice("nltk1", "NLTK method 1", "an order without a match counts 0.1 matches"),
    Choice("nltk2", "NLTK method 2", "1 is added to both counts from 2-grams on"),
    Choice("nltk3", "NLTK method 3", "the k-th order without a match counts 1/2^k matches"),
    Choice("nltk4", "NLTK method 4", "as 3, and less for short texts"),
    Choice("nltk5", "NLTK method 5", "the mean of the neighbouring orders; it can pass 1"),
    Choice("nltk6", "NLTK method 6", "from 3-grams on drawn to what the shorter orders foretell"),
    Choice("nltk7", "NLTK method 7", "4, then 5; it can pass 1"),
)

CONVENTIONS = (
    Choice("sacrebleu", "sacreBLEU", "it has no n-grams: it makes the score 0 or is left out"),
    Choice("nltk", "NLTK", "it counts as one n-gram that did not match, line by line"),
    Choice(
        "mteval",
        "mteval-v13a",
        "it counts as matched in full; only A to Z are lower-cased, unless the tokeniser is intl",
    ),
)


@dataclass(frozen=True)
class BleuOptions(Options):
    """The options of BLEU. Given weights set the maximum order by their number."""

    max_order: int = integer(
        4, 1, MOST_ORDERS, "Maximum n-gram order", "BLEU-4 is what papers report.", short="n"
    )
    tokenizer: str = choice("13a", TOKENIZERS, "Tokeniser", short="tok")
    lowercase: bool = flag(
        False, "Lowercase", "Ignore the case of letters.", short="case", shown=("mixed", "lc")
    )
    smoothing: str = choice(
        "none", SMOOTHINGS, "Smoothing", "What to do with orders without a match.", short="smooth"
    )
    smoothing_value: float | None = real(
        None,
        "Smoothing value",
        "For floor (from 0 to 1) and add k only.",
        minimum=0,
        maximum=100,
        short="k",
    )
    effective_order: bool = flag(
        False, "Effective order", "Leave out orders longer than the text.", short="eff"
    )
    weights: tuple[float, ...] = reals(
        "Weights",
        "One for each order, such as 0.4,0.3,0.2,0.1; empty weighs all orders alike.",
        minimum=0,
        maximum=100,
        short="w",
    )
    auto_reweigh: bool = flag(
        False,
        "Reweigh short texts",
        "As NLTK's auto_reweigh: under 4 tokens, equal weights over the orders that exist.",
        short="rw",
    )
    convention: str = choice(
        "sacrebleu", CONVENTIONS, "Convention", "How an order longer than the text counts."
    )

    def check(self) -> None:
        """Raise ``ScoringError`` where weights or smoothing value make no score."""
        if len(self.weights) > MOST_ORDERS:
            raise ScoringError(f"Give at most {MOST_ORDERS} weights.", "weights")
        if self.weights and not any(self.weights):
            raise ScoringError("At least one weight must be greater than 0.", "weights")
        if self.smoothing == "floor" and (self.smoothing_value or 0) > 1:
            raise ScoringError("For floor, the value must be from 0 to 1.", "smoothing_value")

    @property
    def order(self) -> int:
        """The longest n-grams that the score counts."""
        return len(self.weights) or self.max_order

    @property
    def counts_as_nltk(self) -> bool:
        """Whether an order longer than a segment counts as one unmatched n-gram of it."""
        return self.convention == "nltk" or self.smoothing.startswith("nltk")


@dataclass(frozen=True, slots=True)
class BleuCounts(Counts):
    """The additive statistics of BLEU. The tuples hold orders 1..N, of which N is at least 5
    under the smoothings that look at 5-grams whatever the maximum order."""

    segments: int
    hypothesis_length: int  # tokens
    reference_length: int  # tokens of the reference closest in length
    matches: tuple[int, ...]  # clipped
    totals: tuple[int, ...]  # n-grams of the hypothesis
    absent: tuple[int, ...]  # segments too short to have an n-gram of the order


@dataclass(frozen=True, slots=True)
class Prepared:
    """What counting needs to know beside the segment."""

    tokenize: Tokenizer
    orders: int  # n-grams are counted up to this order


@dataclass(frozen=True, slots=True)
class BleuTrace:
    """Every n-gram of one segment. The tuples of counters hold orders 1..N."""

    hypothesis: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    closest: int  # index of the reference whose length counts
    ngrams: NgramCounts  # of the hypothesis
    most: NgramCounts  # the greatest count that one reference has
    clipped: NgramCounts
    counts: BleuCounts


def prepare(corpus: Corpus, options: BleuOptions, budget: Budget) -> Prepared:
    """The tokeniser and the orders to count; BLEU needs nothing of the corpus as a whole."""
    tokenize = tokenizer(
        options.tokenizer, lowercase=options.lowercase, as_mteval=options.convention == "mteval"
    )
    looks_at_5grams = options.smoothing in ("nltk5", "nltk7")
    return Prepared(tokenize, max(options.order, 5) if looks_at_5grams else options.order)


def measure(
    prepared: Prepared, segments: Iterable[Segment], budget: Budget
) -> Iterator[BleuCounts]:
    """The counts of each segment."""
    for batch in batches(segments):
        count = _together if is_worth_arrays(batch) else _one_by_one
        yield from count(prepared, batch, budget)


def _one_by_one(
    prepared: Prepared, segments: Sequence[Segment], budget: Budget
) -> Iterator[BleuCounts]:
    for segment in segments:
        hypothesis = prepared.tokenize(segment.hypothesis)
        references = [prepared.tokenize(reference) for reference in segment.references]
        budget.spend(_steps(hypothesis, references, prepared.orders))
        yield _counts(hypothesis, references, _matches(hypothesis, references, prepared.orders))


def _together(
    prepared: Prepared, segments: Sequence[Segment], budget: Budget
) -> Iterator[BleuCounts]:
    texts = Texts.of(segments)
    tokens = prepared.tokenize.of_all(texts.texts)
    symbols = word_symbols(tokens, new_vocabulary())
    budget.spend(len(symbols) * prepared.orders)
    block = Block.of(texts, symbols)
    matches = np.zeros((len(segments), prepared.orders), np.int64)
    for shared in shared_ngrams(block, prepared.orders):
        matches[:, shared.order - 1] = block.by_segment(shared, shared.clipped_by_any())
    totals = block.totals(0, prepared.orders)
    yield from BleuCounts.of_columns(
        repeat(1),
        block.lengths[0].tolist(),
        _closest_lengths(block.lengths).tolist(),
        rows(matches),
        rows(totals),
        rows((totals == 0).astype(int)),
        many=len(segments),
    )


def _closest_lengths(lengths: Integers) -> Integers:
    """``closest_length`` of each segment, from a row of hypotheses and one of each reference."""
    references = lengths[1:]
    # The distance decides, then the length: one number that has both, out of reach for the missing.
    longest = int(lengths.max()) + 1
    rank = np.abs(references - lengths[0]) * longest + references
    nearest = np.where(references < 0, longest**2, rank).argmin(axis=0)
    closest: Integers = np.take_along_axis(references, nearest[None], axis=0)[0]
    return closest


def trace(prepared: Prepared, segment: Segment, budget: Budget) -> BleuTrace:
    """Everything that BLEU counts in ``segment``, n-gram by n-gram."""
    hypothesis = prepared.tokenize(segment.hypothesis)
    references = tuple(prepared.tokenize(reference) for reference in segment.references)
    budget.spend(_steps(hypothesis, references, prepared.orders))
    own = count_ngrams(hypothesis, prepared.orders)
    theirs = [count_ngrams(reference, prepared.orders) for reference in references]
    most = tuple(most_in_one(counters) for counters in zip(*theirs, strict=True))
    kept = tuple(clipped(*pair) for pair in zip(own, most, strict=True))
    lengths = [len(reference) for reference in references]
    return BleuTrace(
        hypothesis=hypothesis,
        references=references,
        closest=lengths.index(closest_length(lengths, len(hypothesis))),
        ngrams=own,
        most=most,
        clipped=kept,
        counts=_counts(hypothesis, references, [counter.total() for counter in kept]),
    )


def closest_length(lengths: Iterable[int], length: int) -> int:
    """The reference length closest to ``length``; a tie takes the shorter, as all tools do."""
    return min(lengths, key=lambda other: (abs(other - length), other))


def _steps(hypothesis: Sequence[str], references: Sequence[Sequence[str]], orders: int) -> int:
    return (len(hypothesis) + sum(map(len, references)) + len(references)) * orders


def _counts(
    hypothesis: Sequence[str], references: Sequence[Sequence[str]], matches: Sequence[int]
) -> BleuCounts:
    length = len(hypothesis)
    totals = tuple([max(0, length - shorter) for shorter in range(len(matches))])
    return BleuCounts(
        segments=1,
        hypothesis_length=length,
        reference_length=closest_length(map(len, references), length),
        matches=tuple(matches),
        totals=totals,
        absent=tuple([int(total == 0) for total in totals]),
    )


def _matches(
    hypothesis: Sequence[str], references: Sequence[Sequence[str]], orders: int
) -> list[int]:
    """The clipped matches of orders 1..N, without keeping the n-grams."""
    # A word stands for its own 1-gram: that saves a quarter of the time.
    matches = [_clipped_matches(hypothesis, references)] + [0] * (orders - 1)
    for order in range(2, orders + 1):
        if not matches[order - 2]:
            break  # a longer n-gram can't match where none of its parts does
        matches[order - 1] = _clipped_matches(
            list(ngrams(hypothesis, order)), [list(ngrams(text, order)) for text in references]
        )
    return matches


def _clipped_matches(own: Sequence[G], references: Sequence[Sequence[G]]) -> int:
    """How many n-grams match. Most occur once and need a look at sets only; ``trace`` counts
    them all, and must find the same."""
    different = set(own)
    shared = different.intersection(chain.from_iterable(references))
    if len(different) == len(own) or not shared:
        return len(shared)
    counts = Counter(own)
    repeated = {ngram for ngram in shared if counts[ngram] > 1}
    if not repeated:
        return len(shared)
    theirs = [Counter(filter(repeated.__contains__, reference)) for reference in references]
    return len(shared) - len(repeated) + clipped(counts, most_in_one(theirs)).total()
