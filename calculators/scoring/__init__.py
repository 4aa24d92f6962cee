"""Machine-translation metrics with their working. Knows no web framework and does no I/O."""

from .budget import Budget, BudgetExceeded
from .corpus import Corpus, ScoringError, Segment
from .explain import Elsewhere, Section, as_data
from .metric import VERSION, AnyEvaluation, AnyMetric, Evaluation, Metric, Preset, Result, Scale
from .options import Choice, Options, OptionSpec
from .registry import METRICS, find

__all__ = [
    "METRICS",
    "VERSION",
    "AnyEvaluation",
    "AnyMetric",
    "Budget",
    "BudgetExceeded",
    "Choice",
    "Corpus",
    "Elsewhere",
    "Evaluation",
    "Metric",
    "OptionSpec",
    "Options",
    "Preset",
    "Result",
    "Scale",
    "ScoringError",
    "Section",
    "Segment",
    "as_data",
    "find",
]
