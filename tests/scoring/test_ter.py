"""TER holds to sacreBLEU, its preset wer to jiwer, and both to what is worked out by hand."""

from __future__ import annotations

import contextlib
import json
import math
import random
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import jiwer
import pytest
from sacrebleu.metrics import TER
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

from calculators.scoring import Budget, BudgetExceeded, Corpus, Evaluation
from calculators.scoring.edits import symbols
from calculators.scoring.explain import (
    Alignment,
    Check,
    Derivation,
    Quote,
    Shifts,
    Table,
    Tiles,
    Verdict,
)
from calculators.scoring.ter import METRIC
from calculators.scoring.ter.counts import rating
from calculators.scoring.ter.shifts import search
from calculators.scoring.ter.text import Preparation

DATA = Path(__file__).resolve().parents[1] / "data"

Run = Evaluation[Any, Any, Any, Any, Any]


def rows(name: str) -> list[dict[str, Any]]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


CASES = [row for row in rows("cases/bug_reports.jsonl") if row.get("metric") in ("ter", "wer")]
# What the cases' outcome "value+warning" wants a sentence for.
WARNED = [row["id"] for row in CASES if "warning" in row["outcome"]]


def score(hypothesis: str, *references: str, preset: str = "", **values: Any) -> Run:
    return METRIC.run(Corpus.of(hypothesis, references), preset=preset, values=values)


def score_file(hypotheses: list[str], references: list[list[str]], **values: Any) -> Run:
    return METRIC.run(Corpus.from_rows(hypotheses, references), values=values, of_corpus=True)


def section(run: Run, kind: type, title: str = "") -> Any:
    parts = (*run.sections, *run.detail(0))
    found = [
        part for part in parts if isinstance(part, kind) and title in getattr(part, "title", "")
    ]
    assert found, (kind, title)
    return found[0]


def close(ours: float, theirs: float) -> bool:
    return math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-9)


def ident(row: dict[str, Any]) -> str:
    return str(row["id"])


# Golden rows and cases


def ours(options: dict[str, Any]) -> dict[str, Any]:
    """sacreBLEU's options, or a case's, by our names."""
    names = {"normalized": "normalize", "asian_support": "asian"}
    named = {names.get(name, name): value for name, value in options.items()}
    if "case_sensitive" in named:
        named["lowercase"] = not named.pop("case_sensitive")
    return named


@pytest.mark.parametrize("row", rows("golden/ter.jsonl"), ids=ident)
def test_golden_rows_of_sacrebleu_hold(row: dict[str, Any]) -> None:
    options = ours(row["options"])
    run = score(row["hyp"], *row["refs"], **options)
    assert close(run.result.value, row["expected"]["score"] / 100)
    assert run.result.edits == row["expected"]["num_edits"]
    assert run.result.reference_length == row["expected"]["ref_length"]
    derived = row["derived"]
    unshifted = score(row["hyp"], *row["refs"], **options, shifts=False)
    assert close(unshifted.result.value, derived["no_shift_score"] / 100)
    best = score(row["hyp"], *row["refs"], **options, multi_reference="best-reference")
    assert close(best.result.value, derived["own_length_min"] / 100)
    assert best.result.best_reference == derived["own_length_best_ref"] + 1
    trace = run.trace(0)
    assert list(trace.hypothesis) == row["tokens"]["hyp"]
    assert [list(one.words) for one in trace.references] == row["tokens"]["refs"]
    assert [one.outcome.edits for one in trace.references] == [
        one["edits"] for one in row["per_ref"]
    ]


@pytest.mark.parametrize("row", CASES, ids=ident)
def test_cases_from_bug_reports_hold(row: dict[str, Any]) -> None:
    preset, scale = ("wer", 1) if row["metric"] == "wer" else ("sacrebleu", 100)
    run = score(row["hypothesis"], *row["references"], preset=preset, **ours(row["options"]))
    assert close(run.result.value, row["tool_gives"] / scale)
    if row["id"] in WARNED:
        assert run.notes


# Worked by hand


def counts(run: Run) -> tuple[int, int, int, int]:
    result = run.result
    return result.insertions, result.deletions, result.substitutions, result.shifts


