"""What visitors send is never written to a file, not even to one that is deleted at once."""

from __future__ import annotations

import os
import sys

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from calculators.scoring import METRICS

TEXT = b"the cat sat on the mat\n" * 20_000  # more than Django itself would keep in memory
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
opened: list[str] = []
watching: list[bool] = []


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if watching and event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING:
        opened.append(str(arguments[0]))


@pytest.fixture(scope="session", autouse=True)
def watched() -> None:
    """Every file that Python opens for writing; such a hook stays, and does nothing later."""
    sys.addaudithook(_watch)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        *(("/files/", name) for name in ("systems", "references", "sources", "both")),
        *(("/files/download/", "systems"), ("/gate/", "file"), ("/gate/report.json", "file")),
        *((f"/{METRICS[0].slug}/", name) for name in ("hypothesis", "references", "anything")),
        (f"/feedback/{METRICS[0].slug}/", "text"),
    ],
)
def test_nothing_that_is_sent_touches_the_disk(db: None, path: str, name: str) -> None:
    Client().get(path)  # loads what is loaded once
    opened.clear()
    watching.append(True)
    Client(raise_request_exception=False).post(path, {name: SimpleUploadedFile("a.txt", TEXT * 6)})
    watching.clear()
    assert opened == []


def test_the_watch_sees_a_file_that_is_written(tmp_path) -> None:
    opened.clear()
    watching.append(True)
    (tmp_path / "a").write_text("a")
    watching.clear()
    assert opened == [str(tmp_path / "a")]
