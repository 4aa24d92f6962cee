"""An evaluation's answer: what the page shows and what the API and the command line write."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from .scoring import AnyEvaluation, BudgetExceeded, Elsewhere, Section, as_data

LEFT_OUT = (
    "What other tools give for this text is left out: working it out would take longer than is"
    " allowed here."
)


@dataclass(frozen=True, slots=True)
class Answer:
    """A run and its working, all worked out: whoever shows it meets no refusal any more."""

    run: AnyEvaluation
    sections: tuple[Section, ...]
    notes: tuple[str, ...]
    elsewhere: tuple[Elsewhere, ...]

    @property
    def summary(self) -> tuple[Section, ...]:
        """The sections that stand beside the score."""
        return tuple(section for section in self.sections if section.in_summary)

    @property
    def working(self) -> tuple[Section, ...]:
        """The sections that stand below it."""
        return tuple(section for section in self.sections if not section.in_summary)


def answer_of_pair(run: AnyEvaluation) -> Answer:
    """The answer for one segment, with the working of the segment itself."""
    return _answer(run, run.sections + run.detail(0))


def answer_of_corpus(run: AnyEvaluation) -> Answer:
    """The answer for a corpus, without the working of any one segment."""
    return _answer(run, run.sections)


def _answer(run: AnyEvaluation, sections: tuple[Section, ...]) -> Answer:
    notes = run.notes
    try:
        return Answer(run, sections, notes, run.elsewhere)
    except BudgetExceeded:
        # The score stands without the comparison.
        return Answer(run, sections, (*notes, LEFT_OUT), ())


def answer_data(answer: Answer) -> dict[str, Any]:
    """The answer for JSON. Scores have full precision; what is no number is null."""
    run = answer.run
    data = {
        "metric": run.metric.slug,
        "score": run.result.value,
        "signature": run.signature,
        "options": run.options.written(),
        "result": asdict(run.result),
        "sections": [as_data(section) for section in answer.sections],
        "notes": answer.notes,
        "elsewhere": [as_data(other) for other in answer.elsewhere],
    }
    plain: dict[str, Any] = json_ready(data)
    return plain


def corpus_data(answer: Answer) -> dict[str, Any]:
    """The answer for JSON with every segment's score; null where a segment has none."""
    return answer_data(answer) | {"segments": json_ready(answer.run.segments)}


def json_ready(value: object) -> Any:
    """``value`` as dictionaries, lists and finite numbers, which is all that JSON has."""
    if isinstance(value, Mapping):
        return {str(key): json_ready(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [json_ready(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
