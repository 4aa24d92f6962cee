"""chrF of many totals at once, for resampling."""

from __future__ import annotations

import numpy as np

from ..metric import Scores
from .counts import ChrfCounts, ChrfOptions


def score_all(counts: ChrfCounts, options: ChrfOptions) -> Scores | None:
    """The scores of many totals, in per cent; the steps and their rounding are sacreBLEU's.

    None where an order may be left out, or where not the pooled counts are scored.
    """
    hypothesis, reference, matched = map(
        np.stack, (counts.hypothesis, counts.reference, counts.matched)
    )
    special = options.eps_smoothing or options.average == "segments"
    if special or not (hypothesis.all() and reference.all() and matched[0].all()):
        return None
    # Added one after the other: NumPy's sum groups the numbers in its own way.
    precision, recall = np.zeros_like(hypothesis[0]), np.zeros_like(hypothesis[0])
    for here, there, match in zip(hypothesis, reference, matched, strict=True):
        precision, recall = precision + match / here, recall + match / there
    precision, recall = precision / options.orders, recall / options.orders
    weight = options.beta**2
    scores: Scores = (1 + weight) * precision * recall / (weight * precision + recall)
    return 100 * scores
