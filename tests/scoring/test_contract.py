"""What every metric of the registry promises. A new metric is held to it by being registered."""

from __future__ import annotations

import itertools
import json
import math
import random
import re
import time
from dataclasses import asdict
from pathlib import Path

import pytest

from calculators.scoring import (
    AnyEvaluation,
    AnyMetric,
    Budget,
    BudgetExceeded,
    Corpus,
    ScoringError,
    Segment,
    as_data,
    find,
)
from calculators.scoring.explain import KINDS, Check, Derivation, Inspector, Table
from calculators.scoring.text.observations import observations

from .registered import every_metric, every_preset, preset_runs, random_runs, sections

SETS = Path(__file__).resolve().parents[1] / "data" / "sets"

# Counts


def assert_trace_counts_as_measured(run: AnyEvaluation) -> None:
    for index, measured in enumerate(run.counts):
        assert run.trace(index).counts == measured


@every_metric
def test_trace_and_measure_count_the_same_in_random_texts(metric: AnyMetric) -> None:
    for segments in (1, 3):
        for run in random_runs(metric, seed=segments, many=150, segments=segments):
            assert_trace_counts_as_measured(run)


@every_metric
@pytest.mark.parametrize(
    ("name", "streams"),
    [
        ("ted-sk-en-detok", ["ref"]),
        ("wmt22-en-de", ["ref"]),
        ("wmt22-en-de", ["ref", "refB"]),
        ("wmt22-zh-en", ["ref"]),
        ("wmt22-zh-en", ["ref", "refB"]),
        ("wmt22-en-zh", ["ref"]),
        ("wmt22-en-zh", ["ref", "refB"]),
    ],
    ids=lambda part: part if isinstance(part, str) else "+".join(part),
)
def test_trace_and_measure_count_the_same_in_real_texts(
    metric: AnyMetric, name: str, streams: list[str]
) -> None:
    def lines(part: str) -> list[str]:
        return (SETS / f"{name}.{part}").read_text(encoding="utf-8").split("\n")[100:160]

    corpus = Corpus.from_lines(lines("sysA"), [lines(part) for part in streams])
    assert_trace_counts_as_measured(metric.run(corpus))


@every_metric
def test_counts_add_up(metric: AnyMetric) -> None:
    for run in random_runs(metric, seed=5, many=40, segments=3):
        first, second, third = run.counts
        kind = type(first)
        for counts in run.counts:
            assert counts.with_row(counts.row()) == counts
        columns = list(zip(*(counts.row() for counts in run.counts), strict=True))
        assert run.total.row() == pytest.approx([sum(column) for column in columns])
        assert kind.total([first, second]).row() == pytest.approx((first + second).row())
        assert kind.total([first]) == first
        together = kind.total([first + second, third])
        assert together.row() == pytest.approx(run.total.row())


@every_metric
def test_segment_is_measured_the_same_alone_and_among_others(metric: AnyMetric) -> None:
    for run in random_runs(metric, seed=6, many=40, segments=3):
        for segment, counts in zip(run.corpus.segments, run.counts, strict=True):
            alone = metric.measure(run.prepared, [segment], Budget.unlimited())
            assert list(alone) == [counts]


@every_metric
def test_sentence_is_a_corpus_of_one(metric: AnyMetric) -> None:
    for run in random_runs(metric, seed=7, many=40):
        assert run.segments == (run.result.value,)
        assert run.total == run.counts[0]


# The score and its scale


def best_of(metric: AnyMetric) -> float | None:
    scale = metric.scale
    return scale.highest if scale.higher_is_better else scale.lowest


@every_preset
def test_score_stays_in_its_scale(metric: AnyMetric, preset: str) -> None:
    lowest, highest = metric.scale.lowest, metric.scale.highest
    for run in preset_runs(metric, preset, many=120):
        for value in (run.result.value, *run.segments):
            if value is not None:
                assert math.isfinite(value)
                assert lowest <= value
                assert highest is None or value <= highest


