"""The pages on which visitors rate, comment, change, delete and report.

None needs a cookie, an account or JavaScript. Posts from other sites are refused by
mtcalc.middleware, which asks the views' ``refused`` for the page that keeps what was typed.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from ..scoring import AnyMetric, find
from . import submissions
from .forms import EntryForm, NewEntryForm, ReportForm
from .limits import REPORTS_REFUSED, SAME_REPORT, SUBMISSIONS_REFUSED, Limit, Tally, hit_unless_off
from .mail import tell_managers
from .models import Feedback, Reason, State
from .network import sender_key
from .published import DOWN, all_published
from .spam import Circumstances
from .tokens import Age, entry_token, reference_in

logger = logging.getLogger(__name__)

INVALID = "Nothing was sent yet."
EXPIRED = "This form had been open for more than a day. Nothing is lost: send it again."
TOO_MANY = "Very much has come from your network. Nothing is lost: try again in {} min."
UNKEPT = "Feedback can't be kept just now. Nothing is lost: try again in half a minute."
UNREAD = "Feedback can't be read just now. Try again in half a minute."


class Problem(Exception):
    """Why a page is shown again instead of doing what was asked."""

    def __init__(self, message: str, status: int, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.retry_after = retry_after  # seconds


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def tool(request: HttpRequest, page: str) -> HttpResponse:
    """All feedback on a tool and the form for more."""
    metric = _metric(page)
    if request.method != "POST":
        return _tool_page(request, metric, NewEntryForm(page))
    form = NewEntryForm(page, _sent(request))
    try:
        with _database(UNKEPT):
            entry = _received(request, form)
    except Problem as problem:
        return _tool_page(request, metric, form, problem)
    return HttpResponseRedirect(_address_of(entry), status=303)


def _received(request: HttpRequest, form: NewEntryForm) -> Feedback:
    _require_valid(form)
    if form.age is Age.EXPIRED:
        raise Problem(EXPIRED, 400)
    sender = sender_key(request)
    circumstances = Circumstances(form.trap, form.age, _counted(SUBMISSIONS_REFUSED, sender))
    entry = submissions.receive(form.page, form.words, sender, circumstances)
    if entry.state == State.PENDING:
        tell_managers(request)
    return entry


def _tool_page(
    request: HttpRequest, metric: AnyMetric, form: NewEntryForm, problem: Problem | None = None
) -> HttpResponse:
    context = {
        "metric": metric,
        "form": form,
        "published": all_published(metric, request.GET.get("page", "1")),
    }
    return _page(request, "feedback/tool.html", context, problem)


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def yours(request: HttpRequest, token: str) -> HttpResponse:
    """An entry as its author sees it, who came by the signed link: where it stands, and a form."""
    reference = _reference(token)
    form = EntryForm(_sent(request)) if request.method == "POST" else None
    entry = None
    try:
        with _database(UNKEPT if form else UNREAD):
            entry = Feedback.objects.filter(reference=reference).first()
            if entry is not None and form is not None:
                entry = _edited(request, reference, form)
    except Problem as problem:
        return _yours_page(request, token, entry, form, problem)
    if entry is None:
        return render(request, "feedback/gone.html", status=410)
    if form is not None:
        return HttpResponseRedirect(f"{_address_of(entry)}?changed", status=303)
    return _yours_page(request, token, entry, EntryForm.of_entry(entry))


def _edited(request: HttpRequest, reference: str, form: EntryForm) -> Feedback | None:
    _require_valid(form)
    tally = _counted(SUBMISSIONS_REFUSED, sender_key(request))
    circumstances = Circumstances(trap="", age=Age.FINE, tally=tally)
    entry = submissions.edit(reference, form.words, circumstances)
    if entry is not None and entry.state == State.PENDING:
        tell_managers(request)
    return entry


def _yours_page(
    request: HttpRequest,
    token: str,
    entry: Feedback | None,
    form: EntryForm | None,
    problem: Problem | None = None,
) -> HttpResponse:
    context = {
        "entry": entry,
        "metric": find(entry.page) if entry else None,
        "form": form,
        "token": token,
        "link": request.build_absolute_uri(reverse("feedback:yours", args=[token])),
        "is_changed": "changed" in request.GET,
    }
    return _page(request, "feedback/yours.html", context, problem)


@csrf_exempt
@require_POST
def withdraw(request: HttpRequest, token: str) -> HttpResponse:
    """The entry deleted by its author."""
    reference = _reference(token)
    try:
        with _database(UNKEPT):
            submissions.withdraw(reference)
    except Problem as problem:
        return _page(request, "feedback/unavailable.html", {}, problem)
    return _page(request, "feedback/deleted.html", {"reference": reference})


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, reference: str) -> HttpResponse:
    """A published comment and what a reader finds wrong with it."""
    form = ReportForm(_sent(request)) if request.method == "POST" else ReportForm()
    entry = None
    try:
        with _database(UNKEPT):
            entry = Feedback.objects.published().filter(reference=reference).first()
            if entry is not None and form.is_bound:
                _reported(request, entry, form)
    except Problem as problem:
        return _page(request, "feedback/report.html", {"entry": entry, "form": form}, problem)
    if entry is None:
        raise Http404
    return _page(request, "feedback/report.html", {"entry": entry, "form": form})


def _reported(request: HttpRequest, entry: Feedback, form: ReportForm) -> None:
    _require_valid(form)
    sender = sender_key(request)
    _counted(REPORTS_REFUSED, sender)
    # One reader's second report of the same comment tells nobody anything.
    if hit_unless_off(SAME_REPORT, f"{entry.reference}:{sender}").is_over(SAME_REPORT):
        return
    submissions.report(entry.reference, Reason(form.cleaned_data["reason"]))
    tell_managers(request)


def _refused_tool(request: HttpRequest, message: str, status: int, page: str) -> HttpResponse:
    form = NewEntryForm(page, _sent(request))
    return _tool_page(request, _metric(page), form, Problem(message, status))


def _refused_yours(request: HttpRequest, message: str, status: int, token: str) -> HttpResponse:
    _reference(token)
    form = EntryForm(_sent(request))
    return _yours_page(request, token, None, form, Problem(message, status))


tool.refused = _refused_tool  # type: ignore[attr-defined]
yours.refused = _refused_yours  # type: ignore[attr-defined]


def _metric(slug: str) -> AnyMetric:
    metric = find(slug)
    if metric is None:
        raise Http404
    return metric


def _reference(token: str) -> str:
    reference = reference_in(token)
    if reference is None:
        raise Http404
    return reference


def _address_of(entry: Feedback) -> str:
    return reverse("feedback:yours", args=[entry_token(entry)])


def _sent(request: HttpRequest) -> QueryDict:
    """What was posted; ``BadRequest`` where it is not UTF-8, in which the pages are written."""
    if (request.encoding or "utf-8").lower() not in ("utf-8", "utf8"):
        raise BadRequest("The form is not UTF-8.")
    return request.POST


def _require_valid(form: EntryForm | ReportForm) -> None:
    if not form.is_valid():
        raise Problem(INVALID, 400)


def _counted(limit: Limit, sender: str) -> Tally:
    tally = hit_unless_off(limit, sender)
    if tally.is_over(limit):
        minutes = -(-tally.retry_after // 60)
        raise Problem(TOO_MANY.format(minutes), 429, tally.retry_after)
    return tally


@contextmanager
def _database(message: str) -> Iterator[None]:
    """Turns the failure of the database into a problem that the page can tell."""
    try:
        yield
    except DOWN:
        logger.exception("The database did not take or give feedback.")
        raise Problem(message, 503, retry_after=30) from None


def _page(
    request: HttpRequest, template: str, context: dict[str, Any], problem: Problem | None = None
) -> HttpResponse:
    status = problem.status if problem else 200
    context = {**context, "problem": problem, "is_premoderated": settings.MTCALC_PREMODERATE}
    response = render(request, template, context, status=status)
    if problem and problem.retry_after:
        response.headers["Retry-After"] = str(problem.retry_after)
    # A signed link or a form's token stands in it.
    response.headers["Cache-Control"] = "no-store"
    if not template.endswith("tool.html"):
        response.headers["X-Robots-Tag"] = "noindex"
    return response
