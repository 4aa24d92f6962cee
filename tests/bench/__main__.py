"""Runs the benchmarks, all of them or those named.

python -m tests.bench
python -m tests.bench bleu nist worst
python -m tests.bench ter --whole

A row is one system's output against one reference or two; medians are over the rows of a work.
TER's rows are samples by chance, on which both tools score the same segments; with --whole they are
all segments, which takes sacreBLEU half an hour.
"""

from __future__ import annotations

import os
import sys
import time

# Before NumPy is there: more threads of its own only get into each other's way here, and the
# processor's time would count their waiting.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from . import growth, worst
from .pairs import Goal, say, show
from .works import WORKS

PARTS = {**dict.fromkeys(WORKS), "growth": growth.show, "worst": worst.show}
WHOLE = "--whole"


def main(arguments: list[str]) -> int:
    """Run the named parts; 0 where all targets are reached, 1 where not, 2 for a wrong name."""
    names = [argument for argument in arguments if argument != WHOLE]
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        say(f"There is no part {unknown[0]}. Known: {' '.join(PARTS)}, and {WHOLE}.")
        return 2
    start = time.monotonic()
    say(_load())
    goals = []
    for name in names or PARTS:
        goals += _run(name, is_whole=WHOLE in arguments)
        say()
    for goal in goals:
        say(str(goal))
    say(f"{time.monotonic() - start:.0f} s. {_load()}")
    return 0 if all(goal.is_reached for goal in goals) else 1


def _run(name: str, *, is_whole: bool) -> list[Goal]:
    if name not in WORKS:
        return PARTS[name]()
    work = WORKS[name]
    say(f"{name}: {work.title}; theirs, ours")
    rows = work.whole if is_whole and work.whole else work.rows
    return show(name, rows(), work.target)


def _load() -> str:
    return "Load average: " + " ".join(f"{load:.1f}" for load in os.getloadavg())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
