"""TER of many segments at once.

Preparing the texts, the distances and the bags of words are done for a whole batch. Only pairs
whose distance is above the least that shifts could reach are searched, one by one: some half of a
real system's (see ``shifts.search``).

A *pair* is a hypothesis with one of its references. Arrays of pairs are in the order of ``Texts``:
all first references, all second ones ...
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress, count, repeat
from typing import Any

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein

from ..budget import Budget
from ..corpus import Segment
from ..edits import cost_of_distance, symbols, symbols_of_all
from ..text.arrays import Block, Flags, Integers, Texts, batches, is_worth_arrays, shared_ngrams
from .beam import BEAM_WIDTH
from .counts import BEST_REFERENCE, Prepared, TerCounts, cost_of_text, one_by_one
from .shifts import counted

Numbers = npt.NDArray[Any]
Reals = npt.NDArray[np.float64]


def measure(prepared: Prepared, segments: Iterable[Segment], budget: Budget) -> Iterator[TerCounts]:
    """The counts of each segment."""
    for batch in batches(segments):
        measured = _together if is_worth_arrays(batch) else one_by_one
        yield from measured(prepared, batch, budget)


@dataclass(frozen=True, slots=True)
class Pairs:
    """What is known of the pairs before any search: a number each, but for ``present``."""

    present: Flags  # a row a stream of references, a column a segment: whether there is a pair
    rows: Integers  # units of the hypothesis
    columns: Integers  # units of the reference
    distance: Integers  # without any shift
    least: Integers  # that any shifts could leave

    @property
    def in_beam(self) -> Flags:
        """Whether the beam surely gives the distance, as in ``beam.beam_holds``."""
        skew = np.abs(self.columns - self.rows)
        holds = (self.columns < BEAM_WIDTH) | (self.distance + skew < 2 * BEAM_WIDTH)
        in_beam: Flags = holds | (self.rows == 0)
        return in_beam

    def grid(self, values: Numbers, otherwise: float) -> Reals:
        """Values of pairs as a matrix like ``present``."""
        grid = np.full(self.present.shape, otherwise)
        grid[self.present] = values
        return grid

    def first_least(self, values: Numbers) -> Integers:
        """Which reference of each segment has the least value, from 0; of equals the first."""
        least: Integers = self.grid(values, np.inf).argmin(axis=0)
        return least

    def picked(self, values: Numbers, streams: Integers) -> Reals:
        """Of each segment the value of one of its pairs."""
        picked: Reals = self.grid(values, 0.0)[streams, np.arange(len(streams))]
        return picked


def _together(
    prepared: Prepared, segments: Sequence[Segment], budget: Budget
) -> Iterator[TerCounts]:
    texts = Texts.of(segments)
    budget.spend(sum(map(cost_of_text, texts.texts)))
    tokens = prepared.tokenize.of_all(texts.texts)
    pairs = _pairs(texts, symbols_of_all(tokens), budget)
    settled = pairs.distance == pairs.least
    if prepared.options.shifts:
        settled &= pairs.in_beam
    words = tokens.each()
    owners = texts.owners[len(segments) :].tolist()
    known = zip(
        owners, count(len(segments)), pairs.distance.tolist(), pairs.least.tolist(), strict=False
    )
    searched = [
        _searched(prepared, words[owner], words[reference], distance, least, budget)
        for owner, reference, distance, least in compress(known, ~settled)
    ]
    edits = _of_bags(pairs)
    edits[:, ~settled] = np.array(searched, np.int64).reshape(-1, len(edits)).T
    yield from _counts(prepared, pairs, edits)


def _pairs(texts: Texts, written: Sequence[str], budget: Budget) -> Pairs:
    """What is known of the pairs at once; ``written`` are the texts as symbols."""
    codes = "\0".join([*written, ""]).encode("utf-32-le", "surrogatepass")
    block = Block.of(texts, np.frombuffer(codes, np.uint32).astype(np.int64))
    lengths = block.lengths
    present = lengths[1:] >= 0
    rows, columns = np.broadcast_to(lengths[0], present.shape)[present], lengths[1:][present]
    budget.spend(sum(map(cost_of_distance, rows.tolist(), columns.tolist())))
    references = written[lengths.shape[1] :]
    hypotheses = map(written.__getitem__, texts.owners[lengths.shape[1] :].tolist())
    distance = np.fromiter(map(Levenshtein.distance, hypotheses, references), np.int64, len(rows))
    least = np.maximum(rows, columns) - _words_in_common(block)[present]
    return Pairs(present, rows, columns, distance, least)


def _words_in_common(block: Block) -> Integers:
    """What ``edits.words_in_common`` gives: a row a stream of references, a column a segment."""
    common = np.zeros_like(block.lengths)
    for shared in shared_ngrams(block, 1):
        for stream in range(1, len(common)):
            common[stream] = block.by_segment(shared, shared.clipped(stream))
    in_references: Integers = common[1:]
    return in_references


# Edits, insertions, deletions, substitutions, shifts, and 1 where the search was stopped.
_Edits = tuple[int, int, int, int, int, int]


def _of_bags(pairs: Pairs) -> Integers:
    """The edits of pairs that no shift brings nearer, a column each: see ``shifts.counted``."""
    missing = pairs.columns - pairs.rows
    substitutions, none = pairs.distance - np.abs(missing), np.zeros_like(missing)
    insertions, deletions = np.maximum(missing, 0), np.maximum(-missing, 0)
    return np.stack((pairs.distance, insertions, deletions, substitutions, none, none))


def _searched(
    prepared: Prepared,
    hypothesis: Sequence[str],
    reference: Sequence[str],
    distance: int,
    least: int,
    budget: Budget,
) -> _Edits:
    """The edits of a pair that is not settled by its distance."""
    # Numbered by itself a pair has few symbols, and Python keeps the first 256 characters ready.
    text, target = symbols(hypothesis, reference)
    outcome = prepared.searched(text, target, distance, least, budget)
    found = counted(outcome, target)
    return (outcome.edits, *found, len(outcome.moves), int(outcome.stopped))


def _counts(prepared: Prepared, pairs: Pairs, edits: Integers) -> Iterator[TerCounts]:
    """The counts of each segment, its best reference chosen as in ``counts``."""
    lengths = pairs.columns
    if prepared.options.multi_reference == BEST_REFERENCE:
        best = pairs.first_least(_rates(edits[0], lengths))
        plain = pairs.first_least(_rates(pairs.distance, lengths))
        length, unshifted = pairs.picked(lengths, best), pairs.picked(lengths, plain)
    else:
        best, plain = pairs.first_least(edits[0]), pairs.first_least(pairs.distance)
        length = unshifted = pairs.grid(lengths, 0.0).sum(axis=0) / pairs.present.sum(axis=0)
    *operations, stopped = edits
    yield from map(
        TerCounts,
        *(_whole(pairs.picked(values, best)) for values in operations),
        length.tolist(),
        _whole(pairs.picked(pairs.distance, plain)),
        unshifted.tolist(),
        _whole(pairs.grid(stopped, 0.0).max(axis=0)),
        _whole(best + 1),
        repeat(1),
    )


def _whole(values: Numbers) -> list[int]:
    whole: list[int] = values.astype(np.int64).tolist()
    return whole


def _rates(edits: Integers, lengths: Integers) -> Reals:
    """``counts.rate`` of each pair."""
    against_nothing = (edits > 0).astype(float)
    rates: Reals = np.divide(edits, lengths, out=against_nothing, where=lengths > 0)
    return rates
