"""The API's OpenAPI document, written from the registry."""

from __future__ import annotations

from typing import Any, get_args

from .gate.openapi import gate_operation, gate_schemas
from .reading import MOST_REFERENCES
from .scoring import VERSION, AnyMetric, OptionSpec, Section, registry

Schema = dict[str, Any]

# No text holds NUL; half characters can't be written in a pattern.
NO_NUL = "^[^\\u0000]*$"
ONE_NUMBER = r"-?[0-9]+(\.[0-9]+)?"


def openapi_document() -> Schema:
    """The document, in OpenAPI 3.1."""
    paths: Schema = {"/api/v1/metrics": {"get": _metrics_operation()}}
    schemas = dict(_SHARED)
    for metric in registry.METRICS:
        paths[f"/api/v1/{metric.slug}/score"] = {"post": _score_operation(metric)}
        paths[f"/api/v1/{metric.slug}/corpus"] = {"post": _corpus_operation(metric)}
        schemas |= _schemas_of(metric)
    paths["/api/v1/gate"] = {"post": gate_operation(_refusals())}
    schemas |= gate_schemas({"type": "string", "pattern": NO_NUL})
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "mtcalc",
            "version": VERSION,
            "description": "Machine-translation metrics with their whole working. Texts are scored"
            " in memory and never stored, logged or passed on.",
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {"schemas": schemas, "responses": _REFUSALS},
    }


def _metrics_operation() -> Schema:
    return {
        "operationId": "list_metrics",
        "summary": "Every metric with its options, presets and scale",
        "responses": {"200": _json("The metrics.", _ref("Metrics"))},
    }


def _score_operation(metric: AnyMetric) -> Schema:
    return {
        "operationId": f"{metric.slug}_score",
        "summary": f"{metric.full_name} of one hypothesis, with the working",
        "requestBody": _body(f"{metric.slug}_score_request"),
        "responses": _answers(f"{metric.slug}_score_answer"),
    }


def _corpus_operation(metric: AnyMetric) -> Schema:
    return {
        "operationId": f"{metric.slug}_corpus",
        "summary": f"{metric.full_name} of a corpus and of each segment",
        "parameters": [
            {
                "name": "detail",
                "in": "query",
                "description": "The segment, counted from 0, whose working is added.",
                "schema": {"type": "integer", "minimum": 0},
            }
        ],
        "requestBody": _body(f"{metric.slug}_corpus_request"),
        "responses": _answers(f"{metric.slug}_corpus_answer"),
    }


def _body(schema: str) -> Schema:
    return {"required": True, "content": {"application/json": {"schema": _ref(schema)}}}


def _answers(schema: str) -> Schema:
    return {"200": _json("The score.", _ref(schema))} | _refusals()


def _refusals() -> Schema:
    return {status: {"$ref": f"#/components/responses/{status}"} for status in _REFUSALS}


def _schemas_of(metric: AnyMetric) -> Schema:
    specs = metric.options.specs()
    text = {"type": "string", "maxLength": metric.max_characters, "pattern": NO_NUL}
    shared = {
        "preset": {"enum": ["", *(preset.name for preset in metric.presets), None]},
        "options": {"anyOf": [_ref(f"{metric.slug}_options"), {"type": "null"}]},
    }
    pair = {"hypothesis": text, "references": _row(text)}
    rows = {"type": "array", "minItems": 1, "items": {"anyOf": [_row(text), text]}}
    corpus = {
        "hypotheses": {"type": "array", "minItems": 1, "items": text},
        "references": rows | {"description": "One item a hypothesis."},
    }
    return {
        f"{metric.slug}_options": _object(
            {spec.name: option_schema(spec) for spec in specs}, required=()
        ),
        f"{metric.slug}_score_request": _object(pair | shared, required=tuple(pair)),
        f"{metric.slug}_corpus_request": _object(corpus | shared, required=tuple(corpus)),
        f"{metric.slug}_score_answer": _answer(metric, {}),
        f"{metric.slug}_corpus_answer": _answer(
            metric, {"segments": {"type": "array", "items": {"type": ["number", "null"]}}}
        ),
    }


def _row(text: Schema) -> Schema:
    return {
        "type": "array",
        "description": (
            "References. null is a missing one, an empty text is a reference. Together, with one"
            f" character between two, they have up to {text['maxLength']:,} characters."
        ),
        "items": {"anyOf": [text, {"type": "null"}]},
        "contains": {"type": "string"},
        "maxItems": MOST_REFERENCES,
    }


