"""The golden-text gate: scores, verdicts, reasons and warnings."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from calculators.gate.items import bundled
from calculators.scoring import Budget, BudgetExceeded, Corpus, ScoringError
from calculators.scoring.bleu import METRIC
from calculators.scoring.gate import Item, Judgement, explain, judge, structure

GOLDEN = Path(__file__).resolve().parents[1] / "data" / "golden" / "evalkit.jsonl"
ROWS: dict[str, dict[str, Any]] = {
    row["id"]: row for row in map(json.loads, GOLDEN.read_text("utf-8").splitlines())
}
CASES = [name for name in ROWS if name.startswith("evalkit-case-")]


def judged(output: str, source: str, threshold: float = 0.5) -> Judgement:
    (judgement,) = judge([Item("x", source, output)], threshold)
    return judgement


def shipped() -> dict[str, Judgement]:
    """The bundled cases and pairs, under the ids of the golden rows."""
    return {
        f"evalkit-{kind}-{judgement.item.id}": judgement
        for kind, name in (("case", "gate_cases"), ("pair", "gate_pairs"))
        for judgement in judge(bundled(name))
    }


# The ten published rows


def test_the_bundled_texts_are_those_of_the_golden_rows() -> None:
    assert shipped().keys() == ROWS.keys()


@pytest.mark.parametrize("name", ROWS)
def test_the_bundled_texts_come_out_as_the_golden_rows(name: str) -> None:
    found, row = shipped()[name], ROWS[name]
    assert list(found.bleu.matches) == row["matches"]
    assert list(found.bleu.totals) == row["totals"]
    assert found.brevity_penalty == pytest.approx(row["brevity_penalty"], abs=1e-9)
    assert found.raw == pytest.approx(row["raw"], abs=1e-9)
    assert found.smoothed == pytest.approx(row["smoothed"], abs=1e-9)


@pytest.mark.parametrize("name", CASES)
def test_the_bundled_cases_are_judged_as_the_golden_rows(name: str) -> None:
    found, row = shipped()[name], ROWS[name]
    assert found.structure == row["structure"]
    assert found.overall == pytest.approx(row["overall"], abs=1e-9)
    assert found.passed is row["passed"]


@pytest.mark.parametrize("name", ROWS)
def test_the_published_figures_hold_to_the_two_decimals_printed(name: str) -> None:
    found, published = shipped()[name], ROWS[name]["published"]
    assert round(found.smoothed, 2) == published["bleu"]
    if "p" in published:
        assert [round(precision, 2) for precision in found.precisions] == published["p"]
        assert round(found.brevity_penalty, 2) == published["bp"]
    else:
        assert found.verdict == published["result"]


# By hand, and against a second implementation


def test_a_score_worked_by_hand() -> None:
    # Output: the cat sat on a mat (6), source: the cat sat on the mat (6).
    # Matched 5 of 6, 3 of 5, 2 of 4, 1 of 3; smoothed 6/7, 4/6, 3/5, 2/4; no penalty.
    found = judged("The cat sat on a mat.", "The cat sat on the mat.")
    assert found.precisions == (5 / 6, 3 / 5, 2 / 4, 1 / 3)
    smoothed = (6 / 7 * 4 / 6 * 3 / 5 * 2 / 4) ** 0.25
    assert found.smoothed == pytest.approx(smoothed, abs=1e-12)
    assert found.overall == pytest.approx(0.2 + 0.8 * smoothed, abs=1e-12)


def test_orders_longer_than_the_output_are_left_out_of_the_mean() -> None:
    # 1 of 2 words, 0 of 1 pair: smoothed 2/3 and 1/2; 2 against 4 tokens.
    found = judged("the banana", "the cat sat down")
    assert found.precisions == (1 / 2, 0.0, 0.0, 0.0)
    assert found.brevity_penalty == pytest.approx(math.exp(-1), abs=1e-12)
    assert found.smoothed == pytest.approx(math.exp(-1) * math.sqrt(2 / 3 / 2), abs=1e-12)


def plainly(output: str, source: str) -> float:
    """Smoothed BLEU, written down from the formula once more."""
    mine, theirs = (re.findall("[a-z0-9]+", text.lower()) for text in (output, source))
    logs = []
    for order in range(1, 5):
        own = Counter(tuple(mine[i : i + order]) for i in range(len(mine) - order + 1))
        other = Counter(tuple(theirs[i : i + order]) for i in range(len(theirs) - order + 1))
        if own:
            logs.append(math.log((sum((own & other).values()) + 1) / (sum(own.values()) + 1)))
    if not mine:
        return 0.0
    penalty = 1.0 if len(mine) >= len(theirs) else math.exp(1 - len(theirs) / len(mine))
    return penalty * math.exp(sum(logs) / len(logs))


def test_real_sentences_score_as_the_formula_says() -> None:
    sets = GOLDEN.parents[1] / "sets"
    outputs = (sets / "wmt22-zh-en.sysA").read_text("utf-8").split("\n")[:300]
    sources = (sets / "wmt22-zh-en.ref").read_text("utf-8").split("\n")[:300]
    items = [Item(str(i), s, o) for i, (s, o) in enumerate(zip(sources, outputs, strict=True))]
    for found in judge(items):
        expected = plainly(found.item.generated_output, found.item.source_text)
        assert found.smoothed == pytest.approx(expected, abs=1e-9)


def test_the_gate_is_bleu_under_its_preset() -> None:
    item = Item("x", "Refunds take five working days.", "A refund takes five days.")
    (found,) = judge([item])
    run = METRIC.run(Corpus.of(item.generated_output, [item.source_text]), preset="gate")
    assert found.bleu == run.result
    assert found.smoothed == run.result.value


# Structure and verdict


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("", 0.0),
        (" \n\t\u3000", 0.0),
        ("x", 0.5),
        ("x" * 9, 0.5),
        ("x" * 10, 1.0),
        ("x" * 500, 1.0),
        ("x" * 501, 0.5),
        ("好" * 10, 1.0),  # characters, not bytes
    ],
)
def test_structure_is_the_mean_of_two_bounds_and_0_for_a_blank(
    output: str, expected: float
) -> None:
    assert structure(output) == expected


def test_a_copy_scores_exactly_1() -> None:
    found = judged("Exactly the same words.", "exactly THE same words")
    assert (found.overall, found.verdict, found.reasons) == (1.0, "PASS", ())


def test_an_item_passes_on_the_threshold_itself() -> None:
    overall = judged("The cat sat on a mat.", "The cat sat on the mat.").overall
    assert judged("The cat sat on a mat.", "The cat sat on the mat.", overall).passed
    above = math.nextafter(overall, 1)
    assert not judged("The cat sat on a mat.", "The cat sat on the mat.", above).passed


@pytest.mark.parametrize("output", ["", "  \n"])
def test_an_empty_output_fails_at_any_threshold(output: str) -> None:
    found = judged(output, "Anything.", threshold=0)
    assert (found.overall, found.verdict) == (0.0, "FAIL")
    assert found.reasons == ("fails on the output: it is empty",)


# Reasons


def reason(name: str) -> str:
    (only,) = shipped()[f"evalkit-case-{name}"].reasons
    return only


def test_dropped_facts_fail_on_the_brevity_penalty() -> None:
    expected = "fails on the brevity penalty: 0.20 (5 tokens against 13 of the source)"
    assert reason("Drops critical facts") == expected


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("Good paraphrase", "0.17 (10 of 20 tokens, 4 of 19 2-grams, 1 of 18 3-grams, 0 of 17"),
        ("Invented refund", "0.27 (7 of 19 tokens"),
        ("Unrelated output", "0.10 (0 of 11 tokens"),
    ],
)
def test_other_words_fail_on_the_matched_n_grams(name: str, start: str) -> None:
    assert reason(name).startswith(f"fails on the matched n-grams: {start}")


def test_where_no_layer_decides_all_that_fall_short_are_named() -> None:
    # One of 2 tokens against 6: neither the penalty nor the matches alone would let it pass.
    found = judged("the banana", "the cat sat on the mat", threshold=0.9)
    layers = [told.split(":")[0] for told in found.reasons]
    assert layers == ["fails on the brevity penalty", "fails on the matched n-grams"]


def test_a_layer_that_alone_decides_is_the_only_reason() -> None:
    # A copy of 520 characters: full marks but for its length, and a threshold above 0.9.
    text = "word " * 104
    (only,) = judged(text, text, threshold=0.95).reasons
    assert only == "fails on structure: 0.50 (520 characters, 10 to 500 are expected)"


def test_an_output_without_tokens_says_so() -> None:
    found = judged("這是測試的輸出文字內容", "words to match")
    assert found.reasons == ("fails on the output: it has no letter from a to z and no digit",)


@pytest.mark.parametrize("name", CASES)
def test_reasons_are_given_where_an_item_fails_and_only_there(name: str) -> None:
    found = shipped()[name]
    assert bool(found.reasons) is not found.passed


# Warnings


def test_the_known_flaw_an_unrelated_word_passes_and_is_warned_of() -> None:
    # 0 of 1 token, smoothed 1/2; structure 1: 0.2 + 0.8 / 2.
    found = judged("Helicopters", "Confirmed")
    assert found.overall == pytest.approx(0.6, abs=1e-12)
    assert found.verdict == "PASS"
    (warning,) = found.warnings
    assert warning.startswith("The output has 1 token. Under 4,")


def test_warnings_begin_under_4_tokens() -> None:
    assert judged("one two three", "one two three").warnings
    assert not judged("one two three four", "one two three four").warnings
    assert not judged("", "one two three four").warnings


def test_letters_that_are_left_out_and_a_source_without_tokens_are_warned_of() -> None:
    (cut,) = judged("Das Kätzchen schläft hier", "a cat sleeps here").warnings
    assert "left out" in cut
    (nothing,) = judged("four words stand here", "…").warnings
    assert nothing.startswith("The source has no letter")


def test_neither_reasons_nor_warnings_hold_words_of_the_texts() -> None:
    found = judged("canaryä canary", "canaryö")
    assert found.warnings
    assert "canary" not in " ".join((*found.reasons, *found.warnings))


# The working, and what is refused


@pytest.mark.parametrize("name", ROWS)
def test_the_working_ends_at_the_overall_score(name: str) -> None:
    found = shipped()[name]
    steps = explain(found, 0.5).steps
    assert steps[-1].value == found.overall
    assert [step.value for step in steps[:-1]] == [found.structure, found.smoothed]


def test_no_items_are_refused() -> None:
    with pytest.raises(ScoringError, match="There are no items"):
        list(judge([]))


def test_work_is_bounded_by_the_budget() -> None:
    with pytest.raises(BudgetExceeded):
        list(judge([Item("x", "word " * 1000, "word " * 1000)], 0.5, Budget(steps=100)))


def test_items_are_judged_one_by_one_as_they_are_asked_for() -> None:
    budget = Budget.unlimited()
    judging = judge([Item(str(i), "a b c d", "a b c d") for i in range(100)], 0.5, budget)
    next(judging)
    assert budget.spent < 100
