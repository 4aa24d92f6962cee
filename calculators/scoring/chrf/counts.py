"""chrF's options, counts and score: Popović (2015), and chrF++ with words, Popović (2017).

The rules are sacreBLEU's: counts are pooled over the segments of a file, each segment counts
against the reference that gives it the highest score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, compress, repeat
from operator import add
from string import punctuation

from ..budget import Budget
from ..corpus import Corpus, Segment
from ..metric import Counts, Result
from ..options import Choice, Options, choice, flag, integer, real

Ngrams = tuple[Counter[str], ...]  # how often each occurs, by order: of characters, then of words

PUNCTUATION = frozenset(punctuation)  # ASCII only

# sacreBLEU's stand-in for 0 in "eps_smoothing". It never shows in a score, but where several
# references match equally badly it decides which of them counts.
EPSILON = 1e-16


@dataclass(frozen=True)
class ChrfOptions(Options):
    """What one may choose about chrF."""

    char_order: int = integer(
        6, 1, 10, "Characters", "The longest n-grams of characters that count.", short="nc"
    )
    word_order: int = integer(
        0, 0, 4, "Words", "The longest n-grams of words that count; 2 makes it chrF++.", short="nw"
    )
    beta: float = real(
        2.0,
        "Beta",
        "How many times recall weighs as much as precision.",
        minimum=0,
        maximum=100,
        short="b",
    )
    lowercase: bool = flag(
        False,
        "Lowercase",
        "Counts T and t as one letter.",
        short="case",
        shown=("mixed", "lc"),
    )
    whitespace: bool = flag(
        False, "White space", "Counts spaces as characters; otherwise they are left out.", short="s"
    )
    eps_smoothing: bool = flag(
        False,
        "Mean of F",
        "Takes F of every order and their mean; an order longer than a text counts as 0."
        " Otherwise F is taken once, of the mean precision and the mean recall over the orders"
        " that both texts have. sacreBLEU calls it epsilon smoothing.",
        short="eps",
    )
    average: str = choice(
        "pooled",
        (
            Choice("pooled", "Pooled counts", "n-grams are summed over the file, as in sacreBLEU"),
            Choice("segments", "Mean of segments", "every line weighs the same, as in NLTK"),
        ),
        "Score of a file",
        "For a single text the two are one.",
        short="avg",
    )

    @property
    def orders(self) -> int:
        """How many orders there are, characters and words together."""
        return self.char_order + self.word_order

    @property
    def variant(self) -> str:
        """The name in the literature, such as chrF2 or chrF2++."""
        return f"chrF{self.beta:g}{'+' * self.word_order}"


@dataclass(frozen=True, slots=True)
class ChrfCounts(Counts):
    """What chrF needs of a segment; each tuple has the orders of characters, then of words."""

    score: float  # of the segment
    segments: int
    hypothesis: tuple[int, ...]  # n-grams; 0 where the reference has none of that order
    reference: tuple[int, ...]  # n-grams
    matched: tuple[int, ...]  # n-grams, clipped


@dataclass(frozen=True, slots=True)
class ChrfResult(Result):
    """chrF and what it is made of; each tuple has the orders of characters, then of words.

    An order that one of the texts is too short for has precision, recall and F of 0.
    """

    precision: tuple[float, ...]
    recall: tuple[float, ...]
    f_scores: tuple[float, ...]
    mean_precision: float  # over the orders that both texts have
    mean_recall: float
    orders: int  # that both texts have
    hypothesis: tuple[int, ...]  # n-grams
    reference: tuple[int, ...]  # n-grams
    matched: tuple[int, ...]  # n-grams, clipped


@dataclass(frozen=True, slots=True)
class Parts:
    """A text as chrF sees it."""

    characters: str
    words: tuple[str, ...]  # none where words do not count

    def ngrams(self, options: ChrfOptions) -> Ngrams:
        """The n-grams of each order: of characters, then of words with spaces between them."""
        by_order = chain(
            _by_order(self.characters, "", options.char_order),
            _by_order(self.words, " ", options.word_order),
        )
        return tuple(map(Counter, by_order))

    def totals(self, options: ChrfOptions) -> tuple[int, ...]:
        """How many n-grams of each order there are."""
        characters, words = len(self.characters), len(self.words)
        return (
            *(max(0, characters - shorter) for shorter in range(options.char_order)),
            *(max(0, words - shorter) for shorter in range(options.word_order)),
        )


def _by_order(units: Sequence[str], between: str, orders: int) -> Iterator[list[str]]:
    """Each order's n-grams from those of the order before: faster than to cut them anew."""
    ngrams = list(units)
    following = [between + unit for unit in units] if between else units
    for order in range(1, orders + 1):
        yield ngrams
        ngrams = list(map(add, ngrams, following[order:]))


def parts_of(text: str, options: ChrfOptions) -> Parts:
    """``text`` in characters and, where they count, in words."""
    text = text.lower() if options.lowercase else text
    characters = text if options.whitespace else "".join(text.split())
    return Parts(characters, tuple(words(text)) if options.word_order else ())


def words(text: str) -> Iterator[str]:
    """The words of ``text`` with one mark of punctuation split off, the last before the first.

    Only one: "(hi)" gives "(hi" and ")", as in Popović's chrF++.py and in sacreBLEU.
    """
    for word in text.split():
        if len(word) > 1 and word[-1] in PUNCTUATION:
            yield from (word[:-1], word[-1])
        elif len(word) > 1 and word[0] in PUNCTUATION:
            yield from (word[0], word[1:])
        else:
            yield word


