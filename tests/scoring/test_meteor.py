"""METEOR is NLTK's, stage by stage."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from nltk.stem.api import StemmerI
from nltk.stem.porter import PorterStemmer
from nltk.translate.meteor_score import align_words, meteor_score

from calculators.scoring import Budget, BudgetExceeded, Corpus, as_data
from calculators.scoring.explain import Check, Derivation, Links
from calculators.scoring.meteor import METRIC
from calculators.scoring.meteor.align import Alignment, Lexicon, Pair, align, count_chunks
from calculators.scoring.meteor.chunks import fewest_chunks

from .nltk_wordnet import NoSynonyms, reader, require_wordnet

DATA = Path(__file__).parents[1] / "data"
GOLDEN = [json.loads(line) for line in (DATA / "golden" / "meteor.jsonl").open(encoding="utf-8")]
CASES = {
    case["id"]: case
    for case in map(json.loads, (DATA / "cases" / "bug_reports.jsonl").open(encoding="utf-8"))
    if case["id"].startswith("meteor-")
}
STAGES = {
    "exact": {"stemming": False, "synonyms": False},
    "exact+stem": {"stemming": True, "synonyms": False},
    "exact+wordnet": {"stemming": False, "synonyms": True},
    "exact+stem+wordnet": {"stemming": True, "synonyms": True},
}
# They meet exactly, by stem, by synonym or not at all; some are repeated.
WORDS = (
    "the the the a car auto machine runs running run quickly fast dog dogs Hound boys Boy lad"
    " house home houses 猫 Ελλάς ΟΔΟΣ naïve ice-cream 3.14 . , US us big large"
)


class Unstemmed(StemmerI):
    """Switches NLTK's stem stage off."""

    def stem(self, token: str) -> str:
        return token


def run(hypothesis: str, *references: str, **values: object) -> Any:
    """The evaluation of one segment."""
    return METRIC.run(Corpus.of(hypothesis, references), values=values)


def nltk_score(evaluation: Any) -> float:
    """What NLTK gives for an evaluation of one segment cut at white space."""
    segment, options = evaluation.corpus.segments[0], evaluation.options
    return meteor_score(
        [reference.split() for reference in segment.references],
        segment.hypothesis.split(),
        preprocess=str.lower if options.lowercase else str,
        stemmer=PorterStemmer() if options.stemming else Unstemmed(),
        wordnet=reader() if options.synonyms else NoSynonyms(),
        alpha=options.alpha,
        beta=options.beta,
        gamma=options.gamma,
    )


@pytest.mark.parametrize("stages", STAGES)
def test_every_golden_row_has_nltks_scores_and_alignments(stages: str) -> None:
    for row in GOLDEN:
        given, expected = row["options"], row["expected"][stages]
        evaluation = run(
            row["hyp"],
            *row["refs"],
            alpha=given["alpha"],
            beta=given["beta"],
            gamma=given["gamma"],
            tokenizer={"whitespace": "none", "nist": "nist"}[given["tokenizer"]],
            lowercase=given["preprocess"] == "lower",
            **STAGES[stages],
        )
        trace = evaluation.trace(0)
        first = trace.references[0]
        got = (
            evaluation.result.value,
            [reference.counts.score for reference in trace.references],
            first.counts.matches,
            first.counts.chunks if first.counts.matches else expected["chunks_ref0"],
            [list(pair) for pair in first.alignment.pairs],
        )
        assert got == (
            pytest.approx(expected["multi_max"], abs=1e-12),
            pytest.approx(expected["single_per_ref"], abs=1e-12),
            expected["matches_ref0"],
            expected["chunks_ref0"],
            expected["alignment_ref0"],
        ), row["id"]


@pytest.mark.parametrize(
    "case", [case for case in CASES.values() if case["metric"] == "meteor"], ids=lambda c: c["id"]
)
def test_reported_cases_give_what_the_user_should_see(case: dict[str, Any]) -> None:
    synonyms = "NOWN" not in case["tool"]
    evaluation = run(
        case["hypothesis"],
        *case["references"],
        tokenizer="none",
        synonyms=synonyms,
        **case["options"],
    )
    assert evaluation.result.value == pytest.approx(case["tool_gives"], abs=1e-12)
    assert not case["outcome"].endswith("warning") or evaluation.notes


def random_text(draw: random.Random) -> str:
    """A text of at most 15 words, maybe none."""
    return " ".join(draw.choices(WORDS.split(), k=draw.choice((0, 1, 3, 8, 15))))


