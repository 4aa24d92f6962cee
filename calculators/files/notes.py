"""The notes of all runs, each told once with what it is of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .choices import Choice
from .sheet import Sheet
from .wording import listed


@dataclass(frozen=True, slots=True)
class Of:
    """Metrics and systems of whose runs something holds; empty where it holds of all."""

    labels: tuple[str, ...]
    systems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence on what is odd about a text or a score."""

    text: str
    keys: dict[str, tuple[str, ...]]  # a system's name -> the keys of the choices
    places: tuple[Of, ...]  # the same in fewer words


def grouped(sheet: Sheet, heads: Sequence[tuple[Choice, str]]) -> tuple[Note, ...]:
    """What is said of every system under every metric, in the order of the metrics."""
    found: dict[str, dict[int, list[str]]] = {}
    for choice, _ in heads:
        for system, notes in enumerate(sheet.notes.get(choice.key, ())):
            for note in notes:
                found.setdefault(note, {}).setdefault(system, []).append(choice.key)
    labels = {choice.key: label for choice, label in heads}
    return tuple(_note(sheet, labels, text, places) for text, places in found.items())


def _note(
    sheet: Sheet,
    labels: Mapping[str, str],
    text: str,
    places: Mapping[int, Sequence[str]],
) -> Note:
    alike: dict[tuple[str, ...], list[str]] = {}
    for system, keys in sorted(places.items()):
        own = tuple(labels[key] for key in keys) if len(keys) < len(labels) else ()
        alike.setdefault(own, []).append(sheet.systems[system])
    every = len(sheet.systems)
    return Note(
        text,
        {sheet.systems[system]: tuple(keys) for system, keys in places.items()},
        tuple(Of(own, tuple(names) if len(names) < every else ()) for own, names in alike.items()),
    )


def place(note: Note) -> str:
    """What a note is of, in words."""
    return "; ".join(map(_in_words, note.places))


def _in_words(of: Of) -> str:
    labels = listed(of.labels) if of.labels else "every metric"
    return f"{labels} of {listed(of.systems)}" if of.systems else labels