def option_schema(spec: OptionSpec) -> Schema:
    """What an option takes, with its default."""
    described = {"description": " ".join(filter(None, (spec.label + ".", spec.help)))}
    return described | _value_schema(spec) | {"default": spec.written(spec.default)}


def _value_schema(spec: OptionSpec) -> Schema:
    bounds = {"minimum": spec.minimum, "maximum": spec.maximum}
    bounds = {name: bound for name, bound in bounds.items() if bound is not None}
    match spec.kind:
        case "flag":
            return {"type": "boolean"}
        case "integer":
            return {"type": "integer"} | bounds
        case "real":
            return {"type": "number"} | bounds
        case "optional-real":
            return {"type": ["number", "null"]} | bounds
        case "choice":
            return {"enum": [choice.value for choice in spec.choices]}
    numbers = {"type": "array", "items": {"type": "number"} | bounds}
    text = {"type": "string", "pattern": f"^({ONE_NUMBER}(,{ONE_NUMBER})*)?$"}
    return {"anyOf": [numbers, text, {"type": "null"}]}


def _answer(metric: AnyMetric, more: Schema) -> Schema:
    sections = {"type": "array", "items": _ref("Section")}
    properties = {
        "metric": {"const": metric.slug},
        "score": {"type": "number"},
        "signature": {"type": "string"},
        "options": {"type": "object", "required": [spec.name for spec in metric.options.specs()]},
        "result": {
            "type": "object",
            "required": ["value"],
            "properties": {"value": {"type": "number"}},
        },
        "sections": sections,
        "notes": {"type": "array", "items": {"type": "string"}},
        "elsewhere": {"type": "array", "items": _ref("Elsewhere")},
    } | more
    optional = {"detail": sections} if more else {}
    return {
        "type": "object",
        "required": list(properties),
        "properties": properties | optional,
        "additionalProperties": False,
    }


def _object(properties: Schema, *, required: tuple[str, ...]) -> Schema:
    return {
        "type": "object",
        "required": list(required),
        "properties": properties,
        "additionalProperties": False,
    }


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _json(description: str, schema: Schema) -> Schema:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


_WAIT = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}
_REFUSALS = {
    "400": _json("Something sent does not fit; the messages say what.", _ref("Errors")),
    "403": _json("The request came from a page of another site.", _ref("Errors")),
    "405": _json("The address takes another method.", _ref("Errors")),
    "413": _json("The body is too large.", _ref("Errors")),
    "415": _json("The content type is not application/json.", _ref("Errors")),
    "429": _json("Too many requests.", _ref("Errors")) | {"headers": _WAIT},
    "503": _json("The server is busy.", _ref("Errors")) | {"headers": _WAIT},
}
_TEXT = {"type": "string"}
_SHARED: Schema = {
    "Errors": _object(
        {
            "errors": {
                "type": "object",
                "additionalProperties": {"type": "array", "items": _TEXT},
            }
        },
        required=("errors",),
    ),
    "Metrics": {
        "type": "object",
        "required": ["metrics"],
        "properties": {"metrics": {"type": "array", "items": _ref("Metric")}},
    },
    "Metric": {
        "type": "object",
        "required": ["slug", "name", "full_name", "source", "scale", "options", "presets"],
        "properties": {
            "slug": _TEXT,
            "name": _TEXT,
            "full_name": _TEXT,
            "source": _TEXT,
            "scale": {"type": "object"},
            "max_characters": {"type": "integer"},
            "options": {"type": "array", "items": {"type": "object"}},
            "presets": {"type": "array", "items": {"type": "object"}},
        },
    },
    "Section": {
        "type": "object",
        "description": "A piece of the working. Its other fields depend on its kind.",
        "required": ["kind"],
        "properties": {"kind": {"enum": [section.kind for section in get_args(Section)]}},
    },
    "Elsewhere": {
        "type": "object",
        "description": "What another tool or convention gives for the same text.",
        "required": ["tool", "value", "why", "options"],
        "properties": {
            "tool": _TEXT,
            "value": {"type": ["number", "null"]},
            "why": _TEXT,
            "options": {"type": "object"},
        },
    },
}
