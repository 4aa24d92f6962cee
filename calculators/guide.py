"""The API's guide: calls that can be run as they stand, and the answers that they give."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from .answer import json_ready
from .forms import PairForm
from .listing import metric_data
from .reading import MOST_REFERENCES
from .scoring import AnyMetric, Budget, OptionSpec, registry

HYPOTHESIS = "the cat sat on the rug"
REFERENCES = ["the cat sat on the mat", "a cat was sitting on the mat"]


@dataclass(frozen=True, slots=True)
class OptionGuide:
    """An option in words, its values as JSON writes them."""

    name: str
    kind: str
    default: str
    values: tuple[str, ...]  # of a choice
    bounds: str
    says: str


@dataclass(frozen=True, slots=True)
class MetricGuide:
    """How one metric is called."""

    options: tuple[OptionGuide, ...]
    data: dict[str, Any]  # as the API lists it
    score_call: str
    corpus_call: str
    answer: str  # of score_call, without its sections


@dataclass(frozen=True, slots=True)
class Guide:
    """How the API of the site at ``root`` is called."""

    root: str  # with a slash at the end
    metrics: tuple[MetricGuide, ...]
    most_references: int = MOST_REFERENCES  # of one segment


def guide(root: str) -> Guide:
    """The guide to the API at ``root``. Every answer in it is computed."""
    return Guide(root, tuple(_metric_guide(root, metric) for metric in registry.METRICS))


def _metric_guide(root: str, metric: AnyMetric) -> MetricGuide:
    pair: dict[str, Any] = {"hypothesis": HYPOTHESIS, "references": REFERENCES}
    corpus = {"hypotheses": [HYPOTHESIS, HYPOTHESIS], "references": [REFERENCES, REFERENCES[:1]]}
    return MetricGuide(
        options=tuple(map(_option_guide, metric.options.specs())),
        data=metric_data(metric),
        score_call=call(f"{root}api/v1/{metric.slug}/score", pair),
        corpus_call=call(f"{root}api/v1/{metric.slug}/corpus?detail=0", corpus),
        answer=_answer(metric, pair),
    )


def _option_guide(spec: OptionSpec) -> OptionGuide:
    return OptionGuide(
        name=spec.name,
        kind=_KINDS[spec.kind],
        default=json.dumps(spec.written(spec.default)),
        values=tuple(json.dumps(choice.value) for choice in spec.choices),
        bounds=_bounds(spec),
        says=" ".join(filter(None, (f"{spec.label}.", spec.help))),
    )


_KINDS = {
    "flag": "true or false",
    "integer": "whole number",
    "real": "number",
    "optional-real": "number or null",
    "choice": "one of the values",
    "reals": "list of numbers",
}


def _bounds(spec: OptionSpec) -> str:
    low, high = spec.minimum, spec.maximum
    if low is not None and high is not None:
        return f"{low:g} to {high:g}"
    if low is not None:
        return f"{low:g} or more"
    return "any" if high is None else f"up to {high:g}"


def call(address: str, body: dict[str, Any]) -> str:
    """The command line that posts ``body`` to ``address``."""
    return (
        f"curl -s '{address}' \\\n"
        "  -H 'Content-Type: application/json' \\\n"
        f"  -d '{json.dumps(body)}'"
    )


def _answer(metric: AnyMetric, pair: dict[str, Any]) -> str:
    run = PairForm.of_document(metric, pair).evaluate(Budget.unlimited())
    if run is None:
        return ""
    short = {"metric": metric.slug, "score": run.result.value, "signature": run.signature}
    return json.dumps(json_ready(short), indent=2, ensure_ascii=False)
