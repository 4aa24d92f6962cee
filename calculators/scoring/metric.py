"""A metric is a value: its name, its scale, its options and a few pure functions.

The page, the form, the JSON API, the command line, corpus reports and the tests are all driven
from this one declaration. A sentence is a corpus of one.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import repeat
from operator import attrgetter
from typing import Any, Generic, Self, TypeVar

import numpy as np
import numpy.typing as npt

from .budget import Budget, BudgetExceeded
from .corpus import Corpus, ScoringError, Segment
from .explain import Elsewhere, Section
from .options import Options, OptionValue, signature
from .recipes import Recipe
from .text.observations import observations
from .text.splitting import Splitting

Scores = npt.NDArray[Any]  # of single or double precision

VERSION = "1.0"  # of the numbers: it changes when a score for the same text and options does


@dataclass(frozen=True, slots=True)
class Counts:
    """Additive sufficient statistics of a segment: the corpus's are the sum of its segments'.

    Fields are numbers or tuples of numbers; a metric's counts of one run have the same shape.
    """

    def row(self) -> tuple[float, ...]:
        """All numbers in the order of the fields: one row of a matrix of counts."""
        numbers: list[float] = []
        for part in fields(self):
            value = getattr(self, part.name)
            numbers.extend(value if isinstance(value, tuple) else (value,))
        return tuple(numbers)

    @classmethod
    def matrix(cls, parts: Sequence[Self]) -> npt.NDArray[np.float64]:
        """The rows of several counts: a row each, a column a number."""
        columns = [np.array(list(map(attrgetter(part.name), parts)), float) for part in fields(cls)]
        return np.column_stack(columns)

    @classmethod
    def of_columns(cls, *columns: Iterable[Any], many: int) -> list[Self]:
        """So many counts from a column for each field.

        The same as to call the class for each row, in less than half of the time: the fields are
        filled one after the other, past the ``__init__`` that a frozen class is given.
        """
        parts = list(map(cls.__new__, repeat(cls, many)))
        for part, column in zip(fields(cls), columns, strict=True):
            deque(map(getattr(cls, part.name).__set__, parts, column), maxlen=0)
        return parts

    def with_row(self, row: Sequence[float]) -> Self:
        """Counts of this shape with the numbers of ``row``."""
        numbers = iter(row)
        values: dict[str, Any] = {}
        for part in fields(self):
            value = getattr(self, part.name)
            if isinstance(value, tuple):
                values[part.name] = tuple(next(numbers) for _ in value)
            else:
                values[part.name] = next(numbers)
        return type(self)(**values)

    def __add__(self, other: Self) -> Self:
        return self.with_row([a + b for a, b in zip(self.row(), other.row(), strict=True)])

    @classmethod
    def total(cls, parts: Sequence[Self]) -> Self:
        """The sum of one or more counts."""
        if len(parts) == 1:
            return parts[0]
        sums: dict[str, Any] = {}
        for part in fields(cls):
            values = list(map(attrgetter(part.name), parts))
            if isinstance(values[0], tuple):
                sums[part.name] = tuple(map(_sum, zip(*values, strict=True)))
            else:
                sums[part.name] = _sum(values)
        return cls(**sums)


def _sum(column: Sequence[float]) -> float:
    # fsum, since the plain sum of floats has other last bits from Python 3.12 on.
    return sum(column) if isinstance(column[0], int) else math.fsum(column)


@dataclass(frozen=True, slots=True)
class Result:
    """The base of every metric's result: the score; each metric adds the factors it is made of."""

    value: float


@dataclass(frozen=True, slots=True)
class Scale:
    """The range of a metric and how its scores are shown."""

    lowest: float
    highest: float | None  # None: unbounded
    higher_is_better: bool
    digits: int  # after the point, when shown
    multiplier: int = 1  # 100 where the literature prints a fraction times 100
    unit: str = ""  # behind the shown number, such as "%"

    @property
    def as_percent(self) -> bool:
        """Whether scores are shown in per cent."""
        return self.unit == "%"

    @property
    def unit_of_difference(self) -> str:
        """What stands behind a difference of two scores. With "%" it would read as a share of the
        one score."""
        return "points" if self.as_percent else self.unit


