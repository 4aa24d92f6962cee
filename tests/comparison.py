"""Our numbers beside the reference tools', on recorded, real and random texts.

    python -m tests.comparison

writes ``calculators/content/comparison.json``, which the pages quote. It refuses to write where
one single figure differs.
"""

from __future__ import annotations

import json
import logging
import random
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from calculators.content import DIRECTORY
from calculators.scoring import METRICS, AnyMetric, Corpus, ScoringError

from .tools import ADAPTERS, OtherRules, differences

DATA = Path(__file__).with_name("data")
TARGET = DIRECTORY / "comparison.json"
PACKAGES = {"NLTK": "nltk", "sacreBLEU": "sacrebleu", "jiwer": "jiwer"}

LINES_OF_A_SET = 60  # scored one by one, besides the whole file
LINES_OF_A_FILE = 200  # scored as one corpus
SLOW, FEWER = {"ter"}, 8  # sacreBLEU's TER takes a tenth of a second for a long line
RANDOM_TEXTS = 150
SHOWN_DIFFERENCES = 20

Values = Mapping[str, Any]

# The settings under which each tool is compared: options over our defaults.
_CASES: tuple[Values, ...] = ({"lowercase": False}, {"lowercase": True})
_SMOOTHINGS: tuple[Values, ...] = tuple(
    {"smoothing": name, "effective_order": effective}
    for name in ("none", "floor", "add-k", "exp")
    for effective in (False, True)
)
SETTINGS: Mapping[tuple[str, str], tuple[Values, ...]] = {
    ("nist", "NLTK"): (
        *({"max_order": order} for order in (1, 2, 3, 5, 9)),
        {"tokenizer": "none", "lowercase": False},
        {"tokenizer": "intl", "max_order": 4},
        {"tokenizer": "char", "max_order": 4},
    ),
    ("bleu", "NLTK"): (
        *({"convention": "nltk", "max_order": order} for order in (1, 2, 4, 9)),
        {"convention": "nltk", "weights": "0.4,0.3,0.2,0.1", "tokenizer": "none"},
        *({"convention": "nltk", "smoothing": f"nltk{number}"} for number in range(1, 8)),
    ),
    ("bleu", "sacreBLEU"): (
        *_SMOOTHINGS,
        *_CASES,
        *({"tokenizer": name, "smoothing": "exp"} for name in ("intl", "zh", "char", "none")),
        {"smoothing": "floor", "smoothing_value": 0.01},
        {"smoothing": "add-k", "smoothing_value": 0.5, "max_order": 3},
    ),
    ("ter", "sacreBLEU"): (
        {},
        {"normalize": False},
        {"lowercase": False, "no_punct": True},
        {"asian": True},
        {"asian": True, "no_punct": True},
    ),
    ("ter", "jiwer"): (
        {"shifts": False, "normalize": False},
        {"shifts": False, "normalize": False, "lowercase": False},
    ),
    ("meteor", "NLTK"): (
        {"synonyms": False},
        {"synonyms": False, "stemming": False, "alpha": 0.5},
        {},
    ),
    ("chrf", "sacreBLEU"): (
        {},
        {"word_order": 2},
        {"lowercase": True, "whitespace": True},
        {"eps_smoothing": True, "beta": 3},
        {"char_order": 4, "word_order": 1},
    ),
}


@dataclass
class Tally:
    """What has been compared so far."""

    segments: int = 0
    scores: Counter[str] = field(default_factory=Counter)  # by tool
    differing: list[str] = field(default_factory=list)

    def compare(self, metric: AnyMetric, tool: str, values: Values, corpus: Corpus) -> None:
        """Score ``corpus`` on both sides, unless the tool can't or has other rules."""
        try:
            theirs = ADAPTERS[metric.slug, tool](corpus, metric.options.of(values))
        except (OtherRules, ZeroDivisionError, IndexError, AssertionError):
            return  # NLTK raises the last three where a text is too short for it
        try:
            found = differences(theirs, metric.run(corpus, values=values).result)
        except ScoringError as error:
            found = [f"refused: {error.message}"]
        self.scores[tool] += 1
        if found:
            first = corpus.segments[0]
            self.differing.append(f"{metric.slug} {tool} {dict(values)} {first}: {found}")


def pairs(slug: str) -> Iterator[Corpus]:
    """Single segments: the recorded texts of a metric, lines of the real sets, random texts."""
    for row in (
        json.loads(line) for line in (DATA / f"golden/{slug}.jsonl").open(encoding="utf-8")
    ):
        if "hyp" in row and row["refs"]:
            yield Corpus.of(row["hyp"], row["refs"])
    wanted = LINES_OF_A_SET // FEWER if slug in SLOW else LINES_OF_A_SET
    for corpus in files():
        step = max(1, len(corpus) // wanted)
        yield from (Corpus((segment,)) for segment in corpus.segments[::step])
    yield from random_texts()


def files(lines: int = LINES_OF_A_FILE) -> Iterator[Corpus]:
    """The first lines of the real sets, with all their references."""
    for path in sorted((DATA / "sets").glob("*.sys?")):
        references = [_lines(name, lines) for name in sorted(path.parent.glob(f"{path.stem}.ref*"))]
        yield Corpus.from_lines(_lines(path, lines), references)


def _lines(path: Path, number: int) -> list[str]:
    return path.read_text("utf-8").split("\n")[:number]


def random_texts() -> Iterator[Corpus]:
    """Short texts of few words, so that repeats, ties and empty orders are frequent."""
    chance = random.Random(20021)
    for _ in range(RANDOM_TEXTS):
        words = ["a", "b", "c", "d", "the", "The", "of", ",", "."][: chance.randint(2, 9)]
        yield Corpus.of(
            _text(chance, words), [_text(chance, words) for _ in range(chance.randint(1, 4))]
        )


def _text(chance: random.Random, words: list[str]) -> str:
    return " ".join(chance.choices(words, k=chance.randint(1, 14)))


def compared() -> Tally:
    """Everything compared with everything."""
    tally = Tally()
    for metric in METRICS:
        settings = {tool: cases for (slug, tool), cases in SETTINGS.items() if slug == metric.slug}
        lines = LINES_OF_A_FILE // FEWER if metric.slug in SLOW else LINES_OF_A_FILE
        texts = [*pairs(metric.slug), *files(lines)] if settings else []
        tally.segments += sum(map(len, texts))
        for tool, cases in settings.items():
            for values in cases:
                for corpus in texts:
                    # NLTK's methods 5 to 7 depend on the order of lines: for sentences only.
                    if len(corpus) > 1 and values.get("smoothing") in ("nltk5", "nltk6", "nltk7"):
                        continue
                    tally.compare(metric, tool, values, corpus)
    return tally


def record(tally: Tally) -> str:
    """What the pages quote, as JSON."""
    tools = [
        {"name": tool, "version": version(package), "scores": tally.scores[tool]}
        for tool, package in PACKAGES.items()
        if tally.scores[tool]
    ]
    day = datetime.now(UTC).date().isoformat()
    data = {"day": day, "segments": tally.segments, "tools": tools, "differing": 0}
    return json.dumps(data, indent=2) + "\n"


def main() -> int:
    """Compare, and write the record if nothing differs."""
    warnings.filterwarnings("ignore", module="nltk")
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    tally = compared()
    if tally.differing:
        shown = "\n".join(tally.differing[:SHOWN_DIFFERENCES])
        sys.stderr.write(f"{len(tally.differing):,} scores differ; nothing is written.\n{shown}\n")
        return 1
    text = record(tally)
    TARGET.write_text(text, "utf-8")
    sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