@pytest.mark.parametrize(
    ("hypothesis", "reference", "value", "edits"),
    [
        # sat -> is, and "the" put in before mat: 2/6.
        ("the cat sat on mat", "the cat is on the mat", 2 / 6, (1, 0, 1, 0)),
        # "to the school" moves to the end as one block: 1/6.
        ("to the school the boy went", "the boy went to the school", 1 / 6, (0, 0, 0, 1)),
        ("she will arrive", "she will arrive tomorrow", 1 / 4, (1, 0, 0, 0)),
        ("he really plays the old piano", "he plays the piano", 2 / 4, (0, 2, 0, 0)),
        ("in the event that it rains", "if wet", 6 / 2, (0, 4, 2, 0)),
        ("", "three short words", 1.0, (3, 0, 0, 0)),
        ("a b", "", 1.0, (0, 2, 0, 0)),
        ("", "", 0.0, (0, 0, 0, 0)),
        ("same text", "same text", 0.0, (0, 0, 0, 0)),
    ],
)
def test_worked_examples(
    hypothesis: str, reference: str, value: float, edits: tuple[int, int, int, int]
) -> None:
    run = score(hypothesis, reference)
    assert run.result.value == value
    assert counts(run) == edits


def test_without_shifts_a_block_out_of_place_costs_every_word() -> None:
    run = score("to the school the boy went", "the boy went to the school", shifts=False)
    assert run.result.value == 1.0
    assert run.result.shifts == 0


def test_fewest_edits_are_divided_by_the_mean_length() -> None:
    # 1 edit to the first, 5 to the second; (4 + 8) / 2 = 6 words.
    references = ("a b c d", "a b c d e f g h")
    assert score("a b c", *references).result.value == 1 / 6
    best = score("a b c", *references, multi_reference="best-reference")
    assert best.result.value == 1 / 4
    assert best.result.reference_length == 4


def test_best_reference_is_the_first_with_the_fewest_edits() -> None:
    # One edit to each: a deletion to the first, an insertion to the second.
    run = score("a b c", "a b", "a b c d")
    assert run.result.best_reference == 1
    assert counts(run) == (0, 1, 0, 0)
    assert score("a b c", "x y z", "a b c d", "a b").result.best_reference == 2


def test_best_reference_by_rate_may_have_more_edits() -> None:
    # 2 edits over 3 words against 3 over 10.
    references = ("a x y", "a b c d e f g h i j")
    hypothesis = "a b c d e f g"
    by_rate = score(hypothesis, *references, multi_reference="best-reference")
    assert by_rate.result.best_reference == 2
    assert by_rate.result.value == 3 / 10


def test_an_empty_reference_counts_in_the_mean() -> None:
    run = score("a b c", "", "a b c d")
    assert (run.result.edits, run.result.reference_length) == (1, 2.0)


def test_a_file_divides_the_sum_of_edits_by_the_sum_of_mean_lengths() -> None:
    run = score_file(["a b c", "x"], [["a b c d", "a b c d e f g h"], ["y", "y z"]])
    # Edits 1 + 1 over 6 + 1.5.
    assert run.result.value == 2 / 7.5
    assert run.result.best_reference is None
    assert run.segments == (1 / 6, 1 / 1.5)


def test_a_file_by_best_reference_pools_edits_and_own_lengths() -> None:
    run = score_file(
        ["a b c", "x"],
        [["a b c d", "a b c d e f g h"], ["y", "y z"]],
        multi_reference="best-reference",
    )
    # 1 over 4 and 1 over 1.
    assert run.result.value == 2 / 5


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (0.0, "excellent"),
        (0.0999, "excellent"),
        (0.1, "good"),
        (0.3, "good"),
        (0.3001, "fair"),
        (0.5, "fair"),
        (0.5001, "heavy post-editing"),
        (3.0, "heavy post-editing"),
    ],
)
def test_rating_follows_its_bounds(value: float, name: str) -> None:
    assert rating(value) == name


# Preparation of text


def odd_texts(seed: int, many: int) -> list[str]:
    source = random.Random(seed)
    pool = list("ab's s12.,-.,-&;<>\n-\t (){}[]~`_^/:;@?!\"'\x1c\u00a0\u3000")
    pool += list("あア一㐀、．，㈢㎙İßÄㇰ︰日\u3f30\u2e85")
    pool += ["'s ", "&quot;", "&amp;lt;", "\n-", "\u3040", "\U00020000", "3.14", "1,000", "İ"]
    return ["".join(source.choices(pool, k=source.randrange(30))) for _ in range(many)]