@dataclass(frozen=True, slots=True)
class Preset:
    """Options under which the metric gives another tool's numbers.

    ``corpus_options`` overrides ``options`` for a file: sacreBLEU, for one, has other defaults
    there. It may name only options that ``finish`` alone reads. ``score_name`` is what its score
    is called where that is not the metric's name, and ``short`` what tells it from another preset
    whose score has the same name, where the label is too long for it.
    """

    name: str
    label: str
    tool: str
    options: Mapping[str, OptionValue]
    corpus_options: Mapping[str, OptionValue] = field(default_factory=dict)
    help: str = ""
    score_name: str = ""  # such as chrF++
    short: str = ""  # in brackets behind the name of a score


@dataclass(frozen=True, slots=True)
class Convention:
    """Another way to count the same text, shown beside the score where it differs.

    With ``preset`` it starts from that preset, else from the options in force.
    """

    tool: str
    why: str
    preset: str = ""
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    no_value_for_empty: str = ""  # why the tool gives no number for an empty hypothesis, if so


O = TypeVar("O", bound=Options)  # noqa: E741 - the letters of the declaration
P = TypeVar("P")
C = TypeVar("C", bound=Counts)
T = TypeVar("T")
R = TypeVar("R", bound=Result)


# Each is one of a kind, so it is equal to itself alone, and can be a key.
@dataclass(frozen=True, eq=False)
class Metric(Generic[O, P, C, T, R]):
    """The declaration of a metric.

    ``prepare`` reads the whole corpus once (tokens, and what needs every reference);
    ``measure`` gives the counts of segments, fast; ``finish`` turns counts into the result;
    ``trace`` tells everything that happened in one segment and carries the same counts;
    ``explain`` shows the run, ``detail`` one segment; ``notes`` are sentences on what is odd for
    this metric, beside those on the text; ``splitting`` is what it offers for text without spaces.
    ``recipes`` are programs and commands with which other tools give the same number;
    ``elsewhere`` adds to the conventions what options alone can't express. ``score_all`` gives
    the scores of many totals at once, times the multiplier of the scale: the fields of its counts
    are arrays. It gives None where it would have to mind a special case.
    """

    slug: str
    name: str
    full_name: str
    source: str  # the paper
    scale: Scale
    max_characters: int  # of a text box
    options: type[O]
    presets: tuple[Preset, ...]
    prepare: Callable[[Corpus, O, Budget], P]
    measure: Callable[[P, Iterable[Segment], Budget], Iterator[C]]
    finish: Callable[[C, O], R]
    trace: Callable[[P, Segment, Budget], T]
    explain: Callable[[Evaluation[O, P, C, T, R]], tuple[Section, ...]]
    detail: Callable[[Evaluation[O, P, C, T, R], int], tuple[Section, ...]]
    notes: Callable[[Evaluation[O, P, C, T, R]], tuple[str, ...]]
    conventions: tuple[Convention, ...] = ()
    elsewhere: Callable[[Evaluation[O, P, C, T, R]], tuple[Elsewhere, ...]] | None = None
    recipes: Callable[[Evaluation[O, P, C, T, R]], tuple[Recipe, ...]] | None = None
    score_all: Callable[[C, O], Scores | None] | None = None
    splitting: Splitting = Splitting()  # noqa: RUF009 - a frozen value

    def preset(self, name: str) -> Preset:
        """The preset of that name; ``ScoringError`` where there is none."""
        for preset in self.presets:
            if preset.name == name:
                return preset
        known = ", ".join(preset.name for preset in self.presets)
        raise ScoringError(f"There is no preset of that name. Known: {known}.", "preset")

    def options_for(
        self, preset: str = "", values: Mapping[str, object] | None = None, *, of_corpus: bool
    ) -> O:
        """``values`` over the preset over the defaults."""
        merged: dict[str, object] = {}
        if preset:
            chosen = self.preset(preset)
            merged.update(chosen.options)
            merged.update(chosen.corpus_options if of_corpus else {})
        merged.update(values or {})
        return self.options.of(merged)

    def evaluate(
        self,
        corpus: Corpus,
        options: O | None = None,
        *,
        segment_options: O | None = None,
        budget: Budget | None = None,
    ) -> Evaluation[O, P, C, T, R]:
        """The scores of a corpus and of its segments.

        ``segment_options`` are those under which a single segment is finished, the corpus's own
        where they are not given.
        """
        options = options or self.options()
        budget = budget or Budget.unlimited()
        prepared = self.prepare(corpus, options, budget)
        # A hundred thousand empty segments spend no steps.
        counts = tuple(budget.watched(self.measure(prepared, corpus.segments, budget)))
        total = type(counts[0]).total(counts)
        return Evaluation(
            metric=self,
            options=options,
            segment_options=segment_options or options,
            corpus=corpus,
            prepared=prepared,
            counts=counts,
            total=total,
            result=self.finish(total, options),
            budget=budget,
        )

    def run(
        self,
        corpus: Corpus,
        *,
        preset: str = "",
        values: Mapping[str, object] | None = None,
        of_corpus: bool = False,
        budget: Budget | None = None,
    ) -> Evaluation[O, P, C, T, R]:
        """``evaluate`` with options given as a preset and what overrides it."""
        return self.evaluate(
            corpus,
            self.options_for(preset, values, of_corpus=of_corpus),
            segment_options=self.options_for(preset, values, of_corpus=False),
            budget=budget,
        )


