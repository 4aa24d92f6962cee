"""Reading uploads of any known format into one ``Material``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .limits import Limits
from .model import Material, Upload


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """How to read. What a file says itself needs no setting.

    ``columns`` are roles of a table's columns in order, for tables without headings:
    ``source``, ``hypothesis``, ``reference``, ``id`` or empty (left out).
    """

    limits: Limits
    columns: tuple[str, ...] = ()
    source_language: str = ""  # of a TMX with several languages
    target_language: str = ""


def read(uploads: Sequence[Upload], settings: ReadSettings) -> Material:
    """What the uploads hold together, each in the format that its content and name tell.

    Raises ``ScoringError`` with the file's name, the place of the fault and what to do.
    """
    raise NotImplementedError
