"""Edit distance and alignment of two sequences.

A pair of sequences is compared as two strings of *symbols*, one character a word. Strings are
what RapidFuzz reads fastest and what Python slices, joins, counts and hashes fastest.

The operations of an alignment are a string too, one letter a column: ``=`` a match, ``S`` a
substitution, ``I`` a reference word to be put into the hypothesis, ``D`` a hypothesis word that
must go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rapidfuzz.distance import Levenshtein

from .budget import Budget
from .corpus import ScoringError

MATCH, SUBSTITUTION, INSERTION, DELETION = "=", "S", "I", "D"

_UNKNOWN = "\0"  # every word that only the hypothesis has: such words match nothing
_MOST_WORDS = 0x10FFFF


def symbols(hypothesis: Sequence[str], reference: Sequence[str]) -> tuple[str, str]:
    """Both sequences as strings with one character a word, the same for equal words.

    All words that only the hypothesis has share one character. That changes no comparison
    between the two sides and keeps the strings in one byte a word for all but long texts.
    """
    distinct = dict.fromkeys(reference)
    if len(distinct) > _MOST_WORDS:
        raise ScoringError("A reference has too many different words to be compared.", "references")
    numbers = dict(zip(distinct, map(chr, range(1, len(distinct) + 1)), strict=True))
    known = numbers.get
    return (
        "".join([known(word, _UNKNOWN) for word in hypothesis]),
        "".join([numbers[word] for word in reference]),
    )


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


def positions_of(text: str) -> dict[str, list[int]]:
    """Where each symbol stands in ``text``, in ascending order."""
    found: dict[str, list[int]] = {}
    for position, symbol in enumerate(text):
        found.setdefault(symbol, []).append(position)
    return found


def bit_masks(text: str) -> dict[str, int]:
    """Each symbol's positions as an integer, bit j for position j."""
    masks = dict.fromkeys(text, 0)
    for position, symbol in enumerate(text):
        masks[symbol] |= 1 << position
    return masks


def operations(hypothesis: str, reference: str, masks: Mapping[str, int], budget: Budget) -> str:
    """The operations of the alignment with the fewest edits, by the tie-breaks of TER.

    ``masks`` are the reference's.

    Read from the end, a step is a match where the words are equal, else a substitution where
    one is among the fewest edits, else a deletion, else an insertion.

    A row of the dynamic programme is kept as integers of one bit a column (Myers 1999, in the
    form of Hyyro 2003), which Python computes whole. A common end is a run of matches by the
    rule above and needs no row. A common *beginning* cannot be cut off: a tie may lead past it.
    The rows take rows x columns / 4 bytes; for long texts see ``beam``.
    """
    shared = _common_end(hypothesis, reference)
    row, column = len(hypothesis) - shared, len(reference) - shared
    budget.spend(row * (100 + column // 4))
    rows = _bit_rows(hypothesis[:row], masks, column)
    taken: list[str] = []
    while row and column:
        diagonal, longer = rows[row - 1]
        bit = 1 << column - 1
        if hypothesis[row - 1] == reference[column - 1]:
            taken.append(MATCH)
        elif not diagonal & bit:
            taken.append(SUBSTITUTION)
        elif longer & bit:
            taken.append(DELETION)
            row -= 1
            continue
        else:
            taken.append(INSERTION)
            column -= 1
            continue
        row -= 1
        column -= 1
    return DELETION * row + INSERTION * column + "".join(reversed(taken)) + MATCH * shared


def _common_end(hypothesis: str, reference: str) -> int:
    limit = min(len(hypothesis), len(reference))
    for length in range(limit):
        if hypothesis[-1 - length] != reference[-1 - length]:
            return length
    return limit


def _bit_rows(hypothesis: str, masks: Mapping[str, int], columns: int) -> list[tuple[int, int]]:
    """Of every row i where D[i][j] = D[i-1][j-1], and where D[i][j] = D[i-1][j] + 1."""
    whole = (1 << columns) - 1
    # Where D[i][j] - D[i][j-1] is +1, and where it is -1.
    up, down = whole, 0
    rows: list[tuple[int, int]] = []
    for word in hypothesis:
        equal = masks.get(word, 0)
        # Hyyro (2003), figure 3: D0, HP and HN there, with "vertical" along the reference.
        diagonal = ((((equal & up) + up) ^ up) | equal | down) & whole
        longer = down | (whole ^ (diagonal | up))
        shorter = (diagonal & up) << 1
        rows.append((diagonal, longer))
        # Column 0 grows by one each row, hence the 1 that is shifted in.
        grown = longer << 1 | 1
        up = (shorter | ~(diagonal | grown)) & whole
        down = grown & diagonal
    return rows


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