@dataclass(frozen=True)
class Evaluation(Generic[O, P, C, T, R]):
    """A metric's answer for a corpus: the result, its counts, and its working on demand."""

    metric: Metric[O, P, C, T, R]
    options: O
    segment_options: O
    corpus: Corpus
    prepared: P
    counts: tuple[C, ...]  # one a segment
    total: C
    result: R
    budget: Budget

    @property
    def is_sentence(self) -> bool:
        """Whether the corpus is one segment."""
        return len(self.corpus) == 1

    @cached_property
    def segments(self) -> tuple[float | None, ...]:
        """Each segment's own score; None where the metric is undefined for it."""
        return tuple(self._score(counts) for counts in self.counts)

    def _score(self, counts: C) -> float | None:
        self.budget.look()
        try:
            return self.metric.finish(counts, self.segment_options).value
        except ScoringError:
            return None

    def trace(self, index: int) -> T:
        """Everything that happened in the segment at ``index``, from 0."""
        if index not in self._traces:
            segment = self.corpus.segments[index]
            self._traces[index] = self.metric.trace(self.prepared, segment, self.budget)
        return self._traces[index]

    @cached_property
    def _traces(self) -> dict[int, T]:
        return {}

    @property
    def sections(self) -> tuple[Section, ...]:
        """The working of the whole run."""
        return self.metric.explain(self)

    def detail(self, index: int) -> tuple[Section, ...]:
        """The working of the segment at ``index``, from 0."""
        return self.metric.detail(self, index)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what is odd about this text or this score."""
        advice = self.metric.splitting.advice(self.options)
        return (*observations(self.corpus, advice), *self.metric.notes(self))

    @property
    def signature(self) -> str:
        """What was computed and how, in one line."""
        low, high = self.corpus.reference_counts
        references = str(low) if low == high else f"{low}-{high}"
        return signature(self.metric.slug, references, self.options, VERSION)

    @cached_property
    def elsewhere(self) -> tuple[Elsewhere, ...]:
        """What other tools and conventions give for the same text."""
        told = tuple(self._by(convention) for convention in self.metric.conventions)
        more = self.metric.elsewhere
        return told + (more(self) if more else ())

    @property
    def recipes(self) -> tuple[Recipe, ...]:
        """What can be run elsewhere for this score; none where no tool counts in this way."""
        declared = self.metric.recipes
        return declared(self) if declared else ()

    def under(self, options: O) -> Evaluation[O, P, C, T, R]:
        """The same corpus under other options, on the same budget."""
        if options == self.options:
            return self
        return self.metric.evaluate(self.corpus, options, budget=self.budget)

    def _by(self, convention: Convention) -> Elsewhere:
        texts = (segment.hypothesis for segment in self.corpus.segments)
        if convention.no_value_for_empty and not all(map(str.strip, texts)):
            return Elsewhere(convention.tool, None, convention.no_value_for_empty)
        base = {} if convention.preset else self.options.written()
        try:
            options = self.metric.options_for(
                convention.preset,
                {**base, **convention.options},
                of_corpus=not self.is_sentence,
            )
            run = self.under(options)
        except BudgetExceeded:
            raise
        except ScoringError as error:
            return Elsewhere(convention.tool, None, error.message)
        return Elsewhere(convention.tool, run.result.value, convention.why, options.written())


AnyMetric = Metric[Any, Any, Any, Any, Any]
AnyEvaluation = Evaluation[Any, Any, Any, Any, Any]
