"""mteval's SGML (NIST). It looks like XML and is not: names in any case, values without
quotation marks, no root."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..scoring import ScoringError
from .limits import Limits
from .lines import decoded
from .model import Upload
from .sets import Sets
from .streams import HYPOTHESIS, REFERENCE, SOURCE, Holding
from .xml import flowed

_ROLES = {"srcset": SOURCE, "refset": REFERENCE, "tstset": HYPOTHESIS}

_TAG = re.compile(r"<(/?)([A-Za-z][\w.-]{0,40})((?:\s[^<>]*)?)>")
_ATTRIBUTE = re.compile(r"""([A-Za-z_][\w:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))""")
_ENTITY = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6}));")
_NAMED_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


@dataclass(frozen=True, slots=True)
class _Tag:
    name: str  # in lower case
    is_end: bool
    attributes: dict[str, str]
    start: int
    end: int


@dataclass
class _Place:
    """Where the reader stands."""

    role: str = ""
    set_name: str = ""
    document: dict[str, str] | None = None
    segment: _Tag | None = None
    segments: int = 0  # of the document so far


def read_mteval(upload: Upload, limits: Limits) -> Holding:
    """The sets of mteval's SGML (NIST's DTD, up to mteval 13a): srcset, refset, tstset.

    A segment counts from ``<seg>`` to ``</seg>``; its text has the white space of its ends taken
    off and its entities read. Everything outside is skipped.
    """
    text = decoded(upload.data)
    if "\0" in text:
        raise ScoringError(f"line {_line(text, text.index(chr(0))):,} holds a NUL character")
    sets, place = Sets(limits), _Place()
    for tag in _tags(text):
        _step(text, tag, place, sets)
    if place.segment is not None:
        raise ScoringError(f"line {_line(text, place.segment.start):,}: the segment is not closed")
    return sets.holding(upload)


def _tags(text: str) -> Iterator[_Tag]:
    known = {"seg", "doc", *_ROLES}
    for found in _TAG.finditer(text):
        name = found[2].lower()
        if name in known:
            yield _Tag(name, bool(found[1]), _attributes(found[3]), found.start(), found.end())


def _attributes(text: str) -> dict[str, str]:
    return {
        found[1].lower(): _unescaped(found[2] or found[3] or found[4] or "")
        for found in _ATTRIBUTE.finditer(text)
    }


def _step(text: str, tag: _Tag, place: _Place, sets: Sets) -> None:
    if tag.name in _ROLES:
        _refuse_open_segment(text, tag, place)
        place.role = "" if tag.is_end else _ROLES[tag.name]
        place.set_name = tag.attributes.get("sysid") or tag.attributes.get("refid") or ""
        place.document = None
    elif tag.name == "doc":
        _refuse_open_segment(text, tag, place)
        place.document = None if tag.is_end else tag.attributes
        place.segments = 0
    elif not tag.is_end:
        _refuse_open_segment(text, tag, place)
        if not place.role or place.document is None:
            raise ScoringError(
                f"line {_line(text, tag.start):,}: the segment stands in no document of a srcset,"
                " refset or tstset"
            )
        place.segment = tag
        place.segments += 1
    elif place.segment is not None and place.document is not None:
        _close(text, tag, place, place.segment, place.document, sets)


def _close(
    text: str, tag: _Tag, place: _Place, opened: _Tag, document: dict[str, str], sets: Sets
) -> None:
    # Segments without a number are counted, as mteval counts them.
    number = opened.attributes.get("id") or str(place.segments)
    key = f"{document.get('docid', '')}:{number}"
    name = document.get("sysid") or place.set_name
    content = flowed(_unescaped(text[opened.end : tag.start])).strip()
    sets.add(place.role, name, key, content, lambda: _line(text, opened.start))
    place.segment = None


def _refuse_open_segment(text: str, tag: _Tag, place: _Place) -> None:
    if place.segment is not None:
        raise ScoringError(
            f"line {_line(text, tag.start):,}: a segment that began on line"
            f" {_line(text, place.segment.start):,} is not closed; add </seg> before"
        )


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _unescaped(text: str) -> str:
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(found: re.Match[str]) -> str:
    if found[1]:
        return _NAMED_ENTITIES[found[1]]
    code = int(found[2]) if found[2] else int(found[3], 16)
    is_character = 0 < code < 0x110000 and not 0xD800 <= code < 0xE000
    return chr(code) if is_character else found[0]
