"""What a page carries, so that nothing is kept here: the texts, their counts and what was made
of them, packed into one signed field of the page's own form.

The field comes back when a button is pressed. It is signed, so that what comes back is what was
sent, and its size is bounded before it is unpacked.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from ..scoring import VERSION, ScoringError
from ..scoring.text.splitting import WAYS
from .choices import Choice, offered
from .comparison import Comparison
from .counts import CountTable, shape_of
from .doctor import Effect, Finding, Place, Remedy
from .model import Material, Origin, ReferenceSet, System
from .sheet import Notes, Tables

SALT = "calculators.files.state"
FORM = 2  # of what is packed; another one is not read
CHARACTERS_A_ROW = 20  # of counts, packed: measured on real output under every metric
MOST_BYTES = 64 * 1024**2  # unpacked

DAMAGED = "What this page carried did not come back whole. Choose the files again."
TOO_LARGE = (
    "These files are too large to be carried in the page. Score them on your own machine with"
    " manage.py score, or send fewer segments or systems."
)


@dataclass(frozen=True)
class State:
    """All that a page with a result stands on."""

    material: Material
    tables: Tables = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    comparison: Comparison | None = None
    notes: Notes = field(default_factory=dict)
    splitting: str = ""  # the way in which text without spaces was split


def packed(state: State) -> str:
    """The state as the text of a form's field; ``ScoringError`` where it is too large to come
    back."""
    blobs: list[bytes] = []
    head = json.dumps(
        {
            "form": FORM,
            "version": VERSION,
            "material": _material(state.material, blobs),
            "tables": {key: _tables(tables, blobs) for key, tables in state.tables.items()},
            "findings": [asdict(finding) for finding in state.findings],
            "comparison": asdict(state.comparison) if state.comparison else None,
            "notes": state.notes,
            "splitting": state.splitting,
        },
        ensure_ascii=False,
    ).encode()
    body = zlib.compress(b"".join((len(head).to_bytes(8, "big"), head, *blobs)))
    text = base64.b64encode(_signature(body) + body).decode()
    if len(text) > _most_characters():
        raise ScoringError(TOO_LARGE)
    return text


def refuse_too_large(material: Material, choices: int) -> None:
    """Raise ``ScoringError`` where the state with the counts of so many metrics would hardly fit:
    better before the work than after it."""
    rows = choices * len(material) * len(material.systems)
    if len(packed(State(material))) + rows * CHARACTERS_A_ROW > _most_characters():
        raise ScoringError(TOO_LARGE)


def _most_characters() -> int:
    # Room for the other fields of the form.
    return int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE) - 64 * 1024


def unpacked(text: str) -> State:
    """The state that was packed; ``ScoringError`` where the text is of none."""
    try:
        signed = base64.b64decode(text, validate=True)
        signature, body = signed[:32], signed[32:]
        if not constant_time_compare(signature, _signature(body)):
            raise ScoringError(DAMAGED)
        return _state(_expanded(body))
    except (binascii.Error, zlib.error, ValueError, LookupError, TypeError):
        # A page of an older release is signed as well, and may hold other things.
        raise ScoringError(DAMAGED) from None


def _signature(body: bytes) -> bytes:
    return salted_hmac(SALT, body, algorithm="sha256").digest()


def _expanded(body: bytes) -> bytes:
    expander = zlib.decompressobj()
    data = expander.decompress(body, MOST_BYTES)
    if expander.unconsumed_tail:
        raise ScoringError(DAMAGED)
    return data


def _state(data: bytes) -> State:
    start = 8 + int.from_bytes(data[:8], "big")
    head = json.loads(data[8:start])
    if head["form"] != FORM:
        raise ScoringError(DAMAGED)
    blobs = _Blobs(data[start:])
    material = _read_material(head["material"], blobs)
    tables = _read_tables(head["tables"], blobs, len(material))
    is_current = head["version"] == VERSION
    comparison = head["comparison"]
    return State(
        material,
        # After an update the numbers may be others: they are worked out again.
        tables if is_current else {},
        tuple(map(_read_finding, head["findings"])),
        Comparison.read(comparison) if comparison and is_current else None,
        _read_notes(head["notes"]) if is_current else {},
        head["splitting"],
    )


class _Blobs:
    """Bytes behind the head, taken one piece after the other."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    def take(self, length: int) -> bytes:
        piece = self._data[self._place : self._place + length]
        self._place += length
        return piece


def _material(material: Material, blobs: list[bytes]) -> dict[str, Any]:
    blobs.extend(origin.data for origin in material.origins)
    return {
        "systems": [[each.name, each.hypotheses, each.oddities] for each in material.systems],
        "references": [[each.name, each.lines, each.oddities] for each in material.references],
        "sources": material.sources,
        "ids": material.ids,
        "notes": material.notes,
        "origins": [
            [origin.format, origin.name, len(origin.data), origin.systems, origin.places]
            for origin in material.origins
        ],
    }


def _read_material(head: Mapping[str, Any], blobs: _Blobs) -> Material:
    return Material(
        systems=tuple(System(n, tuple(lines), tuple(odd)) for n, lines, odd in head["systems"]),
        references=tuple(
            ReferenceSet(name, tuple(lines), tuple(odd)) for name, lines, odd in head["references"]
        ),
        sources=None if head["sources"] is None else tuple(head["sources"]),
        ids=None if head["ids"] is None else tuple(head["ids"]),
        notes=tuple(head["notes"]),
        origins=tuple(
            Origin(kind, name, blobs.take(length), tuple(systems), tuple(places))
            for kind, name, length, systems, places in head["origins"]
        ),
    )


def _tables(tables: tuple[CountTable, ...], blobs: list[bytes]) -> list[tuple[str, int]]:
    written = [table.written() for table in tables]
    blobs.extend(data for _, data in written)
    return [(types, len(data)) for types, data in written]


def _read_tables(head: Mapping[str, Any], blobs: _Blobs, segments: int) -> Tables:
    ways = ("", *(way.name for way in WAYS))
    choices = {choice.key: choice for way in ways for row in offered(way) for choice in row}
    return {key: _read_table(choices[key], rows, blobs, segments) for key, rows in head.items()}


def _read_table(
    choice: Choice, rows: list[tuple[str, int]], blobs: _Blobs, segments: int
) -> tuple[CountTable, ...]:
    like = shape_of(choice.metric, choice.options)
    return tuple(CountTable.read(like, types, blobs.take(n), segments) for types, n in rows)


def _read_notes(head: Mapping[str, Any]) -> Notes:
    return {key: tuple(map(tuple, of_systems)) for key, of_systems in head.items()}


def _read_finding(data: dict[str, Any]) -> Finding:
    remedy = data["remedy"]
    return Finding(
        **data
        | {
            "where": tuple(
                Place(**place | {"lines": tuple(place["lines"])}) for place in data["where"]
            ),
            "effect": tuple(Effect(**effect) for effect in data["effect"]),
            "remedy": Remedy(**remedy) if remedy else None,
        }
    )
