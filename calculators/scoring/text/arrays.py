"""What n-grams hypotheses and references share, for many segments at once, in NumPy arrays.

A block of segments is one array of symbols (words or characters as integers). The n-grams of
several orders come out of one sort. The key at each place is

    segment, symbol, next symbol, the symbol after that ...    (as many as 63 bits hold)

so after sorting equal n-grams of a segment stand side by side, those of order n as runs of keys
that agree but for their last bits. How often each text has them is the length of its part of the
run. Where the bits run out before the orders do, a run's number stands for its n-gram at the head
of the next key, and only n-grams that both sides have go on: a longer one can't be shared where
its beginning isn't. No two n-grams ever have one key: nothing here is probable, all is exact.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from ..corpus import Segment
from .tokenizers import Tokens

Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

KEY_BITS = 63  # of a signed integer, its sign left out
ABOVE_ALL = np.array([2**KEY_BITS - 1])

# The size of a segment is its characters times its references. What is counted at once takes some
# 200 bytes for each, and should not outgrow the processor's cache.
SEGMENTS_AT_ONCE = 4_096
SIZE_AT_ONCE = 100_000

# Setting the arrays up takes as long as counting some thousand words one by one; and a segment that
# takes more than this at once is left to the way that needs less memory.
LEAST_SIZE, GREATEST_SIZE = 5_000, 3_000_000


def is_worth_arrays(segments: Sequence[Segment]) -> bool:
    """Whether arrays are the better way for these segments than to count one after the other."""
    sizes = list(map(_size, segments))
    return sum(sizes) >= LEAST_SIZE and max(sizes) <= GREATEST_SIZE


def batches(segments: Iterable[Segment]) -> Iterator[list[Segment]]:
    """The segments in order, as many together as are counted at once; at least one."""
    batch: list[Segment] = []
    size = 0
    for segment in segments:
        batch.append(segment)
        size += _size(segment)
        if len(batch) >= SEGMENTS_AT_ONCE or size >= SIZE_AT_ONCE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _size(segment: Segment) -> int:
    references = segment.references
    if len(references) == 1:  # mostly so, and asked for every segment of a file
        return len(segment.hypothesis) + len(references[0])
    return (len(segment.hypothesis) + sum(map(len, references))) * len(references)


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of some segments: all hypotheses, then all first references, all second ones ..."""

    texts: list[str]
    owners: Integers  # the segment that each is of, from 0
    streams: tuple[int, ...]  # where hypotheses, first references ... start, and where all end

    @classmethod
    def of(cls, segments: Sequence[Segment]) -> Texts:
        """The texts of one or more segments. They need not have equally many references."""
        texts, owners = [segment.hypothesis for segment in segments], [*range(len(segments))]
        streams = [0, len(texts)]
        for number in range(max(len(segment.references) for segment in segments)):
            having = [i for i, segment in enumerate(segments) if len(segment.references) > number]
            texts += [segments[i].references[number] for i in having]
            owners += having
            streams.append(len(texts))
        return cls(texts, np.array(owners, np.int64), tuple(streams))


@dataclass(frozen=True, slots=True)
class Block:
    """Texts of some segments as one array. Positions count from 0 through all of it."""

    symbols: Integers  # from 1; a 0 stands after each text
    segments: Integers  # which segment each symbol is of
    left: Integers  # symbols from here to the end of the text; 0 at the end
    streams: tuple[int, ...]  # where hypotheses, first references ... start, and where all end
    lengths: Integers  # symbols: a row of hypotheses, of first references ...; -1: no such text

    @classmethod
    def of(cls, texts: Texts, symbols: Integers) -> Block:
        """The block of ``texts``, whose symbols are given with a 0 after each text."""
        ends = np.flatnonzero(symbols == 0)
        sizes = np.diff(ends, prepend=-1)
        lengths = np.full((len(texts.streams) - 1, texts.streams[1]), -1)
        for row, (start, end) in enumerate(pairwise(texts.streams)):
            lengths[row, texts.owners[start:end]] = sizes[start:end] - 1
        return cls(
            symbols,
            np.repeat(texts.owners, sizes),
            np.repeat(ends, sizes) - np.arange(len(symbols)),
            tuple(int(sizes[:text].sum()) for text in texts.streams),
            lengths,
        )

    def totals(self, stream: int, orders: int) -> Integers:
        """How many n-grams the texts of a stream have: a row a segment, a column an order."""
        totals: Integers = np.maximum(self.lengths[stream][:, None] - np.arange(orders), 0)
        return totals

    def by_segment(self, ngrams: Ngrams, amounts: Integers) -> Integers:
        """The sum of an amount of each n-gram over the n-grams of each segment."""
        # The sums are of floats, but exact: they stay below 2^53.
        sums = np.bincount(ngrams.segments, amounts, minlength=self.lengths.shape[1])
        return sums.astype(np.int64)


