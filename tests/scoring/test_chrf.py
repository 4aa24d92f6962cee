"""chrF is sacreBLEU's for every option, and NLTK's by its preset."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from nltk.translate.chrf_score import corpus_chrf, sentence_chrf
from sacrebleu.metrics import CHRF

from calculators.scoring import Budget, BudgetExceeded, Corpus, as_data
from calculators.scoring.chrf import METRIC
from calculators.scoring.explain import Check, Derivation, Inspector

DATA = Path(__file__).parents[1] / "data"
GOLDEN = [json.loads(line) for line in (DATA / "golden" / "chrf.jsonl").open(encoding="utf-8")]
CASES = {
    case["id"]: case
    for case in map(json.loads, (DATA / "cases" / "bug_reports.jsonl").open(encoding="utf-8"))
    if case["id"].startswith("chrf-")
}
SACREBLEU_OPTIONS = ("char_order", "word_order", "beta", "lowercase", "whitespace", "eps_smoothing")


def run(hypothesis: str, *references: str, preset: str = "", **values: object) -> Any:
    """The evaluation of one segment."""
    return METRIC.run(Corpus.of(hypothesis, references), preset=preset, values=values)


def sacrebleu(evaluation: Any) -> float:
    """sacreBLEU's score of the same corpus with the same options, from 0 to 1."""
    options = {name: getattr(evaluation.options, name) for name in SACREBLEU_OPTIONS}
    segments = evaluation.corpus.segments
    if evaluation.is_sentence:
        references = list(segments[0].references)
        return float(CHRF(**options).sentence_score(segments[0].hypothesis, references).score / 100)
    most = evaluation.corpus.reference_counts[1]
    streams = [
        [one.references[i] if i < len(one.references) else None for one in segments]
        for i in range(most)
    ]
    hypotheses = [segment.hypothesis for segment in segments]
    return float(CHRF(**options).corpus_score(hypotheses, streams).score / 100)


def lines(name: str) -> list[str]:
    return (DATA / "sets" / name).read_text(encoding="utf-8").splitlines()


def test_every_golden_row_has_sacrebleus_score() -> None:
    for row in GOLDEN:
        evaluation = run(row["hyp"], *row["refs"], **row["options"])
        expected = row["expected"]["score"] / 100
        assert evaluation.result.value == pytest.approx(expected, abs=1e-12), row["id"]


def test_every_golden_row_has_sacrebleus_score_for_each_reference() -> None:
    for row in GOLDEN:
        trace = run(row["hyp"], *row["refs"], **row["options"]).trace(0)
        assert [100 * score for score in trace.scores] == pytest.approx(row["per_ref"], abs=1e-9)


def test_every_golden_row_has_nltks_score_by_the_preset() -> None:
    for row in GOLDEN:
        given = row["nltk"]["options"]
        evaluation = run(
            row["hyp"],
            row["refs"][0],
            preset="nltk",
            char_order=given["max_len"],
            beta=given["beta"],
            whitespace=not given["ignore_whitespace"],
        )
        expected = row["nltk"]["expected"]["score"]
        assert evaluation.result.value == pytest.approx(expected, abs=1e-12), row["id"]


@pytest.mark.parametrize(
    "case", [case for case in CASES.values() if case["metric"] == "chrf"], ids=lambda c: c["id"]
)
def test_reported_cases_give_what_the_user_should_see(case: dict[str, Any]) -> None:
    evaluation = run(case["hypothesis"], *case["references"], **case["options"])
    assert evaluation.result.value == pytest.approx(case["tool_gives"] / 100, abs=1e-12)
    assert not case["outcome"].endswith("warning") or evaluation.notes


def test_a_line_without_overlap_still_counts_in_the_file() -> None:
    case = CASES["chrf-corpus-zero-sentence"]
    corpus = Corpus.from_rows(case["hypothesis"], case["references"])
    pooled = METRIC.run(corpus, values=case["options"], of_corpus=True)
    assert pooled.result.value == pytest.approx(case["tool_gives"] / 100, abs=1e-12)
    as_nltk = METRIC.run(corpus, preset="nltk", of_corpus=True)
    expected = case["others"]["nltk corpus_chrf x100"] / 100
    assert as_nltk.result.value == pytest.approx(expected, abs=1e-12)


