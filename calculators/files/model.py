"""What files hold: systems' hypotheses, references, sources, and where each came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..scoring import Corpus, ScoringError


@dataclass(frozen=True, slots=True)
class Upload:
    """One file or one pasted text.

    ``role`` is ``hypothesis``, ``reference`` or ``source``, or empty where the file says itself
    what it holds (a table with headings, XML, SGML); it is one of ``ROLES``.
    """

    name: str
    data: bytes
    role: str = ""


ROLES = ("", "hypothesis", "reference", "source")


@dataclass(frozen=True, slots=True)
class System:
    """The hypotheses of one system, one a segment.

    ``oddities`` are kinds of what the reader took off: ``bom``, ``utf-16``, ``cr-ends``.
    """

    name: str
    hypotheses: tuple[str, ...]  # empty where the file holds none for a segment
    oddities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReferenceSet:
    """One reference a segment; ``None`` where a segment has none in this set, which is not ""."""

    name: str
    lines: tuple[str | None, ...]
    oddities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Origin:
    """A file to which scores can be written back.

    ``places`` holds, for every segment of the material, where it stands in the file: the row of
    a sheet (from 1) or the number of the unit in document order (from 0); ``None`` where the file
    lacks the segment.
    """

    format: str  # "xlsx", "tmx", "xliff-1.2" or "xliff-2"
    name: str
    data: bytes = field(repr=False)
    systems: tuple[str, ...]  # the names of the systems that it holds
    places: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Material:
    """All that the uploads hold together.

    The streams may differ in length: the input doctor says where they part, and ``corpus``
    refuses them. ``ids`` name the segments where the files do; ``notes`` are sentences on how
    the files were read.
    """

    systems: tuple[System, ...]  # at least one
    references: tuple[ReferenceSet, ...]  # at least one
    sources: tuple[str, ...] | None = None
    ids: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()
    origins: tuple[Origin, ...] = ()

    @property
    def is_aligned(self) -> bool:
        """Whether every system and every set of references has as many segments."""
        return len({len(lines) for _, lines in self.streams}) == 1

    @property
    def streams(self) -> tuple[tuple[str, Sequence[str | None]], ...]:
        """The name and the segments of every system, then of every set of references."""
        systems = tuple((system.name, system.hypotheses) for system in self.systems)
        return systems + tuple((reference.name, reference.lines) for reference in self.references)

    def __len__(self) -> int:
        return len(self.systems[0].hypotheses)

    def corpus(self, system: int = 0) -> Corpus:
        """What to score of one system: its hypotheses against all references.

        Raises ``ScoringError`` where the streams differ in length or a segment has no reference.
        """
        chosen = self.systems[system]
        for reference in self.references:
            if len(reference.lines) != len(chosen.hypotheses):
                raise ScoringError(
                    f"{reference.name} has {counted(len(reference.lines))}, {chosen.name} has"
                    f" {counted(len(chosen.hypotheses))}; both must have the same number.",
                    "references",
                )
        return Corpus.from_lines(chosen.hypotheses, [each.lines for each in self.references])


def counted(lines: int) -> str:
    """A number of lines, in words: "1 line", "1,000 lines"."""
    return f"{lines:,} line{'' if lines == 1 else 's'}"
