"""What is sent to the gate's page, checked."""

from __future__ import annotations

from functools import cached_property

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.core.files.uploadedfile import UploadedFile

from ..forms import ShownError
from ..reading import with_line_feeds
from ..scoring import ScoringError
from ..scoring.gate import THRESHOLD, Item
from .items import ItemsError, items_of_text, text_of_bytes
from .limits import refuse_too_many
from .threshold import DEFAULT, threshold_of_text


class GateForm(forms.Form):
    """Items as pasted JSON or as a file, and the threshold. A file takes the place of the text."""

    # A plain field has none of the checks that would refuse the text before it is read.
    items = forms.Field(label="Items", widget=forms.Textarea, required=False)
    file = forms.FileField(label="File", required=False, allow_empty_file=True)
    threshold = forms.Field(label=THRESHOLD.label, required=False)

    @classmethod
    def of_text(cls, text: str) -> GateForm:
        """The form with ``text`` pasted in."""
        return cls({"items": text})

    def clean(self) -> None:
        """Read the items, and tell every fault in them."""
        try:
            text = self.text
        except ItemsError as error:
            self.add_error("file", error.message)
            return
        try:
            items = items_of_text(text)
            refuse_too_many(items)
        except ItemsError as error:
            self.add_error("items", [ValidationError(message) for message in error.messages])
            return
        self.cleaned_data["items"] = items

    def clean_threshold(self) -> float:
        """The threshold; the default where none was sent."""
        try:
            return threshold_of_text(self.data.get("threshold", ""))
        except ScoringError as error:
            raise ValidationError(error.message) from None

    def refuse(self, error: ScoringError) -> None:
        """Set a refusal that scoring met at the top of the page."""
        self.add_error(None, error.message)

    @property
    def judged(self) -> tuple[tuple[Item, ...], float]:
        """The items and the threshold of a form without errors."""
        return self.cleaned_data["items"], self.cleaned_data["threshold"]

    @cached_property
    def text(self) -> str:
        """The text in force: that of the file, else the pasted one."""
        content = self._file_content
        return self._pasted if content is None else text_of_bytes(content)

    @property
    def _pasted(self) -> str:
        return with_line_feeds(self.data.get("items", ""))

    @cached_property
    def _file_content(self) -> bytes | None:
        file = self.files.get("file")
        return file.read() if isinstance(file, UploadedFile) else None

    # What follows shows the form again.

    @property
    def shown_text(self) -> str:
        """What stands in the text box: what is in force, so that faults can be mended there.

        A file that is empty or is no text puts nothing in the place of what was typed.
        """
        try:
            return self.text or self._pasted
        except ItemsError:
            return self._pasted

    @property
    def shown_threshold(self) -> str:
        """What stands in the field of the threshold."""
        return str(self.data.get("threshold") or DEFAULT)

    @property
    def error_list(self) -> list[ShownError]:
        """Every error, for the summary at the top of the page."""
        return [
            # The messages say themselves what they are about.
            ShownError("" if name == NON_FIELD_ERRORS else f"id_{name}", "", str(message))
            for name, messages in self.errors.items()
            for message in messages
        ]
