"""Sets of documents as evaluation campaigns have them: WMT's XML and mteval's SGML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ..scoring import ScoringError
from .limits import Limits
from .lines import decoded
from .model import Upload
from .streams import HYPOTHESIS, REFERENCE, SOURCE, Holding, Stream, refuse_more_segments
from .xml import Unit, flowed, text_of, units

_ROLES_OF_WMT = {"src": SOURCE, "ref": REFERENCE, "hyp": HYPOTHESIS}
_ROLES_OF_MTEVAL = {"srcset": SOURCE, "refset": REFERENCE, "tstset": HYPOTHESIS}
_DEFAULT_NAMES = {SOURCE: "source", REFERENCE: "reference", HYPOTHESIS: "system"}


@dataclass
class _Sets:
    """Texts by role and name, then by segment. Segments keep the order of first appearance."""

    limits: Limits
    texts: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)
    keys: dict[str, None] = field(default_factory=dict)

    def add(self, role: str, name: str, key: str, text: str, line: Callable[[], int]) -> None:
        """Take one segment; ``ScoringError`` with its line where it was there already."""
        stream = self.texts.setdefault((role, name or _DEFAULT_NAMES[role]), {})
        if key in stream:
            raise ScoringError(
                f"line {line():,}: the document has a segment of this number already; give every"
                " segment a number of its own"
            )
        stream[key] = text
        self.keys[key] = None
        refuse_more_segments(len(self.keys), self.limits)
        if len(self.texts) > self.limits.streams:
            raise ScoringError(f"there are more than {self.limits.streams} systems and references")

    def holding(self, upload: Upload) -> Holding:
        """The streams side by side."""
        if not self.keys:
            raise ScoringError("the file holds no segment (<seg>)")
        streams = tuple(
            Stream(role, name, tuple(texts.get(key) for key in self.keys))
            for (role, name), texts in self.texts.items()
        )
        return Holding(upload, streams, tuple(self.keys))


def read_wmt(upload: Upload, limits: Limits) -> Holding:
    """The sources, references and systems of WMT's XML (from 2021 on)."""
    sets = _Sets(limits)

    def take(unit: Unit) -> None:
        place = next((start for start in reversed(unit.path) if start.tag in _ROLES_OF_WMT), None)
        document = unit.above("doc")
        if place is None or document is None:
            raise ScoringError(f"line {unit.line:,}: the segment stands in no src, ref or hyp")
        role, attributes = _ROLES_OF_WMT[place.tag], place.attributes
        name = attributes.get("system") or attributes.get("translator") or ""
        key = f"{document.attributes.get('id', '')}:{unit.element.get('id', '')}"
        sets.add(role, name, key, text_of(unit.element).strip(), lambda: unit.line)

    units(upload.data, ("seg",), take, limits)
    return sets.holding(upload)


# --- mteval's SGML -----------------------------------------------------------------------------
# It looks like XML and is not: names in any case, values without quotation marks, no root.

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
    sets, place = _Sets(limits), _Place()
    for tag in _tags(text):
        _step(text, tag, place, sets)
    if place.segment is not None:
        raise ScoringError(f"line {_line(text, place.segment.start):,}: the segment is not closed")
    return sets.holding(upload)


def _tags(text: str) -> Iterator[_Tag]:
    known = {"seg", "doc", *_ROLES_OF_MTEVAL}
    for found in _TAG.finditer(text):
        name = found[2].lower()
        if name in known:
            yield _Tag(name, bool(found[1]), _attributes(found[3]), found.start(), found.end())


def _attributes(text: str) -> dict[str, str]:
    return {
        found[1].lower(): _unescaped(found[2] or found[3] or found[4] or "")
        for found in _ATTRIBUTE.finditer(text)
    }


def _step(text: str, tag: _Tag, place: _Place, sets: _Sets) -> None:
    if tag.name in _ROLES_OF_MTEVAL:
        _refuse_open_segment(text, tag, place)
        place.role = "" if tag.is_end else _ROLES_OF_MTEVAL[tag.name]
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
    text: str, tag: _Tag, place: _Place, opened: _Tag, document: dict[str, str], sets: _Sets
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
