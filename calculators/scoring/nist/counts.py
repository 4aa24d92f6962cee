"""The mathematics of NIST: information weights, matched information, the brevity penalty.

Doddington (2002), "Automatic evaluation of machine translation quality using n-gram
co-occurrence statistics". The paper leaves several references open; here NLTK 3.10 and
mteval-v13a are followed, each under its name.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat
from math import log
from operator import add, mul

from ..budget import Budget
from ..corpus import Corpus, ScoringError, Segment
from ..metric import Counts, Result
from ..options import Choice, Options, choice, flag, integer
from ..text.ngrams import Ngram
from ..text.tokenizers import TOKENIZERS, tokenizer

Words = tuple[str, ...]
Codes = list[int]  # words or n-grams as numbers, see Weights
Tally = Mapping[int, int]  # how often each occurs

# Doddington's beta: the penalty is 0.5 where the hypothesis has 2/3 of the reference's words.
BETA = math.log(0.5) / math.log(1.5) ** 2  # about -4.2162


@dataclass(frozen=True)
class NistOptions(Options):
    """What one may choose about NIST."""

    max_order: int = integer(
        5, 1, 9, "Maximum order N", "The longest n-grams that count, in words.", short="n"
    )
    tokenizer: str = choice(
        "nist", TOKENIZERS, "Tokeniser", "How the text is split into words.", short="tok"
    )
    lowercase: bool = flag(
        True,
        "Lowercase",
        "Counts The and the as one word. With the mteval convention only A to Z change.",
        short="case",
        shown=("mixed", "lc"),
    )
    convention: str = choice(
        "nltk",
        (
            Choice(
                "nltk", "NLTK", "each order counts against the one reference that suits it best"
            ),
            Choice("mteval", "mteval-v13a", "matches count wherever any reference has them"),
        ),
        "Several references",
        "With one reference the two agree.",
        short="conv",
    )
    unigram_base: str = choice(
        "words",
        (
            Choice("words", "Reference words", "as NLTK and mteval count"),
            Choice(
                "ngrams", "Reference n-grams", "of all orders 1 to N, as some calculators count"
            ),
        ),
        "A single word is weighed against",
        "The number over which a word's count is taken, since a single word has no prefix.",
        short="base",
    )

    @property
    def pools_references(self) -> bool:
        """Whether a match counts wherever any reference has it, as mteval-v13a counts."""
        return self.convention == "mteval"


@dataclass(frozen=True, slots=True)
class NistCounts(Counts):
    """What NIST needs of a segment; each tuple has orders 1..N."""

    information: tuple[float, ...]  # of the matched n-grams, bits
    matched: tuple[int, ...]  # n-grams, clipped
    totals: tuple[int, ...]  # n-grams of the hypothesis
    hypothesis_length: int  # words
    reference_lengths: tuple[float, ...]  # words of the reference that each order counts against


@dataclass(frozen=True, slots=True)
class NistResult(Result):
    """NIST and what it is made of."""

    order_scores: tuple[float, ...]  # bits a candidate n-gram, orders 1..N
    precision_sum: float  # bits
    brevity_penalty: float
    hypothesis_length: int  # words
    reference_length: float  # words, the mean over the orders
    length_ratio: float  # hypothesis over reference


@dataclass(frozen=True)
class Weights:
    """The information weights of a corpus, and how its texts become numbers.

    A word is its place in the vocabulary of the references, from 1; the number after the last
    stands for all words that no reference has. An n-gram is the number whose digits are its
    words, to the base ``radix``. So ``code // radix`` is the n-gram without its last word, 0 the
    one without a word, and a longer n-gram has a greater code; and integers are counted faster
    than tuples of words.
    """

    options: NistOptions
    tokenize: Callable[[str], Words]
    vocabulary: Mapping[str, int]
    radix: int  # the words of the vocabulary and two more
    references: Mapping[str, Codes]  # the words of every reference, by its text
    ngrams: Mapping[str, Codes]  # their n-grams, kept for a single segment only
    counts: Tally  # of the n-grams of all references; for 0 what a single word is held against
    prefixes: Tally  # the same, but where a tool counts prefixes in its own way

    def words_of(self, text: str) -> Codes:
        """The words of any text as numbers."""
        return list(map(self.vocabulary.get, self.tokenize(text), repeat(self.radix - 1)))

    def ngrams_of(self, reference: str) -> Codes:
        """The n-grams of a reference of the corpus."""
        kept = self.ngrams.get(reference)
        if kept is not None:
            return kept
        return _ngrams(self.references[reference], self.radix, self.options.max_order)

    def code(self, ngram: Ngram) -> int:
        """An n-gram as a number."""
        code = 0
        for word in ngram:
            code = code * self.radix + self.vocabulary.get(word, self.radix - 1)
        return code

    def taking_for_false(self, word: str) -> Weights:
        """Weights that pass over ``word`` as a prefix, as Perl does with ``0``."""
        if word not in self.vocabulary:
            return self
        passed_over = {**self.counts, self.vocabulary[word]: self.counts[0]}
        return replace(self, prefixes=passed_over)


def information(prefix_count: int, count: int) -> float:
    """Doddington (2002), eq. 2: the bits that the last word of an n-gram tells."""
    # Not log2: NLTK divides two logarithms, and its choice among references that are equally
    # good rests on the last bit.
    return math.log(prefix_count / count, 2)


def prepare(corpus: Corpus, options: NistOptions, budget: Budget) -> Weights:
    """The weights from all references of the corpus."""
    tokenize = tokenizer(
        options.tokenizer, lowercase=options.lowercase, as_mteval=options.pools_references
    )
    texts = [reference for segment in corpus.segments for reference in segment.references]
    budget.spend(sum(map(len, texts)))
    words = {text: tokenize(text) for text in dict.fromkeys(texts)}
    distinct = dict.fromkeys(chain.from_iterable(words.values()))
    vocabulary = dict(zip(distinct, range(1, len(distinct) + 1), strict=True))
    coded = {text: list(map(vocabulary.__getitem__, each)) for text, each in words.items()}
    lengths = [len(coded[text]) for text in texts]
    budget.spend(sum(lengths) * options.max_order)
    radix = len(vocabulary) + 2

    def ngrams_of(text: str) -> Codes:
        return _ngrams(coded[text], radix, options.max_order)

    # The n-grams of a large file would take too much memory to be kept.
    kept = {text: ngrams_of(text) for text in coded} if len(corpus) == 1 else {}
    counts = _tally(chain.from_iterable(kept.get(text) or ngrams_of(text) for text in texts))
    counts[0] = _base(lengths, options)
    return Weights(options, tokenize, vocabulary, radix, coded, kept, counts, counts)


def _base(lengths: Sequence[int], options: NistOptions) -> int:
    """What the count of a single word is held against."""
    orders = range(options.max_order if options.unigram_base == "ngrams" else 1)
    return sum(max(0, length - shorter) for length in lengths for shorter in orders)


def _ngrams(words: Codes, radix: int, max_order: int) -> Codes:
    """The n-grams of a text, order by order and from left to right in each."""
    ngrams, of_order = list(words), words
    for order in range(1, max_order):
        of_order = list(map(add, map(mul, of_order, repeat(radix)), words[order:]))
        ngrams += of_order
    return ngrams


def _tally(codes: Iterable[int]) -> dict[int, int]:
    """How often each occurs, in the order of first occurrence."""
    # A plain dictionary is read twice as fast as the Counter that fills it.
    return dict(Counter(codes))


def measure(weights: Weights, segments: Iterable[Segment], budget: Budget) -> Iterator[NistCounts]:
    """Each segment's counts."""
    for segment in segments:
        budget.spend(len(segment.hypothesis))
        hypothesis = weights.words_of(segment.hypothesis)
        lengths = [len(weights.references[reference]) for reference in segment.references]
        budget.spend((len(hypothesis) + sum(lengths)) * weights.options.max_order)
        yield _counted(weights, hypothesis, segment.references, lengths)


