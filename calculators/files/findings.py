"""What the input doctor says: oddities, where they are, what they do, and what helps."""

from __future__ import annotations

from dataclasses import dataclass

from ..scoring.text.splitting import Way, best_way

ERROR, WARNING, NOTE = "error", "warning", "note"


@dataclass(frozen=True, slots=True)
class Place:
    """Where an oddity is: a stream (system or reference set) and lines of it, from 1."""

    stream: str
    lines: tuple[int, ...] = ()  # the first few, in order; empty where it is the whole stream
    total: int = 0  # how many lines there are of the kind
    text: str | None = None  # of the line, cut where it is long; None where it need not be seen
    is_last: bool = False  # whether the stream ends with the line


@dataclass(frozen=True, slots=True)
class Effect:
    """A system's score as the files stand and with the remedy, on the metric's shown scale."""

    metric: str  # its name, as shown
    system: str
    before: float | None  # None: no score can be given
    after: float | None
    digits: int  # after the point, when shown
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change that one click makes. ``key`` says all of it and fits into a form."""

    key: str
    label: str

    @classmethod
    def of(cls, key: str) -> Remedy:
        """The remedy of that key; ``ScoringError`` where there is none."""
        from .remedies import remedy  # here, since the remedies are made of this class

        return remedy(key)


@dataclass(frozen=True, slots=True)
class Finding:
    """One oddity."""

    kind: str  # such as "line-counts", "empty-hypotheses", "tokenised", "normal-forms"
    severity: str  # "error" (no score), "warning" (the score is likely wrong) or "note"
    message: str  # sentences: what is odd, and what to do
    where: tuple[Place, ...] = ()
    effect: tuple[Effect, ...] = ()  # empty where nothing can be measured
    remedy: Remedy | None = None
    language: str = ""  # written without spaces, where it matters how the text is split

    @property
    def way(self) -> Way | None:
        """How to split the text."""
        return best_way(self.language) if self.language else None