def test_other_tools_stand_beside_with_their_numbers() -> None:
    case = CASES["chrf-nltk-beta-3"]
    others = {
        other.tool: other.value for other in run(case["hypothesis"], *case["references"]).elsewhere
    }
    assert {tool: 100 * value for tool, value in others.items()} == pytest.approx(
        {
            "sacreBLEU chrF": case["tool_gives"],
            "sacreBLEU chrF++": case["others"]["chrF++"],
            "NLTK": case["others"]["nltk default x100"],
            "chrF++.py": case["others"]["chrF++.py -nw 2"],
        }
    )


def random_text(draw: random.Random) -> str:
    """A text with repeats, several scripts and marks, odd white space, or nothing."""
    pieces = (
        "the",
        "The",
        "cat,",
        "(hi)",
        "a.",
        "..",
        "!",
        "猫猫",
        "naïve",
        "ΟΔΟΣ",
        "İ",
        "e\u0301",
        "🙂",
        "x",
    )
    spaces = (" ", " ", " ", "  ", "\n", "\u3000", "\x1c", "")
    words = draw.choices(pieces, k=draw.choice((0, 1, 2, 4, 9)))
    return "".join(word + draw.choice(spaces) for word in words)


def random_runs(*, of_corpus: bool) -> Iterator[Any]:
    draw = random.Random(13)
    for _ in range(400):
        size = draw.randrange(2, 5) if of_corpus else 1
        rows = [[random_text(draw) for _ in range(draw.choice((1, 1, 2, 4)))] for _ in range(size)]
        yield METRIC.run(
            Corpus.from_rows([random_text(draw) for _ in range(size)], rows),
            values={
                "char_order": draw.choice((1, 2, 3, 6, 10)),
                "word_order": draw.choice((0, 0, 1, 2, 4)),
                "beta": draw.choice((0, 1, 2, 3)),
                "lowercase": draw.random() < 0.3,
                "whitespace": draw.random() < 0.3,
                "eps_smoothing": draw.random() < 0.4,
            },
            of_corpus=of_corpus,
        )


@pytest.mark.parametrize("of_corpus", [False, True], ids=["sentences", "files"])
def test_random_texts_have_sacrebleus_score(of_corpus: bool) -> None:
    for evaluation in random_runs(of_corpus=of_corpus):
        assert evaluation.result.value == pytest.approx(sacrebleu(evaluation), abs=1e-12)


@pytest.mark.parametrize("preset", ["chrf", "chrf++"])
@pytest.mark.parametrize("name", ["wmt22-zh-en", "wmt22-en-zh"])
def test_real_files_with_two_references_have_sacrebleus_score(name: str, preset: str) -> None:
    hypotheses, first, second = (lines(f"{name}.{part}")[:300] for part in ("sysA", "ref", "refB"))
    corpus = Corpus.from_lines(hypotheses, [first, second])
    evaluation = METRIC.run(corpus, preset=preset, of_corpus=True)
    assert evaluation.result.value == pytest.approx(sacrebleu(evaluation), abs=1e-12)
    for index in range(0, 300, 30):
        segment = corpus.segments[index]
        alone = run(segment.hypothesis, *segment.references, preset=preset)
        assert evaluation.segments[index] == pytest.approx(sacrebleu(alone), abs=1e-12)


def test_real_files_have_nltks_score_by_the_preset() -> None:
    hypotheses, references = lines("ted-sk-en-detok.sysA")[:200], lines("ted-sk-en-detok.ref")[:200]
    evaluation = METRIC.run(
        Corpus.from_lines(hypotheses, [references]), preset="nltk", of_corpus=True
    )
    assert evaluation.result.value == pytest.approx(corpus_chrf(references, hypotheses), abs=1e-12)
    for index in range(0, 200, 20):
        expected = sentence_chrf(references[index], hypotheses[index])
        assert evaluation.segments[index] == pytest.approx(expected, abs=1e-12)


def test_trace_has_the_counts_that_measure_gives() -> None:
    for evaluation in random_runs(of_corpus=True):
        for index, counts in enumerate(evaluation.counts):
            assert evaluation.trace(index).counts == counts


