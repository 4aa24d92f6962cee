"""Where two files that should go line by line part, found by what the lines say."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from ..scoring import Budget

WINDOW = 16  # lines over which resemblance is averaged, so that one free translation says nothing
MARGIN = 5  # lines by which the files may be apart beyond what their lengths tell
MAX_CELLS = 400_000  # pairs of lines compared at most: about a second
SKIP_COST = 0.3  # of leaving a line without a partner; a perfect pair is worth 1
# Of the usual resemblance; a stretch below it is bad. On the real sets that the tests keep, with
# this window, the worst stretch of partners has 0.44 of it or more and the best of strangers 0.35.
GOOD = 0.4
GAIN = 0.3  # of resemblance, at least, for a line to count as found elsewhere
LEAST_SHIFTED = 4  # lines; fewer, in files of one length, are sentences that a translator moved
LEAST_RESEMBLANCE = 0.08  # on average; below it the files say nothing about each other

_WORD = re.compile(r"\w+")
_FIRST_UNSPACED = "\u0e00"  # Thai; from here on most scripts write no spaces between words


@dataclass(frozen=True, slots=True)
class Path:
    """How the lines of two files pair up: what stands in only one of them, from 0.

    ``together`` is for every line of the first file the line of the second, or None.
    """

    together: tuple[int | None, ...]
    second: int  # lines of the second file

    @property
    def first_parting(self) -> int | None:
        """The first line, from 0, where a line of one file lacks its partner."""
        expected = 0
        for index, partner in enumerate(self.together):
            if partner != expected:
                return index
            expected += 1
        return expected if expected < self.second else None


class Resemblance:
    """How alike lines of two files are, 0 to 1: shared words, rare ones weighing more."""

    def __init__(self, first: Sequence[str], second: Sequence[str]) -> None:
        self._first = [_words(line) for line in first]
        self._second = [_words(line) for line in second]
        seen = Counter(chain.from_iterable((*self._first, *self._second)))
        every = len(first) + len(second) + 1
        self._weights = {word: math.log(every / count) for word, count in seen.items()}
        self._first_sums = [self._sum(words) for words in self._first]
        self._second_sums = [self._sum(words) for words in self._second]

    def of(self, first: int, second: int) -> float:
        """The weight that both lines share, of that of the heavier one."""
        heavier = max(self._first_sums[first], self._second_sums[second])
        if not heavier:
            return 0.5  # two lines without a word: neither alike nor unlike
        return self._sum(self._first[first] & self._second[second]) / heavier

    def of_two(self, first: int, second: int) -> float:
        """The resemblance of a line and the next one, joined, to a line of the second file."""
        joined = self._first[first] | self._first[first + 1]
        heavier = max(self._sum(joined), self._second_sums[second])
        return self._sum(joined & self._second[second]) / heavier if heavier else 0.5

    def _sum(self, words: Iterable[str]) -> float:
        return sum(map(self._weights.__getitem__, words))


def _words(line: str) -> frozenset[str]:
    words = _WORD.findall(line.lower())
    if max(line, default="") < _FIRST_UNSPACED:
        return frozenset(words)
    apart: set[str] = set()
    for word in words:
        apart.update(word if max(word) >= _FIRST_UNSPACED else (word,))
    return frozenset(apart)


def path(first: Sequence[str], second: Sequence[str], budget: Budget) -> Path | None:
    """How the lines pair up, where the files do not simply go line by line.

    None where they do, and where the two are too unlike or too far apart to say.
    """
    common = min(len(first), len(second))
    if not common:
        return None
    budget.spend(20 * (len(first) + len(second)))
    alike = Resemblance(first, second)
    straight = [alike.of(index, index) for index in range(common)]
    from_end = (
        straight[::-1]
        if len(first) == len(second)
        else [alike.of(len(first) - n, len(second) - n) for n in range(1, common + 1)]
    )
    usual = max(_upper_quartile(straight), _upper_quartile(from_end))
    if usual < LEAST_RESEMBLANCE:
        return None
    start = _length_of_good(straight, usual)
    end = max(0, min(_length_of_good(from_end, usual), common - start) - WINDOW)
    if start == common:
        if len(first) == len(second):
            return None
        start = max(0, common - 2 * WINDOW)  # the files part near the end of the shorter one
    found = _aligned(_Box(start, len(first) - end, len(second) - end), alike, budget)
    if found is None:
        return None
    whole = (*range(start), *found, *range(len(second) - end, len(second)))
    return _if_better(Path(whole, len(second)), straight, alike)


def _upper_quartile(values: Sequence[float]) -> float:
    means = sorted(_means(values))
    return means[len(means) * 3 // 4]


def _means(values: Sequence[float]) -> Iterable[float]:
    """The mean of every stretch of ``WINDOW`` values."""
    width = min(WINDOW, len(values))
    total = sum(values[:width])
    yield total / width
    for index in range(width, len(values)):
        total += values[index] - values[index - width]
        yield total / width


def _length_of_good(values: Sequence[float], usual: float) -> int:
    """How many values from the start are surely as high as usual: all, or up to a bad stretch."""
    for index, mean in enumerate(_means(values)):
        if mean < GOOD * usual:
            return max(0, index - WINDOW // 2)
    return len(values)


def _if_better(found: Path, straight: Sequence[float], alike: Resemblance) -> Path | None:
    """``found`` where it has a skip and its pairs are more alike than line by line."""
    shifted = sum(
        other != one and alike.of(one, other) > straight[one] + GAIN
        for one, other in enumerate(found.together[: len(straight)])
        if other is not None
    )
    if len(found.together) == found.second and shifted < LEAST_SHIFTED:
        return None
    pairs = [(one, other) for one, other in enumerate(found.together) if other is not None]
    lengths = len(found.together), found.second
    needless = sum(lengths) - 2 * len(pairs) - abs(lengths[0] - lengths[1])
    gained = math.fsum(alike.of(*pair) for pair in pairs) - math.fsum(straight)
    return found if gained >= SKIP_COST * needless else None


_PAIR, _SKIP_FIRST, _SKIP_SECOND = range(3)


@dataclass(frozen=True, slots=True)
class _Box:
    """The part of both files to align: from ``start`` in each to an end in each.

    It is aligned within a band around its diagonal (Needleman and Wunsch, 1970).
    """

    start: int
    first_end: int
    second_end: int


def _aligned(box: _Box, alike: Resemblance, budget: Budget) -> list[int | None] | None:
    """The partners of the first file's lines in the box; None where that is too much work."""
    rows, columns = box.first_end - box.start, box.second_end - box.start
    low, high = min(0, columns - rows) - MARGIN, max(0, columns - rows) + MARGIN
    if (rows + 1) * (high - low + 1) > MAX_CELLS:
        return None
    budget.spend(40 * (rows + 1) * (high - low + 1))
    steps: list[list[int]] = []
    above: dict[int, float] = {}
    for i in range(rows + 1):
        row: dict[int, float] = {}
        chosen = []
        for j in range(i + low, i + high + 1):
            step = 0
            if 0 <= j <= columns:
                pair = alike.of(box.start + i - 1, box.start + j - 1) if i and j else 0.0
                row[j], step = _best(i, j, pair, row, above)
            chosen.append(step)
        steps.append(chosen)
        above = row
    return _traced(box, steps, low)


