"""Moderation: the queue, what can be done with it, the owner's replies, and the trail."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db.models import QuerySet
from django.forms import BaseInlineFormSet, ModelForm
from django.http import HttpRequest
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.text import Truncator

from ..scoring import METRICS
from . import moderation
from .models import (
    HIGHEST_RATING,
    Action,
    Feedback,
    ModerationEvent,
    Reason,
    Reply,
    State,
)

EXCERPT = 100  # characters of a comment in the list
SENDER_SHOWN = 8  # hexadecimal digits, enough to tell the senders of a day apart


def _now() -> str:
    return timezone.now().isoformat()


class SeenActionForm(ActionForm):
    """Carries when the list was made, so that nobody approves words changed since."""

    seen = forms.CharField(widget=forms.HiddenInput, initial=_now, required=False, label="")


class DecisionForm(ModelForm):
    """The state of one entry, and when the moderator was shown it."""

    seen = forms.CharField(widget=forms.HiddenInput, initial=_now, required=False, label="")

    class Meta:
        model = Feedback
        fields = ("state",)


class ToolFilter(admin.SimpleListFilter):
    """Entries on one tool of the registry."""

    title = "tool"
    parameter_name = "tool"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [(metric.slug, metric.name) for metric in METRICS]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        return queryset.filter(page=self.value()) if self.value() else queryset


class ReasonFilter(admin.SimpleListFilter):
    """Entries for which a rule fired or a reader's report came."""

    title = "reason"
    parameter_name = "reason"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [("report-", "Reported by readers"), *Reason.choices, ("none", "No reason")]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        if self.value() == "none":
            return queryset.filter(reasons="")
        return queryset.filter(reasons__contains=self.value()) if self.value() else queryset


