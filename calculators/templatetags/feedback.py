"""The feedback section of a calculator's page."""

from __future__ import annotations

from typing import Any

from django import template
from django.conf import settings

from ..feedback.forms import NewEntryForm
from ..feedback.summary import shown
from ..scoring import find

register = template.Library()

COMMENTS_UNDER_A_TOOL = 5


@register.inclusion_tag("feedback/_section.html")
def feedback_for(slug: str) -> dict[str, Any]:
    """Ratings, the newest comments and the form, of the tool of that slug.

    Without a database it says so, and the rest of the page stands.
    """
    return {
        "metric": find(slug),
        "published": shown(slug, comments=COMMENTS_UNDER_A_TOOL),
        "form": NewEntryForm(slug),
        "is_premoderated": settings.MTCALC_PREMODERATE,
        "is_excerpt": True,
    }
