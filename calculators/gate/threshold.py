"""The threshold as it is given: typed, or as a value of the API."""

from __future__ import annotations

from typing import cast

from ..reading import ABSENT, option_value
from ..scoring.gate import THRESHOLD

DEFAULT = cast(float, THRESHOLD.default)


def threshold_of_text(text: str) -> float:
    """The threshold that was typed, the default for a blank; ``ScoringError`` if it is none."""
    value = option_value(THRESHOLD, text)
    return DEFAULT if value is ABSENT else cast(float, value)


def threshold_of_value(value: object) -> float:
    """The threshold of a JSON document; ``ScoringError`` where it is none."""
    return cast(float, THRESHOLD.checked(value))
