"""Hostile requests are refused in a moment with a message of our own, and never with a 500."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from calculators.files.forms import FILE_FIELDS, TEXT_BOXES
from calculators.scoring import METRICS, AnyMetric

from . import hostile

# The whole application answers, which looks after its database connections around every request.
pytestmark = pytest.mark.django_db(transaction=True)

SLUG = METRICS[0].slug
MOST = 2.0  # seconds of the processor
PAGES = {
    f"/{SLUG}/": (("hypothesis", "references", "preset", "preset_shown", "max_order"), ()),
    f"/{SLUG}/receipt.json": (("hypothesis", "references"), ()),
    f"/{SLUG}/recipe-1": (("hypothesis", "references"), ()),
    f"/feedback/{SLUG}/": (("rating", "text", "kind", "name", "token", "website"), ()),
    "/feedback/report/abc/": (("reason",), ()),
    "/files/": (
        (*(box[0] for box in TEXT_BOXES), "metrics", "resamples", "seed", "remedy", "state"),
        tuple(FILE_FIELDS),
    ),
    "/files/download/": (("system_1", "reference_1", "download", "state"), ("systems",)),
    "/gate/": (("items", "threshold", "open"), ("file",)),
    "/gate/report.json": (("items", "threshold"), ("file",)),
}
CALLS = (f"/api/v1/{SLUG}/score", f"/api/v1/{SLUG}/corpus", "/api/v1/gate")


@pytest.fixture
def send() -> Callable[..., Any]:
    """Posts a body; fails where the answer is late, a fault, or a refusal with what was sent."""
    client = Client(raise_request_exception=False)

    def posted(path: str, kind: str, body: bytes, **more: Any) -> Any:
        started = time.thread_time()
        # Of an empty body the client itself would leave out the content type.
        environment = {"CONTENT_TYPE": kind, "CONTENT_LENGTH": str(len(body))}
        response = client.generic("POST", path, body, kind, **environment, **more)
        content = response.getvalue()
        told = (path, kind, body[:300], more)
        assert response.status_code < 500, told
        assert time.thread_time() - started < MOST, told
        if path.startswith("/api/") and response.status_code != 200:
            assert hostile.WORD.encode() not in content, told
        return response

    return posted


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.slug)
def test_no_value_in_any_place_of_a_document_is_a_fault(send, metric: AnyMetric) -> None:
    seen = [
        send(path, hostile.JSON, body.encode()).status_code
        for path, body in hostile.documents(metric)
    ]
    assert len(seen) > 1_000
    assert set(seen) == {200, 400}


def test_no_value_in_any_place_of_the_gates_document_is_a_fault(send) -> None:
    seen = {
        send("/api/v1/gate", hostile.JSON, b.encode()).status_code for b in hostile.gate_documents()
    }
    assert seen == {200, 400}


@pytest.mark.parametrize(
    "detail", [*("-1", "", "%20", "NaN", "1e5", "1_0", "%00", "%ff"), "9" * 5_000]
)
def test_no_index_of_a_segment_is_a_fault(send, detail: str) -> None:
    body = b'{"hypotheses": ["a"], "references": [["a"]]}'
    response = send(f"/api/v1/{SLUG}/corpus?detail={detail}", hostile.JSON, body)
    assert list(response.json()["errors"]) == ["detail"]


@pytest.mark.parametrize("path", [*CALLS, *PAGES])
def test_no_content_type_and_no_encoding_is_a_fault(send, path: str) -> None:
    for kind, body in hostile.odd_bodies():
        send(path, kind, body)
        send(path, kind, body, headers={"content-encoding": "gzip"})


@pytest.mark.parametrize("path", PAGES)
def test_no_form_is_a_fault(send, path: str) -> None:
    for kind, body in hostile.forms(*PAGES[path]):
        send(path, kind, body)


def test_no_address_is_a_fault(send) -> None:
    client = Client(raise_request_exception=False)
    for path in hostile.addresses(SLUG):
        assert client.get(path).status_code < 500, path
        send(path, hostile.FORM, b"a=1")
