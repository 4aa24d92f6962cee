"""The page for files: faults, progress, and whatever is sent."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client, RequestFactory, override_settings
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calculators.files import views
from calculators.scoring import Budget
from mtcalc.logging import PrivateFormatter
from tests.outline import assert_sound, outline

from .files_page import (
    BLEU,
    DOWNLOAD,
    FILES,
    REFERENCE,
    A,
    again,
    answer_of,
    carried,
    fields,
    page_of,
    post,
    text_of,
    upload,
)

# Errors


def test_every_fault_is_told_at_once_and_nothing_is_lost() -> None:
    response = post({"resamples": "5", "seed": "x", "system_1": "typed", "metrics": []})
    assert response.status_code == 400
    page = page_of(response)
    assert "<title>Error:" in page
    for field, message in (
        ("metrics", "Choose at least one metric."),
        ("resamples", "Resamples must be a whole number from 100 to 10,000."),
        ("seed", "Seed must be a whole number"),
    ):
        assert f'<a href="#id_{field}">{message}' in page
    assert "typed</textarea>" in page
    assert 'name="resamples" value="5"' in page


def test_files_that_were_read_survive_another_fault() -> None:
    response = post(fields(metrics=[]))
    assert response.status_code == 400
    assert answer_of(again(response, score="1")).sheet.systems == ("a.txt", "b.txt")


def test_a_file_that_can_not_be_read_is_named_at_its_field() -> None:
    response = post(fields(references=[upload("ref.txt", b"one\n\xff\n")]))
    assert response.status_code == 400
    assert re.search(r'<a href="#id_references">ref.txt: line 2 is not UTF-8', page_of(response))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"reference":"a","\\ud800":"b"}', "the name or heading of system 1"),
        ('{"id":"\\ud800","reference":"a","A":"b"}', "the id of segment 1"),
    ],
)
def test_half_a_character_in_a_name_or_an_id_is_told(text: str, place: str) -> None:
    def sent(**more: str) -> Any:
        return post(fields(systems=None, references=None, both=[upload("t.jsonl", text)], **more))

    told = f'<a href="#id_both">t.jsonl: {place} holds half a character'
    response = sent()
    assert response.status_code == 400
    assert told in page_of(response)
    (only,) = news_of(sent(progress="1"))
    assert told in only["page"]


def test_a_table_without_headings_is_told_what_to_write_in_its_first_line() -> None:
    table = "the cat sat,a cat sat\nwe had tea,we had tea\n"
    sent = fields(systems=None, references=None, both=[upload("t.csv", table)])
    words = text_of(post(sent))
    assert "or say which column" not in words
    heading = re.search(r"in its first line, such as: (.*?)\.", words)
    assert heading
    sent["both"] = [upload("t.csv", f"{heading[1]}\n{'a cat,' * 3}a cat\n")]
    answer = answer_of(post(sent))
    assert answer.sheet.systems == ("system A", "system B")
    assert answer.material.sources == ("a cat",)


SEVERAL = (
    '<tmx version="1.4"><header srclang="en"/><body><tu><tuv xml:lang="en"><seg>a cat</seg></tuv>'
    '<tuv xml:lang="de"><seg>Katze</seg></tuv><tuv xml:lang="fr"><seg>chat</seg></tuv></tu></body>'
    "</tmx>"
)


def test_the_language_that_is_asked_for_is_asked_at_its_field_unfolded() -> None:
    closed = '<details class="files-paste files-languages">'
    assert closed in page_of(Client().get(FILES))

    def sent(**more: str) -> Any:
        files = {"systems": [upload("m.tmx", SEVERAL)], "references": [upload("r.txt", "chat")]}
        return post(fields(**files, **more))

    page = page_of(sent())
    told = "m.tmx: say which language is the translation; the file has: de, en, fr."
    assert f'<a href="#id_target_language">{told}</a>' in page
    assert closed.replace(">", " open>") in page
    assert re.search(r'id="id_target_language"[^>]* aria-invalid="true"', page)
    assert re.search(rf'id="id_target_language-error">.*?{re.escape(told)}.*?</div>', page, re.S)
    unknown = page_of(sent(target_language="pl"))
    assert '<a href="#id_target_language">m.tmx: there is nothing in the target' in unknown
    scored = sent(target_language="fr")
    assert answer_of(scored).material.systems[0].hypotheses == ("chat",)
    assert closed.replace(">", " open>") in page_of(scored)


@override_settings(MTCALC_FILES_SEGMENTS=2)
def test_past_the_limit_the_page_names_the_command() -> None:
    response = post(fields())
    assert response.status_code == 400
    assert "manage.py score" in text_of(response)


@override_settings(MTCALC_FILES_BYTES=3_900_000)
@pytest.mark.parametrize("is_sent", [True, False])
def test_files_that_are_too_large_are_refused_in_the_words_of_the_page(is_sent: bool) -> None:
    size = 3_900_001
    large = {"systems": [upload("a.txt", b"x" * size)]} if is_sent else {"bytes": f"{size}"}
    response = post({"metrics": [BLEU], **large})
    assert response.status_code == 400
    page = page_of(response)
    told = "The files have 4.0 MB together; up to 3.9 MB are read at once."
    assert f'<a href="#id_systems">{told}' in page
    assert page.count(told) == 2
    assert "Up to 3.9 MB and" in page


@pytest.mark.parametrize("size", ["", "-1", "x", "1" * 5000, "3", "²"])
def test_a_size_that_is_none_or_small_is_passed_over(size: str) -> None:
    assert "Choose files or paste text" in text_of(post({"metrics": [BLEU], "bytes": size}))


@override_settings(DATA_UPLOAD_MAX_MEMORY_SIZE=65_700)
def test_what_the_page_could_not_carry_is_refused_before_it_is_scored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("calculators.files.answer.measure", None)
    sent = fields(systems=[upload("a.txt", A)], references=[upload("r.txt", REFERENCE)])
    response = post(sent)
    assert response.status_code == 400
    assert "manage.py score" in text_of(response)


@override_settings(MTCALC_FILES_WORK_SECONDS=-1.0)
def test_too_much_work_is_400_with_the_files_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    # The doctor stops by itself, and the scores are asked for all the same.
    monkeypatch.setattr("calculators.files.answer.examine", lambda *_: ())
    response = post(fields())
    assert response.status_code == 400
    assert "longer to score than is allowed" in text_of(response)
    assert carried(response)


def test_another_site_can_not_post_here() -> None:
    for path in (FILES, DOWNLOAD):
        assert (
            post(fields(), path, headers={"Origin": "https://elsewhere.example"}).status_code == 403
        )


# Progress


def news_of(response: Any) -> list[dict[str, Any]]:
    lines = b"".join(response.streaming_content).decode().splitlines()
    return [json.loads(line) for line in lines]


def test_progress_is_told_line_by_line_and_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calculators.files.views.BETWEEN_NEWS", 0.0)
    response = post(fields(progress="1"))
    assert response.headers["Content-Type"] == "application/x-ndjson"
    assert response.headers["Cache-Control"] == "no-store"
    *news, last = news_of(response)
    # Two metrics, two systems, three segments each.
    assert [each["done"] for each in news] == list(range(1, 13))
    assert {each["total"] for each in news} == {12}
    assert '<h2 id="result"' in last["page"]


def test_the_page_at_the_end_is_the_one_without_progress() -> None:
    (*_, last) = news_of(post(fields(progress="1")))
    assert last["page"] == page_of(post(fields()))


def test_errors_come_as_the_page_too() -> None:
    (only,) = news_of(post({"progress": "1"}))
    assert "<title>Error:" in only["page"]


# Closing an answer also closes connections to the database that are too old.
@pytest.mark.django_db
def test_the_work_ends_where_the_reader_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calculators.files.views.BETWEEN_NEWS", 0.0)
    made: list[object] = []
    original = Budget.spend
    monkeypatch.setattr(Budget, "spend", lambda self, n: (made.append(n), original(self, n))[1])
    response = post(fields(progress="1"))
    parts = iter(response.streaming_content)
    next(parts)
    before = len(made)
    response.close()
    with pytest.raises(StopIteration):
        next(parts)
    assert len(made) == before


def test_a_fault_of_ours_is_told_without_its_words(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("the cat sat")

    monkeypatch.setattr("calculators.files.answer.compare", fail)
    assert news_of(post(fields(progress="1")))[-1] == {"failed": True}
    logged = "".join(map(PrivateFormatter().format, caplog.records))
    assert "ZeroDivisionError at" in logged
    assert "the cat sat" not in logged


# What holds for every page


def states() -> dict[str, str]:
    """The page in each of its states."""
    attack = '<script>alert("x")</script>'
    odd = fields(systems=[upload(attack, attack * 3), upload("b", "قطة")])
    odd["references"] = [upload("r", f"{attack} قطة")]
    result = post(fields())
    return {
        "empty": page_of(Client().get(FILES)),
        "error": page_of(post({"resamples": "x"})),
        "unaligned": page_of(post(fields(references=[upload("r", "one line")]))),
        "result": page_of(result),
        "working": page_of(again(result, opened="0.1")),
        "one system": page_of(post(fields(systems=[upload("a", A)]))),
        "odd": page_of(post(odd | {"opened": "0.0"})),
        "nothing found": page_of(again(result, find="zebra")),
    }


def test_the_outline_of_the_page_is_sound_in_every_state() -> None:
    for name, html in states().items():
        assert_sound(html, name)


def test_every_button_leads_to_something_on_the_page() -> None:
    html = states()["result"]
    ids = set(outline(html).ids)
    for address in re.findall(r'formaction="(.*?)"', html):
        path, _, anchor = address.partition("#")
        assert path in (FILES, DOWNLOAD)
        assert not anchor or anchor in ids | {"working", "findings"}


def test_markup_in_a_text_or_a_name_stays_text() -> None:
    html = states()["odd"]
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_its_style_sheets_and_its_script_are_there() -> None:
    root = Path(__file__).parents[2] / "static"
    names = re.findall(
        r'(?:href|src)="/static/((?:css|js)/[a-z]+)[^"]*\.(css|js)"', states()["empty"]
    )
    assert ("css/files", "css") in names
    assert ("js/files", "js") in names
    assert all((root / f"{name}.{kind}").exists() for name, kind in names)


# Whatever is sent


NAMES = ["systems", "references", "both", "state", "metrics", "resamples", "seed", "baseline"]
NAMES += ["page", "opened", "working", "find", "bound", "system", "pair", "remedy", "table"]
NAMES += ["score", "bytes", "system_1", "reference_1", "download", "progress_", "order", "metric"]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.dictionaries(
        st.sampled_from(NAMES), st.text() | st.sampled_from([A, REFERENCE, BLEU, "1", "0.0"])
    ),
    st.sampled_from([FILES, DOWNLOAD]),
)
def test_no_form_is_answered_with_a_500(sent: dict[str, str], path: str) -> None:
    assert post(sent, path).status_code in (200, 400, 404)


@settings(max_examples=60, deadline=None)
@given(st.binary(), st.sampled_from(["systems", "references", "both"]))
def test_no_file_is_answered_with_a_500(data: bytes, name: str) -> None:
    response = post(fields(**{name: [upload("f.xlsx", data)]}))
    assert response.status_code in (200, 400)


def test_a_request_that_is_turned_away_keeps_its_files() -> None:
    request = RequestFactory().post(FILES, fields())
    response = views.files.refused(request, "The server is busy.", 503)
    assert response.status_code == 503
    page = response.content.decode()
    assert "The server is busy." in page
    assert 'name="state"' in page
