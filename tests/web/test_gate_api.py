"""``POST /api/v1/gate``: the report, refusals, and that nothing sent is answered with a 500."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client, override_settings
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calculators.gate.items import bundled_text
from calculators.gate.limits import MOST_ITEMS

GATE = "/api/v1/gate"
ITEM = {"id": "a", "source_text": "the same ten words", "generated_output": "the same ten words"}
GOLDEN = Path(__file__).parents[1] / "data" / "golden" / "evalkit.jsonl"


def post(body: Any, content_type: str = "application/json") -> Any:
    data = body if isinstance(body, bytes) else json.dumps(body)
    return Client(raise_request_exception=False).post(GATE, data, content_type=content_type)


def errors(response: Any, status: int = 400) -> dict[str, list[str]]:
    assert response.status_code == status
    answer = response.json()
    assert list(answer) == ["errors"]
    found: dict[str, list[str]] = answer["errors"]
    return found


def test_the_bundled_cases_give_the_golden_rows() -> None:
    response = post({"items": json.loads(bundled_text("gate_cases"))})
    assert response.status_code == 200
    assert response.headers["Cache-Control"] == "no-store"
    report = response.json()
    assert report["summary"] == {"items": 6, "passed": 1, "failed": 5}
    rows = {row["id"]: row for row in map(json.loads, GOLDEN.read_text("utf-8").splitlines())}
    for item in report["items"]:
        row = rows[f"evalkit-case-{item['id']}"]
        assert item["verdict"] == row["published"]["result"]
        assert item["overall"] == pytest.approx(row["overall"], abs=1e-9)
        assert item["bleu"] == pytest.approx(row["smoothed"], abs=1e-9)
        assert item["raw_bleu"] == pytest.approx(row["raw"], abs=1e-9)
        assert item["brevity_penalty"] == pytest.approx(row["brevity_penalty"], abs=1e-9)


def test_the_threshold_can_be_set_and_is_told() -> None:
    close = ITEM | {"generated_output": "the same nine words"}
    for threshold, verdict in ((0.2, "PASS"), (0.9, "FAIL"), (0, "PASS"), (1, "FAIL")):
        report = post({"items": [close], "threshold": threshold}).json()
        assert report["items"][0]["verdict"] == verdict
        assert report["settings"]["threshold"] == threshold


def test_the_answer_has_the_fields_that_are_described() -> None:
    schemas = Client().get("/api/openapi.json").json()["components"]["schemas"]
    report = post({"items": [ITEM]}).json()
    described = schemas["gate_report"]["properties"]
    assert list(report) == list(described)
    assert list(report["summary"]) == list(described["summary"]["properties"])
    assert list(report["items"][0]) == list(described["items"]["items"]["properties"])


@pytest.mark.parametrize(
    ("body", "field", "message"),
    [
        ([], "body", "Send one JSON object."),
        (b"{", "body", "This is not JSON: the fault is at line 1, column 2."),
        (b"\xff", "body", "The body is not JSON in UTF-8."),
        ({}, "items", "Send items, an array of objects."),
        ({"items": None}, "items", "This is no list of items."),
        ({"items": {"items": [ITEM]}}, "items", "This is no list of items."),
        ({"items": []}, "items", "There are no items."),
        ({"items": [{"id": "a"}]}, "items", "Item 1 has no source_text and no generated_output."),
        ({"items": [ITEM, ITEM]}, "items", "Items 1 and 2 have the same id."),
        ({"items": [ITEM | {"id": 1}]}, "items", "Item 1: id must be text in quotation marks."),
        ({"items": [ITEM], "threshold": "0.5"}, "threshold", "Threshold: enter a number."),
        ({"items": [ITEM], "threshold": None}, "threshold", "Threshold: enter a number."),
        ({"items": [ITEM], "threshold": True}, "threshold", "Threshold: enter a number."),
        ({"items": [ITEM], "threshold": 1.5}, "threshold", "Threshold must be from 0 to 1."),
        ({"items": [ITEM], "threshold": 10**400}, "threshold", "Threshold must be from 0 to 1."),
        ({"items": [ITEM], "data": 1}, "body", "There is an unknown field."),
    ],
)
def test_what_does_not_fit_is_a_message_beside_its_field(
    body: Any, field: str, message: str
) -> None:
    found = errors(post(body))
    assert list(found) == [field]
    assert found[field][0].startswith(message)


def test_every_fault_is_told_at_once() -> None:
    found = errors(post({"items": [3, {"id": "a"}, ITEM | {"source_text": []}]}))["items"]
    assert [message[:6] for message in found] == ["Item 1", "Item 2", "Item 3", "Items "]


def test_other_types_methods_and_sizes_are_refused_as_elsewhere() -> None:
    assert list(errors(post({"items": [ITEM]}, content_type="text/plain"), 415)) == ["content-type"]
    response = Client().get(GATE)
    assert list(errors(response, 405)) == ["method"]
    assert response.headers["Allow"] == "POST, OPTIONS"
    errors(post(b'"' + b"a" * 4 * 1024 * 1024 + b'"'), 413)
    other = Client().post(
        GATE, "{}", content_type="application/json", headers={"Origin": "https://elsewhere.example"}
    )
    errors(other, 403)


def test_too_many_items_and_too_much_work_are_refused() -> None:
    items = [ITEM | {"id": str(number)} for number in range(MOST_ITEMS + 1)]
    (message,) = errors(post({"items": items}))["items"]
    assert message.startswith(f"There are {MOST_ITEMS + 1:,} items")
    with override_settings(MTCALC_WORK_SECONDS=-1):
        assert "longer to score" in errors(post({"items": [ITEM]}))["body"][0]


def test_messages_never_hold_what_was_sent() -> None:
    for name in ITEM:
        for value in (["canary"], {"canary": "canary"}, "canary\0"):
            assert "canary" not in post({"items": [ITEM | {name: value}]}).content.decode()
    assert "canary" not in post({"items": [ITEM], "canary": 1}).content.decode()


# Whatever is sent

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)
TEXT = st.text(st.characters(exclude_categories=()))
SENT = st.fixed_dictionaries(
    {"items": ANYTHING | st.lists(st.fixed_dictionaries(dict.fromkeys(ITEM, TEXT | ANYTHING)))},
    optional={"threshold": st.floats() | ANYTHING},
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SENT | ANYTHING)
def test_no_document_is_answered_with_a_500(document: Any) -> None:
    response = post(document)
    assert response.status_code in (200, 400)
    json.loads(response.content, parse_constant=pytest.fail)
