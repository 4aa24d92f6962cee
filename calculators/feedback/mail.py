"""Mail to the managers: how much waits and where to look, never a word of what was written."""

from __future__ import annotations

import logging

from django.conf import settings
from django.core.mail import mail_managers
from django.http import HttpRequest
from django.urls import reverse

from .limits import MAILS, hit
from .models import Feedback, State
from .published import DOWN

logger = logging.getLogger(__name__)


def tell_managers(request: HttpRequest) -> None:
    """Mail what waits, when the first entry comes to wait and else once an hour."""
    if not settings.MANAGERS:
        return
    queue = request.build_absolute_uri(reverse("admin:calculators_feedback_changelist"))
    try:
        _mail_what_waits(f"{queue}?state__exact={State.PENDING}\n")
    except (OSError, *DOWN):
        # What was sent is kept, and the visitor has done nothing wrong.
        logger.exception("The mail to the managers was not sent.")


def _mail_what_waits(body: str) -> None:
    waiting = Feedback.objects.waiting().count()
    reported = Feedback.objects.reported().count()
    is_due = not hit(MAILS).is_over(MAILS)
    if is_due or waiting + reported == 1:
        mail_managers(_subject(waiting, reported), body)


def _subject(waiting: int, reported: int) -> str:
    parts = []
    if waiting:
        parts.append(f"{waiting} waiting for review")
    if reported:
        parts.append(f"{reported} reported")
    return "Feedback: " + (", ".join(parts) or "nothing waits")
