"""Programs and commands that give the same chrF with sacreBLEU and NLTK."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..recipes import (
    Recipe,
    python_arguments,
    python_pair,
    python_recipe,
    python_text,
    sacrebleu_command,
)
from .counts import ChrfOptions
from .explain import Run

_SACREBLEU_DEFAULTS = {
    "char_order": 6,
    "word_order": 0,
    "beta": 2,
    "lowercase": False,
    "whitespace": False,
    "eps_smoothing": False,
}
_PRINTS_100 = "sacreBLEU prints chrF times 100."


def recipes(run: Run) -> tuple[Recipe, ...]:
    """What can be run elsewhere for the score of one segment under these options."""
    return (*_sacrebleu(run), *_nltk(run)) if run.is_sentence else ()


def _sacrebleu(run: Run) -> Iterator[Recipe]:
    options, segment, prints = run.options, run.corpus.segments[0], 100 * run.result.value
    chosen = {name: getattr(options, name) for name in _SACREBLEU_DEFAULTS}
    chosen["beta"] = _plain(options.beta)
    lines = (
        "# pip install sacrebleu",
        "from sacrebleu.metrics import CHRF",
        "",
        *python_pair(segment),
        f"metric = CHRF({python_arguments(chosen, _SACREBLEU_DEFAULTS)})",
        "print(metric.sentence_score(hypothesis, references).score)",
    )
    yield python_recipe("sacreBLEU", lines, prints, _PRINTS_100)
    # The command takes a whole beta only, and cuts white space off the ends of its lines.
    if options.beta.is_integer() and not options.whitespace:
        command = sacrebleu_command(segment, ["-m chrf", *_settings(options)], prints)
        if command:
            yield replace(command, note=_PRINTS_100)


def _settings(options: ChrfOptions) -> Iterator[str]:
    yield f"--chrf-char-order {options.char_order} --chrf-word-order {options.word_order}"
    yield f"--chrf-beta {options.beta:.0f}"
    if options.lowercase:
        yield "--chrf-lowercase"
    if options.eps_smoothing:
        yield "--chrf-eps-smoothing"


def _nltk(run: Run) -> Iterator[Recipe]:
    """NLTK's chrF: one reference, characters only, the mean of F over the orders."""
    options, segment = run.options, run.corpus.segments[0]
    if options.word_order or not options.eps_smoothing or len(segment.references) > 1:
        return
    lower = ".lower()" if options.lowercase else ""
    settings = f"max_len={options.char_order}, beta={_plain(options.beta)!r}"
    if options.whitespace:
        settings += ", ignore_whitespace=False"
    lines = (
        "# pip install nltk",
        "from nltk.translate.chrf_score import sentence_chrf",
        "",
        f"hypothesis = {python_text(segment.hypothesis)}{lower}",
        f"reference = {python_text(segment.references[0])}{lower}",
        f"print(sentence_chrf(reference, hypothesis, {settings}))",
    )
    yield python_recipe("NLTK", lines, run.result.value, "NLTK prints a fraction.")


def _plain(number: float) -> int | float:
    return int(number) if number.is_integer() else number
