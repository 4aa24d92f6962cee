"""The changes that the input doctor offers, each from its key alone."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..scoring import Budget, ScoringError
from .alignment import path, rearranged
from .findings import Remedy
from .model import Material, ReferenceSet, System

# What Unicode or Python take for line ends, and a line-aligned file does not.
LINE_ENDS = re.compile("[\r\v\f\x1c\x1d\x1e\x85\u2028\u2029\n]")

_SUBWORD = re.compile("@@( |$)")
_SENTENCE_PIECE = "\u2581"

# Punctuation that a tokeniser sets off: what closes joins the word before, what opens the next.
_BEFORE_CLOSING = re.compile(
    r" +(?=[.,;:!?%)\]}»”’](?: |$)|[.,;:!?]['\"”’»)]|n't\b|'(?:s|re|ve|ll|d|m)\b)"
)
_AFTER_OPENING = re.compile(r"(?<=[(\[{«“‘]) +")


@dataclass(frozen=True, slots=True)
class _Kind:
    """A remedy: what its button says, what the note says of it once done, and what it does.

    ``argument`` is the pattern of what follows its name in the key.
    """

    label: str
    told: str
    apply: Callable[[Material, str], Material]
    argument: str = ""


def remedy(key: str) -> Remedy:
    """The remedy of that key; ``ScoringError`` where there is none."""
    name, _, argument = key.partition(":")
    kind = _KINDS.get(name)
    if kind is None or not re.fullmatch(kind.argument, argument):
        raise ScoringError("There is no remedy of that name. Read the files again.", "remedy")
    return Remedy(key, kind.label)


def apply(material: Material, remedy: Remedy) -> Material:
    """The material with the remedy applied; a note says so.

    Raises ``ScoringError`` where the remedy is not for such files.
    """
    known = Remedy.of(remedy.key)
    name, _, argument = known.key.partition(":")
    changed = _KINDS[name].apply(material, argument)
    return replace(changed, notes=(*changed.notes, f"Changed before scoring: {_KINDS[name].told}."))


def _rewritten(material: Material, rewrite: Callable[[str], str]) -> Material:
    systems = tuple(
        replace(system, hypotheses=tuple(map(rewrite, system.hypotheses)))
        for system in material.systems
    )
    references = tuple(
        replace(
            reference,
            lines=tuple(None if line is None else rewrite(line) for line in reference.lines),
        )
        for reference in material.references
    )
    return replace(material, systems=systems, references=references)


def _in_nfc(material: Material, _: str) -> Material:
    return _rewritten(material, lambda text: unicodedata.normalize("NFC", text))


def _on_one_line(material: Material, _: str) -> Material:
    return _rewritten(material, lambda text: LINE_ENDS.sub(" ", text))


def _detokenised(material: Material, _: str) -> Material:
    return _rewritten(material, detokenised)


def detokenised(text: str) -> str:
    """``text`` with punctuation joined to its word again: roughly what was before a tokeniser."""
    return _AFTER_OPENING.sub("", _BEFORE_CLOSING.sub("", text))


def _with_whole_words(material: Material, _: str) -> Material:
    return _rewritten(material, whole_words)


def whole_words(text: str) -> str:
    """``text`` with its subwords joined: ``@@`` of BPE, the block mark of SentencePiece."""
    if _SENTENCE_PIECE in text:
        text = text.replace(" ", "").replace(_SENTENCE_PIECE, " ").strip()
    return _SUBWORD.sub("", text)


def _kept(material: Material, kept: Sequence[int]) -> Material:
    """The segments at ``kept`` alone, everywhere."""
    if not kept:
        raise ScoringError("No segment would be left.", "remedy")
    if not material.is_aligned:
        raise ScoringError("The files must have the same number of lines first.", "remedy")

    def taken(texts: Sequence[str] | None) -> tuple[str, ...] | None:
        return None if texts is None else tuple(texts[index] for index in kept)

    return replace(
        material,
        systems=tuple(
            replace(each, hypotheses=tuple(each.hypotheses[index] for index in kept))
            for each in material.systems
        ),
        references=tuple(
            replace(each, lines=tuple(each.lines[index] for index in kept))
            for each in material.references
        ),
        sources=taken(material.sources),
        ids=taken(material.ids),
        origins=tuple(
            replace(each, places=tuple(each.places[index] for index in kept))
            for each in material.origins
        ),
    )


def is_blank(text: str | None) -> bool:
    """Whether a text is there and holds nothing but white space."""
    return text is not None and not text.strip()


def _without_empty_hypotheses(material: Material, _: str) -> Material:
    rows = zip(*(system.hypotheses for system in material.systems), strict=False)
    return _kept(material, [index for index, row in enumerate(rows) if not any(map(is_blank, row))])


def _without_empty_references(material: Material, _: str) -> Material:
    """Empty references taken as missing; segments that then have none are left out."""
    references = tuple(
        replace(each, lines=tuple(None if is_blank(line) else line for line in each.lines))
        for each in material.references
    )
    return _with_references_only(replace(material, references=references), "")


def _with_references_only(material: Material, _: str) -> Material:
    rows = zip(*(each.lines for each in material.references), strict=False)
    kept = [index for index, row in enumerate(rows) if any(line is not None for line in row)]
    return _kept(material, kept)


def repeats(material: Material) -> list[int]:
    """Segments, from 0, whose texts all stand in an earlier segment too."""
    seen: set[tuple[str | None, ...]] = set()
    found = []
    for index, row in enumerate(zip(*(lines for _, lines in material.streams), strict=False)):
        if row in seen:
            found.append(index)
        seen.add(row)
    return found


def _without_repeats(material: Material, _: str) -> Material:
    repeated = set(repeats(material))
    return _kept(material, [index for index in range(len(material)) if index not in repeated])


def _swapped(material: Material, _: str) -> Material:
    """Systems and references in each other's place. Scores can't be written back after that."""
    return replace(
        material,
        systems=tuple(
            System(each.name, tuple(line or "" for line in each.lines), each.oddities)
            for each in material.references
        ),
        references=tuple(
            ReferenceSet(each.name, each.hypotheses, each.oddities) for each in material.systems
        ),
        origins=(),
    )


def _exchanged(material: Material, _: str) -> Material:
    """The sources and the one set of references in each other's place."""
    if len(material.references) != 1 or material.sources is None:
        raise ScoringError(_NOT_FOR_THESE, "remedy")
    (reference,) = material.references
    return replace(
        material,
        sources=tuple(line or "" for line in reference.lines),
        references=(replace(reference, lines=material.sources),),
    )


