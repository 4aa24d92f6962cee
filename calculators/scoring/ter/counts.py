"""The mathematics of TER: options, counts of a segment, the score made of them.

Snover et al. (2006), "A study of translation edit rate with targeted human annotation", as
sacreBLEU 2.6 counts it. An insertion is a word that must be put *into the hypothesis*.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..budget import Budget
from ..corpus import Corpus, Segment
from ..edits import operations, plain_operations, symbols
from ..metric import Counts, Result, Scores
from ..options import Choice, Options, choice, flag
from ..text.tokenizers import Tokenizer
from .shifts import (
    MOST_CANDIDATES,
    Outcome,
    counted,
    search,
    searched,
    with_operations,
    without_shifts,
)
from .text import Preparation

MEAN_LENGTH, BEST_REFERENCE = "mean-length", "best-reference"
WORDS, CHARACTERS = "words", "characters"

_MOST_CELLS = 4_000_000  # of a table whose rows are all kept: 1 MB


@dataclass(frozen=True)
class TerOptions(Options):
    """What one may choose about TER."""

    lowercase: bool = flag(
        True,
        "Lowercase",
        "Capital and small letters count as the same.",
        short="case",
        shown=("mixed", "lc"),
    )
    normalize: bool = flag(
        True,
        "Normalise punctuation",
        "Marks are split off the words, and &quot; &amp; &lt; &gt; are read as characters."
        " sacreBLEU does not do so unless told to.",
        short="norm",
    )
    shifts: bool = flag(
        True,
        "Count shifts",
        "A block of words in the wrong place costs one edit. Off, the score is the word error"
        " rate.",
        short="shifts",
    )
    no_punct: bool = flag(
        False,
        "Remove punctuation",
        'The marks . , ? : ; ! " ( ) are taken out, no others.',
        short="punct",
        shown=("yes", "no"),
    )
    asian: bool = flag(
        False,
        "Split Asian characters",
        "Chinese characters and some others count as words of their own. Does nothing alone: it"
        " needs Normalise punctuation, and with Remove punctuation it takes out Asian marks too.",
        short="asian",
    )
    multi_reference: str = choice(
        MEAN_LENGTH,
        (
            Choice(
                MEAN_LENGTH,
                "Fewest edits over the mean length",
                "The fewest edits over the references, divided by their mean length.",
            ),
            Choice(
                BEST_REFERENCE,
                "Lowest rate of a reference",
                "The lowest rate by a reference's own length.",
            ),
        ),
        "Several references",
        "How several references make one score.",
        short="multi",
    )
    unit: str = choice(
        WORDS,
        (
            Choice(WORDS, "Words", "Words are compared."),
            Choice(
                CHARACTERS,
                "Characters",
                "Characters are compared, spaces between words included.",
            ),
        ),
        "Unit",
        "What is compared and counted. Characters suit text without spaces.",
        short="unit",
    )


@dataclass(frozen=True, slots=True)
class TerCounts(Counts):
    """What a segment adds to the score. Operations are those towards its best reference."""

    edits: int
    insertions: int
    deletions: int
    substitutions: int
    shifts: int
    reference_length: float  # mean over the references, or the best reference's own
    unshifted_edits: int  # the same without any shift ...
    unshifted_length: float  # ... and the length that goes with them
    stopped: int  # 1 where the search met the limit of candidates, for any reference
    best_reference: int  # from 1; a sum over segments means nothing
    segments: int  # 1


@dataclass(frozen=True, slots=True)
class TerResult(Result):
    """The translation edit rate, a fraction that may pass 1, and what it is made of."""

    edits: int
    insertions: int
    deletions: int
    substitutions: int
    shifts: int
    reference_length: float  # words; a mean where there are several references
    best_reference: int | None  # from 1; None for a file, where every line has its own
    rating: str


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is needed to score a segment."""

    options: TerOptions
    limit: int | None = MOST_CANDIDATES  # of the search for shifts; None: none

    def outcome(self, hypothesis: str, reference: str, budget: Budget) -> Outcome:
        """What the search finds between two strings of symbols."""
        if self.options.shifts:
            return search(hypothesis, reference, budget, self.limit)
        return without_shifts(hypothesis, reference, budget)

    def searched(
        self, hypothesis: str, reference: str, distance: int, least: int, budget: Budget
    ) -> Outcome:
        """The same where more than the bags of words is to be compared."""
        if self.options.shifts:
            return searched(hypothesis, reference, distance, least, budget, self.limit)
        return with_operations(hypothesis, reference, distance, budget)

    @property
    def tokenize(self) -> Tokenizer:
        """What prepares a hypothesis and splits it into units."""
        return self._tokenizer(twice=False)

    @property
    def tokenize_reference(self) -> Tokenizer:
        """The same for a reference.

        sacreBLEU prepares references twice, in ``Metric._cache_references`` and again in
        ``TER._extract_reference_info``, which tells where normalising has not done all at once:
        ``dog's.`` gives ``dog's .`` and then ``dog 's .``
        """
        return self._tokenizer(twice=self.options.normalize)

    def _tokenizer(self, *, twice: bool) -> Tokenizer:
        options = self.options
        preparation = Preparation(
            options.lowercase, options.normalize, options.asian, options.no_punct, twice
        )
        if options.unit == CHARACTERS:
            return preparation.characters
        return preparation.words