def settings(number: int) -> tuple[bool, bool, bool, bool]:
    return bool(number & 1), bool(number & 2), bool(number & 4), bool(number & 8)


def test_text_is_prepared_as_sacrebleu_prepares_it_with_all_switches() -> None:
    for number in range(16):
        lowercase, normalize, asian, no_punct = settings(number)
        mine = Preparation(lowercase, normalize, asian, no_punct)
        theirs = TercomTokenizer(normalize, no_punct, asian, not lowercase)
        for text in odd_texts(number, 400):
            assert list(mine.words(text)) == theirs(text.rstrip()).split(), (number, text)


def test_references_are_prepared_twice_as_sacrebleu_prepares_them() -> None:
    differing = 0
    for number in range(16):
        lowercase, normalize, asian, no_punct = settings(number)
        theirs = TER(normalize, no_punct, asian, not lowercase)
        for text in [*odd_texts(number, 150), "That is the dog's.", "it rose by ..1 percent"]:
            options = {"lowercase": lowercase, "normalize": normalize}
            run = score(text, text, **options, asian=asian, no_punct=no_punct)
            expected = theirs.sentence_score(text, [text])
            assert close(run.result.value, expected.score / 100), (number, text)
            assert run.result.reference_length == expected.ref_length
            differing += run.result.edits > 0
    assert differing > 10
    assert noted(score("a dog's.", "a dog's."), "prepares a reference twice")
    assert not noted(score("a dog's", "a dog's"), "prepares a reference twice")


@pytest.mark.parametrize("number", range(16))
def test_many_texts_are_prepared_as_one_by_one(number: int) -> None:
    rules = [bool(number >> bit & 1) for bit in range(4)]
    texts = [*odd_texts(number, 400), "\ue000", "x\ue000\ue000 y", "", "  "]
    preparations = Preparation(*rules), Preparation(*rules, twice=True)
    for split in (part for each in preparations for part in (each.words, each.characters)):
        together = split.of_all(texts)
        assert together.words == [word for text in texts for word in (*split(text), together.end)]


def test_every_character_of_the_basic_plane_is_prepared_as_by_sacrebleu() -> None:
    mine = Preparation(lowercase=True, normalize=True, asian=True, no_punct=True)
    theirs = TercomTokenizer(True, True, True, False)
    for code in range(0x10000):
        if not 0xD800 <= code < 0xE000:
            text = f"a{chr(code)}b"
            assert list(mine.words(text)) == theirs(text).split(), hex(code)


# Sweeps against the living tools


def sentence(source: random.Random) -> str:
    vocabulary = source.choice(
        (
            "a b",
            "the a cat dog sat on mat , . it's",
            "Der die Straße STRASSE İstanbul ıx e\u0301 é שלום 日本語 日 本",
            " ".join(f"w{number}" for number in range(40)),
        )
    )
    words = vocabulary.split()
    return " ".join(source.choices(words, k=source.randrange(18)))


def near(source: random.Random, text: str) -> str:
    words = text.split()
    for _ in range(source.randrange(4)):
        start, end = sorted(source.randrange(len(words) + 1) for _ in range(2))
        block = words[start : min(end, start + 12)]
        del words[start : start + len(block)]
        place = source.randrange(len(words) + 1)
        words[place:place] = block if source.random() < 0.8 else ["new"]
    return " ".join(words)


def test_random_pairs_with_several_references_score_as_in_sacrebleu() -> None:
    source = random.Random(21)
    metrics = {
        number: TER(
            normalized=settings(number)[1],
            asian_support=settings(number)[2],
            no_punct=settings(number)[3],
            case_sensitive=not settings(number)[0],
        )
        for number in range(16)
    }
    several = shifted = 0
    for turn in range(1200):
        text = sentence(source)
        references = [
            source.choice((near(source, text), sentence(source)))
            for _ in range(source.randrange(1, 5))
        ]
        lowercase, normalize, asian, no_punct = settings(turn % 16)
        run = score(
            text,
            *references,
            lowercase=lowercase,
            normalize=normalize,
            asian=asian,
            no_punct=no_punct,
        )
        theirs = metrics[turn % 16].sentence_score(text, references)
        assert close(run.result.value, theirs.score / 100), (text, references, turn % 16)
        assert run.result.edits == theirs.num_edits
        assert run.result.reference_length == theirs.ref_length
        several += len(references) > 1
        shifted += run.result.shifts > 0
    assert several > 500
    assert shifted > 300


