"""What every metric's declaration promises: its options, presets and signature."""

from __future__ import annotations

import json
import math
import random
import re
from typing import Any

import pytest

from calculators.scoring import METRICS, AnyMetric, Budget, Corpus, OptionSpec, ScoringError, find

from .registered import every_metric, every_preset, random_corpus, random_value

# Options, presets, signature


@every_metric
def test_presets_build_and_name_known_options(metric: AnyMetric) -> None:
    known = set(metric.options().written())
    assert metric.presets
    assert len({preset.name for preset in metric.presets}) == len(metric.presets)
    for preset in metric.presets:
        assert set(preset.options) <= known
        assert set(preset.corpus_options) <= known
        for of_corpus in (False, True):
            assert metric.options_for(preset.name, of_corpus=of_corpus)
    with pytest.raises(ScoringError) as refused:
        metric.options_for("qzxcanary", of_corpus=False)
    assert refused.value.field == "preset"
    assert "qzxcanary" not in refused.value.message


@every_preset
def test_options_for_files_change_no_counts(metric: AnyMetric, preset: str) -> None:
    # Segments and file share their counts, so these options may matter to finish alone.
    source = random.Random(4)
    for _ in range(20):
        corpus = random_corpus(source, 3)
        for segment in corpus.segments:
            counted = []
            for of_corpus in (False, True):
                options = metric.options_for(preset, of_corpus=of_corpus)
                prepared = metric.prepare(corpus, options, Budget.unlimited())
                counted.append(list(metric.measure(prepared, [segment], Budget.unlimited())))
            assert counted[0] == counted[1]


@every_metric
def test_signature_names_every_option_once(metric: AnyMetric) -> None:
    run = metric.run(Corpus.of("a b", ["a b", "c"]))
    parts = run.signature.split("|")
    keys = [part.partition(":")[0] for part in parts]
    assert len(set(keys)) == len(keys)
    assert parts[:2] == [metric.slug, "refs:2"]
    for spec in metric.options.specs():
        assert spec.signed(spec.default) in parts


def other_values(spec: OptionSpec) -> list[Any]:
    if spec.kind == "flag":
        return [not spec.default]
    if spec.kind == "choice":
        return [choice.value for choice in spec.choices if choice.value != spec.default]
    if spec.kind == "reals":
        return [[1.0], *([0.5 ** min(k, n - 1) for k in range(1, n + 1)] for n in range(2, 10))]
    low = 0 if spec.minimum is None else spec.minimum
    high = low + 9 if spec.maximum is None else spec.maximum
    between = (low + high) / 2 if spec.kind != "integer" else (low + high) // 2
    return [value for value in (low, between, high) if value != spec.default]


@every_metric
def test_signature_changes_with_every_option(metric: AnyMetric) -> None:
    corpus = Corpus.of("a b c d e", ["a b c d f"])
    plain = metric.run(corpus).signature
    for spec in metric.options.specs():
        seen = set()
        for value in other_values(spec):
            try:
                seen.add(metric.run(corpus, values={spec.name: value}).signature)
            except ScoringError:
                continue  # two options that don't go together
        assert seen, spec.name
        assert plain not in seen, spec.name


CANARY = "qzxcanary"
NEVER = [CANARY, [CANARY], {CANARY: 1}, object()]
BAD = {
    "flag": [*NEVER, 0, 1, "true", None],
    "integer": [*NEVER, "3", 1.5, True, None, math.nan, math.inf, 10**400, -(10**400)],
    "real": [*NEVER, "0.5", True, None, math.nan, math.inf, -math.inf, 10**400],
    "optional-real": [*NEVER, "0.5", False, math.nan, math.inf, 10**400],
    "choice": [*NEVER, 3, None, True, ""],
    "reals": [*NEVER, f"0.5,{CANARY}", "0.5,,0.5", [math.nan], [True], 7, [10**400]],
}


def bad_values(spec: OptionSpec) -> list[Any]:
    outside = []
    if spec.kind != "reals":
        outside += [] if spec.minimum is None else [spec.minimum - 1]
        outside += [] if spec.maximum is None else [spec.maximum + 1]
    return [*BAD[spec.kind], *outside]


@every_metric
def test_options_refuse_bad_values_by_name_without_echo(metric: AnyMetric) -> None:
    for spec in metric.options.specs():
        for value in bad_values(spec):
            with pytest.raises(ScoringError) as refused:
                metric.options.of({spec.name: value})
            assert refused.value.field == spec.name
            assert CANARY not in refused.value.message
            assert len(refused.value.message) < 300
    with pytest.raises(ScoringError) as refused:
        metric.options.of({CANARY: 1})
    assert refused.value.field == "options"
    assert CANARY not in refused.value.message


@every_metric
def test_options_are_declared_in_full(metric: AnyMetric) -> None:
    for spec in metric.options.specs():
        assert spec.label
        assert spec.checked(spec.default) == spec.default
        json.dumps(spec.written(spec.default), allow_nan=False)
        for bound in (spec.minimum, spec.maximum):
            if bound is not None and spec.kind != "reals":
                assert spec.checked(bound) == bound
        if spec.kind == "choice":
            assert spec.default in [choice.value for choice in spec.choices]
            assert all(choice.label for choice in spec.choices)


@every_metric
def test_written_options_give_the_same_options_again(metric: AnyMetric) -> None:
    source = random.Random(9)
    for _ in range(50):
        values = {spec.name: random_value(spec, source) for spec in metric.options.specs()}
        try:
            options = metric.options.of(values)
        except ScoringError:
            continue
        assert metric.options.of(json.loads(json.dumps(options.written()))) == options


@every_metric
def test_other_tools_are_named_once_each(metric: AnyMetric) -> None:
    run = metric.run(Corpus.of("the cat sat on a mat", ["the cat sat on the mat", "a cat sat"]))
    tools = [other.tool for other in run.elsewhere]
    assert tools
    assert len(set(tools)) == len(tools)
    assert all(other.why for other in run.elsewhere)


# The declaration


@every_metric
def test_metric_says_who_it_is(metric: AnyMetric) -> None:
    assert find(metric.slug) is metric
    assert re.fullmatch(r"[a-z]+", metric.slug)
    assert metric.name
    assert metric.full_name
    assert metric.source
    assert metric.max_characters > 0
    assert metric.options.__doc__


def test_slugs_and_names_are_taken_once() -> None:
    assert len({metric.slug for metric in METRICS}) == len(METRICS)
    assert len({metric.name for metric in METRICS}) == len(METRICS)
    assert find("qzxcanary") is None
