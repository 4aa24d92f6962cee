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
from itertools import compress, repeat
from typing import Any

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein

from ..budget import Budget
from ..corpus import Segment
from ..edits import cost_of_distance, written
from ..text.arrays import (
    Block,
    Flags,
    Integers,
    Texts,
    Vocabularies,
    batches,
    is_worth_arrays,
    new_vocabulary,
    word_symbols,
)
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
    block = Block.of(texts, _symbols(prepared, texts, len(segments)))
    vocabularies = Vocabularies.of(block)
    texts_written = written(vocabularies.of_own(block))
    hypotheses = [texts_written[owner] for owner in texts.owners[len(segments) :].tolist()]
    references = texts_written[len(segments) :]
    pairs = _pairs(block, vocabularies.in_common(block), hypotheses, references, budget)
    settled = pairs.distance == pairs.least
    if prepared.options.shifts:
        settled &= pairs.in_beam
    known = zip(hypotheses, references, pairs.distance.tolist(), pairs.least.tolist(), strict=True)
    searched = [_searched(prepared, *pair, budget) for pair in compress(known, ~settled)]
    edits = _of_bags(pairs)
    edits[:, ~settled] = np.array(searched, np.int64).reshape(-1, len(edits)).T
    yield from _counts(prepared, pairs, edits)


def _symbols(prepared: Prepared, texts: Texts, hypotheses: int) -> Integers:
    """The words of all texts, of which so many are hypotheses, as ``Block.of`` takes them."""
    vocabulary = new_vocabulary()
    own = prepared.tokenize.of_all(texts.texts[:hypotheses])
    other = prepared.tokenize_reference.of_all(texts.texts[hypotheses:])
    return np.concatenate((word_symbols(own, vocabulary), word_symbols(other, vocabulary)))


def _pairs(
    block: Block,
    common: Integers,
    hypotheses: Sequence[str],
    references: Sequence[str],
    budget: Budget,
) -> Pairs:
    """What is known of the pairs at once; ``common`` are words that both sides have."""
    present = block.lengths[1:] >= 0
    rows = np.broadcast_to(block.lengths[0], present.shape)[present]
    columns = block.lengths[1:][present]
    budget.spend(sum(map(cost_of_distance, rows.tolist(), columns.tolist())))
    distance = np.fromiter(map(Levenshtein.distance, hypotheses, references), np.int64, len(rows))
    return Pairs(present, rows, columns, distance, np.maximum(rows, columns) - common[present])


# Edits, insertions, deletions, substitutions, shifts, and 1 where the search was stopped.
_Edits = tuple[int, int, int, int, int, int]


def _of_bags(pairs: Pairs) -> Integers:
    """The edits of pairs that no shift brings nearer, a column each: see ``shifts.counted``."""
    missing = pairs.columns - pairs.rows
    substitutions, none = pairs.distance - np.abs(missing), np.zeros_like(missing)
    insertions, deletions = np.maximum(missing, 0), np.maximum(-missing, 0)
    return np.stack((pairs.distance, insertions, deletions, substitutions, none, none))


def _searched(
    prepared: Prepared, hypothesis: str, reference: str, distance: int, least: int, budget: Budget
) -> _Edits:
    """The edits of a pair that is not settled by its distance."""
    outcome = prepared.searched(hypothesis, reference, distance, least, budget)
    found = counted(outcome, reference)
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
    yield from TerCounts.of_columns(
        *(_whole(pairs.picked(values, best)) for values in operations),
        length.tolist(),
        _whole(pairs.picked(pairs.distance, plain)),
        unshifted.tolist(),
        _whole(pairs.grid(stopped, 0.0).max(axis=0)),
        _whole(best + 1),
        repeat(1),
        many=len(best),
    )


def _whole(values: Numbers) -> list[int]:
    whole: list[int] = values.astype(np.int64).tolist()
    return whole


def _rates(edits: Integers, lengths: Integers) -> Reals:
    """``counts.rate`` of each pair."""
    against_nothing = (edits > 0).astype(float)
    rates: Reals = np.divide(edits, lengths, out=against_nothing, where=lengths > 0)
    return rates
