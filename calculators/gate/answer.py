"""What the gate's page shows of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ..answer import Answer
from ..scoring import Budget, Corpus, Section
from ..scoring.bleu import METRIC
from ..scoring.gate import PRESET, Item, Judgement, explain, judge
from .report import gate_signature

MOST_ROWS = 500  # of the table on the page; the report holds them all


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table: a judgement, and the number by which its working is asked for."""

    index: int
    judgement: Judgement


@dataclass(frozen=True)
class GateAnswer:
    """The judgements of a run."""

    judgements: tuple[Judgement, ...]
    threshold: float

    @cached_property
    def passed(self) -> int:
        """How many items passed."""
        return sum(judgement.passed for judgement in self.judgements)

    @property
    def failed(self) -> int:
        """How many items failed."""
        return len(self.judgements) - self.passed

    @cached_property
    def rows(self) -> list[Row]:
        """The rows to show, in order. Where there are too many, items that fail come first."""
        rows = [Row(index, judgement) for index, judgement in enumerate(self.judgements)]
        kept = sorted(rows, key=lambda row: row.judgement.passed)[:MOST_ROWS]
        return sorted(kept, key=lambda row: row.index)

    @property
    def omitted(self) -> int:
        """How many items have no row."""
        return len(self.judgements) - len(self.rows)

    @property
    def signature(self) -> str:
        """How BLEU was computed, in one line."""
        return gate_signature()


@dataclass(frozen=True)
class Opened:
    """One item with its whole working."""

    judgement: Judgement
    answer: Answer  # BLEU's own

    @property
    def sections(self) -> tuple[Section, ...]:
        """The working below the verdict, BLEU's own after the gate's."""
        return self.answer.working

    @property
    def slug(self) -> str:
        """The calculator that takes the pair."""
        return METRIC.slug

    @property
    def preset(self) -> str:
        """The calculator's preset that counts as the gate does."""
        return PRESET

    @property
    def reference(self) -> str:
        """The source as the calculator takes a reference: on one line, with the same tokens."""
        return " ".join(self.judgement.item.source_text.split())

    @property
    def fits_the_calculator(self) -> bool:
        """Whether the calculator takes the pair: it wants a reference, and has its limit."""
        longest = max(len(self.judgement.item.generated_output), len(self.reference))
        return bool(self.reference) and longest <= METRIC.max_characters


def answer_of(items: Sequence[Item], threshold: float, budget: Budget) -> GateAnswer:
    """The judgements of ``items``."""
    return GateAnswer(tuple(judge(items, threshold, budget)), threshold)


def opened(answer: GateAnswer, index: int, budget: Budget) -> Opened:
    """The working of one item, from 0."""
    judgement = answer.judgements[index]
    item = judgement.item
    corpus = Corpus.of(item.generated_output, [item.source_text])
    run = METRIC.run(corpus, preset=PRESET, budget=budget)
    sections = (explain(judgement, answer.threshold), *run.sections, *run.detail(0))
    return Opened(judgement, Answer(run, sections, run.notes, ()))
