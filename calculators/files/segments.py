"""The segments as a table: every segment of every system with every metric's score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.http import QueryDict

from ..scoring import Scale
from .choices import Choice, preset_key_of
from .sheet import Sheet

ROWS_A_PAGE = 25
MOST_DRIVERS = 5  # to each side
CLIPPED_AT = 240  # characters of a text in the table; the working has all of it

ORDERS = {
    "worst": "worst first",
    "best": "best first",
    "file": "in the order of the file",
}


@dataclass(frozen=True, slots=True)
class View:
    """What of the result is to be seen. Nonsense in it is left aside."""

    metric: str = ""  # the key of a choice
    order: str = "worst"
    system: str = ""  # the number of a system, or empty for all
    pair: str = ""  # two numbers of systems: "0-1"
    find: str = ""
    bound: str = ""  # a score as it is shown: nothing better is to be seen
    page: str = ""
    opened: str = ""  # "segment.system"

    @classmethod
    def of(cls, data: QueryDict) -> View:
        """The view that a form asks for."""
        names = ("metric", "order", "system", "pair", "find", "bound", "page", "opened")
        sent = {name: data.get(name, "").strip() for name in names}
        opened, _, metric = data.get("working", "").partition(" ")
        return cls(**sent | ({"opened": opened, "metric": metric} if metric else {}))

    def choice(self, choices: Sequence[Choice]) -> Choice:
        """The metric that orders and draws; the first where none is named.

        It stays where the text has come to be split otherwise.
        """
        named = preset_key_of(self.metric)
        return next((choice for choice in choices if choice.preset_key == named), choices[0])

    @property
    def order_named(self) -> str:
        """One of ``ORDERS``."""
        return self.order if self.order in ORDERS else next(iter(ORDERS))


@dataclass(frozen=True, slots=True)
class Row:
    """One segment of one system."""

    index: int  # of the segment, from 0
    system: int
    system_name: str
    id: str  # empty where the file names none
    hypothesis: str
    reference: str  # the first that is there
    scores: tuple[float | None, ...]  # a choice
    is_clipped: bool

    @property
    def number(self) -> int:
        """The segment's place in the file, from 1."""
        return self.index + 1

    @property
    def key(self) -> str:
        """What stands for it in a form."""
        return f"{self.index}.{self.system}"


@dataclass(frozen=True, slots=True)
class SegmentPage:
    """One page of the table."""

    rows: tuple[Row, ...]
    page: int  # from 1
    pages: int
    total: int  # rows that the filters let through
    of: int  # rows there are


Place = tuple[int, int]  # a segment, a system


