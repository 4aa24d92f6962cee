"""What moderators do with entries. The trail is written here, by the actions themselves."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from .limits import delete_expired
from .models import REPORTS, Action, DailyKey, Feedback, ModerationEvent, Reply, State, today
from .submissions import record

_ACTIONS = {
    State.APPROVED: Action.APPROVED,
    State.REJECTED: Action.REJECTED,
    State.SPAM: Action.SPAM,
    State.PENDING: Action.REOPENED,
}


def decide(
    ids: Iterable[int], state: State, actor: str, *, seen: datetime | None = None
) -> tuple[int, int]:
    """Put entries into ``state``: how many were, and how many were left.

    Left is what its author has changed since ``seen``, when the moderator read it: nobody
    approves words that he has not read.
    """
    done = left = 0
    with transaction.atomic():
        for entry in _locked(ids):
            if state == State.APPROVED and seen is not None and entry.changed > seen:
                left += 1
            elif _move(entry, state):
                record(entry, _ACTIONS[state], actor=actor)
                done += 1
    return done, left


def erase_text(ids: Iterable[int], actor: str) -> int:
    """Remove words and names for good, and tell of how many entries. Ratings stay."""
    erased = 0
    with transaction.atomic():
        for entry in _locked(ids):
            if entry.text or entry.name:
                entry.text = entry.name = entry.fingerprint = ""
                entry.save(update_fields=["text", "name", "fingerprint"])
                record(entry, Action.ERASED, actor=actor)
                erased += 1
    return erased


def record_reply(reply: Reply, action: Action, actor: str) -> None:
    """Add to the trail that a reply was written, changed or removed."""
    record(reply.feedback, action, actor=actor)


def purge(older_than: timedelta) -> int:
    """Delete spam and what was rejected before that time, and tell how many entries.

    What no longer serves goes with it: closed counters, keys of past days, and the senders of
    entries that nobody compares any more.
    """
    before = timezone.now() - older_than
    with transaction.atomic():
        old = Feedback.objects.filter(state__in=(State.SPAM, State.REJECTED), created__lt=before)
        # Replies are deleted too and are not counted.
        deleted = old.delete()[1].get(Feedback._meta.label, 0)
        if deleted:
            ModerationEvent.objects.create(action=Action.PURGED, count=deleted)
    DailyKey.objects.filter(day__lt=today()).delete()
    Feedback.objects.filter(created__lt=before).exclude(sender="").update(sender="")
    delete_expired()
    return deleted


def _locked(ids: Iterable[int]) -> Iterable[Feedback]:
    # In one order, so that two moderators wait for one another and never crosswise.
    return Feedback.objects.select_for_update().filter(pk__in=list(ids)).order_by("pk")


def _move(entry: Feedback, state: State) -> bool:
    """Whether anything changed. A decision also answers the reports that readers have made."""
    codes = [code for code in entry.reason_codes if code not in REPORTS]
    reasons = " ".join(codes)
    if (entry.state, entry.reasons) == (state, reasons):
        return False
    entry.state, entry.reasons = state, reasons
    entry.save(update_fields=["state", "reasons"])
    return True
