"""The information weights of a corpus, by whichever way is faster for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from ..budget import Budget
from ..corpus import Corpus, Segment
from ..text.arrays import is_worth_arrays
from ..text.ngrams import Ngram
from ..text.tokenizers import Tokenizer
from . import dictionaries, tables
from .counts import NistCounts, NistOptions


class Weights(Protocol):
    """The counts that weigh the n-grams of a corpus, and the counting of segments by them.

    The references of a segment to measure must be references of the corpus.
    """

    @property
    def options(self) -> NistOptions:
        """Those of the run."""

    @property
    def tokenize(self) -> Tokenizer:
        """Text in, words out."""

    def occurrences(self, ngram: Ngram) -> int:
        """How often the references of the corpus have it."""

    def prefix_occurrences(self, ngram: Ngram) -> int:
        """How often they have it without its last word; for a single word what it is held against.

        It is what the tool counts, which may pass over a word: see ``taking_for_false``.
        """

    def taking_for_false(self, word: str) -> Weights:
        """Weights that pass over ``word`` as a prefix, as Perl does with ``0``."""

    def measure(self, segments: Iterable[Segment], budget: Budget) -> Iterator[NistCounts]:
        """Each segment's counts."""


def prepare(corpus: Corpus, options: NistOptions, budget: Budget) -> Weights:
    """The weights from all references of the corpus."""
    # Of a single segment every n-gram is looked up to show it, for which arrays are slow.
    if len(corpus) > 1 and is_worth_arrays(corpus.segments):
        return tables.prepare(corpus, options, budget)
    return dictionaries.prepare(corpus, options, budget)


def measure(weights: Weights, segments: Iterable[Segment], budget: Budget) -> Iterator[NistCounts]:
    """Each segment's counts."""
    return weights.measure(segments, budget)
