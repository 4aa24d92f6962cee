"""XLIFF 1.1, 1.2 and 2.x (OASIS), the exchange formats of translation tools."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from xml.etree.ElementTree import Element

from ..scoring import ScoringError
from .limits import Limits
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
from .xml import Unit, text_of, units

# Elements that hold the original's formatting codes, not text (XLIFF 1.2, section 2.4); <sub>
# inside them is text. Those of XLIFF 2 that hold no text are empty.
_CODES = ("ph", "bpt", "ept", "it", "x", "bx", "ex")

MOST_UNITS = 4  # a segment; the others are not to be translated


@dataclass(frozen=True, slots=True)
class _Segment:
    key: str
    source: str | None
    target: str | None
    proposals: tuple[tuple[str, str], ...]  # whose, and the text
    place: int  # of the segment in document order, from 0


def read_xliff(upload: Upload, limits: Limits) -> Holding:
    """The sources and targets of an XLIFF file.

    Where no role was given and the file carries proposals of machine translation (``alt-trans``,
    or the matches of XLIFF 2), these are the hypotheses and the targets the references.
    """
    segments, is_second = _segments(upload.data, limits)
    if not segments:
        raise ScoringError("the XLIFF holds no segment to score")
    keys = unique_keys([segment.key for segment in segments])
    streams, notes = _streams(upload, segments)
    places = tuple(segment.place for segment in segments)
    name = "xliff-2" if is_second else "xliff-1.2"
    return Holding(upload, streams, keys, notes=notes, format=name, places=places)


def _segments(data: bytes, limits: Limits) -> tuple[list[_Segment], bool]:
    """The segments that are to be translated, and whether the file is XLIFF 2."""
    document = units(
        data, ("trans-unit", "unit"), _segments_of, limits, ("xliff",), MOST_UNITS * limits.segments
    )
    found = [segment for segments in document.units for segment in segments]
    placed = [replace(segment, place=place) for place, segment in enumerate(found)]
    kept = [segment for segment in placed if segment.source is not None]
    refuse_more_segments(len(kept), limits)
    version = document.headers[0].attributes.get("version", "") if document.headers else ""
    return kept, version.startswith("2")


def _segments_of(unit: Unit) -> list[_Segment]:
    return _of_unit(unit) if unit.element.tag == "unit" else _of_trans_unit(unit)


def _of_trans_unit(unit: Unit) -> list[_Segment]:
    """The segment of a trans-unit; it has no source where it is not to be translated."""
    element = unit.element
    proposals = tuple(
        (each.get("origin") or each.get("tool-id") or "", _text(each.find("target")) or "")
        for each in element.findall("alt-trans")
        if each.find("target") is not None
    )
    source = None if element.get("translate") == "no" else _text(element.find("source")) or ""
    key = f"{_file(unit)}/{element.get('id', '')}"
    return [_Segment(key, source, _text(element.find("target")), proposals, 0)]


def _of_unit(unit: Unit) -> list[_Segment]:
    """The segments of a unit of XLIFF 2; those without a source are not to be translated."""
    element = unit.element
    is_kept = element.get("translate") != "no"
    matches = list(_matches(element))
    found = []
    for number, segment in enumerate(element.findall("segment")):
        name = segment.get("id", "")
        proposals = tuple((whose, text) for about, whose, text in matches if about in ("", name))
        source = _text(segment.find("source")) if is_kept else None
        key = f"{_file(unit)}/{element.get('id', '')}/{name or number}"
        found.append(_Segment(key, source, _text(segment.find("target")), proposals, 0))
    return found


def _matches(unit: Element) -> Iterable[tuple[str, str, str]]:
    """Which segment a match is for ("" for the whole unit), whose it is, and its text."""
    for match in unit.iterfind("matches/match"):
        target = match.find("target")
        if target is not None:
            yield match.get("ref", "").lstrip("#"), match.get("origin", ""), _text(target) or ""


def _file(unit: Unit) -> str:
    file = unit.above("file")
    return (file.attributes.get("id") or file.attributes.get("original", "")) if file else ""


def _text(element: Element | None) -> str | None:
    return None if element is None else text_of(element, _CODES, "sub")


def _streams(
    upload: Upload, segments: Sequence[_Segment]
) -> tuple[tuple[Stream, ...], tuple[str, ...]]:
    source = Stream(SOURCE, upload.name, tuple(segment.source for segment in segments))
    targets = tuple(segment.target for segment in segments)
    whose = dict.fromkeys(name for segment in segments for name, _ in segment.proposals)
    if upload.role or not whose:
        role = REFERENCE if upload.role == REFERENCE else HYPOTHESIS
        return (Stream(role, upload.name, targets), source), ()
    systems = tuple(
        Stream(HYPOTHESIS, name or "proposal", tuple(_of(name, each) for each in segments))
        for name in whose
    )
    note = (
        f"{upload.name}: its proposals were read as hypotheses and its targets as references."
        " Give the file a role to read its targets only."
    )
    return (*systems, Stream(REFERENCE, upload.name, targets), source), (note,)


def _of(name: str, segment: _Segment) -> str | None:
    return next((text for whose, text in segment.proposals if whose == name), None)
