"""Ten thousand requests made from the API's own document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from schemathesis import GenerationMode

from tests.reliability.generated import operations, statuses

from .figures import Figure

REQUESTS = 10_000
# Those that do not fit take ten times as long to make as those that do.
SHARES = {GenerationMode.POSITIVE: 0.75, GenerationMode.NEGATIVE: 0.25}


def figures() -> Iterator[Figure]:
    """How many of them were answered with a fault of the server, and how many were missing."""
    calls = list(operations())
    seen: Counter[int] = Counter()
    for operation in calls:
        for mode, share in SHARES.items():
            # A few more, since some are drawn twice and sent once.
            seen += statuses(operation, mode, int(REQUESTS / len(calls) * share) + 20)
    told = ", ".join(f"{count:,} x {status}" for status, count in sorted(seen.items()))
    yield Figure(f"answers from 500 on ({told})", sum(n for s, n in seen.items() if s >= 500), 0)
    yield Figure("requests short of 10,000", max(0, REQUESTS - seen.total()), 0)
