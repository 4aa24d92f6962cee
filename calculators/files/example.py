"""The example of the page: two systems and a reference, 24 segments of our own."""

from __future__ import annotations

from importlib.resources import files

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict

from .choices import usual
from .forms import FilesForm

NAME = "two-systems.tsv"


def example_form() -> FilesForm:
    """The form as if the bundled table had been sent with the usual metrics."""
    data = QueryDict(mutable=True)
    data.setlist("metrics", [choice.key for choice in usual()])
    table = files("calculators.files").joinpath(NAME).read_bytes()
    sent = SimpleUploadedFile(NAME, table, "text/tab-separated-values")
    return FilesForm(data, MultiValueDict({"both": [sent]}))
