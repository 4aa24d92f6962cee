"""NIST by arrays: the faster way for a file.

All references of a corpus are one array of words, and a table for each order says how often the
n-gram that starts at each of its places occurs in all of them. The tables of several orders come
out of one sort, as in ``text.arrays``. Whatever a hypothesis shares with its references stands in
one of these, so what it tells is read there and need not be searched for.

Where the keys of the sort end before the orders do, what occurs once is not followed further: a
longer n-gram that begins with it occurs once or never, at the same place, and tells nothing, since
its last word is certain.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

import numpy as np
import numpy.typing as npt

from ..budget import Budget
from ..corpus import Corpus, Segment
from ..text.arrays import (
    KEY_BITS,
    Block,
    Integers,
    Ngrams,
    SortedPlaces,
    Texts,
    batches,
    new_vocabulary,
    rows,
    shared_ngrams,
    word_symbols,
)
from ..text.ngrams import Ngram
from ..text.tokenizers import Tokenizer, tokenizer
from .counts import NistCounts, NistOptions, information, unigram_base

Reals = npt.NDArray[np.float64]

NOWHERE = -1  # the number of an n-gram that is in no table: the place at the end of an array


@dataclass(frozen=True)
class Table:
    """The n-grams of one order that the references of a corpus have, by number."""

    numbers: npt.NDArray[np.int32]  # of the n-gram that starts at each place
    counts: Integers  # how often each occurs
    bits: Reals  # what each tells; one more at the end is 0, for NOWHERE

    @classmethod
    def of(cls, places: Integers, edges: Integers, words: int, prefix_counts: Integers) -> Table:
        """The table of the n-grams whose places stand between ``edges``, of so many words."""
        counts = np.diff(edges)
        numbers = np.full(words, NOWHERE, np.int32)
        numbers[places] = np.repeat(np.arange(len(counts)), counts)
        return cls(numbers, counts, np.append(_bits(prefix_counts, counts), 0.0))

    def counts_at(self, places: Integers) -> Integers:
        """How often the n-grams that start at ``places`` occur."""
        counts: Integers = self.counts[self.numbers[places]]
        return counts

    def bits_at(self, places: Integers) -> Reals:
        """What the n-grams that start at ``places`` tell."""
        bits: Reals = self.bits[self.numbers[places]]
        return bits


@dataclass(frozen=True)
class Tables:
    """The weights of a corpus as arrays. See ``weights.Weights`` for what they answer."""

    options: NistOptions
    tokenize: Tokenizer
    vocabulary: dict[str, int]  # of the references, from 1; the marks of their ends are in it too
    words: Integers  # of all references, a 0 after each
    references: dict[str, int]  # a reference's number, by its text
    starts: Integers  # where each reference's words start, and where all end
    base: int  # what the count of a single word is held against
    orders: tuple[Table, ...]  # 1..N
    places: Integers  # of all words, in the order of the N words from each on
    passed_over: str | None = None  # the word that is no prefix, if there is one

    @property
    def unknown(self) -> int:
        """The number of all words that no reference has."""
        return len(self.vocabulary) + 1

    def occurrences(self, ngram: Ngram) -> int:
        """How often the references of the corpus have it."""
        words = [self.vocabulary.get(word, self.unknown) for word in ngram]

        def words_at(place: int) -> list[int]:
            found: list[int] = self.words[place : place + len(words)].tolist()
            return found

        first = bisect_left(self.places, words, key=words_at)
        return bisect_right(self.places, words, first, key=words_at) - first

    def prefix_occurrences(self, ngram: Ngram) -> int:
        """How often they have it without its last word."""
        if len(ngram) == 1 or (len(ngram) == 2 and ngram[0] == self.passed_over):
            return self.base
        return self.occurrences(ngram[:-1])

    def taking_for_false(self, word: str) -> Tables:
        """Weights that pass over ``word`` as a prefix, as Perl does with ``0``."""
        if word not in self.vocabulary or self.options.max_order == 1:
            return self
        single, double, *longer = self.orders
        pairs = np.unique(double.numbers[self.words == self.vocabulary[word]])
        bits = double.bits.copy()
        bits[pairs] = _bits(np.full(len(pairs), self.base), double.counts[pairs])
        orders = (single, replace(double, bits=bits), *longer)
        return replace(self, orders=orders, passed_over=word)

    def measure(self, segments: Iterable[Segment], budget: Budget) -> Iterator[NistCounts]:
        """Each segment's counts."""
        # Words that no reference has are numbered too, so that the marks between texts stand out.
        known = defaultdict(count(self.unknown).__next__, self.vocabulary)
        for batch in batches(segments):
            texts = Texts.of(batch)
            tokens = self.tokenize.of_all(texts.texts[: len(batch)])
            hypotheses = np.minimum(word_symbols(tokens, known), self.unknown)
            origins = self._places_of(texts.texts[len(batch) :])
            block = Block.of(texts, np.concatenate((hypotheses, self.words[origins])))
            budget.spend(len(block.symbols) * (1 + self.options.max_order))
            yield from _counted(self, block, origins)

    def _places_of(self, texts: Sequence[str]) -> Integers:
        """The places of all words of some references of the corpus, and of the 0 after each."""
        numbers = np.fromiter(map(self.references.__getitem__, texts), np.int64, len(texts))
        starts = self.starts[numbers]
        sizes = self.starts[numbers + 1] - starts
        before = np.cumsum(sizes) - sizes
        places: Integers = np.arange(sizes.sum()) + np.repeat(starts - before, sizes)
        return places


