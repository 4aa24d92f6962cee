"""Runs the benchmarks, all of them or those named.

python -m tests.bench
python -m tests.bench bleu nist worst
"""

from __future__ import annotations

import os
import sys

# Before NumPy is there: more threads of its own only get into each other's way here, and the
# processor's time would count their waiting.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from . import growth, worst
from .pairs import say, show
from .works import WORKS

PARTS = {**dict.fromkeys(WORKS), "growth": growth.show, "worst": worst.show}


def main(names: list[str]) -> int:
    """Run the named parts; 0 where all targets are reached, 1 where not, 2 for a wrong name."""
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        say(f"There is no part {unknown[0]}. Known: {' '.join(PARTS)}.")
        return 2
    missed = []
    for name in names or PARTS:
        if name in WORKS:
            say(f"{name}: {WORKS[name].title}; theirs, ours")
            reached = show(WORKS[name].rows(), WORKS[name].target)
        else:
            reached = PARTS[name]()
        if not reached:
            missed.append(name)
        say()
    say(f"Missed: {', '.join(missed)}." if missed else "All targets are reached.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