# Line 873 of refB has a word whose second preparation differs from the first.
@pytest.mark.parametrize("lines", [slice(150), slice(860, 880)])
def test_a_file_scores_as_in_sacrebleu(lines: slice) -> None:
    hypotheses, first, second = (
        (DATA / "sets" / f"wmt22-en-de.{name}").read_text(encoding="utf-8").split("\n")[lines]
        for name in ("sysA", "ref", "refB")
    )
    run = score_file(hypotheses, [list(row) for row in zip(first, second, strict=True)])
    theirs = TER(normalized=True).corpus_score(hypotheses, [first, second])
    assert close(run.result.value, theirs.score / 100)
    assert run.result.edits == theirs.num_edits


def test_preset_wer_counts_as_jiwer_does() -> None:
    source = random.Random(22)
    for _ in range(600):
        text, reference = sentence(source), sentence(source) or "x"
        if source.random() < 0.5:
            text = near(source, reference)
        run = score(text, reference, preset="wer")
        theirs = jiwer.process_words(reference, text)
        assert close(run.result.value, theirs.wer)
        # What jiwer says was inserted into the hypothesis must go.
        assert counts(run) == (theirs.deletions, theirs.insertions, theirs.substitutions, 0)


def test_preset_wer_by_characters_is_jiwers_character_error_rate() -> None:
    source = random.Random(23)
    for _ in range(300):
        reference = sentence(source) or "x"
        text = source.choice((f" {near(source, reference)}  ", sentence(source), "a  b\tc"))
        run = score(text, reference, preset="wer", unit="characters")
        assert close(run.result.value, jiwer.cer(reference, text))


# The working


def some_runs() -> list[Run]:
    source = random.Random(24)
    runs = []
    for number in range(150):
        text = sentence(source)
        references = [near(source, text), sentence(source)][: 1 + number % 2]
        values = {
            "multi_reference": ("mean-length", "best-reference")[number % 3 == 0],
            "shifts": number % 5 != 0,
            "unit": ("words", "characters")[number % 7 == 0],
        }
        runs.append(score(text, *references, **values))
    return runs


def test_trace_counts_what_measure_counts() -> None:
    for run in some_runs():
        assert run.trace(0).counts == run.counts[0]


def test_edits_shown_are_the_edits_counted() -> None:
    for run in some_runs():
        letters = "".join(edit.operation for edit in section(run, Alignment).edits)
        result = run.result
        assert letters.count("I") == result.insertions
        assert letters.count("D") == result.deletions
        assert letters.count("S") == result.substitutions
        assert section(run, Check).agrees
        steps = section(run, Derivation).steps
        assert steps[0].value == sum(counts(run)) == result.edits
        assert steps[-1].value == result.value


def test_alignment_reads_as_shifted_hypothesis_and_reference() -> None:
    for run in some_runs():
        trace = run.trace(0)
        edits = section(run, Alignment).edits
        reference = tuple(edit.reference for edit in edits if edit.reference is not None)
        hypothesis = [edit.hypothesis for edit in edits if edit.hypothesis is not None]
        assert reference == trace.best.words
        assert sorted(hypothesis) == sorted(trace.hypothesis)
        assert any(edit.shifted for edit in edits) == (run.result.shifts > 0)
        for edit in edits:
            assert (edit.operation == "=") == (edit.hypothesis == edit.reference)


def test_shifts_lead_from_the_hypothesis_to_the_alignment() -> None:
    shifted = 0
    for run in some_runs():
        if not run.result.shifts:
            continue
        steps = section(run, Shifts).steps
        assert len(steps) == run.result.shifts
        assert steps[0].before == run.trace(0).hypothesis
        for step in steps:
            block = step.before[step.start : step.start + step.length]
            assert step.after[step.target : step.target + step.length] == block
            assert step.edits_after < step.edits_before
        aligned = [edit.hypothesis for edit in section(run, Alignment).edits]
        assert [word for word in aligned if word is not None] == list(steps[-1].after)
        shifted += len(steps) > 1
    assert shifted


