"""The reference tools, called live with our options.

Each adapter takes a corpus and options (anything with our options' names as attributes) and gives
the tool's figures under our factors' names and on our scale. A corpus of one is scored by the
tool's function for sentences where it has one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jiwer
import nltk.corpus
from nltk.stem.api import StemmerI
from nltk.stem.porter import PorterStemmer
from nltk.translate import bleu_score, chrf_score, meteor_score, nist_score
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.metrics.bleu import _get_tokenizer as sacrebleu_tokenizer

from calculators.scoring import Corpus

from .scoring import nltk_wordnet


class _NoCharacterData:
    """Stands for a data set of NLTK that is not on PyPI.

    ``NISTTokenizer`` reads it when its class is made, for the international rules alone, which are
    not used here.
    """

    @staticmethod
    def chars(_category: str) -> list[str]:
        return ["x"]


nltk.corpus.perluniprops = _NoCharacterData()
from nltk.tokenize.nist import NISTTokenizer  # noqa: E402 - it needs the stand-in

Figures = dict[str, Any]  # factor -> figure; "value" is always among them
Adapter = Callable[[Corpus, Any], Figures]


class OtherRules(Exception):
    """The tool has no setting for these options."""


def tokens(text: str, options: Any) -> list[str]:
    """The words of ``text`` as NLTK (``nist``), sacreBLEU or white space cut them."""
    if options.tokenizer == "nist":
        return NISTTokenizer().tokenize(text, lowercase=options.lowercase)
    text = text.lower() if options.lowercase else text
    if options.tokenizer == "none":
        return text.split()
    return sacrebleu_tokenizer(options.tokenizer)()(text).split()


def nltk_nist(corpus: Corpus, options: Any) -> Figures:
    """NLTK's NIST. It raises ``ZeroDivisionError`` where no hypothesis is ``max_order`` long."""
    if (options.convention, options.unigram_base) != ("nltk", "words"):
        raise OtherRules
    hypotheses, references = _cut(corpus, options)
    return {"value": nist_score.corpus_nist(references, hypotheses, options.max_order)}


def nltk_bleu(corpus: Corpus, options: Any) -> Figures:
    """NLTK's BLEU, 0 where it prints the least positive number raised to a weight."""
    methods = {"none": "method0"} | {f"nltk{n}": f"method{n}" for n in range(1, 8)}
    if options.smoothing not in methods or options.effective_order:
        raise OtherRules
    # A segment shorter than an order counts differently by convention, in a sum of segments.
    if options.convention == "mteval" or (len(corpus) > 1 and options.convention != "nltk"):
        raise OtherRules
    weights = tuple(options.weights) or (1 / options.max_order,) * options.max_order
    hypotheses, references = _cut(corpus, options)
    # An order longer than the text has one n-gram in NLTK, none in the other conventions.
    least = int(options.convention == "nltk" or options.smoothing != "none")
    matches, totals = _nltk_counts(hypotheses, references, len(weights), least)
    lengths = [
        (bleu_score.closest_ref_length(row, len(words)), len(words))
        for row, words in zip(references, hypotheses, strict=True)
    ]
    reference_length, hypothesis_length = map(sum, zip(*lengths, strict=True))
    value = bleu_score.corpus_bleu(
        references,
        hypotheses,
        weights,
        getattr(bleu_score.SmoothingFunction(), methods[options.smoothing]),
        options.auto_reweigh,
    )
    if options.smoothing == "none" and not options.auto_reweigh and 0 in matches:
        value = 0.0  # method0 puts the least positive float in place of 0
    return {
        "value": float(value),
        "matches": matches,
        "totals": totals,
        "brevity_penalty": float(bleu_score.brevity_penalty(reference_length, hypothesis_length)),
        "hypothesis_length": hypothesis_length,
        "reference_length": reference_length,
    }


def sacrebleu_bleu(corpus: Corpus, options: Any) -> Figures:
    """sacreBLEU's BLEU."""
    if options.smoothing not in BLEU.SMOOTH_DEFAULTS or options.convention != "sacrebleu":
        raise OtherRules
    if options.weights or options.auto_reweigh:
        raise OtherRules
    metric = BLEU(
        lowercase=options.lowercase,
        tokenize=options.tokenizer,
        smooth_method=options.smoothing,
        smooth_value=options.smoothing_value,
        max_ngram_order=options.max_order,
        effective_order=options.effective_order,
        force=True,
    )
    score = _sacrebleu_score(metric, corpus)
    figures = {
        "value": min(score.score / 100, 1.0),  # it prints 100.00000000000004 for identical text
        "brevity_penalty": score.bp,
        "hypothesis_length": score.sys_len,
        "reference_length": score.ref_len,
    }
    if options.smoothing == "add-k":  # it reports its counts with k already added
        return figures
    counts = {"matches": tuple(map(int, score.counts)), "totals": tuple(map(int, score.totals))}
    return {**figures, **counts}


def sacrebleu_ter(corpus: Corpus, options: Any) -> Figures:
    """sacreBLEU's TER."""
    if (options.shifts, options.multi_reference, options.unit) != (True, "mean-length", "words"):
        raise OtherRules
    metric = TER(
        normalized=options.normalize,
        no_punct=options.no_punct,
        asian_support=options.asian,
        case_sensitive=not options.lowercase,
    )
    score = _sacrebleu_score(metric, corpus)
    return {
        "value": score.score / 100,
        "edits": score.num_edits,
        "reference_length": score.ref_length,
    }


