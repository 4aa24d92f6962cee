"""METEOR's options, counts and score.

Banerjee and Lavie (2005) with the formula of Lavie and Agarwal (2007), as NLTK has it. A segment's
score is that of its best reference. NLTK has no METEOR of a corpus: the score of a file is the
mean of its segments, and matches, chunks and lengths are summed to be shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..budget import Budget
from ..corpus import Corpus, Segment
from ..metric import Counts, Result
from ..options import Options, choice, flag, real
from ..text.tokenizers import TOKENIZERS, Tokenizer, tokenizer
from .align import Alignment, Lexicon, Words, align


@dataclass(frozen=True)
class MeteorOptions(Options):
    """What one may choose about METEOR."""

    alpha: float = real(
        0.9,
        "Alpha",
        "How far the mean leans to recall: 1 is recall alone, 0 precision alone.",
        minimum=0,
        maximum=1,
        short="a",
    )
    beta: float = real(
        3.0,
        "Beta",
        "The power of the fragmentation: the greater, the milder on few chunks.",
        minimum=0,
        maximum=100,
        short="b",
    )
    gamma: float = real(
        0.5,
        "Gamma",
        "The greatest penalty, where every match is a chunk of its own. 0 switches it off.",
        minimum=0,
        maximum=1,
        short="g",
    )
    tokenizer: str = choice(
        "nist", TOKENIZERS, "Tokeniser", "How the text is split into words.", short="tok"
    )
    lowercase: bool = flag(
        True,
        "Lowercase",
        "Counts The and the as one word. Stems are lower-case in any case.",
        short="case",
        shown=("mixed", "lc"),
    )
    stemming: bool = flag(
        True, "Stems", "Joins words with the same English stem, such as cats and cat.", short="stem"
    )
    synonyms: bool = flag(
        True,
        "Synonyms",
        "Joins words that share a meaning in WordNet 3.0, such as car and auto.",
        short="syn",
    )


@dataclass(frozen=True, slots=True)
class Rating:
    """METEOR's formula with one text's numbers in it."""

    precision: float
    recall: float
    fmean: float
    fragmentation: float  # chunks a match
    penalty: float
    score: float


def rate(
    matches: float,
    chunks: float,
    hypothesis_length: float,
    reference_length: float,
    options: MeteorOptions,
) -> Rating:
    """Lavie and Agarwal (2007), section 2. Without a match all is 0."""
    if not matches:
        return Rating(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    precision, recall = matches / hypothesis_length, matches / reference_length
    weighted = options.alpha * precision + (1 - options.alpha) * recall
    fmean = precision * recall / weighted
    fragmentation = chunks / matches
    penalty = options.gamma * fragmentation**options.beta
    return Rating(precision, recall, fmean, fragmentation, penalty, (1 - penalty) * fmean)


@dataclass(frozen=True, slots=True)
class MeteorCounts(Counts):
    """What METEOR needs of a segment; all but the score serves to show the whole."""

    score: float
    segments: int
    stages: tuple[int, ...]  # matches by the exact, stem and synonym stages
    chunks: int
    hypothesis_length: int  # words
    reference_length: int  # words, of the best reference

    @property
    def matches(self) -> int:
        """Words joined by any stage."""
        return sum(self.stages)

    def rating(self, options: MeteorOptions) -> Rating:
        """The formula with these counts in it."""
        return rate(
            self.matches, self.chunks, self.hypothesis_length, self.reference_length, options
        )


@dataclass(frozen=True, slots=True)
class MeteorResult(Result):
    """METEOR and what it is made of.

    For a file ``value`` is the mean of the segments; the rest is worked out from the summed
    counts, so the formula does not lead from it to ``value``.
    """

    matches: int  # words
    precision: float
    recall: float
    fmean: float
    chunks: int
    fragmentation: float  # chunks a match
    penalty: float
    stages: tuple[int, ...]  # matches by the exact, stem and synonym stages
    hypothesis_length: int  # words
    reference_length: int  # words


@dataclass(frozen=True)
class Rules:
    """How the texts of a run become words, and what is known of the words."""

    options: MeteorOptions
    tokenize: Tokenizer
    lexicon: Lexicon

    def compared(self, words: Words) -> Words:
        """``words`` in the case in which they are compared."""
        # After the text is cut, as in NLTK: the lower case of a Greek sigma depends on what
        # stands beside it.
        return tuple(map(str.lower, words)) if self.options.lowercase else words


def prepare(_corpus: Corpus, options: MeteorOptions, _budget: Budget) -> Rules:
    """The tokeniser, and the stems and synonyms of the stages that are on."""
    return Rules(
        options,
        tokenizer(options.tokenizer, lowercase=False),
        Lexicon.of(stemming=options.stemming, synonyms=options.synonyms),
    )


def measure(rules: Rules, segments: Iterable[Segment], budget: Budget) -> Iterator[MeteorCounts]:
    """Each segment's counts, those of its best reference."""
    for segment in segments:
        budget.spend(len(segment.hypothesis) + sum(map(len, segment.references)))
        hypothesis = rules.compared(rules.tokenize(segment.hypothesis))
        rated = [
            _counted(hypothesis, rules.compared(rules.tokenize(reference)), rules)
            for reference in budget.watched(segment.references)
        ]
        yield max(rated, key=lambda counts: counts.score)  # of equals the first, as in NLTK


def _counted(hypothesis: Words, reference: Words, rules: Rules) -> MeteorCounts:
    """The counts against one reference."""
    alignment = align(hypothesis, reference, rules.lexicon)
    return counts_of(alignment, len(hypothesis), len(reference), rules.options)


def counts_of(
    alignment: Alignment, hypothesis_length: int, reference_length: int, options: MeteorOptions
) -> MeteorCounts:
    """The counts of one segment that is aligned so; lengths in words."""
    chunks = alignment.chunks
    rating = rate(alignment.matches, chunks, hypothesis_length, reference_length, options)
    stages = tuple(map(len, alignment.stages))
    return MeteorCounts(rating.score, 1, stages, chunks, hypothesis_length, reference_length)


def finish(counts: MeteorCounts, options: MeteorOptions) -> MeteorResult:
    """The mean score of the segments, and the formula's parts from the summed counts.

    Where nothing matches, an empty side included, a segment's score is 0.
    """
    rating = counts.rating(options)
    return MeteorResult(
        value=counts.score / counts.segments,
        matches=counts.matches,
        precision=rating.precision,
        recall=rating.recall,
        fmean=rating.fmean,
        chunks=counts.chunks,
        fragmentation=rating.fragmentation,
        penalty=rating.penalty,
        stages=counts.stages,
        hypothesis_length=counts.hypothesis_length,
        reference_length=counts.reference_length,
    )
