"""The words for showing working, as data.

A metric answers with these values; a template, the API or a test turns them into what it needs.
Nothing here is formatted: numbers have full precision, and ``kind`` and ``digits`` say how a
reader wants to see them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

Tokens = tuple[str, ...]
# A cell holds one of our words, a number, words of the user's text, or nothing (shown as a dash).
Cell = str | int | float | Tokens | None

# How a number or text is to be read: "text" is ours, "tokens" the user's (shown isolated, in its
# own direction), "count" whole (or a mean of whole numbers), "number" rounded to ``digits``,
# "percent" a fraction shown times 100.
KINDS = ("text", "tokens", "count", "number", "percent")


@dataclass(frozen=True, slots=True)
class Quote:
    """A word of the user's text inside one of our sentences."""

    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """One plain sentence (or two) on what the score says and does not say."""

    kind: ClassVar[str] = "verdict"
    in_summary: ClassVar[bool] = True
    parts: tuple[str | Quote, ...]


@dataclass(frozen=True, slots=True)
class Tile:
    """One of the parts that the score is made of."""

    label: str
    value: Cell
    kind: str = "number"
    digits: int = 4
    note: str = ""


@dataclass(frozen=True, slots=True)
class Tiles:
    """The factors beside the score."""

    kind: ClassVar[str] = "tiles"
    in_summary: ClassVar[bool] = True
    items: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Band:
    """A named stretch of a gauge, from the band before it up to ``upper``."""

    upper: float
    label: str
    tone: str  # good, fair, warn or bad


@dataclass(frozen=True, slots=True)
class Gauge:
    """A value on a scale of named bands. It never overflows: the pointer stops at the end."""

    kind: ClassVar[str] = "gauge"
    in_summary: ClassVar[bool] = True
    label: str  # read out instead of the drawing
    value: float
    bands: tuple[Band, ...]
    as_percent: bool = True

    @property
    def end(self) -> float:
        """The upper end of the scale."""
        return self.bands[-1].upper


@dataclass(frozen=True, slots=True)
class Check:
    """One quantity worked out in two independent ways."""

    kind: ClassVar[str] = "check"
    in_summary: ClassVar[bool] = True
    quantity: str
    first_way: str
    first: float
    second_way: str
    second: float
    digits: int = 4

    @property
    def agrees(self) -> bool:
        """Whether the two are the same but for rounding in the last places."""
        return abs(self.first - self.second) <= 1e-9 * max(1.0, abs(self.first))


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a derivation: the formula, the user's numbers in it, what comes out."""

    label: str
    formula: str
    numbers: str
    value: float
    kind: str = "number"
    digits: int = 4


@dataclass(frozen=True, slots=True)
class Derivation:
    """The working, step by step. The value of the last step is the score."""

    kind: ClassVar[str] = "derivation"
    in_summary: ClassVar[bool] = False
    title: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its heading and how its cells are to be read."""

    label: str
    kind: str = "text"
    digits: int = 4
    help: str = ""
    full: float | None = None  # the value of a full bar; None draws no bar beside the number


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under headed columns; the first cell of a row names it."""

    kind: ClassVar[str] = "table"
    in_summary: ClassVar[bool] = False
    title: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    marked_row: int | None = None  # from 0
    mark: str = ""  # the word that marks it, such as "best"
    omitted: int = 0  # rows left out at the end


@dataclass(frozen=True, slots=True)
class InspectorRow:
    """One n-gram with its figures; ``cells`` go under the inspector's columns."""

    order: int
    matched: bool
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Inspector:
    """Every n-gram of the hypothesis, to be filtered by order and by matched or not."""

    kind: ClassVar[str] = "inspector"
    in_summary: ClassVar[bool] = False
    title: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[InspectorRow, ...]
    omitted: int = 0  # rows left out of long texts

    @property
    def orders(self) -> tuple[int, ...]:
        """The orders that have a row."""
        return tuple(sorted({row.order for row in self.rows}))


@dataclass(frozen=True, slots=True)
class MarkedToken:
    """A word of the user's text, and the longest order in which it was matched (0: none)."""

    text: str
    longest_match: int


MOST_BESIDE = 5  # references beside a marked text ...
MOST_WORDS_BESIDE = 2_000  # ... and words of them all


def beside(references: Sequence[Tokens]) -> tuple[Tokens, ...]:
    """Those of the references, from the first on, that a page shows beside a marked text."""
    shown: list[Tokens] = []
    for words in references[:MOST_BESIDE]:
        if sum(map(len, shown)) + len(words) > MOST_WORDS_BESIDE:
            break
        shown.append(words)
    return tuple(shown)


