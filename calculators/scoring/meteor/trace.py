"""Everything that happens in one segment when METEOR scores it."""

from __future__ import annotations

from dataclasses import dataclass

from ..budget import Budget
from ..corpus import Segment
from .align import Alignment, Words, align
from .chunks import FewestChunks, fewest_chunks
from .counts import MeteorCounts, Rules, counts_of


@dataclass(frozen=True, slots=True)
class ReferenceTrace:
    """How the hypothesis fares against one reference."""

    words: Words  # as they stand in the text
    compared: Words  # in the case in which they are compared
    alignment: Alignment
    counts: MeteorCounts


@dataclass(frozen=True, slots=True)
class MeteorTrace:
    """Everything that happened in one segment."""

    hypothesis: Words  # as they stand in the text
    compared: Words  # in the case in which they are compared
    references: tuple[ReferenceTrace, ...]
    fewest: FewestChunks | None  # against the best reference; None where it was not searched

    @property
    def best_index(self) -> int:
        """The reference that counts, from 0; of equals the first."""
        return _best_index(self.references)

    @property
    def best(self) -> ReferenceTrace:
        """The reference that counts."""
        return self.references[self.best_index]

    @property
    def counts(self) -> MeteorCounts:
        """The same counts that ``measure`` gives."""
        return self.best.counts


def trace(rules: Rules, segment: Segment, budget: Budget) -> MeteorTrace:
    """Everything that happened in ``segment``, the alignment with the fewest chunks included."""
    budget.spend(len(segment.hypothesis) + sum(map(len, segment.references)))
    words = rules.tokenize(segment.hypothesis)
    compared = rules.compared(words)
    references = tuple(
        _against(compared, rules.tokenize(reference), rules)
        for reference in budget.watched(segment.references)
    )
    best = references[_best_index(references)]
    fewest = fewest_chunks(compared, best.compared, rules.lexicon, best.alignment, budget)
    return MeteorTrace(words, compared, references, fewest)


def _against(hypothesis: Words, words: Words, rules: Rules) -> ReferenceTrace:
    compared = rules.compared(words)
    alignment = align(hypothesis, compared, rules.lexicon)
    counts = counts_of(alignment, len(hypothesis), len(words), rules.options)
    return ReferenceTrace(words, compared, alignment, counts)


def _best_index(references: tuple[ReferenceTrace, ...]) -> int:
    scores = [reference.counts.score for reference in references]
    return scores.index(max(scores))
