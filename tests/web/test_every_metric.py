"""Every metric by every way in: one text gives one score, and no text and no option a 500."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators.forms import PairForm
from calculators.reading import option_text
from calculators.scoring import METRICS, AnyMetric, Budget, OptionSpec

EVERY_METRIC = pytest.mark.parametrize("metric", METRICS, ids=[metric.slug for metric in METRICS])
HYPOTHESIS = "The cat sat on the rug, at 3.14 a.m."
REFERENCES = ["the cat sat on the mat at 3.14 a.m.", "A cat was sitting on the rug."]

WORDS = st.lists(
    st.sampled_from(
        [
            "the",
            "The",
            "cat",
            "cats",
            "3.14",
            "-",
            ".",
            "。",
            "猫",
            "नि",
            "é",
            "e\u0301",
            "👩\u200d🚀",
        ]
    )
    | st.sampled_from(
        ["&amp;", "'s", "<skipped>", "\u2028", "\n", "\t", " ", "\u00a0", "\x1c", "\u200f"]
    ),
    max_size=12,
)
TEXT = WORDS.map(" ".join) | WORDS.map("".join) | st.text(max_size=30)


def values_of(spec: OptionSpec) -> st.SearchStrategy[Any]:
    """Values that an option takes, and some beside them."""
    match spec.kind:
        case "flag":
            return st.booleans()
        case "integer":
            return st.integers(int(spec.minimum or 0) - 1, int(spec.maximum or 9) + 1)
        case "choice":
            return st.sampled_from([choice.value for choice in spec.choices])
        case "reals":
            return st.lists(st.floats(0, 1), max_size=5)
    return st.none() | st.floats() | st.sampled_from([spec.minimum, spec.maximum, 0.5, 1e-300])


def options_of(metric: AnyMetric) -> st.SearchStrategy[dict[str, Any]]:
    """Options of a metric, any of them left out."""
    specs = metric.options.specs()
    return st.fixed_dictionaries({}, optional={spec.name: values_of(spec) for spec in specs})


def post(path: str, document: Any) -> Any:
    client = Client(raise_request_exception=False)
    return client.post(path, json.dumps(document), content_type="application/json")


@EVERY_METRIC
def test_browser_api_and_command_line_give_one_score(metric: AnyMetric) -> None:
    for name in ["", *(preset.name for preset in metric.presets)]:
        sent = {"hypothesis": HYPOTHESIS, "references": "\r\n".join(REFERENCES), "preset": name}
        run = PairForm.of(metric, sent).evaluate(Budget())
        assert run is not None
        document = {"hypothesis": HYPOTHESIS, "references": REFERENCES, "preset": name}
        answer = post(f"/api/v1/{metric.slug}/score", document).json()
        out = io.StringIO()
        against = [f"--against={reference}" for reference in REFERENCES]
        call_command(
            "score",
            metric.slug,
            f"--text={HYPOTHESIS}",
            *against,
            f"--preset={name}",
            "--json",
            stdout=out,
        )
        (printed,) = json.loads(out.getvalue())
        assert answer["score"] == printed["score"] == run.result.value
        assert answer["signature"] == printed["signature"] == run.signature


@EVERY_METRIC
def test_options_of_an_answer_sent_again_give_it_again(metric: AnyMetric) -> None:
    document = {"hypothesis": HYPOTHESIS, "references": REFERENCES}
    for preset in metric.presets:
        first = post(f"/api/v1/{metric.slug}/score", document | {"preset": preset.name}).json()
        again = post(f"/api/v1/{metric.slug}/score", document | {"options": first["options"]})
        assert again.json() == first


@EVERY_METRIC
def test_options_written_on_a_page_are_read_back(metric: AnyMetric) -> None:
    for preset in metric.presets:
        chosen = metric.options_for(preset.name, of_corpus=False)
        texts = {
            spec.name: option_text(spec, getattr(chosen, spec.name))
            for spec in metric.options.specs()
        }
        form = PairForm.of(metric, {"hypothesis": "a", "references": "a"} | texts)
        assert form.is_valid(), form.messages
        assert form.cleaned_data["options"] == chosen


@pytest.mark.slow
@EVERY_METRIC
def test_no_text_and_no_option_is_answered_with_a_500(metric: AnyMetric) -> None:
    @settings(max_examples=300, deadline=None)
    @given(TEXT, st.lists(TEXT, max_size=3), options_of(metric))
    def answered(hypothesis: str, references: list[str], options: dict[str, Any]) -> None:
        document = {"hypothesis": hypothesis, "references": references, "options": options}
        response = post(f"/api/v1/{metric.slug}/score", document)
        assert response.status_code in (200, 400)
        answer = json.loads(response.content, parse_constant=pytest.fail)
        if response.status_code == 200:
            (last,) = [part for part in answer["sections"] if part["kind"] == "derivation"][-1:]
            assert last["steps"][-1]["value"] == answer["score"]

    answered()


@pytest.mark.slow
@EVERY_METRIC
def test_no_corpus_is_answered_with_a_500(metric: AnyMetric) -> None:
    row = st.tuples(TEXT, st.lists(TEXT | st.none(), min_size=1, max_size=3))

    @settings(max_examples=150, deadline=None)
    @given(st.lists(row, min_size=1, max_size=4), options_of(metric))
    def answered(rows: list[tuple[str, list[str | None]]], options: dict[str, Any]) -> None:
        document = {
            "hypotheses": [hypothesis for hypothesis, _ in rows],
            "references": [references for _, references in rows],
            "options": options,
        }
        response = post(f"/api/v1/{metric.slug}/corpus?detail={len(rows) - 1}", document)
        assert response.status_code in (200, 400)
        answer = json.loads(response.content, parse_constant=pytest.fail)
        if response.status_code == 200:
            assert len(answer["segments"]) == len(rows)

    answered()
