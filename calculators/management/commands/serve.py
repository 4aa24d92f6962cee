"""``manage.py serve``: all that a first start needs, then the server."""

import contextlib
import fcntl
import hashlib
import os
import secrets
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import CommandError, call_command
from django.core.management.base import BaseCommand, CommandParser
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


class Command(BaseCommand):
    """Makes what is missing (key, tables, static files), checks, and hands over to Granian."""

    help = "Serve the site on this machine: http://127.0.0.1:8000, or another --port."
    requires_system_checks = "__all__"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=os.environ.get("PORT") or 8000)
        parser.add_argument("--workers", type=int, default=2)

    def handle(self, *args: Any, **options: Any) -> None:
        _refuse_a_taken_port(options["host"], options["port"])
        _make_private(settings.MTCALC_DATA)
        environment = dict(os.environ)
        environment.setdefault("SECRET_KEY", _kept_key(settings.MTCALC_DATA / "secret_key"))
        # On this machine's own address there is no TLS that the admin's cookies could insist on.
        environment.setdefault("MTCALC_HTTPS", "off")
        # This command has checked all before it came here; its workers start sooner without.
        environment["MTCALC_CHECKED"] = "yes"
        with _alone(settings.BASE_DIR / ".starting"):
            _make_tables()
            _collect_static_files()
        self.stdout.write(f"mtcalc is at http://{options['host']}:{options['port']}/")
        self.stdout.write("Ctrl+C stops it.")
        self.stdout.flush()
        os.execvpe(sys.executable, [sys.executable, *_granian(options)], environment)


def _refuse_a_taken_port(host: str, port: int) -> None:
    # Granian shares a port with whoever else shares it: two starts would answer in turn, the one
    # with old code and the other with new.
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or "it is no port number"
            raise CommandError(
                f"Port {port} on {host} can't be used: {reason}. Name another: PORT=9000 make run"
            ) from None


@contextlib.contextmanager
def _alone(file: Path) -> Iterator[None]:
    """Holds a lock on ``file``, so that starts at the same time prepare one after the other."""
    with file.open("w") as opened:
        fcntl.flock(opened, fcntl.LOCK_EX)
        yield


def _make_tables() -> None:
    """Migrate where a migration waits; to ask costs a tenth of running the command."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", interactive=False, verbosity=0)


def _collect_static_files() -> None:
    """Hash and compress the static files where one has changed since the last time."""
    if settings.DEBUG:
        return
    stamp, now = settings.STATIC_ROOT / "collected", _static_fingerprint()
    if stamp.exists() and stamp.read_text() == now:
        return
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(now)


def _static_fingerprint() -> str:
    """What changes with the static files and with the programs that prepare them."""
    fingerprint = hashlib.sha256((settings.BASE_DIR / "requirements.txt").read_bytes())
    fingerprint.update(settings.STORAGES["staticfiles"]["BACKEND"].encode())
    for finder in get_finders():
        for name, storage in finder.list([]):
            file = Path(storage.path(name)).stat()
            fingerprint.update(f"{name} {file.st_size} {file.st_mtime_ns}\n".encode())
    return fingerprint.hexdigest()


def _granian(options: dict[str, Any]) -> list[str]:
    # Threads, so that a slow calculation does not hold up the small pages behind it; Granian
    # itself advises no more than twice the cores and one. A worker may be at a long calculation
    # when it is to stop, hence the time after which it is killed.
    threads = min(8, 2 * (os.cpu_count() or 1) + 1)
    return [
        *("-m", "granian", "--interface", "wsgi", "mtcalc.wsgi:application"),
        *("--host", options["host"], "--port", str(options["port"])),
        *("--workers", str(options["workers"]), "--blocking-threads", str(threads)),
        *("--respawn-failed-workers", "--workers-kill-timeout", "2"),
        *("--no-access-log", "--log-level", "warning"),
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
