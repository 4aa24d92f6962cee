"""The alignment that METEOR's papers ask for: most matches, then fewest chunks.

Banerjee and Lavie (2005) want the alignment with the fewest crossings, later papers the one with
the fewest chunks; to find the latter is hard in general, so the search here is exact where words
are seldom repeated, bounded elsewhere, and says which of the two it was.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from heapq import nsmallest
from typing import Any, NamedTuple

from ..budget import Budget
from .align import Alignment, Lexicon, Pair, Words, count_chunks

# Beyond so many pairs that might be joined, such as 40 copies of a word against 50, no search.
MOST_CANDIDATES = 2_000
# So many partial alignments are kept after each word of the hypothesis. With both bounds the
# longest search takes some tenths of a second.
MOST_KEPT = 100
# The place of a word that is not joined.
NOWHERE = -1

_State = tuple[int, int]  # the taken places, as bits, and the place of the last word


@dataclass(frozen=True, slots=True)
class FewestChunks:
    """An alignment with as few chunks as the search found."""

    pairs: tuple[Pair, ...]  # in the order of the hypothesis
    chunks: int
    proven: bool  # False: the search was cut short, so fewer may be possible


class _Path(NamedTuple):
    """A partial alignment, from the hypothesis's start up to some word; the least is the best."""

    unmatched: int  # words that could have been joined and were not
    chunks: int
    pairs: tuple[Any, ...] | None  # the last pair and, nested, those before it


_Layer = dict[_State, _Path]


def fewest_chunks(
    hypothesis: Words, reference: Words, lexicon: Lexicon, greedy: Alignment, budget: Budget
) -> FewestChunks | None:
    """Of the alignments with most matches one with fewest chunks; None where it is not searched.

    Any stage may join a pair. ``greedy`` is what stands where the search finds nothing better.
    """
    candidates = _candidates(hypothesis, reference, lexicon)
    if candidates is None:
        return None
    paths, proven = _search(candidates, greedy.matches, budget)
    found = _pairs(min(paths, key=lambda path: path[:2])) if paths else ()
    best = min(found, greedy.pairs, key=lambda pairs: (-len(pairs), count_chunks(pairs)))
    return FewestChunks(best, count_chunks(best), proven)


def _candidates(
    hypothesis: Words, reference: Words, lexicon: Lexicon
) -> list[tuple[int, ...]] | None:
    """For each word of the hypothesis the places in the reference that some stage would join."""
    synonyms = lexicon.synonyms
    bases = [lexicon.base(word) for word in hypothesis]
    places: dict[str, list[int]] = {}
    for place, word in enumerate(map(lexicon.base, reference)):
        places.setdefault(word, []).append(place)
    counts = Counter(bases)
    fitting = {
        word: places.keys() & ({word} if synonyms is None else synonyms[word]) for word in counts
    }
    pairs = sum(
        count * len(places[other]) for word, count in counts.items() for other in fitting[word]
    )
    if pairs > MOST_CANDIDATES:
        return None
    return [
        tuple(sorted(place for other in fitting[word] for place in places[other])) for word in bases
    ]


def _search(
    candidates: list[tuple[int, ...]], least_matches: int, budget: Budget
) -> tuple[list[_Path], bool]:
    """Whole alignments, and whether the best of all is sure to be among them.

    It goes word by word. Of the paths that agree in the last word's place and in the taken places
    that later words could still want, one is kept, since they all have the same future.
    """
    wanted = _wanted_later(candidates)
    slack = sum(map(bool, candidates)) - least_matches  # so many words may go unmatched
    layer: _Layer = {(0, NOWHERE): _Path(0, 0, None)}
    proven = True
    for place, there in enumerate(candidates):
        budget.spend(len(layer) * (len(there) + 1))
        layer = _next_layer(layer, place, there, wanted[place], slack)
        if len(layer) > MOST_KEPT:
            proven = False
            layer = dict(nsmallest(MOST_KEPT, layer.items(), key=lambda item: item[1][:2]))
    return list(layer.values()), proven


def _next_layer(
    layer: _Layer, place: int, there: tuple[int, ...], wanted: int, slack: int
) -> _Layer:
    """The paths with one more word, the one at ``place``, joined or not."""
    following: _Layer = {}
    for (taken, last), (unmatched, chunks, pairs) in layer.items():
        skipped = unmatched + bool(there)
        if skipped <= slack:
            _keep(following, (taken & wanted, NOWHERE), _Path(skipped, chunks, pairs))
        goes_on = last + 1 if last != NOWHERE else NOWHERE
        for target in there:
            if not taken >> target & 1:
                state = ((taken | 1 << target) & wanted, target)
                more = chunks + (target != goes_on)
                _keep(following, state, _Path(unmatched, more, ((place, target), pairs)))
    return following


def _keep(layer: _Layer, state: _State, path: _Path) -> None:
    known = layer.get(state)
    if known is None or path[:2] < known[:2]:
        layer[state] = path


def _wanted_later(candidates: list[tuple[int, ...]]) -> list[int]:
    """For each word the places, as bits, that some word after it could be joined to."""
    wanted = [0] * len(candidates)
    for place in range(len(candidates) - 1, 0, -1):
        bits = sum(1 << there for there in candidates[place])
        wanted[place - 1] = wanted[place] | bits
    return wanted


def _pairs(path: _Path) -> tuple[Pair, ...]:
    """The pairs of a path in the order of the hypothesis."""
    found: list[Pair] = []
    rest = path.pairs
    while rest is not None:
        pair, rest = rest
        found.append(pair)
    return tuple(reversed(found))
