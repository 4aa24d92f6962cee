"""The counts of one metric over one system's segments, as columns of numbers.

Resampling works on the columns; a page carries them, so that what was measured once is not
measured again; and any segment's ``Counts`` can be had back from them, exactly.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..scoring import AnyMetric, Budget, Corpus
from ..scoring.metric import Counts

Matrix = NDArray[np.float64]  # a row a segment, a column a number of Counts.row()

# Of a column of whole numbers, the narrowest that holds it.
_WHOLE_TYPES = ("i1", "<i2", "<i4", "<i8")
_FRACTIONS = "<f8"


@dataclass(frozen=True)
class CountTable:
    """The counts of every segment. Whole numbers are exact below 2**53."""

    like: Counts  # of the same shape as every row
    matrix: Matrix
    whole: tuple[bool, ...]  # a column: whether all of its numbers are whole numbers

    @classmethod
    def of(cls, counts: Sequence[Counts]) -> CountTable:
        """The table of one or more counts."""
        rows = [each.row() for each in counts]
        whole = tuple(all(isinstance(n, int) for n in column) for column in zip(*rows, strict=True))
        return cls(counts[0], np.array(rows, dtype=np.float64), whole)

    def __len__(self) -> int:
        return len(self.matrix)

    def __getitem__(self, index: int) -> Counts:
        return self.counts_of(self.matrix[index])

    def counts_of(self, row: Matrix) -> Counts:
        """The counts that hold the numbers of a row, such as a sum of rows."""
        pairs = zip(row.tolist(), self.whole, strict=True)
        return self.like.with_row(
            [round(number) if is_whole else number for number, is_whole in pairs]
        )

    def all(self) -> tuple[Counts, ...]:
        """The counts of every segment, in order."""
        return tuple(self.counts_of(row) for row in self.matrix)

    def total(self, indexes: Sequence[int] | None = None) -> Counts:
        """The sum over all segments, or over those at ``indexes``; the same to the last bit as
        ``Counts.total`` gives."""
        rows = self.matrix if indexes is None else self.matrix[list(indexes)]
        return self.like.with_row(
            [
                int(column.sum()) if is_whole else math.fsum(column.tolist())
                for column, is_whole in zip(rows.T, self.whole, strict=True)
            ]
        )

    # To be carried

    def written(self) -> tuple[str, bytes]:
        """The type of each column, and the columns one after the other."""
        columns = [
            np.ascontiguousarray(column.astype(_narrowest(column) if is_whole else _FRACTIONS))
            for column, is_whole in zip(self.matrix.T, self.whole, strict=True)
        ]
        types = ",".join(column.dtype.str.lstrip("|<=") for column in columns)
        return types, b"".join(column.tobytes() for column in columns)

    @classmethod
    def read(cls, like: Counts, types: str, data: bytes, segments: int) -> CountTable:
        """The table that was ``written``; ``ValueError`` where the bytes are not of one."""
        columns, place = [], 0
        for kind in types.split(","):
            column = np.frombuffer(data, np.dtype(f"<{kind}"), segments, place)
            place += column.nbytes
            columns.append(column.astype(np.float64))
        if place != len(data) or len(columns) != len(like.row()):
            raise ValueError("these are not the columns of a table of counts")
        whole = tuple(kind.startswith("i") for kind in types.split(","))
        return cls(like, np.column_stack(columns), whole)


def _narrowest(column: Matrix) -> str:
    greatest = float(np.abs(column).max(initial=0))
    return next(t for t in _WHOLE_TYPES if greatest <= np.iinfo(np.dtype(t)).max)


def shape_of(metric: AnyMetric, options: Any) -> Counts:
    """Counts of the shape that every segment's have under ``options``."""
    corpus, budget = Corpus.of("a", ["a"]), Budget.unlimited()
    prepared = metric.prepare(corpus, options, budget)
    counts: Iterable[Counts] = metric.measure(prepared, corpus.segments, budget)
    return next(iter(counts))
