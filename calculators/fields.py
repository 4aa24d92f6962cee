"""The form fields: what each accepts, as text or as a value with a type of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from .reading import (
    ABSENT,
    lines_of_references,
    option_value,
    refuse_longer,
    refuse_more_references,
    refuse_unscorable,
    with_line_feeds,
)
from .scoring import OptionSpec, ScoringError

NO_REFERENCE = "Enter at least one reference."


class _AsSent(forms.Widget):
    """The value as it was sent, or ``ABSENT``: an unticked box is not an absent option."""

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        return data.get(name, ABSENT)


class CheckedField(forms.Field):
    """A field whose check raises ``ScoringError``; the form tells it whether values have types."""

    typed = False
    max_characters = 0

    def clean(self, value: Any) -> Any:
        try:
            return self.checked(value)
        except ScoringError as error:
            raise ValidationError(error.message) from None

    def checked(self, value: Any) -> Any:
        raise NotImplementedError


class OptionField(CheckedField):
    """One option of a metric, or ``ABSENT``."""

    widget = _AsSent

    def __init__(self, spec: OptionSpec) -> None:
        super().__init__(label=spec.label, help_text=spec.help, required=False)
        self.spec = spec

    def checked(self, value: Any) -> Any:
        if value is ABSENT:
            return ABSENT
        if not self.typed and isinstance(value, str):
            return option_value(self.spec, value)
        return self.spec.checked(value)


class PresetField(CheckedField):
    """The name of a preset, or an empty text; the form knows which there are."""

    def checked(self, value: Any) -> str:
        if value is None:
            return ""
        if not isinstance(value, str):
            raise ScoringError("The preset must be a text.")
        return value


class HypothesisField(CheckedField):
    """The hypothesis: it may be empty, and must be there."""

    def checked(self, value: Any) -> str:
        if value is None:
            raise ScoringError("The hypothesis is missing.")
        if not isinstance(value, str):
            raise ScoringError("The hypothesis must be a text.")
        text = value if self.typed else with_line_feeds(value)
        refuse_longer(len(text), self.max_characters)
        refuse_unscorable(text)
        return text


class ReferencesField(CheckedField):
    """The references: one a line of a text box, or a list of texts where values have types."""

    def checked(self, value: Any) -> list[str]:
        if not value:
            raise ScoringError(NO_REFERENCE)
        if self.typed:
            return _row_of_texts(value, self.max_characters)
        if not isinstance(value, str):
            raise ScoringError("The references must be a text.")
        text = with_line_feeds(value)
        refuse_longer(len(text), self.max_characters)
        refuse_unscorable(text)
        lines = lines_of_references(text)
        if not lines:
            raise ScoringError(NO_REFERENCE)
        refuse_more_references(len(lines))
        return lines


class HypothesesField(CheckedField):
    """The hypotheses of a corpus, a list of texts."""

    def checked(self, value: Any) -> list[str]:
        if not isinstance(value, list) or not value:
            raise ScoringError("Give the hypotheses as a list of one or more texts.")
        for number, text in enumerate(value, 1):
            with _about_segment(number):
                _refuse_all_but_text(text)
                refuse_longer(len(text), self.max_characters)
        return value


class RowsField(CheckedField):
    """The references of a corpus: for each segment a list of texts, where null is a missing one.

    A text in place of a list is the one reference of its segment.
    """

    def checked(self, value: Any) -> list[list[str]]:
        if not isinstance(value, list) or not value:
            raise ScoringError("Give the references as a list with a list of texts a segment.")
        rows = []
        for number, row in enumerate(value, 1):
            with _about_segment(number):
                row = [row] if isinstance(row, str) else row
                rows.append(_row_of_texts(row, self.max_characters))
        return rows


class _about_segment:  # noqa: N801 - reads as a phrase
    """Names the segment in the message of a ``ScoringError``."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __enter__(self) -> None:
        """Nothing to set up."""

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, ScoringError):
            raise ScoringError(f"Segment {self.number:,}: {error.message}") from None


def _row_of_texts(row: Any, max_characters: int) -> list[str]:
    """The texts of ``row`` without its nulls; they share the room of one text box."""
    if not isinstance(row, list):
        raise ScoringError("Give the references as a list of texts.")
    refuse_more_references(len(row))
    texts = [text for text in row if text is not None]
    if not texts:
        raise ScoringError(NO_REFERENCE)
    for text in texts:
        _refuse_all_but_text(text)
    # The line ends between them count, as they do in the box.
    together = "The references together" if len(texts) > 1 else ""
    refuse_longer(sum(map(len, texts)) + len(texts) - 1, max_characters, what=together)
    return texts


def _refuse_all_but_text(value: Any) -> None:
    if not isinstance(value, str):
        raise ScoringError("Each must be a text.")
    refuse_unscorable(value)
