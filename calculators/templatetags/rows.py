"""The rows of a table as HTML.

A page shows up to some three thousand cells. A template takes longer over them than a metric takes
to score the text, so they are written here; all else about a table stands in templates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django import template
from django.utils.html import format_html, format_html_join

from calculators.direction import text_direction
from calculators.scoring.explain import Cell, Column, Inspector, Table

from .show import is_number, kept_together, shown
from .words import isolated

register = template.Library()


@register.filter
def table_rows(table: Table) -> str:
    """The rows, of which one may be marked."""
    return format_html_join("\n", f"<tr{{}}>{_pattern(table.columns)}</tr>", _marked_rows(table))


def _marked_rows(table: Table) -> Iterator[tuple[str, ...]]:
    for number, cells in enumerate(table.rows):
        head, *others = _contents(cells, table.columns)
        if number == table.marked_row:
            marked = format_html('{} <span class="mark">{}</span>', head, table.mark)
            yield (format_html(' class="{}"', "marked"), marked, *others)
        else:
            yield ("", head, *others)


@register.filter
def inspector_rows(inspector: Inspector) -> str:
    """The rows, each with the classes by which the page's filters find it."""
    pattern = f'<tr class="order-{{}} {{}}">{_pattern(inspector.columns)}</tr>'
    rows = (
        (
            row.order,
            "matched" if row.matched else "unmatched",
            *_contents(row.cells, inspector.columns),
        )
        for row in inspector.rows
    )
    return format_html_join("\n", pattern, rows)


def _pattern(columns: Sequence[Column]) -> str:
    """The cells of a row, each with a place for its content; the first names the row."""
    cells = ('<td class="figure">{}</td>' if is_number(c) else "<td>{}</td>" for c in columns[1:])
    return '<th scope="row">{}</th>' + "".join(cells)


def _contents(cells: Sequence[Cell], columns: Sequence[Column]) -> list[str]:
    head, *others = (_content(cell, column) for cell, column in zip(cells, columns, strict=True))
    return [kept_together(head) if isinstance(cells[0], str) else head, *others]


def _content(cell: Cell, column: Column) -> str:
    """Our words, a number with its bar, or the user's words, each in its own direction."""
    if isinstance(cell, tuple):
        return format_html('<bdi dir="{}">{}</bdi>', text_direction(cell), isolated(cell))
    text = shown(cell, column.kind, column.digits)
    if column.full and isinstance(cell, int | float):
        return format_html("{}{}", text, _bar(cell / column.full))
    return text


def _bar(share: float) -> str:
    """A bar that is filled by ``share`` of its length, which it never overflows."""
    return format_html(
        '<svg class="cell-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="bar-ground" width="100" height="6"/>'
        '<rect class="bar-fill" width="{}" height="6"/></svg>',
        round(min(max(share, 0.0), 1.0) * 100, 1),
    )
