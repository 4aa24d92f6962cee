"""NIST by arrays: the faster way for a file.

The n-grams of all references are numbered order by order. One of order n has the key

    number of its first n-1 words * radix + number of its last word

and its own number is the place of that key among all keys of its order, sorted; that of a single
word is the word's. So a key fits into 64 bits at any order, an n-gram's prefix is its key divided
by the radix, and a binary search for each word finds the number of any n-gram.

What occurs once is not followed further, which spares most of the work and memory: a longer
n-gram that begins with it occurs once or never, at the same place, and tells nothing, since its
last word is certain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import repeat

import numpy as np
import numpy.typing as npt

from ..budget import Budget
from ..corpus import Corpus, Segment
from ..text.arrays import (
    Block,
    Integers,
    Ngrams,
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

NOWHERE = -1  # the number of an n-gram in no table: the place at the end of an array
ABOVE_ALL = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Table:
    """The n-grams of one order that the references of a corpus have."""

    keys: Integers  # sorted; one more at the end is above all
    counts: Integers  # how often each occurs
    bits: Reals  # what each tells; one more at the end is 0, for NOWHERE
    places: Integers  # one place where each starts

    @classmethod
    def of(
        cls, keys: Integers, counts: Integers, prefix_counts: Integers, places: Integers
    ) -> Table:
        """The table of n-grams by their keys, in order."""
        return cls(np.append(keys, ABOVE_ALL), counts, _bits(prefix_counts, counts), places)

    def numbers(self, keys: Integers) -> Integers:
        """The numbers of n-grams by their keys, NOWHERE for those not here."""
        numbers = np.searchsorted(self.keys, keys)
        return np.where(self.keys[numbers] == keys, numbers, NOWHERE)


@dataclass(frozen=True)
class Tables:
    """The weights of a corpus as arrays. See ``weights.Weights`` for what they answer."""

    options: NistOptions
    tokenize: Tokenizer
    vocabulary: dict[str, int]  # of the references, from 1; the marks of their ends are in it too
    words: Integers  # of all references, a 0 after each
    places: dict[str, tuple[int, int]]  # where a reference's words start and end, by its text
    orders: tuple[Table, ...]  # 0..N; of order 0 there is one n-gram, what single words go by
    passed_over: str | None = None  # the word that is no prefix, if there is one

    @property
    def radix(self) -> int:
        """More than any word's number; the number before stands for words no reference has."""
        return len(self.vocabulary) + 2

    def occurrences(self, ngram: Ngram) -> int:
        """How often the references of the corpus have it."""
        words = [self.vocabulary.get(word, self.radix - 1) for word in ngram]
        number = 0
        for order, word in enumerate(words, 1):
            shorter, table = self.orders[order - 1 : order + 1]
            longer = int(table.numbers(np.array([number * self.radix + word]))[0])
            if longer == NOWHERE:
                place = shorter.places[number]
                single = order > 1 and shorter.counts[number] == 1
                return int(single and self.words[place:][: len(words)].tolist() == words)
            number = longer
        return int(self.orders[len(words)].counts[number])

    def prefix_occurrences(self, ngram: Ngram) -> int:
        """How often they have it without its last word."""
        if len(ngram) == 2 and ngram[0] == self.passed_over:
            return self.occurrences(())
        return self.occurrences(ngram[:-1])

    def taking_for_false(self, word: str) -> Tables:
        """Weights that pass over ``word`` as a prefix, as Perl does with ``0``."""
        if word not in self.vocabulary or self.options.max_order == 1:
            return self
        nothing, single, double, *longer = self.orders
        prefixes = single.counts.copy()
        prefixes[self.vocabulary[word]] = nothing.counts[0]
        prefix_counts = prefixes[double.keys[:-1] // self.radix]
        double = replace(double, bits=_bits(prefix_counts, double.counts))
        return replace(self, orders=(nothing, single, double, *longer), passed_over=word)

    def measure(self, segments: Iterable[Segment], budget: Budget) -> Iterator[NistCounts]:
        """Each segment's counts."""
        for batch in batches(segments):
            block = self._block(batch)
            budget.spend(len(block.symbols) * (1 + self.options.max_order))
            yield from _counted(self, block)

    def _block(self, segments: Sequence[Segment]) -> Block:
        """The words of segments whose references are references of the corpus."""
        texts = Texts.of(segments)
        tokens = self.tokenize.of_all(texts.texts[: len(segments)])
        numbers = map(self.vocabulary.get, tokens.words, repeat(self.radix - 1))
        hypotheses = word_symbols(tokens, numbers)
        places = [self.places[reference] for reference in texts.texts[len(segments) :]]
        references = [self.words[start:end] for start, end in places]
        return Block.of(texts, np.concatenate((hypotheses, *references)))


def prepare(corpus: Corpus, options: NistOptions, budget: Budget) -> Tables:
    """The weights from all references of the corpus."""
    tokenize = tokenizer(
        options.tokenizer, lowercase=options.lowercase, as_mteval=options.pools_references
    )
    vocabulary, words = _read(corpus, tokenize, budget)
    budget.spend(len(words) * options.max_order)
    ends = np.flatnonzero(words == 0)
    lengths = np.diff(ends, prepend=-1) - 1
    texts = (reference for segment in corpus.segments for reference in segment.references)
    spans = zip((ends - lengths).tolist(), (ends + 1).tolist(), strict=True)
    base = np.array([unigram_base(lengths.tolist(), options)])
    nothing = Table(np.array([0, ABOVE_ALL]), base, np.zeros(2), np.zeros(1, np.int64))
    left = np.repeat(ends, lengths + 1) - np.arange(len(words))
    orders = (nothing, *_tables(nothing, words, left, len(vocabulary) + 2, options.max_order))
    places = dict(zip(texts, spans, strict=True))
    return Tables(options, tokenize, vocabulary, words, places, orders)


def _read(corpus: Corpus, tokenize: Tokenizer, budget: Budget) -> tuple[dict[str, int], Integers]:
    """The vocabulary of the references, and their words as numbers with a 0 after each text."""
    vocabulary = new_vocabulary()
    parts = []
    for batch in batches(corpus.segments):
        references = [reference for segment in batch for reference in segment.references]
        budget.spend(sum(map(len, references)))
        tokens = tokenize.of_all(references)
        parts.append(word_symbols(tokens, map(vocabulary.__getitem__, tokens.words)))
    return dict(vocabulary), np.concatenate(parts)


def _tables(
    nothing: Table, words: Integers, left: Integers, radix: int, max_order: int
) -> Iterator[Table]:
    """The tables of orders 1..N; ``left`` are the words from each on to the end of its text."""
    yield (shorter := _single_words(nothing, words, radix))
    places = np.flatnonzero(left > 1)
    numbers = words[places]  # of the n-grams that start there
    for order in range(2, max_order + 1):
        frequent = shorter.counts[numbers] > 1
        places, numbers = places[frequent], numbers[frequent]
        keys = numbers * radix + words[places + order - 1]
        by_key = np.argsort(keys)
        keys, places = keys[by_key], places[by_key]
        starts = np.flatnonzero(np.diff(keys, prepend=-1))
        distinct, counts = keys[starts], np.diff(starts, append=len(keys))
        prefix_counts = shorter.counts[distinct // radix]
        yield (shorter := Table.of(distinct, counts, prefix_counts, places[starts]))
        longer = left[places] > order
        places, numbers = places[longer], np.repeat(np.arange(len(starts)), counts)[longer]


def _single_words(nothing: Table, words: Integers, radix: int) -> Table:
    """The table of order 1. It has all numbers, also those that do not occur."""
    counts, places = np.bincount(words, minlength=radix), np.zeros(radix, np.int64)
    counts[0] = 0  # the ends of texts
    places[words] = np.arange(len(words))
    occurring, bits = np.flatnonzero(counts), np.zeros(radix + 1)
    prefix_counts = np.repeat(nothing.counts, len(occurring))
    bits[occurring] = _bits(prefix_counts, counts[occurring])[:-1]
    return Table(np.append(np.arange(radix), ABOVE_ALL), counts, bits, places)


def _bits(prefix_counts: Integers, counts: Integers) -> Reals:
    """The information of n-grams that occur so often, as their prefixes do; then 0 once more."""
    pairs = (prefix_counts << 32) | counts
    # Few of them are different, and they go through the one logarithm that is used elsewhere:
    # NumPy's own has other last bits.
    different = np.unique(pairs)
    bits = [information(pair >> 32, pair & 0xFFFFFFFF) for pair in different.tolist()]
    return np.append(np.array(bits, np.float64)[np.searchsorted(different, pairs)], 0.0)


@dataclass(frozen=True)
class Matches:
    """What the segments of a block have in common with one reference each, or with all of them.

    Arrays of a row a segment and a column an order.
    """

    information: Reals  # bits
    matched: Integers  # n-grams, clipped
    lengths: Reals  # words of the reference; -1 where there is none


def _counted(tables: Tables, block: Block) -> Iterator[NistCounts]:
    """The counts of the segments of a block."""
    size = tables.options.max_order
    matches = _matches(tables, block)
    best = matches[0]
    for other in matches[1:]:
        best = _better(best, other)
    yield from map(
        NistCounts,
        rows(best.information),
        rows(best.matched),
        rows(block.totals(0, size)),
        block.lengths[0].tolist(),
        rows(best.lengths),
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


def _matches(tables: Tables, block: Block) -> list[Matches]:
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
    for shared, bits in _weighed(tables, block):
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


def _weighed(tables: Tables, block: Block) -> Iterator[tuple[Ngrams, Reals]]:
    """The shared n-grams of each order, and the bits that each tells."""
    numbers = block.symbols[: block.streams[1]].copy()  # of the n-grams that start in hypotheses
    for shared in shared_ngrams(block, tables.options.max_order):
        table = tables.orders[shared.order]
        if shared.order > 1:
            places = shared.all_places()
            places = places[places < len(numbers)]
            words = block.symbols[places + shared.order - 1]
            numbers[places] = table.numbers(numbers[places] * tables.radix + words)
        # Those in no table have a prefix that occurs once, and tell nothing.
        yield shared, table.bits[numbers[shared.first()]]


def _mean_lengths(block: Block) -> Reals:
    """The mean length of each segment's references."""
    references = block.lengths[1:]
    present = references >= 0
    means: Reals = np.where(present, references, 0).sum(axis=0) / present.sum(axis=0)
    return means
