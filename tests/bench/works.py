"""What is held against the reference tools, each work on the data sets."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from statistics import median
from typing import Any

import jiwer
import sacrebleu.tokenizers.tokenizer_13a as of_13a
import sacrebleu.tokenizers.tokenizer_re as of_re
import sacrebleu.tokenizers.tokenizer_zh as of_zh
from nltk.translate.meteor_score import meteor_score
from nltk.translate.nist_score import corpus_nist, sentence_nist
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest

from calculators.scoring import Budget, Corpus, Segment, find
from calculators.scoring.compare import System, bootstrap, paired_p_value
from calculators.scoring.text.tokenizers import tokenizer
from tests.record_sets import lines
from tests.scoring import nltk_wordnet

from .pairs import Row, Target, apart, differing, in_turn, timed

# Seconds that sacreBLEU's TER may take for a row; for all of them whole it takes half an hour.
TER_SECONDS = 6.0
SENTENCES = 300


@dataclass(frozen=True)
class Set:
    """A system's outputs with their references."""

    name: str
    system: str
    streams: tuple[str, ...]

    @property
    def label(self) -> str:
        """What it is called in the tables."""
        return f"{self.name}.{self.system} {'+'.join(self.streams)}"

    @cached_property
    def hypotheses(self) -> list[str]:
        """A line a segment."""
        return lines(f"{self.name}.{self.system}")

    @cached_property
    def references(self) -> list[list[str]]:
        """The lines of each stream."""
        return [lines(f"{self.name}.{stream}") for stream in self.streams]

    @property
    def is_chinese(self) -> bool:
        """Whether its words have no spaces between them."""
        return self.name.endswith("zh")

    def corpus(self, picked: list[int] | None = None) -> Corpus:
        """All segments or those at ``picked``."""
        whole = Corpus.from_lines(self.hypotheses, self.references)
        return whole if picked is None else Corpus(tuple(whole.segments[i] for i in picked))

    def sample(self) -> list[int]:
        """All segments in an order by chance, always the same."""
        order = list(range(len(self.hypotheses)))
        random.Random(1).shuffle(order)
        return order


# Both systems' outputs of every data set, against one reference and, where there are two, both.
OUTPUTS = tuple(
    Set(name, system, streams)
    for name in ("ted-sk-en-detok", "wmt22-en-de", "wmt22-zh-en", "wmt22-en-zh")
    for system in ("sysA", "sysB")
    for streams in (("ref",), ("ref", "refB"))
    if name.startswith("wmt22") or streams == ("ref",)
)
# One of each data set and number of references, where the systems are much the same.
SETS = tuple(
    each for each in OUTPUTS if (each.system, len(each.streams)) in (("sysA", 1), ("sysB", 2))
)
ENGLISH = tuple(each for each in SETS if each.name in ("ted-sk-en-detok", "wmt22-zh-en"))


def evaluated(slug: str, corpus: Corpus, preset: str = "", **values: Any) -> Any:
    """Our evaluation of a file."""
    metric = find(slug)
    assert metric is not None
    return metric.run(corpus, preset=preset, values=values, of_corpus=True)


def forget_tokens() -> None:
    """Empty sacreBLEU's caches of tokenised text, which would answer a second run at once."""
    for cls in (of_13a.Tokenizer13a, of_re.TokenizerRegexp, of_zh.TokenizerZh):
        cls.__call__.cache_clear()


def bleu() -> Iterator[Row]:
    """Corpus BLEU beside sacreBLEU, tokenising included."""
    for each in SETS:
        tokenize = "zh" if each.is_chinese else "13a"

        def theirs(each: Set = each, tokenize: str = tokenize) -> Any:
            forget_tokens()
            return BLEU(tokenize=tokenize).corpus_score(each.hypotheses, each.references)

        def ours(each: Set = each, tokenize: str = tokenize) -> Any:
            return evaluated("bleu", each.corpus(), "sacrebleu", tokenizer=tokenize)

        their_time, our_time, score, run = in_turn(theirs, ours)
        parts = BLEU(tokenize=tokenize)._extract_corpus_statistics(each.hypotheses, each.references)
        own = [[c.hypothesis_length, c.reference_length, *c.matches, *c.totals] for c in run.counts]
        wrong = differing(parts, own) + apart([score.score / 100], [run.result.value])
        yield Row("BLEU", each.label, their_time, our_time, wrong)


def chrf() -> Iterator[Row]:
    """Corpus chrF beside sacreBLEU."""
    for each in SETS:

        def theirs(each: Set = each) -> Any:
            return CHRF().corpus_score(each.hypotheses, each.references)

        def ours(each: Set = each) -> Any:
            return evaluated("chrf", each.corpus(), "chrf")

        their_time, our_time, score, run = in_turn(theirs, ours)
        parts = CHRF()._extract_corpus_statistics(each.hypotheses, each.references)
        own = [
            [n for order in zip(c.hypothesis, c.reference, c.matched, strict=True) for n in order]
            for c in run.counts
        ]
        wrong = differing(parts, own) + apart([score.score / 100], [run.result.value])
        yield Row("chrF", each.label, their_time, our_time, wrong)


