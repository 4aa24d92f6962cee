"""A bound on the work of one request.

No server setting stops a thread that computes without end, so the bound stands in the metrics'
own loops: each spends steps as it goes, and past the steps or the deadline the work is refused.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from .corpus import ScoringError

T = TypeVar("T")


class BudgetExceeded(ScoringError):
    """The refusal of a calculation that would take too long."""


class Budget:
    """What one request may still spend. It belongs to the request, not to a segment of it.

    ``steps`` counts the elementary operations that the metrics announce through ``spend``;
    ``seconds`` is a deadline from the making of the budget, ``processor_seconds`` what the thread
    that made it may work until then: the same text gets the same answer however busy the machine
    is. ``None`` sets no bound.
    """

    # Reading the clock costs about as much as 100 steps, so it is read once in so many.
    STEPS_BETWEEN_LOOKS = 20_000

    def __init__(
        self,
        steps: int | None = None,
        seconds: float | None = None,
        processor_seconds: float | None = None,
    ) -> None:
        self._allowed_steps = steps
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._last_work = (
            None if processor_seconds is None else time.thread_time() + processor_seconds
        )
        self._spent = 0
        self._next_look = 0

    @classmethod
    def unlimited(cls) -> Budget:
        """A budget that refuses nothing: for the command line, where one can press Ctrl-C."""
        return cls()

    @property
    def spent(self) -> int:
        """The steps spent so far."""
        return self._spent

    def spend(self, steps: int) -> None:
        """Count ``steps`` about to be done; raise ``BudgetExceeded`` where they are too many."""
        self._spent += steps
        if self._allowed_steps is not None and self._spent > self._allowed_steps:
            raise BudgetExceeded(_REFUSAL)
        if self._spent >= self._next_look:
            self._next_look = self._spent + self.STEPS_BETWEEN_LOOKS
            self.look()

    def look(self) -> None:
        """Raise ``BudgetExceeded`` where the time is up: for work that counts no steps."""
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise BudgetExceeded(_REFUSAL)
        if self._last_work is not None and time.thread_time() > self._last_work:
            raise BudgetExceeded(_REFUSAL)

    def watched(self, items: Iterable[T]) -> Iterator[T]:
        """``items``, with a look at the time before each: for items that take long."""
        for item in items:
            self.look()
            yield item


_REFUSAL = (
    "This text would take longer to score than is allowed here. Split it into shorter segments,"
    " or run the same calculation on your own machine, where nothing limits it."
)
