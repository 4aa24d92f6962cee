"""The user's words as HTML: written here, since a long text has thousands of them on a page."""

from __future__ import annotations

from django import template
from django.utils.html import format_html_join

from calculators.scoring.explain import Tokens

register = template.Library()


@register.filter
def isolated(words: Tokens) -> str:
    """The words with spaces between, each in its own direction whatever stands beside it."""
    return format_html_join(" ", '<bdi dir="auto">{}</bdi>', ((word,) for word in words))