def random_runs() -> Iterator[Any]:
    draw = random.Random(31)
    for _ in range(600):
        yield run(
            random_text(draw),
            *(random_text(draw) for _ in range(draw.choice((1, 1, 2, 4)))),
            tokenizer="none",
            lowercase=draw.random() < 0.7,
            alpha=draw.choice((0.0, 0.5, 0.9, 1.0)),
            beta=draw.choice((0.2, 1.0, 3.0)),
            gamma=draw.choice((0.0, 0.5, 1.0)),
            **draw.choice(list(STAGES.values())),
        )


def test_random_texts_have_nltks_score() -> None:
    require_wordnet()
    for evaluation in random_runs():
        assert evaluation.result.value == pytest.approx(nltk_score(evaluation), abs=1e-12)


def test_real_segments_with_two_references_have_nltks_score() -> None:
    require_wordnet()
    files = [
        (DATA / "sets" / f"wmt22-zh-en.{name}").read_text(encoding="utf-8").splitlines()[:150]
        for name in ("sysA", "ref", "refB")
    ]
    for hypothesis, *references in zip(*files, strict=True):
        evaluation = run(hypothesis, *references, tokenizer="none")
        assert evaluation.result.value == pytest.approx(nltk_score(evaluation), abs=1e-12)


def test_alignments_are_nltks() -> None:
    require_wordnet()
    for evaluation in random_runs():
        trace = evaluation.trace(0)
        if evaluation.options.stemming and evaluation.options.synonyms:
            expected, _, _ = align_words(trace.compared, trace.best.compared, wordnet=reader())
            if evaluation.options.lowercase:
                assert list(trace.best.alignment.pairs) == expected


def test_trace_has_the_counts_that_measure_gives() -> None:
    for evaluation in random_runs():
        assert evaluation.trace(0).counts == evaluation.counts[0]


def test_a_corpus_scores_the_mean_of_its_segments() -> None:
    case = CASES["meteor-corpus-has-no-function"]
    corpus = Corpus.from_rows(case["hypothesis"], case["references"])
    evaluation = METRIC.run(corpus, of_corpus=True)
    assert evaluation.result.value == pytest.approx(case["tool_gives"], abs=1e-12)
    assert "mean" in " ".join(evaluation.notes)
    assert evaluation.result.matches == 7
    assert evaluation.total.segments == 2


def test_the_text_is_cut_before_it_is_lower_cased_as_in_nltk() -> None:
    # In one word the last sigma would be a middle one, since a letter follows the full stop.
    evaluation = run("ΟΔΟΣ.Α", "οδος . α")
    assert evaluation.result.matches == 3


def test_a_tie_takes_the_first_reference() -> None:
    trace = run("a b", "a b", "a b", tokenizer="none").trace(0)
    assert trace.best_index == 0


def test_an_empty_side_scores_zero() -> None:
    for texts in (("", "a b"), ("a b", ""), ("", ""), (" ", "a")):
        assert run(*texts).result.value == 0.0
    assert "The hypothesis is empty." in run("", "a b").notes


def test_identical_text_says_why_it_is_below_one() -> None:
    notes = run("the lamp is on the desk", "the lamp is on the desk").notes
    assert any("0.5 × (1 ÷ 6)^3 = 0.0023" in note for note in notes)


def test_a_score_never_passes_one() -> None:
    draw = random.Random(3)
    for alpha in (0.0, 0.1, 0.9, 1.0, *(draw.random() for _ in range(200))):
        assert run("a b c", "a b c", alpha=alpha, gamma=0, synonyms=False).result.value <= 1.0


def test_the_score_with_fewest_chunks_stands_beside() -> None:
    others = run("the cat sat", "the cat sat near the door").elsewhere
    values = {other.tool: other.value for other in others}
    expected = CASES["meteor-greedy-chunks"]["others"]["one chunk (not NLTK)"]
    assert values["METEOR with the fewest chunks"] == pytest.approx(expected, abs=1e-12)


def test_the_score_with_synonyms_of_the_words_themselves_stands_beside() -> None:
    case = CASES["meteor-synonym-lookup-uses-stems"]
    others = run(case["hypothesis"], *case["references"]).elsewhere
    values = {other.tool: other.value for other in others}
    expected = case["others"]["surface-form synonyms would give"]
    assert values["METEOR with synonyms of the words themselves"] == pytest.approx(expected)


