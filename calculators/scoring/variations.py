"""What a tokeniser, case and a Unicode normal form do to one score.

The table is read from a metric's options: it varies those that change the text before anything is
counted, and leaves all others as they are.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Literal, cast

from .budget import Budget, BudgetExceeded
from .corpus import Corpus, ScoringError, Segment
from .explain import Cell, Column, Table
from .metric import AnyEvaluation
from .options import OptionSpec, OptionValue

# The options that change the text, in the order in which a table varies them.
TEXT_OPTIONS = ("tokenizer", "normalize", "whitespace", "lowercase")
FORMS = ("NFC", "NFD", "NFKC")  # NFKD seldom tells a fourth thing
AS_TYPED = "As typed"

# What the table may cost beside the score itself: some hundredths of a second.
MOST_CHARACTERS = 70_000  # over all the scores in it
MOST_STEPS = 3_000_000


def variations(run: AnyEvaluation) -> Table | None:
    """The scores of one segment under every setting of its text; None where that takes too long."""
    specs = [spec for spec in run.options.specs() if spec.name in TEXT_OPTIONS]
    specs.sort(key=lambda spec: TEXT_OPTIONS.index(spec.name))
    texts = _forms(run.corpus.segments[0])
    settings = list(product(*map(_values, specs)))
    scores = len(settings) * len(texts)
    characters = sum(map(len, _texts(run.corpus.segments[0])))
    if not run.is_sentence or scores == 1 or scores * characters > MOST_CHARACTERS:
        return None
    try:
        rows = tuple(_rows(run, specs, settings, list(texts.values()), Budget(MOST_STEPS)))
    except BudgetExceeded:
        return None
    in_force = tuple(getattr(run.options, spec.name) for spec in specs)
    return Table(
        title="What preparing the text otherwise does to this score",
        caption=_caption(texts),
        columns=(Column("Prepared"), *(_column(run, name) for name in texts)),
        rows=rows,
        marked_row=settings.index(in_force),
        mark="yours",
    )


def _caption(texts: Mapping[str, Segment]) -> str:
    if len(texts) == 1:
        return "All other options as they are. No Unicode normal form changes this text."
    return "All other options as they are, the text in each Unicode normal form that changes it."


def _texts(segment: Segment) -> tuple[str, ...]:
    return (segment.hypothesis, *segment.references)


def _forms(segment: Segment) -> dict[str, Segment]:
    """The segment in every normal form; forms that give the same text share a name."""
    found: dict[Segment, list[str]] = {segment: [AS_TYPED]}
    for form in FORMS:
        found.setdefault(_normal(segment, form), []).append(form)
    return {" = ".join(names): each for each, names in found.items()}


def _normal(segment: Segment, form: str) -> Segment:
    name = cast(Literal["NFC", "NFD", "NFKC"], form)
    hypothesis, *references = (unicodedata.normalize(name, text) for text in _texts(segment))
    return Segment(hypothesis, tuple(references))


def _values(spec: OptionSpec) -> Sequence[OptionValue]:
    if spec.kind == "flag":
        return (False, True)
    return tuple(choice.value for choice in spec.choices)


def _rows(
    run: AnyEvaluation,
    specs: Sequence[OptionSpec],
    settings: Sequence[tuple[OptionValue, ...]],
    texts: Sequence[Segment],
    budget: Budget,
) -> Iterator[tuple[Cell, ...]]:
    for values in settings:
        names = map(_named, specs, values)
        options = replace(
            run.options, **{spec.name: value for spec, value in zip(specs, values, strict=True)}
        )
        scores = (_score(run, options, text, budget) for text in texts)
        yield (", ".join(names), *scores)


def _named(spec: OptionSpec, value: OptionValue) -> str:
    if spec.kind == "flag":
        return spec.label.lower() if value else f"not {spec.label.lower()}"
    return next(choice.label for choice in spec.choices if choice.value == value)


def _score(run: AnyEvaluation, options: object, text: Segment, budget: Budget) -> Cell:
    try:
        other = run.metric.evaluate(Corpus((text,)), options, budget=budget)
    except BudgetExceeded:
        raise
    except ScoringError:
        return None
    scale = run.metric.scale
    value: float = other.result.value
    return value if scale.as_percent else value * scale.multiplier


def _column(run: AnyEvaluation, label: str) -> Column:
    scale = run.metric.scale
    return Column(label, "percent" if scale.as_percent else "number", scale.digits)
