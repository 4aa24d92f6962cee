"""Ten thousand requests made from the API's own document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tests.reliability.generated import MODES, operations, statuses

from .figures import Figure

REQUESTS = 10_000


def figures() -> Iterator[Figure]:
    """How many of them were answered with a fault of the server, and how many were missing."""
    calls = [(operation, mode) for operation in operations() for mode in MODES]
    each = -(-REQUESTS // len(calls)) + 20  # some are drawn twice and sent once
    seen: Counter[int] = Counter()
    for operation, mode in calls:
        seen += statuses(operation, mode, each)
    told = ", ".join(f"{count:,} x {status}" for status, count in sorted(seen.items()))
    yield Figure(f"answers from 500 on ({told})", sum(n for s, n in seen.items() if s >= 500), 0)
    yield Figure("requests short of 10,000", max(0, REQUESTS - seen.total()), 0)
