"""TER's search for shifts: a greedy search, by the rules of tercom as sacreBLEU has them.

What the search finds is fixed to the last tie by those rules. What it does *not* look at is the
art: nearly every candidate that sacreBLEU scores is skipped here or scored in compiled code, and
each place that skips one says why the outcome stays the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, compress
from operator import gt, ne
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from ..budget import Budget
from ..edits import (
    DELETION,
    INSERTION,
    SUBSTITUTION,
    bit_masks,
    cost_of_distance,
    edit_distance,
    operations,
    plain_operations,
    words_in_common,
)
from .beam import Beam, BeamRun, beam_holds

LONGEST_BLOCK = 10  # words in one shift, tercom's limit
FARTHEST = 50  # positions between a block and its match, tercom's limit
MOST_CANDIDATES = 1000  # sacreBLEU's limit, over all rounds

_MANY = 16_000  # steps between two looks at the budget
_LONG = 300  # words, from which on distances of whole texts cost more than the beam's rows


class Move(NamedTuple):
    """One shift, in positions of the text before it."""

    start: int  # of the block
    length: int  # words
    gap: int  # where the block goes: before the word at this position
    edits_before: int
    edits_after: int

    @property
    def swapped(self) -> tuple[int, int, int]:
        """The two neighbouring stretches that change places: start, middle, end."""
        return swapped(self.start, self.length, self.gap)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The hypothesis after its shifts and what then is left to edit."""

    text: str
    moves: tuple[Move, ...]
    distance: int  # the residual edits
    steps: str | None  # their operations; None where ``counted`` needs none
    unlimited: int  # the edits without any shift, and without the beam
    stopped: bool = False  # by the limit of candidates

    @property
    def edits(self) -> int:
        """Shifts and residual edits."""
        return len(self.moves) + self.distance


def swapped(start: int, length: int, gap: int) -> tuple[int, int, int]:
    """Which two neighbouring stretches change places when a block is moved.

    A gap right of the block counts from the text without the block when it lies within one
    block's length (so do tercom and sacreBLEU), and from the whole text beyond.
    """
    if gap < start:
        return gap, start, start + length
    if gap > start + length:
        return start, start + length, gap
    return start, start + length, length + gap


def moved(text: str, start: int, length: int, gap: int) -> str:
    """``text`` after its block was moved."""
    first, middle, last = swapped(start, length, gap)
    return f"{text[:first]}{text[middle:last]}{text[first:middle]}{text[last:]}"


def counted(outcome: Outcome, reference: str) -> tuple[int, int, int]:
    """Insertions, deletions and substitutions among the residual edits.

    Without operations the distance is the bag-of-words bound (see ``search``), max(n, m) - c
    with c words in common. With M matches, n = M + S + D and m = M + S + I, so for n >= m
    the bound says I = M - c. No more words match than are in common: I = 0, and the rest
    follows. For n < m, likewise, D = 0.
    """
    steps = outcome.steps
    if steps is not None:
        return steps.count(INSERTION), steps.count(DELETION), steps.count(SUBSTITUTION)
    missing = len(reference) - len(outcome.text)
    return max(0, missing), max(0, -missing), outcome.distance - abs(missing)


def search(
    hypothesis: str, reference: str, budget: Budget, limit: int | None = MOST_CANDIDATES
) -> Outcome:
    """The shifts that the greedy search makes, one a round, until none saves an edit.

    No shift changes the bag of words, and no alignment matches more words than both bags have
    in common: max(n, m) - common bounds every distance from below. Where the distance is at that
    bound no shift saves an edit, and the search is over before a candidate is looked at: so it
    is for most segments of real output.

    Where one side is empty there is nothing to shift.
    """
    distance, least = distances(hypothesis, reference, budget)
    beam_agrees = not hypothesis or beam_holds(len(hypothesis), len(reference), distance)
    if distance == least and beam_agrees:
        return Outcome(hypothesis, (), distance, None, distance)
    return searched(hypothesis, reference, distance, least, budget, limit)