def segment_page(sheet: Sheet, view: View, choice: Choice) -> SegmentPage:
    """The rows that the view asks for, in its order by the metric of ``choice``."""
    everything = [(i, s) for i in range(len(sheet.material)) for s in range(len(sheet.systems))]
    scores = {s: sheet.scores(choice, s) for s in _systems(sheet, view)}
    places = [place for place in everything if place[1] in scores]
    places = _found(sheet, view.find, places)
    places = _no_better(view.bound, choice.metric.scale, scores, places)
    places = _ordered(view.order_named, choice.metric.scale, scores, places)
    pages = max(1, -(-len(places) // ROWS_A_PAGE))
    page = min(pages, max(1, _number(view.page, 1)))
    shown = places[(page - 1) * ROWS_A_PAGE : page * ROWS_A_PAGE]
    rows = tuple(row(sheet, index, system) for index, system in shown)
    return SegmentPage(rows, page, pages, len(places), len(everything))


def _systems(sheet: Sheet, view: View) -> list[int]:
    chosen = _number(view.system, -1)
    everyone = range(len(sheet.systems))
    return [chosen] if chosen in everyone else list(everyone)


def _found(sheet: Sheet, wanted: str, places: list[Place]) -> list[Place]:
    if not wanted:
        return places
    folded = wanted.casefold()

    def holds(index: int, system: int) -> bool:
        segment = sheet.corpora[system].segments[index]
        return any(folded in text.casefold() for text in (segment.hypothesis, *segment.references))

    return [place for place in places if holds(*place)]


def _no_better(
    limit: str, scale: Scale, scores: dict[int, list[float | None]], places: list[Place]
) -> list[Place]:
    bound = bound_of(limit)
    if bound is None:
        return places
    sign = 1 if scale.higher_is_better else -1

    def fits(index: int, system: int) -> bool:
        score = scores[system][index]
        return score is not None and sign * score <= sign * bound / scale.multiplier

    return [place for place in places if fits(*place)]


def bound_of(text: str) -> float | None:
    """The score that ``text`` writes as scores are shown; None where it writes none."""
    try:
        bound = float(text.replace(",", ".").removesuffix("%"))
    except ValueError:
        return None
    return bound if math.isfinite(bound) else None


def _ordered(
    order: str, scale: Scale, scores: dict[int, list[float | None]], places: list[Place]
) -> list[Place]:
    if order == "file":
        return places
    # Where more is better the worst is the least. What has no score comes last either way.
    sign = 1 if (order == "worst") == scale.higher_is_better else -1

    def key(place: Place) -> tuple[bool, float]:
        score = scores[place[1]][place[0]]
        return score is None, 0.0 if score is None else sign * score

    return sorted(places, key=key)


def row(sheet: Sheet, index: int, system: int) -> Row:
    """The row of one segment of one system."""
    segment = sheet.corpora[system].segments[index]
    ids = sheet.material.ids
    hypothesis, reference = segment.hypothesis, segment.references[0]
    return Row(
        index,
        system,
        sheet.systems[system],
        ids[index] if ids else "",
        clipped(hypothesis),
        clipped(reference),
        tuple(sheet.score(choice, system, index) for choice in sheet.choices),
        max(len(hypothesis), len(reference)) > CLIPPED_AT,
    )


def clipped(text: str) -> str:
    """The beginning of a text, cut where it is long."""
    return text if len(text) <= CLIPPED_AT else text[: CLIPPED_AT - 1] + "…"


def _number(text: str, default: int) -> int:
    # Nine digits hold every page; int() refuses thousands of them.
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else default


# Which segments make the difference between two systems


@dataclass(frozen=True, slots=True)
class Driver:
    """A segment, and what it does to the difference between two systems."""

    first: Row
    second: Row
    first_score: float | None
    second_score: float | None
    effect: float  # by how much the gain of the second would shrink without this segment


@dataclass(frozen=True, slots=True)
class Drivers:
    """The segments that speak most for the one system and most for the other."""

    for_second: tuple[Driver, ...]
    for_first: tuple[Driver, ...]
    gain: float  # of the second over the first, positive where the second is better


def drivers(sheet: Sheet, choice: Choice, first: int, second: int) -> Drivers | None:
    """The segments without which the difference would change most; None where it is undefined.

    Each is left out in turn: for a score of the whole file that is no mean of its segments', only
    that says what one segment does.
    """
    values = (sheet.value(choice, first), sheet.value(choice, second))
    if values[0] is None or values[1] is None:
        return None
    sign = 1 if choice.metric.scale.higher_is_better else -1
    whole = sign * (values[1] - values[0])
    rest = sheet.values_without(choice, second) - sheet.values_without(choice, first)
    effects = (whole - sign * rest).tolist()
    ranked = sorted(range(len(effects)), key=lambda index: -effects[index])
    ahead = [index for index in ranked[:MOST_DRIVERS] if effects[index] > 0]
    behind = [index for index in ranked[::-1][:MOST_DRIVERS] if effects[index] < 0]

    def driver(index: int) -> Driver:
        return Driver(
            row(sheet, index, first),
            row(sheet, index, second),
            sheet.score(choice, first, index),
            sheet.score(choice, second, index),
            effects[index],
        )

    return Drivers(tuple(map(driver, ahead)), tuple(map(driver, behind)), whole)
