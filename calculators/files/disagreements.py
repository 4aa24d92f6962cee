"""The input doctor's questions about whether the files go together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from ..scoring import Budget
from .alignment import Resemblance, path
from .findings import ERROR, WARNING, Finding, Place, Remedy
from .model import Material, counted
from .oddities import ALMOST_ALL, FEW, SHOWN, Lines, has_tab, numbers
from .remedies import anchor
from .text import role_by_name

RESEMBLING = 500  # segments, about, by which two texts are held against each other
FEW_TO_LEAN_ON = 20  # segments; of fewer a wider gap is asked
CLIPPED_AT = 120  # characters of a line that is shown: enough to find it by


def references_turned(material: Material, budget: Budget) -> Iterator[Finding]:
    """References given segment by segment where sets of them are meant."""
    lists = [reference.lines for reference in material.references]
    widths = {len(lines) for lines in lists}
    segments = len(material)
    if len(lists) != segments or segments < 2 or max(widths) > len(lists) > min(widths):
        return
    if widths != {segments}:
        is_turned = segments not in widths
    else:
        budget.spend(100 * segments)
        hypotheses = material.systems[0].hypotheses
        columns = [[lines[i] for lines in lists] for i in range(segments)]
        as_is = _mean_overlap(hypotheses, _off_diagonal(columns))
        turned = _mean_overlap(hypotheses, _off_diagonal(lists))
        is_turned = turned > 1.5 * as_is + 0.05
    if is_turned:
        yield Finding(
            "references-turned",
            ERROR if widths != {segments} else WARNING,
            "The references look grouped by segment, one list a segment. A list must be one set:"
            " the first reference of every segment, then the second of every one. Turned the other"
            " way they score against the wrong segments without a word.",
            tuple(Place(reference.name) for reference in material.references[:SHOWN]),
            remedy=Remedy.of("transpose"),
        )


def _off_diagonal(rows: Sequence[Lines]) -> list[Lines]:
    """Every row without what it shares with the column of its number."""
    return [[*row[:index], *row[index + 1 :]] for index, row in enumerate(rows)]


def _mean_overlap(hypotheses: Sequence[str], rows: Sequence[Lines]) -> float:
    overlaps = [
        max((_overlap(text, line) for line in row if line is not None), default=0.0)
        for text, row in zip(hypotheses, rows, strict=True)
    ]
    return sum(overlaps) / max(len(overlaps), 1)


def _overlap(first: str, second: str) -> float:
    """The share of the words of both that both have; characters where no spaces are."""
    one, other = _words(first), _words(second)
    return len(one & other) / max(len(one | other), 1)


def _words(text: str) -> set[str]:
    return set(text.lower().split() if " " in text.strip() else text.lower())


def references_below(material: Material, budget: Budget) -> Iterator[Finding]:
    """A file with several lines of references a segment."""
    segments = len(material)
    for number, reference in enumerate(material.references):
        times, rest = divmod(len(reference.lines), max(segments, 1))
        if rest or not 2 <= times <= 20:
            continue
        budget.spend(200 * len(reference.lines))
        order = _order(material.systems[0].hypotheses, reference.lines, times)
        if order:
            told = {"turns": "one below another", "blocks": "as whole files, one after another"}
            yield Finding(
                "references-below",
                ERROR,
                f"{reference.name} has {times} lines for every hypothesis. It seems to hold"
                f" {times} references of every segment, {told[order]}. Take them as {times}"
                " references, or give a file for each.",
                (Place(reference.name),),
                remedy=Remedy.of(f"fold:{number}:{segments}:{order}"),
            )


def _order(hypotheses: Sequence[str], lines: Lines, times: int) -> str:
    """How several references stand in one file; empty where it does not look so."""
    segments = len(hypotheses)
    rows = {
        "turns": [lines[times * i : times * (i + 1)] for i in range(segments)],
        "blocks": [lines[i::segments] for i in range(segments)],
    }
    alike = {order: _mean_overlap(hypotheses, each) for order, each in rows.items()}
    best = max(alike, key=lambda order: alike[order])
    return best if alike[best] > 0.1 and alike[best] > 1.3 * min(alike.values()) else ""


def line_counts(material: Material, budget: Budget) -> Iterator[Finding]:
    """Streams of another length than the others, or shifted against them."""
    fixed = anchor(material)
    name, lines = material.streams[fixed]
    others = [line or "" for line in lines]
    for number, (other, own) in enumerate(material.streams):
        if number == fixed:
            continue
        found = path([line or "" for line in own], others, budget)
        if len(own) == len(lines) and found is None:
            continue
        parting = None if found is None else found.first_parting
        yield Finding(
            "line-counts" if len(own) != len(lines) else "shifted",
            ERROR if len(own) != len(lines) else WARNING,
            _parting_in_words(other, len(own), name, len(lines), parting),
            (_parting_place(other, own, parting), _parting_place(name, lines, parting)),
            remedy=None if found is None else Remedy.of(f"realign:{number}"),
        )


def _parting_place(name: str, lines: Lines, parting: int | None) -> Place:
    """The line of a stream where it parts from another: its last one where it ends before that."""
    if parting is None or not lines:
        return Place(name)
    index = min(parting, len(lines) - 1)
    text = lines[index] or ""
    cut = text if len(text) <= CLIPPED_AT else text[: CLIPPED_AT - 1] + "…"
    return Place(name, (index + 1,), 1, cut, is_last=index < parting)


def _parting_in_words(own: str, lines: int, other: str, others: int, parting: int | None) -> str:
    if lines == others and parting is not None:
        return (
            f"{own} and {other} both have {counted(lines)}, but they seem to part at line"
            f" {parting + 1:,} and to meet again further down: one line is lacking and another is"
            " too many. Look at that line in both."
        )
    counts = f"{own} has {counted(lines)}, {other} has {counted(others)}."
    if parting is None:
        return f"{counts} They are too unlike to say where they part. Are they of the same text?"
    if parting == min(lines, others):
        longer = other if others > lines else own
        return (
            f"{counts} They go together up to the end of the shorter one; {longer} goes on from"
            f" line {parting + 1:,}. Add what is lacking, or cut the rest off."
        )
    return (
        f"{counts} The first place where they seem to part is line {parting + 1:,}. Look at that"
        " line in both."
    )


def swapped(material: Material, _: Budget) -> Iterator[Finding]:
    """Hypotheses and references that their names, or tabs, say are the other way round."""
    systems, references = material.systems, material.references
    by_name = all(role_by_name(system.name) == "reference" for system in systems) and not any(
        role_by_name(reference.name) == "reference" for reference in references
    )
    by_tabs = all(
        2 * len(numbers(each.hypotheses, has_tab)) > len(each.hypotheses) for each in systems
    ) and not any(numbers(each.lines, has_tab) for each in references)
    if by_name or by_tabs:
        why = (
            "The file given as hypotheses is named as references are, and the other is not."
            if by_name
            else "The lines given as hypotheses hold tabs, as files of several references do."
        )
        yield Finding(
            "swapped",
            WARNING,
            f"{why} If they are the wrong way round, swap them: the length penalty and most"
            " metrics depend on which is which.",
            tuple(Place(name) for name, _lines in material.streams[:SHOWN]),
            remedy=Remedy.of("swap"),
        )


def source_exchanged(material: Material, budget: Budget) -> Iterator[Finding]:
    """Sources and references in each other's place, as the columns of a table easily are."""
    sources, systems = material.sources or (), material.systems
    # A good system writes many a short line as the reference has it; nearly all are a copy.
    if len(sources) < FEW or any(
        _share_of_equal(each.hypotheses, sources) >= ALMOST_ALL for each in systems
    ):
        return
    references = [reference.lines for reference in material.references]
    if all(_is_of_source(each.hypotheses, sources, references, budget) for each in systems):
        yield Finding(
            "source-exchanged",
            WARNING,
            "The hypotheses share far more words with the source than with the reference. If the"
            " two are in each other’s place, as columns of a table easily are, exchange them; if"
            " they are not, the output is hardly translated.",
            remedy=Remedy.of("exchange") if len(references) == 1 else None,
        )