def _counted(
    weights: Weights, hypothesis: Codes, references: Sequence[str], lengths: Sequence[int]
) -> NistCounts:
    """The counts of one segment."""
    size = weights.options.max_order
    candidate = _tally(_ngrams(hypothesis, weights.radix, size))
    # Only n-grams of the hypothesis are worth a place in a table.
    held = [
        _tally(filter(candidate.__contains__, weights.ngrams_of(reference)))
        for reference in references
    ]
    chosen: list[float]
    if weights.options.pools_references or len(held) == 1:  # with one there is no choice
        bits, matched = _match(weights, candidate, _most(held))
        chosen = [sum(lengths) / len(lengths)] * size
    else:
        matches = [_match(weights, candidate, tally) for tally in held]
        best = [winner([match[0][index] for match in matches], lengths) for index in range(size)]
        bits = [matches[number][0][index] for index, number in enumerate(best)]
        matched = [matches[number][1][index] for index, number in enumerate(best)]
        chosen = [float(lengths[number]) for number in best]
    totals = tuple(max(0, len(hypothesis) - shorter) for shorter in range(size))
    return NistCounts(tuple(bits), tuple(matched), totals, len(hypothesis), tuple(chosen))


def _most(tallies: Sequence[Tally]) -> Tally:
    """For each n-gram the greatest count that one reference has."""
    most = dict(tallies[0])
    for tally in tallies[1:]:
        for code, count in tally.items():
            most[code] = max(count, most.get(code, 0))
    return most


