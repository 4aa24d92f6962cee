"""Texts at the caps that make a metric work the hardest, through the page that shows the answer."""

from __future__ import annotations

import random
import resource
import time
from collections.abc import Iterator

from django.test import RequestFactory

from calculators.reading import MOST_REFERENCES
from calculators.scoring import METRICS, AnyMetric
from calculators.views import calculator

from .figures import Figure, percentile

LETTERS = "abcdefghijklmnopqrstuvwxyz"
# Options with which there is more to do than with the defaults; each goes to the metrics it fits.
HARDER = (
    {"max_order": "9", "tokenizer": "char"},
    {"asian": "on", "unit": "characters"},
    {"char_order": "10", "word_order": "4"},
)
# A look at the clock comes between two pieces of work, and rendering after them.
SECONDS, GRACE = 5.0, 0.5


def texts(most: int) -> Iterator[tuple[str, str, str]]:
    """A name, a hypothesis and references, each of up to ``most`` characters."""
    drawn = random.Random(1)
    half = most // 2
    ideographs = [chr(0x4E00 + number) for number in range(min(half, 20_000))]
    words = [f"{number:x}" for number in range(most // 5)]
    one, other = drawn.choices(LETTERS, k=half), drawn.choices(LETTERS, k=half)

    def joined(parts: list[str], separator: str = " ") -> str:
        return separator.join(parts)[:most]

    def shuffled(parts: list[str]) -> list[str]:
        return drawn.sample(parts, len(parts))

    yield "one word repeated", joined(["a"] * half), joined(["a"] * (half - 7))
    yield "a b a b", joined(["a", "b"] * half), joined(["b", "a"] * (half - 3))
    yield "a permutation of short words", joined(ideographs), joined(shuffled(ideographs))
    yield "a permutation of long words", joined(words), joined(shuffled(words))
    yield "letters at random", joined(one), joined(other)
    yield "rotated", joined([*LETTERS] * half), joined([*LETTERS[13:], *LETTERS * half])
    yield "one giant token", "x" * most, "x" * (most - 1) + "y"
    yield "combining marks", "e\u0301" * half, "é" * most
    yield "one letter under marks", "a" + "\u0301" * (most - 1), "a" + "\u0301" * (most - 2)
    yield "CJK", joined(drawn.choices(ideographs, k=most), ""), joined(ideographs, "")
    yield "full stops and commas", "." * most, ".," * half
    yield "digits and points", "1." * half, "1," * half
    yield "references of one word", joined(one), "\n".join(other[:MOST_REFERENCES])
    longer = most // MOST_REFERENCES // 2
    rows = [" ".join(drawn.choices(LETTERS, k=longer)) for _ in range(MOST_REFERENCES)]
    yield "as many references as are taken", joined(one), joined(rows, "\n")
    stems = [f"{word}ing" for word in words], [f"{word}ed" for word in words]
    yield "words with endings", joined(stems[0]), joined(stems[1])
    near = [["big", "large", "cat", "dog"], ["large", "big", "dog", "true"]]
    yield "words of like meaning", joined(near[0] * half), joined(near[1] * half)
    yield "empty references", joined(one), "\n" * (MOST_REFERENCES - 2) + "a"
    yield "a thousand references", joined(one), "\n".join(other)


def seconds(metric: AnyMetric, fields: dict[str, str]) -> float:
    """The processor's time for the page that answers."""
    request = RequestFactory(headers={"host": "localhost"}).post(f"/{metric.slug}/", fields)
    started = time.thread_time()
    response = calculator(request, metric.slug)
    spent = time.thread_time() - started
    assert response.status_code in (200, 400)
    return spent


def figures() -> Iterator[Figure]:
    """The longest answer of each metric, and what nearly all keep to with the defaults."""
    usual = []
    for metric in METRICS:
        options = metric.options().written()
        harder = {n: v for more in HARDER for n, v in more.items() if n in options}
        longest, name = 0.0, ""
        for called, hypothesis, references in texts(metric.max_characters):
            fields = {"hypothesis": hypothesis, "references": references}
            usual.append(seconds(metric, fields))
            spent = max(usual[-1], seconds(metric, fields | harder))
            longest, name = max((longest, name), (spent, called))
        what = f"{metric.name}, the longest: {name}"
        yield Figure(what, longest, SECONDS + GRACE, "s CPU")
    yield Figure("all metrics, p99 with the defaults", percentile(usual, 99), 2, "s CPU")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield Figure("memory at its peak", peak, 1_000, "MB")
