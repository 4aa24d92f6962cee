"""The programs and commands that the pages give are run, and print what they say."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from calculators.scoring import METRICS, AnyEvaluation, AnyMetric, Corpus, ScoringError
from calculators.scoring.recipes import PYTHON, SHELL, Recipe

from . import nltk_wordnet
from .registered import every_metric, every_preset, random_corpus, random_value

SEED = 20260601
RANDOM_RUNS = 60

# Runs each program of a JSON list in a namespace of its own and writes what each prints.
RUNNER = """
import contextlib, io, json, sys
printed = []
for code in json.load(sys.stdin):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "recipe", "exec"), {"__name__": "__main__"})
    printed.append(out.getvalue())
json.dump(printed, sys.stdout)
"""


def printed_by(programs: Iterable[str]) -> list[float]:
    """What the programs print, all run in one interpreter that knows nothing of ours."""
    done = subprocess.run(
        [sys.executable, "-I", "-W", "ignore", "-c", RUNNER],
        input=json.dumps(list(programs)),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [float(text) for text in json.loads(done.stdout)]


def recipes_of(runs: Iterable[AnyEvaluation], language: str) -> list[tuple[AnyEvaluation, Recipe]]:
    return [
        (run, recipe)
        for run in runs
        for recipe in run.recipes
        if recipe.language == language and "nltk.download" not in recipe.code
    ]


def random_runs(metric: AnyMetric, values: Mapping[str, Any], many: int) -> list[AnyEvaluation]:
    """Runs of random sentences whose options are at random but for ``values``."""
    source, runs = random.Random(SEED), []
    for _ in range(many):
        chosen = {spec.name: random_value(spec, source) for spec in metric.options.specs()}
        try:
            run = metric.run(random_corpus(source), values=chosen | dict(values))
        except ScoringError:
            continue
        runs.append(run)
    return runs


# Rules that a tool has, one set a tool, so that random options meet a recipe often enough.
RULES: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "nist": ({"convention": "nltk", "unigram_base": "words"},),
    "bleu": (
        {"convention": "sacrebleu", "weights": "", "auto_reweigh": False, "smoothing": "exp"},
        {"convention": "sacrebleu", "smoothing": "floor", "auto_reweigh": False, "max_order": 4},
        {"convention": "sacrebleu", "smoothing": "add-k", "smoothing_value": 0.7},
        {"convention": "nltk", "effective_order": False, "smoothing": "none"},
        {"convention": "nltk", "effective_order": False, "weights": "0.4,0.3,0.2,0.1"},
    ),
    "ter": (
        {"shifts": True, "unit": "words", "multi_reference": "mean-length"},
        {"shifts": False, "unit": "words", "normalize": False, "no_punct": False},
    ),
    "meteor": ({"synonyms": False},),
    "chrf": ({}, {"word_order": 0, "eps_smoothing": True}, {"beta": 1.5}),
}


@every_metric
def test_a_program_prints_the_score_that_it_is_given_for(metric: AnyMetric) -> None:
    runs = [run for rules in RULES[metric.slug] for run in random_runs(metric, rules, RANDOM_RUNS)]
    pairs = recipes_of(runs, PYTHON)
    assert len(pairs) > RANDOM_RUNS / 4
    assert_prints(pairs, printed_by(recipe.code for _, recipe in pairs))


@every_preset
def test_the_programs_of_a_preset_print_its_scores(metric: AnyMetric, preset: str) -> None:
    source = random.Random(preset)
    runs = []
    for _ in range(30):
        try:
            runs.append(metric.run(random_corpus(source), preset=preset))
        except ScoringError:
            continue
    pairs = recipes_of(runs, PYTHON)
    assert_prints(pairs, printed_by(recipe.code for _, recipe in pairs))


def assert_prints(pairs: list[tuple[AnyEvaluation, Recipe]], printed: list[float]) -> None:
    for (run, recipe), number in zip(pairs, printed, strict=True):
        told = f"{run.signature}\n{recipe.code}"
        assert number == pytest.approx(recipe.prints, rel=1e-9, abs=1e-9), told
        scale = 100 if recipe.tool == "sacreBLEU" else 1
        is_zero = recipe.note.endswith("stands for 0.")
        if not is_zero:
            assert recipe.prints == pytest.approx(run.result.value * scale, abs=1e-12), told


TEXTS = (
    ("the cat sat on the rug", ["the cat sat on the mat"]),
    ("It's 5 o'clock, $HOME; `date`", ["It’s five o'clock — don't wait.", "5 o'clock it is!"]),
    ("他喜欢在周末阅读历史书籍。", ["他周末喜欢读历史书。"]),
    ("ذهب الولد إلى المدرسة", ["ذهب الولد الى المدرسة صباحا"]),
)
COMMANDS: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "bleu": (
        {"smoothing": "exp", "effective_order": True},
        {"smoothing": "floor", "smoothing_value": 0.05, "lowercase": True},
        {"smoothing": "none", "tokenizer": "zh"},
    ),
    "ter": ({}, {"normalize": False, "lowercase": False}, {"asian": True, "no_punct": True}),
    "chrf": ({}, {"word_order": 2, "lowercase": True}, {"beta": 3.0, "eps_smoothing": True}),
}


@pytest.mark.parametrize("slug", COMMANDS)
def test_a_command_prints_the_score_that_it_is_given_for(slug: str, tmp_path: Path) -> None:
    metric = next(metric for metric in METRICS if metric.slug == slug)
    pairs = list(zip((*TEXTS, TEXTS[1]), COMMANDS[slug] * 2, strict=False))
    runs = [metric.run(Corpus.of(*texts), values=values) for texts, values in pairs]
    found = recipes_of(runs, SHELL)
    assert len(found) == len(pairs)
    assert_prints(found, [run_command(recipe.code, tmp_path) for _, recipe in found])


def run_command(code: str, folder: Path) -> float:
    programs = str(Path(sys.executable).parent)
    done = subprocess.run(
        ["bash", "-e", "-c", code],
        cwd=folder,
        env={"PATH": f"{programs}:/usr/bin:/bin", "LANG": "C.UTF-8", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return float(done.stdout)


def test_no_command_is_given_for_a_text_that_no_line_of_a_file_can_hold() -> None:
    for slug in COMMANDS:
        metric = next(metric for metric in METRICS if metric.slug == slug)
        for hypothesis, references in (("a\nb", ["a b"]), ("a b", ["a b", " "]), ("", ["a"])):
            run = metric.run(Corpus.of(hypothesis, references))
            assert not [recipe for recipe in run.recipes if recipe.language == SHELL]


def test_no_recipe_is_given_where_no_tool_counts_in_this_way() -> None:
    other = {"nist": {"convention": "mteval"}, "bleu": {"smoothing": "add-one"}}
    for slug, values in {**other, "ter": {"unit": "characters"}}.items():
        metric = next(metric for metric in METRICS if metric.slug == slug)
        assert metric.run(Corpus.of("a b c d e", ["a b c d f"]), values=values).recipes == ()


def test_a_program_that_needs_wordnet_gives_the_score_with_it() -> None:
    folder = nltk_wordnet.require_wordnet()
    assert folder.exists()
    metric = next(metric for metric in METRICS if metric.slug == "meteor")
    run = metric.run(Corpus.of("the car is quick", ["the auto is fast today"]))
    (recipe,) = run.recipes
    code = recipe.code.replace('nltk.download("wordnet", quiet=True)', "")
    code = code.replace("from nltk.corpus import wordnet", "")
    names: dict[str, Any] = {
        "wordnet": nltk_wordnet.reader(),
        "print": lambda value: got.append(value),
    }
    got: list[float] = []
    exec(code, names)
    assert got == [pytest.approx(run.result.value, abs=1e-9)]
