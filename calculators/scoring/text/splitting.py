"""How text without spaces between words is split: the ways there are, and what a metric offers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from ..options import OptionValue
from .tokenizers import TOKENIZERS

# What to do about a language written without spaces, by its name; nothing where all is well.
Advice = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Way:
    """A way to split such text, the same for every metric that knows it."""

    name: str
    label: str  # behind "split"
    tool: str
    help: str
    languages: tuple[str, ...] = ()  # those it is right for; empty: any

    def suits(self, language: str) -> bool:
        """Whether it finds words, or characters, in a text of that language."""
        return not self.languages or language in self.languages


WAYS = (
    Way(
        "zh",
        "as Chinese",
        "sacreBLEU’s zh tokeniser",
        "Each Chinese character is a word, and all else is split at spaces and punctuation; TER and"
        " WER do so as sacreBLEU’s normalized with asian_support.",
        ("Chinese",),
    ),
    Way(
        "char",
        "by characters",
        "for any script",
        "Every character is a word, letters too. TER and WER count the spaces as well.",
    ),
)


def best_way(language: str) -> Way:
    """The first of the ways that suits the language."""
    return next(way for way in WAYS if way.suits(language))


def no_advice(language: str) -> str:
    """Nothing: for a metric that counts no words."""
    return ""


def _never(options: Any) -> Advice:
    return no_advice


@dataclass(frozen=True, slots=True)
class Splitting:
    """What a metric offers for text without spaces; nothing where it counts characters already.

    ``ways`` are the values of its options for those of ``WAYS`` that it knows; ``advice`` says,
    for options and then a language, what to do so that its words are words.
    """

    ways: Mapping[str, Mapping[str, OptionValue]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    advice: Callable[[Any], Advice] = _never


def by_tokenizer(name: str) -> Advice:
    """What to do in a metric that splits words with the tokeniser ``name``."""
    known = next((way for way in WAYS if way.name == name), None)

    def advice(language: str) -> str:
        return "" if known and known.suits(language) else use_another_tokenizer(language)

    return advice


def use_another_tokenizer(language: str) -> str:
    """The tokenisers that suit a language, and the metric that needs none."""
    fit = [way.name for way in WAYS if way.suits(language)]
    # By label and by value: the menu shows the one, the command line and the API take the other.
    named = [f"{choice.label} ({choice.value})" for choice in TOKENIZERS if choice.value in fit]
    return (
        f"Use the tokeniser {' or '.join(named)}, or the metric chrF; by words a whole phrase"
        " counts as one."
    )


# For every metric with the option ``tokenizer``, one of ``TOKENIZERS``.
BY_TOKENIZER = Splitting(
    {way.name: {"tokenizer": way.name} for way in WAYS},
    lambda options: by_tokenizer(options.tokenizer),
)