def distances(hypothesis: str, reference: str, budget: Budget) -> tuple[int, int]:
    """The distance without any shift, and the least that any shifts could leave."""
    distance = edit_distance(hypothesis, reference, budget)
    longer = max(len(hypothesis), len(reference))
    return distance, longer - words_in_common(hypothesis, reference)


def searched(
    hypothesis: str, reference: str, distance: int, least: int, budget: Budget, limit: int | None
) -> Outcome:
    """The outcome of ``search`` where there is something to look for."""
    return _Search(hypothesis, reference, least, limit, budget).outcome(distance)


def without_shifts(hypothesis: str, reference: str, budget: Budget) -> Outcome:
    """What is to be edited where no shift is allowed: the word error rate's edits."""
    distance, least = distances(hypothesis, reference, budget)
    if distance == least:
        return Outcome(hypothesis, (), distance, None, distance)
    return with_operations(hypothesis, reference, distance, budget)


def with_operations(hypothesis: str, reference: str, distance: int, budget: Budget) -> Outcome:
    """The same where the bags of words do not say which edits they are."""
    steps = plain_operations(hypothesis, reference, budget)
    return Outcome(hypothesis, (), distance, steps, distance)


class _Scored(NamedTuple):
    """A text with its edit distance, by the whole programme or by the beam."""

    text: str
    distance: int  # the beam's
    unlimited: int  # the whole programme's, never larger
    run: BeamRun | None  # None where the beam surely gives the unlimited distance


# A block that may be shifted: its start in the hypothesis and in the reference, its least and
# its greatest length. A plain tuple, since a round makes hundreds.
_Block = tuple[int, int, int, int]


