"""The input doctor: what is odd about files, what it does to the score, and a remedy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from ..scoring import AnyMetric, Budget
from .model import Material


@dataclass(frozen=True, slots=True)
class Place:
    """Where an oddity is: a stream (system or reference set) and lines of it, from 1."""

    stream: str
    lines: tuple[int, ...] = ()  # the first few, in order; empty where it is the whole stream
    total: int = 0  # how many lines there are of the kind


@dataclass(frozen=True, slots=True)
class Effect:
    """A system's score as the files stand and with the remedy, on the metric's shown scale."""

    metric: str  # its name, as shown
    system: str
    before: float | None  # None: no score can be given
    after: float | None
    digits: int  # after the point, when shown
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change that one click makes. ``key`` says all of it and fits into a form."""

    key: str
    label: str

    @classmethod
    def of(cls, key: str) -> Self:
        """The remedy of that key; ``ScoringError`` where there is none."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Finding:
    """One oddity."""

    kind: str  # such as "line-counts", "empty-hypotheses", "tokenised", "normal-forms"
    severity: str  # "error" (no score), "warning" (the score is likely wrong) or "note"
    message: str  # sentences: what is odd, and what to do
    where: tuple[Place, ...]
    effect: tuple[Effect, ...]  # empty where nothing can be measured
    remedy: Remedy | None


def examine(
    material: Material, budget: Budget, metrics: Sequence[AnyMetric] = ()
) -> tuple[Finding, ...]:
    """What is odd, the gravest first; effects by ``metrics`` (BLEU and chrF where not given)."""
    raise NotImplementedError


def apply(material: Material, remedy: Remedy) -> Material:
    """The material with the remedy applied; a note says so."""
    raise NotImplementedError
