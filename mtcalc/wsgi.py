"""The WSGI application. It serves only with a key of its own and with checked numbers."""

import gc
import os
import sys

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mtcalc.settings")

application = get_wsgi_application()

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
