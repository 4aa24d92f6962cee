"""Sends files to the page and reads what it shows."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from calculators.files.answer import FilesAnswer

FILES, DOWNLOAD = "/files/", "/files/download/"
SETS = Path(__file__).parents[1] / "data" / "sets"

A = "the cat sat on the mat\nthe boat came late\nwe had tea\n"
B = "a cat sat on mat\nthe boat came late\nwe have had the tea\n"
REFERENCE = "the cat sat on the mat\nthe boat was late\nwe had tea\n"
BLEU, CHRF, TER, NIST = "bleu:sacrebleu", "chrf:chrf", "ter:sacrebleu", "nist:nltk"


def upload(name: str, text: str | bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode() if isinstance(text, str) else text)


def fields(**more: Any) -> dict[str, Any]:
    """Two systems and a reference as files, scored by BLEU and chrF."""
    sent = {
        "systems": [upload("a.txt", A), upload("b.txt", B)],
        "references": [upload("ref.txt", REFERENCE)],
        "metrics": [BLEU, CHRF],
        "resamples": "100",
    }
    return {name: value for name, value in (sent | more).items() if value is not None}


def post(sent: dict[str, Any], path: str = FILES, **more: Any) -> Any:
    return Client(raise_request_exception=False).post(path, sent, **more)


def page_of(response: Any) -> str:
    return str(response.content.decode())


def text_of(response: Any) -> str:
    """The words of a page without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page_of(response))).split())


def carried(response: Any) -> str:
    """The field in which the page carries everything."""
    found = re.search(r'<input type="hidden" name="state" value="(.*?)">', page_of(response))
    assert found
    return found[1]


def again(response: Any, path: str = FILES, **more: Any) -> Any:
    """What pressing a button on that page sends that asks for more of its results."""
    sent = {"state": carried(response), "metrics": [BLEU, CHRF], "resamples": "100"}
    return post(sent | more, path)


def rescored(response: Any, **more: Any) -> Any:
    """What the button that scores sends from that page."""
    return again(response, score="1", **more)


def answer_of(response: Any) -> FilesAnswer:
    answer = response.context["answer"]
    assert isinstance(answer, FilesAnswer)
    return answer


def rows_of(response: Any) -> list[str]:
    """The rows of the table of segments, without tags."""
    (table,) = re.findall(r'<table class="data segment-table">.*?</table>', page_of(response), re.S)
    found = re.findall(r"<tr.*?</tr>", table.split("<tbody>")[1], re.S)
    return [" ".join(unescape(re.sub(r"<[^>]*>", " ", row)).split()) for row in found]
