"""``manage.py score`` over every format: the same numbers as over plain text."""

import os
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from calculators.files.model import Upload

from .samples import HYPOTHESES, OTHERS, REFERENCES, TMX, TSV, WMT, XLIFF_1, XLSX, lines_of, of


def scored(capsys: pytest.CaptureFixture[str], *files: str) -> list[str]:
    """The scores of BLEU and chrF that the command prints, a line a system and metric."""
    call_command("score", "bleu,chrf", *files)
    rows = capsys.readouterr().out.splitlines()
    return [row.split("=", 1)[1].split()[0] for row in rows if not row.startswith("note:")]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for upload in (
        of("one", lines_of(HYPOTHESES)),
        of("two", lines_of(OTHERS)),
        of("ref", lines_of(REFERENCES)),
        of("one.tmx", TMX),
        of("one.xlf", XLIFF_1),
        of("all.tsv", TSV),
        of("all.xlsx", XLSX),
        of("wmt.xml", WMT),
    ):
        _written(tmp_path, upload)
    return tmp_path


def _written(folder: Path, upload: Upload) -> None:
    (folder / upload.name).write_bytes(upload.data)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", ["one.tmx", "one.xlf"])
def test_a_file_of_a_translation_tool_scores_as_its_lines_do(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = scored(capsys, "--hypothesis", "one", "--reference", "ref")
    assert len(expected) == 2
    assert scored(capsys, "--hypothesis", name, "--reference", "ref") == expected


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", ["all.tsv", "all.xlsx"])
def test_a_table_needs_no_file_of_references(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    expected = scored(capsys, "--hypothesis", "one", "--hypothesis", "two", "--reference", "ref")
    assert len(expected) == 4
    assert scored(capsys, "--hypothesis", name) == expected


@pytest.mark.usefixtures("folder")
def test_wmt_xml_scores_all_its_systems_against_all_its_references(
    capsys: pytest.CaptureFixture[str],
) -> None:
    both = (
        "--hypothesis",
        "one",
        "--hypothesis",
        "two",
        "--reference",
        "ref",
        "--reference",
        "two",
    )
    assert scored(capsys, "--hypothesis", "wmt.xml") == scored(capsys, *both)


@pytest.mark.usefixtures("folder")
def test_a_broken_file_is_named() -> None:
    Path("broken.xlf").write_text(XLIFF_1[:-20], "utf-8")
    with pytest.raises(CommandError, match=r"broken\.xlf: line \d+, column \d+"):
        call_command("score", "bleu", "--hypothesis", "broken.xlf", "--reference", "ref")


@pytest.mark.usefixtures("folder")
def test_half_a_character_in_the_name_of_a_system_is_refused() -> None:
    Path("half.json").write_text('{"references":["a"],"systems":{"\\ud800":["b"]}}', "utf-8")
    with pytest.raises(
        CommandError, match=r"half\.json: the name or heading of system 1 holds half"
    ):
        call_command("score", "bleu", "--hypothesis", "half.json")


@pytest.mark.usefixtures("folder")
def test_a_file_whose_own_name_is_not_utf_8_is_scored(capsys: pytest.CaptureFixture[str]) -> None:
    odd = os.fsdecode(b"caf\xe9")
    Path(odd).write_text(lines_of(OTHERS), "utf-8")
    given = ("--hypothesis", "one", "--hypothesis", odd, "--reference", "ref")
    call_command("score", "bleu", *given, "--json")
    assert '"caf?"' in capsys.readouterr().out
