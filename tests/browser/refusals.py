"""The site's addresses, and one for each page of refusal, most of which a browser can't cause."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import include, path
from django.views.defaults import server_error

from .inhabited import REFUSALS


def refused(request: HttpRequest, status: int) -> HttpResponse:
    """The page for that status, as the site answers with it."""
    if status == 500:
        return server_error(request)
    return render(request, f"{status}.html", {"reason": REFUSALS[status]}, status=status)


urlpatterns = [
    path("refused/<int:status>/", refused),
    path("", include("mtcalc.urls")),
]