@every_preset
def test_identical_text_is_the_best_or_a_note_says_why_not(metric: AnyMetric, preset: str) -> None:
    best = best_of(metric)
    if best is None:
        return
    for text in (
        "the quick brown fox jumps over a lazy dog near some river",
        "été naïve straße, 3.14 and 1,000 of don't x-y &amp; so on and on and on",
    ):
        for references in ([text], ["another text", text]):
            run = metric.run(Corpus.of(text, references), preset=preset)
            if run.result.value != best:
                assert set(run.notes) - set(observations(run.corpus))


@every_preset
@pytest.mark.parametrize(
    ("hypothesis", "references"),
    [
        ("", ["a b c"]),
        ("a b c", [""]),
        ("", [""]),
        ("a b c", ["", "a b"]),
        (" \t\u00a0\u3000", ["\x1c \x85"]),
        ("a", ["a"]),
        ("\u0301", ["\u0301\u0301"]),
        ("a\nb\r\nc\u2028d", ["a b c d"]),
        ("." * 50, ["." * 49]),
        ("字" * 60, ["字" * 61]),
        ("&lt;skipped> <skipped>", ["<skipped>"]),
    ],
    ids=repr,
)
def test_odd_text_is_scored_or_refused_beside_its_field(
    metric: AnyMetric, preset: str, hypothesis: str, references: list[str]
) -> None:
    refused = None
    try:
        run = metric.run(Corpus.of(hypothesis, references), preset=preset)
    except ScoringError as error:
        refused = error
    if refused is None:
        assert_well_formed(run)
    else:
        assert refused.message
        assert refused.field in ("hypothesis", "references", *metric.options().written())


@every_metric
def test_empty_hypothesis_scores_the_worst_and_is_noted(metric: AnyMetric) -> None:
    run = metric.run(Corpus.of("", ["a b c d e f g"]))
    scale = metric.scale
    assert run.result.value == (scale.lowest if scale.higher_is_better else 1.0)
    assert run.notes


# The working


def assert_well_formed(run: AnyEvaluation) -> None:
    parts = sections(run)
    for part in parts:
        written = json.dumps(as_data(part), allow_nan=False)
        assert json.loads(written)["kind"] == part.kind
        if isinstance(part, Table | Inspector):
            assert_cells_fit(part)
        if isinstance(part, Check):
            assert part.agrees, part.quantity
    json.dumps([as_data(other) for other in run.elsewhere], allow_nan=False)
    json.dumps(asdict(run.result), allow_nan=False)
    for note in run.notes:
        assert note.endswith((".", "?"))
        assert not re.search(r"\b(nan|inf|None)\b", note)


def assert_cells_fit(part: Table | Inspector) -> None:
    assert part.omitted >= 0
    for row in part.rows:
        cells = row if isinstance(row, tuple) else row.cells
        assert len(cells) == len(part.columns)
        for cell, column in zip(cells, part.columns, strict=True):
            assert column.kind in KINDS
            if cell is None:
                continue
            if column.kind == "tokens":
                assert isinstance(cell, tuple), column.label
                assert all(isinstance(word, str) for word in cell)
            else:
                assert isinstance(cell, str if column.kind == "text" else int | float), column
    if isinstance(part, Table) and part.marked_row is not None:
        assert 0 <= part.marked_row < len(part.rows)
        assert part.mark


@every_preset
def test_working_ends_at_the_score(metric: AnyMetric, preset: str) -> None:
    derived = 0
    for run in preset_runs(metric, preset, many=120):
        derivations = [part for part in run.sections if isinstance(part, Derivation)]
        assert derivations
        assert derivations[-1].steps[-1].value == run.result.value
        derived += 0 < run.result.value != best_of(metric)
    assert derived > 10, "hardly a score that is neither the best nor the worst"


@every_metric
def test_working_ends_at_the_score_under_any_options(metric: AnyMetric) -> None:
    for run in random_runs(metric, seed=11, many=80):
        derivations = [part for part in run.sections if isinstance(part, Derivation)]
        assert derivations[-1].steps[-1].value == run.result.value


@every_preset
def test_working_is_plain_data_and_its_checks_agree(metric: AnyMetric, preset: str) -> None:
    for run in preset_runs(metric, preset, many=40):
        assert_well_formed(run)


