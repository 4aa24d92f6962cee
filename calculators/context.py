"""What every page shows around its own matter."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from . import content
from .scoring import registry


def site(request: HttpRequest) -> dict[str, Any]:
    """The tools in menu order, each with its page, and the last comparison with other tools."""
    return {
        "tools": [(metric, content.page(metric.slug)) for metric in registry.METRICS],
        "comparison": content.comparison(),
        "canonical_path": request.path,
        "site_root": request.build_absolute_uri("/").rstrip("/"),
    }
