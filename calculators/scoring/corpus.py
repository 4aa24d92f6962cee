"""What is scored: segments of text and corpora of segments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


class ScoringError(Exception):
    """A refusal that a user can cause, with a message fit to show as it stands.

    The message never quotes the user's text. ``field`` names the input that it is about
    (``hypothesis``, ``references`` or an option), so that a form can set it beside that input.
    """

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.field = field


@dataclass(frozen=True, slots=True)
class Segment:
    """One hypothesis and the references it is held against, as raw text.

    An empty reference is a reference (of no words); a missing one is not there at all.
    """

    hypothesis: str
    references: tuple[str, ...]  # at least one

    def __post_init__(self) -> None:
        if not self.references:
            raise ScoringError("Enter at least one reference.", "references")


@dataclass(frozen=True, slots=True)
class Corpus:
    """Segments in order. A sentence is a corpus of one."""

    segments: tuple[Segment, ...]  # at least one

    def __post_init__(self) -> None:
        if not self.segments:
            raise ScoringError("There are no lines to score: the file is empty.", "hypothesis")

    @classmethod
    def of(cls, hypothesis: str, references: Sequence[str]) -> Corpus:
        """The corpus of one segment."""
        return cls((Segment(hypothesis, tuple(references)),))

    @classmethod
    def from_rows(
        cls, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]
    ) -> Corpus:
        """A corpus from one row of references a hypothesis; ``None`` marks a missing reference.

        Raises ``ScoringError`` where the two differ in length or a row has no reference.
        """
        if len(hypotheses) != len(references):
            raise ScoringError(
                f"There are {len(hypotheses):,} hypotheses and references for"
                f" {len(references):,} of them; the two must be as many.",
                "references",
            )
        return cls(tuple(_segments(hypotheses, references)))

    @classmethod
    def from_lines(
        cls, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]
    ) -> Corpus:
        """A corpus from a file of hypotheses and one or more files of references, line by line.

        Raises ``ScoringError`` where a file of references has another number of lines.
        """
        if not references:
            raise ScoringError("Enter at least one reference.", "references")
        for number, lines in enumerate(references, 1):
            if len(lines) != len(hypotheses):
                raise ScoringError(
                    f"Reference {number} has {len(lines):,} lines, the hypothesis has"
                    f" {len(hypotheses):,}.",
                    "references",
                )
        return cls.from_rows(hypotheses, list(zip(*references, strict=True)))

    def __len__(self) -> int:
        return len(self.segments)

    @property
    def reference_counts(self) -> tuple[int, int]:
        """The least and the greatest number of references that a segment has."""
        counts = [len(segment.references) for segment in self.segments]
        return min(counts), max(counts)


def _segments(hypotheses: Sequence[str], rows: Sequence[Sequence[str | None]]) -> Iterable[Segment]:
    for line, (hypothesis, row) in enumerate(zip(hypotheses, rows, strict=True), 1):
        present = tuple([reference for reference in row if reference is not None])
        if not present:
            raise ScoringError(f"Line {line:,} has no reference.", "references")
        yield Segment(hypothesis, present)
