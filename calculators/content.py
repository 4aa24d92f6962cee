"""What the pages say, read from ``content/``: TOML and Markdown become frozen dataclasses.

One file a metric, ``content/<slug>.toml``::

    tagline = "..."         plain text, under the name in lists
    description = "..."     plain text, for search engines
    lead = '''...'''        Markdown, the first sentences of the page
    how_it_works = '''...'''
    [[questions]]           slug, ask (plain), answer (Markdown)
    [[examples]]            slug, title, hypothesis, references; preset, options (may be left out);
                            expect (factor -> figure, to full precision), agrees_with (a tool or
                            "hand working"), says (Markdown)
    [[sources]]             title, authors, year (a program has none), venue, url,
                            note (Markdown, may be left out)
    [[related]]             slug of another metric, why (Markdown)

Our sentences quote no computed number of their own: they take it from an example's ``expect`` by
a placeholder (see ``prose.filled``), and the system checks execute every example.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from .prose import Figure, Figures, Prose, ProseError, Renderer, filled

DIRECTORY = Path(__file__).with_name("content")

Option = bool | int | float | str
Expected = Figure | tuple[Figure, ...]
V = TypeVar("V")


class ContentError(Exception):
    """A fault in a content file; the message names the file and the key."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question that users ask, and its answer."""

    slug: str
    ask: str
    answer: Prose


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example: a text that anyone can load, and the figures that it must give."""

    slug: str
    title: str
    hypothesis: str
    references: tuple[str, ...]
    expect: Mapping[str, Expected]  # factor of the result -> figure, to full precision
    agrees_with: str  # the tool or working that the figures come from
    says: Prose
    preset: str = ""
    options: Mapping[str, Option] = field(default_factory=dict)

    @property
    def references_text(self) -> str:
        """The references as the form takes them, one a line."""
        return "\n".join(self.references)


@dataclass(frozen=True, slots=True)
class Source:
    """A paper or a program that the page rests on."""

    title: str
    authors: str
    year: int | None  # None for a program
    venue: str
    url: str
    note: Prose

    @property
    def published(self) -> str:
        """Where and when it came out."""
        return self.venue if self.year is None else f"{self.venue}, {self.year}"


@dataclass(frozen=True, slots=True)
class Related:
    """Another metric, and what it tells that this one does not."""

    slug: str
    why: Prose


@dataclass(frozen=True, slots=True)
class Page:
    """Everything in words on a metric's page."""

    slug: str
    tagline: str
    description: str
    lead: Prose
    how_it_works: Prose
    questions: tuple[Question, ...]
    examples: tuple[Example, ...]
    sources: tuple[Source, ...]
    related: tuple[Related, ...]

    def example(self, slug: str) -> Example | None:
        """The worked example of that slug, or None."""
        return next((example for example in self.examples if example.slug == slug), None)


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page of the site that belongs to no metric."""

    title: str
    body: Prose


@dataclass(frozen=True, slots=True)
class ComparedTool:
    """A reference tool, its version, and how many scores were compared with it."""

    name: str
    version: str
    scores: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """The last comparison of our numbers with the reference tools' in which none differed."""

    day: date
    segments: int  # texts scored by both sides
    tools: tuple[ComparedTool, ...]

    @property
    def scores(self) -> int:
        """The number of scores compared."""
        return sum(tool.scores for tool in self.tools)


@dataclass(frozen=True, slots=True)
class Content:
    """All content files."""

    pages: Mapping[str, Page]  # slug -> page
    site: Mapping[str, SitePage]  # name -> page
    comparison: Comparison | None  # None until a comparison has been run


@cache
def content() -> Content:
    """The content that ships with the program."""
    return load(DIRECTORY)


def page(slug: str) -> Page:
    """The page of the metric of that slug; ``ContentError`` where there is none."""
    return _found(content().pages, slug, f"{slug}.toml")


def site_page(name: str) -> SitePage:
    """The page of that name, such as ``privacy``; ``ContentError`` where there is none."""
    return _found(content().site, name, f"site/{name}.md")


def comparison() -> Comparison | None:
    """The last comparison with the reference tools; None where none has been run."""
    return content().comparison


def load(directory: Path) -> Content:
    """The content of ``directory``; ``ContentError`` names the file and key that are at fault."""
    renderer = Renderer()
    pages, site = sorted(directory.glob("*.toml")), sorted(directory.glob("site/*.md"))
    return Content(
        pages={path.stem: _page(path, renderer) for path in pages},
        site={path.stem: _site_page(path, renderer) for path in site},
        comparison=_comparison(directory / "comparison.json"),
    )


