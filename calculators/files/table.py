"""What the columns of a table are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..scoring import METRICS, ScoringError
from .model import Upload
from .streams import (
    HYPOTHESIS,
    REFERENCE,
    SOURCE,
    Holding,
    Stream,
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
            rf"|{'|'.join(metric.slug for metric in METRICS)}|comet|mqm|da|rating"
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
        and all(is_known(heading) for heading in first)
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
    "no column was recognised; give each a name that says what it holds. A table has the names in"
    " its first line, such as: source, reference, system A, system B"
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


def is_known(heading: str) -> bool:
    """Whether a heading says what its column holds."""
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
