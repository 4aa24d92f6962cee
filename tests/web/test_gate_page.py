"""The page of the golden-text gate: verdicts, working, report, and what is typed being kept."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calculators.gate import answer as gate_answer
from calculators.gate.items import bundled_text
from calculators.scoring import Corpus
from calculators.scoring.bleu import METRIC
from tests.outline import assert_sound

GATE = "/gate/"
CASES = bundled_text("gate_cases")
FLAW = {"id": "flaw", "source_text": "Confirmed", "generated_output": "Helicopters"}


def post(fields: dict[str, Any], path: str = GATE, **more: Any) -> Any:
    return Client(raise_request_exception=False).post(path, fields, **more)


def page_of(response: Any) -> str:
    return str(response.content.decode())


def text_of(response: Any) -> str:
    """The words of a page without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page_of(response))).split())


def box(response: Any) -> str:
    """What stands in the text box."""
    found = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", page_of(response), re.S)
    assert found
    return unescape(found[1])


def rows(response: Any) -> list[str]:
    """The rows of the table of verdicts, without tags."""
    (table,) = re.findall(r'<table class="data gate-table">.*?</table>', page_of(response), re.S)
    body = table.split("<tbody>")[1]
    found = re.findall(r"<tr.*?</tr>", body, re.S)
    return [" ".join(unescape(re.sub(r"<[^>]*>", " ", row)).split()) for row in found]