def test_references_are_listed_with_their_own_rates_and_the_best_is_marked() -> None:
    table = section(
        score("he plays the piano", "he plays the piano very well and sings too", "he plays piano"),
        Table,
        "References",
    )
    assert [row[1:] for row in table.rows] == [(5, 0, 9, 5 / 9), (1, 0, 3, 1 / 3)]
    assert table.marked_row == 1


def test_tile_without_shifts_is_the_score_with_shifts_off() -> None:
    source = random.Random(25)
    for number in range(200):
        text = sentence(source)
        references = [near(source, text), sentence(source)]
        rule = ("mean-length", "best-reference")[number % 2]
        run = score(text, *references, multi_reference=rule)
        (tile,) = (tile for tile in section(run, Tiles).items if tile.label == "Without shifts")
        off = score(text, *references, multi_reference=rule, shifts=False)
        assert tile.value == off.result.value


def test_without_shifts_another_reference_may_be_the_best() -> None:
    # One shift to the first; without shifts 6 edits, against 3 substitutions to the second.
    run = score(
        "to the school the boy went", "the boy went to the school", "to the school a girl goes"
    )
    (tile,) = (tile for tile in section(run, Tiles).items if tile.label == "Without shifts")
    assert (run.result.value, tile.value) == (1 / 6, 3 / 6)


def test_every_block_that_was_moved_stays_marked() -> None:
    run = score("e f g x c d y a b", "a b x c d y e f g")
    edits = section(run, Alignment).edits
    assert run.result.shifts == 2
    moved = [edit.hypothesis for edit in edits if edit.shifted]
    assert moved == ["a", "b", "e", "f", "g"]


def test_working_of_a_file_needs_no_trace() -> None:
    run = score_file(["a b"] * 3, [["b a"]] * 3)
    broken = Evaluation(
        metric=run.metric,
        options=run.options,
        segment_options=run.segment_options,
        corpus=run.corpus,
        prepared=None,  # a trace would fail
        counts=run.counts,
        total=run.total,
        result=run.result,
        budget=run.budget,
    )
    assert broken.sections
    assert isinstance(broken.notes, tuple)
    assert run.detail(2)


def test_verdict_names_the_first_edits() -> None:
    verdict = section(score("the cat sat on mat", "the cat is on the mat"), Verdict)
    quoted = [part.text for part in verdict.parts if isinstance(part, Quote)]
    assert quoted == ["sat", "is", "the"]


# Notes and other tools


def noted(run: Run, words: str) -> bool:
    return any(words in note for note in run.notes)


def elsewhere(run: Run) -> dict[str, float | None]:
    return {other.tool: other.value for other in run.elsewhere}


def test_the_limit_of_candidates_is_noted_where_it_bit_and_only_there() -> None:
    words = [f"w{number}" for number in range(60)]
    run = score(" ".join(words[30:] + words[:30]), " ".join(words))
    assert run.result.value == 1.0
    assert noted(run, "1,000 candidates")
    # Three shifts of ten words each.
    assert elsewhere(run)["Without the limit of 1,000 candidates"] == 3 / 60
    other = score("b a", "a b")
    assert not noted(other, "1,000 candidates")
    assert "Without the limit of 1,000 candidates" not in elsewhere(other)


def test_a_search_without_limit_that_takes_too_long_has_no_number() -> None:
    words = [f"w{number}" for number in range(1_200)]
    shuffled = random.Random(1).sample(words, len(words))
    run = score(" ".join(shuffled), " ".join(words))
    assert elsewhere(run)["Without the limit of 1,000 candidates"] is None


def test_notes_tell_what_is_odd() -> None:
    assert noted(score("in the event that it rains", "if wet"), "no upper limit")
    assert not noted(score("a", "b"), "no upper limit")
    assert noted(score("日", "本", asian=True, normalize=False), "Asian switch does nothing")
    assert not noted(score("日", "本", asian=True), "Asian switch does nothing")
    kana = ("私はペンを買った", "私は本を買った")
    assert noted(score(*kana, asian=True), "kana")
    assert not noted(score(*kana), "kana")
    assert noted(score("we at of at we at by", "by at at at of we by"), "tercom")
    assert not noted(score("to the school the boy went", "the boy went to the school"), "tercom")


