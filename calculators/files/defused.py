"""Text that a spreadsheet will not take for a formula."""

from __future__ import annotations

import re

_TRIGGERS = ("=", "+", "-", "@", "\t", "\r")

# What a workbook's XML can't hold, not even escaped.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
LONGEST_CELL = 32_767  # characters; a workbook with a longer one is called damaged


def defused(text: str) -> str:
    """``text`` with an apostrophe before it where a spreadsheet would calculate it."""
    return f"'{text}" if text.startswith(_TRIGGERS) else text


def cell_text(text: str) -> str:
    """``defused`` text as a workbook can hold it."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", defused(text))[:LONGEST_CELL]