def prepare(corpus: Corpus, options: NistOptions, budget: Budget) -> Tables:
    """The weights from all references of the corpus."""
    tokenize = tokenizer(
        options.tokenizer, lowercase=options.lowercase, as_mteval=options.pools_references
    )
    vocabulary, words = _read(corpus, tokenize, budget)
    budget.spend(len(words) * options.max_order)
    starts = np.append(0, np.flatnonzero(words == 0) + 1)
    base = unigram_base((np.diff(starts) - 1).tolist(), options)
    texts = (reference for segment in corpus.segments for reference in segment.references)
    references = dict(zip(texts, count()))
    orders, places = _tables(words, base, len(vocabulary), options.max_order)
    return Tables(options, tokenize, vocabulary, words, references, starts, base, orders, places)


def _read(corpus: Corpus, tokenize: Tokenizer, budget: Budget) -> tuple[dict[str, int], Integers]:
    """The vocabulary of the references, and their words as numbers with a 0 after each text."""
    vocabulary = new_vocabulary()
    parts = []
    for batch in batches(corpus.segments):
        references = [reference for segment in batch for reference in segment.references]
        budget.spend(sum(map(len, references)))
        tokens = tokenize.of_all(references)
        parts.append(word_symbols(tokens, vocabulary))
    return dict(vocabulary), np.concatenate(parts)


