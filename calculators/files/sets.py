"""Sets of documents, as evaluation campaigns have them: texts by system and by segment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..scoring import ScoringError
from .limits import Limits
from .model import Upload
from .streams import HYPOTHESIS, REFERENCE, SOURCE, Holding, Stream, refuse_more_segments

_DEFAULT_NAMES = {SOURCE: "source", REFERENCE: "reference", HYPOTHESIS: "system"}


@dataclass
class Sets:
    """Texts by role and name, then by segment. Segments keep the order of first appearance."""

    limits: Limits
    texts: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)
    keys: dict[str, None] = field(default_factory=dict)

    def add(self, role: str, name: str, key: str, text: str, line: Callable[[], int]) -> None:
        """Take one segment; ``ScoringError`` with its line where it was there already."""
        stream = self.texts.setdefault((role, name or _DEFAULT_NAMES[role]), {})
        if key in stream:
            raise ScoringError(
                f"line {line():,}: the document has a segment of this number already; give every"
                " segment a number of its own"
            )
        stream[key] = text
        self.keys[key] = None
        refuse_more_segments(len(self.keys), self.limits)
        if len(self.texts) > self.limits.streams:
            raise ScoringError(f"there are more than {self.limits.streams} systems and references")

    def holding(self, upload: Upload) -> Holding:
        """The streams side by side."""
        if not self.keys:
            raise ScoringError("the file holds no segment (<seg>)")
        streams = tuple(
            Stream(role, name, tuple(texts.get(key) for key in self.keys))
            for (role, name), texts in self.texts.items()
        )
        return Holding(upload, streams, tuple(self.keys))
