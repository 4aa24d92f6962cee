"""Slow clients, and workers that die."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urlsplit

from calculators.scoring import METRICS
from tests.browser.server import Site

from .figures import Figure
from .load import ask, workers

HALF_OPEN, SLOW_BODIES = 200, 40


def slow_clients(site: Site) -> Iterator[Figure]:
    """Two hundred who never end their request and forty who send a byte at a time."""
    address = urlsplit(site.url)
    opened = [
        socket.create_connection((address.hostname, address.port))
        for _ in range(HALF_OPEN + SLOW_BODIES)
    ]
    for connection in opened[:HALF_OPEN]:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: ")
    head = f"POST /{METRICS[0].slug}/ HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Length: 90000"
    for connection in opened[HALF_OPEN:]:
        connection.sendall(head.encode() + b"\r\nContent-Type: text/plain\r\n\r\n")
    took = []
    for _ in range(20):
        for connection in opened[HALF_OPEN:]:
            with suppress(OSError):
                connection.sendall(b"a")
        took.append(ask(site, "/healthz"))
        time.sleep(0.2)
    for connection in opened:
        connection.close()
    yield Figure("/healthz meanwhile, the slowest", max(seconds for _, seconds in took), 1, "s")
    yield Figure("answers other than 200", sum(status != 200 for status, _ in took), 0)


def killed_worker(site: Site) -> Iterator[Figure]:
    """One worker is killed while somebody asks twenty times a second."""
    before = workers(site)
    os.kill(before[0], signal.SIGKILL)
    failed, started, back = 0, time.monotonic(), None
    while time.monotonic() < started + 20:
        failed += ask(site, "/healthz", timeout=5)[0] != 200
        present = workers(site)
        if back is None and before[0] not in present and len(present) == len(before):
            back = time.monotonic() - started
        time.sleep(0.05)
    yield Figure("failed probes", failed, 1)
    yield Figure("until there are as many workers again", back or float("inf"), 8, "s")