def test_precision_and_recall_of_each_order_by_hand() -> None:
    # abab / aba: characters a b a b and a b a, pairs ab ba ab and ab ba.
    result = run("abab", "aba", char_order=2, beta=1).result
    assert result.precision == (3 / 4, 2 / 3)
    assert result.recall == (1.0, 1.0)
    assert result.matched == (3, 2)


def test_words_lose_one_mark_at_one_edge() -> None:
    # As words "(hi" and ")", so only ")" is shared with ")".
    result = run("(hi)", "hi )", char_order=1, word_order=1).result
    assert result.matched[1] == 1
    assert result.hypothesis[1] == 2


def test_an_order_longer_than_the_text_is_left_out_and_noted() -> None:
    evaluation = run("ok", "ok")
    assert evaluation.result.value == 1.0
    assert evaluation.result.orders == 2
    assert any("too short for 4 of 6 orders" in note for note in evaluation.notes)
    assert run("ok", "ok", preset="nltk").result.value == pytest.approx(2 / 6)


def test_an_empty_side_scores_zero() -> None:
    for texts in (("", "a b"), ("a b", ""), ("", ""), (" ", "a")):
        for preset in ("chrf", "chrf++", "nltk"):
            assert run(*texts, preset=preset).result.value == 0.0
    assert "The hypothesis is empty." in run("", "a b").notes


def test_the_budget_ends_long_work() -> None:
    with pytest.raises(BudgetExceeded):
        METRIC.run(Corpus.of("a" * 1_000, ["a"]), budget=Budget(steps=100))


@pytest.mark.parametrize("preset", ["chrf", "chrf++", "nltk"])
@pytest.mark.parametrize(
    "texts",
    [
        ("the small cat slept", "the little cat slept well", "a cat"),
        ("ok", "ok"),
        ("", "a"),
        ("a", "b"),
        ("abc", "ab"),
    ],
)
def test_the_working_ends_at_the_score_and_its_check_agrees(
    texts: tuple[str, ...], preset: str
) -> None:
    evaluation = run(*texts, preset=preset)
    sections = (*evaluation.sections, *evaluation.detail(0))
    (derivation,) = (section for section in sections if isinstance(section, Derivation))
    assert derivation.steps[-1].value == evaluation.result.value
    (check,) = (section for section in sections if isinstance(section, Check))
    assert check.agrees
    assert json.dumps([as_data(section) for section in sections])


@pytest.mark.parametrize("preset", ["chrf", "chrf++", "nltk"])
def test_the_working_of_a_file_ends_at_the_score_and_opens_each_line(preset: str) -> None:
    corpus = Corpus.from_lines(["the cat sat", "", "b a"], [["the cat", "x", "a b"]])
    evaluation = METRIC.run(corpus, preset=preset, of_corpus=True)
    (derivation,) = (part for part in evaluation.sections if isinstance(part, Derivation))
    assert derivation.steps[-1].value == evaluation.result.value
    assert all(part.agrees for part in evaluation.sections if isinstance(part, Check))
    for index, score in enumerate(evaluation.segments):
        (one,) = (part for part in evaluation.detail(index) if isinstance(part, Derivation))
        assert one.steps[-1].value == score


def test_the_inspectors_add_up_to_the_counts_and_show_spaces() -> None:
    evaluation = run("the cat a", "a the cat", preset="chrf++", whitespace=True)
    inspectors = [part for part in evaluation.detail(0) if isinstance(part, Inspector)]
    rows = [row for inspector in inspectors for row in inspector.rows]
    assert sum(int(row.cells[3]) for row in rows) == sum(evaluation.result.matched)
    assert sum(int(row.cells[1]) for row in rows) == sum(evaluation.result.hypothesis)
    assert ("e␣c",) in [row.cells[0] for row in inspectors[0].rows]
    assert ("the", "cat") in [row.cells[0] for row in inspectors[1].rows]


def test_popovics_script_gives_no_number_for_an_empty_hypothesis() -> None:
    # It stops with an UnboundLocalError.
    found = {other.tool: other for other in METRIC.run(Corpus.of("", ["a reference"])).elsewhere}
    assert found["chrF++.py"].value is None
    assert "stops with an error" in found["chrF++.py"].why
