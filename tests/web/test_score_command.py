"""``manage.py score``: its output, and one line on standard error where it refuses."""

from __future__ import annotations

import base64
import io
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from calculators.management.commands.score import Command
from calculators.scoring import Options, bleu, nist, registry

from .words_metric import METRIC

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.usefixtures("words")


EMPTY_LINE = "Line 3 of the hypothesis is empty; it is scored as it is."


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with three segments, their references, and files that are at fault."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hyp").write_bytes(b"The cat\r\na dog barks\n\n")
    (tmp_path / "ref").write_bytes(b"the cat sat\nthe dog\nnothing\n")
    (tmp_path / "ref2").write_bytes(b"a\nbarks\nnothing")
    (tmp_path / "short").write_bytes(b"one\n")
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "latin").write_bytes(b"one\n\xe9\n")
    return tmp_path


def score(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command prints; it must end well."""
    Command().run_from_argv(["manage.py", "score", *arguments])
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line on standard error with which the command ends."""
    with pytest.raises(SystemExit) as ended:
        Command().run_from_argv(["manage.py", "score", *arguments])
    assert ended.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("score: ")
    assert printed.err.count("\n") == 1
    return printed.err.removeprefix("score: ").rstrip("\n")


FILES = ("words", "--hypothesis", "hyp", "--reference", "ref")
PAIR = ("words", "--text", "The cat sang", "--against", "the cat sat")

Capture = pytest.CaptureFixture[str]


def test_a_file_is_scored_as_a_corpus(files: Path, capsys: Capture) -> None:
    # Three of the five words are known: the, cat, dog.
    line, note = score(capsys, *FILES).splitlines()
    assert line.startswith("Words = 60.00   words|refs:1|lowercase:yes|")
    assert note == f"note: Words: {EMPTY_LINE}"


def test_several_files_of_references_are_several_references(files: Path, capsys: Capture) -> None:
    line, _note = score(capsys, *FILES, "--reference", "ref2").splitlines()
    assert line.startswith("Words = 80.00   words|refs:2|")


def test_a_pair_is_scored_as_a_pair(capsys: Capture) -> None:
    data = json.loads(score(capsys, *PAIR, "--preset", "twice", "--json"))
    assert data[0]["options"]["repeat"] == 2


def test_a_file_takes_the_options_of_the_preset_for_files(files: Path, capsys: Capture) -> None:
    data = json.loads(score(capsys, *FILES, "--preset", "twice", "--json"))
    assert data[0]["options"]["repeat"] == 3


def test_notes_stand_below_the_scores(capsys: Capture) -> None:
    lines = score(capsys, "words", "--text", "a", "--against", "b").splitlines()
    assert lines[0].startswith("Words = 0.00   ")
    assert lines[1:] == ["note: Words: Nothing matched."]


def test_segments_have_a_line_each_in_full_precision(files: Path, capsys: Capture) -> None:
    assert score(capsys, *FILES, "--segments") == f"1.0\n{1 / 3!r}\nundefined\n"


def test_several_metrics_are_aligned_lines_and_columns_with_names(
    files: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = replace(METRIC, slug="longer", name="Longer")
    monkeypatch.setattr(registry, "METRICS", (METRIC, other))
    both = ("words,longer", *FILES[1:])
    first, second, note = score(capsys, *both).splitlines()
    assert first.startswith("Words  = 60.00   words|")
    assert second.startswith("Longer = 60.00   longer|")
    assert note == f"note: Words, Longer: {EMPTY_LINE}"
    assert score(capsys, *both, "--segments").splitlines()[:2] == ["words\tlonger", "1.0\t1.0"]
    assert [data["metric"] for data in json.loads(score(capsys, *both, "--json"))] == [
        "words",
        "longer",
    ]


def test_json_is_the_answer_of_the_api(files: Path, capsys: Capture) -> None:
    (found,) = json.loads(score(capsys, *FILES, "--set", "lowercase=off", "--json"))
    body = {
        "hypotheses": ["The cat", "a dog barks", ""],
        "references": [["the cat sat"], ["the dog"], ["nothing"]],
        "options": {"lowercase": False},
    }
    answer = Client().post("/api/v1/words/corpus", json.dumps(body), "application/json").json()
    assert found == answer


def test_options_are_read_by_their_kinds(capsys: Capture) -> None:
    settings = ("lowercase=no", "repeat=4", "bonus=0.5", "weights=1,0.5", "cut=char")
    arguments = [part for setting in settings for part in ("--set", setting)]
    (data,) = json.loads(score(capsys, *PAIR, *arguments, "--json"))
    assert data["options"] == {
        "lowercase": False,
        "repeat": 4,
        "cut": "char",
        "bonus": 0.5,
        "scale": 1.0,
        "weights": "1,0.5",
    }


def test_nothing_is_capped(capsys: Capture) -> None:
    assert "Words = 100.00" in score(capsys, "words", "--text", "a " * 5000, "--against", "a")


def test_standard_input_is_read_once(
    files: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = (files / "hyp").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "ascii"))
    found = score(capsys, "words", "--hypothesis", "-", "--reference", "ref")
    assert found.startswith("Words = 60.00")
    message = refusal(capsys, "words", "--hypothesis", "-", "--reference", "-")
    assert message == "standard input (-) can be read only once"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "the following arguments are required: METRIC"),
        (("nothing", *FILES[1:]), "there is no metric 'nothing'; known: words"),
        (("words,", *FILES[1:]), "there is no metric ''; known: words"),
        (("words",), "give --hypothesis FILE and --reference FILE, or --text and --against"),
        (FILES[:3], "give --hypothesis FILE and --reference FILE, or --text and --against"),
        (PAIR[:3], "--text needs --against, and --against needs --text"),
        (("words", *PAIR[3:]), "--text needs --against, and --against needs --text"),
        (PAIR + FILES[1:], "give --text and --against, or --hypothesis and --reference, not both"),
        ((*PAIR, "--frobnicate"), "unrecognized arguments: --frobnicate"),
        ((*PAIR, "--pre", "cased"), "unrecognized arguments: --pre cased"),
        ((*PAIR, "--preset"), "argument --preset: expected one argument"),
        ((*PAIR, "--preset", "x"), "words: There is no preset of that name. Known: page, cased,"),
        ((*PAIR, "--set", "repeat"), "--set: write OPTION=VALUE"),
        ((*PAIR, "--set", "x=1"), "--set: there is no option 'x'; known: bonus, cut, lowercase,"),
        (
            (*PAIR, "--set", "repeat=many"),
            "words: --set repeat: Repetitions: enter a whole number.",
        ),
        (
            (*PAIR, "--set", "lowercase=maybe"),
            "words: --set lowercase: Lowercase: say on or off; true, false, yes, no, 1, 0 are",
        ),
        ((*PAIR, "--set", "preset=x"), "--set: there is no option 'preset'"),
        ((*PAIR, "--segments", "--json"), "choose --segments or --json, not both"),
        (("words", "--text", "", "--against", "a"), "A hypothesis without words has no score"),
        (("words", "--text", "a\0", "--against", "a"), "The text holds a NUL character."),
        (("words", "--text", "\udcff", "--against", "a"), "The text holds half a character"),
        (
            ("words", "--hypothesis", "gone", "--reference", "ref"),
            "gone: No such file or directory",
        ),
        (("words", "--hypothesis", ".", "--reference", "ref"), ".: Is a directory"),
        (
            ("words", "--hypothesis", "\0", "--reference", "ref"),
            " : this is not the name of a file",
        ),
        (("words", "--hypothesis", "empty", "--reference", "ref"), "empty: the file is empty"),
        (("words", "--hypothesis", "hyp", "--reference", "latin"), "latin: line 2 is not UTF-8"),
        ((*FILES, "--reference", "short"), "short has 1 line, hyp has 3 lines; both must have"),
        (("words", "--hypothesis", "a\nb", "--reference", "ref"), "a b: No such file"),
    ],
)
def test_what_can_not_be_done_is_one_line_and_status_2(
    arguments: tuple[str, ...], message: str, files: Path, capsys: Capture
) -> None:
    assert refusal(capsys, *arguments).replace("\0", " ").startswith(message)


