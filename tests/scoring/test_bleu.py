"""BLEU holds to NLTK, sacreBLEU and mteval-v13a, and to the worked examples of its paper."""

from __future__ import annotations

import json
import math
import random
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu
from sacrebleu.metrics import BLEU

from calculators.scoring import Budget, BudgetExceeded, Corpus, Evaluation, ScoringError
from calculators.scoring.bleu import METRIC
from calculators.scoring.bleu.counts import SMOOTHINGS, BleuCounts
from calculators.scoring.explain import Check, Derivation, Inspector, MarkedText, Table, Tiles

DATA = Path(__file__).resolve().parents[1] / "data"

Run = Evaluation[Any, Any, Any, Any, Any]


def rows(name: str) -> list[dict[str, Any]]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


GOLDEN = rows("golden/bleu.jsonl")
CASES = {row["id"]: row for row in rows("cases/bug_reports.jsonl")}


def score(hypothesis: str, *references: str, preset: str = "", **values: Any) -> Run:
    return METRIC.run(Corpus.of(hypothesis, references), preset=preset, values=values)


def score_file(
    hypotheses: list[str], references: list[list[str]], preset: str = "", **values: Any
) -> Run:
    corpus = Corpus.from_rows(hypotheses, references)
    return METRIC.run(corpus, preset=preset, values=values, of_corpus=True)


def section(run: Run, kind: type) -> Any:
    found = [part for part in (*run.sections, *run.detail(0)) if isinstance(part, kind)]
    assert found, kind
    return found[0]


def close(ours: float, theirs: float) -> bool:
    """Equal to 1e-9, NLTK's numbers below 1e-100 standing for 0."""
    return math.isclose(ours, 0.0 if theirs < 1e-100 else theirs, rel_tol=1e-9, abs_tol=1e-9)


def ident(row: dict[str, Any]) -> str:
    return str(row["id"])


# Golden rows


@pytest.mark.parametrize("row", GOLDEN, ids=ident)
def test_golden_rows_of_nltk_hold(row: dict[str, Any]) -> None:
    told = row["nltk"]
    values = {"weights": told["options"]["weights"], "lowercase": told["options"]["lowercase"]}
    for key, expected in told["expected"].items():
        values["auto_reweigh"] = key.endswith("auto_reweigh")
        values["smoothing"] = "none" if key.startswith("method0") else f"nltk{key[-1]}"
        if "error" in expected:
            with pytest.raises(ScoringError) as refusal:
                score(row["hyp"], *row["refs"], preset="nltk", **values)
            assert refusal.value.field == "smoothing", key
        else:
            result = score(row["hyp"], *row["refs"], preset="nltk", **values).result
            assert close(result.value, expected["score"]), key
            assert math.isclose(result.brevity_penalty, told["bp"])
            assert result.reference_length == told["closest_ref_len"]


def smoothing_of(key: str) -> dict[str, Any]:
    """``floor0.01+eff`` as our options."""
    name, value = re.fullmatch(r"([a-z-]+?)([0-9.]*)(?:\+eff)?", key).groups()  # type: ignore[union-attr]
    return {
        "smoothing": name,
        "smoothing_value": float(value) if value else None,
        "effective_order": key.endswith("+eff"),
    }


@pytest.mark.parametrize("row", GOLDEN, ids=ident)
def test_golden_rows_of_sacrebleu_hold(row: dict[str, Any]) -> None:
    told = row["sacrebleu"]
    values = {
        "tokenizer": told["options"]["tokenize"],
        "lowercase": told["options"]["lowercase"],
        "max_order": told["options"]["max_ngram_order"],
    }
    for key, expected in told["expected"].items():
        result = score(row["hyp"], *row["refs"], **values, **smoothing_of(key)).result
        assert close(100 * result.value, expected["score"]), key
        assert result.precisions == pytest.approx([p / 100 for p in expected["precisions"]])
        assert result.brevity_penalty == pytest.approx(expected["bp"], abs=1e-12)
        assert result.hypothesis_length == expected["sys_len"]
        assert result.reference_length == expected["ref_len"]
        if not key.startswith("add-k"):  # there sacreBLEU gives the counts with k in them
            assert list(result.matches) == expected["counts"]
            assert list(result.totals) == expected["totals"]


