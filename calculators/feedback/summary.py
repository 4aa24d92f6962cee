"""The ratings of a tool in figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count

from .models import HIGHEST_RATING, LOWEST_RATING, Feedback

ENOUGH_FOR_A_MEAN = 5  # ratings; the mean of fewer says more about who came than about the tool


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of the histogram."""

    rating: int
    count: int
    percent: float  # of all ratings


@dataclass(frozen=True, slots=True)
class Ratings:
    """The approved ratings of a tool."""

    count: int
    mean: float | None  # None while there are too few
    bars: tuple[Bar, ...]  # the best first

    @classmethod
    def of(cls, counts: Mapping[int, int]) -> Ratings:
        """The figures for so many ratings of each value."""
        total = sum(counts.values())
        mean = None
        if total >= ENOUGH_FOR_A_MEAN:
            mean = sum(rating * count for rating, count in counts.items()) / total
        bars = (
            Bar(rating, counts.get(rating, 0), 100 * counts.get(rating, 0) / (total or 1))
            for rating in range(HIGHEST_RATING, LOWEST_RATING - 1, -1)
        )
        return cls(total, mean, tuple(bars))


def ratings_of(page: str) -> Ratings:
    """The approved ratings of a tool."""
    rows = Feedback.objects.counted(page).order_by().values_list("rating")
    return Ratings.of(dict(rows.annotate(Count("pk"))))
