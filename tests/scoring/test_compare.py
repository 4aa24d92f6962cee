"""Resampling tests are sacreBLEU's, number for number, and hold for metrics that it has not."""

from __future__ import annotations

import random
import re
from typing import Any

import numpy as np
import pytest
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest

from calculators.scoring import (
    AnyEvaluation,
    AnyMetric,
    Budget,
    BudgetExceeded,
    Corpus,
    ScoringError,
    compare,
    find,
)
from calculators.scoring.compare import (
    Bootstrap,
    System,
    approximate_randomization,
    bootstrap,
    holm,
    paired_p_value,
)
from tests.record_sets import lines

from .registered import every_metric, random_corpus, random_value

SACREBLEU = {
    "bleu": (BLEU, "sacrebleu"),
    "chrf": (CHRF, "chrf"),
    "ter": (TER, "sacrebleu"),
}
NO_LIMIT = Budget.unlimited()

SETS = (
    ("wmt22-en-de.sysA", "wmt22-en-de.sysB", ("wmt22-en-de.ref", "wmt22-en-de.refB")),
    ("ted-sk-en-detok.sysA", "ted-sk-en-detok.sysB", ("ted-sk-en-detok.ref",)),
    ("wmt22-en-zh.sysA", "wmt22-en-zh.sysB", ("wmt22-en-zh.ref",)),
)


def texts(names: tuple[str, ...], slug: str) -> list[list[str]]:
    # sacreBLEU's TER takes minutes for a whole set.
    return [lines(name)[:40] if slug == "ter" else lines(name)[:600] for name in names]


def systems(slug: str, names: tuple[str, str], references: tuple[str, ...]) -> list[System]:
    metric, (_, preset) = find(slug), SACREBLEU[slug]
    assert metric is not None
    return [
        System.of(
            metric.run(
                Corpus.from_lines(hypotheses, texts(references, slug)),
                preset=preset,
                of_corpus=True,
            )
        )
        for hypotheses in texts(names, slug)
    ]


def by_sacrebleu(slug: str, names: Any, references: Any, kind: str, samples: int) -> list[Any]:
    hypotheses = texts(names, slug)
    metric = SACREBLEU[slug][0](references=texts(references, slug))
    named = [("one", hypotheses[0]), ("other", hypotheses[1])]
    _, scores = PairedTest(named, {"it": metric}, None, kind, samples)()
    return next(value for name, value in scores.items() if name != "System")


@pytest.mark.parametrize(("one", "other", "references"), SETS)
@pytest.mark.parametrize("slug", SACREBLEU)
def test_bootstrap_is_sacrebleus_to_the_last_bit(
    slug: str, one: str, other: str, references: tuple[str, ...]
) -> None:
    theirs = by_sacrebleu(slug, (one, other), references, "bs", 300)
    ours = bootstrap(systems(slug, (one, other), references), NO_LIMIT, samples=300)
    for their, our in zip(theirs, ours, strict=True):
        assert our.score == pytest.approx(their.score, rel=1e-14)
        assert our.interval.mean == their.mean
        assert our.interval.margin == pytest.approx(their.ci, rel=1e-15, abs=0)
    assert paired_p_value(*ours) == theirs[1].p_value


@pytest.mark.parametrize(("one", "other", "references"), SETS)
@pytest.mark.parametrize("slug", SACREBLEU)
def test_approximate_randomization_is_sacrebleus(
    slug: str, one: str, other: str, references: tuple[str, ...]
) -> None:
    theirs = by_sacrebleu(slug, (one, other), references, "ar", 300)
    ours = approximate_randomization(*systems(slug, (one, other), references), NO_LIMIT, trials=300)
    assert ours == theirs[1].p_value


def test_samples_drawn_some_at_a_time_are_those_drawn_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pair = systems("bleu", ("wmt22-en-de.sysA", "wmt22-en-de.sysB"), ("wmt22-en-de.ref",))
    at_once = bootstrap(pair, NO_LIMIT, samples=200)
    swapped = approximate_randomization(*pair, NO_LIMIT, trials=200)
    monkeypatch.setattr(compare, "DRAWN_AT_ONCE", 64 * len(pair[0].matrix))
    for some, all_of_them in zip(bootstrap(pair, NO_LIMIT, samples=200), at_once, strict=True):
        assert (some.samples == all_of_them.samples).all()
    assert approximate_randomization(*pair, NO_LIMIT, trials=200) == swapped