@every_metric
def test_working_is_plain_data_under_any_options(metric: AnyMetric) -> None:
    for segments in (1, 3):
        for run in random_runs(metric, seed=12, many=40, segments=segments):
            assert_well_formed(run)


@every_metric
def test_every_metric_shows_a_verdict_and_the_parts_of_its_score(metric: AnyMetric) -> None:
    run = metric.run(Corpus.of("the cat sat on the rug", ["the cat sat on the mat"]))
    kinds = {part.kind for part in run.sections}
    assert {"verdict", "tiles", "derivation"} <= kinds
    assert run.detail(0)


@every_metric
def test_working_of_a_long_text_stays_short(metric: AnyMetric) -> None:
    source = random.Random(3)
    words = [f"w{source.randrange(400)}" for _ in range(1500)]
    changed = [word if source.random() < 0.8 else "x" for word in words]
    run = metric.run(Corpus.of(" ".join(changed), [" ".join(words)]))
    for part in sections(run):
        rows = getattr(part, "rows", ())
        assert len(rows) <= 1000
    assert len(json.dumps([as_data(part) for part in sections(run)])) < 1_500_000


@every_metric
def test_notes_and_our_own_words_never_hold_the_text(metric: AnyMetric) -> None:
    canary = "qzxcanary"
    text = f"{canary} the cat sat on the mat"
    for references in (["the cat sat on the mat"], [text], ["x", canary]):
        for segments in (1, 3):
            run = metric.run(Corpus.from_rows([text] * segments, [references] * segments))
            assert canary not in json.dumps([*run.notes, run.signature])
            assert canary not in json.dumps([as_data(other) for other in run.elsewhere])
            for part in run.sections:
                if isinstance(part, Derivation):
                    assert canary not in json.dumps(as_data(part))


# The budget

LONG = " ".join(f"w{number % 97}" for number in range(3_000))
OTHER = " ".join(f"w{number % 89}" for number in range(3_000))


@every_metric
def test_long_text_is_refused_by_a_spent_budget(metric: AnyMetric) -> None:
    corpus = Corpus.of(LONG, [OTHER])
    with pytest.raises(BudgetExceeded) as refused:
        metric.run(corpus, budget=Budget(steps=1))
    assert "w1" not in refused.value.message


@every_metric
def test_measuring_and_tracing_spend_of_themselves(metric: AnyMetric) -> None:
    corpus = Corpus.of(" ".join(LONG.split()[:300]), [" ".join(OTHER.split()[:300])])
    prepared = metric.prepare(corpus, metric.options(), Budget.unlimited())
    with pytest.raises(BudgetExceeded):
        list(metric.measure(prepared, corpus.segments, Budget(steps=1)))
    with pytest.raises(BudgetExceeded):
        metric.trace(prepared, corpus.segments[0], Budget(steps=1))


@every_metric
def test_budget_belongs_to_the_request_not_to_the_segment(metric: AnyMetric) -> None:
    one = Corpus.of("the cat sat on the rug", ["the cat sat on the mat"])
    spent = Budget()
    metric.run(one, budget=spent)
    assert spent.spent > 0
    with pytest.raises(BudgetExceeded):
        metric.run(Corpus(one.segments * 20), budget=Budget(steps=spent.spent * 4))


# The others take little for a reference more.
@pytest.mark.parametrize("slug", ["meteor", "chrf"])
def test_the_time_is_looked_at_between_the_references_of_a_segment(
    slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    metric = find(slug)
    assert metric is not None
    segment = Segment("a b", ("a b",) * 20)
    prepared = metric.prepare(Corpus((segment,)), metric.options(), Budget.unlimited())
    looks = itertools.count()
    monkeypatch.setattr(time, "thread_time", lambda: next(looks))
    with pytest.raises(BudgetExceeded):
        list(metric.measure(prepared, [segment], Budget(processor_seconds=15)))
    with pytest.raises(BudgetExceeded):
        metric.trace(prepared, segment, Budget(processor_seconds=15))
