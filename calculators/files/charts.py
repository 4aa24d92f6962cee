"""How scores are spread, and how they go with the length of the text: drawings as data.

Everything drawn is also in a table; a drawing is for the eye.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..scoring import Scale

WIDTH, HEIGHT = 320.0, 120.0  # of a drawing, in its own units
BINS = 20
LENGTH_GROUPS = 6  # of about as many segments each
LEFT = 46.0  # room for the numbers beside an axis


@dataclass(frozen=True, slots=True)
class Bin:
    """A range of scores and how many segments of each system fall into it."""

    low: float
    high: float
    counts: tuple[int, ...]  # a system


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a drawn histogram."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class DrawnHistogram:
    """The histogram of one system."""

    system: str
    bars: tuple[Bar, ...]
    median: float | None  # where it is drawn
    median_score: float | None


@dataclass(frozen=True, slots=True)
class Histogram:
    """How the segments' scores are spread, system by system over the same bins."""

    bins: tuple[Bin, ...]
    drawn: tuple[DrawnHistogram, ...]
    low: float
    high: float


Scores = Sequence[float | None]  # of the segments of one system


def histogram(names: Sequence[str], columns: Sequence[Scores], scale: Scale) -> Histogram | None:
    """The histogram of each system's scores; None where no segment has one."""
    present = [[score for score in column if score is not None] for column in columns]
    everything = [score for scores in present for score in scores]
    if not everything:
        return None
    low = scale.lowest
    high = _high(everything, scale)
    bins = tuple(
        Bin(low + (high - low) * n / BINS, low + (high - low) * (n + 1) / BINS, ())
        for n in range(BINS)
    )
    counts = [_spread(scores, low, high) for scores in present]
    tallest = max(max(column) for column in counts)
    drawn = tuple(
        _drawn(name, column, tallest, scores, (low, high))
        for name, column, scores in zip(names, counts, present, strict=True)
    )
    filled = tuple(
        Bin(each.low, each.high, tuple(column[n] for column in counts))
        for n, each in enumerate(bins)
    )
    return Histogram(filled, drawn, low, high)


def _high(scores: Sequence[float], scale: Scale) -> float:
    """The end of the axis. A few wild scores of an unbounded metric do not squeeze the rest."""
    if scale.highest is not None:
        return scale.highest
    ranked = sorted(scores)
    usual = ranked[min(len(ranked) - 1, int(len(ranked) * 0.98))]
    return max(usual, scale.lowest + 1 / scale.multiplier)


def _spread(scores: Sequence[float], low: float, high: float) -> list[int]:
    counts = [0] * BINS
    for score in scores:
        # What lies past the end stands in the last bin, whose heading says so.
        counts[min(BINS - 1, max(0, int((score - low) / (high - low) * BINS)))] += 1
    return counts


def _drawn(
    name: str,
    counts: Sequence[int],
    tallest: int,
    scores: Sequence[float],
    ends: tuple[float, float],
) -> DrawnHistogram:
    step = WIDTH / BINS
    bars = tuple(
        Bar(n * step + 0.5, HEIGHT - HEIGHT * count / tallest, step - 1, HEIGHT * count / tallest)
        for n, count in enumerate(counts)
        if count
    )
    median = median_of(scores)
    low, high = ends
    place = None if median is None else min(1.0, (median - low) / (high - low)) * WIDTH
    return DrawnHistogram(name, bars, place, median)


def median_of(scores: Sequence[float]) -> float | None:
    """The middle score, or the mean of the two middle ones; None where there is none."""
    if not scores:
        return None
    ranked = sorted(scores)
    middle = len(ranked) // 2
    if len(ranked) % 2:
        return ranked[middle]
    return (ranked[middle - 1] + ranked[middle]) / 2


@dataclass(frozen=True, slots=True)
class LengthGroup:
    """Segments whose references are about as long, and each system's score over them."""

    shortest: int  # characters of the first reference
    longest: int
    indexes: tuple[int, ...]
    values: tuple[float | None, ...] = ()  # a system


def by_length(lengths: Sequence[int]) -> tuple[LengthGroup, ...]:
    """The segments in groups of about the same size, from short to long.

    Segments of one length are never parted, so that there may be fewer groups.
    """
    ranked = sorted(range(len(lengths)), key=lambda index: lengths[index])
    groups: list[list[int]] = []
    for place, index in enumerate(ranked):
        number = place * LENGTH_GROUPS // len(ranked)
        is_tied = place > 0 and lengths[ranked[place - 1]] == lengths[index]
        if groups and (is_tied or number < len(groups)):
            groups[-1].append(index)
        else:
            groups.append([index])
    return tuple(
        LengthGroup(lengths[group[0]], lengths[group[-1]], tuple(sorted(group))) for group in groups
    )


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a drawn line."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """One system's line: its points, and the path through them."""

    system: str
    number: int  # from 1, for its look
    points: tuple[Point, ...]
    path: str


@dataclass(frozen=True, slots=True)
class LengthChart:
    """The score by the length of the reference."""

    groups: tuple[LengthGroup, ...]
    lines: tuple[DrawnLine, ...]
    low: float  # of the axis of scores
    high: float


def length_chart(
    names: Sequence[str], groups: Sequence[LengthGroup], scale: Scale
) -> LengthChart | None:
    """The drawing of groups with values; None where there is nothing to compare."""
    values = [value for group in groups for value in group.values if value is not None]
    if len(groups) < 2 or not values:
        return None
    low, high = min(values), max(values)
    margin = (high - low) * 0.1 or 0.5
    low, high = max(scale.lowest, low - margin), high + margin
    if scale.highest is not None:
        high = min(scale.highest, high)
    lines = []
    for number, name in enumerate(names):
        points = tuple(
            Point(_across(place, len(groups)), HEIGHT - HEIGHT * (value - low) / (high - low))
            for place, group in enumerate(groups)
            if (value := group.values[number]) is not None
        )
        path = "L".join(f"{point.x:.1f} {point.y:.1f}" for point in points)
        lines.append(DrawnLine(name, number + 1, points, f"M{path}" if points else ""))
    return LengthChart(tuple(groups), tuple(lines), low, high)


def _across(place: int, of: int) -> float:
    return LEFT + (WIDTH - LEFT - 10) * place / (of - 1)