def runs(metric: AnyMetric, values: dict[str, Any], source: random.Random) -> list[AnyEvaluation]:
    corpus, made = random_corpus(source, 12), []
    for _ in range(2):
        hypotheses = [
            re.sub(
                r"\S+",
                lambda word: word[0] if source.random() < 0.7 else "x",
                segment.references[0],
            )
            for segment in corpus.segments
        ]
        rows = Corpus.from_rows(hypotheses, [segment.references for segment in corpus.segments])
        made.append(metric.run(rows, values=values, of_corpus=True))
    return made


@every_metric
def test_samples_score_what_finish_gives_for_their_counts(metric: AnyMetric) -> None:
    source, compared = random.Random(metric.slug), 0
    for _ in range(40):
        values = {spec.name: random_value(spec, source) for spec in metric.options.specs()}
        try:
            system = System.of(runs(metric, values, source)[0])
        except ScoringError:
            continue
        picked = np.array([[source.randrange(4) for _ in range(12)] for _ in range(5)], float)
        scores = system.scores(picked @ system.matrix)
        for times, score in zip(picked, scores, strict=True):
            counts = system.like.with_row((times @ system.matrix).tolist())
            try:
                expected = metric.finish(counts, system.options).value
            except ScoringError:
                expected = 0.0
            assert score == pytest.approx(metric.scale.multiplier * expected, rel=1e-12)
            compared += expected > 0
    assert compared > 40


@every_metric
def test_every_metric_is_resampled_reproducibly(metric: AnyMetric) -> None:
    pair = [System.of(run) for run in runs(metric, {}, random.Random(2))]
    for system, sampled in zip(pair, bootstrap(pair, NO_LIMIT, samples=100, seed=7), strict=True):
        again = bootstrap([system], NO_LIMIT, samples=100, seed=7)[0]
        assert (again.samples == sampled.samples).all()
        assert sampled.interval.low <= sampled.interval.mean <= sampled.interval.high
    first = approximate_randomization(*pair, NO_LIMIT, trials=100, seed=7)
    assert first == approximate_randomization(*pair, NO_LIMIT, trials=100, seed=7)
    assert 0 < first <= 1


def test_several_metrics_share_their_samples() -> None:
    source = random.Random(3)
    corpus = random_corpus(source, 12)
    both = [System.of(find(slug).run(corpus)) for slug in ("nist", "chrf")]  # type: ignore[union-attr]
    together = bootstrap(both, NO_LIMIT, samples=50)
    for system, sampled in zip(both, together, strict=True):
        assert (bootstrap([system], NO_LIMIT, samples=50)[0].samples == sampled.samples).all()


def test_interval_leaves_a_fortieth_out_at_each_end() -> None:
    sampled = Bootstrap(50.0, np.arange(100.0)[::-1])
    assert (sampled.interval.low, sampled.interval.high) == (2.0, 97.0)
    assert sampled.interval.margin == 47.5


def test_clear_differences_have_small_p_values_and_none_is_zero() -> None:
    low = Bootstrap(10.0, np.linspace(9, 11, 99))
    high = Bootstrap(30.0, np.linspace(28, 32, 99))
    assert paired_p_value(low, high) == 1 / 100


def test_a_system_does_not_differ_from_itself() -> None:
    names = ("wmt22-en-de.sysA", "wmt22-en-de.sysA")
    pair = systems("bleu", names, ("wmt22-en-de.ref",))
    assert paired_p_value(*bootstrap(pair, NO_LIMIT, samples=100)) == 1.0
    assert approximate_randomization(*pair, NO_LIMIT, trials=100) == 1.0


def test_holms_correction_of_a_worked_example() -> None:
    # 0.01 * 4 = 0.04; 0.02 * 3 = 0.06; 0.03 * 2 = 0.06; 0.04 * 1 would fall below 0.06.
    assert holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([]) == []


def test_resampling_spends_the_budget() -> None:
    pair = systems("bleu", ("wmt22-en-de.sysA", "wmt22-en-de.sysB"), ("wmt22-en-de.ref",))
    with pytest.raises(BudgetExceeded):
        bootstrap(pair, Budget(steps=100))
    with pytest.raises(BudgetExceeded):
        approximate_randomization(*pair, Budget(steps=100))
