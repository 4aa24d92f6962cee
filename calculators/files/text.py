"""Line-aligned text."""

from __future__ import annotations

import codecs
import re

from ..scoring import ScoringError
from .limits import Limits
from .lines import decoded, lines
from .model import Upload
from .streams import HYPOTHESIS, REFERENCE, SOURCE, Holding, Stream, refuse_more_segments

# Parts of the names that people give to such files: "newstest.ref", "src.txt", "reference_A".
_NAMED = (
    (REFERENCE, re.compile(r"(?:^|[^a-z])(?:refs?|references?|gold|human)[a-f]?(?=[^a-z]|$)")),
    (SOURCE, re.compile(r"(?:^|[^a-z])(?:src|source)(?=[^a-z]|$)")),
)


def read_text(upload: Upload, limits: Limits) -> Holding:
    """The segments of a file with one a line, in the role that was given or its name tells.

    A file without any LF whose lines end in CR, as on old Macs, is cut at the CRs, with a note.
    """
    if not upload.data:
        raise ScoringError("the file is empty; check that it is the right file")
    refuse_more_segments(upload.data.count(b"\n"), limits)
    segments, oddities, notes = _segments(upload.data)
    refuse_more_segments(len(segments), limits)
    role = upload.role or role_by_name(upload.name)
    stream = Stream(role, upload.name, tuple(segments), oddities)
    return Holding(upload, (stream,), notes=tuple(f"{upload.name}: {note}" for note in notes))


def role_by_name(name: str) -> str:
    """What a file of that name holds, as its name tells; hypotheses where it does not."""
    stem = name.rsplit("/", 1)[-1]
    found = (role for role, pattern in _NAMED if pattern.search(stem.lower()))
    return next(found, HYPOTHESIS)


def _segments(data: bytes) -> tuple[list[str], tuple[str, ...], list[str]]:
    oddities, notes = [], []
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        oddities.append("utf-16")
        notes.append("the file is UTF-16, as its first bytes tell, and was read as such.")
    elif data.startswith(codecs.BOM_UTF8):
        oddities.append("bom")
    text = decoded(data)
    if "\r" in text.removesuffix("\r") and "\n" not in text:
        oddities.append("cr-ends")
        notes.append("its lines end in CR alone, as on old Macs, and were cut there.")
        data = text.replace("\r", "\n").encode()
    return lines(data), tuple(oddities), notes
