"""A progress bar for whoever waits at a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TextIO, TypeVar

V = TypeVar("V")

WIDTH = 30  # characters of the bar
WORTH_SHOWING = 200  # fewer steps than this are done at once


def with_progress(values: Iterable[V], total: int, stream: TextIO) -> Iterator[V]:
    """``values`` as they are, with a bar on ``stream`` meanwhile if that is a terminal."""
    if total < WORTH_SHOWING or not stream.isatty():
        yield from values
        return
    shown = -1
    try:
        for number, value in enumerate(values, 1):
            yield value
            percent = 100 * number // total
            if percent != shown:
                shown = percent
                stream.write(f"\r{_bar(percent)} {number:,} of {total:,}")
                stream.flush()
    finally:
        stream.write("\r\x1b[K")  # back to the start of the line, and clear it
        stream.flush()


def _bar(percent: int) -> str:
    full = WIDTH * percent // 100
    return f"[{'#' * full}{'.' * (WIDTH - full)}] {percent:3} %"
