"""The gate's page, its report to download, and its place in the API."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from .. import content
from ..allowance import for_many_texts
from ..api import Refusal, endpoint, sent_document
from ..forms import BODY
from ..scoring import Budget, ScoringError
from ..scoring.gate import Item, Judgement, judge
from .answer import GateAnswer, Opened, answer_of, opened
from .forms import GateForm
from .items import ItemsError, bundled_text, items_of
from .limits import refuse_too_many
from .report import report, report_of, written
from .threshold import DEFAULT, threshold_of_value

BUNDLED = "bundled"  # the name of the example
KNOWN = ("items", "threshold")  # the fields of the API's body

# One word that has nothing to do with its source, and passes all the same.
FLAW = Item("an unrelated word", "Confirmed", "Helicopters")


# Cross-site posts are refused by mtcalc.middleware: the public pages set no cookie for a token.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def gate(request: HttpRequest) -> HttpResponse:
    """The page; with items sent or the example asked for, their verdicts."""
    if request.method == "POST":
        return _judged(request, _sent(request))
    example = request.GET.get("example")
    if example == BUNDLED:
        return _judged(request, GateForm.of_text(bundled_text("gate_cases")))
    if example:
        raise Http404
    response = _page(request, GateForm())
    response.headers["Cache-Control"] = "no-cache"
    return response


@csrf_exempt
@require_POST
def report_file(request: HttpRequest) -> HttpResponse:
    """report.json over what the page holds; the page with its errors where there are some."""
    form = _sent(request)
    answer = _answer(form, for_many_texts())
    if answer is None:
        return _refused(request, form)
    text = written(report(answer.judgements, answer.threshold))
    return HttpResponse(
        text,
        content_type="application/json",
        headers={
            "Content-Disposition": 'attachment; filename="report.json"',
            "Cache-Control": "no-store",
        },
    )


def _sent(request: HttpRequest) -> GateForm:
    """The form that was posted; ``BadRequest`` where it can't be read."""
    try:
        return GateForm(request.POST, request.FILES)
    except (LookupError, UnicodeError):
        # The sender named a character encoding that is none.
        raise BadRequest("The form could not be read.") from None


def _answer(form: GateForm, budget: Budget) -> GateAnswer | None:
    """The verdicts; None where the form has errors, those that scoring meets among them."""
    if not form.is_valid():
        return None
    try:
        return answer_of(*form.judged, budget)
    except ScoringError as error:
        form.refuse(error)
        return None


def _judged(request: HttpRequest, form: GateForm) -> HttpResponse:
    budget = for_many_texts()
    answer = _answer(form, budget)
    if answer is None:
        return _refused(request, form)
    try:
        shown = _opened(request, answer, budget)
    except ScoringError as error:
        form.refuse(error)
        return _refused(request, form)
    response = _page(request, form, answer=answer, opened=shown)
    response.headers["Cache-Control"] = "no-store"
    return response


def _opened(request: HttpRequest, answer: GateAnswer, budget: Budget) -> Opened | None:
    """The working of the item that was asked for; None where none was."""
    asked = request.POST.get("open", "")
    # Nine digits hold every number of an item; int() refuses thousands of them.
    if not (asked.isascii() and asked.isdigit() and len(asked) < 10):
        return None
    return opened(answer, int(asked), budget) if int(asked) < len(answer.judgements) else None


def _turned_away(request: HttpRequest, message: str, status: int) -> HttpResponse:
    """The page with all that was typed, for a request that was refused before it came here."""
    form = _sent(request)
    form.refuse(ScoringError(message))
    return _refused(request, form, status)


gate.refused = report_file.refused = _turned_away  # type: ignore[attr-defined]


def _refused(request: HttpRequest, form: GateForm, status: int = 400) -> HttpResponse:
    response = _page(request, form)
    response.status_code = status
    response.headers["Cache-Control"] = "no-store"
    return response


def _page(request: HttpRequest, form: GateForm, **more: object) -> HttpResponse:
    context: dict[str, Any] = {
        "page": content.site_page("gate"),
        "method": content.site_page("gate-method"),
        "here": "gate",
        "canonical_path": reverse("gate"),
        "form": form,
        "has_errors": form.is_bound and bool(form.errors),
        "answer": None,
        "opened": None,
        "flaw": _flaw(),
    }
    return render(request, "gate.html", context | more)


def _flaw() -> Judgement:
    (judgement,) = judge([FLAW])
    return judgement


@endpoint("POST")
def gate_api(request: HttpRequest) -> HttpResponse:
    """The report on the items that are sent."""
    document = sent_document(request)
    if not isinstance(document, dict):
        raise ScoringError("Send one JSON object.", BODY)
    if any(name not in KNOWN for name in document):
        raise ScoringError(f"There is an unknown field. Known: {', '.join(KNOWN)}.", BODY)
    threshold = threshold_of_value(document.get("threshold", DEFAULT))
    return JsonResponse(report_of(_items(document), threshold, for_many_texts()))


def _items(document: dict[str, object]) -> tuple[Item, ...]:
    if "items" not in document:
        raise ScoringError("Send items, an array of objects.", "items")
    try:
        items = items_of(document["items"])
        refuse_too_many(items)
    except ItemsError as error:
        raise Refusal(400, {"items": error.messages}) from None
    return items