@dataclass(frozen=True, slots=True)
class MarkedText:
    """The hypothesis with its matched words marked, and the references beside it."""

    kind: ClassVar[str] = "marked-text"
    in_summary: ClassVar[bool] = False
    title: str
    caption: str
    tokens: tuple[MarkedToken, ...]
    omitted: int = 0
    references: tuple[Tokens, ...] = ()  # the first few, whole


@dataclass(frozen=True, slots=True)
class Edit:
    """One column of an alignment. ``operation`` is "=", "S", "I" or "D".

    An insertion is a word that must be put into the hypothesis (``hypothesis`` is None), a
    deletion one that must go (``reference`` is None).
    """

    operation: str
    hypothesis: str | None
    reference: str | None
    shifted: bool = False  # the hypothesis word was moved by a shift


@dataclass(frozen=True, slots=True)
class Alignment:
    """The hypothesis (after its shifts) and the reference, word by word."""

    kind: ClassVar[str] = "alignment"
    in_summary: ClassVar[bool] = False
    title: str
    caption: str
    edits: tuple[Edit, ...]
    omitted: int = 0


@dataclass(frozen=True, slots=True)
class Shift:
    """One move of a block of words, with the whole text before and after it."""

    before: Tokens
    after: Tokens
    start: int  # of the block in ``before``, from 0
    length: int  # words
    target: int  # of the block in ``after``, from 0
    edits_before: int  # without shifts, from this text to the reference
    edits_after: int


@dataclass(frozen=True, slots=True)
class Shifts:
    """The shifts in the order in which they were made."""

    kind: ClassVar[str] = "shifts"
    in_summary: ClassVar[bool] = False
    title: str
    caption: str
    steps: tuple[Shift, ...]


def signed(written: str) -> str:
    """A number in text with a true minus sign, as the pages print it."""
    return written.replace("-", "\N{MINUS SIGN}")


@dataclass(frozen=True, slots=True)
class State:
    """A text on its way from one to another, and the step that led to it."""

    operation: str  # "", "Sh", "S", "I" or "D"; empty before the first step
    says: tuple[str | Quote, ...]
    words: Tokens
    start: int = 0  # of the words that the step put there, from 0
    length: int = 0  # words that the step put there
    gone: Tokens = ()  # words that it took away in the same place
    skipped: tuple[int, int] = (0, 0)  # words of the text left out before and after ``words``


@dataclass(frozen=True, slots=True)
class Player:
    """A text step by step, from its first state to its last."""

    kind: ClassVar[str] = "player"
    in_summary: ClassVar[bool] = False
    title: str
    caption: str
    states: tuple[State, ...]
    omitted: int = 0  # states left out at the end of long texts


@dataclass(frozen=True, slots=True)
class Link:
    """A word of the hypothesis joined to a word of the reference."""

    hypothesis: int  # position of the word, from 0
    reference: int  # position of the word, from 0
    stage: str  # what joined them: "exact", "stem" or "synonym"
    chunk: int  # the run of neighbours that it belongs to, from 1


@dataclass(frozen=True, slots=True)
class Links:
    """Two sentences and the links between their words; a word has one link at most."""

    kind: ClassVar[str] = "links"
    in_summary: ClassVar[bool] = False
    title: str
    caption: str
    hypothesis: Tokens
    reference: Tokens
    links: tuple[Link, ...]  # in the order of the hypothesis
    omitted: int = 0  # links left out of long texts


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a small plot; ``of`` is what a full bar would be."""

    label: str
    value: float
    of: float
    kind: str = "number"
    digits: int = 4


@dataclass(frozen=True, slots=True)
class Bars:
    """A small plot of horizontal bars."""

    kind: ClassVar[str] = "bars"
    in_summary: ClassVar[bool] = False
    title: str
    caption: str
    items: tuple[Bar, ...]


Section = (
    Verdict
    | Tiles
    | Gauge
    | Check
    | Derivation
    | Table
    | Inspector
    | MarkedText
    | Alignment
    | Shifts
    | Player
    | Links
    | Bars
)


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What another tool or convention gives for the same text, and why it differs."""

    tool: str
    value: float | None  # on this metric's own scale; None where the tool gives no number
    why: str
    options: Mapping[str, Any] = field(default_factory=dict)


def as_data(section: Section | Elsewhere) -> dict[str, Any]:
    """``section`` as plain dictionaries and lists, for JSON."""
    data = asdict(section)
    if isinstance(section, Elsewhere):
        return data
    return {"kind": section.kind, **data}
