"""Everything that happens in one segment when chrF scores it."""

from __future__ import annotations

from dataclasses import dataclass

from ..budget import Budget
from ..corpus import Segment
from .counts import (
    ChrfCounts,
    ChrfOptions,
    Held,
    Ngrams,
    clipped,
    cost,
    held_against,
    parts_of,
    winner,
)


@dataclass(frozen=True, slots=True)
class ChrfTrace:
    """Everything that happened in one segment."""

    ngrams: Ngrams  # of the hypothesis
    ngrams_there: Ngrams  # of the best reference
    held: tuple[Held, ...]  # against each reference
    scores: tuple[float, ...]  # against each reference
    best_index: int  # the reference that counts, from 0
    counts: ChrfCounts


def trace(options: ChrfOptions, segment: Segment, budget: Budget) -> ChrfTrace:
    """Everything that happened in ``segment``."""
    budget.spend(cost(segment, options))
    hypothesis = parts_of(segment.hypothesis, options)
    ngrams = hypothesis.ngrams(options)
    references = [parts_of(reference, options) for reference in budget.watched(segment.references)]
    held = tuple(
        held_against(hypothesis, there, tuple(map(clipped, ngrams, there.ngrams(options))), options)
        for there in budget.watched(references)
    )
    best = winner(held, options)
    return ChrfTrace(
        ngrams=ngrams,
        ngrams_there=references[best].ngrams(options),
        held=held,
        scores=tuple(one.score(options) for one in held),
        best_index=best,
        counts=held[best].counts(options),
    )
