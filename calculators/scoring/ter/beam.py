"""The edit distance inside a beam, as sacreBLEU's TER computes it.

Row i of the dynamic programme (hypothesis word i) holds only the columns (reference words) near
the diagonal; every other cell counts as infinite. The beam is part of what TER *is* in that tool:
where the best path leaves the beam, the distance found is larger.

Inside the beam neighbouring cells still differ by -1, 0 or +1, so a row is again two integers
of one bit a column (Myers 1999, Hyyro 2003), here only as wide as the beam. ``base`` is the
column before the first bit: column 0, or the one just left of the beam.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ..budget import Budget
from ..edits import DELETION, INSERTION, MATCH, SUBSTITUTION

BEAM_WIDTH = 25  # columns to either side of the diagonal, tercom's and sacreBLEU's
_STEPS_A_ROW = 120


def beam_holds(rows: int, columns: int, distance: int) -> bool:
    """Whether the beam surely gives the unlimited ``distance``, and the same operations.

    Up to 24 columns the beam is the whole row. Otherwise let f = columns - rows. A path through
    a cell e columns right of its row number costs at least |e| + |f - e|, and the diagonal is 0
    to f right of it. So a path that leaves the beam, 25 columns off the diagonal, costs
    50 - |f| at least, and if distance + |f| <= 49 every path of that cost stays inside. With all
    the best paths inside, so is the one that the tie-breaks choose.
    """
    return columns < BEAM_WIDTH or distance + abs(columns - rows) < 2 * BEAM_WIDTH


@dataclass(frozen=True, slots=True)
class _Window:
    """The part of one row that the beam lets through."""

    first: int  # column, may be 0
    end: int  # the column after the last
    base: int  # the column before the first bit
    step: int  # columns by which the base moved from the row above
    added: int  # bits of the columns that the row above does not reach
    open: int  # bits of the columns that can be reached by a match
    whole: int  # all bits


# A row: where D[i][j] - D[i][j-1] is +1, where it is -1, and D[i][base].
_Row = tuple[int, int, int]
# Where D[i][j] = D[i-1][j-1], and where D[i][j] = D[i-1][j] + 1.
_Back = tuple[int, int]


@dataclass(frozen=True, slots=True)
class BeamRun:
    """The beam's rows for one text, kept so that a text changed in one place can reuse them."""

    distance: int
    rows: list[_Row]  # rows 0 to len(text)
    back: list[_Back]  # rows 1 to len(text)


