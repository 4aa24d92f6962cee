"""The score of BLEU from its counts (Papineni et al., 2002, section 2.3)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..corpus import ScoringError
from ..metric import Result, Scores
from .counts import BleuCounts, BleuOptions
from .smoothing import Precision, precisions

FOR_SENTENCES_ONLY = ("nltk5", "nltk6", "nltk7")
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class BleuResult(Result):
    """BLEU and the factors it is made of. The tuples hold orders 1..N."""

    precisions: tuple[float, ...]  # after smoothing
    matches: tuple[int, ...]  # clipped
    totals: tuple[int, ...]  # n-grams of the hypothesis, as the convention counts them
    brevity_penalty: float
    hypothesis_length: int  # tokens
    reference_length: int  # tokens of the closest references
    unsmoothed: float
    smoothed: float  # with one added to both counts of every order that exists


def finish(counts: BleuCounts, options: BleuOptions) -> BleuResult:
    """The score of ``counts``.

    An empty hypothesis scores 0, and so does one without a matching word (but under add-one and
    mteval's smoothing). Raises ``ScoringError`` for a smoothing that is undefined for the text.
    """
    if options.smoothing in FOR_SENTENCES_ONLY and counts.segments > 1:
        raise ScoringError(
            "NLTK methods 5, 6 and 7 depend on the order of the lines, so they are for single"
            " sentences. Choose another smoothing for a file.",
            "smoothing",
        )
    used = precisions(counts, options)
    penalty = brevity_penalty(counts, options)
    order = options.order
    return BleuResult(
        value=_score(used, penalty),
        precisions=tuple(precision.value for precision in used),
        matches=counts.matches[:order],
        totals=tuple(precision.total for precision in used),
        brevity_penalty=penalty,
        hypothesis_length=counts.hypothesis_length,
        reference_length=counts.reference_length,
        unsmoothed=_score_with(counts, options, "none"),
        smoothed=_score_with(counts, options, "add-one"),
    )


def score_all(counts: BleuCounts, options: BleuOptions) -> Scores | None:
    """The scores of many totals, in per cent; the steps and their rounding are sacreBLEU's.

    None where a smoothing or weights would matter.
    """
    order = options.order
    matches, totals = np.stack(counts.matches[:order]), np.stack(counts.totals[:order])
    as_plain = options.smoothing in ("none", "exp", "floor") and not options.weights
    if not as_plain or options.convention != "sacrebleu" or not matches.all():
        return None
    lengths = np.stack((counts.hypothesis_length, counts.reference_length))
    return np.array(
        [
            (1.0 if hypothesis >= reference else math.exp(1 - reference / hypothesis))
            * math.exp(sum(map(math.log, precisions)) / order)
            for (hypothesis, reference), precisions in zip(
                lengths.T.tolist(), (100 * matches / totals).T.tolist(), strict=True
            )
        ]
    )


def brevity_penalty(counts: BleuCounts, options: BleuOptions) -> float:
    """The factor for a hypothesis shorter than its references; 0 for an empty one.

    Where both sides are empty sacreBLEU gives 1 (neither is shorter), NLTK and mteval give 0.
    """
    hypothesis, reference = counts.hypothesis_length, counts.reference_length
    if hypothesis == 0:
        as_sacrebleu = options.convention == "sacrebleu" and not options.counts_as_nltk
        return 1.0 if reference == 0 and as_sacrebleu else 0.0
    return 1.0 if hypothesis >= reference else math.exp(1 - reference / hypothesis)


def log_mean(used: Sequence[Precision]) -> float | None:
    """The weighted sum of the logarithms of the precisions; None where one of them is 0."""
    counted = [precision for precision in used if precision.weight]
    if any(precision.value <= 0 for precision in counted):
        return None
    return math.fsum(precision.weight * math.log(precision.value) for precision in counted)


def _score(used: Sequence[Precision], penalty: float) -> float:
    mean = log_mean(used)
    if mean is None:
        return 0.0
    score = penalty * math.exp(mean)
    # Only methods 5 to 7 of NLTK truly pass 1; all else above it is rounding.
    return 1.0 if 1.0 < score < 1.0 + ROUNDING else score


def _score_with(counts: BleuCounts, options: BleuOptions, smoothing: str) -> float:
    changed = replace(options, smoothing=smoothing, smoothing_value=None)
    return _score(precisions(counts, changed), brevity_penalty(counts, changed))
