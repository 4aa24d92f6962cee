"""Ten thousand requests made from the API's own document.

Those that do not fit it take ten times as long to make as those that do, and what makes them keeps
much of what it made; so each call of the API has a process of its own, one on each core.
"""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from schemathesis import GenerationMode

from tests.reliability.generated import operations, statuses

from .figures import Figure

REQUESTS = 10_000
SHARES = {GenerationMode.POSITIVE: 0.8, GenerationMode.NEGATIVE: 0.2}


def figures() -> Iterator[Figure]:
    """How many of them were answered with a fault of the server, and how many were missing."""
    calls = list(operations())
    with ProcessPoolExecutor(
        os.cpu_count(), get_context("spawn"), logging.disable, max_tasks_per_child=1
    ) as processes:
        answers = processes.map(_answers, range(len(calls)), [len(calls)] * len(calls))
        seen = sum(answers, Counter[int]())
    told = ", ".join(f"{count:,} x {status}" for status, count in sorted(seen.items()))
    yield Figure(f"answers from 500 on ({told})", sum(n for s, n in seen.items() if s >= 500), 0)
    yield Figure("requests short of 10,000", max(0, REQUESTS - seen.total()), 0)


def _answers(number: int, calls: int) -> Counter[int]:
    operation = list(operations())[number]
    seen: Counter[int] = Counter()
    for mode, share in SHARES.items():
        # A few more, since some are drawn twice and sent once.
        seen += statuses(operation, mode, int(REQUESTS / calls * share) + 20)
    return seen
