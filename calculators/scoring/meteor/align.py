"""METEOR's alignment as NLTK makes it: exact words, then stems, then synonyms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Generic, TypeVar

from ..text.stemmer import stem
from ..text.wordnet import wordnet

STAGES = ("exact", "stem", "synonym")

Words = tuple[str, ...]
Pair = tuple[int, int]  # position in the hypothesis, position in the reference
_Places = list[tuple[int, str]]  # a word and where it stands, in the order of the text

V = TypeVar("V")


class Memo(dict[str, V], Generic[V]):
    """What a function gives for words, each worked out once.

    It belongs to one run and goes with it: no word of a user's text outlives the request.
    """

    def __init__(self, work: Callable[[str], V]) -> None:
        super().__init__()
        self._work = work

    def __missing__(self, word: str) -> V:
        found = self[word] = self._work(word)
        return found


@dataclass(frozen=True)
class Lexicon:
    """What a run knows of words beyond their spelling; None where a stage is off."""

    stems: Memo[str] | None
    synonyms: Memo[frozenset[str]] | None
    looks_up_stems: bool = True  # False: synonyms of the word itself, which NLTK does not do

    @classmethod
    def of(cls, *, stemming: bool, synonyms: bool, looks_up_stems: bool = True) -> Lexicon:
        """The lexicon for the stages that are on. WordNet is read where it is needed."""
        return cls(
            Memo(stem) if stemming else None,
            Memo(wordnet().synonyms) if synonyms else None,
            looks_up_stems,
        )

    def base(self, word: str) -> str:
        """What later stages compare in place of ``word``: its stem, where stems are on."""
        return word if self.stems is None else self.stems[word]

    def stage(self, hypothesis: str, reference: str) -> str:
        """The first stage that would join two words that some stage joins."""
        if hypothesis == reference:
            return STAGES[0]
        return STAGES[1] if self.base(hypothesis) == self.base(reference) else STAGES[2]


@dataclass(frozen=True)
class Alignment:
    """Which words of a hypothesis and a reference are joined, by stage."""

    stages: tuple[tuple[Pair, ...], ...]  # exact, stem, synonym

    @property
    def matches(self) -> int:
        """Words of the hypothesis that are joined to one of the reference."""
        return sum(map(len, self.stages))

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """All pairs in the order of the hypothesis."""
        return tuple(sorted(pair for stage in self.stages for pair in stage))

    @property
    def chunks(self) -> int:
        """Runs of pairs that are neighbours in both texts, as few as they can be put in."""
        return count_chunks(self.pairs)


def count_chunks(pairs: Sequence[Pair]) -> int:
    """Runs of pairs that are neighbours in both texts; ``pairs`` in the hypothesis's order."""
    if not pairs:
        return 0
    return 1 + sum((i + 1, j + 1) != after for (i, j), after in pairwise(pairs))


def align(hypothesis: Words, reference: Words, lexicon: Lexicon) -> Alignment:
    """NLTK's alignment.

    Each stage goes through the words that are still free from the hypothesis's end and takes the
    last free word of the reference that fits. It does not look for the fewest chunks.
    """
    exact, left, left_there = _join_equal(list(enumerate(hypothesis)), list(enumerate(reference)))
    stems: list[Pair] = []
    if lexicon.stems is not None and left and left_there:
        stemmed, stemmed_there = _stemmed(left, lexicon.stems), _stemmed(left_there, lexicon.stems)
        stems, kept, kept_there = _join_equal(stemmed, stemmed_there)
        if not lexicon.looks_up_stems:
            kept, kept_there = _still_free(left, kept), _still_free(left_there, kept_there)
        left, left_there = kept, kept_there
    synonyms: list[Pair] = []
    if lexicon.synonyms is not None and left and left_there:
        synonyms = _join_synonyms(left, left_there, lexicon.synonyms)
    return Alignment((tuple(exact), tuple(stems), tuple(synonyms)))


def _stemmed(places: _Places, stems: Memo[str]) -> _Places:
    return [(place, stems[word]) for place, word in places]


def _still_free(places: _Places, free: _Places) -> _Places:
    kept = {place for place, _ in free}
    return [(place, word) for place, word in places if place in kept]


def _by_word(places: Iterable[tuple[int, str]]) -> dict[str, list[int]]:
    """Where each word stands, from left to right."""
    found: dict[str, list[int]] = {}
    for place, word in places:
        found.setdefault(word, []).append(place)
    return found


def _join_equal(hypothesis: _Places, reference: _Places) -> tuple[list[Pair], _Places, _Places]:
    """The pairs of equal words, and what stays free on either side."""
    free = _by_word(reference)
    pairs: list[Pair] = []
    left: _Places = []
    for place, word in reversed(hypothesis):
        there = free.get(word)
        if there:
            pairs.append((place, there.pop()))
        else:
            left.append((place, word))
    left.reverse()
    taken = {there for _, there in pairs}
    return pairs, left, [item for item in reference if item[0] not in taken]


def _join_synonyms(
    hypothesis: _Places, reference: _Places, synonyms: Memo[frozenset[str]]
) -> list[Pair]:
    """The pairs whose reference word is a synonym of the hypothesis's."""
    free = _by_word(reference)
    pairs: list[Pair] = []
    for place, word in reversed(hypothesis):
        # This way round: it goes through the few synonyms, not through all free words.
        fitting = free.keys() & synonyms[word]
        if fitting:
            chosen = max(fitting, key=lambda fit: free[fit][-1])
            pairs.append((place, free[chosen].pop()))
            if not free[chosen]:
                del free[chosen]
    return pairs
