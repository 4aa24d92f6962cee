"""Requests made by machine from the API's own document: those that fit it and those that do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import schemathesis
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.schemas import APIOperation

MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
HELD = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
)


def operations() -> Iterator[APIOperation]:
    """Every call that takes a body, as the document describes it."""
    load_all_checks()
    document = schemathesis.openapi.from_wsgi("/api/openapi.json", get_wsgi_application())
    for found in document.get_all_operations():
        operation = found.ok()
        if operation.method == "post":
            yield operation


def statuses(operation: APIOperation, mode: GenerationMode, requests: int) -> Counter[int]:
    """How often each status was the answer; fails where an answer is not as it is described."""
    seen: Counter[int] = Counter()

    @seed(20_021)
    @settings(
        max_examples=requests,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def send(case: Case) -> None:
        _make_as_many(case.body)
        # Of a compressed answer this client would read the bytes as they come.
        response = case.call(headers={"Accept-Encoding": "identity"})
        seen[response.status_code] += 1
        case.validate_response(response, checks=CHECKS.get_by_names(HELD))

    send()
    return seen


def _make_as_many(body: object) -> None:
    """Cut a corpus's two lists to one length, which the document can't say that they must have.

    Nearly all of those that fit the document were refused else.
    """
    if not isinstance(body, dict):
        return
    hypotheses, references = body.get("hypotheses"), body.get("references")
    if isinstance(hypotheses, list) and isinstance(references, list):
        shorter = min(len(hypotheses), len(references))
        del hypotheses[shorter:], references[shorter:]
