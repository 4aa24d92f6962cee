"""What the page and the API take at once; the command line takes everything."""

from __future__ import annotations

from collections.abc import Sequence

from ..scoring.gate import Item
from .items import Fault, ItemsError

MOST_ITEMS = 2_000


def refuse_too_many(items: Sequence[Item]) -> None:
    """Raise ``ItemsError`` where there are more items than are taken at once."""
    if len(items) > MOST_ITEMS:
        message = (
            f"There are {len(items):,} items; {MOST_ITEMS:,} are taken at once. Send them in parts,"
            " or run the gate on your own machine, where nothing limits it."
        )
        raise ItemsError([Fault(message)])