def clipped(hypothesis: Counter[str], reference: Counter[str]) -> int:
    """How many n-grams of the hypothesis match: each no more often than the reference has it."""
    # The same either way round, and a long text may have many short references.
    fewer, more = sorted((hypothesis, reference), key=len)
    return sum(
        [
            count if count < most else most
            for ngram, count in fewer.items()
            if (most := more.get(ngram))
        ]
    )


def prepare(_corpus: Corpus, options: ChrfOptions, _budget: Budget) -> ChrfOptions:
    """The options: chrF needs nothing of the corpus as a whole."""
    return options


def one_by_one(
    options: ChrfOptions, segments: Iterable[Segment], budget: Budget
) -> Iterator[ChrfCounts]:
    """Each segment's counts, those of its best reference."""
    for segment in segments:
        budget.spend(cost(segment, options))
        hypothesis = parts_of(segment.hypothesis, options)
        ngrams = hypothesis.ngrams(options)
        held = []
        for reference in budget.watched(segment.references):
            there = parts_of(reference, options)
            matched = tuple(map(clipped, ngrams, there.ngrams(options)))
            held.append(held_against(hypothesis, there, matched, options))
        yield held[winner(held, options)].counts(options)


def cost(segment: Segment, options: ChrfOptions) -> int:
    """The steps that a segment takes: its n-grams."""
    length = len(segment.hypothesis) + sum(map(len, segment.references))
    return length * options.orders


@dataclass(frozen=True, slots=True)
class Held:
    """A hypothesis held against one reference: n-grams by order."""

    hypothesis: tuple[int, ...]  # 0 where the reference has none of that order
    reference: tuple[int, ...]
    matched: tuple[int, ...]  # clipped

    def score(self, options: ChrfOptions) -> float:
        """chrF from these counts alone; 0 where nothing matches."""
        return self.sacrebleu_score(options) if any(self.matched) else 0.0

    def sacrebleu_score(self, options: ChrfOptions) -> float:
        """The same with the traces of sacreBLEU's epsilon where nothing matches."""
        orders = list(zip(self.hypothesis, self.reference, self.matched, strict=True))
        if options.eps_smoothing:
            return _mean(_smoothed_f(*order, options.beta) for order in orders)
        both = [(match / here, match / there) for here, there, match in orders if here and there]
        if not both:
            return 0.0
        precision, recall = map(_mean, zip(*both, strict=True))
        return f_score(precision, recall, options.beta)

    def counts(self, options: ChrfOptions) -> ChrfCounts:
        """What is kept of the segment if this reference is its best."""
        return ChrfCounts(self.score(options), 1, self.hypothesis, self.reference, self.matched)


def held_against(
    hypothesis: Parts, reference: Parts, matched: tuple[int, ...], options: ChrfOptions
) -> Held:
    """A hypothesis against one reference, with what matches."""
    there = reference.totals(options)
    here = tuple(
        total if most else 0 for total, most in zip(hypothesis.totals(options), there, strict=True)
    )
    return Held(here, there, matched)


def winner(held: Sequence[Held], options: ChrfOptions) -> int:
    """The reference that counts, from 0: of the highest score, of equals the first."""
    if len(held) == 1:
        return 0
    # sacreBLEU compares its own numbers, which end at 100, so what is equal rests on the last bit.
    scores = [100 * one.sacrebleu_score(options) for one in held]
    return scores.index(max(scores))


def f_score(precision: float, recall: float, beta: float) -> float:
    """Popović (2015), eq. 1; 0 where nothing matches."""
    if not precision or not recall:
        return 0.0
    weight = beta**2
    return (1 + weight) * precision * recall / (weight * precision + recall)


def _smoothed_f(hypothesis: int, reference: int, matched: int, beta: float) -> float:
    """F of one order with sacreBLEU's epsilon in place of a division by 0."""
    precision = matched / hypothesis if hypothesis else EPSILON
    recall = matched / reference if reference else EPSILON
    weight = beta**2
    below = weight * precision + recall
    return (1 + weight) * precision * recall / below if below else EPSILON


def finish(counts: ChrfCounts, options: ChrfOptions) -> ChrfResult:
    """chrF of the pooled counts, or the mean of the segments' scores.

    Where one side is empty, nothing matches and the score is 0.
    """
    held = Held(counts.hypothesis, counts.reference, counts.matched)
    orders = list(zip(held.hypothesis, held.reference, held.matched, strict=True))
    both = [here > 0 and there > 0 for here, there, _ in orders]
    precision = tuple(match / here if here else 0.0 for here, _, match in orders)
    recall = tuple(match / there if there else 0.0 for _, there, match in orders)
    of_segments = options.average == "segments"
    return ChrfResult(
        value=counts.score / counts.segments if of_segments else held.score(options),
        precision=precision,
        recall=recall,
        f_scores=tuple(map(f_score, precision, recall, repeat(options.beta))),
        mean_precision=_mean(compress(precision, both)),
        mean_recall=_mean(compress(recall, both)),
        orders=sum(both),
        hypothesis=held.hypothesis,
        reference=held.reference,
        matched=held.matched,
    )


def _mean(values: Iterable[float]) -> float:
    # Added one after the other, as in sacreBLEU: sum() rounds otherwise from Python 3.12 on.
    total, number = 0.0, 0
    for value in values:
        total += value
        number += 1
    return total / number if number else 0.0
