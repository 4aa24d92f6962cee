"""What is kept of feedback: entries, replies, the trail of moderation, and exact counters.

Nothing here holds a network address: a sender is a keyed hash whose key lives for a day.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import date
from typing import Any, ClassVar, NoReturn

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils import timezone

from ..scoring import find

LOWEST_RATING, HIGHEST_RATING = 1, 5
# Letters and digits that nobody mistakes for one another when reading a reference aloud.
REFERENCE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
REFERENCE_LENGTH = 10  # 31^10: no two entries meet, and nobody guesses one


def validate_page(slug: str) -> None:
    """Refuse a slug that belongs to no metric.

    A validator and not ``choices``: a new metric must not need a migration.
    """
    if find(slug) is None:
        raise ValidationError("There is no tool of that name.", code="page")


def new_reference() -> str:
    """A random name for an entry, fit to be read aloud."""
    return "".join(secrets.choice(REFERENCE_ALPHABET) for _ in range(REFERENCE_LENGTH))


def new_secret() -> str:
    """256 random bits."""
    return secrets.token_hex(32)


def today() -> date:
    """The day by which keys are made, in UTC."""
    return timezone.now().date()


class Kind(models.TextChoices):
    """What a comment is about."""

    BUG = "bug", "Bug"
    EDGE_CASE = "edge-case", "Edge case"
    SUGGESTION = "suggestion", "Suggestion"
    PRAISE = "praise", "Praise"
    QUESTION = "question", "Question"


class State(models.TextChoices):
    """Where an entry stands; only what is approved is shown and counted."""

    PENDING = "pending", "Waiting for review"
    APPROVED = "approved", "Approved"
    REJECTED = "rejected", "Rejected"
    SPAM = "spam", "Spam"


class Reason(models.TextChoices):
    """Why an entry deserves a second look. No code is a part of another: filters rely on it."""

    HONEYPOT = "honeypot", "Filled the field that people don't see"
    FAST = "fast", "Sent within 3 seconds"
    LINKS = "links", "Has links"
    DUPLICATE = "duplicate", "Same words as another entry"
    RATE = "rate", "Many from one network"
    REPORTED_SPAM = "report-spam", "Reported as spam"
    REPORTED_ABUSE = "report-abuse", "Reported as offensive"
    REPORTED_PRIVATE = "report-private", "Reported as confidential or personal"


REPORTS = (Reason.REPORTED_SPAM, Reason.REPORTED_ABUSE, Reason.REPORTED_PRIVATE)


class FeedbackQuerySet(models.QuerySet["Feedback"]):
    """Entries, named for the places that show them."""

    def counted(self, page: str) -> FeedbackQuerySet:
        """The approved ratings of a tool."""
        return self.filter(page=page, state=State.APPROVED, rating__isnull=False)

    def published(self) -> FeedbackQuerySet:
        """Comments that everyone may read, the newest first, with their replies."""
        shown = self.filter(state=State.APPROVED).exclude(text="")
        return shown.order_by("-created", "-pk").prefetch_related("replies")

    def waiting(self) -> FeedbackQuerySet:
        """What a moderator has to look at: not yet reviewed."""
        return self.filter(state=State.PENDING)

    def reported(self) -> FeedbackQuerySet:
        """Published entries that a reader has reported."""
        return self.filter(state=State.APPROVED, reasons__contains="report-")


class Feedback(models.Model):
    """A rating, a comment, or both, of one tool by one visitor."""

    reference = models.CharField(
        max_length=REFERENCE_LENGTH, unique=True, default=new_reference, editable=False
    )
    page = models.SlugField("tool", max_length=50, validators=[validate_page], db_index=False)
    kind = models.CharField(max_length=20, choices=Kind, blank=True)
    rating = models.PositiveSmallIntegerField(null=True, blank=True)
    name = models.CharField(max_length=60, blank=True)
    text = models.TextField(blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.PENDING)
    reasons = models.CharField(max_length=120, blank=True)  # codes with spaces between them
    sender = models.CharField(max_length=64, blank=True)  # see network.sender_key
    fingerprint = models.CharField(max_length=64, blank=True)  # see words.fingerprint
    created = models.DateTimeField(default=timezone.now)
    changed = models.DateTimeField(default=timezone.now)  # of the visitor's own words

    objects = FeedbackQuerySet.as_manager()

    class Meta:
        verbose_name = verbose_name_plural = "feedback"
        ordering: ClassVar = ["-created", "-pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                name="feedback_rating_from_1_to_5",
                condition=Q(rating__isnull=True)
                | Q(rating__gte=LOWEST_RATING, rating__lte=HIGHEST_RATING),
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["page", "state", "-created"], name="feedback_by_page"),
            models.Index(fields=["state", "-created"], name="feedback_by_state"),
            models.Index(fields=["fingerprint"], name="feedback_by_fingerprint"),
        ]

    def __str__(self) -> str:
        # Never the visitor's words: Django's admin log keeps what this says for good.
        return f"{self.reference} on {self.page}"

    @property
    def reason_codes(self) -> tuple[str, ...]:
        """The codes of ``reasons``."""
        return tuple(self.reasons.split())

    @property
    def is_anonymous(self) -> bool:
        """Whether its author gave no name."""
        return not self.name


class Reply(models.Model):
    """What the people who run the site answer to a comment."""

    feedback = models.ForeignKey(Feedback, on_delete=models.CASCADE, related_name="replies")
    text = models.TextField(max_length=2000)
    author = models.CharField(max_length=150, blank=True, editable=False)  # not shown to visitors
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name_plural = "replies"
        ordering: ClassVar = ["created", "pk"]

    def __str__(self) -> str:
        return f"reply to {self.feedback}"


class Action(models.TextChoices):
    """What can happen to an entry."""

    RECEIVED = "received", "Received"
    EDITED = "edited", "Edited by its author"
    WITHDRAWN = "withdrawn", "Deleted by its author"
    REPORTED = "reported", "Reported by a reader"
    APPROVED = "approved", "Approved"
    REJECTED = "rejected", "Rejected"
    SPAM = "spam", "Marked as spam"
    REOPENED = "reopened", "Put back into the queue"
    ERASED = "erased", "Text erased"
    REPLIED = "replied", "Replied to"
    REPLY_CHANGED = "reply-changed", "Reply changed"
    REPLY_REMOVED = "reply-removed", "Reply removed"
    PURGED = "purged", "Old spam purged"


class AppendOnly(Exception):
    """Something tried to change or remove what has been recorded."""


class EventQuerySet(models.QuerySet["ModerationEvent"]):
    """Events can be added and read."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise AppendOnly("The trail of moderation is only ever added to.")

    update = delete = bulk_update = update_or_create = _refuse
    _raw_delete = _update = _refuse

    def bulk_create(self, objs: Iterable[Any], *args: Any, **kwargs: Any) -> list[Any]:
        if kwargs.get("update_conflicts"):
            self._refuse()
        return super().bulk_create(objs, *args, **kwargs)


