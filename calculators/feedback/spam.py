"""The rules that an entry passes before it is kept. Each that fires leaves its reason code.

None of them refuses anything: all they do is to ask a moderator to look.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from .limits import SUBMISSIONS_REVIEWED, Tally
from .models import Feedback, Reason, State
from .tokens import Age

DUPLICATES_SINCE = timedelta(days=30)
# Addresses, and the markup that forum software turns into links.
_LINK = re.compile(
    r"[a-z]{2,6}://|\bwww\.|\[url|\bhref\s?=|\bmailto:"
    r"|[a-z0-9-]\.(?:com|net|org|info|biz|ru|cn|io|co|xyz|top|shop|online|site|club)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Circumstances:
    """How an entry came, apart from what it says."""

    trap: str  # what the hidden field holds
    age: Age  # of the form
    tally: Tally  # of the sender's network


def reasons_for(entry: Feedback, circumstances: Circumstances) -> tuple[Reason, ...]:
    """Every reason to look at ``entry`` closely."""
    found = {
        Reason.HONEYPOT: bool(circumstances.trap),
        Reason.FAST: circumstances.age is Age.FAST,
        Reason.LINKS: has_link(entry.text) or has_link(entry.name),
        Reason.DUPLICATE: _is_duplicate(entry),
        Reason.RATE: circumstances.tally.is_over(SUBMISSIONS_REVIEWED),
    }
    return tuple(reason for reason, fired in found.items() if fired)


def state_for(entry: Feedback, reasons: tuple[Reason, ...]) -> State:
    """Where an entry starts, or starts anew when its author has changed its words.

    A rating alone has no words to review, so it counts at once unless a rule fired. What was
    spam stays spam.
    """
    if Reason.HONEYPOT in reasons or entry.state == State.SPAM:
        return State.SPAM
    if reasons or (entry.text and settings.MTCALC_PREMODERATE):
        return State.PENDING
    return State.APPROVED


def has_link(text: str) -> bool:
    """Whether ``text`` leads somewhere else."""
    return _LINK.search(text) is not None


def _is_duplicate(entry: Feedback) -> bool:
    if not entry.fingerprint:
        return False
    same = Feedback.objects.filter(
        fingerprint=entry.fingerprint, created__gte=timezone.now() - DUPLICATES_SINCE
    )
    return same.exclude(pk=entry.pk).exists()