class AgeFilter(admin.SimpleListFilter):
    """Entries by the time since they came."""

    title = "age"
    parameter_name = "age"
    spans: ClassVar = {
        "day": ("Up to a day", timedelta(0), timedelta(days=1)),
        "week": ("A day to a week", timedelta(days=1), timedelta(days=7)),
        "month": ("A week to 30 days", timedelta(days=7), timedelta(days=30)),
        "older": ("Over 30 days", timedelta(days=30), None),
    }

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [(name, label) for name, (label, _, _) in self.spans.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        if self.value() not in self.spans:
            return queryset
        _, youngest, oldest = self.spans[self.value()]
        now = timezone.now()
        queryset = queryset.filter(created__lte=now - youngest)
        return queryset.filter(created__gt=now - oldest) if oldest else queryset


class ReplyInline(admin.StackedInline):
    """The site's answers to one comment."""

    model = Reply
    extra = 0
    fields = ("text", "author", "created")
    readonly_fields = ("author", "created")


@admin.register(Feedback)
class FeedbackAdmin(admin.ModelAdmin):
    """Entries: moderators move them, erase them and answer them, and can't rewrite them."""

    form = DecisionForm
    action_form = SeenActionForm
    inlines: ClassVar = [ReplyInline]
    actions: ClassVar = ["approve", "reject", "mark_as_spam", "erase_text"]
    # Few columns: beside the filters there is room for no more.
    list_display = ("reference", "comment", "about", "state", "why", "age")
    list_filter = ("state", ToolFilter, "kind", ReasonFilter, AgeFilter)
    search_fields = ("reference", "name", "text", "^sender")
    list_per_page = 50
    show_full_result_count = False
    fields = (
        *("state", "seen", "reference", "page", "kind", "rating", "name", "text"),
        *("why", "sent_by", "created", "changed"),
    )
    readonly_fields = (
        *("reference", "page", "kind", "rating", "name", "text"),
        *("why", "sent_by", "created", "changed"),
    )

    class Media:
        css: ClassVar = {"all": ["css/moderation.css"]}

    def get_fields(self, request: HttpRequest, obj: Feedback | None = None) -> list[str]:
        # Who may only look has no form for the hidden field to stand in.
        fields = list(super().get_fields(request, obj))
        if not self.has_change_permission(request, obj):
            fields.remove("seen")
        return fields

    @admin.display(description="comment", ordering="name")
    def comment(self, entry: Feedback) -> str:
        """The name, and the first words of the comment."""
        return ": ".join(filter(None, (entry.name, Truncator(entry.text).chars(EXCERPT))))

    @admin.display(description="about", ordering="page")
    def about(self, entry: Feedback) -> str:
        """The tool, the kind and the rating."""
        rating = f"{entry.rating} of {HIGHEST_RATING}" if entry.rating else ""
        return ", ".join(filter(None, (entry.page, entry.get_kind_display(), rating)))

    @admin.display(description="reasons")
    def why(self, entry: Feedback) -> str:
        """The reasons in words."""
        return "; ".join(Reason(code).label for code in entry.reason_codes)

    @admin.display(description="sender")
    def sent_by(self, entry: Feedback) -> str:
        """What tells apart the senders of a day, and how to find all that one of them sent."""
        if not entry.sender:
            return "No longer known."
        start = entry.sender[:SENDER_SHOWN]
        return f"{start}: a hash of the network, another one each day. Search for it in the list."

    @admin.display(description="age", ordering="created")
    def age(self, entry: Feedback) -> str:
        """The time since it came."""
        return _brief(timezone.now() - entry.created)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        # Erasing and purging leave a trail; deleting one by one would not.
        return False

    @admin.action(description="Approve", permissions=["change"])
    def approve(self, request: HttpRequest, queryset: QuerySet) -> None:
        """Publish the selected entries."""
        self._decide(request, queryset, State.APPROVED)

    @admin.action(description="Reject", permissions=["change"])
    def reject(self, request: HttpRequest, queryset: QuerySet) -> None:
        """Keep the selected entries from the page."""
        self._decide(request, queryset, State.REJECTED)

    @admin.action(description="Mark as spam", permissions=["change"])
    def mark_as_spam(self, request: HttpRequest, queryset: QuerySet) -> None:
        """Keep the selected entries from the page until they are purged."""
        self._decide(request, queryset, State.SPAM)

    @admin.action(description="Erase text and name", permissions=["change"])
    def erase_text(self, request: HttpRequest, queryset: QuerySet) -> None:
        """Remove the words of the selected entries for good."""
        erased = moderation.erase_text(_ids(queryset), request.user.get_username())
        self.message_user(request, f"Text erased of {erased}.", messages.SUCCESS)

    def _decide(self, request: HttpRequest, queryset: QuerySet, state: State) -> None:
        done, left = moderation.decide(
            _ids(queryset), state, request.user.get_username(), seen=_seen(request)
        )
        self.message_user(request, f"{state.label}: {done}.", messages.SUCCESS)
        if left:
            self.message_user(request, _left(left), messages.WARNING)

    def save_model(
        self, request: HttpRequest, obj: Feedback, form: ModelForm, change: bool
    ) -> None:
        _, left = moderation.decide(
            [obj.pk], State(obj.state), request.user.get_username(), seen=_seen(request)
        )
        if left:
            self.message_user(request, _left(left), messages.WARNING)

    def save_formset(
        self, request: HttpRequest, form: ModelForm, formset: BaseInlineFormSet, change: bool
    ) -> None:
        actor = request.user.get_username()
        for reply in formset.save(commit=False):
            action = Action.REPLIED if reply.pk is None else Action.REPLY_CHANGED
            reply.author = actor
            reply.save()
            moderation.record_reply(reply, action, actor)
        for reply in formset.deleted_objects:
            moderation.record_reply(reply, Action.REPLY_REMOVED, actor)
            reply.delete()


@admin.register(ModerationEvent)
class ModerationEventAdmin(admin.ModelAdmin):
    """The trail, to be read only."""

    list_display = ("at", "actor", "action", "reference", "page", "state", "reasons", "count")
    list_filter = ("action", "state", "at")
    search_fields = ("reference", "actor")
    list_display_links = None
    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


def _ids(queryset: QuerySet) -> list[int]:
    return list(queryset.values_list("pk", flat=True))


def _seen(request: HttpRequest) -> datetime | None:
    """When the page was made from which the moderator decides."""
    try:
        seen = parse_datetime(request.POST.get("seen", ""))
    except ValueError:
        return None
    return seen if seen and seen.tzinfo else None


def _left(count: int) -> str:
    return f"Not approved, since changed by the author while you read: {count}. Read again."


def _brief(age: timedelta) -> str:
    if age.days:
        return f"{age.days} d"
    hours, seconds = divmod(age.seconds, 3600)
    return f"{hours} h" if hours else f"{seconds // 60} min"
