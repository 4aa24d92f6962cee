"""How lists stand in a sentence."""

from __future__ import annotations

from collections.abc import Sequence


def listed(names: Sequence[str]) -> str:
    """A list of one or more as one says it: "BLEU, chrF and TER"."""
    *rest, last = names
    return f"{', '.join(rest)} and {last}" if rest else last
