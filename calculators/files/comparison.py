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

MOST_RESAMPLES = 10_000
FEWEST_RESAMPLES = 100
DEFAULT_RESAMPLES = 1_000
DEFAULT_SEED = 12345
LARGEST_SEED = 2**32 - 1
LEVEL = 0.05  # below it a difference is called clear
FEW_SEGMENTS = 50  # below it resampling has too little to draw from to be leaned on

EVERY_PAIR = "every"  # in place of a baseline
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
        return self.corrected < LEVEL


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


@dataclass(frozen=True)
class Entry:
    """All systems under one metric, ready to be resampled."""

    choice: str  # its key
    values: tuple[float | None, ...]  # a system; None where the metric is not defined
    columns: tuple[System, ...]  # a system's counts


def compare(entries: Sequence[Entry], settings: Settings, budget: Budget) -> Comparison:
    """Every system's standing, and every pair that the settings ask for, under every metric."""
    everything = [system for entry in entries for system in entry.columns]
    samples = iter(bootstrap(everything, budget, settings.resamples, settings.seed))
    standings: list[Standing] = []
    pairs: list[Pair] = []
    for entry in entries:
        sampled = [next(samples) for _ in entry.columns]
        standings.extend(_standings(entry, sampled))
        pairs.extend(_pairs(entry, sampled, settings, budget))
    return Comparison(settings, tuple(standings), tuple(pairs))


def _standings(entry: Entry, sampled: Sequence[Bootstrap]) -> Iterator[Standing]:
    for number, (value, samples) in enumerate(zip(entry.values, sampled, strict=True)):
        if value is None:
            yield Standing(entry.choice, number, None, None, None)
        else:
            multiplier = entry.columns[number].metric.scale.multiplier
            interval = samples.interval
            low, high = interval.low / multiplier, interval.high / multiplier
            yield Standing(entry.choice, number, value, low, high)


def _pairs(
    entry: Entry, sampled: Sequence[Bootstrap], settings: Settings, budget: Budget
) -> Iterator[Pair]:
    found = []
    for first, second in settings.pairs(len(entry.columns)):
        baseline, value = entry.values[first], entry.values[second]
        if baseline is not None and value is not None:
            chance = _chance(entry, sampled, (first, second), settings, budget)
            # Where there is no difference there is nothing that chance could not have made.
            difference = value - baseline
            found.append((first, second, difference, chance if difference else 1.0))
    corrected = holm([p_value for *_, p_value in found])
    for (first, second, difference, p_value), by_holm in zip(found, corrected, strict=True):
        yield Pair(entry.choice, first, second, difference, p_value, by_holm)


def _chance(
    entry: Entry,
    sampled: Sequence[Bootstrap],
    pair: tuple[int, int],
    settings: Settings,
    budget: Budget,
) -> float:
    first, second = pair
    if settings.method == BOOTSTRAP:
        return paired_p_value(sampled[first], sampled[second])
    baseline, other = entry.columns[first], entry.columns[second]
    return approximate_randomization(baseline, other, budget, settings.resamples, settings.seed)
