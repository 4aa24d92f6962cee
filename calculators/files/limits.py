"""How much a file may hold. Every bound is looked at before anything is expanded."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

from django.conf import settings


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds on what is read; past them the reader refuses."""

    bytes: int  # of all uploads together
    segments: int  # of one stream
    streams: int = 64  # systems and sets of references together
    expanded_bytes: int = 64 * 1024**2  # of a zipped file (XLSX) once unzipped
    zip_entries: int = 2_000
    zip_ratio: int = 200  # expanded to packed bytes, over 1 MiB

    @classmethod
    def of_site(cls) -> Self:
        """The bounds of the pages and of the API: ``MTCALC_FILES_BYTES`` and its like."""
        return cls(bytes=settings.MTCALC_FILES_BYTES, segments=settings.MTCALC_FILES_SEGMENTS)

    @classmethod
    def of_command_line(cls) -> Self:
        """The bounds where the files are one's own: only what guards the machine."""
        return cls(bytes=2 * 1024**3, segments=10_000_000, expanded_bytes=1024**3)


def megabytes(number: int) -> str:
    """A number of bytes as it is written: in millions, to one place, rounded down; few in full."""
    return f"{number // 100_000 / 10:.1f} MB" if number >= 100_000 else f"{number:,} bytes"


def too_large(number: int, limits: Limits) -> str:
    """The refusal of files that have so many bytes together."""
    # Rounded up, so that what is just over the limit is not called as large as it.
    size = megabytes(math.ceil(number / 100_000) * 100_000 if number >= 100_000 else number)
    return (
        f"The files have {size} together; up to {megabytes(limits.bytes)} are read at once. Send"
        " fewer segments or systems, or score them on your own machine with:"
        " .venv/bin/python manage.py score METRIC --hypothesis FILE --reference FILE"
    )