def _tables(
    words: Integers, base: int, highest: int, max_order: int
) -> tuple[tuple[Table, ...], Integers]:
    """The tables of orders 1..N of words with numbers up to ``highest``, and their sorted places.

    Longer n-grams than a text has go past its end here. No hypothesis shares them.
    """
    tables: list[Table] = []
    sorted_places, bits = np.flatnonzero(words), highest.bit_length()
    followed, heads = np.arange(len(sorted_places)), np.zeros(len(sorted_places), np.int64)
    while len(tables) < max_order:
        head_bits = int(heads.max(initial=0)).bit_length()
        many = min(max_order - len(tables), (KEY_BITS - head_bits) // bits)
        by_key = SortedPlaces.of(words, sorted_places[followed], heads, len(tables), many, bits)
        sorted_places[followed] = by_key.places
        for edges in by_key.runs():
            prefixes = by_key.places[edges[:-1]]
            prefix_counts = (
                tables[-1].counts_at(prefixes) if tables else np.full(len(prefixes), base)
            )
            tables.append(Table.of(by_key.places, edges, len(words), prefix_counts))
        counts = tables[-1].counts
        often = np.repeat(counts > 1, counts)
        followed, heads = followed[often], np.repeat(np.arange(len(counts)), counts)[often]
    return tuple(tables), sorted_places


def _bits(prefix_counts: Integers, counts: Integers) -> Reals:
    """The information of n-grams that occur so often, as their prefixes do."""
    bits = np.zeros(len(counts))
    telling = np.flatnonzero(prefix_counts != counts)
    pairs = (prefix_counts[telling] << 32) | counts[telling]
    # Few of them are different, and they go through the one logarithm that is used elsewhere:
    # NumPy's own has other last bits.
    different = np.unique(pairs)
    known = [information(pair >> 32, pair & 0xFFFFFFFF) for pair in different.tolist()]
    bits[telling] = np.array(known, np.float64)[np.searchsorted(different, pairs)]
    return bits


@dataclass(frozen=True)
class Matches:
    """What the segments of a block have in common with one reference each, or with all of them.

    Arrays of a row a segment and a column an order.
    """

    information: Reals  # bits
    matched: Integers  # n-grams, clipped
    lengths: Reals  # words of the reference; -1 where there is none


def _counted(tables: Tables, block: Block, origins: Integers) -> Iterator[NistCounts]:
    """The counts of the segments of a block; ``origins`` are the places of their references."""
    size = tables.options.max_order
    matches = _matches(tables, block, origins)
    best = matches[0]
    for other in matches[1:]:
        best = _better(best, other)
    lengths = block.lengths[0].tolist()
    yield from NistCounts.of_columns(
        rows(best.information),
        rows(best.matched),
        rows(block.totals(0, size)),
        lengths,
        rows(best.lengths),
        many=len(lengths),
    )


def _better(one: Matches, other: Matches) -> Matches:
    """Of each segment and order the better match, as ``counts.winner`` has it."""
    tie = other.information == one.information
    wins = (other.information > one.information) | (tie & (other.lengths > one.lengths))
    return Matches(
        np.where(wins, other.information, one.information),
        np.where(wins, other.matched, one.matched),
        np.where(wins, other.lengths, one.lengths),
    )


def _matches(tables: Tables, block: Block, origins: Integers) -> list[Matches]:
    """The matches with each stream of references, or the one with all of them pooled."""
    size, segments = tables.options.max_order, block.lengths.shape[1]
    pooled = tables.options.pools_references
    lengths = _mean_lengths(block)[None] if pooled else block.lengths[1:].astype(np.float64)
    matches = [
        Matches(
            np.zeros((segments, size)),
            np.zeros((segments, size), np.int64),
            np.repeat(row[:, None], size, axis=1),
        )
        for row in lengths
    ]
    hypotheses = block.segments[: block.streams[1]]
    for shared, bits in _weighed(tables, block, origins):
        first, column = shared.first(), shared.order - 1
        for stream, match in enumerate(matches, 1):
            clipped = shared.clipped_by_any() if pooled else shared.clipped(stream)
            match.matched[:, column] = block.by_segment(shared, clipped)
            # Each at its first place in the hypothesis, so that bincount adds up in that order,
            # one after the other, as everywhere: a tie between references rests on the last bit.
            told = np.zeros(len(hypotheses))
            told[first] = bits * clipped
            match.information[:, column] = np.bincount(hypotheses, told, minlength=segments)
    return matches


def _weighed(tables: Tables, block: Block, origins: Integers) -> Iterator[tuple[Ngrams, Reals]]:
    """The shared n-grams of each order, and the bits that each tells."""
    for shared in shared_ngrams(block, tables.options.max_order):
        places = origins[shared.last() - block.streams[1]]
        yield shared, tables.orders[shared.order - 1].bits_at(places)


def _mean_lengths(block: Block) -> Reals:
    """The mean length of each segment's references."""
    references = block.lengths[1:]
    present = references >= 0
    means: Reals = np.where(present, references, 0).sum(axis=0) / present.sum(axis=0)
    return means
