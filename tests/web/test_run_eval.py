"""``manage.py run_eval`` and ``compare_ngrams``: tables, report.json, JUnit, exit statuses."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from django.core.management import CommandError, call_command

from calculators.gate.items import FAULTS_TOLD, ItemsError, items_of_text
from calculators.management.commands import compare_ngrams, run_eval
from calculators.management.plain import PlainCommand
from calculators.management.progress import with_progress
from calculators.scoring.gate import Item

ROOT = Path(__file__).parents[2]
Capture = pytest.CaptureFixture[str]

GOOD = {"id": "good", "source_text": "the same ten words", "generated_output": "the same ten words"}
BAD = {"id": "bad", "source_text": "the same ten words", "generated_output": ""}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the command runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ended(command: PlainCommand, *arguments: str) -> int:
    """The exit status."""
    try:
        command.run_from_argv(["manage.py", command.name, *arguments])
    except SystemExit as end:
        return int(str(end.code))
    return 0


def judged(capsys: Capture, *arguments: str) -> tuple[int, list[str]]:
    """The exit status and the lines printed; nothing may stand on standard error."""
    status = ended(run_eval.Command(), *arguments)
    printed = capsys.readouterr()
    assert printed.err == ""
    return status, printed.out.splitlines()


def refusal(capsys: Capture, *arguments: str, command: PlainCommand | None = None) -> str:
    """The one line on standard error with which the command ends."""
    command = command or run_eval.Command()
    assert ended(command, *arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"{command.name}: ")
    assert printed.err.count("\n") == 1
    return printed.err.removeprefix(f"{command.name}: ").rstrip("\n")


def write(*items: dict[str, Any], name: str = "items.json") -> str:
    Path(name).write_text(json.dumps(items))
    return name


# Tables


def test_the_bundled_cases_are_judged_without_data(capsys: Capture) -> None:
    status, lines = judged(capsys)
    assert status == 1
    assert lines[0].split() == (
        ["Item", "p1", "p2", "p3", "p4", "BP", "Raw", "Smoothed", "Structure", "Overall", "Verdict"]
    )
    assert lines[2] == (
        "Near copy-paste       0.83  0.82  0.80  0.78  1.00  0.81      0.82       1.00"
        "   0.8594     PASS"
    )
    assert [line.split()[-1] for line in lines[1:7]] == ["FAIL", "PASS", *["FAIL"] * 4]
    assert len({len(line) for line in lines[:7]}) == 1
    assert any(
        line.startswith("Drops critical facts: fails on the brevity penalty: 0.20")
        for line in lines
    )
    assert lines[-1] == "1 of 6 items passed (threshold 0.5)."


def test_the_labelled_pairs_are_compared(capsys: Capture) -> None:
    assert ended(compare_ngrams.Command()) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["Item", "p1", "p2", "p3", "p4", "BP", "Raw", "Smoothed"]
    assert [line.split()[-7:] for line in lines[1:]] == [
        ["0.50", "0.11", "0.00", "0.00", "0.82", "0.00", "0.16"],
        ["0.83", "0.82", "0.80", "0.78", "1.00", "0.81", "0.82"],
        ["0.80", "0.50", "0.33", "0.00", "0.20", "0.00", "0.11"],
        ["0.00", "0.00", "0.00", "0.00", "1.00", "0.00", "0.10"],
    ]


def test_pairs_of_ones_own_are_compared(capsys: Capture) -> None:
    assert ended(compare_ngrams.Command(), "--data", write(GOOD, BAD)) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("good  1.00")
    assert (
        "no such file"
        in refusal(capsys, "--data", "gone", command=compare_ngrams.Command()).lower()
    )


def test_all_pass_is_status_0_and_a_failure_is_status_1(capsys: Capture) -> None:
    assert judged(capsys, "--data", write(GOOD))[0] == 0
    assert judged(capsys, "--data", write(GOOD, BAD))[0] == 1


def test_the_threshold_can_be_set(capsys: Capture) -> None:
    close = GOOD | {"generated_output": "the same nine words"}
    assert judged(capsys, "--data", write(close), "--threshold", "0.9")[0] == 1
    status, lines = judged(capsys, "--data", write(close), "--threshold", "0.4")
    assert status == 0
    assert lines[-1] == "1 of 1 item passed (threshold 0.4)."


def test_warnings_stand_below_the_table(capsys: Capture) -> None:
    item = {"id": "flaw", "source_text": "Confirmed", "generated_output": "Helicopters"}
    status, lines = judged(capsys, "--data", write(item))
    assert status == 0
    assert any(line.startswith("flaw: warning: The output has 1 token.") for line in lines)


def test_an_id_can_not_steer_the_terminal_or_break_the_columns(capsys: Capture) -> None:
    ids = ["\x1b[31mred\n", "長い識別子" * 20, "e\u0301"]
    lines = judged(capsys, "--data", write(*({**GOOD, "id": id} for id in ids)))[1]
    assert not any(ord(character) < 32 or character == "\x7f" for character in "".join(lines))
    assert lines[1].startswith("\\u001b[31mred\\u000a  ")
    assert "…" in lines[2]


# Reading


def test_json_lines_are_read_with_blank_lines_and_u_2028_inside(capsys: Capture) -> None:
    rows = [GOOD, BAD | {"source_text": "one\u2028two"}]
    text = "\r\n\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    Path("items.jsonl").write_bytes(text.encode())
    status, lines = judged(capsys, "--data", "items.jsonl")
    assert (status, lines[-1]) == (1, "1 of 2 items passed (threshold 0.5).")


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([GOOD]),
        json.dumps(GOOD),
        json.dumps({"items": [GOOD]}),
        json.dumps(GOOD, indent=2),
        "\ufeff" + json.dumps([GOOD]),
        json.dumps([GOOD | {"label": "more", "score": 3}]),
    ],
)
def test_these_shapes_are_one_item(text: str) -> None:
    assert items_of_text(text) == (Item(**GOOD),)


def test_utf_16_with_its_mark_is_read(capsys: Capture) -> None:
    Path("items").write_bytes(json.dumps([GOOD]).encode("utf-16"))
    assert judged(capsys, "--data", "items")[0] == 0


def test_standard_input_is_read(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    data = json.dumps([GOOD]).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert judged(capsys, "--data", "-")[0] == 0


# Refusals


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "There is no text. Give a JSON array of items, or JSON lines"),
        ("  \n", "There is no text."),
        ("[", "This is not JSON: the fault is at line 1, column 2."),
        ('[\n{"id": }]', "This is not JSON: the fault is at line 2, column 8."),
        ('{"id": "a"}\n{"id"', "This is not JSON: the fault is at line 2, column 6."),
        ("[]", "There are no items."),
        ("3", "This is no list of items."),
        ('"text"', "This is no list of items."),
        ('{"items": 3}', "This is no list of items."),
        ("[NaN]", "NaN and Infinity are not JSON."),
        ("[" * 100_000, "The JSON is nested too deeply."),
        ("[" + "9" * 10_000 + "]", "A number in the JSON has too many digits."),
        ('[{"id": "a", "id": "b"}]', "An object of the JSON has the same name twice."),
        ("[3]", "Item 1 is no object with id, source_text and generated_output."),
        ("[[]]", "Item 1 is no object"),
        ("[{}]", "Item 1 has no id, no source_text and no generated_output."),
        (json.dumps([GOOD, BAD | {"id": 3}]), "Item 2: id must be text in quotation marks."),
        (json.dumps([GOOD | {"id": " "}]), "Item 1: id is empty."),
        (
            json.dumps([GOOD, BAD | {"generated_output": None}]),
            'Item 2: generated_output must be text in quotation marks (id "bad").',
        ),
        (json.dumps([{"id": "a", "source_text": "b"}]), 'Item 1 has no generated_output (id "a").'),
        (json.dumps([GOOD, BAD, GOOD]), 'Items 1 and 3 have the same id (id "good").'),
        (json.dumps([GOOD | {"source_text": "\0"}]), "Item 1: source_text: The text holds a NUL"),
        ('[{"id":"a","source_text":"\\ud800","generated_output":""}]', "Item 1: source_text: The"),
        (
            json.dumps([{}, {}]),
            "Item 1 has no id, no source_text and no generated_output. And 1 more",
        ),
    ],
)
def test_bad_data_is_status_2_with_the_item_named_in_one_line(
    text: str, message: str, capsys: Capture
) -> None:
    Path("items").write_text(text)
    assert refusal(capsys, "--data", "items").startswith(f"items: {message}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--data", "gone"), "gone: No such file or directory"),
        (("--data", "."), ".: Is a directory"),
        (("--data", "a\0b"), "a\0b: this is not the name of a file"),
        (("--threshold", "half"), "Threshold: enter a number."),
        (("--threshold", "nan"), "Threshold must be from 0 to 1."),
        (("--threshold", "-0.1"), "Threshold must be from 0 to 1."),
        (("--threshold", "1.1"), "Threshold must be from 0 to 1."),
        (("--frobnicate",), "unrecognized arguments: --frobnicate"),
        (("more",), "unrecognized arguments: more"),
        (("--output", "no/such/folder"), "no/such/folder: No such file or directory"),
        (("--junit", "."), ".: Is a directory"),
    ],
)
def test_arguments_that_do_not_fit_are_status_2(
    arguments: tuple[str, ...], message: str, capsys: Capture
) -> None:
    assert refusal(capsys, *arguments).startswith(message)


def test_bytes_that_are_no_text_are_refused(capsys: Capture) -> None:
    Path("items").write_bytes(b'[{"id": "\xff"}]')
    assert refusal(capsys, "--data", "items").startswith(
        "items: The file is not text: line 1 is not UTF-8 text: the fault is at byte 9"
    )


def test_faults_hold_no_word_of_the_texts_and_are_told_up_to_a_number() -> None:
    items = [{"id": "canary", "source_text": "canary", "generated_output": ["canary"]}] * 30
    with pytest.raises(ItemsError) as refused:
        items_of_text(json.dumps(items))
    assert len(refused.value.messages) == FAULTS_TOLD + 1
    assert refused.value.messages[-1] == "There are 21 more faults."
    assert "canary" not in " ".join(refused.value.messages)


# report.json and JUnit


def test_the_report_holds_everything_in_its_shape(capsys: Capture) -> None:
    status, _ = judged(capsys, "--output", "report.json")
    report = json.loads(Path("report.json").read_text())
    assert status == 1
    assert list(report) == ["settings", "summary", "items"]
    assert report["settings"]["threshold"] == 0.5
    assert report["settings"]["signature"].startswith("bleu|refs:1|n:4|tok:gate|")
    assert report["summary"] == {"items": 6, "passed": 1, "failed": 5}
    copy = report["items"][1]
    assert (copy["id"], copy["verdict"], copy["reasons"]) == ("Near copy-paste", "PASS", [])
    assert copy["overall"] == pytest.approx(0.8593894002116844, abs=1e-9)
    assert copy["bleu"] == pytest.approx(0.8242367502646054, abs=1e-9)
    assert copy["raw_bleu"] == pytest.approx(0.8070557274927982, abs=1e-9)
    assert (copy["structure"], copy["brevity_penalty"]) == (1.0, 1.0)
    assert copy["precisions"] == [10 / 12, 9 / 11, 8 / 10, 7 / 9]
    for item in report["items"]:
        assert bool(item["reasons"]) is (item["verdict"] == "FAIL")
        assert len(item["precisions"]) == 4


def test_the_report_and_junit_hold_no_text_but_the_ids(capsys: Capture) -> None:
    item = {"id": "named", "source_text": "canary", "generated_output": "canary"}
    judged(capsys, "--data", write(item, BAD), "--output", "r.json", "--junit", "j.xml")
    for name in ("r.json", "j.xml"):
        text = Path(name).read_text()
        assert "named" in text
        assert "canary" not in text


def test_the_report_can_be_printed_in_place_of_the_table(capsys: Capture) -> None:
    status, lines = judged(capsys, "--data", write(GOOD), "--output", "-")
    assert status == 0
    assert json.loads("\n".join(lines))["summary"]["passed"] == 1


def test_junit_is_valid_xml_with_a_test_case_an_item(capsys: Capture) -> None:
    ids = ['<&">\x01\ufffe\ud7ff', "two\nlines", "]]>", "猫"]
    items = [BAD | {"id": id} for id in ids] + [GOOD]
    status, _ = judged(capsys, "--data", write(*items), "--junit", "gate.xml")
    assert status == 1
    root = ElementTree.parse("gate.xml").getroot()
    (suite,) = root
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("5", "4", "0")
    names = [case.get("name") for case in suite]
    assert names == ['<&">\ufffd\ufffd\ud7ff', "two\nlines", "]]>", "猫", "good"]
    failures = [case.find("failure") for case in suite]
    assert [failure is not None for failure in failures] == [True] * 4 + [False]
    assert failures[0] is not None
    assert failures[0].get("message") == "fails on the output: it is empty"


# Progress


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_long_run_shows_a_bar_on_a_terminal_and_clears_it() -> None:
    stream = Terminal()
    assert list(with_progress(range(1000), 1000, stream)) == list(range(1000))
    shown = stream.getvalue()
    assert re.search(r"\r\[#{15}\.{15}\]  50 % 5\d\d of 1,000", shown)
    assert shown.endswith("\r\x1b[K")


def test_a_bar_is_cleared_where_the_run_breaks_off() -> None:
    def broken() -> Iterator[int]:
        yield from range(300)
        raise ValueError

    stream = Terminal()
    with pytest.raises(ValueError):
        list(with_progress(broken(), 1000, stream))
    assert stream.getvalue().endswith("\r\x1b[K")


def test_no_bar_goes_into_a_pipe_or_stands_over_a_short_run() -> None:
    pipe, terminal = io.StringIO(), Terminal()
    list(with_progress(range(1000), 1000, pipe))
    list(with_progress(range(10), 10, terminal))
    assert (pipe.getvalue(), terminal.getvalue()) == ("", "")


def test_a_long_file_is_judged_without_a_sound_in_a_pipe(capsys: Capture) -> None:
    items = [GOOD | {"id": str(number)} for number in range(1000)]
    status, lines = judged(capsys, "--data", write(*items))
    assert (status, lines[-1]) == (0, "1,000 of 1,000 items passed (threshold 0.5).")


# As a user starts it


def started(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command without a key and without a database."""
    environment = {
        name: value for name, value in os.environ.items() if name not in ("SECRET_KEY", "DEBUG")
    }
    environment |= {"DATABASE_URL": "sqlite:////nowhere/at/all.sqlite3"}
    command = [sys.executable, str(ROOT / "manage.py"), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_it_needs_neither_a_key_nor_a_database() -> None:
    ended = started("run_eval", "--output", "report.json")
    assert (ended.returncode, ended.stderr) == (1, "")
    assert json.loads(Path("report.json").read_text())["summary"]["items"] == 6
    assert started("compare_ngrams").returncode == 0


def test_help_tells_the_data_and_the_statuses() -> None:
    told = started("run_eval", "--help").stdout
    for words in ("generated_output", "JSON lines", "--junit", "status 0 where all items pass"):
        assert words in told


def test_they_can_be_called_from_python() -> None:
    out = io.StringIO()
    with pytest.raises(SystemExit) as end:
        call_command("run_eval", stdout=out)
    assert end.value.code == 1
    assert "1 of 6 items passed" in out.getvalue()
    call_command("run_eval", data=write(GOOD), threshold=0.25, stdout=out)
    with pytest.raises(CommandError, match="No such file"):
        call_command("run_eval", data="gone")