def upload(data: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("items.json", data, "application/json")


# What it shows


def test_the_page_shows_a_form_and_no_result() -> None:
    response = Client().get(GATE)
    assert response.status_code == 200
    page = page_of(response)
    for name in ("items", "file", "threshold"):
        assert f'name="{name}"' in page
    assert 'id="result"' not in page
    assert 'href="/gate/?example=bundled#result"' in page
    assert 'aria-current="page">Gate' in page


def test_every_page_leads_to_it() -> None:
    assert 'href="/gate/"' in page_of(Client().get("/about/"))
    assert page_of(Client().get("/")).count('href="/gate/"') == 2


def test_the_bundled_cases_are_one_click_away() -> None:
    response = Client().get(GATE, {"example": "bundled"})
    assert response.status_code == 200
    assert response.headers["Cache-Control"] == "no-store"
    assert "<title>1 of 6 passed" in page_of(response)
    assert json.loads(box(response)) == json.loads(CASES)
    found = rows(response)
    assert len(found) == 6
    assert found[1].startswith("Near copy-paste PASS")
    assert found[1].endswith("0.8594 1.00 0.82 0.81 0.83 0.82 0.80 0.78 1.00")
    assert (
        "FAIL Working of Drops critical facts fails on the brevity penalty: 0.20 (5 tokens"
        in found[2]
    )
    assert Client().get(GATE, {"example": "nothing"}).status_code == 404


def test_pasted_items_are_judged_and_kept() -> None:
    response = post({"items": CASES.replace("\n", "\r\n"), "threshold": "0.3"})
    assert response.status_code == 200
    assert response.headers["Cache-Control"] == "no-store"
    assert '<h2 id="result" tabindex="-1">3 of 6 items passed</h2>' in page_of(response)
    assert box(response) == CASES
    assert 'name="threshold" value="0.3"' in page_of(response)
    assert not response.cookies


def test_a_file_is_judged_and_stands_in_the_box_afterwards() -> None:
    lines = "\n".join(json.dumps(item) for item in (FLAW, FLAW | {"id": "other"}))
    response = post({"items": CASES, "file": upload(lines.encode())})
    assert response.status_code == 200
    assert len(rows(response)) == 2
    assert box(response) == lines


def test_an_output_under_4_tokens_is_warned_of_where_it_passes() -> None:
    (row,) = rows(post({"items": json.dumps([FLAW])}))
    assert row.startswith("flaw PASS Working of flaw Warning: The output has 1 token. Under 4,")
    assert "scores 0.600: PASS at 0.5" in text_of(Client().get(GATE))


def test_the_page_says_what_the_gate_is_right_and_wrong_for() -> None:
    words = text_of(Client().get(GATE))
    for part in ("What it is right for", "What it is wrong for", "Paraphrase.", "In a build"):
        assert part in words


# The working


def test_a_row_opens_into_the_working_of_bleu() -> None:
    response = post({"items": CASES, "open": "2"})
    assert response.status_code == 200
    page, words = page_of(response), text_of(response)
    assert '<h2 id="working" tabindex="-1">The working of' in page
    assert "How the overall score comes about" in words
    assert "exp(1 − 13 ÷ 5)" in words
    assert "N-grams of the hypothesis" in words
    assert rows(response)[2].startswith("Drops critical facts FAIL")
    assert response.context["opened"].judgement.overall == pytest.approx(0.286780771, abs=1e-9)


def test_every_row_can_be_opened_without_a_word_in_the_address() -> None:
    page = page_of(post({"items": CASES}))
    asked = re.findall(
        r'<button[^>]*form="gate" name="open" value="(\d)"[^>]*formaction="(.*?)"', page
    )
    assert asked == [(str(index), "/gate/#working") for index in range(6)]
    for index in range(6):
        assert post({"items": CASES, "open": str(index)}).context["opened"] is not None


def test_the_pair_goes_to_the_calculator_with_the_same_score() -> None:
    item = FLAW | {
        "source_text": "one line\nand two more lines",
        "generated_output": "one line and",
    }
    page = page_of(post({"items": json.dumps([item]), "open": "0"}))
    sent = dict(re.findall(r'<input type="hidden" name="(\w+)" value="(.*?)">', page))
    assert sent["references"] == "one line and two more lines"
    run = METRIC.run(Corpus.of(sent["hypothesis"], [sent["references"]]), preset=sent["preset"])
    shown = post({"items": json.dumps([item])}).context["answer"].judgements[0]
    assert run.result.value == shown.smoothed


def test_what_the_calculator_would_refuse_is_not_sent_to_it() -> None:
    blank = FLAW | {"source_text": " "}
    assert "Open in the" not in page_of(post({"items": json.dumps([blank]), "open": "0"}))


@pytest.mark.parametrize("asked", ["", "x", "-1", "6", "9" * 5000, "²"])
def test_an_item_that_is_not_there_opens_nothing(asked: str) -> None:
    response = post({"items": CASES, "open": asked})
    assert response.status_code == 200
    assert response.context["opened"] is None


# The report


def test_the_report_downloads_from_the_same_fields() -> None:
    page = page_of(post({"items": CASES}))
    assert re.search(r'<button[^>]*form="gate" formaction="/gate/report.json"', page)
    response = post({"items": CASES, "threshold": "0.9"}, "/gate/report.json")
    assert response.status_code == 200
    assert response.headers["Content-Disposition"] == 'attachment; filename="report.json"'
    assert response.headers["Cache-Control"] == "no-store"
    api = Client().post(
        "/api/v1/gate",
        json.dumps({"items": json.loads(CASES), "threshold": 0.9}),
        content_type="application/json",
    )
    assert json.loads(response.content) == api.json()


def test_a_report_over_bad_data_is_the_page_with_its_errors() -> None:
    response = post({"items": "["}, "/gate/report.json")
    assert response.status_code == 400
    assert box(response) == "["
    assert Client().get("/gate/report.json").status_code == 405


# Errors


@pytest.mark.parametrize(
    ("fields", "message", "field"),
    [
        ({}, "There is no text.", "items"),
        ({"items": "[3]", "threshold": "0.7"}, "Item 1 is no object", "items"),
        ({"items": '[{"id": 1}]'}, "Item 1: id must be text", "items"),
        ({"items": CASES, "threshold": "high"}, "Threshold: enter a number.", "threshold"),
        ({"items": CASES, "threshold": "2"}, "Threshold must be from 0 to 1.", "threshold"),
    ],
)
def test_an_error_is_400_beside_its_field_and_keeps_everything_typed(
    fields: dict[str, str], message: str, field: str
) -> None:
    response = post(fields)
    assert response.status_code == 400
    page = page_of(response)
    assert "<title>Error:" in page
    assert f'<a href="#id_{field}">{message}' in unescape(page)
    assert re.search(rf'id="id_{field}"[^>]*aria-invalid="true"', page)
    assert box(response) == fields.get("items", "")
    assert f'value="{fields.get("threshold", "0.5")}"' in page
    assert 'id="result"' not in page


def test_a_file_that_is_no_text_keeps_what_was_typed() -> None:
    for data in (b"\xff\xff", b""):
        response = post({"items": "typed", "file": upload(data)})
        assert response.status_code == 400
        assert box(response) == "typed"


def test_a_faulty_file_can_be_mended_in_the_box() -> None:
    response = post({"items": "", "file": upload(b'[{"id": "a"}]')})
    assert response.status_code == 400
    assert box(response) == '[{"id": "a"}]'


@override_settings(MTCALC_WORK_SECONDS=-1)
def test_too_much_work_is_400_with_the_text_kept() -> None:
    response = post({"items": CASES})
    assert response.status_code == 400
    assert "longer to score than is allowed" in text_of(response)
    assert box(response) == CASES


def test_a_long_list_shows_what_fails_first_and_says_what_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gate_answer, "MOST_ROWS", 3)
    good = {"source_text": "the same ten words", "generated_output": "the same ten words"}
    items = [good | {"id": str(number)} for number in range(5)]
    items[4]["generated_output"] = ""
    response = post({"items": json.dumps(items)})
    assert [row.split()[0] for row in rows(response)] == ["0", "1", "4"]
    assert "2 more items are left out of this table" in text_of(response)


