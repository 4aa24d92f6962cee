"""XML from outside: read in one pass, without a document type, within bounds."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from xml.etree.ElementTree import Element, ParseError, TreeBuilder
from xml.parsers.expat import ErrorString

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from ..scoring import ScoringError
from .limits import Limits
from .lines import decoded
from .streams import refuse_more_segments

MAX_DEPTH = 64
MAX_ELEMENTS_OF_A_UNIT = 5_000
MAX_ELEMENTS_A_SEGMENT = 25  # of the limit on segments, for the whole file

LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"

# TMX files name their document type; one without declarations of its own says nothing and is
# taken out, so that every other can be refused. What stands before it may name elements and
# document types in comments; it is matched once and never again in another way, so that a comment
# can't be taken to reach past its end.
_PLAIN_DOCTYPE = re.compile(
    rb"""(?:\xef\xbb\xbf)?(?>\s+|<\?.*?\?>|<!--.*?-->)*+"""
    rb"""(?P<doctype><!DOCTYPE\s+[\w:.-]{1,40}"""
    rb"""(?:\s+SYSTEM|\s+PUBLIC\s+(?:"[^"<>]*"|'[^'<>]*'))?"""
    rb"""(?:\s+(?:"[^"<>]*"|'[^'<>]*'))?\s*>)""",
    re.DOTALL,
)
_PROLOG = 4_096  # bytes in which it is looked for

# Those in which every byte of ASCII is itself, and UTF-16, which its mark tells. In others the same
# bytes can be tags to one reader and text to another, which would hide a document type from this.
# By Python's own names, which stand for all their spellings.
_ENCODINGS = frozenset(
    (
        *("utf-8", "utf-16", "utf-16-le", "utf-16-be", "ascii", "koi8-r", "koi8-u"),
        *(f"iso8859-{part}" for part in range(1, 17)),
        *(f"cp{page}" for page in range(1250, 1259)),
    )
)
_ENCODING_REFUSED = "the XML is in an encoding that is not read; save it as UTF-8"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Start:
    """The start of an element: its name without the namespace and its attributes."""

    tag: str
    attributes: dict[str, str]
    line: int  # from 1


@dataclass(frozen=True, slots=True)
class Unit:
    """An element that holds a segment, with the elements that it stands in, outermost first."""

    element: Element  # names without namespaces
    path: tuple[Start, ...]
    line: int  # from 1

    def above(self, tag: str) -> Start | None:
        """The innermost element of that name around the unit."""
        return next((start for start in reversed(self.path) if start.tag == tag), None)


@dataclass(frozen=True, slots=True)
class Document(Generic[T]):
    """What was taken out of a document: a value a unit, and the headers asked for."""

    units: list[T]
    headers: list[Start]


def local_name(tag: str) -> str:
    """A name without its namespace."""
    return tag.rpartition("}")[2]


def refuse_encoding(name: str | None) -> None:
    """Raise ``ScoringError`` where a declaration names an encoding that is not read."""
    if name is None:
        return
    try:
        known = codecs.lookup(name).name
    except LookupError:
        known = ""
    if known not in _ENCODINGS:
        raise ScoringError(_ENCODING_REFUSED)


def units(
    data: bytes,
    tags: Collection[str],
    take: Callable[[Unit], T],
    limits: Limits,
    headers: Collection[str] = (),
    most: int | None = None,
) -> Document[T]:
    """What ``take`` makes of every element called one of ``tags``, one element in memory a time.

    ``most`` bounds how many there may be, where that is less than the bound on all elements.

    Raises ``ScoringError`` where the data is not well-formed, has a document type or goes past
    the bounds.
    """
    target = _Target(tags, take, limits, headers, most)
    body, encoding = _without_doctype(data)
    parser = DefusedXMLParser(target=target, encoding=encoding, forbid_dtd=True)
    parser.parser.XmlDeclHandler = lambda _, declared, __: refuse_encoding(declared)
    target.line = lambda: parser.parser.CurrentLineNumber
    try:
        parser.feed(body)
        parser.close()
    except DefusedXmlException:
        raise ScoringError(
            "the XML declares a document type or entities, which are not read; take the DOCTYPE"
            " out or export the file again"
        ) from None
    except ParseError as error:
        raise ScoringError(_fault(error)) from None
    except (LookupError, ValueError):
        # The parser's own words for an encoding that it does not know.
        raise ScoringError(_ENCODING_REFUSED) from None
    return Document(target.taken, target.headers)


class _Target:
    """Receives the parser's events; builds a tree of one unit at a time."""

    def __init__(
        self,
        tags: Collection[str],
        take: Callable[[Unit], Any],
        limits: Limits,
        headers: Collection[str],
        most: int | None,
    ) -> None:
        self.taken: list[Any] = []
        self.headers: list[Start] = []
        self.line: Callable[[], int] = lambda: 0
        self._tags, self._take, self._limits, self._wanted = tags, take, limits, headers
        self._most = MAX_ELEMENTS_A_SEGMENT * limits.segments if most is None else most
        self._path: list[Start] = []
        self._builder: TreeBuilder | None = None
        self._depth = self._elements = self._elements_of_unit = 0  # depth within the unit
        self._first_line = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._count()
        name = local_name(tag)
        if self._builder is None and name in self._tags:
            self._builder, self._first_line, self._elements_of_unit = TreeBuilder(), self.line(), 0
        if self._builder is not None:
            self._depth += 1
            self._builder.start(name, attributes)
            return
        start = Start(name, attributes, self.line())
        self._path.append(start)
        if name in self._wanted:
            self.headers.append(start)

    def end(self, tag: str) -> None:
        if self._builder is None:
            self._path.pop()
            return
        self._depth -= 1
        self._builder.end(local_name(tag))
        if not self._depth:
            unit = Unit(self._builder.close(), tuple(self._path), self._first_line)
            self._builder = None
            self.taken.append(self._take(unit))
            if len(self.taken) > self._most:
                refuse_more_segments(self._limits.segments + 1, self._limits)

    def data(self, text: str) -> None:
        if self._builder is not None:
            self._builder.data(text)

    def close(self) -> None:
        """Nothing is left to do at the end."""

    def _count(self) -> None:
        self._elements += 1
        self._elements_of_unit += 1
        if len(self._path) + self._depth >= MAX_DEPTH:
            raise ScoringError(f"line {self.line():,}: the XML is nested too deeply")
        if self._builder is not None and self._elements_of_unit > MAX_ELEMENTS_OF_A_UNIT:
            raise ScoringError(f"line {self._first_line:,}: a segment has too many elements")
        if self._elements > MAX_ELEMENTS_A_SEGMENT * self._limits.segments:
            refuse_more_segments(self._limits.segments + 1, self._limits)


def _without_doctype(data: bytes) -> tuple[bytes, str | None]:
    """The bytes to parse and their encoding where it is not for the document to say."""
    encoding = None
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        data, encoding = decoded(data).encode(), "utf-8"
    found = _PLAIN_DOCTYPE.match(data, 0, _PROLOG)
    if found:
        blank = re.sub(rb"[^\n]", b" ", found["doctype"])
        data = data[: found.start("doctype")] + blank + data[found.end() :]
    return data, encoding


def _fault(error: ParseError) -> str:
    # The error's own text may quote the document; the words for its code never do.
    line, column = error.position
    words = ErrorString(error.code) or "a fault"
    return (
        f"line {line:,}, column {column + 1:,}: this is not well-formed XML ({words}); export the"
        " file again or mend it there"
    )


def flowed(text: str) -> str:
    """``text`` on one line: line ends, with the indentation around them, are one space."""
    if "\n" not in text:
        return text
    parts = (part.strip(" \t\r") for part in text.split("\n"))
    return " ".join(part for part in parts if part)


def text_of(element: Element, dropped: Collection[str] = (), kept_inside: str = "") -> str:
    """The text of an element without what stands inside elements called one of ``dropped``.

    Text inside an element called ``kept_inside`` is taken even there.
    """
    return flowed("".join(_pieces(element, dropped, kept_inside, is_text=True)))


def _pieces(
    element: Element, dropped: Collection[str], kept_inside: str, *, is_text: bool
) -> list[str]:
    pieces = [element.text or ""] if is_text else []
    for child in element:
        inside = child.tag == kept_inside or (is_text and child.tag not in dropped)
        pieces += _pieces(child, dropped, kept_inside, is_text=inside)
        if is_text:
            pieces.append(child.tail or "")
    return pieces
