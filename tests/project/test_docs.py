"""What the documents say of the program is there in the program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SECURITY = (ROOT / "docs/security.md").read_text("utf-8")
OPERATIONS = (ROOT / "docs/operations.md").read_text("utf-8")
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_file_that_a_document_names_is_there(document: Path) -> None:
    text = document.read_text("utf-8")
    named = set(
        re.findall(r"`((?:tests|mtcalc|calculators|docs|templates|static)/[\w./-]+)`", text)
    )
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_promise_names_its_test() -> None:
    promises, _, _ = SECURITY.partition("## What it does not promise")
    paragraphs = [part for part in promises.split("\n\n") if part.startswith("**")]
    assert len(paragraphs) > 10
    assert [p for p in paragraphs if not re.search(r"`tests/|`make soak", p)] == []


def test_every_part_of_the_soak_that_is_named_is_one() -> None:
    from tests.soak.__main__ import ALONE, ON_A_SITE

    named = re.findall(r'make soak ARGS="?([\w ]+)', SECURITY)
    assert {name for names in named for name in names.split()} <= {*ALONE, *ON_A_SITE}


def test_every_setting_from_the_environment_is_listed() -> None:
    sources = [ROOT / "mtcalc/settings.py", ROOT / "calculators/management/commands/serve.py"]
    text = "".join(source.read_text("utf-8") for source in sources)
    read = set(
        re.findall(r'(?:_flag|_count|environ(?:ment)?\.(?:get|setdefault))\("([A-Z_]+)"', text)
    )
    assert len(read) > 15
    table = OPERATIONS.partition("## Settings")[2].partition("##")[0]
    assert read | {"DATABASE_URL"} <= set(re.findall(r"`([A-Z_]+)`", table))
