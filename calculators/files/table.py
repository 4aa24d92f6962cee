"""Tables: what the columns are, and TSV and CSV."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..scoring import ScoringError
from .limits import Limits
from .lines import decoded
from .model import Upload
from .streams import (
    HYPOTHESIS,
    REFERENCE,
    SOURCE,
    Holding,
    Stream,
    refuse_more_segments,
    unique_keys,
)

Cell = str | None
IDENTIFIER, IGNORED = "id", ""

_HEADINGS = (
    (SOURCE, re.compile(r"(?:src|source)(?:[ _-]?(?:text|segment|sentence|lang\w*))?")),
    (
        REFERENCE,
        re.compile(
            r"(?:refs?|references?|gold|golden|human|post[ _-]?edit(?:ed)?|pe)"
            r"(?:[ _.-]?(?:\d{1,3}|[a-z]|text|translation|segment))?"
        ),
    ),
    (
        HYPOTHESIS,
        re.compile(
            r"(?:hyps?|hypothes[ie]s|mt|candidates?|outputs?|predictions?|system|translations?)"
            r"(?:[ _.-]?(?:\d{1,3}|[a-z]|text|output|translation|segment))?"
        ),
    ),
    (IDENTIFIER, re.compile(r"id|key|(?:seg(?:ment)?|sent(?:ence)?|line)[ _-]?(?:id|no|number)")),
    (
        IGNORED,
        re.compile(
            r"|#|no\.?|number|lang(?:uage)?s?|language[ _-]?pair|lp|domain"
            r"|doc(?:ument)?[ _-]?(?:id)?|comments?|notes?|date|status|scores?"
            r"|bleu|chrf|ter|nist|meteor|comet|mqm|da|rating"
        ),
    ),
)
_EITHER = re.compile(r"(?:target|tgt)(?:[ _-]?(?:text|segment|sentence))?")  # see roles_of_headings


@dataclass(frozen=True, slots=True)
class Column:
    """What a column holds."""

    role: str  # HYPOTHESIS, REFERENCE, SOURCE, IDENTIFIER or IGNORED
    name: str


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, all as wide; ``None`` is a cell that is not there.

    ``lines`` says where each row stands: the line of a text, the row of a sheet.
    """

    rows: list[tuple[Cell, ...]]
    lines: list[int]


def read_delimited(
    upload: Upload, limits: Limits, delimiter: str = "", columns: Sequence[str] = ()
) -> Holding:
    """The columns of a TSV or CSV file; the delimiter is found where it is not given."""
    text = decoded(upload.data)
    if not text.strip():
        raise ScoringError("the file is empty; choose the file once more")
    if "\n" not in text:
        text = text.replace("\r", "\n")
    found = delimiter or _delimiter(text)
    refuse_more_segments(text.count("\n") - 1 if found == "\t" else 0, limits)
    table = _tabbed(text, limits) if found == "\t" else _quoted(text, found, limits)
    return holding_of_table(upload, table, columns)


# --- what the columns are ----------------------------------------------------------------------


def holding_of_table(
    upload: Upload, table: Table, columns: Sequence[str] = (), *, format_name: str = ""
) -> Holding:
    """The streams in the columns of a table whose first row may be headings.

    ``columns`` gives roles by position. Else the headings tell them, or the upload's role is
    that of every column. A blank cell is a missing reference where another column has one, and
    an empty reference where none has.
    """
    first = [(cell or "").strip() for cell in table.rows[0]]
    by_heading = roles_of_headings(first)
    has_headings = any(column.role == REFERENCE for column in by_heading) or (
        len([column for column in by_heading if column.role != IGNORED]) > 0
        and all(_is_known(heading) for heading in first)
    )
    chosen = _chosen(upload, columns, by_heading if has_headings else None, first)
    start = 1 if has_headings else 0
    rows, lines = table.rows[start:], table.lines[start:]
    if not rows:
        raise ScoringError("the table has headings and no rows; add the segments under them")
    streams = _streams(chosen, rows)
    if not streams:
        raise ScoringError(_NO_COLUMNS)
    identifiers = [index for index, column in enumerate(chosen) if column.role == IDENTIFIER]
    keys = unique_keys([row[identifiers[0]] or "" for row in rows]) if identifiers else None
    notes = (_told(upload, chosen),)
    places = tuple(lines) if format_name else ()
    return Holding(upload, streams, keys, notes=notes, format=format_name, places=places)


