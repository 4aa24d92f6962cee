"""What the gate's two commands share: reading the items, with faults told in one line."""

from __future__ import annotations

from ..management.plain import Refused, content_of, shown_name
from ..scoring.gate import Item
from .items import ItemsError, bundled, items_of_bytes
from .table import printable_id


def items_given(name: str | None, bundled_name: str) -> tuple[Item, ...]:
    """The items of the file of that name, or the bundled ones where none is given."""
    if name is None:
        return bundled(bundled_name)
    try:
        return items_of_bytes(content_of(name))
    except ItemsError as error:
        raise Refused(f"{shown_name(name)}: {_told(error)}") from None


def _told(error: ItemsError) -> str:
    first, more = error.faults[0], len(error.faults) - 1
    id = f' (id "{printable_id(first.id)}")' if first.id.strip() else ""
    left = f" And {more:,} more fault{'' if more == 1 else 's'}." if more else ""
    return f"{first.message.removesuffix('.')}{id}.{left}"
