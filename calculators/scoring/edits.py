"""Edit distance and alignment of two sequences.

A pair of sequences is compared as two strings of *symbols*, one character a word. Strings are
what RapidFuzz reads fastest and what Python slices, joins, counts and hashes fastest.

The operations of an alignment are a string too, one letter a column: ``=`` a match, ``S`` a
substitution, ``I`` a reference word to be put into the hypothesis, ``D`` a hypothesis word that
must go.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein

from .budget import Budget
from .corpus import ScoringError

Integers = npt.NDArray[np.int64]

MATCH, SUBSTITUTION, INSERTION, DELETION = "=", "S", "I", "D"

_UNKNOWN = "\0"  # every word that only the hypothesis has: such words match nothing
_MOST_WORDS = 0x10FFFF
_TOO_MANY = "There are too many different words to be compared."


def symbols(hypothesis: Sequence[str], reference: Sequence[str]) -> tuple[str, str]:
    """Both sequences as strings with one character a word, the same for equal words.

    All words that only the hypothesis has share one character. That changes no comparison
    between the two sides and keeps the strings in one byte a word for all but long texts.
    """
    distinct = dict.fromkeys(reference)
    if len(distinct) > _MOST_WORDS:
        raise ScoringError(_TOO_MANY, "references")
    numbers = dict(zip(distinct, map(chr, range(1, len(distinct) + 1)), strict=True))
    known = numbers.get
    return (
        "".join([known(word, _UNKNOWN) for word in hypothesis]),
        "".join([numbers[word] for word in reference]),
    )


def written(codes: Integers) -> list[str]:
    """Several texts as strings of symbols: ``codes`` are their words' numbers, with a 0 after each.

    In numbers below 256 a text takes one byte a word, and Python has these characters ready.
    """
    if codes.max(initial=0) > _MOST_WORDS:
        raise ScoringError(_TOO_MANY, "references")
    together = codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    return together.split("\0")[:-1]


def edit_distance(hypothesis: str, reference: str, budget: Budget) -> int:
    """The fewest insertions, deletions and substitutions between two strings of symbols."""
    budget.spend(cost_of_distance(len(hypothesis), len(reference)))
    return Levenshtein.distance(hypothesis, reference)


def cost_of_distance(rows: int, columns: int) -> int:
    """The steps of one distance: RapidFuzz does 64 columns of a row at once."""
    return 40 + rows * (columns // 64 + 1) // 8


def words_in_common(hypothesis: str, reference: str) -> int:
    """The size of the intersection of the two as bags of words."""
    shared = set(hypothesis).intersection(reference)
    return sum([min(hypothesis.count(word), reference.count(word)) for word in shared])


def bit_masks(text: str) -> dict[str, int]:
    """Each symbol's positions as an integer, bit j for position j."""
    masks = dict.fromkeys(text, 0)
    for position, symbol in enumerate(text):
        masks[symbol] |= 1 << position
    return masks


def operations(hypothesis: str, reference: str, distance: int, budget: Budget) -> str:
    """The operations of the alignment with the fewest edits, by the tie-breaks of TER.

    ``distance`` is the edit distance. Read from the end, a step is a match where the words are
    equal, else a substitution where one is among the fewest edits, else a deletion, else an
    insertion. Which of them is among the fewest, the distance of what stands before it tells: it
    is less by that one edit. To ask for it costs less than the table of all distances, since
    there are few edits to ask about and RapidFuzz answers each question in compiled code.
    """
    row, column = len(hypothesis), len(reference)
    budget.spend(row + column + distance * cost_of_distance(row, column))
    taken: list[str] = []
    while row and column:
        if hypothesis[row - 1] == reference[column - 1]:
            taken.append(MATCH)
            row -= 1
            column -= 1
            continue
        distance -= 1
        before = hypothesis[: row - 1]
        if Levenshtein.distance(before, reference[: column - 1]) == distance:
            taken.append(SUBSTITUTION)
            row -= 1
            column -= 1
        elif Levenshtein.distance(before, reference[:column]) == distance:
            taken.append(DELETION)
            row -= 1
        else:
            taken.append(INSERTION)
            column -= 1
    return DELETION * row + INSERTION * column + "".join(reversed(taken))


_LETTERS = {"equal": MATCH, "replace": SUBSTITUTION, "delete": INSERTION, "insert": DELETION}


def plain_operations(hypothesis: str, reference: str, budget: Budget) -> str:
    """The operations of an alignment with the fewest edits, by the tie-breaks of RapidFuzz.

    They are those that jiwer shows. They differ from ``operations`` in ties only, and serve
    where no search for shifts hangs on them.
    """
    budget.spend(4 * cost_of_distance(len(hypothesis), len(reference)))
    return "".join(
        _LETTERS[part.tag] * max(part.src_end - part.src_start, part.dest_end - part.dest_start)
        for part in Levenshtein.opcodes(reference, hypothesis)
    )
