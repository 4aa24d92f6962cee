"""What every page shows around its own matter."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest

from . import content
from .scoring import registry


def site(request: HttpRequest) -> dict[str, Any]:
    """The tools in menu order, each with its page, and the last comparison with other tools."""
    return {
        "tools": [(metric, content.page(metric.slug)) for metric in registry.METRICS],
        "comparison": content.comparison(),
        "canonical_path": request.path,
        "site_root": _root(request),
        "contact": settings.MTCALC_CONTACT,
    }


def _root(request: HttpRequest) -> str:
    """The site's address; empty on the page that refuses a host which is none of the site's."""
    try:
        return request.build_absolute_uri("/").rstrip("/")
    except DisallowedHost:
        return ""
