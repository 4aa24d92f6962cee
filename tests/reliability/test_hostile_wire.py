"""What only a socket can send: bodies that lie about their length, and heads that are none."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from calculators.scoring import METRICS
from tests.browser.server import Site, serving

from .hostile import FORM, JSON, MULTIPART, WORD

SLUG = METRICS[0].slug
CALL = f"/api/v1/{SLUG}/score"
BODY = json.dumps({"hypothesis": WORD, "references": [WORD]}).encode()
WAIT = 10  # seconds for an answer, on a busy machine


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The server as it is for the public."""
    with serving(tmp_path_factory.mktemp("wire")) as site:
        yield site


def status(site: Site, sent: bytes, *, hangs_up: bool = False) -> int | None:
    """The status of the answer to these bytes; None where the server only closes."""
    address = urlsplit(site.url)
    with socket.create_connection((address.hostname, address.port), timeout=WAIT) as connection:
        try:
            connection.sendall(sent)
            if hangs_up:
                with suppress(OSError):  # the server may have closed it before
                    connection.shutdown(socket.SHUT_WR)
            line = connection.makefile("rb").readline()
        except ConnectionError:
            return None
    return int(line.split()[1]) if line.startswith(b"HTTP/") else None


def head(path: str, *lines: str, method: str = "POST") -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *lines, "", ""]).encode(
        "latin-1"
    )


DOORS = (CALL, f"/{SLUG}/", "/files/", "/gate/", f"/feedback/{SLUG}/")


@pytest.mark.parametrize("path", DOORS)
@pytest.mark.parametrize("kind", [JSON, FORM, MULTIPART])
def test_a_body_that_ends_too_soon_is_refused_and_holds_up_nobody(site, path, kind):
    told = head(path, f"Content-Type: {kind}", "Content-Length: 100000")
    assert status(site, told + BODY[:-3], hangs_up=True) in (None, 400, 415)
    assert status(site, head("/healthz", method="GET")) == 200


@pytest.mark.parametrize("path", DOORS)
@pytest.mark.parametrize(
    "lines",
    [
        ("Content-Length: -5",),
        ("Content-Length: abc",),
        ("Content-Length: 9" + "9" * 30,),
        ("Content-Length: 3", "Content-Length: 77"),
        ("Content-Length: 3", "Transfer-Encoding: chunked"),
        ("Transfer-Encoding: gzip, chunked",),
        ("Transfer-Encoding: nonsense",),
        ("Content-Length: 5000000",),
        ("X-Long: " + "a" * 200_000,),
        *(
            (f"{name}: {value}",)
            for name in ("Origin", "Cookie")
            for value in ("\x00", "\xff[", "[")
        ),
    ],
    ids=lambda lines: lines[0][:24].encode("unicode_escape").decode(),
)
def test_no_head_is_a_fault(site, path, lines):
    answer = status(site, head(path, f"Content-Type: {JSON}", *lines) + BODY, hangs_up=True)
    assert answer is None or answer < 500


@pytest.mark.parametrize(
    "chunks",
    [
        b"%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY),
        b"ZZ\r\nab\r\n",
        b"5\r\nab",
        b"f" * 30 + b"\r\nab",
    ],
    ids=["whole", "no size", "cut", "huge"],
)
def test_a_body_in_chunks_is_refused(site, chunks):
    told = head(CALL, f"Content-Type: {JSON}", "Transfer-Encoding: chunked")
    assert status(site, told + chunks, hangs_up=True) in (None, 400)


@pytest.mark.parametrize(
    "sent",
    [
        b"\0" * 500,
        b"GET",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02\x00",
        b"GET /\xff HTTP/1.1\r\n\r\n",
    ],
)
def test_what_is_no_request_is_no_fault(site, sent):
    answer = status(site, sent, hangs_up=True)
    assert answer is None or answer in (400, 404, 505)


def test_the_log_stays_silent_over_all_of_it(site):
    log = Path(site.environment["MTCALC_DATA"], "server.log").read_text("utf-8")
    assert "Traceback" not in log
    assert "Answered 500" not in log
    assert WORD not in log
