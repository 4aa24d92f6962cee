"""Pages are sent compressed, to whom they are fit, and by parts where they come by parts."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import Any

import brotli
import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory

from calculators.scoring import METRICS
from mtcalc.compression import Compression

BROWSER = "gzip, deflate, br, zstd"
PAGE = f"/{METRICS[0].slug}/"


def gunzipped(data: bytes) -> bytes:
    return zlib.decompress(data, wbits=16 + zlib.MAX_WBITS)


@pytest.mark.parametrize(
    ("accepts", "encoding", "opened"),
    [
        (BROWSER, "br", brotli.decompress),
        ("br", "br", brotli.decompress),
        ("gzip, deflate", "gzip", gunzipped),
        ("br;q=0, gzip", "gzip", gunzipped),
        ("gzip;q=0.5", "gzip", gunzipped),
        ("GZIP ; q=1", "gzip", gunzipped),
    ],
)
@pytest.mark.django_db
def test_a_page_comes_whole_in_what_the_browser_takes(
    client: Client, accepts: str, encoding: str, opened: Callable[[bytes], bytes]
) -> None:
    plain = client.get("/api/")
    sent = client.get("/api/", headers={"Accept-Encoding": accepts})
    assert sent["Content-Encoding"] == encoding
    assert opened(sent.content) == plain.content
    assert int(sent["Content-Length"]) == len(sent.content) < len(plain.content) / 3


@pytest.mark.parametrize(
    "accepts",
    ["", "identity", "br;q=0", "br;q=0.0", "gzip;q=0.000, br;q=0.00", "gzip;q=0, deflate", "zstd"],
)
@pytest.mark.django_db
def test_whoever_takes_none_gets_it_plain(client: Client, accepts: str) -> None:
    sent = client.get("/api/", headers={"Accept-Encoding": accepts})
    assert "Content-Encoding" not in sent
    assert sent.content.startswith(b"<!doctype html>")


@pytest.mark.parametrize("accepts", ["", BROWSER])
@pytest.mark.django_db
def test_caches_are_told_that_answers_differ(client: Client, accepts: str) -> None:
    for path in ("/", PAGE, "/api/v1/metrics"):
        assert client.get(path, headers={"Accept-Encoding": accepts})["Vary"] == "Accept-Encoding"


@pytest.mark.django_db
def test_the_admin_which_has_secrets_is_not_compressed(client: Client) -> None:
    sent = client.get("/admin/login/", headers={"Accept-Encoding": BROWSER})
    assert len(sent.content) > 2_000
    assert "Content-Encoding" not in sent


@pytest.mark.parametrize(
    "answer",
    [
        HttpResponse("ok"),
        HttpResponse(b"\x89PNG" * 1_000, content_type="image/png"),
        HttpResponse(b"x" * 1_000, headers={"Content-Encoding": "zstd"}),
    ],
    ids=["short", "no text", "compressed"],
)
def test_what_would_not_gain_is_left_alone(answer: HttpResponse) -> None:
    before = (answer.content, dict(answer.headers))
    request = RequestFactory().get("/", headers={"Accept-Encoding": BROWSER})
    sent: Any = Compression(lambda request: answer)(request)
    assert (sent.content, dict(sent.headers)) == before


@pytest.mark.parametrize("encoding", ["br", "gzip"])
def test_each_line_of_progress_can_be_read_before_the_next_is_there(encoding: str) -> None:
    made: list[str] = []

    def lines() -> Iterator[str]:
        for number in range(3):
            made.append(f'{{"done": {number}}}\n')
            yield made[-1]

    streamed = StreamingHttpResponse(lines(), content_type="application/x-ndjson")
    request = RequestFactory().get("/", headers={"Accept-Encoding": encoding})
    sent: Any = Compression(lambda request: streamed)(request)
    reader: Any = brotli.Decompressor() if encoding == "br" else zlib.decompressobj(wbits=31)
    read = reader.process if encoding == "br" else reader.decompress
    parts = iter(sent)
    for number in range(3):
        assert read(next(parts)).decode() == made[number]
        assert len(made) == number + 1
    assert read(b"".join(parts)) == b""


@pytest.mark.django_db
def test_a_stream_that_nobody_reads_to_its_end_is_closed() -> None:
    closed: list[bool] = []

    def lines() -> Iterator[bytes]:
        try:
            yield b"one\n"
            yield b"two\n"
        finally:
            closed.append(True)

    streamed = StreamingHttpResponse(lines(), content_type="application/x-ndjson")
    request = RequestFactory().get("/", headers={"Accept-Encoding": BROWSER})
    sent: Any = Compression(lambda request: streamed)(request)
    next(iter(sent))
    sent.close()
    assert closed == [True]
