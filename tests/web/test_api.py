"""The JSON API: its answers, and that nothing sent to it is answered with a 500."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client, override_settings
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calculators.scoring import AnyMetric

from .words_metric import METRIC

pytestmark = pytest.mark.usefixtures("words")

SCORE = "/api/v1/words/score"
CORPUS = "/api/v1/words/corpus"
PAIR = {"hypothesis": "The cat sang", "references": ["the cat sat", "a dog"]}
LINES = {"hypotheses": ["a b", "c", ""], "references": [["a"], "c", ["d", None]]}


def post(path: str, document: Any, **more: Any) -> Any:
    """The answer to a document or to a body as it stands."""
    body = document if isinstance(document, bytes | str) else json.dumps(document)
    more = {"content_type": "application/json"} | more
    return Client(raise_request_exception=False).post(path, body, **more)


def errors(response: Any, status: int = 400) -> dict[str, list[str]]:
    assert response.status_code == status, response.content
    assert response.headers["Content-Type"] == "application/json"
    data = response.json()
    assert list(data) == ["errors"]
    found: dict[str, list[str]] = data["errors"]
    assert all(isinstance(text, str) for messages in found.values() for text in messages)
    return found


def test_a_score_comes_with_its_whole_working() -> None:
    response = post(SCORE, PAIR)
    assert response.status_code == 200
    answer = response.json()
    assert list(answer) == [
        "metric",
        "score",
        "signature",
        "options",
        "result",
        "sections",
        "notes",
        "elsewhere",
    ]
    assert answer["metric"] == "words"
    assert answer["score"] == answer["result"]["value"] == 2 / 3
    assert answer["result"] == {"value": 2 / 3, "matched": 2, "words": 3}
    assert answer["options"] == METRIC.options().written()
    assert [section["kind"] for section in answer["sections"]] == ["tiles", "derivation", "table"]
    assert answer["signature"].startswith("words|refs:2|lowercase:yes")
    # Cased, only "cat" is known; the preset adds 0.25.
    assert answer["elsewhere"][0]["value"] == pytest.approx(1 / 3 + 0.25)
    assert answer["elsewhere"][1]["value"] is None
    assert response.headers["Cache-Control"] == "no-store"


def test_options_override_the_preset() -> None:
    answer = post(SCORE, PAIR | {"preset": "cased", "options": {"bonus": None}}).json()
    assert answer["score"] == 1 / 3
    assert answer["options"]["lowercase"] is False


def test_a_corpus_has_a_score_a_segment_and_null_where_there_is_none() -> None:
    answer = post(CORPUS, LINES).json()
    assert answer["segments"] == [0.5, 1.0, None]
    assert answer["score"] == 2 / 3
    assert [section["kind"] for section in answer["sections"]] == ["tiles", "derivation"]
    assert "detail" not in answer


def test_the_working_of_one_segment_is_added_when_asked_for() -> None:
    answer = post(f"{CORPUS}?detail=1", LINES).json()
    assert [section["kind"] for section in answer["detail"]] == ["table"]
    assert answer["detail"][0]["rows"] == [[["c"], 1]]


@pytest.mark.parametrize("index", ["3", "-1", "x", "", "1.0", "9" * 5000, "٣", "1e0"])
def test_the_working_of_no_segment_is_refused(index: str) -> None:
    response = post(f"{CORPUS}?detail={index}", LINES)
    assert errors(response) == {"detail": ["detail must be a whole number from 0 to 2."]}


def test_a_corpus_takes_the_options_of_the_preset_for_files() -> None:
    answer = post(CORPUS, LINES | {"preset": "twice"}).json()
    assert answer["options"]["repeat"] == 3


@pytest.mark.parametrize(
    "body",
    [
        b" ",
        b"{",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"hypothesis": "\xff"}',
        '{"hypothesis": "a"}'.encode("utf-16"),
        b'{"hypothesis": NaN}',
        b'{"hypothesis": "a", "references": ["a"], "options": {"bonus": Infinity}}',
        b'{"hypothesis": ' + b"9" * 10_000 + b"}",
        b'{"hypothesis": "a", "hypothesis": "b", "references": ["a"]}',
        b"[]",
        b"null",
        b"3",
        b'"text"',
        b'{"hypothesis": "a", "references": ["a"], "else": 1}',
    ],
)
@pytest.mark.parametrize("path", [SCORE, CORPUS])
def test_a_body_that_is_no_document_is_refused(path: str, body: bytes) -> None:
    assert list(errors(post(path, body))) == ["body"]


def test_a_byte_order_mark_before_the_document_is_no_matter() -> None:
    assert post(SCORE, b"\xef\xbb\xbf" + json.dumps(PAIR).encode()).status_code == 200


@pytest.mark.parametrize("options", [[], "max", 3, True, {"unknown": 1}, {"": 1}, {"\ud800": 1}])
def test_options_that_are_none_are_refused(options: Any) -> None:
    assert list(errors(post(SCORE, PAIR | {"options": options}))) == ["options"]


def test_what_scoring_refuses_is_a_message_beside_its_field() -> None:
    found = errors(post(SCORE, PAIR | {"hypothesis": ""}))
    assert found == {"hypothesis": ["A hypothesis without words has no score here."]}


@pytest.mark.parametrize("bound", ["MTCALC_WORK_SECONDS", "MTCALC_TEXT_SECONDS"])
def test_too_much_work_is_refused(bound: str) -> None:
    with override_settings(**{bound: -1}):
        assert "longer to score" in errors(post(SCORE, PAIR))["body"][0]


@pytest.mark.parametrize(("bound", "status"), [("WORK", 400), ("TEXT", 200)])
def test_a_corpus_may_work_for_longer_than_one_text(bound: str, status: int) -> None:
    corpus = {"hypotheses": ["the cat"], "references": [["the cat"]]}
    with override_settings(**{f"MTCALC_{bound}_SECONDS": -1}):
        assert post(CORPUS, corpus).status_code == status


def test_messages_never_hold_what_was_sent() -> None:
    for field in ("hypothesis", "references", "preset", "options"):
        for value in ("canary", ["canary", 1], {"canary": "canary"}, {"cut": "canary"}):
            response = post(SCORE, PAIR | {field: value})
            if response.status_code == 400:
                assert "canary" not in response.content.decode()
    assert "canary" not in post("/api/v1/canary/score", PAIR).content.decode()


@pytest.mark.parametrize(
    "content_type",
    ["", "text/plain", "multipart/form-data", "application/x-www-form-urlencoded", "text/json"],
)
def test_another_content_type_is_415(content_type: str) -> None:
    for path in (SCORE, CORPUS):
        assert "content-type" in errors(post(path, PAIR, content_type=content_type), 415)


def test_a_charset_beside_the_content_type_is_no_matter() -> None:
    content_type = "application/json; charset=utf-8"
    assert post(SCORE, PAIR, content_type=content_type).status_code == 200


def test_a_body_in_chunks_is_refused_with_the_reason() -> None:
    response = post(SCORE, b"{}", headers={"transfer-encoding": "chunked"})
    assert errors(response) == {"body": ["Send the body with its Content-Length, not in chunks."]}


def test_a_body_over_the_limit_is_413() -> None:
    body = b'{"hypothesis": "' + b"a" * 4 * 1024 * 1024 + b'"}'
    errors(post(SCORE, body), 413)
    with override_settings(DATA_UPLOAD_MAX_MEMORY_SIZE=10):
        errors(post(SCORE, PAIR), 413)


@pytest.mark.parametrize(
    "path", ["/api/v1/nothing/score", "/api/v1/nothing/corpus", "/api/v1/%00/score", "/api/v1/x"]
)
def test_an_address_of_nothing_is_404(path: str) -> None:
    errors(post(path, PAIR), 404)


def test_nothing_is_gotten_where_nothing_is() -> None:
    errors(Client().get("/api/v1/"), 404)
    errors(Client().get("/api/v1/words"), 404)


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        (SCORE, "POST, OPTIONS"),
        (CORPUS, "POST, OPTIONS"),
        ("/api/v1/metrics", "GET, HEAD, OPTIONS"),
        ("/api/openapi.json", "GET, HEAD, OPTIONS"),
    ],
)
def test_other_methods_are_405_and_options_tells_them(path: str, allowed: str) -> None:
    client = Client()
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE"} - set(allowed.split(", ")):
        response = client.generic(method, path)
        assert "method" in errors(response, 405)
        assert response.headers["Allow"] == allowed
    answer = client.options(path)
    assert (answer.status_code, answer.headers["Allow"], answer.content) == (204, allowed, b"")


def test_the_metrics_are_listed_with_what_a_client_must_know(words: AnyMetric) -> None:
    (listed,) = Client().get("/api/v1/metrics").json()["metrics"]
    assert listed["slug"] == "words"
    assert listed["scale"]["higher_is_better"] is True
    assert [option["name"] for option in listed["options"]] == list(words.options().written())
    repeat = listed["options"][1]
    assert repeat == {
        "name": "repeat",
        "kind": "integer",
        "default": 1,
        "minimum": 1,
        "maximum": 9,
        "choices": [],
        "label": "Repetitions",
        "help": "How often the words are counted.",
    }
    twice = listed["presets"][2]
    assert (twice["options"]["repeat"], twice["corpus_options"]["repeat"]) == (2, 3)


def test_a_listed_preset_sent_as_options_gives_the_same_score() -> None:
    (listed,) = Client().get("/api/v1/metrics").json()["metrics"]
    for preset in listed["presets"]:
        named = post(SCORE, PAIR | {"preset": preset["name"]}).json()
        spelt = post(SCORE, PAIR | {"options": preset["options"]}).json()
        assert named == spelt


def test_head_is_answered_as_get_without_a_body() -> None:
    for path in ("/api/v1/metrics", "/api/openapi.json"):
        response = Client().head(path)
        assert (response.status_code, response.content) == (200, b"")


# Whatever is sent

ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=10**300)
    | st.floats()
    | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=12,
)
OPTION = st.sampled_from([*METRIC.options().written(), "else"])
PRESET = st.sampled_from(["", "page", "cased", "twice"])
GENEROUS = settings(
    max_examples=400,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def is_answered_well(response: Any) -> None:
    assert response.status_code in (200, 400)
    json.loads(response.content, parse_constant=pytest.fail)
    if response.status_code == 400:
        errors(response)


@GENEROUS
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "hypothesis": ANYTHING | st.text(),
            "references": ANYTHING | st.lists(st.text() | st.none()),
            "preset": ANYTHING | PRESET,
            "options": ANYTHING | st.dictionaries(OPTION, ANYTHING),
        },
    )
    | ANYTHING
)
def test_no_document_for_a_score_is_answered_with_a_500(document: Any) -> None:
    is_answered_well(post(SCORE, json.dumps(document)))


@GENEROUS
@given(
    st.fixed_dictionaries(
        {
            "hypotheses": st.lists(st.text(), max_size=3) | ANYTHING,
            "references": st.lists(st.lists(st.text() | st.none()) | st.text()) | ANYTHING,
        },
        optional={"preset": PRESET, "options": st.dictionaries(OPTION, ANYTHING)},
    ),
    st.text(max_size=4),
)
def test_no_document_for_a_corpus_is_answered_with_a_500(document: Any, detail: str) -> None:
    path = CORPUS if not detail else f"{CORPUS}?detail={detail.encode('utf-8', 'replace').hex()}"
    is_answered_well(post(path, json.dumps(document)))


@GENEROUS
@given(st.binary(min_size=1))
def test_no_body_is_answered_with_a_500(body: bytes) -> None:
    is_answered_well(post(SCORE, body))
