"""A measured figure beside its target."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, field


def _load() -> float:
    return os.getloadavg()[0]


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured, and the most that it may be."""

    what: str
    measured: float
    most: float
    unit: str = ""
    load: float = field(default_factory=_load)  # the machine's, in the minute before

    @property
    def is_met(self) -> bool:
        """Whether it is no more than its target."""
        return self.measured <= self.most

    def __str__(self) -> str:
        mark = "ok    " if self.is_met else "MISSED"
        told = f"{self.measured:,.3g} {self.unit}".rstrip()
        target = f"{self.most:,g} {self.unit}".rstrip()
        return f"{mark} {self.what:<58} {told:>12}   target {target:<8} load {self.load:.1f}"


def percentile(values: Sequence[float], share: int) -> float:
    """The least of ``values`` that ``share`` per cent of them do not pass."""
    return sorted(values)[max(0, math.ceil(len(values) * share / 100) - 1)]
