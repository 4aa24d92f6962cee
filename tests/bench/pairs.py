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
    share: float = 1.0  # of the texts that both did, where the whole would take too long

    @property
    def ratio(self) -> float:
        """How many times as fast as the reference tool ours is."""
        return self.theirs / self.ours


@dataclass(frozen=True, slots=True)
class Target:
    """What a work has to reach, in times as fast."""

    median: float = 0.0  # of the rows
    whole: float = 0.0  # the time of all sets together, from what was done of each
    each: float = 0.0  # the least of the rows


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


def show(rows: Iterable[Row], target: Target | None) -> bool:
    """Print rows as they come and what they reach together; whether that is the target."""
    seen = []
    for row in rows:
        seen.append(row)
        say(
            f"  {row.of:32} {row.theirs * 1000:9.1f} ms {row.ours * 1000:8.1f} ms"
            f"   x {row.ratio:6.1f}   differing {row.differing}"
        )
    if not seen:
        return True
    reached = {
        "median": median(row.ratio for row in seen),
        "whole": sum(row.theirs / row.share for row in seen)
        / sum(row.ours / row.share for row in seen),
        "each": min(row.ratio for row in seen),
    }
    for name, ratio in reached.items():
        if wanted := getattr(target, name, 0.0):
            say(f"  {name:32} {'':12} {'':11}   x {ratio:6.1f}   wanted x {wanted:g}")
    enough = all(ratio >= getattr(target, name, 0.0) for name, ratio in reached.items())
    return enough and not any(row.differing for row in seen)