def test_capitals_beyond_a_to_z_count_as_they_do_in_each_way_of_mteval() -> None:
    # A report on MT-ComparEval, with what the script gave then.
    texts = ("L’ÉCOLE EST FERMÉE AUJOURD’HUI", "l’école est fermée aujourd’hui")
    international = score(*texts, preset="mteval-v13a", tokenizer="intl")
    assert international.result.value == 1.0
    assert score(*texts, preset="mteval-v13a").result.value == pytest.approx(
        0.1899589214, abs=5e-11
    )


MTEVAL = [row for row in GOLDEN if row["mteval"]]


@pytest.mark.parametrize("row", MTEVAL, ids=ident)
def test_golden_rows_of_mteval_hold(row: dict[str, Any]) -> None:
    told = row["mteval"]
    # The row does not say whether the script ran with -c (case kept): one of the two must hold
    # throughout.
    assert any(holds_as_mteval(row, told, lowercase) for lowercase in (True, False))


def holds_as_mteval(row: dict[str, Any], told: dict[str, Any], lowercase: bool) -> bool:
    def value(**options: Any) -> float:
        options = {"lowercase": lowercase, **options}
        run = score(row["hyp"], *row["refs"], preset="mteval-v13a", **options)
        return float(run.result.value)

    cumulative = told["smoothed_cum_1_9"]
    return (
        close(value(), told["smoothed"])
        and close(value(smoothing="none"), told["no_smoothing"])
        and all(abs(value(max_order=n) - c) < 6e-5 for n, c in enumerate(cumulative, 1))
    )


@pytest.mark.parametrize("row", rows("golden/evalkit.jsonl"), ids=ident)
def test_golden_rows_of_the_gate_hold(row: dict[str, Any]) -> None:
    # The rows hold counts, not texts, so the score is made from counts of the same penalty.
    length = row["totals"][0]
    reference = round(length * (1 - math.log(row["brevity_penalty"]))) if length else 1
    counts = BleuCounts(
        segments=1,
        hypothesis_length=length,
        reference_length=reference,
        matches=tuple(row["matches"]),
        totals=tuple(row["totals"]),
        absent=tuple(int(total == 0) for total in row["totals"]),
    )
    result = METRIC.finish(counts, METRIC.options_for("gate", of_corpus=False))
    assert result.brevity_penalty == pytest.approx(row["brevity_penalty"], abs=1e-12)
    assert result.value == pytest.approx(row["smoothed"], abs=1e-12)
    assert result.smoothed == result.value
    assert result.unsmoothed == pytest.approx(row["raw"], abs=1e-12)


# Public bug reports

NAMES = {"max_n": "max_order"}
MENDED = {"whitespace": "none", **{f"method{n}": f"nltk{n}" for n in range(1, 8)}}


