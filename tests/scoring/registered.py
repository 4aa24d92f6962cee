"""Every metric of the registry on random texts, for tests that hold for all of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from calculators.scoring import (
    METRICS,
    AnyEvaluation,
    AnyMetric,
    Corpus,
    OptionSpec,
    ScoringError,
)

every_metric = pytest.mark.parametrize("metric", METRICS, ids=[metric.slug for metric in METRICS])
every_preset = pytest.mark.parametrize(
    ("metric", "preset"),
    [(metric, preset.name) for metric in METRICS for preset in metric.presets],
    ids=[f"{metric.slug}-{preset.name}" for metric in METRICS for preset in metric.presets],
)

# Words that repeat, differ in case and form, and belong to several scripts; punctuation; digits.
VOCABULARIES = tuple(
    words.split()
    for words in (
        "a b",
        "the cat sat on The mat . , ! 0 3.14 1,000 cars car walked walking",
        "été ete\u0301 naïve straße I i İ ß ﬁ x-y don't &amp; -5 a.b",
        "猫が マット の上に 座った 。 中文 字 שלום עולם नमस्ते 👩\u200d👩\u200d👧 🇸🇰",
    )
)


def random_text(source: random.Random, vocabulary: list[str], longest: int = 14) -> str:
    return " ".join(source.choice(vocabulary) for _ in range(source.randint(0, longest)))


def random_corpus(source: random.Random, segments: int = 1) -> Corpus:
    """Segments with up to three references that share words with the hypothesis and may tie."""
    vocabulary = source.choice(VOCABULARIES)
    rows = []
    for _ in range(segments):
        references = [random_text(source, vocabulary) for _ in range(source.randint(1, 3))]
        hypothesis = random_text(source, vocabulary)
        if source.random() < 0.3:
            words = source.choice(references).split()
            source.shuffle(words)
            hypothesis = " ".join(words)
        rows.append((hypothesis, references))
    return Corpus.from_rows([row[0] for row in rows], [row[1] for row in rows])


def random_value(spec: OptionSpec, source: random.Random) -> Any:
    if spec.kind == "flag":
        return source.random() < 0.5
    if spec.kind == "choice":
        return source.choice(spec.choices).value
    if spec.kind == "integer" and spec.minimum is not None and spec.maximum is not None:
        return source.randint(int(spec.minimum), int(spec.maximum))
    return spec.default


def random_runs(
    metric: AnyMetric, seed: int, many: int, segments: int = 1
) -> Iterator[AnyEvaluation]:
    """Runs of random texts under random options; those that the metric refuses are left out."""
    source, made = random.Random(seed), 0
    for _ in range(many):
        values = {spec.name: random_value(spec, source) for spec in metric.options.specs()}
        corpus = random_corpus(source, segments)
        try:
            run = metric.run(corpus, values=values if source.random() < 0.7 else {})
        except ScoringError:
            continue
        made += 1
        yield run
    assert made > many / 2, "the metric refuses most of the random texts"


def preset_runs(metric: AnyMetric, preset: str, many: int) -> Iterator[AnyEvaluation]:
    source = random.Random(preset)
    for _ in range(many):
        segments = source.choice([1, 1, 4])
        try:
            yield metric.run(random_corpus(source, segments), preset=preset, of_corpus=segments > 1)
        except ScoringError:
            continue


def sections(run: AnyEvaluation) -> list[Any]:
    return [*run.sections, *(part for i in range(len(run.corpus)) for part in run.detail(i))]
