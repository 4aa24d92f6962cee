"""The table of what tokeniser, case and normal form do to a score."""

from __future__ import annotations

import unicodedata

import pytest
from sacrebleu.metrics import BLEU

from calculators.scoring import METRICS, AnyMetric, Corpus
from calculators.scoring.explain import Table
from calculators.scoring.variations import variations

from .registered import every_metric

# Decomposed and composed, a ligature, capitals and punctuation: every setting counts otherwise.
HYPOTHESIS = "Le cafe\u0301 ﬁnit, et l'ÉTÉ aussi!"
REFERENCES = ["le café finit; et l'été aussi ."]


def table_of(metric: AnyMetric, hypothesis: str, references: list[str]) -> Table:
    table = variations(metric.run(Corpus.of(hypothesis, references)))
    assert table is not None
    return table


def scaled(metric: AnyMetric, value: float) -> float:
    return value if metric.scale.as_percent else value * metric.scale.multiplier


@every_metric
def test_the_row_marked_as_yours_holds_the_score_itself(metric: AnyMetric) -> None:
    run = metric.run(Corpus.of(HYPOTHESIS, REFERENCES))
    table = variations(run)
    assert table is not None
    assert table.marked_row is not None
    assert table.rows[table.marked_row][1] == scaled(metric, run.result.value)
    assert table.columns[1].label == "As typed"


@every_metric
def test_a_column_holds_the_scores_of_the_text_in_its_normal_form(metric: AnyMetric) -> None:
    table = table_of(metric, HYPOTHESIS, REFERENCES)
    assert [column.label for column in table.columns[1:]] == ["As typed", "NFC", "NFD", "NFKC"]
    for place, form in enumerate(("NFC", "NFD", "NFKC"), 2):
        hypothesis, reference = (
            unicodedata.normalize(form, text) for text in (HYPOTHESIS, *REFERENCES)
        )
        other = table_of(metric, hypothesis, [reference])
        assert [row[place] for row in table.rows] == [row[1] for row in other.rows]


def test_forms_that_give_the_same_text_share_a_column() -> None:
    for metric in METRICS:
        assert len(table_of(metric, "the cat", ["a cat"]).columns) == 2
        labels = [column.label for column in table_of(metric, "été", ["Été"]).columns]
        assert labels == ["Prepared", "As typed = NFC = NFKC", "NFD"]


def test_each_tokeniser_and_case_is_sacrebleus() -> None:
    metric = next(metric for metric in METRICS if metric.slug == "bleu")
    run = metric.run(Corpus.of(HYPOTHESIS, REFERENCES), preset="sacrebleu")
    table = variations(run)
    assert table is not None
    found = {row[0]: row[1] for row in table.rows}
    for label, name in (("13a", "13a"), ("International", "intl"), ("Characters", "char")):
        for case, lowercase in (("not lowercase", False), ("lowercase", True)):
            theirs = BLEU(tokenize=name, lowercase=lowercase, effective_order=True)
            score = theirs.sentence_score(HYPOTHESIS, REFERENCES).score
            assert found[f"{label}, {case}"] == pytest.approx(score, abs=1e-9)


@every_metric
def test_a_text_for_which_it_would_take_long_has_no_table(metric: AnyMetric) -> None:
    long = "word " * 5_000
    assert variations(metric.run(Corpus.of("the cat", [long[:19_900]]))) is None