def jiwer_wer(corpus: Corpus, options: Any) -> Figures:
    """jiwer's word error rate. What is an insertion to jiwer is a deletion to us."""
    text_rules = (options.normalize, options.no_punct, options.asian)
    if options.shifts or any(text_rules) or options.unit != "words":
        raise OtherRules
    if corpus.reference_counts != (1, 1):
        raise OtherRules
    if not all(segment.references[0].split() for segment in corpus.segments):
        raise OtherRules  # it divides by 1 where the reference has no word; TER is 1 there
    fold = str.lower if options.lowercase else str
    # jiwer splits on the space character alone, so any white space is made one first.
    hypotheses = [" ".join(fold(segment.hypothesis).split()) for segment in corpus.segments]
    references = [" ".join(fold(segment.references[0]).split()) for segment in corpus.segments]
    output = jiwer.process_words(references, hypotheses)
    return {
        "value": output.wer,
        "edits": output.substitutions + output.insertions + output.deletions,
        "reference_length": float(sum(len(words) for words in output.references)),
        "shifts": 0,
    }


def sacrebleu_chrf(corpus: Corpus, options: Any) -> Figures:
    """sacreBLEU's chrF and chrF++."""
    metric = CHRF(
        char_order=options.char_order,
        word_order=options.word_order,
        beta=options.beta,
        lowercase=options.lowercase,
        whitespace=options.whitespace,
        eps_smoothing=options.eps_smoothing,
    )
    return {"value": _sacrebleu_score(metric, corpus).score / 100}


def nltk_chrf(corpus: Corpus, options: Any) -> Figures:
    """NLTK's chrF of a sentence with one reference."""
    if len(corpus) > 1 or corpus.reference_counts != (1, 1) or options.word_order:
        raise OtherRules
    segment = corpus.segments[0]
    fold = str.lower if options.lowercase else str
    value = chrf_score.sentence_chrf(
        fold(segment.references[0]),
        fold(segment.hypothesis),
        max_len=options.char_order,
        beta=options.beta,
        ignore_whitespace=not options.whitespace,
    )
    return {"value": value}


class _Unstemmed(StemmerI):
    """Leaves words as they are: switches NLTK's stage of stems off."""

    def stem(self, token: str) -> str:
        return token


def nltk_meteor(corpus: Corpus, options: Any) -> Figures:
    """NLTK's METEOR of a sentence, with synonyms only where WordNet's files are installed."""
    if len(corpus) > 1 or (options.synonyms and not nltk_wordnet.FOLDER.exists()):
        raise OtherRules
    (hypothesis,), (references,) = _cut(corpus, options)
    value = meteor_score.meteor_score(
        references,
        hypothesis,
        preprocess=str,  # the words are in lower case already where they should be
        stemmer=PorterStemmer() if options.stemming else _Unstemmed(),
        wordnet=nltk_wordnet.reader() if options.synonyms else nltk_wordnet.NoSynonyms(),
        alpha=options.alpha,
        beta=options.beta,
        gamma=options.gamma,
    )
    return {"value": float(value)}


# (metric, tool as the pages name it) -> adapter
ADAPTERS: Mapping[tuple[str, str], Adapter] = {
    ("nist", "NLTK"): nltk_nist,
    ("bleu", "NLTK"): nltk_bleu,
    ("bleu", "sacreBLEU"): sacrebleu_bleu,
    ("ter", "sacreBLEU"): sacrebleu_ter,
    ("ter", "jiwer"): jiwer_wer,
    ("chrf", "sacreBLEU"): sacrebleu_chrf,
    ("chrf", "NLTK"): nltk_chrf,
    ("meteor", "NLTK"): nltk_meteor,
}


def differences(tool: Figures, ours: object, tolerance: float = 1e-9) -> list[str]:
    """The factors on which the result ``ours`` and the tool's figures differ."""
    return [
        f"{factor}: {getattr(ours, factor)!r}, the tool {figure!r}"
        for factor, figure in tool.items()
        if not _same(figure, getattr(ours, factor), tolerance)
    ]


def _same(figure: Any, ours: Any, tolerance: float) -> bool:
    if isinstance(figure, tuple):
        return len(figure) == len(ours) and all(
            _same(a, b, tolerance) for a, b in zip(figure, ours, strict=True)
        )
    return math.isclose(figure, ours, rel_tol=tolerance, abs_tol=1e-15)


def _cut(corpus: Corpus, options: Any) -> tuple[list[list[str]], list[list[list[str]]]]:
    hypotheses = [tokens(segment.hypothesis, options) for segment in corpus.segments]
    references = [
        [tokens(reference, options) for reference in segment.references]
        for segment in corpus.segments
    ]
    return hypotheses, references


def _nltk_counts(
    hypotheses: Sequence[list[str]],
    references: Sequence[list[list[str]]],
    orders: int,
    least: int,
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    matches, totals = [0] * orders, [0] * orders
    for words, row in zip(hypotheses, references, strict=True):
        for order in range(1, orders + 1):
            matches[order - 1] += bleu_score.modified_precision(row, words, order).numerator
            totals[order - 1] += max(least, len(words) - order + 1)
    return tuple(matches), tuple(totals)


def _sacrebleu_score(metric: Any, corpus: Corpus) -> Any:
    if len(corpus) == 1:
        segment = corpus.segments[0]
        return metric.sentence_score(segment.hypothesis, list(segment.references))
    width = corpus.reference_counts[1]
    streams = [
        [s.references[i] if i < len(s.references) else None for s in corpus.segments]
        for i in range(width)
    ]
    return metric.corpus_score([segment.hypothesis for segment in corpus.segments], streams)