def nist() -> Iterator[Row]:
    """Corpus NIST beside NLTK, on white space, or on characters for Chinese."""
    for each in OUTPUTS:
        split: Callable[[str], list[str]] = list if each.is_chinese else str.split
        clean = "".join if each.is_chinese else " ".join
        hypotheses = [clean(line.split()) for line in each.hypotheses]
        references = [[clean(line.split()) for line in stream] for stream in each.references]

        def theirs(
            hypotheses: list[str] = hypotheses,
            references: list[list[str]] = references,
            split: Callable[[str], list[str]] = split,
        ) -> float:
            rows = zip(*references, strict=True)
            split_rows = [[split(text) for text in row] for row in rows]
            return float(corpus_nist(split_rows, [split(text) for text in hypotheses]))

        def ours(
            hypotheses: list[str] = hypotheses,
            references: list[list[str]] = references,
            tokenizer: str = "char" if each.is_chinese else "none",
        ) -> Any:
            corpus = Corpus.from_lines(hypotheses, references)
            return evaluated("nist", corpus, tokenizer=tokenizer, lowercase=False)

        their_time, our_time, score, run = in_turn(theirs, ours)
        wrong = apart([score], [run.result.value])
        yield Row("NIST", each.label, their_time, our_time, wrong)


def nist_sentence() -> Iterator[Row]:
    """NIST of single sentences beside NLTK."""
    metric = find("nist")
    assert metric is not None
    options = metric.options_for("", {"tokenizer": "none", "lowercase": False}, of_corpus=False)
    for each in SETS:
        if each.is_chinese:
            continue
        segments = [
            segment
            for segment in each.corpus(each.sample()[:SENTENCES]).segments
            if len(segment.hypothesis.split()) >= 5  # NLTK stops with an error below
        ]

        def theirs(segments: list[Segment] = segments) -> list[float]:
            return [
                float(sentence_nist([text.split() for text in s.references], s.hypothesis.split()))
                for s in segments
            ]

        def ours(segments: list[Segment] = segments) -> list[float]:
            return [
                metric.evaluate(Corpus.of(s.hypothesis, s.references), options).result.value
                for s in segments
            ]

        their_time, our_time, scores, own = in_turn(theirs, ours)
        yield Row("NIST of sentences", each.label, their_time, our_time, apart(scores, own))


def ter() -> Iterator[Row]:
    """Corpus TER beside sacreBLEU, on as many segments by chance as that can score in its time."""
    return _ter(TER_SECONDS)


def whole_ter() -> Iterator[Row]:
    """The same on all segments."""
    return _ter(math.inf)


def _ter(most_seconds: float) -> Iterator[Row]:
    for each in OUTPUTS:
        # Chinese by characters, as sacreBLEU's --ter-asian-support with --ter-normalized.
        metric = TER(normalized=each.is_chinese, asian_support=each.is_chinese)
        rules = {"normalize": each.is_chinese, "asian": each.is_chinese}
        segments = each.corpus(each.sample()).segments
        statistics: list[list[float]] = []
        spent, start = 0.0, time.process_time()
        while spent < most_seconds and len(statistics) < len(segments):
            statistics.append(_ter_statistics(metric, segments[len(statistics)]))
            spent = time.process_time() - start
        corpus = Corpus(segments[: len(statistics)])
        times = [timed(lambda: evaluated("ter", corpus, "sacrebleu", **rules)) for _ in range(3)]  # noqa: B023
        seconds, run = median(seconds for seconds, _ in times), times[0][1]
        own = [[counts.edits, counts.reference_length] for counts in run.counts]
        label = f"{each.label}, {len(statistics):,}"
        yield Row("TER", label, spent, seconds, differing(statistics, own))


def _ter_statistics(metric: TER, segment: Segment) -> list[float]:
    streams = [[text] for text in segment.references]
    (found,) = metric._extract_corpus_statistics([segment.hypothesis], streams)
    return list(found)


def meteor() -> Iterator[Row]:
    """METEOR beside NLTK, both on texts that they have not seen, with WordNet loaded."""
    if not nltk_wordnet.FOLDER.exists():
        return
    reader = nltk_wordnet.reader()
    reader.synsets("load")
    evaluated("meteor", Corpus.of("load", ["load"]))
    for each in ENGLISH:
        corpus = each.corpus(each.sample()[:SENTENCES])
        split = tokenizer("nist", lowercase=True)
        words = [
            ([list(split(text)) for text in s.references], list(split(s.hypothesis)))
            for s in corpus.segments
        ]
        their_time, scores = timed(
            lambda: [meteor_score(*pair, preprocess=str, wordnet=reader) for pair in words]  # noqa: B023
        )
        our_time, run = timed(lambda: evaluated("meteor", corpus))  # noqa: B023
        yield Row("METEOR", each.label, their_time, our_time, apart(scores, run.segments))


