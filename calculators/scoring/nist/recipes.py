"""A program that gives the same NIST with NLTK."""

from __future__ import annotations

from ..recipes import Recipe, python_list, python_recipe, python_words
from .explain import Run


def recipes(run: Run) -> tuple[Recipe, ...]:
    """What can be run elsewhere for the score of one segment under these options.

    NLTK knows its own convention only, and stops where the candidate is shorter than N.
    """
    options = run.options
    if not run.is_sentence or (options.convention, options.unigram_base) != ("nltk", "words"):
        return ()
    if 0 in run.total.totals:
        return ()
    trace = run.trace(0)
    lines = (
        "# pip install nltk",
        "from nltk.translate.nist_score import sentence_nist",
        "",
        "# NLTK splits no text: these are the words as they were split here.",
        f"hypothesis = {python_words(trace.hypothesis)}",
        f"references = {python_list(map(python_words, trace.references))}",
        f"print(sentence_nist(references, hypothesis, n={options.max_order}))",
    )
    return (python_recipe("NLTK", lines, run.result.value),)
