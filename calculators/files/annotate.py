"""The uploaded file back, with each segment's scores written beside it.

XML is not written anew: the notes are put into the text of the file, every other byte of which
stays as it was.
"""

from __future__ import annotations

import codecs
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import ParseError
from xml.parsers import expat
from xml.sax.saxutils import escape

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser
from openpyxl import load_workbook
from openpyxl.packaging.relationship import get_dependents
from openpyxl.reader.excel import ExcelReader
from openpyxl.utils.cell import range_boundaries

from ..scoring import ScoringError
from .defused import cell_text
from .model import Origin
from .xlsx import parts_of
from .xml import local_name, refuse_encoding

NOTED_BY = "mtcalc"
# In a whole workbook, of which only one sheet was read: openpyxl takes 20 microseconds a cell.
MOST_TAGS = 500_000
# openpyxl makes a cell of each that is merged, linked or commented on, and writes a shared formula
# anew for each cell that shares it, so that a few bytes would fill the memory.
MOST_EXPANDED_CELLS = 100_000
MOST_SHARED_CHARACTERS = 1_000_000
_LAST_COLUMN, _LAST_ROW = 16_384, 1_048_576  # of a sheet; an area may name rows or columns only
NOT_WRITABLE = "The scores could not be written into this file. Take the CSV or the workbook."

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"""^\s*<\?xml[^>]*\bencoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")


@dataclass(frozen=True, slots=True)
class Scores:
    """One column of scores: of a metric over a system."""

    label: str
    figures: tuple[float | None, ...]  # a segment, as the literature prints them
    digits: int
    unit: str

    def words(self, segment: int) -> str:
        """The label and the figure of a segment."""
        figure = self.figures[segment]
        if figure is None:
            return f"{self.label} undefined"
        return f"{self.label} {figure:.{self.digits}f}{f' {self.unit}' if self.unit else ''}"


def annotated(origin: Origin, columns: Sequence[Scores]) -> bytes:
    """The file of ``origin`` with the scores; ``ScoringError`` where that is not possible."""
    try:
        if origin.format == "xlsx":
            return _workbook(origin, columns)
        return _document(origin, columns)
    except (expat.ExpatError, LookupError, UnicodeError, OSError, ValueError) as error:
        raise ScoringError(NOT_WRITABLE) from error


def _workbook(origin: Origin, columns: Sequence[Scores]) -> bytes:
    try:
        data = _bounded(origin.data)
        _refuse_repeated_sheets(data)
        book = load_workbook(data)
        sheet = next(sheet for sheet in book.worksheets if sheet.sheet_state == "visible")
    except Exception as error:  # of whichever of its libraries stumbles over a part
        raise ScoringError(NOT_WRITABLE) from error
    first = sheet.max_column + 1
    rows = [row for row in origin.places if row is not None]
    head = min(rows, default=1) - 1
    for place, scores in enumerate(columns, first):
        if head:
            sheet.cell(head, place, cell_text(scores.label)).data_type = "s"
        for row, figure in zip(origin.places, scores.figures, strict=True):
            if row is not None and figure is not None:
                sheet.cell(row, place, round(figure, scores.digits))
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


def _bounded(data: bytes) -> io.BytesIO:
    """The workbook as it claims to be, fit for openpyxl, which sets no bound to what it reads."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = parts_of(archive)
    if sum(part.count(b"<") for part in parts.values()) > MOST_TAGS:
        raise ScoringError(NOT_WRITABLE)
    _refuse_expanding(parts.values())
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return whole


def _refuse_repeated_sheets(data: io.BytesIO) -> None:
    """Raise ``ScoringError`` where one part belongs to several sheets: openpyxl reads it for each.

    So it does with a sheet itself and with what is on it.
    """
    reader = ExcelReader(data)
    reader.read_manifest()
    reader.read_workbook()
    parts = [relation.target for _, relation in reader.parser.find_sheets()]
    parts += [
        relation.target
        for name in reader.valid_files
        if name.endswith(".rels")
        for relation in get_dependents(reader.archive, name)
        if relation.Type.endswith(("/comments", "/drawing", "/table", "/pivotTable"))
    ]
    if len(set(parts)) < len(parts):
        raise ScoringError(NOT_WRITABLE)


