"""How sure a score is, and whether two systems differ: resampling tests, for any metric.

Koehn (2004), "Statistical Significance Tests for Machine Translation Evaluation", draws segments
with replacement and scores each sample anew. Riezler and Maxwell (2005) swap the two systems'
outputs at random instead. Scores are made of counts that add up, so a sample needs no text: with
the counts of the segments as a matrix, and how often each segment is in each sample as another,
the counts of all samples are one product.

Samples are drawn and scored as sacreBLEU 2.6 does, with its seed, so that intervals and p-values
are its own. It scores bootstrap samples in single precision; the noise is a ten-thousandth of
what the sampling itself leaves open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .budget import Budget
from .corpus import ScoringError
from .metric import AnyEvaluation, AnyMetric, Counts, Scores

Matrix = npt.NDArray[np.float64]


BOOTSTRAP_SAMPLES, RANDOMIZATION_TRIALS = 1_000, 10_000
SEED = 12345

# Samples are drawn some at a time, which bounds the memory. The numbers drawn stay the same as
# if drawn at once while the generator makes full words of 32 flags.
DRAWN_AT_ONCE = 250_000
FLAGS_IN_A_WORD = 32


@dataclass(frozen=True)
class System:
    """The counts of a system's segments under one metric."""

    metric: AnyMetric
    options: Any  # the metric's
    like: Counts  # of the shape of each segment's
    matrix: Matrix  # a row a segment, a column a number of ``Counts.row``

    @classmethod
    def of(cls, run: AnyEvaluation) -> System:
        """The counts of an evaluation."""
        like = run.counts[0]
        return cls(run.metric, run.options, like, type(like).matrix(run.counts))

    def scores(self, totals: Scores) -> Scores:
        """The score of each row of totals, times the multiplier of the metric's scale.

        A sample for which the metric is undefined scores 0.
        """
        if self.metric.score_all is not None:
            columns = self.like.with_row(list(totals.T))
            together = self.metric.score_all(columns, self.options)
            if together is not None:
                return together
        return np.array([self._score(row) for row in totals.astype(np.float64).tolist()])

    def _score(self, row: list[float]) -> float:
        try:
            result = self.metric.finish(self.like.with_row(row), self.options)
        except ScoringError:
            return 0.0
        return float(result.value * self.metric.scale.multiplier)

    def score(self) -> float:
        """The score of all segments, times the multiplier."""
        return float(self.scores(self.matrix.sum(axis=0)[None])[0])


@dataclass(frozen=True)
class Interval:
    """Where the score of a system lies in 95 of 100 samples."""

    mean: float  # of all samples
    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half of its width: what sacreBLEU prints after the mean."""
        return 0.5 * (self.high - self.low)


@dataclass(frozen=True)
class Bootstrap:
    """A system's scores on samples of its segments. Two are comparable where drawn together."""

    score: float  # of all segments
    samples: Scores

    @property
    def interval(self) -> Interval:
        """The mean of the samples, and what is left of them without the 2.5 % at each end."""
        ordered = np.sort(self.samples)
        beyond = len(ordered) // 40
        return Interval(float(ordered.mean()), float(ordered[beyond]), float(ordered[-beyond - 1]))


def bootstrap(
    systems: Sequence[System],
    budget: Budget,
    samples: int = BOOTSTRAP_SAMPLES,
    seed: int = SEED,
) -> list[Bootstrap]:
    """Each system's scores on samples with replacement, the same samples for all of them.

    The systems are of the same segments, but may be of several metrics.
    """
    side_by_side = np.hstack([system.matrix for system in systems])
    edges = np.cumsum([system.matrix.shape[1] for system in systems])[:-1]
    times = _drawn_with_replacement(len(side_by_side), samples, seed, budget)
    totals = np.concatenate([part @ side_by_side for part in times]).astype(np.float32)
    return [
        Bootstrap(system.score(), system.scores(own))
        for system, own in zip(systems, np.split(totals, edges, axis=1), strict=True)
    ]


def _drawn_with_replacement(
    segments: int, samples: int, seed: int, budget: Budget
) -> Iterator[Matrix]:
    """How often each segment is in each sample: a row a sample."""
    generator = np.random.default_rng(seed)
    for rows in _rows(segments, samples, budget):
        drawn = generator.choice(segments, size=(rows, segments), replace=True)
        drawn += segments * np.arange(rows)[:, None]
        times = np.bincount(drawn.ravel(), minlength=rows * segments)
        yield times.reshape(rows, segments).astype(np.float64)


def _rows(segments: int, samples: int, budget: Budget) -> Iterator[int]:
    """How many samples to draw next."""
    at_once = max(FLAGS_IN_A_WORD, DRAWN_AT_ONCE // segments // FLAGS_IN_A_WORD * FLAGS_IN_A_WORD)
    for start in range(0, samples, at_once):
        rows = min(at_once, samples - start)
        budget.spend(rows * (segments // 10 + 10))
        yield rows


def paired_p_value(baseline: Bootstrap, system: Bootstrap) -> float:
    """How likely chance alone makes at least this difference, by samples drawn together.

    The differences of the samples, moved so that their mean is 0, stand for what chance does.
    """
    differences = np.abs(system.samples - baseline.samples)
    return _p_value(differences - differences.mean(), abs(baseline.score - system.score))


def approximate_randomization(
    baseline: System,
    system: System,
    budget: Budget,
    trials: int = RANDOMIZATION_TRIALS,
    seed: int = SEED,
) -> float:
    """How likely chance alone makes at least this difference, by swapping outputs at random."""
    generator, segments = np.random.default_rng(seed), len(baseline.matrix)
    both = baseline.matrix.sum(axis=0) + system.matrix.sum(axis=0)
    differences = []
    for rows in _rows(segments, trials, budget):
        kept = generator.integers(2, size=(rows, segments), dtype=bool).astype(np.float64)
        mixed = kept @ (baseline.matrix - system.matrix) + system.matrix.sum(axis=0)
        differences.append(np.abs(baseline.scores(mixed) - baseline.scores(both - mixed)))
    return _p_value(np.concatenate(differences), abs(baseline.score() - system.score()))


def _p_value(by_chance: Scores, difference: float) -> float:
    """The share of differences by chance that are greater than the one that was found.

    One is added to both counts, so that it is never 0 (Noreen, 1989). Of a system beside itself it
    is 1. There sacreBLEU gives the least p-value, as if the two surely differed.
    """
    if difference == 0 and not by_chance.any():
        return 1.0
    return (int(np.sum(by_chance > difference)) + 1) / (len(by_chance) + 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """Each p-value corrected for there being several, Holm (1979): the least times their number,
    the next times one less and so on, none below the one before it, none above 1."""
    corrected = [0.0] * len(p_values)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, p_values[index] * (len(p_values) - rank)))
        corrected[index] = highest
    return corrected
