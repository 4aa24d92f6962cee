"""What search engines ask for: the pages there are, and what they may read."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from .scoring import registry

PAGES = ("home", "files", "gate", "api-docs", "about", "privacy")


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    """Every page that is the same for everyone."""
    paths = [reverse(name) for name in PAGES]
    paths[1:1] = [reverse("calculator", args=[metric.slug]) for metric in registry.METRICS]
    addresses = [request.build_absolute_uri(path) for path in paths]
    return render(request, "sitemap.xml", {"addresses": addresses}, content_type="application/xml")


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Everything may be read but the API's calls; no address of the admin's stands here."""
    lines = ("User-agent: *", "Disallow: /api/v1/", "", f"Sitemap: {_sitemap(request)}", "")
    return HttpResponse("\n".join(lines), content_type="text/plain")


def _sitemap(request: HttpRequest) -> str:
    return request.build_absolute_uri(reverse("sitemap"))