@dataclass(frozen=True, slots=True)
class Beam:
    """The dynamic programme against one reference for hypotheses of one length, at least 1."""

    reference: str
    masks: Mapping[str, int]  # a symbol's positions in the reference, bit j for position j
    windows: list[_Window]  # rows 1 to the hypothesis's length
    budget: Budget

    @classmethod
    def of(cls, rows: int, reference: str, masks: Mapping[str, int], budget: Budget) -> Beam:
        """The beam for hypotheses of ``rows`` words."""
        budget.spend(_STEPS_A_ROW * rows)
        return cls(reference, masks, _windows(rows, len(reference)), budget)

    def run(self, text: str) -> BeamRun:
        """All rows for ``text``."""
        self.budget.spend(_STEPS_A_ROW * len(text))
        # Row 0 is D[0][j] = j in every column, inside the beam or not.
        row = (-1, 0, 0)
        rows, backs = [row], []
        for word, window in zip(text, self.windows, strict=True):
            row, back = self._next(row, word, window)
            rows.append(row)
            backs.append(back)
        return BeamRun(_last_cell(row), rows, backs)

    def distance_if_below(
        self, limit: int, text: str, known: BeamRun, first: int, last: int
    ) -> int | None:
        """The distance of ``text``, or None where it is ``limit`` or more.

        ``text`` is the text of ``known`` but for the words from ``first`` to before ``last``.
        From the first row that is as it was in ``known``, differences only, all that follows is
        as it was. Before that: what lies between a cell of a row and the end is the same for
        both texts once the changed words are passed, so the distance cannot fall by more than
        the most that any cell of that row fell.
        """
        row = known.rows[first]
        length = len(text)
        for index in range(first, length):
            if (index - first) % 32 == 0:
                self.budget.spend(_STEPS_A_ROW * min(32, length - index))
            row, _ = self._next(row, text[index], self.windows[index])
            if index + 1 < last:
                continue
            former = known.rows[index + 1]
            if row[0] == former[0] and row[1] == former[1]:
                distance = known.distance + row[2] - former[2]
                return distance if distance < limit else None
            if (index + 1 - last) % 32 == 0 and known.distance + _least_rise(
                former, row, self.windows[index]
            ) >= limit:
                return None
        distance = _last_cell(row)
        return distance if distance < limit else None

    def _next(self, row: _Row, word: str, window: _Window) -> tuple[_Row, _Back]:
        """The row below ``row``, for ``word``.

        Three things keep infinite cells out though every cell here has a number. A column that
        the row above does not reach is taken to go on by +1 there, and may not match from
        there. The column left of the beam is taken to grow by 1 a row, and the first column may
        not match from it where the row above does not reach it. No path through such a cell is
        then shorter than one inside; ``operations`` settles the ties.
        """
        up, down, corner = row
        step, whole = window.step, window.whole
        if step:
            passed = (1 << step) - 1
            corner += (up & passed).bit_count() - (down & passed).bit_count()
            up >>= step
            down >>= step
        up = (up | window.added) & whole
        equal = self.masks.get(word, 0) >> window.base & window.open
        # As in the whole programme: see edits.
        diagonal = ((((equal & up) + up) ^ up) | equal | down) & whole
        longer = down | (whole ^ (diagonal | up))
        shorter = (diagonal & up) << 1
        grown = longer << 1 | 1
        return ((shorter | ~(diagonal | grown)) & whole, grown & diagonal, corner + 1), (
            diagonal,
            longer,
        )

    def operations(self, text: str, run: BeamRun) -> str:
        """The operations of the alignment that the beam finds, by the tie-breaks of TER."""
        row, column = len(text), len(self.reference)
        taken: list[str] = []
        while row and column:
            operation = self._operation(text[row - 1], row, column, run.back[row - 1])
            taken.append(operation)
            row -= operation != INSERTION
            column -= operation != DELETION
        return DELETION * row + INSERTION * column + "".join(reversed(taken))

    def _operation(self, word: str, row: int, column: int, back: _Back) -> str:
        window = self.windows[row - 1]
        above_first, above_end = 0, len(self.reference) + 1
        if row > 1:
            above_first, above_end = self.windows[row - 2].first, self.windows[row - 2].end
        if column > above_end:
            return INSERTION  # only from the left: the row above ends before
        if column == above_first:
            return DELETION  # only from above: the beam begins here in both rows
        if word == self.reference[column - 1]:
            return MATCH
        diagonal, longer = back
        bit = 1 << (column - 1 - window.base)
        if not diagonal & bit:
            return SUBSTITUTION
        return DELETION if longer & bit else INSERTION


def _last_cell(row: _Row) -> int:
    up, down, corner = row
    return corner + up.bit_count() - down.bit_count()


def _least_rise(former: _Row, row: _Row, window: _Window) -> int:
    """The least difference between the cells of ``row`` and those of ``former``."""
    rise = least = row[2] - former[2]
    changed = ((row[0] ^ former[0]) | (row[1] ^ former[1])) & window.whole
    while changed:
        bit = changed & -changed
        changed ^= bit
        rise += bool(row[0] & bit) - bool(row[1] & bit)
        rise -= bool(former[0] & bit) - bool(former[1] & bit)
        least = min(least, rise)
    return least


def _windows(rows: int, columns: int) -> list[_Window]:
    """The windows of rows 1 to ``rows``."""
    # The quotient is a float in sacreBLEU, and 49 * (1 / 49) is below 1: so it is here.
    ratio = columns / rows
    width = math.ceil(ratio / 2 + BEAM_WIDTH) if ratio / 2 > BEAM_WIDTH else BEAM_WIDTH
    windows: list[_Window] = []
    above_first, above_end, above_base = 0, columns + 1, 0
    for row in range(1, rows + 1):
        middle = math.floor(row * ratio)
        first = max(0, middle - width)
        # The last row goes on to the end, however far that is.
        end = columns + 1 if row == rows else min(columns + 1, middle + width)
        base = max(first, 1) - 1
        whole = (1 << (end - 1 - base)) - 1
        reached = (1 << max(0, min(end - 1, above_end) - base)) - 1
        blocked = first > 0 and first == above_first
        windows.append(
            _Window(
                first=first,
                end=end,
                base=base,
                step=base - above_base,
                added=whole & ~((1 << max(0, above_end - 1 - base)) - 1),
                open=reached & ~1 if blocked else reached,
                whole=whole,
            )
        )
        above_first, above_end, above_base = first, end, base
    return windows
