"""``manage.py serve``: all that a first start needs, then the server."""

import contextlib
import os
import secrets
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser


class Command(BaseCommand):
    """Makes what is missing (key, tables, static files), checks, and hands over to Granian."""

    help = "Serve the site on this machine: http://127.0.0.1:8000, or another --port."
    requires_system_checks = "__all__"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=int(os.environ.get("PORT") or 8000))
        parser.add_argument("--workers", type=int, default=2)

    def handle(self, *args: Any, **options: Any) -> None:
        _make_private(settings.MTCALC_DATA)
        environment = dict(os.environ)
        environment.setdefault("SECRET_KEY", _kept_key(settings.MTCALC_DATA / "secret_key"))
        # On this machine's own address there is no TLS that the admin's cookies could insist on.
        environment.setdefault("MTCALC_HTTPS", "off")
        call_command("migrate", interactive=False, verbosity=0)
        if not settings.DEBUG:
            call_command("collectstatic", interactive=False, verbosity=0)
        self.stdout.write(f"mtcalc is at http://{options['host']}:{options['port']}/")
        self.stdout.flush()
        os.execvpe(sys.executable, [sys.executable, *_granian(options)], environment)


def _granian(options: dict[str, Any]) -> list[str]:
    # Threads, so that a slow calculation does not hold up the small pages behind it.
    return [
        *("-m", "granian", "--interface", "wsgi", "mtcalc.wsgi:application"),
        *("--host", options["host"], "--port", str(options["port"])),
        *("--workers", str(options["workers"]), "--blocking-threads", "8"),
        *("--respawn-failed-workers", "--no-access-log", "--log-level", "warning"),
    ]


def _make_private(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    # A folder of somebody else's stays as it is.
    with contextlib.suppress(PermissionError):
        folder.chmod(0o700)


def _kept_key(file: Path) -> str:
    """The key of the first start, readable by the owner alone."""
    with contextlib.suppress(FileExistsError):
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as opened:
            opened.write(secrets.token_urlsafe(48))
    return file.read_text().strip()
