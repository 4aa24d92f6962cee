"""An answer stands complete, or says what was left out."""

from calculators.answer import LEFT_OUT, answer_of_corpus, answer_of_pair, json_ready
from calculators.forms import PairForm
from calculators.scoring import Budget

from .words_metric import METRIC


def test_the_score_stands_where_there_is_no_time_for_other_tools() -> None:
    # The metric spends the square of the number of words: 4 for the score, 4 for the other tool.
    form = PairForm.of(METRIC, {"hypothesis": "a b", "references": "a"})
    for steps, left_out in ((7, True), (8, False)):
        run = form.evaluate(Budget(steps=steps))
        assert run is not None
        answer = answer_of_pair(run)
        assert (LEFT_OUT in answer.notes) is left_out
        assert (answer.elsewhere == ()) is left_out
        assert answer.run.result.value == 0.5


def test_only_a_pair_has_the_working_of_its_segment() -> None:
    run = PairForm.of(METRIC, {"hypothesis": "a b", "references": "a"}).evaluate(Budget())
    assert run is not None
    assert [part.kind for part in answer_of_corpus(run).working] == ["derivation"]
    assert [part.kind for part in answer_of_pair(run).working] == ["derivation", "table"]


def test_json_has_no_infinite_numbers_and_no_tuples() -> None:
    assert json_ready({"a": (1.0, float("inf"), (float("nan"), None))}) == {
        "a": [1.0, None, [None, None]]
    }
