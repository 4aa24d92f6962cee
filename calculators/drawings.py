"""Where the parts of a drawing stand: gauges, bars and the links between two texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .direction import text_direction
from .scoring.explain import Bar, Gauge, Link, Links, Tokens

GAUGE_WIDTH = 320.0  # units of the drawing
LETTER_WIDTH = 6.2  # of the labels, on average, in the same units
TICK_ROOM = 26.0  # what two ticks' numbers take of the space between them
BAND_GAP = 2.0  # between two bands


@dataclass(frozen=True, slots=True)
class DrawnBand:
    """A band of the drawn gauge."""

    x: float
    width: float
    middle: float
    tone: str
    label: str
    has_room: bool  # for the label under it; else that stands a line below, from ``label_x`` on
    label_x: float


@dataclass(frozen=True, slots=True)
class Tick:
    """A number under the gauge where two bands meet."""

    x: float
    text: str


@dataclass(frozen=True, slots=True)
class DrawnGauge:
    """A gauge in the units of its drawing."""

    bands: tuple[DrawnBand, ...]
    ticks: tuple[Tick, ...]
    pointer: float

    @property
    def height(self) -> int:
        """How high the drawing is: with a second line of labels where one found no room."""
        return 36 if all(band.has_room for band in self.bands) else 50


def drawn(gauge: Gauge) -> DrawnGauge:
    """Where the bands, numbers and pointer of a gauge are drawn."""
    lowers = (0.0, *(band.upper for band in gauge.bands[:-1]))
    unit = GAUGE_WIDTH / gauge.end
    bands = []
    for lower, band in zip(lowers, gauge.bands, strict=True):
        x, width = lower * unit, (band.upper - lower) * unit
        label_width = len(band.label) * LETTER_WIDTH
        bands.append(
            DrawnBand(
                x,
                width - BAND_GAP,
                x + width / 2,
                band.tone,
                band.label,
                has_room=label_width + TICK_ROOM < width,
                label_x=min(x, GAUGE_WIDTH - label_width),
            )
        )
    ticks = tuple(Tick(lower * unit, _tick(lower, gauge)) for lower in lowers)
    share = min(max(gauge.value / gauge.end, 0.0), 1.0)
    return DrawnGauge(tuple(bands), ticks, share * GAUGE_WIDTH)


def _tick(value: float, gauge: Gauge) -> str:
    return f"{round(value * 100, 9) if gauge.as_percent else value:g}"


def share(bar: Bar) -> float:
    """How much of a full bar is filled, from 0 to 100."""
    return round(min(max(bar.value / bar.of, 0.0), 1.0) * 100, 2) if bar.of else 0.0


@dataclass(frozen=True, slots=True)
class LinkedWord:
    """A word in a column of words, and what it is joined to."""

    text: str
    stage: str  # empty where it is joined to nothing
    chunk: int
    partner: int  # number of the word on the other side, from 1


@dataclass(frozen=True, slots=True)
class Line:
    """A link from the column of the hypothesis to that of the reference, in rows."""

    start: float
    end: float
    stage: str


@dataclass(frozen=True, slots=True)
class DrawnLinks:
    """Two columns of words with lines between them; a row is one unit high."""

    hypothesis: tuple[LinkedWord, ...]
    reference: tuple[LinkedWord, ...]
    lines: tuple[Line, ...]
    rows: int
    stages: tuple[str, ...]
    direction: str


def joined(section: Links) -> DrawnLinks:
    """Where the words and links of two sentences are drawn."""
    forth = {link.hypothesis: (link, link.reference + 1) for link in section.links}
    back = {link.reference: (link, link.hypothesis + 1) for link in section.links}
    return DrawnLinks(
        hypothesis=_linked(section.hypothesis, forth),
        reference=_linked(section.reference, back),
        lines=tuple(
            Line(link.hypothesis + 0.5, link.reference + 0.5, link.stage) for link in section.links
        ),
        rows=max(len(section.hypothesis), len(section.reference)),
        stages=tuple(dict.fromkeys(link.stage for link in section.links)),
        direction=text_direction((*section.hypothesis, *section.reference)),
    )


def _linked(words: Tokens, links: Mapping[int, tuple[Link, int]]) -> tuple[LinkedWord, ...]:
    return tuple(
        LinkedWord(word, links[place][0].stage, links[place][0].chunk, links[place][1])
        if place in links
        else LinkedWord(word, "", 0, 0)
        for place, word in enumerate(words)
    )
