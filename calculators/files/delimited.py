"""Tables in text: TSV and CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence

from ..scoring import ScoringError
from .limits import Limits
from .lines import decoded
from .model import Upload
from .streams import REFERENCE, Holding, refuse_more_segments
from .table import Cell, Table, holding_of_table, is_known, roles_of_headings

_DELIMITERS = "\t,;|"
_SAMPLE = 64 * 1024  # characters in which the delimiter is looked for


def read_delimited(
    upload: Upload, limits: Limits, delimiter: str = "", columns: Sequence[str] = ()
) -> Holding:
    """The columns of a TSV or CSV file; the delimiter is found where it is not given."""
    text = decoded(upload.data)
    if not text.strip():
        raise ScoringError("the file is empty; check that it is the right file")
    if "\n" not in text:
        text = text.replace("\r", "\n")
    found = delimiter or _delimiter(text)
    refuse_more_segments(text.count("\n") - 1 if found == "\t" else 0, limits)
    table = _tabbed(text, limits) if found == "\t" else _quoted(text, found, limits)
    return holding_of_table(upload, table, columns)


def _delimiter(text: str) -> str:
    """The delimiter that gives most headings that are known, then the most columns."""
    first = text[:_SAMPLE].split("\n", 1)[0]
    known = {mark: sum(map(is_known, _headings(first, mark))) for mark in _DELIMITERS}
    return max(_DELIMITERS, key=lambda mark: (known[mark], first.count(mark)))


def _headings(line: str, mark: str) -> list[str]:
    cells = [cell.strip().strip('"').strip() for cell in line.split(mark)]
    return [cell for cell in cells if cell] if len(cells) > 1 else []


def has_known_headings(text: str) -> bool:
    """Whether the first line of a text looks like the headings of a table."""
    first = text[:_SAMPLE].split("\n", 1)[0].strip("\r")
    return any(
        len(cells) > 1 and any(column.role == REFERENCE for column in roles_of_headings(cells))
        for cells in (_headings(first, mark) for mark in _DELIMITERS)
    )


def _tabbed(text: str, limits: Limits) -> Table:
    """A TSV's rows: as they stand, or with quotation marks as a spreadsheet sets them.

    Tools of the field write tabs and no quotation; a spreadsheet quotes cells that hold a tab,
    a line end or a quotation mark, and doubles the marks inside. Only the latter kind of file
    has doubled marks in its quoted cells, or no even table without reading the quotation.
    """
    *ended, rest = text.split("\n")
    raw = [line.removesuffix("\r").split("\t") for line in (*ended, *([rest] if rest else []))]
    raw = _without_blank_end(raw)
    is_even = len({len(row) for row in raw}) == 1
    if '"' in text and (not is_even or _is_quoted(raw)):
        try:
            return _quoted(text, "\t", limits)
        except ScoringError:
            if not is_even:
                raise
    return _even([(number, row) for number, row in enumerate(raw, 1)], limits)


def _is_quoted(rows: Sequence[Sequence[str]]) -> bool:
    cells = [cell for row in rows for cell in row if cell.startswith('"')]
    whole = all(
        len(cell) > 1 and cell.endswith('"') and '"' not in cell[1:-1].replace('""', "")
        for cell in cells
    )
    return whole and any('""' in cell[1:-1] for cell in cells)


def _without_blank_end(rows: list[list[str]]) -> list[list[str]]:
    while len(rows) > 1 and not any(cell.strip() for cell in rows[-1]):
        rows.pop()
    return rows


def _quoted(text: str, delimiter: str, limits: Limits) -> Table:
    """The rows of text with quotation marks as RFC 4180 has them."""
    reader = csv.reader(_lines(text), delimiter=delimiter, strict=True)
    numbered: list[tuple[int, list[str]]] = []
    start = 1
    try:
        for row in reader:
            numbered.append((start, row))
            start = reader.line_num + 1
            refuse_more_segments(len(numbered) - 1, limits)
    except csv.Error:
        raise ScoringError(
            f"line {start:,}: the quotation marks of this row do not pair up, or a cell is longer"
            f' than {csv.field_size_limit():,} characters; quote cells with " and double the marks'
            " inside"
        ) from None
    while len(numbered) > 1 and not any(cell.strip() for cell in numbered[-1][1]):
        numbered.pop()
    return _even(numbered, limits)


def _lines(text: str) -> Iterator[str]:
    *ended, rest = text.split("\n")
    yield from (line.removesuffix("\r") + "\n" for line in ended)
    if rest:
        yield rest.removesuffix("\r")


def _even(numbered: Sequence[tuple[int, list[str]]], limits: Limits) -> Table:
    """Rows as wide as the first; what a shorter one lacks is missing."""
    width = len(numbered[0][1])
    if width > limits.streams:
        raise ScoringError(f"there are more than {limits.streams} columns; leave some out")
    rows: list[tuple[Cell, ...]] = []
    for line, row in numbered:
        if len(row) > width:
            raise ScoringError(
                f"line {line:,} has {len(row):,} columns, the first has {width:,}; give every row"
                " the same number of columns"
            )
        rows.append((*row, *([None] * (width - len(row)))))
    return Table(rows, [line for line, _ in numbered])
