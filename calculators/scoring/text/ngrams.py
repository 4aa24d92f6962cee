"""N-grams of a token sequence and how many of them another text has too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

G = TypeVar("G", bound=Hashable)  # an n-gram, whatever stands for it
Ngram = tuple[str, ...]
NgramCounts = tuple[Counter[Ngram], ...]  # of orders 1..N


def count_ngrams(tokens: Sequence[str], max_order: int) -> NgramCounts:
    """How often each n-gram occurs in ``tokens``: one counter an order, of orders 1..N.

    The counter of an order longer than the text is empty.
    """
    return tuple(Counter(ngrams(tokens, order)) for order in range(1, max_order + 1))


def ngrams(tokens: Sequence[str], order: int) -> Iterable[Ngram]:
    """The n-grams of one order, from left to right."""
    return zip(*(tokens[start:] for start in range(order)), strict=False)


def most_in_one(references: Sequence[Counter[G]]) -> Counter[G]:
    """For each n-gram the greatest count that one of the references has."""
    most = Counter(references[0])
    # By hand, as Counter's own union goes through all of ``most`` again for each reference.
    for counts in references[1:]:
        for ngram, count in counts.items():
            if count > most.get(ngram, 0):
                most[ngram] = count
    return most


def clipped(hypothesis: Counter[G], reference: Counter[G]) -> Counter[G]:
    """For each matched n-gram how often it counts: no more often than the reference has it."""
    return Counter(
        {
            ngram: min(count, reference[ngram])
            for ngram, count in hypothesis.items()
            if ngram in reference
        }
    )
