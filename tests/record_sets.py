"""Scores the data sets with the reference tools and writes ``data/sets/expected.json``.

Run as ``python -m tests.record_sets`` when a set or a tool's version changes. It takes the tools
some ten minutes, which is why the figures are kept and not worked out in every test run.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

from calculators.scoring import Corpus
from tests import tools

SETS = Path(__file__).parent / "data" / "sets"
EXPECTED = SETS / "expected.json"
NAMES = ("ted-sk-en-detok", "wmt22-en-de", "wmt22-en-zh", "wmt22-zh-en")


@dataclass(frozen=True)
class Call:
    """A metric under a preset and options of ours, and the tool that must give the same."""

    metric: str
    preset: str
    tool: str
    rules: dict[str, object]  # the options by name, as the adapter reads them


BLEU = {
    "max_order": 4,
    "lowercase": False,
    "smoothing_value": None,
    "weights": (),
    "auto_reweigh": False,
    "effective_order": False,
}
TER = {
    "shifts": True,
    "no_punct": False,
    "asian": False,
    "lowercase": True,
    "multi_reference": "mean-length",
    "unit": "words",
}
CHRF = {
    "char_order": 6,
    "beta": 2,
    "lowercase": False,
    "whitespace": False,
    "eps_smoothing": False,
}
METEOR = {
    "alpha": 0.9,
    "beta": 3.0,
    "gamma": 0.5,
    "tokenizer": "nist",
    "lowercase": True,
    "stemming": True,
    "synonyms": True,
}
CALLS = (
    Call(
        "bleu",
        "sacrebleu",
        "sacreBLEU",
        {**BLEU, "convention": "sacrebleu", "tokenizer": "13a", "smoothing": "exp"},
    ),
    Call(
        "bleu",
        "nltk",
        "NLTK",
        {**BLEU, "convention": "nltk", "tokenizer": "none", "smoothing": "none"},
    ),
    Call(
        "nist",
        "nltk",
        "NLTK",
        {
            "convention": "nltk",
            "unigram_base": "words",
            "max_order": 5,
            "tokenizer": "nist",
            "lowercase": True,
        },
    ),
    Call("chrf", "chrf", "sacreBLEU", {**CHRF, "word_order": 0}),
    Call("chrf", "chrf++", "sacreBLEU", {**CHRF, "word_order": 2}),
    Call("ter", "sacrebleu", "sacreBLEU", {**TER, "normalize": False}),
    Call("meteor", "nltk", "NLTK", METEOR),
)
MEANS = {"meteor"}  # NLTK has no METEOR of a file: the mean of its segments stands for it


def lines(name: str) -> list[str]:
    """The segments of a file of the sets; only LF ends a line."""
    return (SETS / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")


def runs() -> Iterator[tuple[str, tuple[str, ...]]]:
    """One system a set, with its first reference, and with both where there are two."""
    for name in NAMES:
        yield f"{name}.sysA", (f"{name}.ref",)
        if (SETS / f"{name}.refB").exists():
            yield f"{name}.sysA", (f"{name}.ref", f"{name}.refB")


def record() -> None:
    """Write the tools' scores."""
    rows = []
    for hypothesis, references in runs():
        corpus = Corpus.from_lines(lines(hypothesis), [lines(name) for name in references])
        for call in CALLS:
            value = _value(call, corpus)
            rows.append(
                {
                    "hypothesis": hypothesis,
                    "references": references,
                    "metric": call.metric,
                    "preset": call.preset,
                    "tool": f"{call.tool} {version(call.tool.lower())}",
                    "value": value,
                }
            )
    text = ",\n".join(json.dumps(row) for row in rows)
    EXPECTED.write_text(f"[\n{text}\n]\n", encoding="utf-8")


def _value(call: Call, corpus: Corpus) -> float:
    adapter, rules = tools.ADAPTERS[call.metric, call.tool], SimpleNamespace(**call.rules)
    if call.metric not in MEANS:
        return float(adapter(corpus, rules)["value"])
    alone = [Corpus((segment,)) for segment in corpus.segments]
    return math.fsum(adapter(one, rules)["value"] for one in alone) / len(alone)


if __name__ == "__main__":
    record()
