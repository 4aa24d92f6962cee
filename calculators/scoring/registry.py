"""The metrics there are, in menu order."""

from __future__ import annotations

from . import bleu, chrf, meteor, nist, ter
from .metric import AnyMetric

METRICS: tuple[AnyMetric, ...] = (
    nist.METRIC,
    ter.METRIC,
    bleu.METRIC,
    meteor.METRIC,
    chrf.METRIC,
)

# What one looks at first: by words, and by characters where a script has no spaces.
BY_WORDS: AnyMetric = bleu.METRIC
BY_CHARACTERS: AnyMetric = chrf.METRIC


def find(slug: str) -> AnyMetric | None:
    """The metric of that slug, or None."""
    return next((metric for metric in METRICS if metric.slug == slug), None)
