"""What a page holds that can be counted, and what must be so on every page."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import pairwise


@dataclass
class Outline(HTMLParser):
    """What a page holds that can be counted."""

    ids: list[str] = field(default_factory=list)
    references: list[str] = field(default_factory=list)  # ids that another element names
    anchors: list[str] = field(default_factory=list)  # fragments of this page that links go to
    headings: list[int] = field(default_factory=list)
    attributes: set[str] = field(default_factory=set)
    tables: list[dict[str, int]] = field(default_factory=list)
    inline_scripts: int = 0
    open_tables: list[dict[str, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.attributes |= given.keys()
        if "id" in given:
            self.ids.append(given["id"])
        for name in ("aria-labelledby", "aria-describedby", "for"):
            self.references += given.get(name, "").split()
        if tag == "a" and given.get("href", "").startswith("#"):
            self.anchors.append(given["href"][1:])
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag == "script" and "src" not in given and given.get("type") != "application/ld+json":
            self.inline_scripts += 1
        self._look_at_table(tag, given)

    def _look_at_table(self, tag, given):
        if tag == "table":
            self.open_tables.append({"captions": 0, "heads": 0, "scoped": 0})
        if not self.open_tables:
            return
        table = self.open_tables[-1]
        table["captions"] += tag == "caption"
        table["heads"] += tag == "th"
        table["scoped"] += tag == "th" and given.get("scope") in ("row", "col")

    def handle_endtag(self, tag):
        if tag == "table":
            self.tables.append(self.open_tables.pop())


def outline(html: str) -> Outline:
    found = Outline()
    found.feed(html)
    return found


def assert_sound(html: str, name: str) -> None:
    """That headings, ids and tables of a page are in order, and that nothing is inline."""
    found = outline(html)
    assert found.headings[0] == 1, name
    assert found.headings.count(1) == 1, name
    assert all(b <= a + 1 for a, b in pairwise(found.headings)), name
    assert len(found.ids) == len(set(found.ids)), name
    assert set(found.references) <= set(found.ids), name
    assert set(found.anchors) - {""} <= set(found.ids), name
    assert found.inline_scripts == 0, name
    assert not {a for a in found.attributes if a == "style" or a.startswith("on")}, name
    # A table of our own prose, written in Markdown, can't have a caption.
    for table in outline(re.sub(r'<div class="prose">.*?</div>', "", html, flags=re.S)).tables:
        assert table["captions"] == 1, name
        assert table["heads"] == table["scoped"] > 0, name
