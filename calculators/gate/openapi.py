"""The gate in the API's OpenAPI document."""

from __future__ import annotations

from typing import Any

from ..scoring.gate import THRESHOLD
from .limits import MOST_ITEMS

Schema = dict[str, Any]

_TEXT = {"type": "string"}
_SHARE = {"type": "number", "minimum": 0, "maximum": 1}


def gate_operation(responses: Schema) -> Schema:
    """The call; ``responses`` are the refusals that every call has."""
    body = {"application/json": {"schema": {"$ref": "#/components/schemas/gate_request"}}}
    report = {"application/json": {"schema": {"$ref": "#/components/schemas/gate_report"}}}
    return {
        "operationId": "gate",
        "summary": "The golden-text gate: a verdict on each generated text, and why",
        "requestBody": {"required": True, "content": body},
        "responses": {"200": {"description": "The report.", "content": report}} | responses,
    }


def gate_schemas(text: Schema) -> Schema:
    """The request and the report; ``text`` is the schema of a text that can be scored."""
    item = {"id": text | {"pattern": "^(?=[^\\u0000]*\\S)[^\\u0000]*$"}} | dict.fromkeys(
        ("source_text", "generated_output"), text
    )
    items = {
        "type": "array",
        "description": "No two items have the same id. Other fields of an item are left alone.",
        "minItems": 1,
        "maxItems": MOST_ITEMS,
        "items": {"type": "object", "required": list(item), "properties": item},
    }
    threshold = _SHARE | {"description": THRESHOLD.help, "default": THRESHOLD.default}
    request = {"items": items, THRESHOLD.name: threshold}
    return {
        "gate_request": {
            "type": "object",
            "required": ["items"],
            "properties": request,
            "additionalProperties": False,
        },
        "gate_report": _object(
            {
                "settings": {"type": "object", "required": ["threshold", "signature"]},
                "summary": _object(dict.fromkeys(("items", "passed", "failed"), _COUNT)),
                "items": {"type": "array", "items": _object(_ENTRY)},
            }
        ),
    }


def _object(properties: Schema) -> Schema:
    return {
        "type": "object",
        "required": list(properties),
        "properties": properties,
        "additionalProperties": False,
    }


def _by_order(kind: Schema) -> Schema:
    return {"type": "array", "minItems": 4, "maxItems": 4, "items": kind}


_COUNT = {"type": "integer", "minimum": 0}
_ENTRY: Schema = {
    "id": _TEXT,
    "verdict": {"enum": ["PASS", "FAIL"]},
    "reasons": {"type": "array", "items": _TEXT},
    "warnings": {"type": "array", "items": _TEXT},
    "overall": _SHARE,
    "bleu": _SHARE | {"description": "With add-one smoothing."},
    "raw_bleu": _SHARE,
    "structure": _SHARE,
    "precisions": _by_order(_SHARE),
    "smoothed_precisions": _by_order(_SHARE),
    "matches": _by_order(_COUNT),
    "totals": _by_order(_COUNT),
    "brevity_penalty": _SHARE,
    "output_tokens": _COUNT,
    "source_tokens": _COUNT,
}
