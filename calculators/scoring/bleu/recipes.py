"""Programs and commands that give the same BLEU with NLTK and sacreBLEU."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..recipes import (
    Recipe,
    python_arguments,
    python_list,
    python_pair,
    python_recipe,
    python_words,
    sacrebleu_command,
)
from .counts import BleuOptions
from .notes import nltk_prints
from .working import Run

_NLTK_METHODS = {"none": "method0"} | {f"nltk{n}": f"method{n}" for n in range(1, 8)}
_SACREBLEU_SMOOTHINGS = ("none", "floor", "add-k", "exp")
_SACREBLEU_TOKENIZERS = ("13a", "intl", "zh", "char", "none")
_SACREBLEU_DEFAULTS = {
    "tokenize": "13a",
    "smooth_method": "exp",
    "max_ngram_order": 4,
    "lowercase": False,
    "effective_order": False,
    "smooth_value": None,
}
_PRINTS_100 = "sacreBLEU prints BLEU times 100."


def recipes(run: Run) -> tuple[Recipe, ...]:
    """What can be run elsewhere for the score of one segment under these options."""
    return (*_sacrebleu(run), *_nltk(run)) if run.is_sentence else ()


def _sacrebleu(run: Run) -> Iterator[Recipe]:
    options = run.options
    if (
        options.smoothing not in _SACREBLEU_SMOOTHINGS
        or options.tokenizer not in _SACREBLEU_TOKENIZERS
        or options.convention != "sacrebleu"
        or options.weights
        or options.auto_reweigh
    ):
        return
    segment, prints = run.corpus.segments[0], 100 * run.result.value
    arguments = python_arguments(_sacrebleu_arguments(options), _SACREBLEU_DEFAULTS)
    lines = (
        "# pip install sacrebleu",
        "from sacrebleu.metrics import BLEU",
        "",
        *python_pair(segment),
        f"metric = BLEU({arguments})",
        "print(metric.sentence_score(hypothesis, references).score)",
    )
    yield python_recipe("sacreBLEU", lines, prints, _PRINTS_100)
    # The command has no switch for the order, and scores single lines by the effective order.
    if options.max_order == 4:
        command = sacrebleu_command(segment, _sacrebleu_settings(options), prints)
        if command:
            yield replace(command, note=_PRINTS_100)


def _sacrebleu_arguments(options: BleuOptions) -> dict[str, object]:
    return {
        "tokenize": options.tokenizer,
        "smooth_method": options.smoothing,
        "smooth_value": options.smoothing_value,
        "max_ngram_order": options.max_order,
        "lowercase": options.lowercase,
        "effective_order": options.effective_order,
    }


def _sacrebleu_settings(options: BleuOptions) -> list[str]:
    settings = [f"--tokenize {options.tokenizer} --smooth-method {options.smoothing}"]
    if options.smoothing_value is not None:
        settings.append(f"--smooth-value {options.smoothing_value!r}")
    if options.lowercase:
        settings.append("--lowercase")
    if options.effective_order:
        settings.append("--sentence-level")
    return settings


def _nltk(run: Run) -> Iterator[Recipe]:
    options = run.options
    if options.smoothing not in _NLTK_METHODS or options.effective_order:
        return
    if options.convention == "mteval" or not run.result.hypothesis_length:
        return
    trace = run.trace(0)
    weights = options.weights or (1 / options.order,) * options.order
    reweigh = ", auto_reweigh=True" if options.auto_reweigh else ""
    lines = (
        "# pip install nltk",
        "from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu",
        "",
        "# NLTK splits no text: these are the words as they were split here.",
        f"hypothesis = {python_words(trace.hypothesis)}",
        f"references = {python_list(map(python_words, trace.references))}",
        f"weights = {_written(weights)}",
        f"smoothing = SmoothingFunction().{_NLTK_METHODS[options.smoothing]}",
        f"print(sentence_bleu(references, hypothesis, weights, smoothing{reweigh}))",
    )
    yield python_recipe("NLTK", lines, *_printed_by_nltk(run))


def _written(weights: tuple[float, ...]) -> str:
    if len(set(weights)) == 1 and len(weights) > 1 and weights[0] == 1 / len(weights):
        return f"({1}/{len(weights)},) * {len(weights)}"
    return repr(weights)


def _printed_by_nltk(run: Run) -> tuple[float, str]:
    """The number that NLTK prints, and why it is another than 0 where the score is 0."""
    value, options = run.result.value, run.options
    if value or options.smoothing != "none" or options.auto_reweigh:
        return value, ""
    printed = nltk_prints(run.total, replace(options, convention="nltk"))
    return printed, f"NLTK prints {printed:.4g}, which stands for 0." if printed else ""
