"""What people type, as values: option texts, and text that is fit to be scored."""

from __future__ import annotations

import re

from .scoring import OptionSpec, ScoringError
from .scoring.options import OptionValue

# A lone surrogate is half a character: JSON can carry one, UTF-8 cannot.
_SURROGATE = re.compile("[\ud800-\udfff]")

# No data set has as many translations of one text, and the work grows with each.
MOST_REFERENCES = 100

_FLAGS = {
    **dict.fromkeys(("on", "true", "1", "yes"), True),
    **dict.fromkeys(("off", "false", "0", "no", ""), False),
}


class Absent:
    """The value of an option that was not given."""


ABSENT = Absent()


def option_value(spec: OptionSpec, text: str) -> OptionValue | Absent:
    """The value that ``text`` gives the option; ``ABSENT`` where it is blank and must not be.

    Raises ``ScoringError`` where the text does not fit.
    """
    text = text.strip()
    if spec.kind == "flag":
        return _flag(spec, text)
    if spec.kind == "reals":
        return spec.checked(text)
    if not text:
        return spec.checked(None) if spec.kind == "optional-real" else ABSENT
    return spec.checked(text if spec.kind == "choice" else _number(text))


def option_text(spec: OptionSpec, value: OptionValue) -> str:
    """``value`` as one would type it: what ``option_value`` reads back."""
    written = spec.written(value)
    if written is None:
        return ""
    if isinstance(written, bool):
        return "on" if written else "off"
    return str(written)


def _flag(spec: OptionSpec, text: str) -> bool:
    if text.lower() not in _FLAGS:
        raise ScoringError(
            f"{spec.label}: say on or off; true, false, yes, no, 1, 0 are taken too.", spec.name
        )
    return _FLAGS[text.lower()]


def _number(text: str) -> object:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def with_line_feeds(text: str) -> str:
    """``text`` with its line ends as LF; browsers send CRLF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def lines_of_references(text: str) -> list[str]:
    """The references of a text box, one a line; blank lines at the end are none."""
    lines = text.split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


def refuse_unscorable(text: str, field: str = "") -> None:
    """Raise ``ScoringError`` where ``text`` holds what no text does."""
    if "\0" in text:
        raise ScoringError("The text holds a NUL character. Remove it and score again.", field)
    if _SURROGATE.search(text):
        raise ScoringError(
            "The text holds half a character (a lone surrogate). Remove it and score again.", field
        )


def refuse_more_references(references: int, field: str = "") -> None:
    """Raise ``ScoringError`` where a segment has more references than are taken."""
    if references > MOST_REFERENCES:
        raise ScoringError(
            f"{references:,} references, of which {MOST_REFERENCES} are taken: each line is another"
            " reference of the same segment. Lines of a file are compared one by one under Files.",
            field,
        )


def refuse_longer(characters: int, allowed: int, field: str = "", *, what: str = "") -> None:
    """Raise ``ScoringError`` where a text has more characters than ``allowed``.

    ``what`` is told where it is more than the one text that the message stands beside.
    """
    about = f"{what}: " if what else ""
    if characters > allowed:
        raise ScoringError(
            f"{about}{characters:,} of {allowed:,} characters: shorten the text or score it on your"
            " own machine",
            field,
        )
