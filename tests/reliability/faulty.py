"""Settings of a site that fails when it is asked to, with messages full of what was sent."""

import os
from pathlib import Path

from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse

from mtcalc.middleware import Handler
from mtcalc.settings import *  # noqa: F403
from mtcalc.settings import MIDDLEWARE, STORAGES

STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
# The site's own, which is hashed, is left as it is.
STATIC_ROOT = Path(os.environ["MAILS"]).with_name("static")
MIDDLEWARE = [*MIDDLEWARE, "tests.reliability.faulty.Fault"]
EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
EMAIL_FILE_PATH = os.environ["MAILS"]
ADMINS = MANAGERS = [("", "owner@example.org")]


class Fault:
    """Raises what the header X-Fault asks for."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        fault = request.headers.get("X-Fault")
        words = repr(request.body)
        if fault == "database":
            with connection.execute_wrapper(_failing):
                return self.get_response(request)
        response = self.get_response(request)
        if fault == "exception":
            raise RuntimeError(words)
        return response


def _failing(execute, sql, params, many, context):
    raise OperationalError(f"{sql} failed with {params!r}")
