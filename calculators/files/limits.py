"""How much a file may hold. Every bound is looked at before anything is expanded."""

from __future__ import annotations

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
