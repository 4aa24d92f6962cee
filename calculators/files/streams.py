"""What one file holds, before it is joined with the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from ..scoring import ScoringError
from .limits import Limits
from .model import Upload

HYPOTHESIS, REFERENCE, SOURCE = "hypothesis", "reference", "source"


@dataclass(frozen=True, slots=True)
class Stream:
    """One text a segment; ``None`` where the file holds none."""

    role: str  # HYPOTHESIS, REFERENCE or SOURCE
    name: str
    texts: tuple[str | None, ...]
    oddities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Holding:
    """Streams of one file, all of one length.

    ``keys`` name the segments, each once; ``format`` and ``places`` are those of an ``Origin``
    where scores can be written back.
    """

    upload: Upload
    streams: tuple[Stream, ...]
    keys: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()
    format: str = ""
    places: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.streams[0].texts)


@contextmanager
def naming(upload: Upload) -> Iterator[None]:
    """Puts the file's name before the message of a ``ScoringError`` raised inside.

    What it is about, where the error does not say, is the file in its role.
    """
    try:
        yield
    except ScoringError as error:
        message = f"{upload.name}: {error.message.removesuffix('.')}."
        raise ScoringError(message, error.field or upload.role) from None


def refuse_more_segments(count: int, limits: Limits) -> None:
    """Raise ``ScoringError`` where a file holds more segments than are read at once."""
    if count > limits.segments:
        raise ScoringError(
            f"there are more than the {limits.segments:,} segments that are read at once; score"
            " the files on your own machine with: .venv/bin/python manage.py score METRIC"
            " --hypothesis FILE --reference FILE"
        )


def unique_keys(keys: Sequence[str]) -> tuple[str, ...] | None:
    """``keys`` where each is there and there once, else None: they name no segments then."""
    return tuple(keys) if all(keys) and len(set(keys)) == len(keys) else None
