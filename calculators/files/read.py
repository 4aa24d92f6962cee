"""Reading uploads of any known format into one ``Material``."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from ..scoring import ScoringError
from .delimited import has_known_headings, read_delimited
from .join import joined, refuse_what_is_no_text
from .limits import Limits, too_large
from .model import ROLES, Material, Upload
from .mteval import read_mteval
from .streams import HYPOTHESIS, Holding, naming
from .structured import read_json, read_json_lines
from .text import read_text
from .tmx import read_tmx
from .wmt import read_wmt
from .xliff import read_xliff
from .xlsx import read_xlsx


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
    total = sum(len(upload.data) for upload in uploads)
    if total > settings.limits.bytes:
        raise ScoringError(too_large(total, settings.limits), HYPOTHESIS)
    return joined([holding_of(upload, settings) for upload in uploads], settings.limits)


def holding_of(upload: Upload, settings: ReadSettings) -> Holding:
    """What one upload holds."""
    if upload.role not in ROLES:
        raise ValueError(f"no role of a file: {upload.role}")
    with naming(upload):
        holding = _READERS[format_of(upload)](upload, settings)
    refuse_what_is_no_text(holding)
    return holding


_READERS: dict[str, Callable[[Upload, ReadSettings], Holding]] = {
    "text": lambda upload, settings: read_text(upload, settings.limits),
    "tsv": lambda upload, settings: read_delimited(upload, settings.limits, "\t", settings.columns),
    "csv": lambda upload, settings: read_delimited(upload, settings.limits, "", settings.columns),
    "json": lambda upload, settings: read_json(upload, settings.limits, settings.columns),
    "json-lines": lambda upload, settings: read_json_lines(
        upload, settings.limits, settings.columns
    ),
    "xlsx": lambda upload, settings: read_xlsx(upload, settings.limits, settings.columns),
    "tmx": lambda upload, settings: read_tmx(
        upload, settings.limits, settings.source_language, settings.target_language
    ),
    "xliff": lambda upload, settings: read_xliff(upload, settings.limits),
    "wmt": lambda upload, settings: read_wmt(upload, settings.limits),
    "mteval": lambda upload, settings: read_mteval(upload, settings.limits),
}

FORMATS = tuple(_READERS)

_ENDINGS = {
    ".tsv": "tsv",
    ".tab": "tsv",
    ".csv": "csv",
    ".json": "json",
    ".jsonl": "json-lines",
    ".ndjson": "json-lines",
}
_ROOTS = {
    "tmx": "tmx",
    "xliff": "xliff",
    "dataset": "wmt",
    "mteval": "mteval",
    "srcset": "mteval",
    "refset": "mteval",
    "tstset": "mteval",
}
# The endings of files whose content must be XML or SGML of a known kind.
_MARKED_UP = {".xml", ".tmx", ".xlf", ".xliff", ".sdlxliff", ".mqxliff", ".sgm", ".sgml"}
_TAG = re.compile(r"<([A-Za-z][\w.:-]{0,40})")
_REMARK = re.compile(r"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)", re.DOTALL)
_SAMPLE = 4_096  # bytes that tell the format
_BINARY = (
    (b"\xd0\xcf\x11\xe0", "this is an old Office file (XLS or DOC), or one with a password"),
    (b"\x1f\x8b", "the file is packed (gzip); unpack it first"),
    (b"%PDF", "this is a PDF"),
)


def format_of(upload: Upload) -> str:
    """The format of an upload, one of ``FORMATS``; ``ScoringError`` where it is none of them."""
    start, ending = upload.data[:_SAMPLE], PurePath(upload.name).suffix.lower()
    if start.startswith(b"PK\x03\x04") or ending == ".xlsx":
        return "xlsx"
    for mark, words in _BINARY:
        if start.startswith(mark):
            raise ScoringError(f"{words}; text, TSV, CSV, XLSX, JSON, TMX, XLIFF and SGML are read")
    opening = _opening(start)
    root = _root(opening)
    if root in _ROOTS and (not upload.role or ending in _MARKED_UP or opening.startswith("<")):
        return _ROOTS[root]
    if ending in _MARKED_UP:
        raise ScoringError(
            "this is not XML of a kind that is read: TMX, XLIFF, WMT's XML or mteval's SGML"
        )
    if ending in _ENDINGS:
        return _ENDINGS[ending]
    return _format_of_text(upload, opening)


def is_plain_text(upload: Upload) -> bool:
    """Whether an upload is line-aligned text, which holds one stream alone."""
    with naming(upload):
        return format_of(upload) == "text"


def _format_of_text(upload: Upload, opening: str) -> str:
    if not upload.role and opening[:1] in ("{", "["):
        return "json-lines" if opening.startswith("{") and _has_objects(opening) else "json"
    if not upload.role and has_known_headings(opening):
        return "csv"
    return "text"


def _has_objects(opening: str) -> bool:
    """Whether the second line begins an object too."""
    first, _, rest = opening.partition("\n")
    return first.rstrip().endswith("}") and (not rest.strip() or rest.lstrip().startswith("{"))


def _opening(start: bytes) -> str:
    """The first characters of a file, faults passed over: they only tell the format."""
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return start.decode("utf-16", "replace").lstrip()
    return start.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace").lstrip()


def _root(opening: str) -> str:
    """The name of the first element, past a declaration, comments and a document type."""
    if not opening.startswith("<"):
        return ""
    found = _TAG.search(_REMARK.sub("", opening))
    return found[1].rpartition(":")[2].lower() if found else ""
