"""The input doctor's questions about what the lines hold."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from ..scoring import Budget
from ..scoring.text.observations import unspaced_language
from .findings import ERROR, NOTE, WARNING, Finding, Place, Remedy
from .model import Material, counted
from .remedies import LINE_ENDS, is_blank, repeats

Lines = Sequence[str | None]
Question = Callable[[Material, Budget], Iterator[Finding]]

SHOWN = 5  # lines that a place names
MANY = 0.2  # of the lines: what makes a property of them one of the file
ALMOST_ALL = 0.9
REPEATED = 0.1  # of the segments; greetings and headings repeat in any set
FEW = 3  # lines below which nothing is said of a file's character

_SET_OFF = re.compile(r" [.!?。！？]\s*$")
_SUBWORDS = re.compile("@@(?: |$)|(?:^| )\u2581")
_DAMAGED = re.compile(
    "\ufffd|[\u00c2\u00c3][\x80-\xbf]|\u00e2\u20ac[\u2122\u0153\x9d\u201c\u201d\u02dc\u00a6]"
)


def where(name: str, lines: Sequence[int]) -> Place:
    """The place of lines numbered from 1."""
    return Place(name, tuple(lines[:SHOWN]), len(lines))


def numbers(lines: Lines, holds: Callable[[str], object]) -> list[int]:
    """The lines, from 1, that are there and for which ``holds`` is true."""
    return [number for number, line in enumerate(lines, 1) if line is not None and holds(line)]


def in_words(places: Sequence[Place]) -> str:
    """Places for a sentence: "a.txt (lines 2, 5, ...) and b.txt (line 7)"."""
    return " and ".join(
        f"{place.stream} (line{'' if place.total == 1 else 's'}"
        f" {', '.join(f'{line:,}' for line in place.lines)}"
        f"{', ...' if place.total > len(place.lines) else ''})"
        for place in places
    )


def has_tab(line: str) -> bool:
    return "\t" in line


def empty_segments(material: Material, _: Budget) -> Iterator[Finding]:
    """Empty hypotheses, empty references, segments without a reference."""
    hypotheses = [
        where(system.name, numbers(system.hypotheses, is_blank)) for system in material.systems
    ]
    places = [place for place in hypotheses if place.total]
    if places:
        told = [_empties(place, len(material)) for place in places]
        yield Finding(
            "empty-hypotheses",
            WARNING,
            f"{' '.join(told)} An empty hypothesis is scored as it stands: its references"
            " count. To leave it out flatters the system.",
            tuple(places),
            remedy=Remedy.of("no-empty-hypotheses"),
        )
    references = [where(each.name, numbers(each.lines, is_blank)) for each in material.references]
    places = [place for place in references if place.total]
    if places:
        told = [_empties(place, len(material)) for place in places]
        yield Finding(
            "empty-references",
            WARNING,
            f"{' '.join(told)} An empty reference is one of no words, to which nothing but an"
            " empty hypothesis is equal. If it is only lacking, take it as missing.",
            tuple(places),
            remedy=Remedy.of("no-empty-references"),
        )
    yield from _unreferenced(material)


def _empties(place: Place, segments: int) -> str:
    if place.total >= segments:
        return f"All lines of {place.stream} are empty."
    lines = ", ".join(f"{line:,}" for line in place.lines)
    if place.total == 1:
        return f"Line {lines} of {place.stream} is empty."
    more = ", ..." if place.total > len(place.lines) else ""
    return f"{place.total:,} lines of {place.stream} are empty: lines {lines}{more}."


def _unreferenced(material: Material) -> Iterator[Finding]:
    rows = zip(*(each.lines for each in material.references), strict=False)
    lacking = [n for n, row in enumerate(rows, 1) if all(line is None for line in row)]
    if lacking:
        place = where("references", lacking)
        yield Finding(
            "no-reference",
            ERROR,
            f"There is no reference for {counted(len(lacking))}: {in_words([place])}. Add them, or"
            " leave these segments out.",
            (place,),
            remedy=Remedy.of("no-unreferenced") if len(lacking) < len(material) else None,
        )


def tokenised(material: Material, _: Budget) -> Iterator[Finding]:
    """Text whose punctuation a tokeniser set off from the words."""
    found = {}
    for name, lines in material.streams:
        places = numbers(lines, _SET_OFF.search)
        filled = sum(1 for line in lines if line)
        if len(places) >= FEW and len(places) >= MANY * filled:
            found[name] = places
    if not found:
        return
    told = " ".join(
        f"{name} looks tokenised ({counted(len(places))} end in a space and a full stop or the"
        " like)."
        for name, places in found.items()
    )
    is_mixed = len(found) < len(material.streams)
    advice = (
        "The other side is not: score the text before tokenising."
        if is_mixed
        else "Both sides are, so the scores hold together, but not with those of other papers:"
        " the metrics tokenise once more."
    )
    yield Finding(
        "tokenised",
        WARNING if is_mixed else NOTE,
        f"{told} {advice}",
        tuple(where(name, places) for name, places in found.items()),
        remedy=Remedy.of("detokenise"),
    )


def subwords(material: Material, _: Budget) -> Iterator[Finding]:
    """Pieces of words as BPE and SentencePiece leave them."""
    places = [where(name, numbers(lines, _SUBWORDS.search)) for name, lines in material.streams]
    found = tuple(place for place in places if place.total)
    if found:
        yield Finding(
            "subwords",
            WARNING,
            f"There are pieces of words (@@ or ▁) in {in_words(found)}: the output of a model"
            " before its last step. Join them to words before scoring.",
            found,
            remedy=Remedy.of("whole-words"),
        )


def unspaced(material: Material, _: Budget) -> Iterator[Finding]:
    """A language written without spaces: what is no word by itself counts as one."""
    found: Counter[str] = Counter()
    places = []
    for name, lines in material.streams:
        languages = [unspaced_language(line or "") for line in lines]
        own = Counter(filter(None, languages))
        if own.total() >= MANY * max(1, sum(1 for line in lines if line)):
            found.update(own)
            places.append(where(name, [n for n, each in enumerate(languages, 1) if each]))
    if not found:
        return
    ((language, _times),) = found.most_common(1)
    yield Finding(
        "unspaced",
        WARNING,
        f"These files hold {language}, which is written without spaces between words. A metric that"
        " splits at spaces takes a whole phrase for one word. Phrases that differ in one character"
        " then have nothing in common: scores come out far worse than the translations are, and say"
        " little about which system is better. Choose how the text is split.",
        tuple(places),
        language=language,
    )


def normal_forms(material: Material, _: Budget) -> Iterator[Finding]:
    """Letters with accents written in two ways, which no metric takes for equal."""
    places = [
        where(name, numbers(lines, lambda line: not unicodedata.is_normalized("NFC", line)))
        for name, lines in material.streams
    ]
    found = tuple(place for place in places if place.total)
    if found:
        yield Finding(
            "normal-forms",
            WARNING,
            f"Some letters with accents are written as two characters (not in NFC) in"
            f" {in_words(found)}. They look the same and count as different.",
            found,
            remedy=Remedy.of("nfc"),
        )


def line_ends(material: Material, _: Budget) -> Iterator[Finding]:
    """Characters inside segments that other programs take for line ends."""
    places = [where(name, numbers(lines, LINE_ENDS.search)) for name, lines in material.streams]
    found = tuple(place for place in places if place.total)
    if found:
        yield Finding(
            "line-ends",
            NOTE,
            f"There are characters inside lines that some programs cut at (U+2028, NEL, a lone CR"
            f" and the like) in {in_words(found)}. Here they are text; a program that cuts there"
            " sees other lines.",
            found,
            remedy=Remedy.of("one-line"),
        )


def marks(material: Material, _: Budget) -> Iterator[Finding]:
    """Files that began with a byte order mark, which was taken off."""
    odd = [(each.name, each.oddities) for each in material.systems]
    odd += [(each.name, each.oddities) for each in material.references]
    found = tuple(Place(name, (1,), 1) for name, oddities in odd if "bom" in oddities)
    if found:
        yield Finding(
            "bom",
            NOTE,
            f"A byte order mark stood before the first word of"
            f" {' and '.join(place.stream for place in found)}. It was taken off. sacreBLEU's"
            " command line keeps it, and so scores that word as wrong.",
            found,
        )


def tabs(material: Material, _: Budget) -> Iterator[Finding]:
    """Tabs: several references a line, a table given as one system's output, or stray ones."""
    for system in material.systems:
        lines = numbers(system.hypotheses, has_tab)
        if lines:
            yield Finding(
                "tabs-in-hypotheses",
                WARNING if _is_almost_all(lines, system.hypotheses) else NOTE,
                f"{system.name} holds tabs in {counted(len(lines))}. If it is a table, give it as"
                " TSV with a heading over each column; as it stands a tab is a space.",
                (where(system.name, lines),),
            )
    for reference in material.references:
        lines = numbers(reference.lines, has_tab)
        if not lines:
            continue
        is_all = _is_almost_all(lines, reference.lines)
        yield Finding(
            "tabs",
            WARNING if is_all else NOTE,
            f"{reference.name} holds tabs in {counted(len(lines))}. If a tab separates several"
            " references of one segment, they must be split; as it stands a tab is a space.",
            (where(reference.name, lines),),
            remedy=Remedy.of("split-tabs") if is_all else None,
        )


