"""Synonyms of English words from WordNet 3.0, as METEOR asks for them."""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TABLE = Path(__file__).parent.with_name("data") / "wordnet-synonyms.txt.gz"

# The suffixes of an inflected form and those of the base form, pair by pair and by part of speech:
# the rules of WordNet's own search for base forms, Morphy (its manual page morphy).
_SUFFIXES: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "noun": (
        ("s", "ses", "ves", "xes", "zes", "ches", "shes", "men", "ies"),
        ("", "s", "f", "x", "z", "ch", "sh", "man", "y"),
    ),
    "verb": (
        ("s", "ies", "es", "es", "ed", "ed", "ing", "ing"),
        ("", "y", "e", "", "e", "", "e", ""),
    ),
    "adj": (("er", "est", "er", "est"), ("", "", "e", "e")),
    "adv": ((), ()),
}
PARTS_OF_SPEECH = tuple(_SUFFIXES)


@dataclass(frozen=True, slots=True)
class PartOfSpeech:
    """What WordNet holds of one part of speech."""

    entries: Mapping[str, str]  # to its single-word synonyms; empty where it has but itself
    exceptions: Mapping[str, str]  # an irregular form to its base forms
    suffixes: tuple[str, ...]  # what an inflected form may end in
    base_suffixes: tuple[str, ...]  # what stands in its place in the base form

    def forms(self, word: str) -> Sequence[str]:
        """``word`` and what may be its base forms."""
        if word in self.exceptions:
            return (word, *self.exceptions[word].split())
        if not word.endswith(self.suffixes):
            return (word,)
        rules = zip(self.suffixes, self.base_suffixes, strict=True)
        return (word, *(word.removesuffix(old) + new for old, new in rules if word.endswith(old)))


@dataclass(frozen=True, slots=True)
class WordNet:
    """The table of synonyms."""

    parts: tuple[PartOfSpeech, ...]

    def synonyms(self, word: str) -> frozenset[str]:
        """``word`` and the single words that share a synonym set with it.

        The search ignores case; the synonyms keep theirs, as in NLTK, so that a name such as
        "Paris" is never a synonym of a lower-cased word.
        """
        lowered = word.lower()
        found = {word}
        for part in self.parts:
            for form in part.forms(lowered):
                synonyms = part.entries.get(form)
                if synonyms is not None:
                    found.update(synonyms.split() or (form,))
        return frozenset(found)


@cache
def wordnet() -> WordNet:
    """The table, read from its file at the first call."""
    _, *blocks = gzip.decompress(TABLE.read_bytes()).decode().split("\n\n")
    tables = [_table(block) for block in blocks]
    parts = zip(tables[::2], tables[1::2], *zip(*_SUFFIXES.values(), strict=True), strict=True)
    return WordNet(tuple(PartOfSpeech(*part) for part in parts))


def _table(block: str) -> dict[str, str]:
    """A block of lines with a tab in each."""
    # Cut in one go: line by line takes three times as long.
    cells = block.replace("\t", "\n").split("\n")
    return dict(zip(cells[::2], cells[1::2], strict=True))