def test_an_option_goes_to_the_metrics_that_have_it(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    @dataclass(frozen=True)
    class Fewer(Options):
        repeat: int = METRIC.options.__dataclass_fields__["repeat"].default
        lowercase = True
        cut = "space"
        bonus = None
        scale = 1.0

    other = replace(METRIC, slug="fewer", options=Fewer, presets=(), conventions=())
    monkeypatch.setattr(registry, "METRICS", (METRIC, other))
    arguments = ("words,fewer", *PAIR[1:], "--set", "cut=char", "--json")
    options = [data["options"] for data in json.loads(score(capsys, *arguments))]
    assert options[0]["cut"] == "char"
    assert "cut" not in options[1]


def test_it_can_be_called_from_python(files: Path) -> None:
    out = io.StringIO()
    call_command("score", *FILES, stdout=out)
    assert out.getvalue().startswith("Words = 60.00")
    with pytest.raises(CommandError, match="there is no metric 'nothing'"):
        call_command("score", "nothing", *FILES[1:])


def run(*arguments: str, **more: Any) -> subprocess.CompletedProcess[bytes]:
    """The command as a user starts it, without a key and without a database."""
    environment = {
        name: value for name, value in os.environ.items() if name not in ("SECRET_KEY", "DEBUG")
    }
    environment |= {"DATABASE_URL": "sqlite:////nowhere/at/all.sqlite3"}
    command = [sys.executable, str(ROOT / "manage.py"), "score", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, check=False, **more)


def test_it_needs_neither_a_key_nor_a_database() -> None:
    ended = run("nothing", "--text", "a", "--against", "b")
    assert ended.returncode == 2
    assert ended.stdout == b""
    assert ended.stderr.startswith(b"score: there is no metric 'nothing'")
    assert ended.stderr.count(b"\n") == 1


def test_help_tells_the_form_of_the_output() -> None:
    ended = run("--help")
    assert ended.returncode == 0
    assert b"--segments" in ended.stdout
    assert b"a tab between metrics" in ended.stdout


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a line of words\n" * 20_000)
    command = (
        f"{sys.executable} {ROOT / 'manage.py'} score {nist.METRIC.slug} --segments"
        " --hypothesis file --reference file 2>errors | head -n 1"
    )
    ended = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert ended.stdout.count("\n") == 1
    assert (tmp_path / "errors").read_text() == ""


CASES = ROOT / "tests" / "data" / "cases" / "bug_reports.jsonl"
FILE_CASES = [
    case
    for case in map(json.loads, filter(None, CASES.read_text("utf-8").split("\n")))
    if case["metric"] == "file"
]


@pytest.mark.parametrize("case", FILE_CASES, ids=[case["id"] for case in FILE_CASES])
def test_reported_files_are_scored_as_users_expect(
    case: dict[str, Any], files: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "METRICS", (bleu.METRIC,))
    (files / "hyp").write_bytes(base64.b64decode(case["hypothesis_b64"]))
    arguments = [bleu.METRIC.slug, "--preset", "sacrebleu", "--hypothesis", "hyp"]
    for number, reference in enumerate(case["references_b64"], 1):
        (files / f"ref{number}").write_bytes(base64.b64decode(reference))
        arguments += ["--reference", f"ref{number}"]
    if case["outcome"] == "error":
        assert re.match("hyp: the file is empty|ref2 has 2 lines, ", refusal(capsys, *arguments))
        return
    # Tabs are white space: a file with several references a line is not asked for as one.
    as_text = case["others"].get("tab as white space")
    expected = as_text or case.get("show", case["tool_gives"])
    (answer,) = json.loads(score(capsys, *arguments, "--json"))
    assert 100 * answer["score"] == pytest.approx(expected, abs=1e-9)


# Several systems


BOTH = ("words", "--hypothesis", "hyp", "--hypothesis", "ref2", "--reference", "ref")


def test_several_systems_have_a_line_each(files: Path, capsys: Capture) -> None:
    first, second = score(capsys, *BOTH).splitlines()[:2]
    assert first.startswith("hyp   Words = 60.00   words|refs:1|")
    # Of "a", "barks" and "nothing" the last stands in its reference.
    assert second.startswith("ref2  Words = 33.33   words|refs:1|")


def test_several_systems_are_columns_of_segments_and_objects_of_json(
    files: Path, capsys: Capture
) -> None:
    rows = score(capsys, *BOTH, "--segments").splitlines()
    assert rows[0] == "hyp:words\tref2:words"
    assert rows[1] == "1.0\t0.0"
    data = json.loads(score(capsys, *BOTH, "--json"))
    assert [(each["system"], each["metric"]) for each in data] == [
        ("hyp", "words"),
        ("ref2", "words"),
    ]


def test_a_comparison_gives_intervals_and_holds_systems_against_the_baseline(
    files: Path, capsys: Capture
) -> None:
    arguments = (*BOTH, "--compare", "--resamples", "200", "--seed", "3")
    printed = score(capsys, *arguments)
    assert "paired bootstrap, 200 resamples, seed 3; p corrected by Holm" in printed
    assert re.search(r"^Words +ref2 +hyp +-26\.67 ", printed, re.M)
    first, second = json.loads(score(capsys, *arguments, "--json"))
    assert first["interval"][0] <= first["score"] <= first["interval"][1]
    assert first["against"] == []
    (against,) = second["against"]
    assert against["system"] == "hyp"
    assert against["difference"] == pytest.approx(1 / 3 - 3 / 5)
    assert 0 < against["p_value"] <= against["p_corrected"] <= 1
    turned = json.loads(score(capsys, *arguments, "--json", "--baseline", "2"))
    assert [len(each["against"]) for each in turned] == [1, 0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--compare", "--segments"), "choose --segments or --compare, not both"),
        (("--compare", "--baseline", "3"), "--baseline: a number from 1 to 2, or every"),
        (("--compare", "--baseline", "²"), "--baseline: a number from 1 to 2, or every"),
        (("--compare", "--resamples", "5"), "--resamples: from 100 to 10,000"),
        (("--compare", "--seed", "-1"), "--seed: from 0 to 4,294,967,295"),
        (("--compare", "--test", "t"), "argument --test: invalid choice"),
    ],
)
def test_a_comparison_that_can_not_be_made_is_refused(
    arguments: tuple[str, ...], message: str, files: Path, capsys: Capture
) -> None:
    assert refusal(capsys, *BOTH, *arguments).startswith(message)