def _best(
    i: int, j: int, pair: float, row: dict[int, float], above: dict[int, float]
) -> tuple[float, int]:
    """The best value of pairing up to here, and the step that leads to it."""
    if not i and not j:
        return 0.0, _PAIR
    never = -math.inf
    paired = above.get(j - 1, never) + pair if i and j else never
    # Of equals the skip comes last: traced from the end, the files then part as early as the
    # lines leave open.
    value, step = max(
        (paired, -_PAIR),
        (above.get(j, never) - SKIP_COST, -_SKIP_FIRST),
        (row.get(j - 1, never) - SKIP_COST, -_SKIP_SECOND),
    )
    return value, -step


def _traced(box: _Box, steps: Sequence[Sequence[int]], low: int) -> list[int | None]:
    i, j = box.first_end - box.start, box.second_end - box.start
    together: list[int | None] = [None] * i
    while i or j:
        step = steps[i][j - i - low]
        if step == _PAIR:
            i, j = i - 1, j - 1
            together[i] = box.start + j
        elif step == _SKIP_FIRST:
            i -= 1
        else:
            j -= 1
    return together


def rearranged(found: Path, first: Sequence[str], second: Sequence[str]) -> list[str | None]:
    """The first file's lines set against the second's: one a line of the second, None for none.

    A line without a partner is joined to the one before or after where both together resemble
    that one's partner more; else it is left out.
    """
    alike = Resemblance(first, second)
    lines: list[str | None] = [None] * found.second
    for index, partner in enumerate(found.together):
        if partner is not None:
            lines[partner] = first[index]
    for one, other in pairwise(range(len(first))):
        here, there = found.together[one], found.together[other]
        if (here is None) == (there is None):
            continue
        partner, alone = (there, other) if here is None else (here, one)
        if partner is not None and alike.of_two(one, partner) > 1.1 * alike.of(alone, partner):
            lines[partner] = f"{first[one]} {first[other]}"
    return lines
