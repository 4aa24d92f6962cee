"""Programs and commands that give the same rate with sacreBLEU and jiwer."""

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
from .counts import MEAN_LENGTH, WORDS
from .working import Run

_SWITCHES = {
    "normalized": "--ter-normalized",
    "no_punct": "--ter-no-punct",
    "asian_support": "--ter-asian-support",
    "case_sensitive": "--ter-case-sensitive",
}
_PRINTS_100 = "sacreBLEU prints per cent."


def recipes(run: Run) -> tuple[Recipe, ...]:
    """What can be run elsewhere for the score of one segment under these options."""
    if not run.is_sentence or run.options.unit != WORDS:
        return ()
    return tuple(_sacrebleu(run) if run.options.shifts else _jiwer(run))


def _sacrebleu(run: Run) -> Iterator[Recipe]:
    options, segment, prints = run.options, run.corpus.segments[0], 100 * run.result.value
    if options.multi_reference != MEAN_LENGTH:
        return
    chosen = {
        "normalized": options.normalize,
        "no_punct": options.no_punct,
        "asian_support": options.asian,
        "case_sensitive": not options.lowercase,
    }
    lines = (
        "# pip install sacrebleu",
        "from sacrebleu.metrics import TER",
        "",
        *python_pair(segment),
        f"metric = TER({python_arguments(chosen, dict.fromkeys(chosen, False))})",
        "print(metric.sentence_score(hypothesis, references).score)",
    )
    yield python_recipe("sacreBLEU", lines, prints, _PRINTS_100)
    switches = [switch for name, switch in _SWITCHES.items() if chosen[name]]
    command = sacrebleu_command(segment, ["-m ter", *switches], prints)
    if command:
        yield replace(command, note=_PRINTS_100)


def _jiwer(run: Run) -> Iterator[Recipe]:
    """jiwer's rate: it takes one reference, which must have a word."""
    options, segment = run.options, run.corpus.segments[0]
    if options.normalize or options.no_punct or len(segment.references) > 1:
        return
    if not segment.references[0].split():
        return
    lower = ".lower()" if options.lowercase else ""
    lines = (
        "# pip install jiwer",
        "import jiwer",
        "",
        f"reference = {python_text(segment.references[0])}",
        f"hypothesis = {python_text(segment.hypothesis)}",
        "# jiwer splits at spaces alone, so all white space is made one of those.",
        f'reference, hypothesis = (" ".join(text{lower}.split()) for text in (reference,'
        " hypothesis))",
        "print(jiwer.wer(reference, hypothesis))",
    )
    yield python_recipe("jiwer", lines, run.result.value, "jiwer prints a fraction.")
