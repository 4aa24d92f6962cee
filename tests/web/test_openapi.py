"""The OpenAPI document says what the API does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

pytestmark = pytest.mark.usefixtures("words")


def document() -> dict[str, Any]:
    found: dict[str, Any] = Client().get("/api/openapi.json").json()
    return found


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for part in value.values():
            yield from references(part)
    if isinstance(value, list):
        for part in value:
            yield from references(part)


def test_every_reference_leads_somewhere() -> None:
    whole = document()
    for reference in references(whole):
        place: Any = whole
        for name in reference.removeprefix("#/").split("/"):
            place = place[name]


def test_every_call_is_described_with_its_refusals() -> None:
    paths = document()["paths"]
    calls = ["metrics", "words/score", "words/corpus", "gate"]
    assert list(paths) == [f"/api/v1/{call}" for call in calls]
    for path in list(paths)[1:]:
        assert set(paths[path]["post"]["responses"]) == {
            "200",
            "400",
            "403",
            "405",
            "413",
            "415",
            "429",
            "503",
        }


def test_every_option_is_described_by_its_kind() -> None:
    options = document()["components"]["schemas"]["words_options"]
    assert options["additionalProperties"] is False
    described = options["properties"]
    assert described["lowercase"]["type"] == "boolean"
    assert described["repeat"] == {
        "description": "Repetitions. How often the words are counted.",
        "type": "integer",
        "minimum": 1,
        "maximum": 9,
        "default": 1,
    }
    assert described["cut"]["enum"] == ["space", "char"]
    assert described["bonus"]["type"] == ["number", "null"]
    assert described["weights"]["anyOf"][0] == {
        "type": "array",
        "items": {"type": "number", "minimum": 0},
    }


@pytest.mark.parametrize("call", ["score", "corpus"])
def test_an_answer_has_the_fields_that_are_described(call: str) -> None:
    body = {
        "score": {"hypothesis": "a", "references": ["a"]},
        "corpus": {"hypotheses": ["a"], "references": [["a"]]},
    }[call]
    answer = Client().post(f"/api/v1/words/{call}", json.dumps(body), "application/json").json()
    schema = document()["components"]["schemas"][f"words_{call}_answer"]
    assert list(answer) == schema["required"]
    kinds = document()["components"]["schemas"]["Section"]["properties"]["kind"]["enum"]
    assert {section["kind"] for section in answer["sections"]} <= set(kinds)
