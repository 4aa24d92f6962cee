"""The gate's tables as a terminal shows them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from ..scoring.gate import Judgement

LONGEST_ID = 40  # columns of the terminal

ORDERS = ("p1", "p2", "p3", "p4")
COMPARED = ("Item", *ORDERS, "BP", "Raw", "Smoothed")
JUDGED = (*COMPARED, "Structure", "Overall", "Verdict")


def compared(judgements: Sequence[Judgement]) -> list[str]:
    """A row an item with precisions, brevity penalty, raw and smoothed BLEU."""
    return _aligned([COMPARED, *map(_compared, judgements)])


def judged(judgements: Sequence[Judgement], threshold: float) -> list[str]:
    """The same with structure, overall and verdict; below it why items failed, and how many."""
    rows = [(*_compared(judgement), *_judged(judgement)) for judgement in judgements]
    passed = sum(judgement.passed for judgement in judgements)
    items = f"{len(judgements):,} item{'' if len(judgements) == 1 else 's'}"
    remarks = [remark for judgement in judgements for remark in _remarks(judgement)]
    return [
        *_aligned([JUDGED, *rows]),
        "",
        *remarks,
        f"{passed:,} of {items} passed (threshold {threshold:g}).",
    ]


def _compared(judgement: Judgement) -> tuple[str, ...]:
    scores = (judgement.brevity_penalty, judgement.raw, judgement.smoothed)
    figures = (*judgement.precisions, *scores)
    return (printable_id(judgement.item.id), *(f"{figure:.2f}" for figure in figures))


def _judged(judgement: Judgement) -> tuple[str, str, str]:
    return f"{judgement.structure:.2f}", f"{judgement.overall:.4f}", judgement.verdict


def _remarks(judgement: Judgement) -> Iterator[str]:
    name = printable_id(judgement.item.id)
    for reason in judgement.reasons:
        yield f"{name}: {reason}"
    for warning in judgement.warnings:
        yield f"{name}: warning: {warning}"


def printable_id(id: str) -> str:
    """An id that fits a row, with what could steer the terminal written out."""
    shown = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in id)
    if _width(shown) <= LONGEST_ID:
        return shown
    while _width(shown) >= LONGEST_ID:
        shown = shown[:-1]
    return shown + "…"


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns of one width: names to the left, figures and verdicts to the right."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(_padded(row, widths)) for row in rows]


def _padded(row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    for place, (cell, width) in enumerate(zip(row, widths, strict=True)):
        space = " " * (width - _width(cell))
        yield space + cell if place else cell + space


def _width(text: str) -> int:
    """The columns that a terminal gives ``text``: two for the wide characters of East Asia."""
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