def _found(values: Mapping[str, V], name: str, file: str) -> V:
    try:
        return values[name]
    except KeyError:
        raise ContentError(f"There is no content file {file}.") from None


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of a TOML file that knows where it stands, so that faults can be named."""

    where: str  # the file and the key
    values: Mapping[str, Any]
    renderer: Renderer
    figures: Figures  # what placeholders are filled from

    def only(self, *known: str) -> None:
        """Refuse keys other than ``known``."""
        for key in self.values:
            if key not in known:
                raise ContentError(f"{self.where}: there is no key {key}.")

    def value(self, key: str, kind: type[V], default: V | None = None) -> V:
        found = self.values.get(key, default)
        if found is None:
            raise ContentError(f"{self.where}: {key} is missing.")
        if not isinstance(found, kind):
            raise ContentError(f"{self.where}: {key} must be of type {kind.__name__}.")
        return found

    def plain(self, key: str) -> str:
        """Text that is printed escaped."""
        return self._read(key, lambda text: text.strip(), None)

    def prose(self, key: str, default: str | None = None) -> Prose:
        """Markdown, rendered."""
        return self._read(key, self.renderer.prose, default)

    def _read(self, key: str, made: Callable[[str], V], default: str | None) -> V:
        source = self.value(key, str, default)
        try:
            return made(filled(source, self.figures))
        except ProseError as error:
            raise ContentError(f"{self.where}: {key} {error}.") from error

    def tables(self, key: str) -> tuple[_Table, ...]:
        """The tables of an array, each named by its slug, title or number."""
        tables = []
        for number, values in enumerate(self.value(key, list, []), 1):
            if not isinstance(values, dict):
                raise ContentError(f"{self.where}: {key} must be an array of tables.")
            name = values.get("slug", number)
            where = f"{self.where}: {key} {name}"
            tables.append(replace(self, where=where, values=values))
        return tuple(tables)


def _page(path: Path, renderer: Renderer) -> Page:
    try:
        values = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ContentError(f"{path.name}: {error}.") from error
    table = _Table(path.name, values, renderer, {})
    figures = {example.value("slug", str): _expect(example) for example in table.tables("examples")}
    table = replace(table, figures=figures)
    table.only(
        "tagline",
        "description",
        "lead",
        "how_it_works",
        "questions",
        "examples",
        "sources",
        "related",
    )
    return Page(
        slug=path.stem,
        tagline=table.plain("tagline"),
        description=table.plain("description"),
        lead=table.prose("lead"),
        how_it_works=table.prose("how_it_works"),
        questions=tuple(map(_question, table.tables("questions"))),
        examples=tuple(map(_example, table.tables("examples"))),
        sources=tuple(map(_source, table.tables("sources"))),
        related=tuple(map(_related, table.tables("related"))),
    )


def _question(table: _Table) -> Question:
    table.only("slug", "ask", "answer")
    return Question(table.plain("slug"), table.plain("ask"), table.prose("answer"))


def _example(table: _Table) -> Example:
    table.only(
        "slug",
        "title",
        "hypothesis",
        "references",
        "preset",
        "options",
        "expect",
        "agrees_with",
        "says",
    )
    return Example(
        slug=table.plain("slug"),
        title=table.plain("title"),
        hypothesis=table.value("hypothesis", str),
        references=_references(table),
        preset=table.value("preset", str, ""),
        options=table.value("options", dict, {}),
        expect=_expect(table),
        agrees_with=table.plain("agrees_with"),
        says=table.prose("says"),
    )


def _references(table: _Table) -> tuple[str, ...]:
    references = table.value("references", list)
    # The form takes one reference a line, so a reference of two lines could not be loaded.
    if not all(isinstance(line, str) and "\n" not in line for line in references):
        raise ContentError(f"{table.where}: references must be texts of one line.")
    return tuple(references)


def _expect(table: _Table) -> dict[str, Expected]:
    figures = table.value("expect", dict)
    if "value" not in figures:
        raise ContentError(f"{table.where}: expect must hold the value.")
    return {
        name: tuple(figure) if isinstance(figure, list) else figure
        for name, figure in figures.items()
    }


def _source(table: _Table) -> Source:
    table.only("title", "authors", "year", "venue", "url", "note")
    if not table.value("url", str).startswith("https://"):
        raise ContentError(f"{table.where}: url must begin with https.")
    return Source(
        title=table.plain("title"),
        authors=table.plain("authors"),
        year=table.value("year", int) if "year" in table.values else None,
        venue=table.plain("venue"),
        url=table.plain("url"),
        note=table.prose("note", ""),
    )


def _related(table: _Table) -> Related:
    table.only("slug", "why")
    return Related(table.plain("slug"), table.prose("why"))


def _site_page(path: Path, renderer: Renderer) -> SitePage:
    heading, _, body = path.read_text("utf-8").partition("\n")
    if not heading.startswith("# "):
        raise ContentError(f"site/{path.name}: the first line must be the title, after '# '.")
    try:
        return SitePage(heading.removeprefix("# ").strip(), renderer.prose(filled(body, {})))
    except ProseError as error:
        raise ContentError(f"site/{path.name}: {error}.") from error


def _comparison(path: Path) -> Comparison | None:
    if not path.exists():
        return None
    try:
        data = json.loads(path.read_text("utf-8"))
        return Comparison(
            day=date.fromisoformat(data["day"]),
            segments=data["segments"],
            tools=tuple(
                ComparedTool(tool["name"], tool["version"], tool["scores"])
                for tool in data["tools"]
            ),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise ContentError(f"{path.name}: {error!r}.") from error