def all_alignments(hypothesis: Sequence[str], reference: Sequence[str]) -> Iterator[list[Pair]]:
    """Every way to join equal words, each with one other at most."""
    choices = [
        [None, *(j for j, other in enumerate(reference) if other == word)] for word in hypothesis
    ]
    for picked in itertools.product(*choices):
        joined = [j for j in picked if j is not None]
        if len(joined) == len(set(joined)):
            yield [(i, j) for i, j in enumerate(picked) if j is not None]


def test_the_search_finds_the_fewest_chunks_that_there_are() -> None:
    draw, lexicon = random.Random(8), Lexicon(None, None)
    for _ in range(200):
        hypothesis = tuple(draw.choices("aabc", k=draw.randrange(1, 7)))
        reference = tuple(draw.choices("aabc", k=draw.randrange(1, 7)))
        best = min(
            (-len(pairs), count_chunks(pairs)) for pairs in all_alignments(hypothesis, reference)
        )
        greedy = align(hypothesis, reference, lexicon)
        found = fewest_chunks(hypothesis, reference, lexicon, greedy, Budget())
        assert found is not None
        assert found.proven
        assert (-len(found.pairs), found.chunks) == best
        assert list(found.pairs) in list(all_alignments(hypothesis, reference))


def test_a_search_cut_short_is_never_worse_than_nltk_and_says_so() -> None:
    draw, lexicon = random.Random(9), Lexicon(None, None)
    hypothesis = tuple(draw.choices("abcdefgh", k=120))
    reference = tuple(draw.choices("abcdefgh", k=120))
    greedy = align(hypothesis, reference, lexicon)
    found = fewest_chunks(hypothesis, reference, lexicon, greedy, Budget())
    assert found is not None
    assert not found.proven
    assert len(found.pairs) == greedy.matches
    assert found.chunks <= greedy.chunks


def test_a_text_of_one_repeated_word_is_not_searched_and_still_scored() -> None:
    evaluation = run("a " * 5_000, "a " * 6_000)
    assert evaluation.result.matches == 5_000
    assert evaluation.trace(0).fewest is None


def test_the_search_stops_with_the_budget() -> None:
    words = ("a", "b") * 25
    with pytest.raises(BudgetExceeded):
        fewest_chunks(words, words[::-1], Lexicon(None, None), Alignment(((), (), ())), Budget(50))


@pytest.mark.parametrize(
    "texts",
    [
        ("the quick cats sat on a car", "the fast cat sat on the auto", "a fast cat on a car"),
        ("hello", "hello"),
        ("", "a"),
        ("a", "b"),
    ],
)
def test_the_working_ends_at_the_score_and_its_checks_agree(texts: tuple[str, ...]) -> None:
    evaluation = run(*texts)
    sections = (*evaluation.sections, *evaluation.detail(0))
    (derivation,) = (section for section in sections if isinstance(section, Derivation))
    assert derivation.steps[-1].value == evaluation.result.value
    checks = [section for section in sections if isinstance(section, Check)]
    assert checks
    assert all(check.agrees for check in checks)
    assert json.dumps([as_data(section) for section in sections])


def test_the_working_of_a_corpus_ends_at_the_mean_and_opens_each_segment() -> None:
    corpus = Corpus.from_lines(["the cat sat", "", "b a"], [["the cat", "x", "a b"]])
    evaluation = METRIC.run(corpus, of_corpus=True)
    (derivation,) = (part for part in evaluation.sections if isinstance(part, Derivation))
    assert derivation.steps[-1].value == evaluation.result.value
    for index, score in enumerate(evaluation.segments):
        (one,) = (part for part in evaluation.detail(index) if isinstance(part, Derivation))
        assert one.steps[-1].value == score


def test_links_name_stage_and_chunk() -> None:
    evaluation = run("He owns two cats and an auto", "he owns cat and a car", tokenizer="none")
    links = next(part for part in evaluation.detail(0) if isinstance(part, Links))
    drawn = {
        (links.hypothesis[link.hypothesis], links.reference[link.reference]): link.stage
        for link in links.links
    }
    assert drawn == {
        ("He", "he"): "exact",
        ("owns", "owns"): "exact",
        ("cats", "cat"): "stem",
        ("and", "and"): "exact",
        ("auto", "car"): "synonym",
    }
    assert [link.chunk for link in links.links] == [1, 1, 2, 2, 3]