def _match(weights: Weights, candidate: Tally, held: Tally) -> tuple[list[float], list[int]]:
    """The information of the n-grams that both have, in bits, and how many they are, by order."""
    counts, prefixes, radix = weights.counts, weights.prefixes, weights.radix
    bits, matched = [0.0] * weights.options.max_order, [0] * weights.options.max_order
    index, next_order = 0, radix
    # Added up in the order in which the hypothesis has them, since a tie between references
    # rests on the last bit; and by a plain loop, since sum() rounds otherwise from Python 3.12.
    for code, count in candidate.items():
        if code not in held:
            continue
        while code >= next_order:
            index, next_order = index + 1, next_order * radix
        if count > 1:
            count = min(count, held[code])
        matched[index] += count
        prefix_count, occurrences = prefixes[code // radix], counts[code]
        if prefix_count != occurrences:  # else nothing is told
            # information(), written out: to call it takes as long as the logarithm.
            bits[index] += log(prefix_count / occurrences, 2) * count
    return bits, matched


def winner(bits: Sequence[float], lengths: Sequence[int]) -> int:
    """The reference that an order counts against in NLTK's convention, from 0.

    The most information wins, a tie goes to the longest reference, then to the first. All have
    the same number of candidate n-grams, so the information decides as the score would.
    """
    keys = list(zip(bits, lengths, strict=True))
    return keys.index(max(keys))


def finish(counts: NistCounts, options: NistOptions) -> NistResult:
    """The score, Doddington (2002), eq. 3.

    An order without a candidate n-gram adds nothing, an empty hypothesis gives 0. Where no
    reference has a word the score is undefined and ``ScoringError`` is raised.
    """
    size = options.max_order
    reference_length = math.fsum(counts.reference_lengths) / size
    if reference_length == 0:
        raise ScoringError(
            "No reference has any words, so NIST is undefined. Enter a reference.", "references"
        )
    scores = tuple(
        bits / total if total else 0.0
        for bits, total in zip(counts.information, counts.totals, strict=True)
    )
    ratio = counts.hypothesis_length * size / math.fsum(counts.reference_lengths)
    precision_sum, penalty = math.fsum(scores), piecewise_penalty(ratio)
    return NistResult(
        precision_sum * penalty,
        scores,
        precision_sum,
        penalty,
        int(counts.hypothesis_length),
        reference_length,
        ratio,
    )


def piecewise_penalty(ratio: float) -> float:
    """The brevity penalty as mteval-v13a has it: 0, a curve, 1, by the ratio of the lengths."""
    if ratio <= 0:
        return 0.0
    if ratio >= 1:
        return 1.0
    return math.exp(BETA * math.log(ratio) ** 2)


def closed_penalty(hypothesis_length: float, reference_length: float) -> float:
    """The brevity penalty of Doddington (2002), eq. 3, as a power of one half.

    Beta is set so that two thirds of the length halve the score; with the logarithm to the base
    1.5 the same is 0.5 to the power of the square of log(min(1, ratio)).
    """
    if not hypothesis_length:
        return 0.0  # the limit
    shortfall = max(1.0, reference_length / hypothesis_length)
    return float(0.5 ** (math.log(shortfall, 1.5) ** 2))
