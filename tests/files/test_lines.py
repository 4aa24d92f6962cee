"""Reading line-aligned files."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.files.lines import lines
from calculators.scoring import ScoringError

CASES = Path(__file__).parents[1] / "data" / "cases" / "bug_reports.jsonl"
FILE_CASES = [
    case
    for case in map(json.loads, CASES.read_text("utf-8").split("\n")[:-1])
    if case["metric"] == "file"
]


def refusal(data: bytes) -> str:
    with pytest.raises(ScoringError) as caught:
        lines(data)
    return caught.value.message


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_line_ends_at_lf_and_one_cr_goes_with_it(end: bytes) -> None:
    assert lines(b"one" + end + b"two" + end) == ["one", "two"]


def test_only_one_cr_belongs_to_the_end() -> None:
    assert lines(b"one\r\r\ntwo\r\n") == ["one\r", "two"]


def test_a_last_line_without_an_end_counts() -> None:
    assert lines(b"one\ntwo") == lines(b"one\ntwo\n") == ["one", "two"]


def test_empty_lines_keep_their_places_at_the_end_too() -> None:
    assert lines(b"\none\n\n\n") == ["", "one", "", ""]
    assert lines(b"\n") == [""]


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85", "\v", "\f", "\x1c", "\x1e", "a\rb"])
def test_no_other_character_ends_a_line(mark: str) -> None:
    assert lines(f"one{mark}more\ntwo\n".encode()) == [f"one{mark}more", "two"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_dropped_and_tells_the_encoding(encoding: str) -> None:
    assert lines("één\n二\n".encode(encoding)) == ["één", "二"]


def test_utf_16_of_the_other_byte_order_is_read() -> None:
    assert lines(b"\xfe\xff" + "één\r\n二".encode("utf-16-be")) == ["één", "二"]


def test_a_mark_inside_the_text_is_text() -> None:
    assert lines("one\n\ufefftwo\n".encode()) == ["one", "\ufefftwo"]


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b"\xff\xfe"])
def test_an_empty_file_is_refused(data: bytes) -> None:
    assert refusal(data) == "the file is empty; check that it is the right file"


def test_the_refusal_of_a_bad_byte_names_its_line_and_place() -> None:
    # "één\n" is 6 bytes and "two " 4, so the fault is at byte 10, in line 2.
    assert refusal("één\n".encode() + b"two \xff") == (
        "line 2 is not UTF-8 text: the fault is at byte 10 of the file, counted from 0; save the"
        " file as UTF-8"
    )


def test_the_place_counts_a_byte_order_mark() -> None:
    assert "byte 5 of" in refusal(b"\xef\xbb\xbfab\xff")
    assert refusal("a\nb".encode("utf-16-le").join([b"\xff\xfe", b"\x00\xd8"])) == (
        "line 2 is not UTF-16 text: the fault is at byte 8 of the file, counted from 0; save the"
        " file as UTF-8"
    )


def test_latin_1_and_surrogates_in_utf_8_are_refused() -> None:
    assert "line 1 is not UTF-8" in refusal("é".encode("latin-1"))
    assert "line 1 is not UTF-8" in refusal(b"\xed\xa0\x80")


WESTERN = "Die Fähre war „wieder“ spät – schade.\nWe had a café crème, didn’t we?\n"


@pytest.mark.parametrize(
    ("data", "is_western"),
    [
        (WESTERN.encode("cp1252"), True),
        ("naïve".encode("latin-1"), True),
        (WESTERN.encode() + b"\xff", False),
        ("Зачем нам кофе на берегу".encode("koi8-r"), False),
        ("Зачем нам кофе на берегу".encode("cp1251"), False),
        ("我们在码头喝咖啡。".encode("gb18030"), False),
        ("コーヒーを飲んだ".encode("shift-jis"), False),
        ("Zażółć gęślą jaźń, proszę bardzo".encode("cp1250"), False),
        (b"caf\xe9 \x81", False),  # no character of Windows-1252
        (b"caf\xe9 \x01" + b" caf" * 9, False),
    ],
)
def test_text_of_a_western_windows_is_told_as_such(data: bytes, is_western: bool) -> None:
    message = refusal(data)
    assert ("it looks like Windows-1252" in message) is is_western
    assert message.endswith("as UTF-8")


PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89"


@pytest.mark.parametrize(
    "data",
    [
        PNG,
        b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01",
        b"\x7fELF\x02\x01\x01" + b"\0" * 9 + b"\xff" * 9,
    ],
)
def test_what_is_no_text_is_told_as_such(data: bytes) -> None:
    assert refusal(data).startswith("this is no text but data such as a picture")


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_its_mark_is_told_as_such(codec: str) -> None:
    message = "this looks like UTF-16 without a byte order mark; save the file as UTF-8"
    assert refusal("Die Fähre war wieder spät\n".encode(codec)) == message


def test_a_nul_is_refused_with_its_line() -> None:
    assert refusal(b"one\ntw\0o\n").startswith("line 2 holds a NUL character")


@given(st.binary(max_size=60))
def test_any_bytes_give_lines_or_a_refusal(data: bytes) -> None:
    try:
        found = lines(data)
    except ScoringError:
        return
    assert found
    assert not any("\n" in line for line in found)


@given(
    st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n\r\0")), min_size=1),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
def test_written_lines_are_read_back(segments: list[str], encoding: str) -> None:
    if segments[0].startswith("\ufeff"):
        return  # at the start of a file it is the mark
    text = "".join(f"{segment}\n" for segment in segments)
    assert lines(text.encode(encoding)) == segments


@pytest.mark.parametrize("case", FILE_CASES, ids=[case["id"] for case in FILE_CASES])
def test_reported_files_have_the_lines_that_other_tools_count_at_lf(case: dict[str, Any]) -> None:
    files = [case["hypothesis_b64"], *case["references_b64"]]
    for data in map(base64.b64decode, files):
        if not data:
            assert refusal(data) == "the file is empty; check that it is the right file"
        elif data.startswith(b"\xff\xfe"):
            assert len(lines(data)) == data.count("\n".encode("utf-16-le"))
        else:
            assert len(lines(data)) == len(data.removesuffix(b"\n").split(b"\n"))