def _is_of_source(
    hypotheses: Lines, sources: Lines, references: Sequence[Lines], budget: Budget
) -> bool:
    """Whether hypotheses resemble the source, and no reference by far as much.

    A translation resembles another one by 0.4 and more on the real sets that the tests keep, and a
    text in another language hardly at all; related languages share some words, and a text that is
    only made simpler many with both.
    """
    # A few hundred segments tell as much as all.
    step = max(1, len(hypotheses) // RESEMBLING)
    own = hypotheses[::step]
    with_source = _resemblance(own, sources[::step], budget)
    least_gap = 0.35 if len(own) < FEW_TO_LEAN_ON else 0.2
    return all(
        with_source > 2.5 * alike and with_source - alike > least_gap
        for alike in (_resemblance(own, lines[::step], budget) for lines in references)
    )


def _resemblance(first: Lines, second: Lines, budget: Budget) -> float:
    common = min(len(first), len(second))
    budget.spend(20 * common)
    alike = Resemblance(
        [line or "" for line in first[:common]], [line or "" for line in second[:common]]
    )
    return sum(alike.of(index, index) for index in range(common)) / max(common, 1)


def same_texts(material: Material, _: Budget) -> Iterator[Finding]:
    """Streams that are the same as another one, or as the source."""
    streams, systems = material.streams, len(material.systems)
    for (name, lines), (second, others) in combinations(streams, 2):
        share = _share_of_equal(lines, others)
        if share < ALMOST_ALL:
            continue
        yield Finding(
            "identical",
            WARNING,
            f"{name} and {second} are the same in {_per_cent(share)} of the lines. Was one file"
            " chosen twice?",
            (Place(name), Place(second)),
        )
    for number, (name, lines) in enumerate(streams):
        share = _share_of_equal(lines, material.sources or ())
        if share >= 0.5:
            kind = "hypotheses" if number < systems else "references"
            yield Finding(
                "same-as-source",
                WARNING,
                f"{name} is the same as the source in {_per_cent(share)} of the lines: these"
                f" {kind} look untranslated, or the source was chosen in their place.",
                (Place(name),),
            )


def _share_of_equal(first: Lines, second: Lines) -> float:
    if len(first) != len(second) or len(first) < FEW:
        return 0.0
    equal = sum(one == other for one, other in zip(first, second, strict=True) if one)
    return equal / len(first)


def _per_cent(share: float) -> str:
    return f"{100 * share:.0f} %"
