"""What the documents say of the program is there in the program."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
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


def blocks(text: str) -> list[str]:
    """The indented code blocks of a text, without their indent."""
    found = re.findall(r"(?:^    .*\n(?:\n(?=    ))?)+", text, re.M)
    return [re.sub(r"^    ", "", block, flags=re.M) for block in found]


GATE = (ROOT / "calculators/content/site/gate-method.md").read_text("utf-8")
ITEM = {"id": "one", "source_text": "the cat sat on the mat", "generated_output": "the dog"}


def test_the_readme_and_the_page_of_the_gate_tell_a_build_the_same() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    fenced = re.findall(r"```(?:yaml|sh)\n(.*?)```", readme, re.S)
    assert len(fenced) == 2
    assert fenced == blocks(GATE)[-2:]


@pytest.mark.parametrize(("output", "status"), [(ITEM["source_text"], 0), ("the dog", 1)])
def test_what_the_page_of_the_gate_tells_a_build_works(
    tmp_path: Path, output: str, status: int
) -> None:
    install, judge, _, shell = blocks(GATE)
    assert f"\n{install.strip()}: requirements.txt\n".replace("make ", "") in (
        ROOT / "Makefile"
    ).read_text("utf-8")
    items = tmp_path / "items.json"
    items.write_text(json.dumps([ITEM | {"generated_output": output}]))
    (tmp_path / "mtcalc").symlink_to(ROOT)
    (tmp_path / "kept").mkdir()
    python = shlex.quote(sys.executable)
    shell = shell.replace("mtcalc/.venv/bin/python", python)
    judge = judge.replace(".venv/bin/python manage.py", f"{python} mtcalc/manage.py")
    for command in (judge, shell):
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env={"PATH": "/usr/bin:/bin", "ARTIFACTS": "kept"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status, done.stderr
        assert json.loads((tmp_path / "report.json").read_text())["summary"]["items"] == 1
    assert (tmp_path / "kept/report.json").exists()
    assert (tmp_path / "kept/gate.xml").exists()