def _refuse_expanding(parts: Iterable[bytes]) -> None:
    """Raise ``ScoringError`` where openpyxl would make far more of the parts than they hold.

    The relations, not the names, tell which part is a sheet, so that each is looked at.
    """
    target = _Expanding()
    for part in parts:
        target.is_shared = False
        # A document type is refused: it may give attributes that the text does not show.
        parser = DefusedXMLParser(target=target, forbid_dtd=True)
        try:
            parser.feed(part)
            parser.close()
        except DefusedXmlException as error:
            raise ScoringError(NOT_WRITABLE) from error
        except (ParseError, LookupError):
            # A picture, or a part that openpyxl can read no further either. What came before the
            # fault is counted.
            continue


class _Expanding:
    """Receives the parser's events and adds up over all parts what openpyxl would expand."""

    def __init__(self) -> None:
        self.is_shared = False  # whether the text is that of a shared formula
        self._cells = self._shared = self._length = self._longest = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        name = local_name(tag)
        if name in ("mergeCell", "hyperlink") or (name == "comment" and "ref" in attributes):
            self._cells += _area(attributes.get("ref", ""))
        elif name == "f" and attributes.get("t") == "shared":
            self.is_shared = True
            self._shared += 1
            self._length = 0
        if (
            self._cells > MOST_EXPANDED_CELLS
            or self._longest * self._shared > MOST_SHARED_CHARACTERS
        ):
            raise ScoringError(NOT_WRITABLE)

    def data(self, text: str) -> None:
        if self.is_shared:
            self._length += len(text)
            self._longest = max(self._longest, self._length)

    def end(self, tag: str) -> None:
        if self.is_shared and local_name(tag) == "f":
            self.is_shared = False

    def close(self) -> None:
        """Nothing is left to do at the end."""


def _area(ref: str) -> int:
    """How many cells a reference names, as openpyxl reads it; ``ValueError`` where it cannot."""
    first_column, first_row, last_column, last_row = range_boundaries(ref)
    columns = last_column - first_column + 1 if first_column else _LAST_COLUMN
    rows = last_row - first_row + 1 if first_row else _LAST_ROW
    if columns < 1 or rows < 1:
        raise ValueError("an area ends before it begins")
    return int(columns * rows)


def _document(origin: Origin, columns: Sequence[Scores]) -> bytes:
    mark, codec = _encoding(origin.data)
    body = origin.data[len(mark) :].decode(codec).encode()
    notes = {
        place: "; ".join(scores.words(segment) for scores in columns)
        for segment, place in enumerate(origin.places)
        if place is not None
    }
    pieces, last = [], 0
    for offset, written in sorted(_Finder(origin.format, body, notes).insertions()):
        pieces += [body[last:offset], written.encode()]
        last = offset
    text = b"".join([*pieces, body[last:]]).decode()
    return mark + text.encode(codec, "xmlcharrefreplace")


def _encoding(data: bytes) -> tuple[bytes, str]:
    mark, codec = next((row for row in _MARKS if data.startswith(row[0])), (b"", ""))
    found = _DECLARED.match(data[len(mark) :])
    declared = found[1].decode() if found else "utf-8"
    refuse_encoding(declared)
    return mark, codec or declared


