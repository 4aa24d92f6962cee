"""What visitors do with entries: send, change, delete, report. Each step leaves its event."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from .models import Action, Feedback, ModerationEvent, Reason, State
from .spam import Circumstances, reasons_for, state_for
from .words import fingerprint


@dataclass(frozen=True, slots=True)
class Words:
    """What a visitor has entered, cleaned and checked by the form."""

    rating: int | None
    kind: str
    name: str
    text: str


def receive(page: str, words: Words, sender: str, circumstances: Circumstances) -> Feedback:
    """Keep a new entry in the state that the rules give it."""
    entry = Feedback(page=page, sender=sender)
    _fill(entry, words)
    _judge(entry, circumstances)
    with transaction.atomic():
        entry.save(force_insert=True)
        record(entry, Action.RECEIVED)
    return entry


def edit(reference: str, words: Words, circumstances: Circumstances) -> Feedback | None:
    """Put other words or another rating into an entry; None where it is gone.

    A changed rating leaves a reviewed comment published; changed words are reviewed again.
    """
    with transaction.atomic():
        entry = _locked(reference)
        if entry is None:
            return None
        before = (entry.kind, entry.name, entry.text)
        _fill(entry, words)
        if (entry.kind, entry.name, entry.text) != before:
            entry.changed = timezone.now()
            _judge(entry, circumstances)
        entry.save()
        record(entry, Action.EDITED)
    return entry


def withdraw(reference: str) -> None:
    """Delete an entry, with its replies, for its author."""
    with transaction.atomic():
        entry = _locked(reference)
        if entry is not None:
            record(entry, Action.WITHDRAWN)
            entry.delete()


def report(reference: str, reason: Reason) -> Feedback | None:
    """Note a reader's report of a published entry; None where there is none.

    It stays published until a moderator has looked: otherwise three readers could silence a
    fourth.
    """
    with transaction.atomic():
        entry = _locked(reference)
        if entry is None or entry.state != State.APPROVED:
            return None
        entry.reasons = " ".join(dict.fromkeys((*entry.reason_codes, str(reason))))
        entry.save(update_fields=["reasons"])
        record(entry, Action.REPORTED, reasons=str(reason))
    return entry


def record(entry: Feedback, action: Action, *, actor: str = "", reasons: str | None = None) -> None:
    """Add to the trail what has been done to ``entry``."""
    ModerationEvent.objects.create(
        actor=actor,
        action=action,
        reference=entry.reference,
        page=entry.page,
        state=entry.state,
        reasons=entry.reasons if reasons is None else reasons,
    )


def _locked(reference: str) -> Feedback | None:
    return Feedback.objects.select_for_update().filter(reference=reference).first()


def _fill(entry: Feedback, words: Words) -> None:
    entry.rating = words.rating
    entry.text = words.text
    # A rating alone is about nothing in particular and by nobody.
    entry.kind, entry.name = (words.kind, words.name) if words.text else ("", "")
    entry.fingerprint = fingerprint(words.text)


def _judge(entry: Feedback, circumstances: Circumstances) -> None:
    reasons = reasons_for(entry, circumstances)
    entry.reasons = " ".join(reasons)
    entry.state = state_for(entry, reasons)
