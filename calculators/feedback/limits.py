"""Exact counting in the database.

One statement counts and answers, so that processes can't overtake one another between reading
and writing, as they do with Django's cache backends.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from django.conf import settings
from django.db import connection

from .models import Counter


@dataclass(frozen=True, slots=True)
class Limit:
    """So many hits in so many seconds, from the first hit on."""

    name: str
    hits: int
    seconds: int


# A class of thirty behind one address may all say something in one lesson.
SUBMISSIONS_REVIEWED = Limit("submissions", 20, 3600)  # beyond: queued with a reason
SUBMISSIONS_REFUSED = Limit("submissions", 200, 3600)  # beyond: 429
REPORTS_REFUSED = Limit("reports", 30, 3600)
SAME_REPORT = Limit("report", 1, 24 * 3600)
MAILS = Limit("mails", 1, 3600)

LOGINS_OF_USER_FROM_NETWORK = Limit("login-pair", 10, 15 * 60)
LOGINS_FROM_NETWORK = Limit("login-network", 30, 15 * 60)
# Guessing spread over many networks; high, since it also keeps the owner out.
LOGINS_OF_USER = Limit("login-user", 100, 15 * 60)


@dataclass(frozen=True, slots=True)
class Tally:
    """How often something happened in the present window."""

    hits: int  # this one included
    retry_after: int  # seconds until the window closes, at least 1

    def is_over(self, limit: Limit) -> bool:
        """Whether this hit is one too many."""
        return self.hits > limit.hits


UNCOUNTED = Tally(hits=0, retry_after=1)

_TABLE = Counter._meta.db_table
_HIT = f"""
INSERT INTO {_TABLE} ("key", hits, expires) VALUES (%s, 1, %s)
ON CONFLICT ("key") DO UPDATE SET
    hits = CASE WHEN {_TABLE}.expires <= %s THEN 1 ELSE {_TABLE}.hits + 1 END,
    expires = CASE WHEN {_TABLE}.expires <= %s THEN excluded.expires ELSE {_TABLE}.expires END
RETURNING hits, expires
"""


def hit(limit: Limit, who: str = "") -> Tally:
    """Count one hit of ``who`` and tell how many there are in this window."""
    now = int(time.time())
    with connection.cursor() as cursor:
        cursor.execute(_HIT, [_key(limit, who), now + limit.seconds, now, now])
        # All rows are fetched: SQLite ends the statement, and so commits, with the last one.
        ((hits, expires),) = cursor.fetchall()
    return Tally(hits, max(1, expires - now))


def hit_unless_off(limit: Limit, who: str = "") -> Tally:
    """``hit``, or nothing counted where limits are switched off for a load test."""
    return hit(limit, who) if settings.MTCALC_RATE_LIMITS else UNCOUNTED


def forget(limit: Limit, who: str = "") -> None:
    """Close the window of ``who``."""
    Counter.objects.filter(key=_key(limit, who)).delete()


def delete_expired() -> int:
    """Remove the counters of closed windows and tell how many there were."""
    return Counter.objects.filter(expires__lte=int(time.time())).delete()[0]


def _key(limit: Limit, who: str) -> str:
    return f"{limit.name}:{who}"