def test_other_tools_stand_beside_the_score() -> None:
    run = score("The cat sat.", "the cat sat .")
    found = elsewhere(run)
    assert run.result.value == found["sacreBLEU TER, normalized"] == 0.0
    # "sat." is one word for sacreBLEU's default, and for jiwer "The" is not "the".
    assert found["sacreBLEU TER"] == 2 / 4
    assert found["jiwer WER"] == 3 / 4
    assert "Best reference" not in found
    several = score("a b c", "a b c d", "a b c d e f g h")
    assert elsewhere(several)["Best reference"] == 1 / 4


def test_the_search_for_shifts_spends_of_the_budget() -> None:
    words = [str(number) for number in range(1_000)]
    corpus = Corpus.of(" ".join(random.Random(7).sample(words, 1_000)), [" ".join(words)])
    searched, not_searched = Budget(), Budget()
    METRIC.run(corpus, budget=searched)
    METRIC.run(corpus, values={"shifts": False}, budget=not_searched)
    assert searched.spent > 2 * not_searched.spent


@pytest.fixture
def spent(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[int]]:
    """What is spent of any budget while the test lasts, by the function that spends it."""
    steps: dict[str, list[int]] = defaultdict(list)
    spend = Budget.spend

    def noted(budget: Budget, many: int) -> None:
        steps[sys._getframe(1).f_code.co_name].append(many)
        spend(budget, many)

    monkeypatch.setattr(Budget, "spend", noted)
    return steps


def shuffled(length: int) -> Corpus:
    words = [f"w{number}" for number in range(length)]
    return Corpus.of(" ".join(random.Random(7).sample(words, length)), [" ".join(words)])


def test_every_loop_spends_of_the_budget_by_itself(spent: dict[str, list[int]]) -> None:
    for length in (20, 300, 1_000):  # without the beam, with it, and in blocks
        METRIC.run(shuffled(length)).detail(0)
        METRIC.run(shuffled(length), values={"shifts": False}).detail(0)
    assert set(spent) == {
        *("_split", "_together", "_pairs", "edit_distance", "operations", "plain_operations"),
        *("_matching", "_first_best", "_first_best_in_beam"),
        *("of", "run", "distance_if_below"),  # of the beam
    }


def test_the_search_looks_up_often_however_many_blocks_it_finds(
    spent: dict[str, list[int]],
) -> None:
    source = random.Random(8)
    hypothesis, reference = symbols(source.choices("ab", k=2_000), source.choices("abc", k=2_000))
    with contextlib.suppress(BudgetExceeded):
        search(hypothesis, reference, Budget(steps=5_000_000), limit=None)
    # A look through the whole text takes ten times as many.
    assert sum(spent["_matching"]) > 300_000
    assert max(spent["_matching"]) < 30_000


def test_the_search_in_a_short_text_spends_too(spent: dict[str, list[int]]) -> None:
    METRIC.run(shuffled(20))
    assert spent["_matching"]


def test_20000_characters_are_answered_or_refused_in_time() -> None:
    source = random.Random(26)
    words = [chr(0x4E00 + number) for number in range(9_999)]
    pairs = [
        (source.sample(words, len(words)), words),
        (words[4_000:] + words[:4_000], words),
        (source.choices("ab", k=9_999), source.choices("ab", k=9_999)),
    ]
    for hypothesis, reference in pairs:
        start = time.monotonic()
        corpus = Corpus.of(" ".join(hypothesis), [" ".join(reference)])
        with contextlib.suppress(BudgetExceeded):
            METRIC.run(corpus, budget=Budget(seconds=3))
        assert time.monotonic() - start < 5


@pytest.mark.parametrize("space", ["\t", "\n", "\u00a0"])
def test_jiwer_has_no_number_here_where_it_takes_two_words_for_one(space: str) -> None:
    text = f"one{space}two three"
    assert jiwer.wer("one two three", text) == pytest.approx(2 / 3)
    run = score(text, "one two three", preset="wer")
    assert run.result.value == 0.0
    (found,) = [other for other in run.elsewhere if other.tool == "jiwer WER"]
    assert found.value is None
    assert "at the space alone" in found.why
