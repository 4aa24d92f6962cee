"""The pages. Each finds its metric, binds the form, runs, and renders."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from . import content
from .allowance import for_one_text
from .answer import Answer, answer_of_pair
from .forms import PairForm, empty_form
from .gate.guide import gate_guide
from .guide import guide
from .linked_data import linked_data
from .receipt import FILES, File, receipt_of, recipe_file
from .scoring import AnyMetric, ScoringError, registry
from .scoring.variations import variations

SCORED = "scored-"  # before the names of what was scored, which templates/_scored.html sends


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """All tools, which stand on every page, and one worked example."""
    return _briefly_kept(render(request, "home.html", _first_example()))


def _first_example() -> dict[str, Any]:
    for metric in registry.METRICS:
        for example in content.page(metric.slug).examples:
            answer = _answer(_filled(metric, example))
            if answer:
                return {"metric": metric, "example": example} | _shown(answer)
    return {}


# Cross-site posts are refused by mtcalc.middleware: the public pages set no cookie for a token.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def calculator(request: HttpRequest, slug: str) -> HttpResponse:
    """A metric's page; with a text sent or an example asked for, its score and working."""
    metric = registry.find(slug)
    if metric is None:
        raise Http404
    if request.method == "POST":
        return _scored(request, metric, PairForm.of(metric, _sent(request)))
    if example := request.GET.get("example"):
        return _example(request, metric, example)
    return _briefly_kept(_page(request, metric, empty_form(metric)))


@csrf_exempt
@require_POST
def receipt(request: HttpRequest, slug: str, ending: str) -> HttpResponse:
    """The receipt of the score of the text that is sent, as a file with that ending."""
    if ending not in FILES:
        raise Http404
    return _saved(request, slug, FILES[ending])


@csrf_exempt
@require_POST
def recipe(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The program or command of that number that gives the score of the text that is sent."""
    return _saved(request, slug, lambda answer: recipe_file(answer, number))


def _saved(request: HttpRequest, slug: str, made: Callable[[Answer], File | None]) -> HttpResponse:
    """A file made of the answer to what is sent; the page where that can't be scored."""
    metric = registry.find(slug)
    if metric is None:
        raise Http404
    form = PairForm.of(metric, _sent_again(request))
    answer = _answer(form)
    if answer is None:
        return _unkept(_page(request, metric, form), 400)
    file = made(answer)
    if file is None:
        raise Http404
    return HttpResponse(
        file.text,
        content_type=f"{file.content_type}; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="{file.name}"',
            "Cache-Control": "no-store",
        },
    )


def _unkept(response: HttpResponse, status: int) -> HttpResponse:
    response.status_code = status
    response.headers["Cache-Control"] = "no-store"
    return response


def _refused(request: HttpRequest, message: str, status: int, slug: str) -> HttpResponse:
    """The page with all that was typed, for a request that was refused before it came here."""
    metric = registry.find(slug)
    if metric is None:
        raise Http404
    form = PairForm.of(metric, _sent(request))
    form.refuse(ScoringError(message))
    response = _page(request, metric, form)
    response.status_code = status
    response.headers["Cache-Control"] = "no-store"
    return response


calculator.refused = _refused  # type: ignore[attr-defined]


def _example(request: HttpRequest, metric: AnyMetric, slug: str) -> HttpResponse:
    example = content.page(metric.slug).example(slug)
    if example is None:
        raise Http404
    return _scored(request, metric, _filled(metric, example), example=example)


def _filled(metric: AnyMetric, example: content.Example) -> PairForm:
    return PairForm.of_example(
        metric, example.hypothesis, example.references_text, example.preset, example.options
    )


def _sent(request: HttpRequest) -> QueryDict:
    """What was posted; ``BadRequest`` where it can't be read."""
    try:
        return request.POST
    except (LookupError, UnicodeError):
        # The sender named a character encoding that is none.
        raise BadRequest("The form could not be read.") from None


def _sent_again(request: HttpRequest) -> dict[str, Any]:
    """What was posted; a result's own form has names apart from those of the boxes."""
    return {name.removeprefix(SCORED): value for name, value in _sent(request).items()}


def _scored(
    request: HttpRequest, metric: AnyMetric, form: PairForm, **more: object
) -> HttpResponse:
    answer = _answer(form)
    return _unkept(_page(request, metric, form, answer, **more), 200 if answer else 400)


def _answer(form: PairForm) -> Answer | None:
    """The whole answer, worked out here, where a refusal can still be shown beside the text."""
    run = form.evaluate(for_one_text())
    if run is None:
        return None
    try:
        return answer_of_pair(run)
    except ScoringError as error:
        form.refuse(error)
        return None


def _page(
    request: HttpRequest,
    metric: AnyMetric,
    form: PairForm,
    answer: Answer | None = None,
    **more: object,
) -> HttpResponse:
    page, path = content.page(metric.slug), reverse("calculator", args=[metric.slug])
    context: dict[str, Any] = {
        "metric": metric,
        "page": page,
        "form": form,
        "has_errors": form.is_bound and bool(form.errors),
        "canonical_path": path,
        # Called by the template, which shows it on the empty page alone and keeps it there.
        "linked_data": partial(linked_data, metric, page, request.build_absolute_uri(path)),
        "example": None,
        "run": None,
    }
    shown = _shown(answer) if answer else {}
    return render(request, "calculator.html", context | shown | more)


def _shown(answer: Answer) -> dict[str, Any]:
    return {
        "run": answer.run,
        "summary": answer.summary,
        "sections": answer.working,
        "notes": answer.notes,
        "elsewhere": answer.elsewhere,
        "signature": answer.run.signature,
        "receipt": receipt_of(answer.run),
        "fields_scored": PairForm.fields_of(answer.run),
        "variations": variations(answer.run),
    }


@require_safe
def api_docs(request: HttpRequest) -> HttpResponse:
    """The API's documentation, written from the registry."""
    root = request.build_absolute_uri("/")
    context = {"guide": guide(root), "gate_guide": gate_guide(root), "here": "api-docs"}
    return _briefly_kept(render(request, "api.html", context))


@require_safe
def site_page(request: HttpRequest, name: str) -> HttpResponse:
    """A page of words that belongs to no metric."""
    return _briefly_kept(render(request, f"{name}.html", {"page": content.site_page(name)}))


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Where the site's drawing is, for what asks at the address of old, such as the admin."""
    headers = {"Location": static("favicon.svg"), "Cache-Control": "public, max-age=86400"}
    return HttpResponse(status=302, headers=headers)


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """``ok`` while the process answers; it asks neither the database nor a metric."""
    return HttpResponse("ok", content_type="text/plain", headers={"Cache-Control": "no-store"})


def _briefly_kept(response: HttpResponse) -> HttpResponse:
    """``response``, which a cache may keep and must ask about before it shows it again."""
    response.headers["Cache-Control"] = "no-cache"
    return response