def test_all_stands_for_every_metric(files: Path, capsys: Capture) -> None:
    assert score(capsys, "all", *FILES[1:]) == score(capsys, *FILES)


def test_a_bar_is_shown_at_a_terminal_alone(
    files: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (files / "long").write_text("the cat\n" * 500)
    many = ("words", "--hypothesis", "long", "--reference", "long")
    assert "Words = 100.00" in score(capsys, *many)  # with nothing on standard error
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    Command().run_from_argv(["manage.py", "score", *many])
    printed = capsys.readouterr()
    assert "500 of 500" in printed.err
    assert "of 500" not in printed.out


@pytest.mark.parametrize("odd", ["hypotheses", "references"])
def test_tabs_and_tokenised_text_are_noted_in_either_file(
    odd: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [f"line {number} is done now." for number in range(100)]
    for name in ("hypotheses", "references"):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    tabbed = [f"{line[:-1]}\t{line[:-1]} ." for line in lines]
    (tmp_path / odd).write_text("\n".join(tabbed) + "\n")
    files = ["--hypothesis", tmp_path / "hypotheses", "--reference", tmp_path / "references"]
    call_command("score", METRIC.slug, *map(str, files))
    printed = capsys.readouterr().out
    assert f"{tmp_path / odd} holds tabs in 100 lines." in printed
    assert f"{tmp_path / odd} looks tokenised" in printed
    (data,) = json.loads(score(capsys, METRIC.slug, *map(str, files), "--json"))
    told = [note.removeprefix("files: ") for note in data["notes"] if note.startswith("files: ")]
    assert told
    assert all(f"note: files: {note}" in printed for note in told)


def test_the_language_that_a_memory_asks_for_can_be_given(capsys: Capture, tmp_path: Path) -> None:
    memory, reference = tmp_path / "m.tmx", tmp_path / "r"
    units = "".join(
        f'<tuv xml:lang="{code}"><seg>{text}</seg></tuv>'
        for code, text in (("en", "a cat"), ("de", "Katze"), ("fr", "chat"))
    )
    header = '<header srclang="en"/>'
    memory.write_text(f"<tmx version='1.4'>{header}<body><tu>{units}</tu></body></tmx>", "utf-8")
    reference.write_text("Katze\n", "utf-8")
    files = ("words", "--hypothesis", str(memory), "--reference", str(reference))
    assert "say which language is the translation" in refusal(capsys, *files)
    assert "1" in score(capsys, *files, "--target-language", "de")
