"""A program that gives the same METEOR with NLTK."""

from __future__ import annotations

from collections.abc import Iterator

from ..recipes import Recipe, python_list, python_recipe, python_words
from .explain import Run


def recipes(run: Run) -> tuple[Recipe, ...]:
    """What can be run elsewhere for the score of one segment under these options."""
    return (python_recipe("NLTK", _lines(run), run.result.value),) if run.is_sentence else ()


def _lines(run: Run) -> Iterator[str]:
    options, trace = run.options, run.trace(0)
    yield "# pip install nltk"
    if options.synonyms:
        yield "import nltk"
        yield "from nltk.corpus import wordnet"
    yield "from nltk.stem.porter import PorterStemmer"
    yield "from nltk.translate.meteor_score import meteor_score"
    yield ""
    if options.synonyms:
        yield 'nltk.download("wordnet", quiet=True)'
    else:
        yield from _WITHOUT_SYNONYMS
    if not options.stemming:
        yield from _WITHOUT_STEMS
    yield "# NLTK splits no text: these are the words as they were split here."
    yield f"hypothesis = {python_words(trace.compared)}"
    references = [python_words(reference.compared) for reference in trace.references]
    yield f"references = {python_list(references)}"
    yield "print(meteor_score("
    yield "    references, hypothesis, preprocess=str,"
    yield f"    stemmer={'PorterStemmer' if options.stemming else 'NoStems'}(),"
    yield f"    wordnet={'wordnet' if options.synonyms else 'NoSynonyms'},"
    yield f"    alpha={options.alpha!r}, beta={options.beta!r}, gamma={options.gamma!r},"
    yield "))"


_WITHOUT_SYNONYMS = (
    "class NoSynonyms:",
    "    @staticmethod",
    "    def synsets(word):",
    "        return []",
    "",
)
_WITHOUT_STEMS = (
    "class NoStems(PorterStemmer):",
    "    def stem(self, word):",
    "        return word",
    "",
)
