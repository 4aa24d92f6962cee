"""Texts at the caps that make a metric work the hardest, through the page and the API."""

from __future__ import annotations

import random
import resource
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

from django.conf import settings
from django.http import HttpResponse
from django.test import RequestFactory

from calculators.api import score
from calculators.reading import MOST_REFERENCES, option_value
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
SECONDS, GRACE = settings.MTCALC_TEXT_SECONDS, 0.9
SETS = Path(__file__).parents[1] / "data" / "sets"
REQUESTS = RequestFactory(headers={"host": "localhost"})


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


def real_texts(most: int) -> Iterator[tuple[str, str, str]]:
    """A name, a system's output and its reference, each as long as a text may be."""
    for name in ("wmt22-en-de", "wmt22-zh-en", "wmt22-en-zh", "ted-sk-en-detok"):
        output, reference = (
            " ".join((SETS / f"{name}.{side}").read_text("utf-8").split("\n"))[:most]
            for side in ("sysA", "ref")
        )
        yield name, output, reference


@dataclass(frozen=True, slots=True)
class Answer:
    """How one request was answered."""

    text: str  # its name
    seconds: float  # of the processor
    is_refused: bool


def by_page(metric: AnyMetric, text: tuple[str, str, str], options: dict[str, str]) -> Answer:
    """The page that answers."""
    name, hypothesis, references = text
    fields = {"hypothesis": hypothesis, "references": references, **options}
    request = REQUESTS.post(f"/{metric.slug}/", fields)
    return _answered(name, lambda: calculator(request, metric.slug))


def by_api(metric: AnyMetric, text: tuple[str, str, str], options: dict[str, str]) -> Answer:
    """The answer of the API, which takes the same texts; its options have types of their own."""
    name, hypothesis, references = text
    specs = {spec.name: spec for spec in metric.options.specs()}
    typed = {option: option_value(specs[option], value) for option, value in options.items()}
    body = {"hypothesis": hypothesis, "references": references.split("\n"), "options": typed}
    path = f"/api/v1/{metric.slug}/score"
    request = REQUESTS.post(path, body, content_type="application/json")
    return _answered(name, lambda: score(request, slug=metric.slug))


def _answered(name: str, answer: Callable[[], HttpResponse]) -> Answer:
    started = time.thread_time()
    response = answer()
    spent = time.thread_time() - started
    assert response.status_code in (200, 400)
    return Answer(name, spent, response.status_code == 400)


def figures() -> Iterator[Figure]:
    """The longest answer of each metric, what nearly all keep to, and what was refused."""
    everything: list[Answer] = []
    real: list[Answer] = []
    for metric in METRICS:
        options = metric.options().written()
        harder = {n: v for more in HARDER for n, v in more.items() if n in options}
        answers = [
            by(metric, text, chosen)
            for text in texts(metric.max_characters)
            for by, chosen in ((by_page, {}), (by_page, harder), (by_api, harder))
        ]
        real += [by_page(metric, text, {}) for text in real_texts(metric.max_characters)]
        longest = max(answers, key=attrgetter("seconds"))
        what = f"{metric.name}, the longest: {longest.text}"
        yield Figure(what, longest.seconds, SECONDS + GRACE, "s CPU")
        everything += answers
    refused = sum(answer.is_refused for answer in everything)
    what = f"all {len(everything)}, {refused} of them refused, p99"
    yield Figure(what, percentile([answer.seconds for answer in everything], 99), 2, "s CPU")
    yield Figure("real texts as long, p99", percentile([a.seconds for a in real], 99), 2, "s CPU")
    yield Figure(f"of those {len(real)}, refused", sum(answer.is_refused for answer in real), 0)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield Figure("memory at its peak", peak, 1_000, "MB")
