"""The edits of TER one by one: from the hypothesis to the reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeVar

from ..edits import DELETION, INSERTION, SUBSTITUTION
from ..explain import Edit, Player, Quote, State
from .counts import TerTrace
from .shifts import Move

Word = TypeVar("Word")

MOST_PLAYED_WORDS = 4_000  # in all states together: what a page still shows fast
LONGEST_WHOLE = 40  # words: a longer text is shown around its edit alone
AROUND = 8  # words on either side of it

SHIFT = "Sh"
CAPTION = "One edit at a time: shifts, then substitutions, insertions and deletions."


def player(trace: TerTrace) -> tuple[Player, ...]:
    """The text after each edit, shifts first; nothing where there is no edit."""
    edits = trace.counts.edits
    if not edits:
        return ()
    longest = max(1, len(trace.hypothesis), len(trace.best.words))
    states, caption = _states(trace), CAPTION
    if longest > LONGEST_WHOLE:
        states = map(_near, states)
        caption = f"{CAPTION} Each is shown with {AROUND} words on either side."
        longest = 2 * AROUND + 1
    shown = min(edits + 1, MOST_PLAYED_WORDS // longest)
    return (
        Player(
            "From the hypothesis to the reference",
            caption,
            tuple(islice(states, shown)),
            omitted=edits + 1 - shown,
        ),
    )


def _near(state: State) -> State:
    """``state`` with the words around its edit; of the first state, before any edit, the start."""
    first = max(0, state.start - AROUND)
    last = min(len(state.words), state.start + state.length + AROUND)
    return replace(
        state,
        words=state.words[first:last],
        start=state.start - first,
        skipped=(first, len(state.words) - last),
    )


def _states(trace: TerTrace) -> Iterator[State]:
    yield State("", ("The hypothesis, prepared.",), trace.hypothesis)
    yield from _shifted(trace)
    yield from _edited(trace)


def _shifted(trace: TerTrace) -> Iterator[State]:
    words: Sequence[str] = trace.hypothesis
    for move in trace.best.outcome.moves:
        block = " ".join(words[move.start : move.start + move.length])
        words, target = moved(words, move), landing(move)
        way = "later" if target > move.start else "earlier"
        distance = abs(target - move.start)
        told = f" {distance:,} {'word' if distance == 1 else 'words'} {way}."
        yield State(SHIFT, ("Move ", Quote(block), told), tuple(words), target, move.length)


def _edited(trace: TerTrace) -> Iterator[State]:
    """The states after the shifts: column by column of the alignment, one operation at a time."""
    columns = list(edits_of(trace))
    words = [column.hypothesis for column in columns]
    for operation in (SUBSTITUTION, INSERTION, DELETION):
        for place, column in enumerate(columns):
            if column.operation != operation:
                continue
            words[place] = column.reference
            text = tuple(word for word in words if word is not None)
            start = sum(word is not None for word in words[:place])
            gone = () if column.hypothesis is None else (column.hypothesis,)
            length = 0 if column.reference is None else 1
            yield State(operation, _told(column), text, start, length, gone)


def _told(edit: Edit) -> tuple[str | Quote, ...]:
    wrong, right = Quote(edit.hypothesis or ""), Quote(edit.reference or "")
    if edit.operation == SUBSTITUTION:
        return ("Replace ", wrong, " by ", right, ".")
    if edit.operation == INSERTION:
        return ("Put in ", right, ".")
    return ("Take out ", wrong, ".")


def edits_of(trace: TerTrace) -> Iterator[Edit]:
    """The alignment to the best reference, column by column."""
    words = [(word, False) for word in trace.hypothesis]
    for move in trace.best.outcome.moves:
        block = range(move.start, move.start + move.length)
        words = [(word, was or at in block) for at, (word, was) in enumerate(words)]
        words = moved(words, move)
    hypothesis, reference = iter(words), iter(trace.best.words)
    for operation in trace.best.steps:
        word, shifted = (None, False) if operation == INSERTION else next(hypothesis)
        target = None if operation == DELETION else next(reference)
        yield Edit(operation, word, target, shifted)


def moved(words: Sequence[Word], move: Move) -> list[Word]:
    """``words`` after a shift."""
    first, middle, last = move.swapped
    return [*words[:first], *words[middle:last], *words[first:middle], *words[last:]]


def landing(move: Move) -> int:
    """Where the block of a shift stands after it, from 0."""
    first, middle, last = move.swapped
    # A block that goes right lands behind what comes left in exchange for it.
    return first if middle == move.start else first + last - middle
