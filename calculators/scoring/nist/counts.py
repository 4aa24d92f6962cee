"""The mathematics of NIST: information weights, matched information, the brevity penalty.

Doddington (2002), "Automatic evaluation of machine translation quality using n-gram
co-occurrence statistics". The paper leaves several references open; here NLTK 3.10 and
mteval-v13a are followed, each under its name.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..corpus import ScoringError
from ..metric import Counts, Result
from ..options import Choice, Options, choice, flag, integer
from ..text.tokenizers import TOKENIZERS

Words = tuple[str, ...]

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
        "Counts The and the as one word. With the mteval convention only A to Z change, unless the"
        " tokeniser is intl.",
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


def information(prefix_count: int, count: int) -> float:
    """Doddington (2002), eq. 2: the bits that the last word of an n-gram tells."""
    # Not log2: NLTK divides two logarithms, and its choice among references that are equally
    # good rests on the last bit.
    return math.log(prefix_count / count, 2)


def unigram_base(lengths: Sequence[int], options: NistOptions) -> int:
    """What the count of a single word is held against."""
    orders = range(options.max_order if options.unigram_base == "ngrams" else 1)
    return sum([max(0, length - shorter) for length in lengths for shorter in orders])


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
    pairs = zip(counts.information, counts.totals, strict=True)
    scores = tuple([bits / total if total else 0.0 for bits, total in pairs])
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
