"""The direction in which a text reads."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable


def text_direction(words: Iterable[str]) -> str:
    """The direction of the first letter that has one, as ``dir=auto`` takes it.

    Browsers leave isolated words out of that search, and every word here is isolated.
    """
    for word in words:
        for letter in word:
            kind = unicodedata.bidirectional(letter)
            if kind in ("R", "AL"):
                return "rtl"
            if kind == "L":
                return "ltr"
    return "ltr"
