"""Everything that happens when NIST scores one segment, n-gram by n-gram.

It goes by words where ``measure`` goes by numbers, so that each of the two checks the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..budget import Budget
from ..corpus import Segment
from ..text.ngrams import Ngram, count_ngrams, most_in_one
from .counts import NistCounts, Words, information, winner
from .weights import Weights


@dataclass(frozen=True, slots=True)
class NgramTrace:
    """One n-gram of the hypothesis."""

    words: Ngram
    count: int  # in the hypothesis
    clipped: int  # how often it counts
    reference_count: int  # in all references of the corpus
    prefix_count: int  # of the n-gram without its last word; for one word the base
    information: float | None  # bits; None where no reference has it

    @property
    def contribution(self) -> float:
        """Bits that it adds to its order's information."""
        return 0.0 if self.information is None else self.information * self.clipped


@dataclass(frozen=True, slots=True)
class ReferenceTrace:
    """How one order of the hypothesis fares against one reference."""

    information: float  # bits
    matched: int  # n-grams, clipped
    length: int  # words


@dataclass(frozen=True, slots=True)
class OrderTrace:
    """Everything about one order of a segment."""

    order: int
    total: int  # n-grams of the hypothesis
    ngrams: tuple[NgramTrace, ...]  # distinct, in the order of the hypothesis
    by_reference: tuple[ReferenceTrace, ...]
    winner: int | None  # from 0; None where the references are pooled

    @property
    def information(self) -> float:
        """Of the n-grams that count, bits."""
        return _bits(self.ngrams)

    @property
    def matched(self) -> int:
        """N-grams that count."""
        return sum(ngram.clipped for ngram in self.ngrams)

    @property
    def reference_length(self) -> float:
        """Words: the winner's, or the mean where the references are pooled."""
        if self.winner is not None:
            return self.by_reference[self.winner].length
        return sum(one.length for one in self.by_reference) / len(self.by_reference)


@dataclass(frozen=True, slots=True)
class NistTrace:
    """Everything that happened in one segment."""

    hypothesis: Words
    references: tuple[Words, ...]
    orders: tuple[OrderTrace, ...]  # 1..N

    @property
    def counts(self) -> NistCounts:
        """The same counts that ``measure`` gives."""
        return NistCounts(
            tuple(order.information for order in self.orders),
            tuple(order.matched for order in self.orders),
            tuple(order.total for order in self.orders),
            len(self.hypothesis),
            tuple(order.reference_length for order in self.orders),
        )


def trace(weights: Weights, segment: Segment, budget: Budget) -> NistTrace:
    """Everything that happened in ``segment``, every n-gram of the hypothesis included."""
    size = weights.options.max_order
    budget.spend(len(segment.hypothesis) + sum(map(len, segment.references)))
    hypothesis = weights.tokenize(segment.hypothesis)
    references = tuple(map(weights.tokenize, segment.references))
    # A row of the trace costs some ten times a count.
    budget.spend((10 * len(hypothesis) + sum(map(len, references))) * size)
    candidates = count_ngrams(hypothesis, size)
    held = zip(*(count_ngrams(words, size) for words in references), strict=True)
    lengths = [len(words) for words in references]
    orders = tuple(
        _order(weights, order, candidate, counts, lengths)
        for order, (candidate, counts) in enumerate(zip(candidates, held, strict=True), 1)
    )
    return NistTrace(hypothesis, references, orders)


def _order(
    weights: Weights,
    order: int,
    candidate: Counter[Ngram],
    held: Sequence[Counter[Ngram]],
    lengths: Sequence[int],
) -> OrderTrace:
    against = [_ngrams(weights, candidate, counts) for counts in held]
    by_reference = tuple(
        ReferenceTrace(_bits(rows), sum(row.clipped for row in rows), length)
        for rows, length in zip(against, lengths, strict=True)
    )
    if weights.options.pools_references:
        best, rows = None, _ngrams(weights, candidate, most_in_one(held))
    else:
        best = winner([one.information for one in by_reference], lengths)
        rows = against[best]
    return OrderTrace(order, candidate.total(), rows, by_reference, best)


def _ngrams(
    weights: Weights, candidate: Counter[Ngram], held: Counter[Ngram]
) -> tuple[NgramTrace, ...]:
    return tuple(
        _ngram(weights, words, count, min(count, held[words])) for words, count in candidate.items()
    )


def _ngram(weights: Weights, words: Ngram, count: int, clipped: int) -> NgramTrace:
    occurrences, prefix_count = weights.occurrences(words), weights.prefix_occurrences(words)
    bits = information(prefix_count, occurrences) if occurrences else None
    return NgramTrace(words, count, clipped, occurrences, prefix_count, bits)


def _bits(rows: Iterable[NgramTrace]) -> float:
    bits = 0.0
    for row in rows:
        bits += row.contribution
    return bits
