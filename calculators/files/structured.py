"""JSON and JSON lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..documents import parsed
from ..scoring import ScoringError
from .limits import Limits
from .lines import decoded, lines
from .model import Upload
from .streams import HYPOTHESIS, REFERENCE, SOURCE, Holding, Stream, refuse_more_segments
from .table import Cell, Table, holding_of_table

MAX_BRACKETS_A_SEGMENT = 20  # of the limit on segments: a bound before anything is parsed

# The names that an object of whole columns may use.
_COLUMNS = {
    **dict.fromkeys(("hypotheses", "hypothesis", "hyps", "systems", "predictions"), HYPOTHESIS),
    **dict.fromkeys(("references", "reference", "refs"), REFERENCE),
    **dict.fromkeys(("sources", "source", "src"), SOURCE),
}


def read_json(upload: Upload, limits: Limits, columns: Sequence[str] = ()) -> Holding:
    """The segments of a JSON document.

    It is a list of objects, one a segment; a list of strings, in the upload's role; or one object
    with lists: ``hypotheses`` or ``systems``, ``references`` (one list, or one list a set) and
    ``sources``. ``null`` is a missing text, "" an empty one.
    """
    text = decoded(upload.data)
    if text.count("[") + text.count("{") > MAX_BRACKETS_A_SEGMENT * limits.segments:
        refuse_more_segments(limits.segments + 1, limits)
    value = parsed(text)
    if isinstance(value, Mapping):
        return _of_columns(upload, value, limits)
    if isinstance(value, list):
        return _of_list(upload, value, list(range(1, len(value) + 1)), "item", limits, columns)
    raise ScoringError("the JSON must be a list of segments or an object of lists")


def read_json_lines(upload: Upload, limits: Limits, columns: Sequence[str] = ()) -> Holding:
    """The segments of JSON lines: an object or a string a line; blank lines are skipped."""
    refuse_more_segments(upload.data.count(b"\n"), limits)
    numbered = [(n, line) for n, line in enumerate(lines(upload.data), 1) if line.strip()]
    values = [parsed(line, first_line=number) for number, line in numbered]
    return _of_list(upload, values, [number for number, _ in numbered], "line", limits, columns)


def _of_list(
    upload: Upload,
    values: Sequence[object],
    numbers: list[int],
    word: str,
    limits: Limits,
    columns: Sequence[str],
) -> Holding:
    refuse_more_segments(len(values), limits)
    if not values:
        raise ScoringError("there is no segment in it; check that it is the right file")
    if all(isinstance(value, str) or value is None for value in values):
        texts = tuple(value if isinstance(value, str) else None for value in values)
        return Holding(upload, (Stream(upload.role or HYPOTHESIS, upload.name, texts),))
    rows = [
        _flat(value, f"{word} {number:,}") for number, value in zip(numbers, values, strict=True)
    ]
    names = list(dict.fromkeys(name for row in rows for name in row))
    if len(names) > limits.streams:
        raise ScoringError(f"there are more than {limits.streams} columns; leave some out")
    heading: tuple[Cell, ...] = tuple(names)
    table = Table([heading, *(tuple(map(row.get, names)) for row in rows)], [0, *numbers])
    return holding_of_table(upload, table, columns)


def _flat(value: object, place: str) -> dict[str, str | None]:
    """An object's texts by column: lists are numbered, objects inside give their own names."""
    if not isinstance(value, Mapping):
        raise ScoringError(f"{place}: every segment must be an object, or every one a string")
    row: dict[str, str | None] = {}
    for name, held in value.items():
        if isinstance(held, list):
            texts = {f"{name} {n}" if n > 1 else name: text for n, text in enumerate(held, 1)}
        elif isinstance(held, Mapping):
            texts = dict(held)
        else:
            texts = {name: held}
        row |= {key: _text(text, place) for key, text in texts.items()}
    return row


def _text(value: object, place: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool | int | float):
        return str(value)
    raise ScoringError(f"{place}: a text stands where a list or an object is; write it as a string")


def _of_columns(upload: Upload, value: Mapping[str, object], limits: Limits) -> Holding:
    streams: list[Stream] = []
    for name, held in value.items():
        role = _COLUMNS.get(name.lower())
        if role is not None:
            streams += _streams(role, name, held, limits)
    if not streams:
        raise ScoringError(
            "the object must hold lists called hypotheses (or systems), references and sources"
        )
    return Holding(upload, tuple(streams))


def _streams(role: str, name: str, held: object, limits: Limits) -> Iterable[Stream]:
    if isinstance(held, Mapping):
        named = list(held.items())
    elif isinstance(held, list) and held and all(isinstance(each, list) for each in held):
        named = [(f"{name} {number}", each) for number, each in enumerate(held, 1)]
    else:
        named = [(name, held)]
    if len(named) > limits.segments:
        refuse_more_segments(len(named), limits)
    for called, texts in named:
        if not isinstance(texts, list):
            raise ScoringError(f'"{role}" must be a list of strings, or lists of them by name')
        refuse_more_segments(len(texts), limits)
        place = f"a list of {role} texts"
        yield Stream(role, str(called), tuple(_text(text, place) for text in texts))