def case_values(row: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The preset of the case's tool, and its options by our names."""
    options = {NAMES.get(name, name): value for name, value in row["options"].items()}
    options.pop("normalize", None)  # we never normalise Unicode
    values = {name: MENDED.get(str(value), value) for name, value in options.items()}
    return ("nltk" if "_bleu(" in row["tool"] else "sacrebleu"), values


def case_run(row: dict[str, Any]) -> Run:
    preset, values = case_values(row)
    if isinstance(row["hypothesis"], str):
        return score(row["hypothesis"], *row["references"], preset=preset, **values)
    return score_file(row["hypothesis"], row["references"], preset=preset, **values)


ABOUT_BLEU = [
    row
    for row in CASES.values()
    if row["metric"] == "bleu" or (row["metric"] == "corpus" and "BLEU" in row["tool"].upper())
]
# Held by tests of their own.
OF_SEVERAL_VALUES = ("bleu-no-4gram-all-smoothings", "bleu-corpus-perfect-but-short-line")
WITH_VALUE = [
    row
    for row in ABOUT_BLEU
    if row["outcome"].startswith("value") and row["id"] not in OF_SEVERAL_VALUES
]


@pytest.mark.parametrize("row", WITH_VALUE, ids=ident)
def test_reported_inputs_show_the_value_that_the_report_asks_for(row: dict[str, Any]) -> None:
    shown = row.get("show", row["tool_gives"])
    shown = shown / 100 if "BLEU(" in row["tool"] else shown
    run = case_run(row)
    assert close(run.result.value, shown)
    assert run.result.value <= 1.0
    if row["outcome"] == "value+warning":
        assert run.notes


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("bleu-method6-assertion", "smoothing"),
        ("bleu-no-reference", "references"),
        ("bleu-order-zero", "max_order"),
        ("corpus-length-mismatch", "references"),
        ("corpus-segment-without-reference", "references"),
        ("corpus-no-segments", "hypothesis"),
        ("bleu-corpus-method5-depends-on-order", "smoothing"),
        ("bleu-corpus-method6-above-one", "smoothing"),
    ],
)
def test_reported_errors_are_messages_at_their_field(name: str, field: str) -> None:
    with pytest.raises(ScoringError) as refusal:
        case_run(CASES[name])
    assert refusal.value.field == field


def test_every_smoothing_gives_its_own_value_where_no_4gram_matches() -> None:
    row = CASES["bleu-no-4gram-all-smoothings"]
    for tool, value in row["others"].items():
        name = tool.split()[-1]
        if tool.startswith("nltk") and not isinstance(value, dict):
            smoothing = "none" if name == "method0" else f"nltk{name[-1]}"
            got = score(row["hypothesis"], *row["references"], preset="nltk", smoothing=smoothing)
            assert close(got.result.value, value), tool
        elif tool.startswith("sacrebleu"):
            got = score(row["hypothesis"], *row["references"], smoothing=name)
            assert close(100 * got.result.value, value), tool


def test_a_perfect_file_with_a_short_line_is_perfect_but_in_nltk() -> None:
    row = CASES["bleu-corpus-perfect-but-short-line"]
    by_default = score_file(row["hypothesis"], row["references"], tokenizer="none")
    as_nltk = score_file(row["hypothesis"], row["references"], preset="nltk")
    assert by_default.result.value == 1.0
    assert close(as_nltk.result.value, 0.9621954581957615)


TOLD_ELSEWHERE = {
    "mteval-v13a segment": ("mteval-v13a", 1),
    "mteval-v13a system": ("mteval-v13a", 1),
    "multi-bleu.perl": ("multi-bleu.perl", 100),
    "sacrebleu.sentence_bleu": ("sacreBLEU", 100),
    "sacrebleu": ("sacreBLEU", 100),
    "nltk": ("NLTK", 1),
    "nltk corpus": ("NLTK", 1),
    "nltk method0": ("NLTK", 1),
}


@pytest.mark.parametrize("row", ABOUT_BLEU, ids=ident)
def test_elsewhere_gives_what_the_reports_say_of_other_tools(row: dict[str, Any]) -> None:
    if row["outcome"] == "error" or not row["references"]:
        return
    # mteval has its own tokeniser and so have the others: only the text is the report's.
    hypotheses = row["hypothesis"]
    sentence = isinstance(hypotheses, str)
    plain = {"tokenizer": "none"} if "nltk" in row["others"] else {}
    run = (
        score(hypotheses, *row["references"], **plain)
        if sentence
        else score_file(hypotheses, row["references"], **plain)
    )
    given = {entry.tool.split()[0]: entry.value for entry in run.elsewhere}
    for label, value in row["others"].items():
        if label not in TOLD_ELSEWHERE or isinstance(value, dict):
            continue
        if label == "sacrebleu" and not sentence:
            continue
        tool, scale = TOLD_ELSEWHERE[label]
        if row["id"] in OTHER_ORDER and tool != "mteval-v13a":
            continue
        ours = given[tool]
        assert ours is not None
        rounding = {"mteval-v13a": 5e-10, "multi-bleu.perl": 5e-5}.get(tool, 1e-9)  # as printed
        assert math.isclose(ours, value / scale, rel_tol=1e-9, abs_tol=rounding), label


