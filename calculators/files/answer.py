"""What the page for files shows of what was sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ..scoring import VERSION, Budget, ScoringError, Section
from ..scoring.options import signature
from ..scoring.text.splitting import WAYS
from .charts import Histogram, LengthChart, by_length, histogram, length_chart
from .choices import Choice, labels_of
from .comparison import FEW_SEGMENTS, Comparison, Pair, Settings, Standing, compare
from .doctor import Finding, apply, examine
from .findings import ERROR
from .forms import FINDINGS, FilesForm, number_below
from .model import Material, Origin
from .notes import Note, grouped
from .segments import (
    ORDERS,
    Drivers,
    Row,
    SegmentPage,
    View,
    bound_of,
    drivers,
    row,
    segment_page,
)
from .sheet import Sheet, Work, measure
from .state import State, packed, refuse_too_large
from .verdict import Verdict, verdicts
from .wording import listed

ORIGIN = "origin-"  # before the number of an uploaded file, from 0
DOWNLOADS = {
    "csv": "CSV, every segment",
    "xlsx": "Excel workbook",
    "json": "JSON, everything",
    "latex": "LaTeX table",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """A system's score under a metric, as the table of results shows it."""

    choice: Choice
    standing: Standing
    is_best: bool
    refusal: str  # why there is no score


@dataclass(frozen=True, slots=True)
class Opened:
    """One segment of one system with its whole working under one metric."""

    row: Row
    choice: Choice
    score: float | None
    hypothesis: str
    references: tuple[str, ...]
    sections: tuple[Section, ...]


