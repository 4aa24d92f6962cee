"""The admin site: its front page tells what waits, and its log-in can't be hammered."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from .login import ThrottledLoginForm
from .models import Feedback
from .published import DOWN

logger = logging.getLogger(__name__)

View = Callable[..., HttpResponse]


def answered_when_down(view: View) -> View:
    """``view``, with a page of its own for the time in which the database does not answer."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except DOWN:
            logger.exception("The database did not answer the admin.")
            response = render(request, "feedback/unavailable.html", status=503)
            response.headers["Retry-After"] = "30"
            return response

    return answer


class ModerationSite(AdminSite):
    """Django's admin under this project's name."""

    site_header = "mtcalc moderation"
    site_title = "mtcalc moderation"
    index_title = "Feedback and accounts"
    login_form = ThrottledLoginForm
    index_template = "admin/moderation_index.html"

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        return answered_when_down(super().admin_view(view, cacheable))

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        response = answered_when_down(super().login)(request, extra_context)
        form = getattr(response, "context_data", None) and response.context_data.get("form")
        if form is not None and form.refused:
            response.status_code = 429
            response.headers["Retry-After"] = str(form.refused.retry_after)
        return response

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        counts = {
            "waiting": Feedback.objects.waiting().count(),
            "reported": Feedback.objects.reported().count(),
        }
        return super().index(request, {**counts, **(extra_context or {})})
