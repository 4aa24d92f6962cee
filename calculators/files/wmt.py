"""WMT's XML: source, references and systems of a shared task in one file (from 2021 on)."""

from __future__ import annotations

from ..scoring import ScoringError
from .limits import Limits
from .model import Upload
from .sets import Sets
from .streams import HYPOTHESIS, REFERENCE, SOURCE, Holding
from .xml import Unit, text_of, units

_ROLES = {"src": SOURCE, "ref": REFERENCE, "hyp": HYPOTHESIS}


def read_wmt(upload: Upload, limits: Limits) -> Holding:
    """The sources, references and systems of WMT's XML (from 2021 on)."""
    sets = Sets(limits)

    def take(unit: Unit) -> None:
        place = next((start for start in reversed(unit.path) if start.tag in _ROLES), None)
        document = unit.above("doc")
        if place is None or document is None:
            raise ScoringError(f"line {unit.line:,}: the segment stands in no src, ref or hyp")
        role, attributes = _ROLES[place.tag], place.attributes
        name = attributes.get("system") or attributes.get("translator") or ""
        key = f"{document.attributes.get('id', '')}:{unit.element.get('id', '')}"
        sets.add(role, name, key, text_of(unit.element).strip(), lambda: unit.line)

    units(upload.data, ("seg",), take, limits)
    return sets.holding(upload)
