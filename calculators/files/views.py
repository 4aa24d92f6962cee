"""The page for files and systems, and its downloads."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Generator, Iterator
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from .. import content
from ..scoring import Budget, ScoringError
from .answer import FilesAnswer, Unscored, answered, kept
from .downloads import download
from .example import example_form
from .forms import FilesForm
from .sheet import Work, finished

EXAMPLE = "two-systems"
BETWEEN_NEWS = 0.15  # seconds between two lines of progress

log = logging.getLogger(__name__)


# Cross-site posts are refused by mtcalc.middleware: the public pages set no cookie for a token.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def files(request: HttpRequest) -> HttpResponseBase:
    """The page; with files sent or the example asked for, the results."""
    if request.method == "POST":
        return _sent_to(request)
    example = request.GET.get("example")
    if example and example != EXAMPLE:
        raise Http404
    if example:
        return _page(request, *_worked(example_form()))
    response = _page(request, FilesForm.empty(), Unscored(), is_sent=False)
    response.headers["Cache-Control"] = "no-cache"
    return response


def _sent_to(request: HttpRequest) -> HttpResponseBase:
    form = _sent(request)
    if request.POST.get("progress"):
        return _told_as_it_goes(request, form)
    return _page(request, *_worked(form))


@csrf_exempt
@require_POST
def files_download(request: HttpRequest) -> HttpResponse:
    """A file of the results; the page with its errors where there are some."""
    form, answer = _worked(_sent(request))
    if isinstance(answer, Unscored):
        return _page(request, form, answer)
    kind = request.POST.get("download", "")
    if kind not in dict(answer.downloads):
        raise Http404
    try:
        made = download(kind, answer)
    except ScoringError as error:
        form.refuse(error)
        return _page(request, form, Unscored(answer.findings, answer.carried))
    return HttpResponse(
        made.data,
        content_type=made.content_type,
        headers={
            "Content-Disposition": f'attachment; filename="{made.name}"',
            "Cache-Control": "no-store",
        },
    )


def _turned_away(request: HttpRequest, message: str, status: int) -> HttpResponse:
    """The page with all that was sent, for a request that was refused before it came here."""
    form = _sent(request)
    form.refuse(ScoringError(message))
    response = _page(request, form, kept(form))
    response.status_code = status
    return response


files.refused = files_download.refused = _turned_away  # type: ignore[attr-defined]


def _sent(request: HttpRequest) -> FilesForm:
    """The form that was posted; ``BadRequest`` where it can't be read."""
    try:
        return FilesForm(request.POST, request.FILES)
    except (LookupError, UnicodeError):
        # The sender named a character encoding that is none.
        raise BadRequest("The form could not be read.") from None


def _work(form: FilesForm) -> Work[FilesAnswer | Unscored]:
    return answered(form, Budget(seconds=settings.MTCALC_FILES_WORK_SECONDS))


def _worked(form: FilesForm) -> tuple[FilesForm, FilesAnswer | Unscored]:
    return form, finished(_work(form))


def _page(
    request: HttpRequest, form: FilesForm, answer: FilesAnswer | Unscored, *, is_sent: bool = True
) -> HttpResponse:
    response = render(request, "files.html", _context(form, answer))
    if is_sent:
        response.status_code = 400 if isinstance(answer, Unscored) else 200
        response.headers["Cache-Control"] = "no-store"
    return response


def _context(form: FilesForm, answer: FilesAnswer | Unscored) -> dict[str, Any]:
    is_scored = isinstance(answer, FilesAnswer)
    return {
        "page": content.site_page("files"),
        "method": content.site_page("files-method"),
        "here": "files",
        "canonical_path": reverse("files"),
        "form": form,
        "has_errors": bool(form.errors),
        "carried": answer.carried,
        "findings": answer.findings,
        "answer": answer if is_scored else None,
        "segments_limit": settings.MTCALC_FILES_SEGMENTS,
        "bytes_limit": settings.MTCALC_FILES_BYTES,
    }


# Progress: the answer is told line by line, each a JSON object, the last one with the page.


def _told_as_it_goes(request: HttpRequest, form: FilesForm) -> StreamingHttpResponse:
    return StreamingHttpResponse(
        _news(request, form),
        content_type="application/x-ndjson",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


def _news(request: HttpRequest, form: FilesForm) -> Iterator[str]:
    """Lines on how far the work has come; where the reader goes away, the work ends."""
    try:
        answer = yield from _progress(_work(form))
        html = render_to_string("files.html", _context(form, answer), request)
        yield _line({"page": html})
    except Exception:
        # The status is long sent, and the server's own report would print the exception's words.
        log.exception("files: the work failed")
        yield _line({"failed": True})


def _progress(
    work: Work[FilesAnswer | Unscored],
) -> Generator[str, None, FilesAnswer | Unscored]:
    told = 0.0
    while True:
        try:
            news = next(work)
        except StopIteration as end:
            answer: FilesAnswer | Unscored = end.value
            return answer
        if time.monotonic() - told >= BETWEEN_NEWS:
            told = time.monotonic()
            yield _line({"done": news.done, "total": news.total, "what": news.what})


def _line(data: dict[str, Any]) -> str:
    return json.dumps(data) + "\n"