class _Search:
    """The search for one pair: what stays the same from round to round."""

    def __init__(
        self, hypothesis: str, reference: str, least: int, limit: int | None, budget: Budget
    ) -> None:
        self._hypothesis = hypothesis
        self._reference = reference
        self._least = least
        self._limit = limit
        self._budget = budget
        self._places = {**dict.fromkeys(hypothesis, 0), **_places(reference)}
        self._beam: Beam | None = None

    def outcome(self, distance: int) -> Outcome:
        """The outcome, ``distance`` being the unlimited one of the hypothesis as it stands."""
        current = self._scored(self._hypothesis, distance)
        moves: list[Move] = []
        candidates = 0
        steps: str | None = None
        stopped = False
        while current.distance > self._least:
            steps = self._operations(current)
            blocks, gaps, found = self._blocks(current.text, steps, candidates)
            candidates += found
            stopped = self._limit is not None and candidates >= self._limit
            best = None if stopped else self._best(current, blocks, gaps)
            if best is None:
                break
            moves.append(best)
            text = moved(current.text, best.start, best.length, best.gap)
            current = self._scored(text, edit_distance(text, self._reference, self._budget))
            steps = None
        return Outcome(current.text, tuple(moves), current.distance, steps, distance, stopped)

    def _scored(self, text: str, unlimited: int) -> _Scored:
        if beam_holds(len(text), len(self._reference), unlimited):
            return _Scored(text, unlimited, unlimited, None)
        run = self._beamed().run(text)
        return _Scored(text, run.distance, unlimited, run)

    def _beamed(self) -> Beam:
        if self._beam is None:
            length, masks = len(self._hypothesis), bit_masks(self._reference)
            self._beam = Beam.of(length, self._reference, masks, self._budget)
        return self._beam

    def _operations(self, current: _Scored) -> str:
        if current.run is None and len(self._reference) <= _LONG:
            return operations(current.text, self._reference, current.distance, self._budget)
        # Where the beam holds its operations are the same, and its rows are never wider than
        # the beam, however long the texts.
        run = current.run or self._beamed().run(current.text)
        return self._beamed().operations(current.text, run)

    def _blocks(
        self, text: str, steps: str, candidates: int
    ) -> tuple[list[_Block], list[int], int]:
        """The blocks that this round may shift, the gaps they may go to, and their number.

        ``gaps[b]`` lies behind the hypothesis word that is aligned with the reference word
        before b, so the match of reference word b, or what stands for it, is at
        ``gaps[b + 1] - 1``. A block of length L that matches from b on goes to each of the gaps
        ``gaps[b : b + L + 1]``, equal neighbours counting once.

        The limit runs over all rounds, and the round that reaches it throws its shift away. So
        the candidates are *counted* before any is scored, by sums over prefixes, and a round
        that reaches the limit ends here; after that the order of scoring is free.
        """
        letters = steps.encode()
        gaps = _gaps(letters)
        changes = list(accumulate(map(ne, gaps, gaps[1:]), initial=0))
        sums = list(accumulate(changes, initial=0))
        blocks: list[_Block] = []
        found = 0
        for a, b, low, high in self._matching(text, letters, gaps):
            blocks.append((a, b, low, high))
            found += sums[b + high + 1] - sums[b + low] - (changes[b] - 1) * (high + 1 - low)
            if self._limit is not None and candidates + found >= self._limit:
                break
        return blocks, gaps, found

    def _matching(self, text: str, letters: bytes, gaps: Sequence[int]) -> Iterator[_Block]:
        """The blocks of ``_blocks``, one after the other.

        No block without an error on either side is shifted. So it reaches from its start to the
        next error at least, and that whole stretch is looked for in the reference at once.
        """
        reference = self._reference
        right_here = letters.translate(_IS_RIGHT, INSERTION.encode())  # of each hypothesis word
        right_there = letters.translate(_IS_RIGHT, DELETION.encode())  # of each reference word
        work = 10 * len(letters)
        for a in self._starts(text, right_here):
            low = right_here.find(0, a, a + LONGEST_BLOCK) + 1 - a
            if low <= 0:
                continue
            stretch, end = text[a : a + low], a + FARTHEST + low
            b = reference.find(stretch, max(0, a - FARTHEST), end)
            while b >= 0:
                work += 8
                # The block may not reach over the place where its match is aligned.
                high = gaps[b + 1] - 1 - a
                if not 0 <= high <= LONGEST_BLOCK:
                    high = LONGEST_BLOCK
                longer = right_there.find(0, b, b + high) + 1 - b
                if (
                    low <= high
                    and longer > 0
                    and (longer <= low or self._agree(text, a, b, longer))
                ):
                    least = max(low, longer)
                    yield a, b, least, self._agreeing(text, a, b, least, high)
                b = reference.find(stretch, b + 1, end)
            if work > _MANY:
                self._budget.spend(work)
                work = 0
        self._budget.spend(work)

    def _starts(self, text: str, right: bytes) -> Iterable[int]:
        """Where blocks may start: at words that match another word than the one aligned to them.

        That leaves out the matched words that the reference has once, most words of real texts.
        """
        return compress(range(len(text)), map(gt, map(self._places.__getitem__, text), right))

    def _agree(self, text: str, a: int, b: int, length: int) -> bool:
        """Whether the texts agree in so many words from a and b on."""
        return text[a : a + length] == self._reference[b : b + length]

    def _agreeing(self, text: str, a: int, b: int, length: int, limit: int) -> int:
        """For how many words, up to ``limit``, the texts agree from a and b on."""
        reference = self._reference
        limit = min(limit, len(text) - a, len(reference) - b)
        while length < limit and text[a + length] == reference[b + length]:
            length += 1
        return length

    def _best(self, current: _Scored, blocks: Sequence[_Block], gaps: Sequence[int]) -> Move | None:
        """The shift that saves most; of equals the longest, then the first, then to the first gap.

        Scored in that very order, so that only a greater saving replaces what was found, and no
        shorter block need be scored once the best saves all that a block so short can save: two
        edits a word (its going and its coming), and never more than down to the least distance.
        """
        best: Move | None = None
        saved = 0
        for length in range(max((block[3] for block in blocks), default=0), 0, -1):
            # The beam may have made the distance larger than it is; a shift may mend that too.
            most = 2 * length + current.distance - current.unlimited
            if saved >= min(most, current.distance - self._least):
                break
            # Equal moves of one block count once. A move to the gap it stands in saves nothing.
            pairs = sorted(
                {
                    (a, gap)
                    for a, b, low, high in blocks
                    if low <= length <= high
                    for gap in gaps[b : b + length + 1]
                    if gap != a
                }
            )
            found = self._first_best(current, length, pairs, current.distance - saved)
            if found is not None:
                best = found
                saved = found.edits_before - found.edits_after
        return best

    def _first_best(
        self, current: _Scored, length: int, pairs: Sequence[tuple[int, int]], limit: int
    ) -> Move | None:
        """The first of the moves with the fewest edits, if these are below ``limit``."""
        cost = cost_of_distance(len(current.text), len(self._reference))
        if current.run is not None:
            return self._first_best_in_beam(current, current.run, length, pairs, limit)
        self._budget.spend(len(pairs) * cost)
        # The unlimited distance is the beam's for every text that is nearer than this one, and
        # not smaller for the others (see beam_holds). RapidFuzz goes through them all at once,
        # gives up each as soon as it cannot beat the best, and keeps the first of equals.
        texts = [moved(current.text, a, length, gap) for a, gap in pairs]
        found = process.extractOne(
            self._reference, texts, scorer=Levenshtein.distance, score_cutoff=limit - 1
        )
        if found is None:
            return None
        _, distance, index = found
        a, gap = pairs[index]
        return Move(a, length, gap, current.distance, int(distance))

    def _first_best_in_beam(
        self,
        current: _Scored,
        run: BeamRun,
        length: int,
        pairs: Sequence[tuple[int, int]],
        limit: int,
    ) -> Move | None:
        best: Move | None = None
        rows, columns = len(current.text), len(self._reference)
        # The unlimited distance is never larger than the beam's: where it saves nothing, the
        # beam saves nothing. In long texts the beam, which begins and ends near the move, is
        # quicker than this question.
        asked = rows * columns < 4_000_000
        for a, gap in pairs:
            text = moved(current.text, a, length, gap)
            distance: int | None = None
            if asked:
                self._budget.spend(cost_of_distance(rows, columns))
                distance = Levenshtein.distance(text, self._reference, score_cutoff=limit - 1)
                if distance >= limit:
                    continue
            if distance is None or not beam_holds(rows, columns, distance):
                first, _, last = swapped(a, length, gap)
                distance = self._beamed().distance_if_below(limit, text, run, first, last)
            if distance is not None:
                best = Move(a, length, gap, current.distance, distance)
                limit = distance
        return best


def _places(reference: str) -> dict[str, int]:
    """For each word of the reference whether it has one place there or several: 1 or 2."""
    places: dict[str, int] = {}
    for word in reference:
        places[word] = 2 if word in places else 1
    return places


_IS_RIGHT = bytes.maketrans(b"=SID", bytes((1, 0, 0, 0)))
_TAKES_HYPOTHESIS = bytes.maketrans(b"=SID", bytes((1, 1, 0, 1)))
_TAKES_REFERENCE = bytes.maketrans(b"=SID", bytes((1, 1, 1, 0)))


def _gaps(letters: bytes) -> list[int]:
    """How many hypothesis words are passed before each reference word, and at the end.

    That is sacreBLEU's alignment plus one, with 0 before the first.
    """
    passed = accumulate(letters.translate(_TAKES_HYPOTHESIS))
    return [0, *compress(passed, letters.translate(_TAKES_REFERENCE))]