@dataclass(frozen=True, slots=True)
class Compared:
    """The hypothesis held against one reference."""

    reference: str  # as symbols
    outcome: Outcome

    @property
    def rate(self) -> float:
        """The edits by this reference's own length."""
        return rate(self.outcome.edits, len(self.reference))


@dataclass(frozen=True, slots=True)
class ReferenceTrace:
    """Everything that happened between the hypothesis and one reference."""

    words: tuple[str, ...]
    outcome: Outcome
    steps: str  # the operations of the residual edits, a letter a column

    @property
    def rate(self) -> float:
        """The edits by this reference's own length."""
        return rate(self.outcome.edits, len(self.words))


@dataclass(frozen=True, slots=True)
class TerTrace:
    """Everything that happened in one segment."""

    counts: TerCounts
    hypothesis: tuple[str, ...]
    references: tuple[ReferenceTrace, ...]

    @property
    def best(self) -> ReferenceTrace:
        """The reference whose operations are counted."""
        return self.references[self.counts.best_reference - 1]


def rate(edits: float, length: float) -> float:
    """``edits`` by ``length``; against no words 1 if there is any edit, else 0."""
    if length:
        return edits / length
    return 1.0 if edits else 0.0


def rating(value: float) -> str:
    """The name of a rate's class: a rule of thumb, no standard."""
    if value < 0.1:
        return "excellent"
    if value <= 0.3:
        return "good"
    return "fair" if value <= 0.5 else "heavy post-editing"


def prepare(corpus: Corpus, options: TerOptions, budget: Budget) -> Prepared:
    """TER weighs nothing over the whole corpus, so this is only the options."""
    return Prepared(options)


def one_by_one(
    prepared: Prepared, segments: Iterable[Segment], budget: Budget
) -> Iterator[TerCounts]:
    """The counts of each segment, one after the other."""
    for segment in segments:
        hypothesis, references = _split(prepared, segment, budget)
        yield _counts(prepared, _compared(prepared, hypothesis, references, budget))


def trace(prepared: Prepared, segment: Segment, budget: Budget) -> TerTrace:
    """Everything that happened in ``segment``."""
    hypothesis, references = _split(prepared, segment, budget)
    compared = _compared(prepared, hypothesis, references, budget)
    return TerTrace(
        _counts(prepared, compared),
        hypothesis,
        tuple(
            ReferenceTrace(words, one.outcome, _steps(one, budget))
            for words, one in zip(references, compared, strict=True)
        ),
    )


