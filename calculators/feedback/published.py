"""What everyone sees of a tool's feedback, as pieces of a page.

The calculators need no database, so their pages must not fall with it: while it is down there is
nothing to show, which is no error.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from django.core.cache import cache
from django.core.paginator import Paginator
from django.db import DatabaseError, InterfaceError, connection
from django.template.loader import render_to_string

from ..scoring import AnyMetric
from .models import Feedback, ModerationEvent
from .summary import ratings_of

logger = logging.getLogger(__name__)

DOWN = (DatabaseError, InterfaceError)
COMMENTS_UNDER_A_TOOL = 5
COMMENTS_A_PAGE = 50
# Enough to spare the database under load, short enough for what no event tells of, such as a
# change that the owner makes in the database itself.
KEPT = 30  # seconds


@dataclass(frozen=True, slots=True)
class Published:
    """The ratings and the comments, as HTML."""

    ratings: str
    comments: str


def all_published(metric: AnyMetric, number: str) -> Published | None:
    """A page of all comments on a tool, or None while the database does not answer."""
    try:
        return _rendered(metric, COMMENTS_A_PAGE, number, is_excerpt=False)
    except DOWN:
        logger.exception("The published feedback could not be read.")
        return None


def newest_published(metric: AnyMetric) -> Published | None:
    """The newest comments on a tool, or None while the database does not answer.

    The trail of moderation grows with every change, so its last number says whether what was
    rendered before still holds.
    """
    try:
        key = f"feedback.published.{metric.slug}.{_last_event()}"
        found = cache.get(key)
        if found is None:
            found = _rendered(metric, COMMENTS_UNDER_A_TOOL, "1", is_excerpt=True)
            cache.set(key, found, KEPT)
    except DOWN:
        logger.exception("The published feedback could not be read.")
        return None
    return found


def _last_event() -> int | None:
    # Every calculator's page asks this. The ORM takes longer to write the question than the
    # database to answer it: a tenth of what the whole page takes.
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT MAX(id) FROM {ModerationEvent._meta.db_table}")
        (last,) = cursor.fetchone()
        return last


def _rendered(metric: AnyMetric, size: int, number: str, *, is_excerpt: bool) -> Published:
    comments = Feedback.objects.published().filter(page=metric.slug)
    context = {
        "metric": metric,
        "ratings": ratings_of(metric.slug),
        "comments": Paginator(comments, size).get_page(number),
        "is_excerpt": is_excerpt,
    }
    return Published(
        ratings=render_to_string("feedback/_ratings.html", context),
        comments=render_to_string("feedback/_comments.html", context),
    )
