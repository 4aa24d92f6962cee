"""Segments, corpora, the work budget, counts, and what a metric's run gives."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from calculators.scoring import Budget, BudgetExceeded, Corpus, ScoringError, Segment
from calculators.scoring.metric import Convention, Counts, Scale
from tests.web.words_metric import METRIC

# Corpus


def test_sentence_is_a_corpus_of_one() -> None:
    corpus = Corpus.of("a b", ["a", "b"])
    assert corpus.segments == (Segment("a b", ("a", "b")),)
    assert len(corpus) == 1


def test_segment_without_reference_is_refused() -> None:
    with pytest.raises(ScoringError, match="at least one reference") as refused:
        Corpus.of("a", [])
    assert refused.value.field == "references"


def test_empty_reference_is_a_reference_and_a_missing_one_is_not() -> None:
    corpus = Corpus.from_rows(["a", "b"], [["x", ""], [None, "y"]])
    assert [segment.references for segment in corpus.segments] == [("x", ""), ("y",)]
    assert corpus.reference_counts == (1, 2)


def test_row_without_any_reference_is_refused_with_its_line() -> None:
    with pytest.raises(ScoringError, match=r"^Line 2 has no reference\.$") as refused:
        Corpus.from_rows(["a", "b"], [["x"], [None, None]])
    assert refused.value.field == "references"


def test_lines_of_files_are_put_side_by_side() -> None:
    corpus = Corpus.from_lines(["a", "b"], [["x", "y"], ["z", None]])
    assert corpus.segments == (Segment("a", ("x", "z")), Segment("b", ("y",)))


@pytest.mark.parametrize(
    ("hypotheses", "references", "message", "field"),
    [
        ([], [[]], "the file is empty", "hypothesis"),
        (["a"], [], "at least one reference", "references"),
        (["a"] * 1001, [["x"] * 1001, ["x"] * 1000], "Reference 2 has 1,000 lines", "references"),
        (["a"] * 1001, [["x"] * 1000], "the hypothesis has 1,001", "references"),
    ],
)
def test_files_that_do_not_fit_are_refused(
    hypotheses: list[str], references: list[list[str]], message: str, field: str
) -> None:
    with pytest.raises(ScoringError, match=message) as refused:
        Corpus.from_lines(hypotheses, references)
    assert refused.value.field == field


@pytest.mark.parametrize("references", [[["x"]], [["x"], ["y"], ["z"]]])
def test_rows_that_are_not_as_many_are_refused(references: list[list[str]]) -> None:
    with pytest.raises(ScoringError, match=f"2 hypotheses and references for {len(references)}"):
        Corpus.from_rows(["a", "b"], references)


# Budget


def test_budget_allows_its_steps_and_not_one_more() -> None:
    budget = Budget(steps=10)
    budget.spend(4)
    budget.spend(6)
    assert budget.spent == 10
    with pytest.raises(BudgetExceeded, match="longer to score than is allowed"):
        budget.spend(1)


def test_unlimited_budget_refuses_nothing() -> None:
    budget = Budget.unlimited()
    budget.spend(10**18)
    assert budget.spent == 10**18


def test_deadline_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    budget = Budget(seconds=5)
    budget.spend(1)
    now = 105.5
    budget.spend(Budget.STEPS_BETWEEN_LOOKS - 2)  # the clock is not read at every step
    with pytest.raises(BudgetExceeded):
        budget.spend(2)


def test_work_is_counted_in_the_time_of_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    worked = 7.0
    monkeypatch.setattr(time, "thread_time", lambda: worked)
    monkeypatch.setattr(time, "monotonic", lambda: worked * 100)  # a busy machine
    budget = Budget(processor_seconds=2)
    worked = 8.9
    budget.look()
    worked = 9.1
    with pytest.raises(BudgetExceeded):
        budget.look()


def test_spent_budget_is_a_refusal_that_pages_can_show() -> None:
    assert issubclass(BudgetExceeded, ScoringError)


# Counts


@dataclass(frozen=True, slots=True)
class Sums(Counts):
    matched: tuple[int, ...]
    length: int
    bits: float


def test_counts_add_field_by_field() -> None:
    first, second = Sums((1, 2), 3, 0.5), Sums((10, 20), 30, 0.25)
    assert first + second == Sums((11, 22), 33, 0.75)
    assert Sums.total([first, second, first]) == Sums((12, 24), 36, 1.25)
    assert Sums.total([first]) is first


def test_counts_are_a_row_of_numbers_and_back() -> None:
    counts = Sums((1, 2), 3, 0.5)
    assert counts.row() == (1, 2, 3, 0.5)
    assert counts.with_row((4, 5, 6, 7.5)) == Sums((4, 5), 6, 7.5)


def test_total_of_floats_has_no_rounding_drift() -> None:
    # 0.1 ten times is 0.9999999999999999 by plain addition.
    assert Sums.total([Sums((0,), 0, 0.1)] * 10).bits == 1.0


def test_whole_numbers_stay_whole_in_a_total() -> None:
    total = Sums.total([Sums((2**60,), 1, 0.0)] * 3)
    assert total.matched == (3 * 2**60,)


# A metric's run


def run(hypothesis: str = "a b c d", references: Sequence[str] = ("a b x",), **kwargs: Any) -> Any:
    return METRIC.run(Corpus.of(hypothesis, references), **kwargs)


def test_values_override_the_preset_and_the_preset_the_defaults() -> None:
    assert METRIC.options_for(of_corpus=False) == METRIC.options()
    cased = METRIC.options_for("cased", of_corpus=False)
    assert (cased.lowercase, cased.bonus, cased.repeat) == (False, 0.25, 1)
    both = METRIC.options_for("cased", {"lowercase": True}, of_corpus=False)
    assert (both.lowercase, both.bonus) == (True, 0.25)


def test_preset_has_its_own_options_for_files() -> None:
    assert METRIC.options_for("twice", of_corpus=False).repeat == 2
    assert METRIC.options_for("twice", of_corpus=True).repeat == 3
    of_file = run(preset="twice", of_corpus=True)
    assert (of_file.options.repeat, of_file.segment_options.repeat) == (3, 2)


def test_unknown_preset_is_refused_with_the_known_ones_and_without_echo() -> None:
    with pytest.raises(ScoringError, match="Known: page, cased, twice") as refused:
        run(preset="secret")
    assert refused.value.field == "preset"
    assert "secret" not in refused.value.message


def test_run_holds_the_score_of_the_file_and_of_each_segment() -> None:
    # 2 of 4 words and 1 of 1: 3 of 5 in all.
    both = METRIC.run(Corpus.from_lines(["a b c d", "x"], [["a b x", "x"]]))
    assert both.segments == (0.5, 1.0)
    assert both.result.value == 0.6
    assert (both.is_sentence, run().is_sentence) == (False, True)


def test_segment_that_has_no_score_is_none_among_others() -> None:
    both = METRIC.run(Corpus.from_lines(["a", ""], [["a", "b"]]))
    assert both.segments == (1.0, None)
    assert both.result.value == 1.0


def test_undefined_score_is_refused() -> None:
    with pytest.raises(ScoringError, match="without words"):
        run("")


def test_signature_names_metric_references_options_and_version() -> None:
    assert run().signature == (
        "words|refs:1|lowercase:yes|repeat:1|cut:space|bonus:default|scale:1|weights:default|v1.0"
    )
    mixed = METRIC.run(Corpus.from_rows(["a", "b"], [["a"], ["b", "c", None]]))
    assert "|refs:1-2|" in mixed.signature


def test_trace_of_a_segment_is_made_once() -> None:
    one = run()
    assert one.trace(0) is one.trace(0)
    assert one.trace(0).counts == one.counts[0]


def test_budget_of_a_run_is_spent_by_all_its_segments() -> None:
    budget = Budget()
    METRIC.run(Corpus.from_lines(["a b", "a b c"], [["a", "a"]]), budget=budget)
    assert budget.spent == 2**2 + 3**2
    with pytest.raises(BudgetExceeded):
        METRIC.run(Corpus.from_lines(["a b"] * 3, [["a"] * 3]), budget=Budget(steps=11))


def test_conventions_are_worked_out_for_the_same_text() -> None:
    by_preset, told = run("A b", ["a b"]).elsewhere
    # Cased, one of two words, and the preset's bonus.
    assert (by_preset.tool, by_preset.value) == ("A cased tool", 0.75)
    assert by_preset.options["lowercase"] is False
    assert (told.tool, told.value) == ("A tool without a number", None)


def test_convention_without_preset_starts_from_the_options_in_force() -> None:
    metric = replace(METRIC, conventions=(Convention("Doubled", "", options={"scale": 2.0}),))
    found = metric.run(Corpus.of("A b", ["a"]), values={"lowercase": False, "bonus": 0.5})
    assert found.result.value == 0.5
    other = found.elsewhere[0]
    assert (other.value, other.options["bonus"], other.options["scale"]) == (0.5, 0.5, 2.0)
    folded = metric.run(Corpus.of("A b", ["a"]), values={"bonus": 0.5})
    assert folded.elsewhere[0].value == 1.5


def test_convention_that_refuses_the_text_says_why() -> None:
    metric = replace(
        METRIC, conventions=(Convention("Characters", "", options={"cut": "char", "repeat": 9}),)
    )
    other = metric.run(Corpus.of("a", ["a"])).elsewhere[0]
    assert (other.value, other.why) == (None, "Characters can't be repeated nine times.")


def test_convention_past_the_budget_refuses_the_whole() -> None:
    one = run("a b c d", budget=Budget(steps=20))
    with pytest.raises(BudgetExceeded):
        _ = one.elsewhere


def test_scale_in_per_cent_says_so() -> None:
    assert Scale(0, None, False, 2, 100, "%").as_percent
    assert not Scale(0, 1, True, 4).as_percent
