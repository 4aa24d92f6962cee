"""NIST holds to NLTK, to mteval-v13a and to the worked examples of its page."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from nltk.translate.nist_score import corpus_nist, sentence_nist

from calculators.scoring import Corpus, Evaluation, ScoringError
from calculators.scoring.explain import Check, Inspector, MarkedText, Table, Tiles
from calculators.scoring.nist import METRIC

DATA = Path(__file__).resolve().parents[1] / "data"
SPLIT = {"tokenizer": "none", "lowercase": False}

Run = Evaluation[Any, Any, Any, Any, Any]


def rows(name: str) -> list[dict[str, Any]]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


GOLDEN = rows("golden/nist.jsonl")
SENTENCES = [row for row in GOLDEN if "hyp" in row]
WITH_MTEVAL = [row for row in GOLDEN if row["mteval"]]
CASES = {row["id"]: row for row in rows("cases/bug_reports.jsonl") if row["id"][:5] == "nist-"}


def score(hypothesis: str, *references: str, **options: Any) -> Run:
    return METRIC.run(Corpus.of(hypothesis, references), values={**SPLIT, **options})


def corpus_of(row: dict[str, Any]) -> Corpus:
    if "hyp" in row:
        return Corpus.of(row["hyp"], row["refs"])
    return Corpus.from_rows(row["hyps"], row["refs_per_hyp"])


def golden_run(row: dict[str, Any]) -> Run:
    options = row["options"]
    name = {"whitespace": "none"}.get(options["tokenizer"], options["tokenizer"])
    values = {"max_order": options["n"], "tokenizer": name, "lowercase": options["lowercase"]}
    return METRIC.run(corpus_of(row), values=values)


def section(run: Run, kind: type) -> Any:
    found = [part for part in (*run.sections, *run.detail(0)) if isinstance(part, kind)]
    assert found, kind
    return found[0]


def ident(row: dict[str, Any]) -> str:
    return str(row["id"])


# What the reference tools gave


@pytest.mark.parametrize("row", GOLDEN, ids=ident)
def test_golden_row_of_nltk(row: dict[str, Any]) -> None:
    expected = row["expected"].get("score")
    if expected is None:  # NLTK fails on a candidate shorter than N
        expected = row["derived_lenient"]["score"]
    assert golden_run(row).result.value == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("row", SENTENCES, ids=ident)
def test_factors_and_orders_of_a_golden_row(row: dict[str, Any]) -> None:
    run, expected = golden_run(row), row["derived_lenient"]
    result = run.result
    orders = len(expected["orders"])
    assert result.precision_sum == pytest.approx(expected["precision_sum"], rel=1e-9, abs=1e-12)
    assert result.brevity_penalty == pytest.approx(expected["bp"], rel=1e-9)
    assert result.length_ratio == pytest.approx(expected["ratio"], rel=1e-9)
    assert result.reference_length * orders == pytest.approx(expected["l_ref"], rel=1e-12)
    assert result.hypothesis_length * orders == expected["l_sys"]
    for traced, order in zip(run.trace(0).orders, expected["orders"], strict=True):
        assert traced.information == pytest.approx(order["info_sum"], rel=1e-9, abs=1e-12)
        assert (traced.matched, traced.total) == (order["matched"], order["hyp_ngrams"])
        assert traced.winner == order["best_refs"][0]
        assert traced.reference_length == order["ref_len"]
        assert result.order_scores[traced.order - 1] == pytest.approx(order["score"], abs=1e-9)


@pytest.mark.parametrize("row", SENTENCES, ids=ident)
def test_information_weights_of_a_golden_row(row: dict[str, Any]) -> None:
    weights = {
        " ".join(ngram.words): ngram.information
        for order in golden_run(row).trace(0).orders
        for ngram in order.ngrams
        if ngram.information is not None
    }
    expected = row["derived_lenient"]["info"]
    shared = weights.keys() & expected.keys()
    assert shared or not row["derived_lenient"]["precision_sum"]
    for ngram in shared:
        assert weights[ngram] == pytest.approx(expected[ngram], rel=1e-9, abs=1e-12)


def mteval_run(row: dict[str, Any], **options: Any) -> Run:
    cased = row["mteval"]["opts"] == "-c"
    values = {"lowercase": not cased, **options}
    return METRIC.run(corpus_of(row), preset="mteval-v13a", values=values)


@pytest.mark.parametrize("row", WITH_MTEVAL, ids=ident)
def test_golden_row_of_mteval(row: dict[str, Any]) -> None:
    value, expected = mteval_run(row).result.value, row["mteval"]["nist5"]
    if row["tag"] == "zero-token":  # mteval's accident, told under "elsewhere"
        assert value < expected
    else:
        assert value == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    "row", [row for row in WITH_MTEVAL if row["tag"] != "zero-token"], ids=ident
)
def test_mteval_prints_the_same_orders_up_to_nine(row: dict[str, Any]) -> None:
    result = mteval_run(row, max_order=9).result
    single = [part * result.brevity_penalty for part in result.order_scores]
    printed = row["mteval"]  # with four digits
    assert single == pytest.approx(printed["nist_ind_1_9"], abs=6e-5)
    assert list(accumulate(single)) == pytest.approx(printed["nist_cum_1_9"], abs=6e-5)


# Cases after public reports


def case_run(name: str, **options: Any) -> Run:
    case = CASES[name]
    tokenizer = {"whitespace": "none"}.get(case["options"]["tokenizer"], "13a")
    values = {"tokenizer": tokenizer, "lowercase": False, **options}
    if case["metric"] == "corpus":
        corpus = Corpus.from_rows(case["hypothesis"], case["references"])
    else:
        corpus = Corpus.of(case["hypothesis"], case["references"])
    return METRIC.run(corpus, values={"max_order": case["options"]["max_n"], **values})


def shown(case: dict[str, Any]) -> float | None:
    if "show" in case:
        return float(case["show"])
    return None if isinstance(case["tool_gives"], dict) else float(case["tool_gives"])


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, case in CASES.items()
        if shown(case) is not None and name != "nist-segment-uses-corpus-information"
    ],
)
def test_case_after_a_public_report(name: str) -> None:
    run = case_run(name)
    assert run.result.value == pytest.approx(shown(CASES[name]), rel=1e-9, abs=1e-12)
    if "warning" in CASES[name]["outcome"]:
        assert run.notes


@pytest.mark.parametrize(
    "name", [name for name, case in CASES.items() if "mteval formula" in case["others"]]
)
def test_case_by_the_formula_of_mteval(name: str) -> None:
    run = case_run(name, convention="mteval")
    assert run.result.value == pytest.approx(CASES[name]["others"]["mteval formula"], rel=1e-9)


def test_words_of_raw_text_stay_apart_from_split_ones() -> None:
    case = CASES["nist-raw-text-needs-a-tokenizer"]
    run = case_run("nist-raw-text-needs-a-tokenizer", convention="mteval", tokenizer="none")
    expected = case["others"]["whitespace tokens, mteval formula"]
    assert run.result.value == pytest.approx(expected, rel=1e-9)


def test_segments_of_a_file_use_the_weights_of_the_file() -> None:
    case = CASES["nist-segment-uses-corpus-information"]
    run = case_run("nist-segment-uses-corpus-information")
    assert run.segments[0] == pytest.approx(case["others"]["mteval segment 1 of 2"], rel=1e-9)
    assert run.segments[1] == pytest.approx(case["others"]["mteval segment 2 of 2"], rel=1e-9)
    assert any("all references of the file" in note for note in run.notes)
    alone = METRIC.run(Corpus.of(case["hypothesis"][0], case["references"][0]), values=SPLIT)
    assert alone.result.value == pytest.approx(case["tool_gives"], rel=1e-9)
    assert not any("of the file" in note for note in alone.notes)


def test_mteval_preset_lowercases_by_itself() -> None:
    case = CASES["nist-case-mteval-lowercases"]
    run = METRIC.run(Corpus.of(case["hypothesis"], case["references"]), preset="mteval-v13a")
    assert run.result.value == pytest.approx(case["others"]["mteval-v13a default"], rel=1e-9)


def test_mteval_lowercases_only_a_to_z() -> None:
    # É stays É: nothing matches but B. NLTK's tokeniser lower-cases É too.
    pair = Corpus.of("É B", ["é b"])
    assert METRIC.run(pair, preset="mteval-v13a").total.matched[:2] == (1, 0)
    assert METRIC.run(pair, preset="nltk").total.matched[:2] == (2, 1)


def test_reference_without_words_is_refused_beside_its_field() -> None:
    for references in ([""], ["\f", " "]):
        with pytest.raises(ScoringError, match="NIST is undefined") as refused:
            score("a full hypothesis with six words", *references)
        assert refused.value.field == "references"


def test_segment_without_reference_words_has_no_score_in_a_file() -> None:
    run = METRIC.run(Corpus.from_lines(["a b", "c"], [["a b", ""]]), values=SPLIT)
    assert run.segments[1] is None
    assert run.segments[0] is not None
    assert run.detail(1)  # and its n-grams can be looked at all the same


def test_empty_reference_among_others_counts() -> None:
    # mteval's mean length is 2 for 2 words; NLTK's winner is always the reference of 4 words.
    pooled = score("a b", "a b c d", "", convention="mteval").result
    assert (pooled.reference_length, pooled.brevity_penalty) == (2, 1)
    assert score("a b", "a b c d", "").result.reference_length == 4


# Worked examples of the page, worked by hand

MAT = "the cat sat on the mat"


def test_one_substitution() -> None:
    # W = 6; cat, sat, on weigh log2(6/1) = 2.58496 each and the, twice, log2(6/2) = 1.58496:
    # 3 x 2.58496 + 2 x 1.58496 = 10.92481 bits over 6 words.
    result = score("the cat sat on the rug", MAT, max_order=1).result
    assert result.value == pytest.approx((3 * math.log2(6) + 2 * math.log2(3)) / 6, rel=1e-12)
    assert round(result.value, 4) == 1.8208


def test_too_short() -> None:
    # the, cat, sat: 6.7549 bits / 3; 3 words of 6, so the penalty is 0.5 ** (log1.5 2) ** 2.
    result = score("the cat sat", MAT, max_order=1).result
    assert round(result.precision_sum, 4) == 2.2516
    assert result.length_ratio == 0.5
    assert result.brevity_penalty == pytest.approx(0.5 ** (math.log(2) / math.log(1.5)) ** 2)
    assert (round(result.brevity_penalty, 4), round(result.value, 4)) == (0.1319, 0.297)


def test_perfect_match_with_both_unigram_bases() -> None:
    # Words: (4 log2 6 + 2 log2 3) / 6 = 2.2516 and "the cat", "the mat" at log2(2/1): 2 / 5.
    # N-grams: W = 6 + 5 + 4 + 3 + 2 = 20, (4 log2 20 + 2 log2 10) / 6 = 3.9886.
    assert score(MAT, MAT).result.value == pytest.approx(
        (4 * math.log2(6) + 2 * math.log2(3)) / 6 + 0.4, rel=1e-12
    )
    assert round(score(MAT, MAT).result.value, 4) == 2.6516
    other = score(MAT, MAT, unigram_base="ngrams").result
    assert [round(part, 4) for part in other.order_scores] == [3.9886, 0.4, 0, 0, 0]
    assert round(other.value, 4) == 4.3886


@pytest.mark.parametrize("length", [2, 7, 8, 30])
def test_perfect_match_of_distinct_words_scores_the_logarithm_of_their_number(length: int) -> None:
    text = " ".join(f"w{number}" for number in range(length))
    assert score(text, text).result.value == pytest.approx(math.log2(length), rel=1e-12)


def test_long_second_reference_can_collapse_the_score() -> None:
    text = "a b c d e f"
    long = " ".join(f"w{number}" for number in range(18))
    assert score(text, text).result.value == pytest.approx(math.log2(6), rel=1e-12)
    run = score(text, text, long)
    assert run.result.value == pytest.approx(
        sentence_nist([text.split(), long.split()], text.split()), rel=1e-9
    )
    # mteval's mean length is 12 for 6 words; NLTK prefers the winner, and 18 words in no order
    # here but that of a tie at 0 bits, which orders 2 to 5 are (every word is its prefix's only).
    assert run.counts[0].reference_lengths == (6, 18, 18, 18, 18)
    assert any("longest reference" in note for note in run.notes)
    assert not any("longest reference" in note for note in score(text, text).notes)


# NLTK, live


def random_words(source: random.Random, length: int, vocabulary: str) -> str:
    return " ".join(source.choice(vocabulary) for _ in range(length))


def random_pairs(seed: int, many: int) -> Iterator[tuple[str, list[str], int]]:
    """Few words and several references, so that repeats, clips and ties abound."""
    source = random.Random(seed)
    for _ in range(many):
        vocabulary = source.choice(["ab", "abcd", "αβγδ日本é", "abcdefghijklmnop"])
        order = source.randint(1, 9)
        hypothesis = random_words(source, source.randint(order, 14), vocabulary)
        references = [
            random_words(source, source.randint(0, 14), vocabulary)
            for _ in range(source.randint(1, 4))
        ]
        if source.random() < 0.3:
            references.append(hypothesis)
        if source.random() < 0.3:
            references.append(source.choice(references))
        if any(references):
            yield hypothesis, references, order


def test_sentences_are_scored_as_nltk_scores_them() -> None:
    for hypothesis, references, order in random_pairs(seed=2002, many=1500):
        expected = sentence_nist([text.split() for text in references], hypothesis.split(), order)
        run = score(hypothesis, *references, max_order=order)
        assert run.result.value == pytest.approx(expected, rel=1e-9, abs=1e-12)
        assert run.elsewhere[0].value == run.result.value


def test_files_are_scored_as_nltk_scores_them() -> None:
    source = random.Random(13)
    for seed in range(60):
        pairs = list(random_pairs(seed, many=source.randint(2, 12)))
        order = source.randint(1, 6)
        hypotheses = [hypothesis for hypothesis, _, _ in pairs]
        references = [row for _, row, _ in pairs]
        run = METRIC.run(
            Corpus.from_rows(hypotheses, references), values={**SPLIT, "max_order": order}
        )
        if 0 in run.total.totals:
            continue
        expected = corpus_nist(
            [[text.split() for text in row] for row in references],
            [text.split() for text in hypotheses],
            order,
        )
        assert run.result.value == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("name", ["wmt22-en-de", "wmt22-zh-en", "wmt22-en-zh", "ted-sk-en-detok"])
def test_real_systems_are_scored_as_nltk_scores_them(name: str) -> None:
    def lines(part: str) -> list[str]:
        return (DATA / "sets" / f"{name}.{part}").read_text(encoding="utf-8").split("\n")[:200]

    streams = [lines("ref")] if name.startswith("ted") else [lines("ref"), lines("refB")]
    hypotheses = lines("sysA")
    run = METRIC.run(Corpus.from_lines(hypotheses, streams), values=SPLIT)
    expected = corpus_nist(
        [[text.split() for text in row] for row in zip(*streams, strict=True)],
        [text.split() for text in hypotheses],
    )
    assert run.result.value == pytest.approx(expected, rel=1e-9)


def test_a_tie_takes_the_longest_reference() -> None:
    # Both references give the one match a; each weighs log2(7/2).
    counts = score("a b", "a x", "a y z u v", max_order=1).counts[0]
    assert counts.reference_lengths == (5,)
    assert score("a b", "a y z u v", "a x", max_order=1).counts[0].reference_lengths == (5,)


def test_pooled_references_clip_by_the_greatest_count() -> None:
    # a three times: once in one reference and twice in the other, so two count.
    run = score("a a a b", "a c", "a a d", max_order=1, convention="mteval")
    assert run.total.matched == (2,)
    assert run.result.reference_length == 2.5


# What the other tools give


def test_nltk_has_no_number_for_a_candidate_shorter_than_n() -> None:
    with pytest.raises(ZeroDivisionError):
        sentence_nist([["the", "red", "house"]], ["the", "red", "house"])
    run = score("the red house", "the red house")
    told = run.elsewhere[0]
    assert (told.tool, told.value) == ("NLTK sentence_nist", None)
    assert "ZeroDivisionError" in told.why
    assert any("4- and 5-grams" in note and "3 words" in note for note in run.notes)
    assert score("the red house", "the red house", max_order=3).elsewhere[0].value is not None


def test_mteval_stands_beside_nltk_where_references_are_several() -> None:
    case = CASES["nist-multiref-any-reference"]
    told = {other.tool: other for other in case_run("nist-multiref-any-reference").elsewhere}
    assert told["NLTK sentence_nist"].value == pytest.approx(case["tool_gives"], rel=1e-9)
    assert told["mteval-v13a"].value == pytest.approx(case["others"]["mteval formula"], rel=1e-9)


def test_what_mteval_prints_for_the_word_0_is_told() -> None:
    case = CASES["nist-mteval-zero-token"]
    run = case_run("nist-mteval-zero-token")
    told = {other.tool: other.value for other in run.elsewhere}
    assert told["mteval-v13a as it runs"] == pytest.approx(
        case["others"]["mteval-v13a segment"], rel=1e-9
    )
    assert told["mteval-v13a by its formula"] == pytest.approx(case["tool_gives"], rel=1e-9)
    pooled = case_run("nist-mteval-zero-token", convention="mteval")
    assert any("the word 0" in note for note in pooled.notes)
    row = next(row for row in GOLDEN if row["tag"] == "zero-token")
    printed = [other.value for other in mteval_run(row).elsewhere if "runs" in other.tool]
    assert printed == [pytest.approx(row["mteval"]["nist5"], rel=1e-9)]


def test_the_word_0_counts_too_much_in_a_file_too() -> None:
    lines = [*(" ".join(f"{letter}{line}" for letter in "abcde") for line in range(400)), "0 once"]
    told = {
        other.tool: other.value
        for other in METRIC.run(Corpus.from_lines(lines, [lines]), of_corpus=True).elsewhere
    }
    # By the formula "0 once" tells nothing, since "once" always follows; Perl holds its 1 against
    # the 2,002 words. There are 4 pairs of words in each of 400 lines, and this one.
    excess = math.log2(2002 / 1) / 1601
    assert told["mteval-v13a as it runs"] == pytest.approx(
        (told["mteval-v13a by its formula"] or 0) + excess, rel=1e-12
    )


@pytest.mark.parametrize("text", ["10 is not 20", "0", "x 0", "00 a"])
def test_other_words_are_no_accident_in_mteval(text: str) -> None:
    assert {other.tool for other in score(text, text).elsewhere} == {
        "NLTK sentence_nist",
        "mteval-v13a",
        "Some calculators and write-ups",
    }


# The working


def test_tiles_name_the_score_with_its_order() -> None:
    tiles = section(score(MAT, MAT, max_order=3), Tiles).items
    labels = ["NIST-3", "Precision sum", "Brevity penalty", "Candidate length"]
    assert [tile.label for tile in tiles[:4]] == labels


def test_penalty_is_worked_out_in_two_ways_that_agree() -> None:
    for hypothesis, references, order in random_pairs(seed=8, many=300):
        run = score(hypothesis, *references, max_order=order)
        check = section(run, Check)
        assert check.agrees
        assert check.first == run.result.brevity_penalty


def test_inspector_shows_what_each_ngram_adds() -> None:
    # the: twice in the candidate and thrice in the references of 7 words, twice in the winner.
    inspector = section(score("the the cat", "the cat the", "the x y z", max_order=2), Inspector)
    cells = {row.cells[0]: row.cells[1:] for row in inspector.rows}
    assert cells["the",] == (1, 2, 2, 3, 7, math.log(7 / 3, 2), 2 * math.log(7 / 3, 2))
    assert cells["the", "cat"] == (2, 1, 1, 1, 3, math.log(3, 2), math.log(3, 2))
    assert cells["the", "the"] == (2, 1, 0, 0, 3, None, 0.0)
    assert [row.matched for row in inspector.rows] == [True, True, True, False]


def test_inspector_counts_what_it_leaves_out() -> None:
    text = " ".join(f"w{number}" for number in range(300))
    inspector = section(score(text, text), Inspector)
    assert len(inspector.rows) == 400
    assert inspector.omitted == 300 + 299 + 298 + 297 + 296 - 400


def test_clipped_words_are_marked_from_the_left() -> None:
    marked = section(score("a b a a", "x a b"), MarkedText)
    assert [(token.text, token.longest_match) for token in marked.tokens] == [
        ("a", 2),
        ("b", 2),
        ("a", 0),
        ("a", 0),
    ]


def test_table_names_the_reference_that_won() -> None:
    run = score("a b c", "a x", "a b c", max_order=2)
    table = next(part for part in run.sections if isinstance(part, Table))
    assert [row[-2:] for row in table.rows] == [(2, 3), (2, 3)]
    pooled = score("a b c", "a x", "a b c", max_order=2, convention="mteval")
    table = next(part for part in pooled.sections if isinstance(part, Table))
    assert len(table.columns) == 5


def test_segment_of_a_file_has_its_own_working() -> None:
    run = METRIC.run(Corpus.from_lines(["a b c d e", "a x"], [["a b c d f", "a y"]]), values=SPLIT)
    for index, value in enumerate(run.segments):
        derivation = next(part for part in run.detail(index) if part.kind == "derivation")
        assert derivation.steps[-1].value == value


def test_perfect_score_of_the_text_is_told() -> None:
    verdict = score("the cat sat", MAT).sections[0]
    assert "The reference itself would score 2.6516 here." in "".join(verdict.parts)
    distinct = "".join(score("a b", "a b c d").sections[0].parts)
    assert "2.0000 here, the log₂ of its 4 different words" in distinct