# Their options ask for another order or other weights than the four orders shown elsewhere.
OTHER_ORDER = frozenset({"bleu-corpus-fractions-not-reduced", "bleu-zero-order-with-own-weights"})


# Hand working


def test_the_papers_clipping_example() -> None:
    # Papineni et al. (2002), section 2.1: "the" seven times against a reference with two: 2/7.
    run = score("the the the the the the the", "The cat is on the mat", "There is a cat on the mat",
                max_order=1, lowercase=True)  # fmt: skip
    assert run.result.precisions == (2 / 7,)
    assert run.result.matches == (2,)
    rows = section(run, Inspector).rows
    assert rows[0].cells[1:] == (7, 2, 2, "clipped")
    marks = [token.longest_match for token in section(run, MarkedText).tokens]
    assert marks == [1, 1, 0, 0, 0, 0, 0]


def test_a_sentence_worked_by_hand() -> None:
    # the cat sat on the rug / ... mat: 5/6, 4/5, 3/4, 2/3; equal length. The product is 1/3.
    run = score("the cat sat on the rug", "the cat sat on the mat")
    assert run.result.value == pytest.approx((1 / 3) ** 0.25, abs=1e-12)
    assert run.result.matches == (5, 4, 3, 2)
    assert run.result.totals == (6, 5, 4, 3)
    # add one: 6/7, 5/6, 4/5, 3/4, of which the product is 3/7
    assert run.result.smoothed == pytest.approx((3 / 7) ** 0.25, abs=1e-12)


def test_the_brevity_penalty_punishes_the_short_side() -> None:
    run = score("a b c d", "a b c d e f")
    assert run.result.brevity_penalty == pytest.approx(math.exp(1 - 6 / 4), abs=1e-15)
    assert run.result.value == pytest.approx(math.exp(-0.5), abs=1e-12)
    assert score("a b c d e f", "a b c d").result.brevity_penalty == 1.0


def test_a_tie_in_length_takes_the_shorter_reference() -> None:
    for references in (("a b c d e f", "a b c d"), ("a b c d", "a b c d e f")):
        assert score("a b c d e", *references).result.reference_length == 4


def test_counts_are_clipped_by_the_best_reference_not_by_their_sum() -> None:
    run = score("a a a", "a b", "a c", max_order=1)
    assert run.result.matches == (1,)


def test_weights_set_the_order_and_a_note_says_so() -> None:
    run = score("a b c x", "a b c d", weights="0.5,0.5")
    assert run.result.value == pytest.approx((3 / 4 * 2 / 3) ** 0.5, abs=1e-12)
    assert len(run.result.precisions) == 2
    assert any("up to order 2, not 4" in note for note in run.notes)
    run = score("a b c x", "a b c d", weights="0.25,0.25,0.25,0.25")
    assert not any("weights are given" in note for note in run.notes)


def test_an_order_without_weight_makes_no_zero() -> None:
    assert score("a b x", "a b c", weights="1,0,0").result.value == pytest.approx(2 / 3, abs=1e-12)


def test_left_out_orders_leave_their_weight_to_the_others() -> None:
    # Orders 1 and 2 exist, weighed 0.6 and 0.2, so 3/4 and 1/4: (1/2)^(3/4) x (1/1)^... by hand
    run = score("a b", "a c", weights="0.6,0.2,0.2", effective_order=True, smoothing="floor")
    assert run.result.value == pytest.approx(0.5**0.75 * 0.1**0.25, abs=1e-12)


def test_perfect_matches_are_exactly_one() -> None:
    text = "every window in the old house was open"
    for smoothing in SMOOTHINGS:
        if smoothing.value not in ("nltk5", "nltk7"):
            assert score(text, text, smoothing=smoothing.value).result.value == 1.0