@dataclass(frozen=True)
class FilesAnswer:
    """The results, and the part of them that the view asks for."""

    sheet: Sheet
    comparison: Comparison
    findings: tuple[Finding, ...]
    view: View
    carried: str  # the state, packed
    opened: Opened | None = None

    @property
    def material(self) -> Material:
        """What was scored."""
        return self.sheet.material

    @property
    def heads(self) -> list[tuple[Choice, str]]:
        """The choices, each with what it is called here."""
        return list(zip(self.sheet.choices, labels_of(self.sheet.choices), strict=True))

    @cached_property
    def table(self) -> list[tuple[str, list[Cell]]]:
        """A row a system, a cell a choice."""
        return [
            (name, [self._cell(choice, system) for choice in self.sheet.choices])
            for system, name in enumerate(self.sheet.systems)
        ]

    def _cell(self, choice: Choice, system: int) -> Cell:
        standing = self.comparison.standing(choice.key, system)
        values = [s.value for s in self.comparison.standings if s.choice == choice.key]
        present = [value for value in values if value is not None]
        best = max if choice.metric.scale.higher_is_better else min
        is_known = len(values) > 1 and standing.value is not None and not self.is_held(choice)
        is_best = is_known and standing.value == best(present)
        refusal = self.sheet.refusal(choice, system) if standing.value is None else ""
        return Cell(choice, standing, is_best, refusal)

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """What the comparison says on each pair."""
        held = {choice.key for choice in self.sheet.choices if self.is_held(choice)}
        return verdicts(self.sheet, self.comparison, held)

    @property
    def language(self) -> str:
        """The language without spaces that some of the metrics do not split; empty: none."""
        return next((finding.language for finding in self.findings if finding.language), "")

    def is_held(self, choice: Choice) -> bool:
        """Whether a metric takes phrases for words here, so that nothing may be read from it."""
        return choice.is_of_phrases(self.language)

    @property
    def held(self) -> tuple[str, ...]:
        """What those metrics are called."""
        return tuple(label for choice, label in self.heads if self.is_held(choice))

    @property
    def splitting(self) -> str:
        """How text without spaces was split, and by which metrics; empty: as the presets do."""
        split = [(c.splitting, label) for c, label in self.heads if c.splits]
        if not split:
            return ""
        label = next(way.label for way in WAYS if way.name == split[0][0])
        return f"Text without spaces is split {label} in {listed([each for _, each in split])}."

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """What the metrics say of their runs, each sentence once."""
        return grouped(self.sheet, self.heads)

    @property
    def is_thin(self) -> bool:
        """Whether there are too few segments for a test to be leaned on."""
        return len(self.material) < FEW_SEGMENTS

    @cached_property
    def pairs(self) -> list[tuple[str, str, list[tuple[Choice, str, Pair]]]]:
        """Every pair that was compared: the two names, and what each metric found."""
        names, places = self.sheet.systems, self._places
        return [
            (
                names[first],
                names[second],
                [
                    (choice, label, pair)
                    for choice, label in self.heads
                    if (pair := self.comparison.pair(choice.key, first, second))
                ],
            )
            for first, second in places
        ]

    @cached_property
    def _places(self) -> list[tuple[int, int]]:
        return list(dict.fromkeys((pair.first, pair.second) for pair in self.comparison.pairs))

    # What the view asks for

    @cached_property
    def choice(self) -> Choice:
        """The metric that orders and draws; of itself none that has no say, while there is one."""
        return self.view.choice(sorted(self.sheet.choices, key=self.is_held))

    @property
    def label(self) -> str:
        """What that metric is called."""
        return next(label for choice, label in self.heads if choice == self.choice)

    @cached_property
    def segments(self) -> SegmentPage:
        """The page of the table of segments."""
        return segment_page(self.sheet, self.view, self.choice)

    @cached_property
    def histogram(self) -> Histogram | None:
        """How the segments' scores are spread."""
        columns = [
            self.sheet.scores(self.choice, system) for system in range(len(self.sheet.systems))
        ]
        return histogram(self.sheet.systems, columns, self.choice.metric.scale)

    @cached_property
    def length_chart(self) -> LengthChart | None:
        """The score by the length of the reference."""
        segments = self.sheet.corpora[0].segments
        groups = by_length([len(segment.references[0]) for segment in segments])
        systems = range(len(self.sheet.systems))
        valued = [
            replace(
                group,
                values=tuple(self.sheet.value(self.choice, s, group.indexes) for s in systems),
            )
            for group in groups
        ]
        return length_chart(self.sheet.systems, valued, self.choice.metric.scale)

    @property
    def pair_choices(self) -> list[tuple[str, str, bool]]:
        """The pairs of systems whose difference can be looked into."""
        names, chosen = self.sheet.systems, self._pair_shown
        return [
            (f"{a}-{b}", f"{names[b]} against {names[a]}", (a, b) == chosen)
            for a, b in self._places
        ]

    @property
    def _pair_shown(self) -> tuple[int, int] | None:
        named = {f"{first}-{second}": (first, second) for first, second in self._places}
        return named.get(self.view.pair, self._places[0] if self._places else None)

    @cached_property
    def drivers(self) -> Drivers | None:
        """The segments that make the difference between two systems."""
        pair = self._pair_shown
        return drivers(self.sheet, self.choice, *pair) if pair else None

    @property
    def pair_names(self) -> Sequence[str]:
        """The names of those two systems, the baseline first."""
        pair = self._pair_shown
        return [self.sheet.systems[system] for system in pair] if pair else []

    @property
    def is_unbounded(self) -> bool:
        """Whether a bound on the score was asked for that is none."""
        return bool(self.view.bound) and bound_of(self.view.bound) is None

    @property
    def orders(self) -> list[tuple[str, str]]:
        """The orders of the table of segments: name and label."""
        return list(ORDERS.items())

    @property
    def downloads(self) -> list[tuple[str, str]]:
        """What can be taken away: name and label."""
        return [
            *DOWNLOADS.items(),
            *(
                (f"{ORIGIN}{number}", f"{origin.name} with scores")
                for number, origin in self._returned
            ),
        ]

    @property
    def returns_workbook(self) -> bool:
        """Whether one of the uploaded files that can be taken away is a workbook."""
        return any(origin.format == "xlsx" for _, origin in self._returned)

    @property
    def _returned(self) -> list[tuple[int, Origin]]:
        """The uploaded files that come back with scores, by their numbers."""
        return [
            (number, origin)
            for number, origin in enumerate(self.material.origins)
            if set(origin.systems) & set(self.sheet.systems)
        ]

    @property
    def signatures(self) -> list[tuple[str, str]]:
        """How each metric was worked out, in one line."""
        return [(label, signature_of(self.sheet, choice)) for choice, label in self.heads]