class _Finder:
    """Finds where in a document each note belongs."""

    def __init__(self, kind: str, body: bytes, notes: Mapping[int, str]) -> None:
        self._finders: dict[str, Any] = {
            "tmx": self._of_tmx,
            "xliff-1.2": self._of_xliff,
            "xliff-2": self._of_xliff_2,
        }
        self.kind = kind
        self.body = body
        self.notes = notes
        self.events: list[tuple[str, bool, int]] = []  # name, whether it starts, offset

    def insertions(self) -> Iterator[tuple[int, str]]:
        """Byte offsets, and what is to be written there."""
        parser = expat.ParserCreate("utf-8")

        def start(name: str, _: object) -> None:
            self.events.append((name, True, parser.CurrentByteIndex))

        def end(name: str) -> None:
            self.events.append((name, False, parser.CurrentByteIndex))

        parser.StartElementHandler = start
        parser.EndElementHandler = end
        parser.Parse(self.body, True)
        found: Iterator[tuple[int, str]] = self._finders[self.kind]()
        return found

    def _of_tmx(self) -> Iterator[tuple[int, str]]:
        """A note is the first thing in its unit (TMX 1.4b, <tu>)."""
        units = (
            (name, offset)
            for name, starts, offset in self.events
            if starts and _local(name) == "tu"
        )
        for number, (name, offset) in enumerate(units):
            if number in self.notes and not self._is_one_tag(offset):
                prefix = _prefix(name)
                words = self._words(number)
                yield self._behind_tag(offset), f"<{prefix}note>{words}</{prefix}note>"

    def _of_xliff(self) -> Iterator[tuple[int, str]]:
        """A note may be the last thing in its unit (XLIFF 1.2, <trans-unit>)."""
        ends = [
            (place, name, offset)
            for place, (name, starts, offset) in enumerate(self.events)
            if not starts and _local(name) == "trans-unit"
        ]
        for number, (place, name, offset) in enumerate(ends):
            _, follows_start, start = self.events[place - 1]
            if number in self.notes and not (follows_start and self._is_one_tag(start)):
                prefix = _prefix(name)
                words = self._words(number)
                yield offset, f'<{prefix}note from="{NOTED_BY}">{words}</{prefix}note>'

    def _of_xliff_2(self) -> Iterator[tuple[int, str]]:
        """Notes stand together in a unit, before the data and the segments (XLIFF 2, <unit>)."""
        number = 0
        for events in self._units():
            depth, place, inside, own = 0, 0, False, []
            for name, starts, offset in events[1:-1]:
                depth += 1 if starts else -1
                if not starts or depth != 1:
                    continue
                local = _local(name)
                if local == "notes" and not place and self._is_one_tag(offset):
                    place = offset
                elif local == "notes" and not place:
                    place, inside = self._behind_tag(offset), True
                elif local in ("originalData", "segment", "ignorable") and not place:
                    place = offset
                if local == "segment":
                    own.append(number)
                    number += 1
            words = [self._words(each) for each in own if each in self.notes]
            if words:
                yield place, _notes(_prefix(events[0][0]), words, is_inside=inside)

    def _units(self) -> Iterator[list[tuple[str, bool, int]]]:
        """The events of each unit, its own start and end among them."""
        events: list[tuple[str, bool, int]] = []
        for event in self.events:
            name, starts, _ = event
            is_unit = _local(name) == "unit"
            if events or (is_unit and starts):
                events.append(event)
            if is_unit and not starts:
                yield events
                events = []

    def _words(self, number: int) -> str:
        return escape(f"{NOTED_BY}: {self.notes[number]}")

    def _is_one_tag(self, offset: int) -> bool:
        """Whether the tag at ``offset`` is a whole element, in which nothing can be written."""
        behind = self._behind_tag(offset)
        return self.body[behind - 2 : behind] == b"/>"

    def _behind_tag(self, offset: int) -> int:
        """Where the start tag at ``offset`` ends. Its attributes may hold ">" in quotes."""
        quote = b""
        for place in range(offset, len(self.body)):
            character = self.body[place : place + 1]
            if quote:
                quote = b"" if character == quote else quote
            elif character in (b'"', b"'"):
                quote = character
            elif character == b">":
                return place + 1
        raise ValueError("the tag has no end")


def _notes(prefix: str, words: Sequence[str], *, is_inside: bool) -> str:
    category = f'category="{NOTED_BY}"'
    notes = "".join(f"<{prefix}note {category}>{each}</{prefix}note>" for each in words)
    return notes if is_inside else f"<{prefix}notes>{notes}</{prefix}notes>"


def _local(name: str) -> str:
    return name.rpartition(":")[2]


def _prefix(name: str) -> str:
    prefix, colon, _ = name.rpartition(":")
    return prefix + colon