def _is_almost_all(found: Sequence[int], lines: Lines) -> bool:
    return len(found) >= ALMOST_ALL * sum(1 for line in lines if line)


def repeated_segments(material: Material, _: Budget) -> Iterator[Finding]:
    """Segments that stand there more than once, and one hypothesis for many segments."""
    if not material.is_aligned:
        return
    found = [index + 1 for index in repeats(material)]
    if len(found) >= FEW and len(found) >= REPEATED * len(material):
        yield Finding(
            "repeats",
            NOTE,
            f"{len(found):,} segments repeat earlier ones, hypothesis and reference alike, and"
            " count each time. Was something pasted twice?",
            (where("segments", found),),
            remedy=Remedy.of("no-repeats"),
        )
    for system in material.systems:
        lines = _stuck(system.hypotheses, material.references[0].lines)
        if lines:
            yield Finding(
                "same-answer",
                WARNING,
                f"{system.name} gives the same hypothesis for {len(lines):,} segments whose"
                f" references differ: {in_words([where(system.name, lines)])}. The system may have"
                " failed there.",
                (where(system.name, lines),),
            )


def _stuck(hypotheses: Sequence[str], references: Lines) -> list[int]:
    """The lines, from 1, of the hypothesis that most different references got, if five or more."""
    by_text: dict[str, dict[str | None, int]] = {}
    for number, (text, line) in enumerate(zip(hypotheses, references, strict=True), 1):
        if len(text.split()) > 2:
            by_text.setdefault(text, {}).setdefault(line, number)
    most = max(by_text.values(), key=len, default={})
    return sorted(most.values()) if len(most) >= 5 else []


def damaged(material: Material, _: Budget) -> Iterator[Finding]:
    """Text that was read in a wrong encoding before it came here."""
    places = [where(name, numbers(lines, _DAMAGED.search)) for name, lines in material.streams]
    found = tuple(place for place in places if place.total)
    if found:
        yield Finding(
            "damaged",
            WARNING,
            f"Some characters look damaged (U+FFFD, or pairs as UTF-8 read in another encoding"
            f" gives) in {in_words(found)}. Go back to the file before and save it as UTF-8.",
            found,
        )