_NO_COLUMNS = (
    "no column was recognised; name them in the first row (source, reference, and a name for each"
    " system), or say which column is which"
)


def roles_of_headings(headings: Sequence[str]) -> list[Column]:
    """What each heading says of its column.

    "target" is the reference where another column holds hypotheses, else the hypothesis; with a
    reference, columns with headings that say nothing are systems of those names.
    """
    roles = [_role(heading.lower()) for heading in headings]
    either = [index for index, role in enumerate(roles) if role == "either"]
    has_hypothesis = HYPOTHESIS in roles
    for index in either:
        roles[index] = REFERENCE if has_hypothesis and REFERENCE not in roles else HYPOTHESIS
    unknown = HYPOTHESIS if REFERENCE in roles else IGNORED
    return [
        Column(unknown if role is None else role, heading or f"column {number}")
        for number, (role, heading) in enumerate(zip(roles, headings, strict=True), 1)
    ]


def _role(heading: str) -> str | None:
    if _EITHER.fullmatch(heading):
        return "either"
    return next((role for role, pattern in _HEADINGS if pattern.fullmatch(heading)), None)


def _is_known(heading: str) -> bool:
    return _role(heading.lower()) is not None


def _chosen(
    upload: Upload, columns: Sequence[str], by_heading: list[Column] | None, first: Sequence[str]
) -> list[Column]:
    if columns:
        return [_given(columns, index, first, by_heading) for index in range(len(first))]
    if by_heading is not None:
        return by_heading
    if not upload.role:
        raise ScoringError(_NO_COLUMNS)
    if len(first) == 1:
        return [Column(upload.role, upload.name)]
    return [Column(upload.role, f"{upload.name} ({n})") for n in range(1, len(first) + 1)]


def _given(
    columns: Sequence[str], index: int, first: Sequence[str], by_heading: list[Column] | None
) -> Column:
    role = columns[index].strip() if index < len(columns) else IGNORED
    if role not in (HYPOTHESIS, REFERENCE, SOURCE, IDENTIFIER, IGNORED):
        raise ScoringError(
            "a column can be source, hypothesis, reference or id, or left out with nothing"
        )
    named = first[index] if by_heading is not None else ""
    return Column(role, named or f"column {index + 1}")


def _streams(columns: Sequence[Column], rows: Sequence[tuple[Cell, ...]]) -> tuple[Stream, ...]:
    references = [index for index, column in enumerate(columns) if column.role == REFERENCE]
    streams = []
    for index, column in enumerate(columns):
        if column.role in (IDENTIFIER, IGNORED):
            continue
        texts = (row[index] for row in rows)
        if column.role == REFERENCE:
            texts = (_reference(row, index, references) for row in rows)
        streams.append(Stream(column.role, column.name, tuple(texts)))
    return tuple(streams)


def _reference(row: tuple[Cell, ...], index: int, references: Sequence[int]) -> Cell:
    cell = row[index]
    if cell:
        return cell
    has_other = any(row[other] for other in references)
    return "" if not has_other and index == references[0] else None


def _told(upload: Upload, columns: Sequence[Column]) -> str:
    words = {IGNORED: "left out"}
    told = ", ".join(
        f"{number} {words.get(column.role, column.role)}"
        for number, column in enumerate(columns[:20], 1)
    )
    return f"{upload.name}: columns read as: {told}{', ...' if len(columns) > 20 else ''}."


# --- TSV and CSV -------------------------------------------------------------------------------

_DELIMITERS = "\t,;|"
_SAMPLE = 64 * 1024  # characters in which the delimiter is looked for


def _delimiter(text: str) -> str:
    """The delimiter that gives most headings that are known, then the most columns."""
    first = text[:_SAMPLE].split("\n", 1)[0]
    known = {mark: sum(map(_is_known, _headings(first, mark))) for mark in _DELIMITERS}
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
                f"line {line:,} has {len(row):,} columns, the first has {width:,}; every row must"
                " have as many"
            )
        rows.append((*row, *([None] * (width - len(row)))))
    return Table(rows, [line for line, _ in numbered])
