"""Every metric over every system: measured once, then asked for scores, totals and workings."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TypeVar

from ..scoring import AnyEvaluation, Budget, Corpus, Evaluation, ScoringError
from ..scoring.compare import System as Columns
from ..scoring.metric import Counts
from ..scoring.text.observations import Observed
from .choices import Choice
from .comparison import Entry
from .counts import CountTable, Matrix
from .model import Material

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the work has come."""

    done: int  # segments measured, of every metric and system
    total: int
    what: str  # in work: the metric's name


Work = Generator[Progress, None, V]  # yields its progress and returns what was made


def finished(work: Work[V]) -> V:
    """What ``work`` makes, for whoever waits without looking."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            value: V = end.value
            return value


Tables = Mapping[str, tuple[CountTable, ...]]  # the key of a choice -> a table a system
Notes = Mapping[str, tuple[tuple[str, ...], ...]]  # the same -> a system's -> sentences

NOTHING_TOLD: Notes = MappingProxyType({})


@dataclass(frozen=True)
class Sheet:
    """The counts of a material under the chosen metrics."""

    material: Material
    choices: tuple[Choice, ...]
    tables: Tables
    notes: Notes = field(default_factory=dict)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems' names."""
        return tuple(system.name for system in self.material.systems)

    @cached_property
    def corpora(self) -> tuple[Corpus, ...]:
        """What was scored, a corpus a system."""
        return tuple(self.material.corpus(number) for number in range(len(self.systems)))

    def table(self, choice: Choice, system: int) -> CountTable:
        """The counts of a metric over a system."""
        return self.tables[choice.key][system]

    def value(
        self, choice: Choice, system: int, indexes: Sequence[int] | None = None
    ) -> float | None:
        """The score of a system, or of the segments of it at ``indexes``; None where the metric
        is not defined for them."""
        try:
            total = self.table(choice, system).total(indexes)
            value: float = choice.metric.finish(total, choice.options).value
        except ScoringError:
            return None
        return value

    def refusal(self, choice: Choice, system: int) -> str:
        """Why a system has no score; empty where it has one."""
        try:
            choice.metric.finish(self.table(choice, system).total(), choice.options)
        except ScoringError as error:
            return error.message
        return ""

    def scores(self, choice: Choice, system: int) -> list[float | None]:
        """The score of each segment by itself; None where it has none."""
        place = (choice.key, system)
        if place not in self._scores:
            table, options = self.table(choice, system), choice.segment_options
            self._scores[place] = [_score(choice, counts, options) for counts in table.all()]
        return self._scores[place]

    @cached_property
    def _scores(self) -> dict[tuple[str, int], list[float | None]]:
        return {}

    def score(self, choice: Choice, system: int, index: int) -> float | None:
        """The score of one segment by itself; None where it has none."""
        return _score(choice, self.table(choice, system)[index], choice.segment_options)

    def columns(self, choice: Choice) -> list[Columns]:
        """The counts of every system under a metric, as the resampling takes them."""
        return [
            Columns(choice.metric, choice.options, table.like, table.matrix)
            for table in self.tables[choice.key]
        ]

    @property
    def entries(self) -> list[Entry]:
        """Every metric with all systems, ready to be compared."""
        systems = range(len(self.systems))
        return [
            Entry(
                choice.key,
                tuple(self.value(choice, system) for system in systems),
                tuple(self.columns(choice)),
            )
            for choice in self.choices
        ]

    def values_without(self, choice: Choice, system: int) -> Matrix:
        """The score of the file without its first segment, without its second and so on; 0 where
        there is none."""
        columns = self.columns(choice)[system]
        rest = columns.matrix.sum(axis=0) - columns.matrix
        return columns.scores(rest) / choice.metric.scale.multiplier

    def run(self, choice: Choice, system: int, budget: Budget) -> AnyEvaluation:
        """The whole evaluation, from which any segment's working can be had."""
        options = choice.options
        table = self.table(choice, system)
        corpus = self.corpora[system]
        total = table.total()
        return Evaluation(
            metric=choice.metric,
            options=options,
            segment_options=choice.segment_options,
            corpus=corpus,
            prepared=choice.metric.prepare(corpus, options, budget),
            counts=table.all(),
            total=total,
            result=choice.metric.finish(total, options),
            budget=budget,
        )


def _score(choice: Choice, counts: Counts, options: object) -> float | None:
    try:
        value: float = choice.metric.finish(counts, options).value
    except ScoringError:
        return None
    return value


def measure(
    material: Material,
    choices: Sequence[Choice],
    known: Tables,
    budget: Budget,
    told: Notes = NOTHING_TOLD,
) -> Work[Sheet]:
    """The sheet of ``material``. What ``known`` holds already, with what was ``told`` of it, is
    not measured again."""
    corpora = Sheet(material, tuple(choices), {}).corpora
    missing = [choice for choice in choices if choice.key not in known]
    tables = {choice.key: known[choice.key] for choice in choices if choice.key in known}
    notes = {key: told[key] for key in tables if key in told}
    # The text is the same under every metric: it is looked at once.
    observed = [Observed.of(corpus) for corpus in corpora] if missing else []
    total = len(missing) * sum(map(len, corpora))
    done = 0
    for choice in missing:
        runs = []
        for corpus in corpora:
            prepared = choice.metric.prepare(corpus, choice.options, budget)
            counts = []
            for each in choice.metric.measure(prepared, corpus.segments, budget):
                counts.append(each)
                done += 1
                yield Progress(done, total, choice.metric.name)
            runs.append((corpus, prepared, tuple(counts)))
        tables[choice.key] = tuple(CountTable.of(counts) for _, _, counts in runs)
        notes[choice.key] = tuple(
            _notes(choice, own, *run, budget) for own, run in zip(observed, runs, strict=True)
        )
    return Sheet(material, tuple(choices), tables, notes)


def _notes(
    choice: Choice,
    observed: Observed,
    corpus: Corpus,
    prepared: object,
    counts: tuple[Counts, ...],
    budget: Budget,
) -> tuple[str, ...]:
    """The notes of a run, as ``Evaluation.notes`` has them; on the text alone where there is no
    score."""
    metric, options = choice.metric, choice.options
    about_text = observed.told(metric.splitting.advice(options))
    total = type(counts[0]).total(counts)
    try:
        result = metric.finish(total, options)
    except ScoringError:
        return about_text
    run = Evaluation(
        metric=metric,
        options=options,
        segment_options=choice.segment_options,
        corpus=corpus,
        prepared=prepared,
        counts=counts,
        total=total,
        result=result,
        budget=budget,
    )
    return (*about_text, *metric.notes(run))
