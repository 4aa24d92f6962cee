"""Real system outputs, whole, as NLTK and sacreBLEU score them."""

import json

import pytest

from calculators.scoring import METRICS, Corpus, find
from tests.record_sets import CALLS, EXPECTED, lines, runs

ROWS = json.loads(EXPECTED.read_text(encoding="utf-8"))
ROWS_OF_METRICS = [row for row in ROWS if find(row["metric"])]


@pytest.mark.parametrize(
    "row",
    ROWS_OF_METRICS,
    ids=lambda row: "-".join([row["preset"], row["hypothesis"], str(len(row["references"]))]),
)
def test_a_set_scores_as_the_tool_scores_it(row):
    corpus = Corpus.from_lines(
        lines(row["hypothesis"]), [lines(name) for name in row["references"]]
    )
    run = find(row["metric"]).run(corpus, preset=row["preset"], of_corpus=True)
    assert run.result.value == pytest.approx(row["value"], rel=1e-9, abs=1e-12)


def test_every_set_is_scored_by_every_tool():
    known = {metric.slug for metric in METRICS}
    called = {(call.metric, call.preset) for call in CALLS if call.metric in known}
    for hypothesis, references in runs():
        scored = {
            (row["metric"], row["preset"])
            for row in ROWS
            if (row["hypothesis"], tuple(row["references"])) == (hypothesis, references)
        }
        assert called <= scored
