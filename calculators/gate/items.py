"""Items for the gate: a JSON array of objects, or JSON lines.

Each item has ``id``, ``source_text`` and ``generated_output``, all of them text; whatever else it
has is left alone. Faults name the item by its number, from 1.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

from ..documents import parsed
from ..files.lines import decoded
from ..reading import refuse_unscorable
from ..scoring import ScoringError
from ..scoring.gate import Item

DATA = Path(__file__).parents[1] / "data"
FIELDS = tuple(field.name for field in fields(Item))
SHAPE = "Give a JSON array of items, or JSON lines with one item a line."
FAULTS_TOLD = 10


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with an item. The message holds nothing of the item, not even its id."""

    message: str
    id: str = ""  # of the item, where it has one


class ItemsError(ScoringError):
    """A refusal of items, with every fault in them."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(faults[0].message, "items")
        self.faults = tuple(faults)

    @property
    def messages(self) -> list[str]:
        """The first faults, and how many more there are."""
        told = [fault.message for fault in self.faults[:FAULTS_TOLD]]
        left = len(self.faults) - len(told)
        return [*told, f"There are {left:,} more faults."] if left else told


@cache
def bundled_text(name: str) -> str:
    """The text of a data file that ships with the program, such as ``gate_cases``."""
    return (DATA / f"{name}.json").read_text("utf-8")


def bundled(name: str) -> tuple[Item, ...]:
    """The items of that data file."""
    return items_of_text(bundled_text(name))


def items_of_bytes(data: bytes) -> tuple[Item, ...]:
    """The items of a file."""
    return items_of_text(text_of_bytes(data))


def text_of_bytes(data: bytes) -> str:
    """The text of a file; ``ScoringError`` where it is none."""
    try:
        return decoded(data)
    except ScoringError as error:
        raise ItemsError([Fault(f"The file is not text: {error.message}.")]) from None


def items_of_text(text: str) -> tuple[Item, ...]:
    """The items that ``text`` writes; ``ItemsError`` tells all that is wrong with it."""
    try:
        return items_of(_values(text.removeprefix("\ufeff")))
    except ItemsError:
        raise
    except ScoringError as error:
        raise ItemsError([Fault(error.message)]) from None


def _values(text: str) -> object:
    """A document in JSON, or the list of the values of JSON lines."""
    if not text.strip():
        raise ScoringError(f"There is no text. {SHAPE}")
    try:
        value = parsed(text)
    except ScoringError:
        if not text.lstrip().startswith("{"):
            raise
        return list(_lines(text))
    if not isinstance(value, dict):
        return value
    # The API's body holds items; any other object is JSON lines of one line.
    return value["items"] if list(value) == ["items"] else [value]


def _lines(text: str) -> Iterator[object]:
    # U+2028 and the like may stand inside a JSON string, so only LF ends a line.
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield parsed(line, first_line=number)


def items_of(document: object) -> tuple[Item, ...]:
    """The items of a parsed document; ``ItemsError`` tells all that is wrong with it."""
    if not isinstance(document, list):
        raise ItemsError([Fault(f"This is no list of items. {SHAPE}")])
    if not document:
        raise ItemsError([Fault("There are no items. Give at least one.")])
    faults = [fault for number, entry in enumerate(document, 1) for fault in _faults(number, entry)]
    faults += _repeats(document)
    if faults:
        raise ItemsError(faults)
    return tuple(Item(*(entry[name] for name in FIELDS)) for entry in document)


def _faults(number: int, entry: object) -> Iterator[Fault]:
    if not isinstance(entry, dict):
        yield Fault(f"Item {number:,} is no object with {_joined(FIELDS)}.")
        return
    id = entry["id"] if isinstance(entry.get("id"), str) else ""
    missing = [f"no {name}" for name in FIELDS if name not in entry]
    if missing:
        yield Fault(f"Item {number:,} has {_joined(missing)}.", id)
    for name in FIELDS:
        if name in entry and (fault := _text_fault(name, entry[name])):
            yield Fault(f"Item {number:,}: {fault}", id)


def _text_fault(name: str, value: object) -> str:
    """What is wrong with a field; nothing where it is fit to be scored."""
    if not isinstance(value, str):
        return f"{name} must be text in quotation marks."
    if name == "id" and not value.strip():
        return "id is empty."
    try:
        refuse_unscorable(value)
    except ScoringError as error:
        return f"{name}: {error.message}"
    return ""


def _repeats(document: list[object]) -> Iterator[Fault]:
    numbers: dict[str, list[int]] = defaultdict(list)
    for number, entry in enumerate(document, 1):
        if isinstance(entry, dict) and isinstance(entry.get("id"), str):
            numbers[entry["id"]].append(number)
    for id, same in numbers.items():
        if len(same) > 1 and id.strip():
            told = [f"{number:,}" for number in same[:5]] + ["others"] * (len(same) > 5)
            yield Fault(f"Items {_joined(told)} have the same id.", id)


def _joined(words: Sequence[str]) -> str:
    return " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)
