"""How the working is shown: filters over pure functions.

Numbers are rounded here and nowhere else; the values themselves keep their full precision.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django import template

from calculators.direction import text_direction
from calculators.drawings import drawn, joined, share
from calculators.scoring import AnyEvaluation, AnyMetric, Elsewhere, Preset, Scale, Section
from calculators.scoring.explain import (
    Alignment,
    Bar,
    Cell,
    Check,
    Column,
    Edit,
    MarkedText,
    Player,
    Quote,
    Shift,
    State,
    Step,
    Tile,
    Tiles,
    Tokens,
)
from calculators.scoring.recipes import Recipe

register = template.Library()
for drawing in (drawn, joined, share):
    register.filter(drawing)

NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
MINUS = "\N{MINUS SIGN}"
NOTHING = "\N{EN DASH}"
PERCENT_DIGITS = 2
WORD_JOINER = "\u2060"
_TORN_HYPHEN = re.compile(r"(?<![^\s(])-(?=\w)|(?<=\d)-(?=grams?\b)")
_BEFORE_WORD = re.compile(r"(?<=\d) (?=[^\W\d])")
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


# Numbers


@register.filter
def number(value: float, digits: int = 4) -> str:
    """``value`` rounded to ``digits`` places; as a power of ten where it would round to zero."""
    shown = f"{abs(value):,.{digits}f}"
    if value and not shown.strip("0.,"):
        shown = _power_of_ten(abs(value))
    is_negative = value < 0 and shown.strip("0.,") != ""
    return (MINUS if is_negative else "") + shown


def _power_of_ten(value: float) -> str:
    mantissa, exponent = f"{value:.1e}".split("e")
    power = str(int(exponent)).translate(SUPERSCRIPTS)
    return f"{mantissa}{NO_BREAK_SPACE}×{NO_BREAK_SPACE}10{power}"


@register.filter
def thousands(value: float) -> str:
    """A whole number with its thousands apart; a mean of whole numbers with up to two places."""
    if float(value).is_integer():
        return number(value, 0)
    return number(value, 2)


@register.filter
def percent(value: float) -> str:
    """A fraction in per cent: ``33.33 %``."""
    return f"{number(value * 100, PERCENT_DIGITS)}{NO_BREAK_SPACE}%"


@register.filter
def score(value: float | None, scale: Scale) -> str:
    """A score as its literature prints it, with its unit."""
    if value is None:
        return NOTHING
    unit = f"{NO_BREAK_SPACE}{scale.unit}" if scale.unit else ""
    return bare_score(value, scale) + unit


@register.filter
def bare_score(value: float, scale: Scale) -> str:
    """A score as its literature prints it, without its unit."""
    return number(value * scale.multiplier, scale.digits)


def shown(value: Cell, kind: str, digits: int) -> str:
    """``value`` read as ``kind`` says; a dash where there is none."""
    if value is None:
        return NOTHING
    if isinstance(value, tuple):
        return " ".join(value)
    if isinstance(value, str):
        return value
    if kind == "count":
        return thousands(value)
    if kind == "percent":
        return percent(value)
    # A number in a column of words is one of ours, such as the number of a reference.
    return thousands(value) if kind == "text" else number(value, digits)


@register.filter
def figure(item: Tile | Step | Bar) -> str:
    """The value of a tile, step or bar as its own kind and digits say."""
    return shown(item.value, item.kind, item.digits)


@register.filter
def rounded(value: float, digits: int) -> str:
    """``value`` to ``digits`` places, or whole where it is a whole number."""
    return thousands(value) if float(value).is_integer() else number(value, digits)


@register.filter
def kept_together(text: str) -> str:
    """``text`` with each number on the line of the word after it: in a narrow column it parts."""
    return _BEFORE_WORD.sub(NO_BREAK_SPACE, text)


@register.filter
def hyphens_kept(text: str) -> str:
    """``text`` with no line ending after the hyphen of a switch, such as -N, or of 4-grams."""
    return _TORN_HYPHEN.sub(f"-{WORD_JOINER}", text)


# Tables


@register.filter
def is_number(column: Column) -> bool:
    """Whether a column holds figures, which stand to its end."""
    return column.kind not in ("text", "tokens")


@register.filter
def with_help(columns: Sequence[Column]) -> list[Column]:
    """The columns whose heading needs a sentence."""
    return [column for column in columns if column.help]


@dataclass(frozen=True, slots=True)
class Beside:
    """What another tool gives, beside our score."""

    tool: str
    value: str
    difference: str  # in words
    differs: bool
    why: str


@register.filter
def beside(others: Iterable[Elsewhere], run: AnyEvaluation) -> list[Beside]:
    """Other tools' scores, each with its difference from the score of ``run`` in words."""
    return [_beside(other, run.result.value, run.metric.scale) for other in others]