@dataclass(frozen=True, slots=True)
class Vocabularies:
    """The different symbols of each segment of a block, numbered through all segments from 0."""

    numbers: Integers  # of the symbol at each place that has one
    places: Integers  # those places
    segments: Integers  # which segment each symbol is of

    @classmethod
    def of(cls, block: Block) -> Vocabularies:
        """The vocabularies of a block."""
        places, bits = np.flatnonzero(block.symbols), int(block.symbols.max()).bit_length()
        by_key = SortedPlaces.of(block.symbols, places, block.segments[places], 0, 1, bits)
        (edges,) = by_key.runs()
        numbers = np.repeat(np.arange(len(edges) - 1), np.diff(edges))
        return cls(numbers, by_key.places, block.segments[by_key.places[edges[:-1]]])

    def of_own(self, block: Block) -> Integers:
        """The block's symbols numbered anew in each segment, from 1, with a 0 after each text."""
        before = np.searchsorted(self.segments, np.arange(block.lengths.shape[1]))
        symbols = np.zeros_like(block.symbols)
        symbols[self.places] = self.numbers - before[block.segments[self.places]] + 1
        return symbols

    def in_common(self, block: Block) -> Integers:
        """The size of hypotheses and references in common as bags of symbols.

        A row a stream of references, a column a segment.
        """
        streams = np.searchsorted(block.streams, self.places, side="right") - 1
        counts = [
            np.bincount(self.numbers[streams == stream], minlength=len(self.segments))
            for stream in range(len(block.lengths))
        ]
        clipped = [np.minimum(counts[0], count) for count in counts[1:]]
        return np.stack(
            [
                np.bincount(self.segments, shared, minlength=block.lengths.shape[1])
                for shared in clipped
            ]
        ).astype(np.int64)


@dataclass(frozen=True, slots=True)
class Ngrams:
    """The n-grams of one order that the hypothesis of a segment shares with a reference of it."""

    order: int
    segments: Integers  # which segment each is of
    counts: Integers  # a row of hypotheses, of first references ...: how often each occurs there
    places: Integers  # positions where n-grams start, equal n-grams side by side
    starts: Integers  # where each one's places start
    ends: Integers  # and end

    def clipped(self, stream: int) -> Integers:
        """How often each counts against that reference, from 1."""
        clipped: Integers = np.minimum(self.counts[0], self.counts[stream])
        return clipped

    def clipped_by_any(self) -> Integers:
        """How often each counts against the reference that has it most often."""
        clipped: Integers = np.minimum(self.counts[0], self.counts[1:].max(axis=0))
        return clipped

    def all_places(self) -> Integers:
        """The places of all of them, one n-gram after the other."""
        sizes = self.ends - self.starts
        within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        places: Integers = self.places[np.repeat(self.starts, sizes) + within]
        return places

    def first(self) -> Integers:
        """Where each stands first in its hypothesis, as hypotheses come first in the block."""
        return self._foremost(np.minimum)

    def last(self) -> Integers:
        """Where each stands last in a reference, as references come last."""
        return self._foremost(np.maximum)

    def _foremost(self, extremum: np.ufunc) -> Integers:
        # Most n-grams have two places, one on either side.
        foremost: Integers = extremum(self.places[self.starts], self.places[self.ends - 1])
        several = np.flatnonzero(self.ends - self.starts > 2)
        # reduceat works from each index to the next, so every second number is one of a gap.
        edges = np.stack((self.starts[several], self.ends[several]), axis=1).ravel()
        foremost[several] = extremum.reduceat(np.append(self.places, 0), edges)[::2]
        return foremost


def rows(matrix: npt.NDArray[Any]) -> Iterator[tuple[Any, ...]]:
    """The rows of a matrix as tuples of Python's own numbers."""
    # By columns: that makes no lists beside the tuples, which take long to make and to clear away.
    return zip(*matrix.T.tolist(), strict=True)


def new_vocabulary() -> defaultdict[str, int]:
    """An empty vocabulary that gives each new word the next number, from 1."""
    return defaultdict(count(1).__next__)


