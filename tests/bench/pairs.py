"""Two ways to do one work, timed in turn."""

from __future__ import annotations

import gc
import resource
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")


@dataclass(frozen=True, slots=True)
class Row:
    """One work on one set of texts."""

    work: str
    of: str  # the texts
    theirs: float  # seconds of the processor
    ours: float
    differing: int  # segments, or scores where the tool gives no more

    @property
    def ratio(self) -> float:
        """How many times as fast as the reference tool ours is."""
        return self.theirs / self.ours


@dataclass(frozen=True, slots=True)
class Target:
    """What a work has to reach, in times as fast."""

    median: float = 0.0  # of the rows
    each: float = 0.0  # the least of the rows


@dataclass(frozen=True, slots=True)
class Goal:
    """One target, and what was found."""

    of: str
    found: str
    wanted: str
    is_reached: bool

    def __str__(self) -> str:
        verdict = "reached" if self.is_reached else "MISSED"
        return f"  {verdict:8} {self.of:44} {self.found:>20}   wanted {self.wanted}"


def timed(work: Callable[[], A]) -> tuple[float, A]:
    """The processor's seconds and the outcome: a busy machine slows these least."""
    gc.collect()
    start = time.process_time()
    outcome = work()
    return time.process_time() - start, outcome


def in_turn(
    theirs: Callable[[], A], ours: Callable[[], B], rounds: int = 3
) -> tuple[float, float, A, B]:
    """The median seconds of both, and what they gave. Ours runs twice a round, being short."""
    their_times, our_times = [], []
    for _ in range(rounds):
        seconds, their_outcome = timed(theirs)
        their_times.append(seconds)
        for _ in range(2):
            seconds, our_outcome = timed(ours)
            our_times.append(seconds)
    return median(their_times), median(our_times), their_outcome, our_outcome


def differing(theirs: Sequence[object], ours: Sequence[object]) -> int:
    """How many of them are not the same."""
    return sum(their != our for their, our in zip(theirs, ours, strict=True))


def apart(theirs: Iterable[float], ours: Iterable[float]) -> int:
    """How many differ by more than rounding."""
    pairs = zip(theirs, ours, strict=True)
    return sum(abs(their - our) > 1e-9 * max(1.0, abs(their)) for their, our in pairs)


def peak_megabytes() -> float:
    """The most memory that this process has had."""
    status = Path("/proc/self/status")
    if status.exists():  # Linux counts a parent's memory into ru_maxrss, but not into this
        (line,) = [line for line in status.read_text().split("\n") if line.startswith("VmHWM")]
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def say(line: str = "") -> None:
    """Print a line at once, also where the output goes into a file."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def show(work: str, rows: Iterable[Row], target: Target) -> list[Goal]:
    """Print rows as they come; the targets, and whether rows and targets are as they should be."""
    seen = []
    for row in rows:
        seen.append(row)
        say(
            f"  {row.of:38} {row.theirs * 1000:9.1f} ms {row.ours * 1000:8.1f} ms"
            f"   x {row.ratio:6.1f}   differing {row.differing}"
        )
    if not seen:
        return []
    differing = sum(row.differing for row in seen)
    found = {"median": median(row.ratio for row in seen), "each": min(row.ratio for row in seen)}
    return [
        *(
            Goal(f"{work}, {_WHAT[name]} {len(seen)} rows", f"x {ratio:.1f}", f"x {wanted:g}", ok)
            for name, ratio in found.items()
            if (wanted := getattr(target, name))
            for ok in (ratio >= wanted,)
        ),
        Goal(f"{work}, differing", str(differing), "0", differing == 0),
    ]


_WHAT = {"median": "median of", "each": "least of"}
