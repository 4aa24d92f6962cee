"""What every answer carries, and which posts are let in."""

from collections.abc import Callable
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import resolve

Handler = Callable[[HttpRequest], HttpResponse]

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)


class ContentSecurityPolicy:
    """Sets the policy under which pages run: the site's own files and nothing else."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers["Content-Security-Policy"] = POLICY
        response.headers["Permissions-Policy"] = "camera=(), geolocation=(), microphone=()"
        return response


class SameOriginPosts:
    """Refuses what another site makes a visitor's browser send.

    The public pages set no cookie and so have no CSRF token; browsers say themselves where a
    request comes from. The admin keeps Django's own protection. A client that sends neither
    header is no browser and acts for nobody but itself.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method in ("GET", "HEAD", "OPTIONS") or is_admin(request):
            return self.get_response(request)
        if _is_from_here(request):
            return self.get_response(request)
        message = "This request came from another site and was refused."
        return with_words(request, message, 403) or refusal(request, 403, "origin", message)


class NoVisitorCookies:
    """Hides cookies from the public pages.

    They set none; what a browser sends belongs to other programs on the same host, and an answer
    that looked at it would be marked as differing from visitor to visitor.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not is_admin(request):
            request.COOKIES = {}
            # Django's own check rests on a cookie; SameOriginPosts stands in its place.
            request._dont_enforce_csrf_checks = True
        return self.get_response(request)


class FormsInUtf8:
    """Refuses a form in another encoding than that of the pages, which no browser sends.

    Some of Python's encodings make half characters, which no page can show again.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        encoding = (request.encoding or "utf-8").lower()
        if encoding not in ("utf-8", "utf8") and request.content_type != "application/json":
            raise BadRequest("The form is not UTF-8.")
        return self.get_response(request)


class BodyLimit:
    """Refuses a body over the limit before a byte of it is read.

    Django's own limit leaves out uploaded files.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        length = request.META.get("CONTENT_LENGTH") or "0"
        if length.isdigit() and int(length) > limit:
            size = f"{limit // 1024**2} MiB"
            message = f"The request is larger than the {size} that are taken at once."
            return refusal(request, 413, "body", message)
        return self.get_response(request)


def with_words(request: HttpRequest, message: str, status: int) -> HttpResponse | None:
    """The refusal as a view's ``refused`` shows it, with all that was typed, where it has one."""
    try:
        view, args, kwargs = resolve(request.path_info)
        refused = getattr(view, "refused", None)
        return refused(request, message, status, *args, **kwargs) if refused else None
    except Http404:
        return None


def refusal(request: HttpRequest, status: int, field: str, message: str) -> HttpResponse:
    """The refusal as JSON to a program, as a page to a person."""
    if request.content_type == "application/json":
        return JsonResponse({"errors": {field: [message]}}, status=status)
    return render(request, f"{status}.html", {"reason": message}, status=status)


def is_admin(request: HttpRequest) -> bool:
    """Whether the address is in the admin."""
    return request.path_info.startswith(f"/{settings.MTCALC_ADMIN_PATH}")


def _is_from_here(request: HttpRequest) -> bool:
    if request.headers.get("Sec-Fetch-Site") in ("same-origin", "none"):
        return True
    origin = request.headers.get("Origin")
    if origin is None:
        return "Sec-Fetch-Site" not in request.headers
    try:
        return urlsplit(origin).netloc == request.get_host()
    except ValueError:
        # No address, such as one with half a pair of brackets.
        return False