def test_methods_5_and_7_pass_1_and_a_note_says_so() -> None:
    text = "every window in the old house was open"
    run = score(text, text, preset="nltk", smoothing="nltk5")
    assert close(run.result.value, 1.1167470964180197)
    assert any("not bounded" in note for note in run.notes)


def test_method_6_needs_orders_that_it_can_work_on() -> None:
    with pytest.raises(ScoringError, match="order to 3 or more") as refusal:
        score("a b c", "a b c", max_order=2, smoothing="nltk6")
    assert refusal.value.field == "smoothing"


@pytest.mark.parametrize("values", [
    {"weights": [0.0, 0.0]},
    {"weights": [0.1] * 10},
    {"smoothing": "floor", "smoothing_value": 2.0},
    {"max_order": 0},
    {"smoothing_value": -1.0},
])  # fmt: skip
def test_settings_that_make_no_score_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ScoringError) as refusal:
        METRIC.options.of(values)
    assert refusal.value.field in values


# Edges


@pytest.mark.parametrize("smoothing", [choice.value for choice in SMOOTHINGS])
@pytest.mark.parametrize("convention", ["sacrebleu", "nltk", "mteval"])
def test_an_empty_side_scores_0_under_every_setting(smoothing: str, convention: str) -> None:
    for hypothesis, reference in (("", "a b"), ("", ""), (" \n", "a")):
        run = score(hypothesis, reference, smoothing=smoothing, convention=convention)
        assert run.result.value == 0.0
        assert "The hypothesis is empty." in run.notes
        assert run.sections
    run = score("a b", "", preset="nltk", smoothing=smoothing)
    assert run.result.matches[0] == 0
    assert any("reference is empty" in note for note in run.notes)
    assert run.sections


def test_an_empty_reference_among_others_is_counted_as_it_is() -> None:
    run = score("a b", "", "a b c d")
    assert run.result.reference_length == 0  # as close as the other, and shorter
    assert run.result.brevity_penalty == 1.0


def test_a_raw_zero_is_told_in_words() -> None:
    run = score("i will come back soon", "i will return back soon")
    assert run.result.value == 0.0
    told = " ".join(run.notes)
    assert "No 3-grams or 4-grams match" in told
    assert "NLTK prints 1.186e-154" in told


