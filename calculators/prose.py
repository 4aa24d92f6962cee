"""Our own Markdown, rendered to HTML that templates may print as it stands.

Only text that ships with the program comes here, never a visitor's. Raw HTML in the source is
refused, and so is a link to anything but https or this site.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.extensions.sane_lists import SaneListExtension
from markdown.inlinepatterns import HTML_RE, Pattern
from markdown.treeprocessors import Treeprocessor

Figure = bool | int | float | str
Figures = Mapping[str, Mapping[str, Figure | tuple[Figure, ...]]]  # example slug -> factor -> value


class ProseError(Exception):
    """A fault in our own text: raw HTML, a forbidden link or an unknown placeholder."""


class Prose(str):
    """HTML rendered from our Markdown. Django's autoescaping prints it as it is."""

    __slots__ = ()

    def __html__(self) -> str:
        return str(self)


class Renderer:
    """Turns Markdown into HTML. One thread may use it at a time; making it is the slow part."""

    def __init__(self) -> None:
        # The class and not its name, which would be looked up among all installed packages.
        self._markdown = Markdown(extensions=[SaneListExtension(), _OursOnly()])

    def prose(self, source: str) -> Prose:
        """``source`` as HTML; ``ProseError`` where it holds what is refused."""
        return Prose(self._markdown.reset().convert(_PER_CENT.sub(_KEPT_TOGETHER, source)))


# A number and its sign are not torn apart at the end of a line.
_PER_CENT = re.compile(r"(?<=[0-9}]) (?=%)")
_KEPT_TOGETHER = "\N{NO-BREAK SPACE}"


# {{slug.factor}}, {{slug.factor[2]}} (an element of a list, from 1), and behind a colon how the
# figure is to be written: ":4" four digits, ":2%" a fraction in per cent, ":2x100" the same
# number without the sign.
_PLACEHOLDER = re.compile(
    r"\{\{\s*(?P<example>[a-z0-9-]+)\.(?P<factor>[a-z_]+)(?:\[(?P<element>\d+)\])?"
    r"(?::(?P<digits>\d+)(?P<scale>%|x100)?)?\s*\}\}"
)
_DEFAULT_DIGITS = 4


def filled(source: str, figures: Figures) -> str:
    """``source`` with every placeholder replaced by the figure of an example that it names.

    Raises ``ProseError`` for a placeholder that is misspelt or names no figure.
    """
    text = _PLACEHOLDER.sub(lambda match: _written(match, figures), source)
    if "{{" in text or "}}" in text:
        raise ProseError("holds a placeholder that is not {{example.factor}}")
    return text


def _written(match: re.Match[str], figures: Figures) -> str:
    value = _figure(match, figures)
    if isinstance(value, str):
        return value
    if match["digits"] is None and isinstance(value, int):
        return f"{value:,}"
    digits = _DEFAULT_DIGITS if match["digits"] is None else int(match["digits"])
    if match["scale"] is None:
        return f"{value:.{digits}f}"
    number = f"{value * 100:.{digits}f}"
    return f"{number}\N{NO-BREAK SPACE}%" if match["scale"] == "%" else number


def _figure(match: re.Match[str], figures: Figures) -> Figure:
    value = figures.get(match["example"], {}).get(match["factor"], ())
    if match["element"] is not None:
        elements = value if isinstance(value, tuple) else ()
        value = dict(enumerate(elements, 1)).get(int(match["element"]), ())
    if isinstance(value, tuple):
        raise ProseError(f"names no figure of an example: {match[0]}")
    return value


class _OursOnly(Extension):
    """Markdown without raw HTML."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - the library's name
        # Without the block parser every tag reaches the inline pattern, which refuses it; tags in
        # code have been set aside by then.
        md.preprocessors.deregister("html_block")
        md.inlinePatterns.register(_RefuseHtml(HTML_RE, md), "html", 90)
        md.treeprocessors.register(_CheckLinks(md), "check-links", 0)


class _RefuseHtml(Pattern):
    def handleMatch(self, m: re.Match[str]) -> Element:  # noqa: N802 - the library's name
        raise ProseError(f"holds raw HTML: {m[2]}")


class _CheckLinks(Treeprocessor):
    ALLOWED = ("https://", "/", "#")

    def run(self, root: Element) -> None:
        for link in root.iter("a"):
            address = link.get("href", "")
            if not address.startswith(self.ALLOWED) or address.startswith("//"):
                raise ProseError(f"links to something other than https or this site: {address}")
        if next(root.iter("img"), None) is not None:
            raise ProseError("holds a picture")
