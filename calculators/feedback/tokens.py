"""Signed strings: when a form was shown, and whose entry a link opens. Nothing is stored."""

from __future__ import annotations

import enum
import time

from django.core import signing

from .models import Feedback

SHORTEST = 3  # seconds in which no one has read the form
LONGEST = 24 * 3600  # seconds


class Age(enum.Enum):
    """How old a form is when it comes back."""

    FAST = enum.auto()
    FINE = enum.auto()
    EXPIRED = enum.auto()  # or never made here


class FormSigner(signing.TimestampSigner):
    """Signs the time at which the form of a page was shown."""

    def __init__(self, *, shown: float | None = None) -> None:
        super().__init__(salt="calculators.feedback.form", sep=".")
        self.shown = time.time() if shown is None else shown

    def timestamp(self) -> str:
        return signing.b62_encode(int(self.shown))


def form_token(page: str) -> str:
    """A token for a form that is being shown for the first time."""
    return FormSigner().sign(page)


def renewed_token(page: str) -> str:
    """A token for a form that comes back filled: its reader need not wait again."""
    return FormSigner(shown=time.time() - SHORTEST).sign(page)


def form_age(token: str, page: str) -> Age:
    """How long ago the form of ``page`` with this token was shown."""
    signer = FormSigner()
    try:
        if signer.unsign(token, max_age=LONGEST) != page:
            return Age.EXPIRED
        shown = signing.b62_decode(token.split(".")[1])
    except (signing.BadSignature, ValueError):
        return Age.EXPIRED
    return Age.FAST if time.time() - shown < SHORTEST else Age.FINE


_LINKS = signing.Signer(salt="calculators.feedback.entry", sep=".")


def entry_token(entry: Feedback) -> str:
    """The end of the link by which its author edits or deletes an entry."""
    return _LINKS.sign(entry.reference)


def reference_in(token: str) -> str | None:
    """The reference that was signed, or None for a link that was not made here."""
    try:
        return _LINKS.unsign(token)
    except signing.BadSignature:
        return None
