"""The JSON API. It binds the same form as the pages and answers with the same values."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse, UnreadablePostError
from django.views.decorators.csrf import csrf_exempt

from .allowance import for_many_texts, for_one_text
from .answer import answer_data, answer_of_corpus, answer_of_pair, corpus_data, json_ready
from .documents import parsed
from .forms import BODY, CorpusForm, PairForm
from .listing import metric_data
from .openapi import openapi_document
from .scoring import AnyEvaluation, AnyMetric, Budget, ScoringError, as_data, registry

View = Callable[..., HttpResponse]
Messages = dict[str, list[str]]


class Refusal(Exception):
    """An answer other than 200: its status and its messages by field."""

    def __init__(self, status: int, messages: Messages) -> None:
        super().__init__(status)
        self.status = status
        self.messages = messages


def endpoint(*methods: str) -> Callable[[View], View]:
    """A view that takes ``methods`` and OPTIONS, and answers every refusal with JSON."""

    def decorated(view: View) -> View:
        @csrf_exempt
        @wraps(view)
        def answered(request: HttpRequest, **parts: str) -> HttpResponse:
            try:
                response = _allowed(request, methods) or view(request, **parts)
            except Refusal as refusal:
                response = _refusal(refusal.status, refusal.messages)
            except ScoringError as error:
                response = _refusal(400, {error.field or BODY: [error.message]})
            if response.status_code in (204, 405):
                response.headers["Allow"] = ", ".join((*methods, "OPTIONS"))
            response.headers.setdefault("Cache-Control", "no-store")
            return response

        return answered

    return decorated


def _allowed(request: HttpRequest, methods: tuple[str, ...]) -> HttpResponse | None:
    if request.method == "OPTIONS":
        return HttpResponse(status=204)
    if request.method not in methods:
        return _refusal(405, {"method": [f"Send {' or '.join(methods)}."]})
    return None


def _refusal(status: int, messages: Messages) -> HttpResponse:
    return JsonResponse({"errors": messages}, status=status)


@endpoint("GET", "HEAD")
def document(request: HttpRequest) -> HttpResponse:
    """The API's OpenAPI document."""
    return _cached(openapi_document())


@endpoint("GET", "HEAD")
def metrics(request: HttpRequest) -> HttpResponse:
    """Every metric with its options, presets and scale."""
    return _cached({"metrics": [metric_data(metric) for metric in registry.METRICS]})


def _cached(data: dict[str, Any]) -> HttpResponse:
    return JsonResponse(json_ready(data), headers={"Cache-Control": "public, max-age=300"})


@endpoint("POST")
def score(request: HttpRequest, slug: str) -> HttpResponse:
    """The score of one hypothesis, with its whole working."""
    run = _run(PairForm, slug, request, for_one_text())
    return JsonResponse(answer_data(answer_of_pair(run)))


@endpoint("POST")
def corpus(request: HttpRequest, slug: str) -> HttpResponse:
    """The score of a corpus and of each segment; ``?detail=INDEX`` adds one segment's working."""
    run = _run(CorpusForm, slug, request, for_many_texts())
    index = _detail_index(request, len(run.corpus))
    data = corpus_data(answer_of_corpus(run))
    if index is not None:
        data["detail"] = json_ready([as_data(section) for section in run.detail(index)])
    return JsonResponse(data)


@endpoint("GET", "HEAD", "POST")
def nowhere(request: HttpRequest) -> HttpResponse:
    """The answer at an address of the API where there is nothing."""
    raise Refusal(404, {"address": ["There is nothing at this address."]})


def _metric(slug: str) -> AnyMetric:
    metric = registry.find(slug)
    if metric is None:
        known = ", ".join(metric.slug for metric in registry.METRICS)
        raise Refusal(404, {"metric": [f"There is no metric of that name. Known: {known}."]})
    return metric


def _run(
    kind: type[PairForm] | type[CorpusForm], slug: str, request: HttpRequest, budget: Budget
) -> AnyEvaluation:
    metric = _metric(slug)
    form = kind.of_document(metric, sent_document(request))
    run = form.evaluate(budget)
    if run is None:
        raise Refusal(400, form.messages)
    return run


def _detail_index(request: HttpRequest, segments: int) -> int | None:
    """The segment whose working is asked for, from 0; None where none is."""
    asked = request.GET.get("detail")
    if asked is None:
        return None
    # Nine digits hold every index that a body can have; int() refuses thousands of them.
    if asked.isascii() and asked.isdigit() and len(asked) < 10 and int(asked) < segments:
        return int(asked)
    raise ScoringError(f"detail must be a whole number from 0 to {segments - 1}.", "detail")


def sent_document(request: HttpRequest) -> object:
    """The JSON of the body; a refusal where it is none."""
    if request.content_type != "application/json":
        raise Refusal(415, {"content-type": ["Send the content type application/json."]})
    if "Transfer-Encoding" in request.headers:
        # WSGI hands on nothing of a body whose length is not told.
        raise ScoringError("Send the body with its Content-Length, not in chunks.", BODY)
    try:
        return _parsed(request.body)
    except RequestDataTooBig:
        limit = f"{settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 1024**2} MiB"
        raise Refusal(413, {BODY: [f"The body is larger than {limit}."]}) from None
    except UnreadablePostError:
        raise ScoringError("The body ended too soon.", BODY) from None


def _parsed(body: bytes) -> object:
    try:
        return parsed(body.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ScoringError("The body is not JSON in UTF-8.", BODY) from None
