"""A metric small enough to know by heart, for tests of what surrounds the metrics.

Its score is the share of the hypothesis's words that stand in some reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from calculators.scoring import (
    Budget,
    Choice,
    Corpus,
    Elsewhere,
    Evaluation,
    Metric,
    Options,
    Preset,
    Result,
    Scale,
    ScoringError,
    Section,
    Segment,
)
from calculators.scoring.explain import Column, Derivation, Step, Table, Tile, Tiles
from calculators.scoring.metric import Convention, Counts
from calculators.scoring.options import choice, flag, integer, real, reals


@dataclass(frozen=True)
class WordsOptions(Options):
    lowercase: bool = flag(True, "Lowercase", "Take A and a for the same.")
    repeat: int = integer(1, 1, 9, "Repetitions", "How often the words are counted.")
    cut: str = choice("space", (Choice("space", "Space"), Choice("char", "Characters")), "Cut at")
    bonus: float | None = real(None, "Bonus", "Added to the score.", minimum=0, maximum=1)
    scale: float = real(1.0, "Factor", "Multiplies the score.")
    weights: tuple[float, ...] = reals("Weights", "Not used.", minimum=0)

    def check(self) -> None:
        if self.cut == "char" and self.repeat == 9:
            raise ScoringError("Characters can't be repeated nine times.", "repeat")


@dataclass(frozen=True, slots=True)
class WordsCounts(Counts):
    matched: int
    words: int


@dataclass(frozen=True, slots=True)
class WordsResult(Result):
    matched: int
    words: int


@dataclass(frozen=True, slots=True)
class WordsTrace:
    counts: WordsCounts


def prepare(corpus: Corpus, options: WordsOptions, budget: Budget) -> WordsOptions:
    return options


def measure(
    options: WordsOptions, segments: Iterable[Segment], budget: Budget
) -> Iterator[WordsCounts]:
    for segment in segments:
        words = _words(segment.hypothesis, options)
        budget.spend(len(words) ** 2)
        known = {word for text in segment.references for word in _words(text, options)}
        matched = sum(word in known for word in words)
        yield WordsCounts(matched * options.repeat, len(words) * options.repeat)


def _words(text: str, options: WordsOptions) -> list[str]:
    text = text.lower() if options.lowercase else text
    return text.split() if options.cut == "space" else list(text)


def finish(counts: WordsCounts, options: WordsOptions) -> WordsResult:
    if counts.words == 0:
        raise ScoringError("A hypothesis without words has no score here.", "hypothesis")
    share = counts.matched / counts.words * options.scale + (options.bonus or 0.0)
    return WordsResult(share, counts.matched, counts.words)


Run = Evaluation[WordsOptions, WordsOptions, WordsCounts, WordsTrace, WordsResult]


def trace(options: WordsOptions, segment: Segment, budget: Budget) -> WordsTrace:
    return WordsTrace(next(measure(options, [segment], budget)))


def explain(run: Run) -> tuple[Section, ...]:
    value = run.result.value
    return (
        Tiles((Tile("Words", run.result.words, "count"),)),
        Derivation("Working", (Step("Score", "matched / words", "", value),)),
    )


def detail(run: Run, index: int) -> tuple[Section, ...]:
    words = _words(run.corpus.segments[index].hypothesis, run.options)
    rows = tuple(((word,), 1) for word in words)
    return (
        Table("Words", "Each word", (Column("Word", "tokens"), Column("Times", "count")), rows),
    )


def notes(run: Run) -> tuple[str, ...]:
    return ("Nothing matched.",) if run.result.matched == 0 else ()


def elsewhere(run: Run) -> tuple[Elsewhere, ...]:
    return (Elsewhere("A tool without a number", None, "It refuses."),)


METRIC = Metric(
    slug="words",
    name="Words",
    full_name="Share of known words",
    source="Made up for tests",
    scale=Scale(0.0, 1.0, higher_is_better=True, digits=2, multiplier=100),
    max_characters=100,
    options=WordsOptions,
    presets=(
        Preset("page", "This page", "", {}),
        Preset("cased", "Cased", "A cased tool", {"lowercase": False, "bonus": 0.25}),
        Preset("twice", "Twice", "A tool", {"repeat": 2}, corpus_options={"repeat": 3}),
    ),
    prepare=prepare,
    measure=measure,
    finish=finish,
    trace=trace,
    explain=explain,
    detail=detail,
    notes=notes,
    conventions=(Convention("A cased tool", "It keeps case.", preset="cased"),),
    elsewhere=elsewhere,
)
