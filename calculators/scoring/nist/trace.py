"""Everything that happens when NIST scores one segment, n-gram by n-gram.

It goes by words where ``measure`` goes by numbers, so that each of the two checks the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..budget import Budget
from ..corpus import Segment
from ..text.ngrams import Ngram, count_ngrams, most_in_one
from .counts import NistCounts, Words, information, winner
from .weights import Weights

# Looking an n-gram up in the tables of a file takes as long as some hundred steps elsewhere.
_STEPS_A_ROW = 200


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
    budget.spend(sum(map(len, references)) * size)
    candidates = count_ngrams(hypothesis, size)
    held = zip(*(count_ngrams(words, size) for words in references), strict=True)
    lengths = [len(words) for words in references]
    orders = tuple(
        _order(weights, order, candidate, counts, lengths, budget)
        for order, (candidate, counts) in enumerate(zip(candidates, held, strict=True), 1)
    )
    return NistTrace(hypothesis, references, orders)


def _order(
    weights: Weights,
    order: int,
    candidate: Counter[Ngram],
    held: Sequence[Counter[Ngram]],
    lengths: Sequence[int],
    budget: Budget,
) -> OrderTrace:
    rows = tuple(_ngram(weights, words, count, budget) for words, count in candidate.items())
    places = {row.words: place for place, row in enumerate(rows)}
    by_reference = tuple(
        _against(rows, places, counts, length) for counts, length in zip(held, lengths, strict=True)
    )
    if weights.options.pools_references:
        best, most = None, most_in_one(held)
    else:
        best = winner([one.information for one in by_reference], lengths)
        most = held[best]
    clipped = tuple(replace(row, clipped=min(row.count, most[row.words])) for row in rows)
    return OrderTrace(order, candidate.total(), clipped, by_reference, best)


def _ngram(weights: Weights, words: Ngram, count: int, budget: Budget) -> NgramTrace:
    """An n-gram of the hypothesis, of which nothing counts yet."""
    budget.spend(_STEPS_A_ROW)
    occurrences, prefix_count = weights.occurrences(words), weights.prefix_occurrences(words)
    bits = information(prefix_count, occurrences) if occurrences else None
    return NgramTrace(words, count, 0, occurrences, prefix_count, bits)


def _against(
    rows: Sequence[NgramTrace], places: Mapping[Ngram, int], held: Counter[Ngram], length: int
) -> ReferenceTrace:
    """How the rows fare against the n-grams of one reference."""
    information, matched = 0.0, 0
    # In the order of the hypothesis: a tie between references rests on the last bit. Only what
    # both have is looked at, since there may be very many references of few words.
    for place in sorted(places[words] for words in held if words in places):
        row = rows[place]
        clipped = min(row.count, held[row.words])
        information += (row.information or 0.0) * clipped
        matched += clipped
    return ReferenceTrace(information, matched, length)


def _bits(rows: Iterable[NgramTrace]) -> float:
    bits = 0.0
    for row in rows:
        bits += row.contribution
    return bits
