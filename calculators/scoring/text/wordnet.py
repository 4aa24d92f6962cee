"""Synonyms of English words from WordNet 3.0, as METEOR asks for them."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TABLE = Path(__file__).parent.with_name("data") / "wordnet-synonyms.txt.gz"

# An ending and what stands in its place in the base form, by part of speech: the rules of
# WordNet's own search for base forms, Morphy (the manual page morphy(7WN)).
_ENDINGS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "noun": (
        ("s", ""),
        ("ses", "s"),
        ("ves", "f"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    "verb": (
        ("s", ""),
        ("ies", "y"),
        ("es", "e"),
        ("es", ""),
        ("ed", "e"),
        ("ed", ""),
        ("ing", "e"),
        ("ing", ""),
    ),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}
PARTS_OF_SPEECH = tuple(_ENDINGS)


@dataclass(frozen=True, slots=True)
class PartOfSpeech:
    """What WordNet holds of one part of speech."""

    entries: Mapping[str, str]  # to its single-word synonyms; empty where it has but itself
    exceptions: Mapping[str, str]  # an irregular form to its base forms
    endings: tuple[tuple[str, str], ...]  # an ending, and that of the base form

    def synonyms(self, word: str) -> Iterator[str]:
        """The single words that share a synonym set with ``word`` or with a base form of it."""
        for form in (word, *self._base_forms(word)):
            found = self.entries.get(form)
            if found is not None:
                yield from found.split() if found else (form,)

    def _base_forms(self, word: str) -> Iterator[str]:
        irregular = self.exceptions.get(word)
        if irregular is not None:
            yield from irregular.split()
            return
        for ending, base_ending in self.endings:
            if word.endswith(ending):
                yield word.removesuffix(ending) + base_ending


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
        return frozenset(found for part in self.parts for found in part.synonyms(lowered)) | {word}


@cache
def wordnet() -> WordNet:
    """The table, read from its file at the first call."""
    _, *blocks = gzip.decompress(TABLE.read_bytes()).decode().split("\n\n")
    columns = [dict(line.split("\t") for line in block.split("\n")) for block in blocks]
    parts = zip(columns[::2], columns[1::2], _ENDINGS.values(), strict=True)
    return WordNet(tuple(PartOfSpeech(*part) for part in parts))