class ModerationEvent(models.Model):
    """One step in the life of an entry: who did what, and never a word of the text.

    It points at nothing, so that it outlives the entry and the moderator's account.
    """

    at = models.DateTimeField(default=timezone.now, editable=False)
    actor = models.CharField(max_length=150, blank=True)  # a moderator; empty: visitor or rules
    action = models.CharField(max_length=15, choices=Action)
    reference = models.CharField(max_length=REFERENCE_LENGTH, blank=True, db_index=True)
    page = models.CharField("tool", max_length=50, blank=True)
    state = models.CharField(max_length=10, choices=State, blank=True)  # afterwards
    reasons = models.CharField(max_length=120, blank=True)
    count = models.PositiveIntegerField(default=1)  # entries

    objects = EventQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.get_action_display()}: {self.reference or self.count}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise AppendOnly("The trail of moderation is only ever added to.")
        super().save(*args, **{**kwargs, "force_insert": True})

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise AppendOnly("The trail of moderation is only ever added to.")


class DailyKey(models.Model):
    """The secret under which senders are hashed for a day.

    It stands in the database since all processes need the same one, and is deleted the day after.
    """

    day = models.DateField(primary_key=True, default=today)
    secret = models.CharField(max_length=64, default=new_secret)

    def __str__(self) -> str:
        return str(self.day)


class Counter(models.Model):
    """How often something happened since a window was opened; see limits.hit."""

    key = models.CharField(max_length=120, primary_key=True)
    hits = models.PositiveIntegerField()
    expires = models.BigIntegerField(db_index=True)  # seconds since 1970

    def __str__(self) -> str:
        return self.key