def test_another_site_can_not_post_here() -> None:
    for path in (GATE, "/gate/report.json"):
        response = post({"items": CASES}, path, headers={"Origin": "https://elsewhere.example"})
        assert response.status_code == 403


# What holds for every page


def states() -> dict[str, str]:
    """The page in each of its states."""
    odd = json.dumps([FLAW | {"id": '<script>alert("x")</script>', "source_text": "قطة"}])
    return {
        "empty": page_of(Client().get(GATE)),
        "error": page_of(post({"items": "[", "threshold": "x"})),
        "result": page_of(post({"items": CASES})),
        "working": page_of(post({"items": CASES, "open": "1"})),
        "empty output": page_of(post({"items": CASES, "open": "5"})),
        "odd": page_of(post({"items": odd, "open": "0"})),
    }


def test_the_outline_of_the_page_is_sound_in_every_state() -> None:
    for name, html in states().items():
        assert_sound(html, name)


def test_markup_in_an_item_stays_text() -> None:
    attack = "<script>alert(1)</script>"
    item = {"id": attack, "source_text": attack, "generated_output": attack}
    for fields in ({"open": "0"}, {"threshold": attack}):
        assert "<script>" not in page_of(post({"items": json.dumps([item])} | fields))


def test_the_page_names_no_host_and_works_without_a_script() -> None:
    for html in states().values():
        assert "<script" not in html


def test_its_style_sheet_is_there() -> None:
    names = re.findall(r'href="/static/(css/[a-z]+)[^"]*\.css"', states()["empty"])
    root = Path(__file__).parents[2] / "static"
    assert "css/gate" in names
    assert all((root / f"{name}.css").exists() for name in names)


# Whatever is sent


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.dictionaries(
        st.sampled_from(["items", "threshold", "open", "file", "else"]),
        st.text() | st.sampled_from([CASES, "0.5", "1", json.dumps([FLAW])]),
    ),
    st.sampled_from([GATE, "/gate/report.json"]),
)
def test_no_form_is_answered_with_a_500(fields: dict[str, str], path: str) -> None:
    assert post(fields, path).status_code in (200, 400)


@settings(max_examples=100, deadline=None)
@given(st.binary())
def test_no_file_is_answered_with_a_500(data: bytes) -> None:
    assert post({"file": upload(data)}).status_code == 400