def _beside(other: Elsewhere, ours: float, scale: Scale) -> Beside:
    if other.value is None:
        return Beside(other.tool, NOTHING, "no number", True, other.why)
    words = difference(other.value - ours, scale)
    # What is the same is shown the same: NLTK gives 10⁻¹⁵⁵ and the like where it means 0.
    value = score(ours if words == SAME else other.value, scale)
    return Beside(other.tool, value, words, words != SAME, other.why)


SAME = "the same"


def difference(gap: float, scale: Scale) -> str:
    """How far another score lies from ours, in words."""
    if abs(gap) <= 1e-9:
        return SAME
    return f"{bare_difference(abs(gap), scale)} {'higher' if gap > 0 else 'lower'}"


def bare_difference(gap: float, scale: Scale) -> str:
    """A difference of two scores with its unit."""
    unit = scale.unit_of_difference
    return bare_score(gap, scale) + (f" {unit}" if unit else "")


# The user's words


@register.filter
def is_quote(part: str | Quote) -> bool:
    """Whether a part of a sentence is the user's."""
    return isinstance(part, Quote)


@register.filter
def direction(section: MarkedText | Alignment | Shift | Player) -> str:
    """``rtl`` or ``ltr``: the way in which the text of a section reads."""
    if isinstance(section, MarkedText):
        return text_direction(token.text for token in section.tokens)
    if isinstance(section, Alignment):
        words = ((edit.hypothesis or "") + (edit.reference or "") for edit in section.edits)
        return text_direction(words)
    if isinstance(section, Player):
        return text_direction(word for state in section.states for word in state.words)
    return text_direction(section.before)


OPERATIONS = {
    "=": "match",
    "S": "substitution",
    "I": "insertion",
    "D": "deletion",
    "Sh": "shift",
}


@register.filter
def operation(edit: Edit | State) -> str:
    """The operation of an edit or step in a word, which is its class in the style sheet, too."""
    return OPERATIONS[edit.operation]


@dataclass(frozen=True, slots=True)
class Pieces:
    """A text cut where a block of it stands."""

    left: Tokens
    block: Tokens
    right: Tokens


@register.filter
def cut_before(shift: Shift) -> Pieces:
    """The text before the shift, cut at the block that is about to move."""
    return _pieces(shift.before, shift.start, shift.length)


@register.filter
def cut(state: State) -> Pieces:
    """The text of a state, cut at the words that its step put there."""
    return _pieces(state.words, state.start, state.length)


@register.filter
def cut_after(shift: Shift) -> Pieces:
    """The text after the shift, cut at the block that has moved."""
    return _pieces(shift.after, shift.target, shift.length)


def _pieces(words: Tokens, start: int, length: int) -> Pieces:
    end = start + length
    return Pieces(words[:start], words[start:end], words[end:])


@register.filter
def moved(shift: Shift) -> str:
    """Which way and how far a block moved, in words that hold in any writing direction."""
    distance = abs(shift.target - shift.start)
    words = "word" if distance == 1 else "words"
    return f"{distance:,} {words} {'later' if shift.target > shift.start else 'earlier'}"


# Templates


@register.filter
def any_errors(options: Iterable[Any]) -> bool:
    """Whether one of the options shown is at fault."""
    return any(option.errors for option in options)


API_BODY_LIMIT = 4_000  # characters; a longer body would weigh more than the page around it


@register.filter
def api_body(run: AnyEvaluation) -> str:
    """What a program sends to get this answer, as JSON; empty where the text is long."""
    segment = run.corpus.segments[0]
    body = {
        "hypothesis": segment.hypothesis,
        "references": segment.references,
        "options": run.options.written(),
    }
    written = json.dumps(body, ensure_ascii=False, indent=2)
    return written if len(written) <= API_BODY_LIMIT else ""


LONGEST_CODE = 4_000  # characters; longer code would weigh more than the page around it


@register.filter
def is_short(recipe: Recipe) -> bool:
    """Whether the page shows a program and does not only offer it as a file."""
    return len(recipe.code) <= LONGEST_CODE


@register.filter
def told(error: Any) -> str:
    """An error for the summary: its message, after the field's name where it lacks that."""
    is_named = not error.label or error.message.startswith(error.label)
    return error.message if is_named else f"{error.label}: {error.message}"


@register.filter
def section_template(section: Section) -> str:
    """The template that prints a section."""
    return f"sections/{section.kind}.html"


@register.filter
def is_part(section: Section) -> bool:
    """Whether a section shows what the score is made of, and so stands beside it."""
    return isinstance(section, Tiles | Check)


@register.filter
def values_of(preset: Preset, metric: AnyMetric) -> str:
    """Every option under a preset as JSON, for the script that fills the form in."""
    return json.dumps(metric.options_for(preset.name, of_corpus=False).written())