def word_symbols(tokens: Tokens, vocabulary: Mapping[str, int]) -> Integers:
    """The words as symbols, by a vocabulary that has all of them, with a 0 after each text."""
    numbers = map(vocabulary.__getitem__, tokens.words)
    symbols = np.fromiter(numbers, np.int64, len(tokens.words))
    symbols[symbols == vocabulary[tokens.end]] = 0
    return symbols


def shared_ngrams(block: Block, orders: int) -> Iterator[Ngrams]:
    """The shared n-grams of orders 1..N, as far as any are shared."""
    bits = int(block.symbols.max(initial=1)).bit_length()
    places = np.flatnonzero(block.left)
    heads, head_bits, order = block.segments[places], block.lengths.shape[1].bit_length(), 1
    while order <= orders and len(places):
        many = min(orders - order + 1, (KEY_BITS - head_bits) // bits)
        by_key = SortedPlaces.of(block.symbols, places, heads, order - 1, many, bits)
        tallies = _tallies(block, by_key.places)
        for edges in by_key.runs():
            shared = _shared(block, order, edges, by_key.places, tallies)
            yield shared
            order += 1
        places, heads = _going_on(shared, block.left)
        head_bits = len(shared.starts).bit_length()


@dataclass(frozen=True, slots=True)
class SortedPlaces:
    """Places in the order of their keys: a head, and ``many`` symbols from the place on."""

    places: Integers
    differences: Integers  # of each key from the one before, bit by bit; the first is above all
    many: int  # symbols in a key
    bits: int  # of a symbol

    @classmethod
    def of(
        cls, symbols: Integers, places: Integers, heads: Integers, ahead: int, many: int, bits: int
    ) -> SortedPlaces:
        """``places`` by ``heads`` and by the symbols from so far ``ahead`` on."""
        following = _packed(symbols, ahead, many, bits)
        keys = (heads << (many * bits)) | following[places]
        by_key = np.argsort(keys)
        keys = keys[by_key]
        differences = np.concatenate((ABOVE_ALL, keys[1:] ^ keys[:-1]))[: len(keys)]
        return cls(places[by_key], differences, many, bits)

    def runs(self) -> Iterator[Integers]:
        """Where runs of places with the same first 1, 2 ... symbols start, and where all end."""
        for behind in reversed(range(self.many)):
            starts = np.flatnonzero(self.differences >= 1 << (behind * self.bits))
            yield np.append(starts, len(self.places))


def _packed(symbols: Integers, ahead: int, many: int, bits: int) -> Integers:
    """For each position the ``many`` symbols from so far ``ahead`` on, in one number."""
    padded = np.concatenate((symbols[ahead:], np.zeros(ahead + many, np.int64)))
    packed = padded[: len(symbols)]
    for step in range(1, many):
        packed = (packed << bits) | padded[step : step + len(symbols)]
    return packed


def _tallies(block: Block, places: Integers) -> list[Integers]:
    """For each stream but the last how many of its places are among the first 0, 1, 2 ...

    The last one has the rest.
    """
    return [
        np.concatenate(([0], np.cumsum((places >= start) & (places < end))))
        for start, end in pairwise(block.streams[:-1])
    ]


def _shared(
    block: Block, order: int, edges: Integers, places: Integers, tallies: Sequence[Integers]
) -> Ngrams:
    """What hypothesis and reference share; at ``edges`` runs of equal n-grams start and end."""
    several = np.flatnonzero(np.diff(edges) > 1)  # what occurs once is not shared
    starts, ends = edges[several], edges[several + 1]
    own = tallies[0][ends] - tallies[0][starts]
    # An n-gram past the end of its text is none. It has the end's 0 in its key, so that all of
    # its run are alike.
    both = (own > 0) & (own < ends - starts) & (block.left[places[starts]] >= order)
    starts, ends = starts[both], ends[both]
    counts = [own[both], *(tally[ends] - tally[starts] for tally in tallies[1:])]
    counts.append(ends - starts - sum(counts))
    segments = block.segments[places[starts]]
    return Ngrams(order, segments, np.stack(counts), places, starts, ends)


def _going_on(shared: Ngrams, left: Integers) -> tuple[Integers, Integers]:
    """The places of shared n-grams that have another symbol after them, and the n-grams' numbers.

    They are numbered anew, which keeps the next keys short.
    """
    numbers = np.repeat(np.arange(len(shared.starts)), shared.ends - shared.starts)
    places = shared.all_places()
    longer = left[places] > shared.order
    return places[longer], numbers[longer]
