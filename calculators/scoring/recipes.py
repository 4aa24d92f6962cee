"""How another tool is made to give the same number: a program or a command, as text.

A metric declares its recipes beside its options; the tests run what comes out.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .corpus import Segment

PYTHON, SHELL = "Python", "Shell"
SCORE_ONLY = "-b -w 12"  # sacreBLEU's: the score alone, to twelve places


@dataclass(frozen=True, slots=True)
class Recipe:
    """A program or command, whole, and the number that it prints."""

    tool: str
    language: str  # Python or Shell
    code: str
    prints: float
    note: str = ""  # why what it prints looks otherwise than the score

    @property
    def name(self) -> str:
        """What it is, in a few words."""
        return f"{self.tool}, {'in Python' if self.language == PYTHON else 'on the command line'}"


def python_text(text: str) -> str:
    """``text`` as Python writes it, with what can't be seen escaped."""
    return repr(text)


def python_words(words: Sequence[str]) -> str:
    """A list of words as one would type it."""
    joined = " ".join(words)
    # Some tokenisers leave a rare kind of white space inside a word.
    return f"{joined!r}.split()" if tuple(joined.split()) == tuple(words) else repr(list(words))


def python_list(items: Iterable[str]) -> str:
    """The list of ``items``, which are Python already, one a line."""
    return "".join(["[", *(f"\n    {item}," for item in items), "\n]"])


def python_arguments(values: Mapping[str, object], defaults: Mapping[str, object]) -> str:
    """The keyword arguments of a call that are not as the tool has them by default."""
    given = {name: value for name, value in values.items() if value != defaults.get(name)}
    return ", ".join(f"{name}={value!r}" for name, value in given.items())


def python_recipe(tool: str, lines: Iterable[str], prints: float, note: str = "") -> Recipe:
    """A recipe in Python from its lines."""
    return Recipe(tool, PYTHON, "\n".join(lines) + "\n", prints, note)


def python_pair(segment: Segment) -> tuple[str, str]:
    """The two assignments that the programs for raw text begin with."""
    references = python_list(map(python_text, segment.references))
    return (
        f"hypothesis = {python_text(segment.hypothesis)}",
        f"references = {references}",
    )


def sacrebleu_command(segment: Segment, settings: Sequence[str], prints: float) -> Recipe | None:
    """sacreBLEU on files of one line; None for a text that can't stand on one line of a file.

    sacreBLEU takes a blank line among the references for a missing reference.
    """
    texts = [text.rstrip() for text in (segment.hypothesis, *segment.references)]
    if not all(texts) or any("\n" in text for text in texts):
        return None
    names = [f"reference{number}.txt" for number in range(1, len(texts))]
    files = zip(["hypothesis.txt", *names], texts, strict=True)
    lines = [f"printf '%s\\n' {shlex.quote(text)} > {name}" for name, text in files]
    call = " ".join(["sacrebleu", *names, "-i hypothesis.txt", *settings, SCORE_ONLY])
    return Recipe("sacreBLEU", SHELL, "\n".join([*lines, call]) + "\n", prints)
