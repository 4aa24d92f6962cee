"""How sure the scores are: intervals, and whether systems differ by more than chance.

Holm's correction is made over the pairs of systems within a metric: the metrics are several looks
at one question, the pairs are several questions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ..scoring import Budget
from ..scoring.compare import (
    Bootstrap,
    System,
    approximate_randomization,
    bootstrap,
    holm,
    paired_p_value,
)
from .choices import Choice
from .sheet import Sheet

MOST_RESAMPLES = 10_000
FEWEST_RESAMPLES = 100
DEFAULT_RESAMPLES = 1_000
DEFAULT_SEED = 12345
LARGEST_SEED = 2**32 - 1
LEVEL = 0.05  # below it a difference is called clear

BOOTSTRAP, RANDOMISATION = "bootstrap", "randomisation"
METHODS = {
    BOOTSTRAP: "Paired bootstrap",
    RANDOMISATION: "Approximate randomisation",
}


@dataclass(frozen=True, slots=True)
class Settings:
    """How the comparison is made."""

    method: str = BOOTSTRAP
    resamples: int = DEFAULT_RESAMPLES
    seed: int = DEFAULT_SEED
    baseline: int | None = 0  # the number of a system, from 0; None compares every pair

    def pairs(self, systems: int) -> list[tuple[int, int]]:
        """The pairs to compare, in each the one that is asked about second."""
        if self.baseline is None:
            return list(combinations(range(systems), 2))
        return [(self.baseline, other) for other in range(systems) if other != self.baseline]


@dataclass(frozen=True, slots=True)
class Standing:
    """One system under one metric: its score, and the interval that the bootstrap gives it."""

    choice: str  # its key
    system: int
    value: float | None  # None where the metric is not defined
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two systems under one metric."""

    choice: str  # its key
    first: int  # the baseline
    second: int
    difference: float  # of the second to the first
    p_value: float
    corrected: float  # by Holm, over the pairs of this metric

    @property
    def is_clear(self) -> bool:
        """Whether chance alone would seldom make such a difference."""
        return self.difference != 0 and self.corrected < LEVEL


@dataclass(frozen=True, slots=True)
class Comparison:
    """All standings and all pairs."""

    settings: Settings
    standings: tuple[Standing, ...]
    pairs: tuple[Pair, ...]

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Comparison:
        """The comparison from its own data."""
        return cls(
            Settings(**data["settings"]),
            tuple(Standing(**each) for each in data["standings"]),
            tuple(Pair(**each) for each in data["pairs"]),
        )

    @property
    def keys(self) -> Sequence[str]:
        """The keys of the choices that were compared."""
        return tuple(dict.fromkeys(standing.choice for standing in self.standings))

    def standing(self, key: str, system: int) -> Standing:
        """The standing of a system under a metric."""
        return next(s for s in self.standings if (s.choice, s.system) == (key, system))

    def pair(self, key: str, first: int, second: int) -> Pair | None:
        """What was found on two systems under a metric; None where nothing was."""
        wanted = (key, first, second)
        return next((p for p in self.pairs if (p.choice, p.first, p.second) == wanted), None)


def compare(sheet: Sheet, settings: Settings, budget: Budget) -> Comparison:
    """Every system's standing, and every pair that the settings ask for, under every metric."""
    columns = [sheet.columns(choice) for choice in sheet.choices]
    everything = [system for systems in columns for system in systems]
    samples = iter(bootstrap(everything, budget, settings.resamples, settings.seed))
    standings: list[Standing] = []
    pairs: list[Pair] = []
    for choice, systems in zip(sheet.choices, columns, strict=True):
        sampled = [next(samples) for _ in systems]
        values = [sheet.value(choice, number) for number in range(len(systems))]
        standings.extend(_standings(choice, values, sampled))
        compared = [
            (first, second)
            for first, second in settings.pairs(len(systems))
            if values[first] is not None and values[second] is not None
        ]
        chances = [_chance(systems, sampled, pair, settings, budget) for pair in compared]
        pairs.extend(_pairs(choice, values, compared, chances))
    return Comparison(settings, tuple(standings), tuple(pairs))


def _standings(
    choice: Choice, values: Sequence[float | None], sampled: Sequence[Bootstrap]
) -> Iterator[Standing]:
    for number, (value, samples) in enumerate(zip(values, sampled, strict=True)):
        if value is None:
            yield Standing(choice.key, number, None, None, None)
        else:
            interval, multiplier = samples.interval, choice.metric.scale.multiplier
            low, high = interval.low / multiplier, interval.high / multiplier
            yield Standing(choice.key, number, value, low, high)


def _chance(
    systems: Sequence[System],
    sampled: Sequence[Bootstrap],
    pair: tuple[int, int],
    settings: Settings,
    budget: Budget,
) -> float:
    first, second = pair
    if settings.method == BOOTSTRAP:
        return paired_p_value(sampled[first], sampled[second])
    baseline, other = systems[first], systems[second]
    return approximate_randomization(baseline, other, budget, settings.resamples, settings.seed)


def _pairs(
    choice: Choice,
    values: Sequence[float | None],
    compared: Sequence[tuple[int, int]],
    chances: Sequence[float],
) -> Iterator[Pair]:
    differences = [(values[second] or 0.0) - (values[first] or 0.0) for first, second in compared]
    # Where there is no difference there is nothing that chance could not have made.
    p_values = [
        chance if difference else 1.0
        for chance, difference in zip(chances, differences, strict=True)
    ]
    found = zip(compared, differences, p_values, holm(p_values), strict=True)
    for (first, second), difference, p_value, corrected in found:
        yield Pair(choice.key, first, second, difference, p_value, corrected)
