"""The WSGI application. It serves only with a key of its own and with checked numbers."""

import gc
import logging
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mtcalc.settings")

_django = get_wsgi_application()
_FAILED = b"The page could not be made."


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Django's; of what its own page for faults fails at, the server would log every word."""
    try:
        return _django(environ, start_response)
    except Exception:
        logging.getLogger(__name__).exception("Not even the page for faults could be made.")
        headers = [("Content-Type", "text/plain"), ("Content-Length", str(len(_FAILED)))]
        start_response("500 Internal Server Error", headers)
        return [_FAILED]


# A terminal sends Ctrl+C to the workers as well as to the server, which then tells them to stop. Of
# two signals at once a worker can be caught in the first one's handler, and must be killed.
if multiprocessing.parent_process() is not None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})

# Seconds for which a thread keeps Python's lock while others want it. A page takes and gives it
# many times, and beside a heavy calculation each time costs so much.
sys.setswitchinterval(0.0005)


def _refuse_to_serve_unready() -> None:
    """Raise unless there is a key and every worked example gives the number printed with it."""
    from django.conf import settings
    from django.core import checks
    from django.core.exceptions import ImproperlyConfigured

    if settings.SECRET_KEY_IS_TEMPORARY and not settings.DEBUG:
        raise ImproperlyConfigured(
            "Set SECRET_KEY to serve the site. `make run` makes one and keeps it."
        )
    if os.environ.get("MTCALC_CHECKED") == "yes":  # by manage.py serve, a moment ago
        return
    errors = [problem for problem in checks.run_checks() if problem.level >= checks.ERROR]
    if errors:
        raise ImproperlyConfigured("\n".join(str(error) for error in errors))


_refuse_to_serve_unready()

# What was loaded so far lives as long as the process. The collector, which would go through it for
# some 30 ms in the middle of a request, need not.
gc.freeze()
