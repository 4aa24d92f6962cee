"""XLSX, the workbooks of spreadsheets (ECMA-376), read within bounds."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Sequence
from posixpath import normpath
from xml.etree.ElementTree import Element

from ..scoring import ScoringError
from .limits import Limits
from .model import Upload
from .streams import Holding, refuse_more_segments
from .table import Cell, Table, holding_of_table
from .xml import Unit, units

_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_CELL = re.compile(r"([A-Z]{1,3})[0-9]{1,7}")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")  # how a workbook writes what XML cannot hold


def read_xlsx(upload: Upload, limits: Limits, columns: Sequence[str] = ()) -> Holding:
    """The columns of a workbook's first visible sheet."""
    try:
        with zipfile.ZipFile(io.BytesIO(upload.data)) as archive:
            _refuse_bomb(archive, limits)
            table = _table(archive, limits)
    except _FAULTS:
        raise ScoringError(_DAMAGED) from None
    return holding_of_table(upload, table, columns, format_name="xlsx")


# zipfile has no one error for a broken archive: a place before the start of the file or a name that
# is not in its encoding is a ValueError.
_FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    OSError,
    ValueError,
)
# The other methods expand all packed bytes at once, however few are asked for.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DAMAGED = "the file is not a whole XLSX workbook; save it once more as XLSX, without a password"


def _refuse_bomb(archive: zipfile.ZipFile, limits: Limits) -> None:
    """Raise ``ScoringError`` before anything is unzipped that would be too much.

    The sizes are those that the archive claims; ``_part`` never reads past what it claims.
    """
    entries = archive.infolist()
    expanded = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries)
    if len(entries) > limits.zip_entries:
        raise ScoringError("the workbook is made of too many parts; save the sheet alone")
    if any(entry.compress_type not in _METHODS for entry in entries):
        raise ScoringError(
            "the workbook is compressed in a way that is not read; save it once more as XLSX"
        )
    is_dense = expanded > 1024**2 and expanded > limits.zip_ratio * packed
    if expanded > limits.expanded_bytes or is_dense:
        raise ScoringError(
            f"unzipped, the workbook would be {expanded // 1024**2:,} MiB; up to"
            f" {limits.expanded_bytes // 1024**2:,} MiB are read. Save the sheet as TSV"
        )


def _table(archive: zipfile.ZipFile, limits: Limits) -> Table:
    texts = _shared_texts(archive, limits)
    document = units(
        _part(archive, _first_sheet(archive, limits)),
        ("row",),
        lambda unit: _row(unit, texts, limits),
        limits,
    )
    filled = [(number, cells) for number, cells in document.units if any(cells.values())]
    if not filled:
        raise ScoringError("the first sheet of the workbook is empty; put the segments there")
    refuse_more_segments(len(filled) - 1, limits)
    width = 1 + max(max(cells) for _, cells in filled)
    known = {number: cells for number, cells in filled if number}
    if len(known) < len(filled):  # rows need not be numbered
        known = {number: cells for number, (_, cells) in enumerate(filled, 1)}
    rows: list[tuple[Cell, ...]] = [
        tuple(cells.get(index) for index in range(width)) for cells in known.values()
    ]
    return Table(rows, list(known))


def _first_sheet(archive: zipfile.ZipFile, limits: Limits) -> str:
    """The name of the part that holds the first sheet that is not hidden."""
    sheets = units(_part(archive, "xl/workbook.xml"), ("sheet",), lambda unit: unit.element, limits)
    shown = [sheet for sheet in sheets.units if sheet.get("state", "visible") == "visible"]
    if not shown:
        raise ScoringError("the workbook has no sheet that is shown")
    relations = units(
        _part(archive, "xl/_rels/workbook.xml.rels"),
        ("Relationship",),
        lambda unit: (unit.element.get("Id"), unit.element.get("Target", "")),
        limits,
    )
    target = dict(relations.units).get(_relation(shown[0]), "")
    return target.lstrip("/") if target.startswith("/") else normpath(f"xl/{target}")


def _relation(sheet: Element) -> str | None:
    # Strict workbooks have another namespace for the same attribute.
    return sheet.get(_RELATION) or next(
        (value for name, value in sheet.attrib.items() if name.endswith("}id")), None
    )


def _shared_texts(archive: zipfile.ZipFile, limits: Limits) -> list[str]:
    if "xl/sharedStrings.xml" not in archive.namelist():
        return []
    data = _part(archive, "xl/sharedStrings.xml")
    return units(data, ("si",), lambda unit: _rich_text(unit.element), limits).units


def _rich_text(element: Element) -> str:
    """The text of all runs, without the phonetic guides of Asian text."""
    pieces = [child.text or "" for child in element if child.tag == "t"]
    pieces += [run.findtext("t") or "" for run in element if run.tag == "r"]
    return _ESCAPED.sub(_unescaped, "".join(pieces))


def _unescaped(found: re.Match[str]) -> str:
    return chr(int(found[1], 16))


def _row(unit: Unit, texts: Sequence[str], limits: Limits) -> tuple[int, dict[int, str]]:
    """The number of a row, 0 where it has none, and its cells by column, from 0."""
    cells: dict[int, str] = {}
    column = -1
    for cell in unit.element.iter("c"):
        column = _column(cell.get("r", ""), column + 1)
        if column >= limits.streams:
            raise ScoringError(f"there are more than {limits.streams} columns; leave some out")
        text = _text(cell, texts)
        if text is not None:
            cells[column] = text
    number = unit.element.get("r", "")
    return (int(number) if number.isdecimal() and len(number) < 8 else 0), cells


def _column(name: str, next_column: int) -> int:
    found = _CELL.fullmatch(name)
    if not found:
        return next_column
    index = 0
    for letter in found[1]:
        index = index * 26 + ord(letter) - ord("A") + 1
    return index - 1


def _text(cell: Element, texts: Sequence[str]) -> str | None:
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        inline = cell.find("is")
        return None if inline is None else _rich_text(inline)
    value = cell.findtext("v")
    if value is None or kind == "e":
        return None
    if kind != "s":
        return _ESCAPED.sub(_unescaped, value) if kind == "str" else value
    if not value.isdecimal() or len(value) > 9 or int(value) >= len(texts):
        raise ScoringError(_DAMAGED)
    return texts[int(value)]


def _part(archive: zipfile.ZipFile, name: str) -> bytes:
    try:
        entry = archive.getinfo(name)
    except KeyError:
        raise ScoringError(_DAMAGED) from None
    # Without a size, zipfile expands the whole part and then cuts it to the size claimed.
    with archive.open(entry) as part:
        return part.read(entry.file_size)


def parts_of(archive: zipfile.ZipFile) -> dict[str, bytes]:
    """Every part by its name, none longer than it claims."""
    return {name: _part(archive, name) for name in archive.namelist()}