def signature_of(sheet: Sheet, choice: Choice) -> str:
    """How a metric was worked out, in one line."""
    low, high = sheet.corpora[0].reference_counts
    references = str(low) if low == high else f"{low}-{high}"
    return signature(choice.metric.slug, references, choice.options, VERSION)


@dataclass(frozen=True, slots=True)
class Unscored:
    """What can be shown where nothing was scored: the form's errors, and what is odd."""

    findings: tuple[Finding, ...] = ()
    carried: str = ""  # the texts, packed, so that they need not be chosen again


def answered(form: FilesForm, budget: Budget) -> Work[FilesAnswer | Unscored]:
    """The answer to a form; ``Unscored`` where it has errors, those that scoring meets among
    them."""
    if not form.is_valid():
        return kept(form)
    try:
        material, known = _in_force(form)
        refuse_too_large(material, len(form.choices))
        findings = known.findings if known.tables else examine(material, budget)
    except ScoringError as error:
        form.refuse(error)
        return kept(form)
    try:
        return (yield from _scored(form, material, findings, known, budget))
    except ScoringError as error:
        # What keeps the files from being scored stands among what is odd about them, with remedies.
        is_found = any(finding.severity == ERROR for finding in findings)
        form.refuse(error, FINDINGS if error.field == "references" and is_found else "")
        return Unscored(_concerning(findings, form), _carried(material))


def _concerning(findings: tuple[Finding, ...], form: FilesForm) -> tuple[Finding, ...]:
    """The findings that concern the metrics chosen: how a text is split is nothing to those that
    split it well or count its characters."""
    return tuple(
        finding
        for finding in findings
        if not finding.language or any(c.is_of_phrases(finding.language) for c in form.choices)
    )


def kept(form: FilesForm) -> Unscored:
    """The texts that were sent, where they can be read."""
    return Unscored(carried=_carried(form.material))


def _carried(material: Material | None) -> str:
    try:
        return packed(State(material)) if material else ""
    except ScoringError:
        # Too large to be carried: it must be chosen again.
        return ""


def _in_force(form: FilesForm) -> tuple[Material, State]:
    """The texts with the remedy that was asked for, and what is known of them already."""
    material = form.material
    assert material is not None  # of a valid form
    if form.remedy:
        material = apply(material, form.remedy)
        return material, State(material)
    return material, form.carried or State(material)


def _scored(
    form: FilesForm,
    material: Material,
    findings: tuple[Finding, ...],
    known: State,
    budget: Budget,
) -> Work[FilesAnswer]:
    settings = form.settings
    assert settings is not None  # of a valid form
    sheet = yield from measure(material, form.choices, known.tables, budget, known.notes)
    comparison = _comparison(sheet, settings, known.comparison, budget)
    state = State(material, sheet.tables, findings, comparison, sheet.notes, form.splitting)
    told = _concerning(findings, form)
    answer = FilesAnswer(sheet, comparison, told, form.view, packed(state))
    return replace(answer, opened=_opened(answer, budget))


def _comparison(
    sheet: Sheet, settings: Settings, earlier: Comparison | None, budget: Budget
) -> Comparison:
    keys = tuple(choice.key for choice in sheet.choices)
    if earlier and earlier.settings == settings and tuple(earlier.keys) == keys:
        return earlier
    return compare(sheet.entries, settings, budget)


def _opened(answer: FilesAnswer, budget: Budget) -> Opened | None:
    """The working that the view asks for; None where it asks for none."""
    sheet = answer.sheet
    segment, _, name = answer.view.opened.partition(".")
    index = number_below(segment, len(sheet.material))
    system = number_below(name, len(sheet.systems))
    if index is None or system is None:
        return None
    choice = answer.choice
    run = sheet.run(choice, system, budget)
    shown = sheet.corpora[system].segments[index]
    return Opened(
        row(sheet, index, system),
        choice,
        sheet.score(choice, system, index),
        shown.hypothesis,
        shown.references,
        run.detail(index),
    )