def test_what_nltk_prints_for_our_zero_is_shown_elsewhere() -> None:
    run = score("turn left", "turn left")
    (nltk,) = [entry for entry in run.elsewhere if entry.tool == "NLTK sentence_bleu"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        printed = sentence_bleu([["turn", "left"]], ["turn", "left"])
    assert nltk.value == printed
    assert repr(printed) in nltk.why
    assert run.result.value == 0.0


def whys(run: Run) -> dict[str, tuple[float | None, str]]:
    return {entry.tool.split()[0]: (entry.value, entry.why) for entry in run.elsewhere}


def test_other_tools_are_told_with_the_orders_that_they_count() -> None:
    told = whys(score("a b c x e", "a b c d e", max_order=1))
    # Four of the five words; of the orders 1 to 4 the last has no match, which mteval smooths.
    for tool in ("NLTK", "sacreBLEU"):
        assert told[tool][0] == pytest.approx(0.8)
        assert told[tool][1].endswith("1-grams only, as set here.")
    assert told["mteval-v13a"][0] == pytest.approx((4 / 5 * 2 / 4 * 1 / 3 * 1 / 4) ** 0.25)
    assert told["multi-bleu.perl"][0] == 0
    for tool in ("mteval-v13a", "multi-bleu.perl"):
        assert told[tool][1].endswith("Its score is of 1-grams to 4-grams, whatever is set here.")
    told = whys(score("a b c x e", "a b c d e", max_order=3))
    assert told["sacreBLEU"][1].endswith("1-grams to 3-grams, as set here.")


def test_other_tools_are_told_with_the_weights_that_they_give_the_orders() -> None:
    weights = (0.6, 0.4)
    hypothesis, reference = ["a", "b", "c", "x", "e"], ["a", "b", "c", "d", "e"]
    told = whys(score("a b c x e", "a b c d e", weights="0.6,0.4"))
    assert told["NLTK"][0] == pytest.approx(sentence_bleu([reference], hypothesis, weights))
    assert told["NLTK"][1].endswith("1-grams to 2-grams, as set here, with your weights.")
    assert told["sacreBLEU"][0] == pytest.approx((4 / 5 * 2 / 4) ** 0.5)
    assert told["sacreBLEU"][1].endswith(
        "1-grams to 2-grams, as set here, but all weighed alike: it takes no weights."
    )
    assert told["multi-bleu.perl"][1].endswith(
        "Its score is of 1-grams to 4-grams, whatever is set here, all weighed alike."
    )


def test_nothing_is_said_of_orders_where_all_count_the_same() -> None:
    for _, why in whys(score("a b c x e", "a b c d e")).values():
        assert "set here" not in why


def test_orders_longer_than_the_text_are_told_with_what_they_do() -> None:
    assert any("makes the score 0" in n for n in score("a b c", "a b c").notes)
    for preset, words in (
        ("sacrebleu", "left out"),
        ("mteval-v13a", "matched in full"),
        ("nltk", "did not match"),
    ):
        notes = score("a b c", "a b c", preset=preset).notes
        assert any("4-grams" in note and words in note for note in notes), preset


def test_presets_change_with_the_number_of_lines_as_sacrebleus_defaults_do() -> None:
    assert score("a b c", "a b c", preset="sacrebleu").result.value == 1.0
    file = score_file(["a b c", "a b d"], [["a b c"], ["a b c"]], preset="sacrebleu")
    assert file.result.value == 0.0
    assert file.segments[0] == 1.0


def test_a_budget_stops_long_texts() -> None:
    corpus = Corpus.of("a b " * 1_000, ["b a " * 1_000])
    with pytest.raises(BudgetExceeded):
        METRIC.run(corpus, budget=Budget(steps=10_000))


# Sweeps against the live tools


def random_text(draw: random.Random, longest: int) -> str:
    words = ("a", "b", "c", "the", "Cat", "cat", "été", "好的", "3.5", "x.", "e\u0301", "🎉")
    return " ".join(draw.choices(words[: draw.randint(1, len(words))], k=draw.randint(0, longest)))


def near(draw: random.Random, text: str) -> str:
    """``text`` with some words dropped, doubled or changed, so that long n-grams match."""
    kept = [word for word in text.split() for _ in range(draw.choice((0, 1, 1, 1, 1, 1, 2)))]
    return " ".join(word if draw.random() < 0.9 else "new" for word in kept)


def random_segments(seed: int, number: int) -> Iterator[tuple[str, list[str]]]:
    draw = random.Random(seed)
    for _ in range(number):
        hypothesis = random_text(draw, draw.choice((0, 2, 4, 9, 20)))
        references = [
            near(draw, hypothesis) if draw.random() < 0.8 else random_text(draw, 9)
            for _ in range(draw.choice((1, 1, 2, 3, 4)))
        ]
        yield hypothesis, references


METHODS = {"none": "method0", **{f"nltk{n}": f"method{n}" for n in range(1, 8)}}
WEIGHTS = ((0.25,) * 4, (1.0,), (0.5, 0.5), (0.1, 0.3, 0.6), (0.0, 0.0, 0.0, 1.0), (1 / 6,) * 6)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("smoothing", METHODS)
def test_sentences_score_as_in_nltk(smoothing: str) -> None:
    method = getattr(SmoothingFunction(), METHODS[smoothing])
    for index, (hypothesis, references) in enumerate(random_segments(7, 250)):
        weights, reweigh = WEIGHTS[index % len(WEIGHTS)], index % 4 == 0
        values = {"weights": weights, "smoothing": smoothing, "auto_reweigh": reweigh}
        words = [reference.split() for reference in references]
        try:
            theirs = sentence_bleu(words, hypothesis.split(), weights, method, reweigh)
        except (AssertionError, IndexError):
            with pytest.raises(ScoringError):
                score(hypothesis, *references, preset="nltk", **values)
            continue
        run = score(hypothesis, *references, preset="nltk", **values)
        if run.result.value == 0 and smoothing == "none":
            (nltk,) = [entry for entry in run.elsewhere if entry.tool.startswith("NLTK")]
            assert math.isclose(nltk.value or 0.0, theirs, rel_tol=1e-9)
        else:
            assert close(run.result.value, theirs), (hypothesis, references, weights)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("smoothing", ["none", "nltk1", "nltk2", "nltk3", "nltk4"])
def test_files_score_as_in_nltk(smoothing: str) -> None:
    method = getattr(SmoothingFunction(), METHODS[smoothing])
    for seed in range(40):
        pairs = list(random_segments(seed, 2 + seed % 7))
        hypotheses, references = [h for h, _ in pairs], [r for _, r in pairs]
        words = [[text.split() for text in row] for row in references]
        split = [text.split() for text in hypotheses]
        theirs = corpus_bleu(words, split, smoothing_function=method)
        run = score_file(hypotheses, references, preset="nltk", smoothing=smoothing)
        assert close(run.result.value, theirs)


SACREBLEU = [("none", None), ("floor", None), ("floor", 0.01), ("add-k", None), ("add-k", 0.5),
             ("exp", None)]  # fmt: skip


@pytest.mark.parametrize("effective", [False, True])
@pytest.mark.parametrize(("smoothing", "value"), SACREBLEU)
def test_sentences_and_files_score_as_in_sacrebleu(
    smoothing: str, value: float | None, effective: bool
) -> None:
    for seed in range(60):
        tokenizer = ("13a", "none", "char", "intl", "zh")[seed % 5]
        values = {
            "tokenizer": tokenizer,
            "lowercase": seed % 2 == 0,
            "max_order": 1 + seed % 6,
            "smoothing": smoothing,
            "smoothing_value": value,
            "effective_order": effective,
        }
        theirs = BLEU(
            tokenize=tokenizer,
            lowercase=seed % 2 == 0,
            max_ngram_order=1 + seed % 6,
            smooth_method=smoothing,
            smooth_value=value,
            effective_order=effective,
        )
        pairs = list(random_segments(seed, 1 if seed % 3 else 6))
        hypotheses, references = [h for h, _ in pairs], [r for _, r in pairs]
        width = max(map(len, references))
        streams = [[row[i] if i < len(row) else None for row in references] for i in range(width)]
        told = theirs.corpus_score(hypotheses, streams)
        result = score_file(hypotheses, references, **values).result
        assert close(100 * result.value, told.score), (hypotheses, references)
        assert result.brevity_penalty == pytest.approx(told.bp, abs=1e-12)
        assert (result.hypothesis_length, result.reference_length) == (told.sys_len, told.ref_len)


def test_real_translations_score_as_in_sacrebleu_line_by_line() -> None:
    def lines(name: str) -> list[str]:
        return (DATA / "sets" / name).read_text(encoding="utf-8").split("\n")[:250]

    for language, tokenizer in (("en-de", "13a"), ("en-zh", "zh"), ("zh-en", "intl")):
        hypotheses = lines(f"wmt22-{language}.sysA")
        references = [lines(f"wmt22-{language}.ref"), lines(f"wmt22-{language}.refB")]
        corpus = Corpus.from_lines(hypotheses, references)
        run = METRIC.run(corpus, preset="sacrebleu", values={"tokenizer": tokenizer},
                         of_corpus=True)  # fmt: skip
        told = BLEU(tokenize=tokenizer).corpus_score(hypotheses, references)
        assert close(100 * run.result.value, told.score)
        by_line = BLEU(tokenize=tokenizer, effective_order=True)
        for ours, segment in zip(run.segments, corpus.segments, strict=True):
            theirs = by_line.sentence_score(segment.hypothesis, list(segment.references)).score
            assert ours is not None
            assert close(100 * ours, theirs)


# The working


SETTINGS = [
    {},
    {"smoothing": "exp"},
    {"smoothing": "exp", "convention": "mteval"},
    {"smoothing": "add-one"},
    {"smoothing": "add-k", "smoothing_value": 0.5},
    {"smoothing": "floor", "effective_order": True},
    {"smoothing": "nltk4"},
    {"smoothing": "nltk5", "max_order": 2},
    {"smoothing": "nltk7", "max_order": 6},
    {"weights": (0.1, 0.2, 0.3, 0.4), "smoothing": "nltk1"},
    {"auto_reweigh": True},
    {"tokenizer": "char", "convention": "nltk"},
]


@pytest.mark.parametrize("values", SETTINGS, ids=str)
def test_the_working_ends_at_the_score_and_both_ways_agree(values: dict[str, Any]) -> None:
    for hypothesis, references in random_segments(3, 60):
        run = score(hypothesis, *references, **values)
        assert section(run, Derivation).steps[-1].value == run.result.value
        check = section(run, Check)
        assert check.agrees, (hypothesis, references, check)
        assert check.first == run.result.value
        assert METRIC.trace(run.prepared, run.corpus.segments[0], run.budget).counts == run.total


@pytest.mark.parametrize("values", SETTINGS, ids=str)
def test_the_steps_multiply_out_to_the_score(values: dict[str, Any]) -> None:
    for hypothesis, references in random_segments(5, 40):
        run = score(hypothesis, *references, **values)
        steps = {step.label: step.value for step in section(run, Derivation).steps}
        product = steps["Geometric mean"] * steps["Brevity penalty"]
        assert product == pytest.approx(run.result.value, rel=1e-12)


def test_the_table_and_the_tiles_hold_the_counts_of_the_result() -> None:
    run = score("the cat sat on a rug", "the cat sat on the mat", smoothing="exp")
    table = section(run, Table)
    assert [row[1] for row in table.rows] == list(run.result.matches)
    assert [row[2] for row in table.rows] == list(run.result.totals)
    tiles = {tile.label: tile.value for tile in section(run, Tiles).items}
    assert tiles["BLEU, 0 to 100"] == 100 * run.result.value
    assert tiles["Raw BLEU"] == run.result.unsmoothed
    assert tiles["Smoothed BLEU"] == run.result.smoothed


def test_the_inspector_adds_up_to_the_counts() -> None:
    for hypothesis, references in random_segments(11, 40):
        run = score(hypothesis, *references)
        rows = section(run, Inspector).rows
        for order, (matched, total) in enumerate(
            zip(run.result.matches, run.result.totals, strict=True), 1
        ):
            mine = [row.cells for row in rows if row.order == order]
            assert sum(cells[1] for cells in mine) == total
            assert sum(cells[3] for cells in mine) == matched


def test_a_long_text_lists_matched_ngrams_first_and_says_what_it_left_out() -> None:
    words = [f"w{n}" for n in range(2_500)]
    run = score(" ".join(words), " ".join(words[2_300:]))
    inspector = section(run, Inspector)
    distinct = sum(run.result.totals)
    assert len(inspector.rows) + inspector.omitted == distinct
    assert all(row.matched for row in inspector.rows)
    marked = section(run, MarkedText)
    assert len(marked.tokens) + marked.omitted == 2_500


def test_marked_words_are_those_that_match_in_the_longest_order() -> None:
    run = score("a b x a", "a b c")
    marks = [(token.text, token.longest_match) for token in section(run, MarkedText).tokens]
    assert marks == [("a", 2), ("b", 2), ("x", 0), ("a", 0)]


def test_a_line_of_a_file_opens_into_its_own_working() -> None:
    run = score_file(["a b c d e", "a b x"], [["a b c d f"], ["a b c"]], preset="sacrebleu")
    derivation = next(part for part in run.detail(1) if isinstance(part, Derivation))
    assert derivation.steps[-1].value == run.segments[1]