def _transposed(material: Material, _: str) -> Material:
    """References given segment by segment, as sets of one reference a segment."""
    lists = [each.lines for each in material.references]
    most = max(map(len, lists))
    references = tuple(
        ReferenceSet(
            f"reference {number + 1}",
            tuple(lines[number] if number < len(lines) else None for lines in lists),
        )
        for number in range(most)
    )
    return replace(material, references=references)


def _split_at_tabs(material: Material, _: str) -> Material:
    """Every reference file with tabs as one set a column; a column that a line lacks is missing."""
    references = [part for each in material.references for part in _columns(each)]
    return replace(material, references=tuple(references))


def _columns(reference: ReferenceSet) -> list[ReferenceSet]:
    rows = [[None] if line is None else line.split("\t") for line in reference.lines]
    width = max(map(len, rows), default=1)
    if width == 1:
        return [reference]
    return [
        ReferenceSet(
            f"{reference.name} ({column + 1})",
            tuple(row[column] if column < len(row) else None for row in rows),
            reference.oddities,
        )
        for column in range(width)
    ]


def _folded(material: Material, argument: str) -> Material:
    """A file that holds several references of every segment, one below another, as several sets."""
    digits, lines, order = argument.split(":")
    number, segments = int(digits), int(lines)
    if number >= len(material.references) or segments != len(material):
        raise ScoringError(_NOT_FOR_THESE, "remedy")
    long = material.references[number]
    times = len(long.lines) // segments
    if times < 2 or times * segments != len(long.lines):
        raise ScoringError(_NOT_FOR_THESE, "remedy")
    parts = tuple(
        ReferenceSet(f"{long.name} ({part + 1})", lines_of, long.oddities)
        for part, lines_of in enumerate(_parts(long.lines, times, order))
    )
    others = material.references
    return replace(material, references=(*others[:number], *parts, *others[number + 1 :]))


