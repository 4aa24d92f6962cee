"""Whose turn it is: one heavy calculation at a time in a process.

A calculation holds its core, and Python's lock with it; a second one beside it in the same process
makes both slower, and every small page with them. Small requests never wait for a turn.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import cast

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse, UnreadablePostError
from django.http.response import HttpResponseBase

from .middleware import Handler, is_admin, refusal, with_words

# Characters of a request's body: two texts of 3,000 and the fields around them. The time that
# such texts take is that of a small page or two.
MOST_OF_A_SMALL_ONE = 8_000
# Requests that may wait for their turn at once. Of a process's eight threads they and the one at
# work leave four to small requests; with one more waiting, those took five times as long.
WAITING = 3
RETRY_AFTER = 5  # seconds, the longest that a calculation in front may still take
BUSY = "The server is busy with other texts. Yours is kept: send it again in a few seconds."


class Turns:
    """Lets one heavy request at a time go on in this process, and refuses what waits too long."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response
        self.room = threading.BoundedSemaphore(WAITING)
        self.turn = threading.BoundedSemaphore(1)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not is_heavy(request):
            return self.get_response(request)
        if not self._wait():
            return busy(request)
        try:
            response = self.get_response(request)
        except BaseException:
            self.turn.release()
            raise
        return self._released_after(response)

    def _wait(self) -> bool:
        if not self.room.acquire(blocking=False):
            return False
        try:
            return self.turn.acquire(timeout=settings.MTCALC_WAIT_SECONDS)
        finally:
            self.room.release()

    def _released_after(self, response: HttpResponseBase) -> HttpResponseBase:
        """``response``; one that works while it is being sent keeps its turn until it is closed."""
        if not response.streaming:
            self.turn.release()
            return response
        streamed = cast(StreamingHttpResponse, response)
        streamed.streaming_content = _Held(streamed.streaming_content, self.turn)
        return streamed


class _Held:
    """What is streamed; its end, or its being closed before, gives the turn back once."""

    def __init__(self, parts: Iterable[bytes], turn: threading.BoundedSemaphore) -> None:
        self.parts = parts
        self.turns = [turn]

    def __iter__(self) -> Iterator[bytes]:
        try:
            yield from self.parts
        finally:
            self.close()

    def close(self) -> None:
        """Give the turn back; the second time nothing happens."""
        with suppress(IndexError):
            self.turns.pop().release()


def is_heavy(request: HttpRequest) -> bool:
    """Whether a request may hold a core for more than a moment, told by its size alone."""
    if request.method != "POST" or is_admin(request):
        return False
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not length.isdigit() or int(length) <= MOST_OF_A_SMALL_ONE:
        return False
    # A character takes up to four bytes, or six where JSON escapes it.
    if int(length) > 6 * MOST_OF_A_SMALL_ONE:
        return True
    try:
        return _characters(request.body) > MOST_OF_A_SMALL_ONE
    except UnreadablePostError:
        raise BadRequest("The body ended too soon.") from None


def _characters(body: bytes) -> int:
    """The characters of UTF-8, each counted by its first byte; those that JSON escapes as one."""
    following = sum(body.count(bytes([byte])) for byte in range(0x80, 0xC0))
    return len(body) - following - 5 * body.count(rb"\u")


def busy(request: HttpRequest) -> HttpResponse:
    """503 with the text kept in the page, where the page can be shown again."""
    response = with_words(request, BUSY, 503) or refusal(request, 503, "body", BUSY)
    response.headers["Retry-After"] = str(RETRY_AFTER)
    response.headers["Cache-Control"] = "no-store"
    return response
