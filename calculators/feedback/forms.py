"""The forms of visitors. What is refused comes back as it was typed."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError

from .models import HIGHEST_RATING, LOWEST_RATING, Feedback, Kind, Reason
from .published import DOWN
from .submissions import Words
from .tokens import Age, form_age, form_token, renewed_token
from .words import cleaned, has_forbidden, poses_as_team

LONGEST_NAME, LONGEST_TEXT = 60, 2000  # characters, as code points


class WordsField(forms.CharField):
    """Plain text of a visitor, up to so many characters.

    It sets no ``maxlength``: browsers cut what is pasted past it without a word.
    """

    def __init__(self, *, longest: int, **kwargs: Any) -> None:
        super().__init__(required=False, strip=False, **kwargs)
        self.longest = longest
        self.validators = []

    def to_python(self, value: Any) -> str:
        return cleaned(super().to_python(value))

    def validate(self, value: str) -> None:
        if has_forbidden(value):
            raise ValidationError("There are control characters in it, which are no text.")
        if len(value) > self.longest:
            raise ValidationError(f"{len(value):,} of {self.longest:,} characters. Shorten it.")


class ListedErrors(forms.Form):
    """A form that can list its errors with the places to jump to."""

    labels: ClassVar[dict[str, str]]

    @property
    def error_list(self) -> list[dict[str, str]]:
        """Each error with its field's label and the id to jump to."""
        return [
            {"id": f"feedback-{name}", "label": self.labels[name], "message": message}
            for name, messages in self.errors.items()
            for message in messages
        ]


class EntryForm(ListedErrors):
    """A rating, a comment, or both; the fields stand in the order of the page."""

    rating = forms.TypedChoiceField(
        choices=[
            *((rating, str(rating)) for rating in range(LOWEST_RATING, HIGHEST_RATING + 1)),
            ("", "No rating"),
        ],
        coerce=int,
        empty_value=None,
        required=False,
        error_messages={
            "invalid_choice": f"Choose a rating from {LOWEST_RATING} to {HIGHEST_RATING}."
        },
    )
    text = WordsField(longest=LONGEST_TEXT)
    kind = forms.ChoiceField(
        choices=Kind.choices,
        initial=Kind.SUGGESTION,
        error_messages={"invalid_choice": "Choose one of the kinds in the list."},
        required=False,
    )
    name = WordsField(longest=LONGEST_NAME)

    labels: ClassVar = {"rating": "Rating", "kind": "Kind", "name": "Name", "text": "Comment"}

    @classmethod
    def of_entry(cls, entry: Feedback) -> EntryForm:
        """The form filled with what an entry says now."""
        initial = {"rating": entry.rating, "name": entry.name, "text": entry.text}
        return cls(initial={**initial, "kind": entry.kind or Kind.SUGGESTION})

    def clean_name(self) -> str:
        name = " ".join(self.cleaned_data["name"].split())
        if name and poses_as_team(name, _team()):
            raise ValidationError(
                "That name reads as if the people who run this site had written. Choose another."
            )
        return name

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        is_empty = data.get("rating") is None and not data.get("text")
        if is_empty and not self.errors:
            self.add_error("text", "Choose a rating or write a comment.")
        return data

    @property
    def words(self) -> Words:
        """What was entered, once the form is valid."""
        data = self.cleaned_data
        return Words(
            rating=data["rating"],
            kind=data["kind"] or Kind.SUGGESTION,
            name=data["name"],
            text=data["text"],
        )

    @property
    def chosen_rating(self) -> str:
        """The value of the radio button that is on."""
        return str(self["rating"].value() or "")


class NewEntryForm(EntryForm):
    """What stands under a tool: an entry, a trap for machines, and when the form was shown."""

    # A name that machines fill in; people don't see the field.
    website = forms.Field(required=False)
    token = forms.Field(required=False)

    def __init__(self, page: str, data: Any = None) -> None:
        super().__init__(data)
        self.page = page

    @property
    def age(self) -> Age:
        """How long ago the form was shown."""
        return form_age(self.data.get("token", ""), self.page)

    @property
    def next_token(self) -> str:
        """The token that the form carries when it is shown, once more or for the first time."""
        if not self.is_bound:
            return form_token(self.page)
        return renewed_token(self.page) if self.age is Age.EXPIRED else self.data["token"]

    @property
    def trap(self) -> str:
        """What the hidden field holds."""
        return self.data.get("website", "")


class ReportForm(ListedErrors):
    """Why a reader thinks that a comment should go."""

    labels: ClassVar = {"reason": "Reason"}

    reason = forms.ChoiceField(
        choices=[
            (Reason.REPORTED_SPAM, "It is advertising or spam"),
            (Reason.REPORTED_ABUSE, "It is offensive"),
            (Reason.REPORTED_PRIVATE, "It has confidential or personal text in it"),
        ],
        error_messages={
            "required": "Say what is wrong with it.",
            "invalid_choice": "Say what is wrong with it.",
        },
    )


def _team() -> frozenset[str]:
    users = get_user_model().objects.filter(is_staff=True, is_active=True)
    try:
        return frozenset(users.values_list("username", flat=True))
    except DOWN:
        # Nothing can be kept either, and that failure is told; the form must still be shown.
        return frozenset()
