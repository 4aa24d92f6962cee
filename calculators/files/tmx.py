"""TMX, the exchange format of translation memories (LISA, TMX 1.1 to 1.4b)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ..scoring import ScoringError
from .limits import Limits
from .model import Upload
from .streams import (
    HYPOTHESIS,
    REFERENCE,
    SOURCE,
    Holding,
    Stream,
    unique_keys,
)
from .xml import LANGUAGE, Document, Unit, text_of, units

# Elements that hold the codes of the original's formatting, not text; <sub> inside them is text.
_CODES = ("bpt", "ept", "ph", "it", "ut")

TARGET_LANGUAGE = "target_language"  # what an error about it is about


@dataclass(frozen=True, slots=True)
class _Unit:
    key: str
    texts: tuple[tuple[str, str], ...]  # language in lower case, text
    line: int


def read_tmx(
    upload: Upload, limits: Limits, source_language: str = "", target_language: str = ""
) -> Holding:
    """The sources and one language's translations of a TMX file.

    A unit without that language has no translation. Several translations of one unit are several
    references; as hypotheses they are refused, since a system has one.
    """
    document = units(upload.data, ("tu",), _unit, limits, ("header",), limits.segments)
    if not document.units:
        raise ScoringError("the TMX holds no translation unit (<tu>)")
    source, target = _languages(document, source_language, target_language)
    rows = [
        [text for language, text in unit.texts if language == target] for unit in document.units
    ]
    role = upload.role if upload.role in (REFERENCE, SOURCE) else HYPOTHESIS
    streams = list(_translations(upload.name, role, document.units, rows))
    if source:
        texts = tuple(dict(reversed(unit.texts)).get(source) for unit in document.units)
        streams.append(Stream(SOURCE, upload.name, texts))
    keys = unique_keys([unit.key for unit in document.units])
    places = tuple(range(len(rows)))
    return Holding(upload, tuple(streams), keys, format="tmx", places=places)


def _unit(unit: Unit) -> _Unit:
    texts = []
    for variant in unit.element.iter("tuv"):
        language = variant.get(LANGUAGE) or variant.get("lang") or ""
        segment = variant.find("seg")
        if segment is not None:
            texts.append((language.lower().replace("_", "-"), text_of(segment, _CODES, "sub")))
    return _Unit(unit.element.get("tuid", ""), tuple(texts), unit.line)


def _translations(
    name: str, role: str, found: Sequence[_Unit], rows: Sequence[Sequence[str]]
) -> list[Stream]:
    most = max(map(len, rows))
    if most > 1 and role != REFERENCE:
        unit = next(unit for unit, row in zip(found, rows, strict=True) if len(row) > 1)
        raise ScoringError(
            f"line {unit.line:,}: the unit has several translations into one language; keep one of"
            " them, or give the file as references"
        )
    names = [name] if most < 2 else [f"{name} ({number})" for number in range(1, most + 1)]
    return [
        Stream(role, called, tuple(row[index] if index < len(row) else None for row in rows))
        for index, called in enumerate(names)
    ]


def _languages(document: Document[_Unit], source: str, target: str) -> tuple[str, str]:
    """The languages to read, as the units write them; the source may be missing."""
    counts = Counter(language for unit in document.units for language in dict(unit.texts))
    header = document.headers[0].attributes.get("srclang", "") if document.headers else ""
    chosen_source = _written(source or ("" if header == "*all*" else header), counts)
    if target:
        chosen = _written(target, counts)
        if not chosen:
            raise ScoringError(
                f"there is nothing in the target language; {_known(counts)}", TARGET_LANGUAGE
            )
        return chosen_source, chosen
    others = [language for language in counts if language != chosen_source]
    if len(others) != 1:
        raise ScoringError(
            f"say which language is the translation; {_known(counts)}", TARGET_LANGUAGE
        )
    return chosen_source, others[0]


def _written(language: str, known: Counter[str]) -> str:
    """The language of the file that is the one meant: ``en`` finds ``en-gb`` where alone."""
    wanted = language.lower().replace("_", "-")
    if not wanted or wanted in known:
        return wanted
    alike = [each for each in known if each.split("-")[0] == wanted.split("-")[0]]
    return alike[0] if len(alike) == 1 else ""


def _known(counts: Counter[str]) -> str:
    codes = sorted(
        each for each in counts if re.fullmatch(r"[a-z]{2,3}(-[a-z0-9]{1,8}){0,3}", each)
    )
    return f"the file has: {', '.join(codes[:20])}" if codes else "the file names no language"
