"""The site as visitors meet it: the real server on a free port, with data of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STARTED_WITHIN = 60  # seconds, on a busy machine


@dataclass(frozen=True)
class Site:
    """A running server."""

    url: str  # without a slash at the end
    environment: dict[str, str]
    pid: int

    def manage(self, *arguments: str, given: str = "", **environment: str) -> str:
        """What ``manage.py`` prints, run on the server's own database."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env={**self.environment, **environment},
            input=given,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@contextmanager
def serving(data: Path, **settings: str) -> Iterator[Site]:
    """The site served by ``manage.py serve`` with its data in ``data``."""
    port = free_port()
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DEBUG", "DJANGO_SETTINGS_MODULE", "DJANGO_ALLOW_ASYNC_UNSAFE")
    }
    environment = {**inherited, "MTCALC_DATA": str(data), "SECRET_KEY": "k" * 60, **settings}
    log = (data / "server.log").open("w+")
    process = subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--port", str(port)],
        cwd=ROOT,
        env=environment,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,  # so that a signal can be sent to all of its processes alone
    )
    try:
        wait_until_it_answers(f"http://127.0.0.1:{port}/healthz", process, data / "server.log")
        yield Site(f"http://127.0.0.1:{port}", environment, process.pid)
    finally:
        process.terminate()
        process.wait(timeout=30)
        log.close()


def wait_until_it_answers(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    last = time.monotonic() + STARTED_WITHIN
    while time.monotonic() < last:
        assert process.poll() is None, f"The server stopped:\n{log.read_text()}"
        try:
            urllib.request.urlopen(address, timeout=5).close()
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
        else:
            return
    raise AssertionError(f"No answer within {STARTED_WITHIN} s:\n{log.read_text()}")


def free_port() -> int:
    with socket.socket() as unbound:
        unbound.bind(("127.0.0.1", 0))
        return unbound.getsockname()[1]