def wer() -> Iterator[Row]:
    """The word error rate beside jiwer."""
    for each in SETS:
        if len(each.streams) > 1 or each.is_chinese:
            continue
        hypotheses = [" ".join(line.split()) for line in each.hypotheses]
        references = [" ".join(line.split()) for line in each.references[0]]

        def theirs(h: list[str] = hypotheses, r: list[str] = references) -> Any:
            return jiwer.process_words(r, h)

        def ours(h: list[str] = hypotheses, r: list[str] = references) -> Any:
            return evaluated("ter", Corpus.from_lines(h, [r]), "wer")

        their_time, our_time, output, run = in_turn(theirs, ours)
        wrong = apart([output.wer], [run.result.value])
        yield Row("WER", each.label, their_time, our_time, wrong)


def paired_bootstrap() -> Iterator[Row]:
    """1,000 samples of two systems, from the segments' statistics on."""
    for each in SETS:
        if each.system != "sysA":
            continue
        pair = [Set(each.name, name, each.streams) for name in ("sysA", "sysB")]
        for slug, metric in (("bleu", BLEU()), ("chrf", CHRF())):
            yield _paired_bootstrap(slug, metric, pair)


def _paired_bootstrap(slug: str, metric: Any, pair: list[Set]) -> Row:
    preset = "sacrebleu" if slug == "bleu" else "chrf"
    runs = [evaluated(slug, each.corpus(), preset) for each in pair]
    known = {
        each.system: metric._extract_corpus_statistics(each.hypotheses, each.references)
        for each in pair
    }
    # The systems stand for themselves by name, so that only the test is timed.
    metric._extract_corpus_statistics = lambda system, _references: known[system[0]]
    size = len(pair[0].hypotheses)

    def theirs() -> Any:
        named = [(each.system, [each.system] * size) for each in pair]
        return PairedTest(named, {"it": metric}, None, "bs", 1_000)()

    def ours() -> Any:
        return bootstrap([System.of(run) for run in runs], Budget.unlimited(), samples=1_000)

    their_time, our_time, (_, scores), own = in_turn(theirs, ours)
    results = next(value for name, value in scores.items() if name != "System")
    wrong = differing([result.mean for result in results], [o.interval.mean for o in own])
    wrong += results[1].p_value != paired_p_value(*own)
    label = f"{slug}, {pair[0].name} {'+'.join(pair[0].streams)}"
    return Row("paired bootstrap", label, their_time, our_time, wrong)


def tokenizer_13a() -> Iterator[Row]:
    """The tokeniser 13a over a file beside sacreBLEU's."""
    for each in SETS:
        split = tokenizer("13a", lowercase=False)

        def theirs(each: Set = each) -> list[str]:
            forget_tokens()
            cut = of_13a.Tokenizer13a()
            return [cut(line.rstrip()) for line in each.hypotheses]

        their_time, our_time, texts, tokens = in_turn(
            theirs,
            lambda: split.of_all(each.hypotheses),  # noqa: B023
        )
        words, ends, start = tokens.words, tokens.ends(), 0
        own = []
        for end in islice(ends, len(texts)):
            own.append(" ".join(words[start:end]))
            start = end + 1
        yield Row("13a", each.label, their_time, our_time, differing(texts, own))


@dataclass(frozen=True, slots=True)
class Work:
    """A work, and what ours is to reach in it."""

    title: str
    rows: Callable[[], Iterator[Row]]
    target: Target
    whole: Callable[[], Iterator[Row]] | None = None  # where ``rows`` are of samples


WORKS = {
    "bleu": Work("corpus BLEU, sacreBLEU", bleu, Target(4)),
    "chrf": Work("corpus chrF, sacreBLEU", chrf, Target(6)),
    "nist": Work("corpus NIST, NLTK", nist, Target(8)),
    "nist-sentence": Work("sentence NIST, NLTK", nist_sentence, Target(2.5)),
    "ter": Work("corpus TER, sacreBLEU", ter, Target(median=60, each=25), whole_ter),
    "meteor": Work("METEOR, cold, NLTK", meteor, Target(6)),
    "wer": Work("WER, jiwer", wer, Target()),
    "bootstrap": Work("paired bootstrap, 1,000 samples, sacreBLEU", paired_bootstrap, Target(10)),
    "13a": Work("tokeniser 13a, sacreBLEU", tokenizer_13a, Target(5)),
}
