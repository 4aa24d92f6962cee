"""The feedback section of a calculator's page."""

from __future__ import annotations

from functools import cache
from typing import Any

from django import template
from django.conf import settings

from ..feedback.forms import NewEntryForm
from ..feedback.published import newest_published
from ..scoring import find

register = template.Library()


@register.inclusion_tag("feedback/_section.html")
def feedback_for(slug: str) -> dict[str, Any]:
    """Ratings, the newest comments and the form, of the tool of that slug.

    Without a database it says so, and the rest of the page stands.
    """
    metric = find(slug)
    return {
        "metric": metric,
        "published": newest_published(metric) if metric else None,
        "form": _empty_form(slug),
        "is_premoderated": settings.MTCALC_PREMODERATE,
    }


# Bounded by the number of tools. Nothing is ever bound to it; its token is made anew each time.
@cache
def _empty_form(slug: str) -> NewEntryForm:
    return NewEntryForm(slug)