def _parts(lines: Sequence[str | None], times: int, order: str) -> list[tuple[str | None, ...]]:
    segments = len(lines) // times
    if order == "turns":
        return [tuple(lines[part::times]) for part in range(times)]
    return [tuple(lines[part * segments : (part + 1) * segments]) for part in range(times)]


_NOT_FOR_THESE = "This remedy is not for these files. Read them again."


def anchor(material: Material) -> int:
    """The stream, by its place in ``streams``, whose lines the others are held against.

    It is the first reference of the length that most streams have.
    """
    lengths = [len(lines) for _, lines in material.streams]
    first = len(material.systems)
    order = [*range(first, len(lengths)), *range(first)]
    chosen: int = max(order, key=lambda index: lengths.count(lengths[index]))
    return chosen


def _realigned(material: Material, argument: str) -> Material:
    """The lines of one stream put where they belong, by what they say.

    A hypothesis that is lacking is empty, a reference that is lacking is missing.
    """
    streams = material.streams
    number, fixed = int(argument), anchor(material)
    if number >= len(streams) or number == fixed:
        raise ScoringError(_NOT_FOR_THESE, "remedy")
    own = [line or "" for line in streams[number][1]]
    others = [line or "" for line in streams[fixed][1]]
    found = path(own, others, Budget.unlimited())
    if found is None:
        raise ScoringError(_NOT_FOR_THESE, "remedy")
    lines = rearranged(found, own, others)
    systems, references = list(material.systems), list(material.references)
    if number < len(systems):
        hypotheses = tuple(line or "" for line in lines)
        systems[number] = replace(systems[number], hypotheses=hypotheses)
    else:
        at = number - len(systems)
        references[at] = replace(references[at], lines=tuple(lines))
    name = streams[number][0]
    origins = tuple(each for each in material.origins if name not in each.systems)
    return replace(material, systems=tuple(systems), references=tuple(references), origins=origins)


_KINDS: Mapping[str, _Kind] = {
    "nfc": _Kind(
        "Put every text into one normal form (NFC)",
        "every text was put into one normal form of Unicode (NFC)",
        _in_nfc,
    ),
    "one-line": _Kind(
        "Make these characters spaces", "line ends inside segments became spaces", _on_one_line
    ),
    "detokenise": _Kind(
        "Join punctuation to its word",
        "punctuation was joined to its word again, by a few rules",
        _detokenised,
    ),
    "whole-words": _Kind(
        "Join the pieces to words", "pieces of words were joined to words", _with_whole_words
    ),
    "no-empty-hypotheses": _Kind(
        "Leave these segments out",
        "segments with an empty hypothesis were left out",
        _without_empty_hypotheses,
    ),
    "no-empty-references": _Kind(
        "Take empty references as missing",
        "empty references were taken as missing, and segments with none left out",
        _without_empty_references,
    ),
    "no-unreferenced": _Kind(
        "Leave these segments out",
        "segments without a reference were left out",
        _with_references_only,
    ),
    "no-repeats": _Kind(
        "Keep the first of each", "repeated segments were left out", _without_repeats
    ),
    "swap": _Kind(
        "Swap hypotheses and references", "hypotheses and references were swapped", _swapped
    ),
    "exchange": _Kind(
        "Exchange source and reference", "source and reference were exchanged", _exchanged
    ),
    "transpose": _Kind(
        "Turn the references round", "the references were turned round", _transposed
    ),
    "split-tabs": _Kind(
        "Split the references at tabs", "the references were split at tabs", _split_at_tabs
    ),
    "fold": _Kind(
        "Take them as several references",
        "references that stood one below another were taken as several references",
        _folded,
        r"\d{1,3}:\d{1,8}:(?:turns|blocks)",
    ),
    "realign": _Kind(
        "Put the lines in their places",
        "lines were put in their places by what they say",
        _realigned,
        r"\d{1,3}",
    ),
}