def finish(counts: TerCounts, options: TerOptions) -> TerResult:
    """The translation edit rate.

    An empty hypothesis scores 1. Against references of no words at all the rate is 1 where the
    hypothesis has words and 0 where it has none.
    """
    value = rate(counts.edits, counts.reference_length)
    return TerResult(
        value=value,
        edits=counts.edits,
        insertions=counts.insertions,
        deletions=counts.deletions,
        substitutions=counts.substitutions,
        shifts=counts.shifts,
        reference_length=counts.reference_length,
        best_reference=counts.best_reference if counts.segments == 1 else None,
        rating=rating(value),
    )


def score_all(counts: TerCounts, _options: TerOptions) -> Scores | None:
    """The rates of many totals, in per cent, rounded as sacreBLEU's.

    None where the references of one have no words.
    """
    lengths = np.asarray(counts.reference_length)
    return 100 * (counts.edits / lengths) if lengths.all() else None


def cost_of_text(text: str) -> int:
    """The steps of preparing and splitting a text."""
    return 20 + 8 * len(text)


def _split(
    prepared: Prepared, segment: Segment, budget: Budget
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The units of the hypothesis and of each reference."""
    budget.spend(sum(map(cost_of_text, (segment.hypothesis, *segment.references))))
    tokenize = prepared.tokenize_reference
    return prepared.tokenize(segment.hypothesis), list(map(tokenize, segment.references))


def _compared(
    prepared: Prepared,
    hypothesis: Sequence[str],
    references: Sequence[Sequence[str]],
    budget: Budget,
) -> list[Compared]:
    compared: list[Compared] = []
    for words in references:
        text, reference = symbols(hypothesis, words)
        compared.append(Compared(reference, prepared.outcome(text, reference, budget)))
    return compared


def _counts(prepared: Prepared, compared: Sequence[Compared]) -> TerCounts:
    """The counts of a segment.

    The best reference is the first with the fewest edits, or by the other rule with the lowest
    rate. The score takes the mean length of all references, whichever of them is the best.
    """
    lengths = [len(one.reference) for one in compared]
    numbers = range(len(compared))
    if prepared.options.multi_reference == BEST_REFERENCE:
        best = min(numbers, key=lambda number: compared[number].rate)
        plain = min(
            numbers, key=lambda number: rate(compared[number].outcome.unlimited, lengths[number])
        )
        length, unshifted_length = float(lengths[best]), float(lengths[plain])
    else:
        best = min(numbers, key=lambda number: compared[number].outcome.edits)
        plain = min(numbers, key=lambda number: compared[number].outcome.unlimited)
        length = unshifted_length = sum(lengths) / len(lengths)
    outcome = compared[best].outcome
    insertions, deletions, substitutions = counted(outcome, compared[best].reference)
    return TerCounts(
        edits=outcome.edits,
        insertions=insertions,
        deletions=deletions,
        substitutions=substitutions,
        shifts=len(outcome.moves),
        reference_length=length,
        unshifted_edits=compared[plain].outcome.unlimited,
        unshifted_length=unshifted_length,
        stopped=int(any(one.outcome.stopped for one in compared)),
        best_reference=best + 1,
        segments=1,
    )


def _steps(one: Compared, budget: Budget) -> str:
    """The operations of the residual edits, worked out where the score needed only their number.

    There the distance is the least that the bags of words allow, and then any alignment with
    the fewest edits has the same numbers of each operation (see ``shifts.counted``).
    """
    text, reference = one.outcome.text, one.reference
    if one.outcome.steps is not None:
        return one.outcome.steps
    # RapidFuzz halves long texts again and again, where our rows would fill the memory.
    if len(text) * len(reference) > _MOST_CELLS:
        return plain_operations(text, reference, budget)
    return operations(text, reference, one.outcome.distance, budget)
