"""What ``manage.py score`` prints: scores, segments' scores, comparisons."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from ..answer import answer_of_corpus, corpus_data
from ..files.comparison import METHODS, Comparison, Entry, Pair, Settings, compare
from ..scoring import AnyEvaluation, AnyMetric, Budget, Scale, Segment
from ..scoring.compare import System
from .progress import with_progress


@dataclass(frozen=True, slots=True)
class Scored:
    """Every metric over every system."""

    systems: tuple[str, ...]
    runs: tuple[tuple[AnyEvaluation, ...], ...]  # a metric, a system
    comparison: Comparison | None = None
    notes: tuple[str, ...] = ()  # on how the files were read

    @property
    def is_alone(self) -> bool:
        """Whether there is one system, whose name need not be said."""
        return len(self.systems) == 1


def with_bar(metric: AnyMetric) -> AnyMetric:
    """The metric, which tells at a terminal how many segments it has counted."""

    def measure(prepared: Any, segments: Iterable[Segment], budget: Budget) -> Iterator[Any]:
        known = tuple(segments)
        return with_progress(metric.measure(prepared, known, budget), len(known), sys.stderr)

    return replace(metric, measure=measure)


def compared(runs: Sequence[Sequence[AnyEvaluation]], settings: Settings) -> Comparison:
    """The comparison of the systems under every metric."""
    entries = [
        Entry(
            own[0].metric.slug,
            tuple(run.result.value for run in own),
            tuple(map(System.of, own)),
        )
        for own in runs
    ]
    return compare(entries, settings, Budget.unlimited())


def scored_data(scored: Scored) -> list[dict[str, Any]]:
    """An object a metric and system, shaped as the API's answer for a corpus.

    Each has the notes on the files, too: the API has no files.
    """
    return [
        _with_notes(corpus_data(answer_of_corpus(run)), scored.notes)
        | ({} if scored.is_alone else {"system": scored.systems[number]})
        | _compared_data(scored, run, number)
        for own in scored.runs
        for number, run in enumerate(own)
    ]


def _with_notes(data: dict[str, Any], notes: Sequence[str]) -> dict[str, Any]:
    return data | {"notes": [f"files: {note}" for note in notes] + data["notes"]}


def _compared_data(scored: Scored, run: AnyEvaluation, system: int) -> dict[str, Any]:
    comparison, slug = scored.comparison, run.metric.slug
    if comparison is None:
        return {}
    standing = comparison.standing(slug, system)
    return {
        "interval": [standing.low, standing.high],
        "comparison": asdict(comparison.settings),
        "against": [
            {
                "system": scored.systems[pair.first],
                "difference": pair.difference,
                "p_value": pair.p_value,
                "p_corrected": pair.corrected,
            }
            for pair in comparison.pairs
            if (pair.choice, pair.second) == (slug, system)
        ],
    }


# Lines


def score_rows(scored: Scored) -> Iterator[str]:
    """A line a metric and system, then the comparison, then what is odd."""
    runs = [
        (name, run) for own in scored.runs for name, run in zip(scored.systems, own, strict=True)
    ]
    system_width = max(map(len, scored.systems))
    whose = [
        run.metric.name if scored.is_alone else f"{name:<{system_width}}  {run.metric.name}"
        for name, run in runs
    ]
    scores = [_shown(run.result.value, run.metric.scale) for _, run in runs]
    name_width, score_width = max(map(len, whose)), max(map(len, scores))
    for (_, run), name, score in zip(runs, whose, scores, strict=True):
        yield f"{name:<{name_width}} = {score:>{score_width}}   {run.signature}"
    if scored.comparison:
        yield from _comparison_rows(scored, scored.comparison)
    yield from _note_rows(scored, runs)


def _note_rows(scored: Scored, runs: Sequence[tuple[str, AnyEvaluation]]) -> Iterator[str]:
    # Many notes are about the text, whatever the metric: each is told once.
    told: dict[str, list[str]] = {note: ["files"] for note in scored.notes}
    for name, run in runs:
        for note in run.notes:
            about = run.metric.name if scored.is_alone else f"{name} {run.metric.name}"
            told.setdefault(note, []).append(about)
    yield from (f"note: {', '.join(about)}: {note}" for note, about in told.items())


def _comparison_rows(scored: Scored, comparison: Comparison) -> Iterator[str]:
    settings = comparison.settings
    yield ""
    yield (
        f"95 % intervals of the bootstrap; {METHODS[settings.method].lower()},"
        f" {settings.resamples:,} resamples, seed {settings.seed}; p corrected by Holm over the"
        " pairs of a metric"
    )
    rows: list[Sequence[str]] = [("metric", "system", "score", "from", "to")]
    pairs: list[Sequence[str]] = [
        ("metric", "system", "against", "difference", "p", "corrected", "")
    ]
    for own in scored.runs:
        metric = own[0].metric
        rows.extend(_standing_row(scored, comparison, metric, n) for n in range(len(own)))
        pairs.extend(
            _pair_row(scored, metric, p) for p in comparison.pairs if p.choice == metric.slug
        )
    yield from _aligned(rows)
    if len(pairs) > 1:
        yield ""
        yield from _aligned(pairs)


def _standing_row(
    scored: Scored, comparison: Comparison, metric: AnyMetric, system: int
) -> Sequence[str]:
    standing = comparison.standing(metric.slug, system)
    figures = (standing.value, standing.low, standing.high)
    shown = (_shown(value, metric.scale) for value in figures)
    return (metric.name, scored.systems[system] or "text", *shown)


def _pair_row(scored: Scored, metric: AnyMetric, pair: Pair) -> Sequence[str]:
    return (
        metric.name,
        scored.systems[pair.second],
        scored.systems[pair.first],
        _figure(pair.difference, metric.scale, metric.scale.unit_of_difference, sign="+"),
        f"{pair.p_value:.4f}",
        f"{pair.corrected:.4f}",
        "clear" if pair.is_clear else "may be chance",
    )


def _shown(value: float | None, scale: Scale) -> str:
    return "undefined" if value is None else _figure(value, scale, scale.unit)


def _figure(value: float, scale: Scale, unit: str, sign: str = "") -> str:
    return f"{value * scale.multiplier:{sign}.{scale.digits}f}{f' {unit}' if unit else ''}"


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns of one width, two spaces apart."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()


def segment_rows(scored: Scored) -> Iterator[str]:
    """A line a segment: its scores in full precision, with a tab between them."""
    runs = [
        (name, run) for own in scored.runs for name, run in zip(scored.systems, own, strict=True)
    ]
    if len(runs) > 1:
        yield "\t".join(
            run.metric.slug if scored.is_alone else f"{name}:{run.metric.slug}"
            for name, run in runs
        )
    for scores in zip(*(run.segments for _, run in runs), strict=True):
        yield "\t".join("undefined" if score is None else repr(score) for score in scores)
