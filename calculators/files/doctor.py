"""The input doctor: what is odd about files, what it does to the score, and a remedy."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ..scoring import AnyMetric, Budget, BudgetExceeded, ScoringError, registry
from ..scoring.text.splitting import Way
from . import disagreements, oddities
from .findings import ERROR, NOTE, WARNING, Effect, Finding, Place, Remedy
from .model import Material
from .remedies import apply

__all__ = ["Effect", "Finding", "Place", "Remedy", "apply", "examine", "remarks"]

# References that stand the wrong way come first: they are why the numbers of lines differ.
QUESTIONS: tuple[oddities.Question, ...] = (
    disagreements.references_turned,
    disagreements.references_below,
    disagreements.line_counts,
    disagreements.swapped,
    disagreements.source_exchanged,
    disagreements.same_texts,
    oddities.empty_segments,
    oddities.unspaced,
    oddities.tabs,
    oddities.subwords,
    oddities.tokenised,
    oddities.normal_forms,
    oddities.damaged,
    oddities.repeated_segments,
    oddities.line_ends,
    oddities.marks,
)

# What tells that the texts are other than they should be, whatever is done with them.
OF_THE_TEXTS: tuple[oddities.Question, ...] = (
    oddities.tabs,
    oddities.subwords,
    oddities.tokenised,
)

GRAVITY = (ERROR, WARNING, NOTE)

# Effects are measured for as long as this, of this thread's own work. Past it the findings stand
# without numbers: the scores, for which the visitor came, are still to be worked out.
EFFECT_SECONDS = 1.5

# Characters of hypotheses up to which chrF, which takes six times as long as BLEU, is measured too.
CHARACTERS_OF_BOTH = 100_000

BYTE_ORDER_MARK = "\ufeff"


def examine(
    material: Material, budget: Budget, metrics: Sequence[AnyMetric] = ()
) -> tuple[Finding, ...]:
    """What is odd, the gravest first; effects by ``metrics`` (BLEU and chrF where not given).

    Of large files BLEU alone is measured, or chrF where the text has no spaces. A budget that is
    spent ends the examination; what was found until then stands.
    """
    scores = _Scores(metrics or usual_metrics(material), budget)
    findings: list[Finding] = []
    try:
        found = _found(material, budget)
        is_about_references = False
        for finding in found:
            if finding.kind.startswith("references-"):
                is_about_references = True
            if finding.kind == "line-counts" and is_about_references:
                continue
            findings.append(finding)
    except BudgetExceeded:
        pass
    measured = [_with_effect(material, finding, scores) for finding in findings]
    return tuple(sorted(measured, key=lambda finding: GRAVITY.index(finding.severity)))


def remarks(material: Material) -> tuple[str, ...]:
    """What is odd about the texts themselves, in words: for where nothing is asked back."""
    budget = Budget.unlimited()
    return tuple(
        finding.message for question in OF_THE_TEXTS for finding in question(material, budget)
    )


def _found(material: Material, budget: Budget) -> Iterator[Finding]:
    for question in QUESTIONS:
        yield from question(material, budget)


def usual_metrics(material: Material) -> tuple[AnyMetric, ...]:
    """BLEU and chrF, or one of them where there is much text."""
    texts = [text for system in material.systems for text in system.hypotheses]
    characters = sum(map(len, texts))
    if characters <= CHARACTERS_OF_BOTH:
        return registry.BY_WORDS, registry.BY_CHARACTERS
    is_spaced = sum(text.count(" ") for text in texts) > characters / 20
    return (registry.BY_WORDS if is_spaced else registry.BY_CHARACTERS,)


class _Scores:
    """Scores of materials, each worked out once, until the time for them is over."""

    def __init__(self, metrics: Sequence[AnyMetric], budget: Budget) -> None:
        self.metrics = metrics
        self._budget = budget
        self._known: dict[Material, tuple[tuple[float | None, ...], ...]] = {}
        self._end = time.thread_time() + EFFECT_SECONDS

    @property
    def is_over(self) -> bool:
        """Whether no more is to be worked out."""
        return time.thread_time() > self._end

    def of(self, material: Material) -> tuple[tuple[float | None, ...], ...]:
        """A row a system, a score a metric, as shown; None where there is none."""
        if material not in self._known:
            self._known[material] = tuple(
                tuple(self._score(material, number, metric) for metric in self.metrics)
                for number in range(len(material.systems))
            )
        return self._known[material]

    def split(self, material: Material, metric: AnyMetric, splitting: str) -> list[float | None]:
        """Each system's score where text without spaces is split so."""
        values = metric.splitting.ways.get(splitting, {})
        systems = range(len(material.systems))
        return [self._score(material, number, metric, values) for number in systems]

    def _score(
        self,
        material: Material,
        system: int,
        metric: AnyMetric,
        values: Mapping[str, object] | None = None,
    ) -> float | None:
        presets = (preset.name for preset in metric.presets if preset.tool == "sacreBLEU")
        try:
            corpus = material.corpus(system)
            run = metric.run(
                corpus,
                preset=next(presets, ""),
                values=values,
                of_corpus=True,
                budget=self._budget,
            )
        except BudgetExceeded:
            self._end = -1.0
            return None
        except ScoringError:
            return None
        value: float = run.result.value
        return value * metric.scale.multiplier


def _with_effect(material: Material, finding: Finding, scores: _Scores) -> Finding:
    """The finding with what its remedy does to the scores, where that can be measured."""
    if finding.kind == "bom":
        return replace(finding, effect=_effect(_with_marks(material), material, scores))
    if finding.way:
        return replace(finding, effect=_effect_of_splitting(material, finding.way, scores))
    if finding.remedy is None:
        return finding
    try:
        changed = apply(material, finding.remedy)
    except ScoringError:
        return replace(finding, remedy=None)
    return replace(finding, effect=_effect(material, changed, scores))


def _effect(before: Material, after: Material, scores: _Scores) -> tuple[Effect, ...]:
    if scores.is_over:
        return ()
    rows = zip(after.systems, scores.of(before), scores.of(after), strict=False)
    effects = tuple(
        Effect(metric.name, system.name, old, new, metric.scale.digits, metric.scale.unit)
        for system, olds, news in rows
        for metric, old, new in zip(scores.metrics, olds, news, strict=True)
    )
    return () if scores.is_over else effects


def _effect_of_splitting(material: Material, way: Way, scores: _Scores) -> tuple[Effect, ...]:
    """What the metric of words gives as it stands and split so."""
    metric = registry.BY_WORDS
    columns: list[list[float | None]] = []
    for name in ("", way.name):
        if scores.is_over:
            return ()
        columns.append(scores.split(material, metric, name))
    scale = metric.scale
    return tuple(
        Effect(metric.name, system.name, old, new, scale.digits, scale.unit)
        for system, old, new in zip(material.systems, *columns, strict=True)
    )


def _with_marks(material: Material) -> Material:
    """The material as a program sees it that keeps byte order marks."""
    systems = tuple(
        replace(each, hypotheses=_marked(each.hypotheses)) if "bom" in each.oddities else each
        for each in material.systems
    )
    references = tuple(
        replace(each, lines=_marked(each.lines)) if "bom" in each.oddities else each
        for each in material.references
    )
    return replace(material, systems=systems, references=references)


def _marked(lines: tuple[str, ...] | tuple[str | None, ...]) -> tuple[str, ...]:
    return tuple(
        f"{'' if index else BYTE_ORDER_MARK}{line or ''}" for index, line in enumerate(lines)
    )
