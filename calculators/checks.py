"""System checks: the registry, the pages' words and the worked examples agree.

Every worked example is executed. A figure that is not what the page says is an error, with which
``manage.py check`` fails and nothing is served.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from django.core.checks import CheckMessage, Error, register

from .content import Content, ContentError, Example, Expected, Page, content
from .scoring import METRICS, AnyMetric, Corpus, ScoringError

# The figures are written to full precision; what remains is the last bits of another order of
# summing.
TOLERANCE = 1e-9


@register()
def words_and_figures(**_: object) -> list[CheckMessage]:
    """What is wrong with the content that ships with the program."""
    try:
        return [Error(fault, id="calculators.E002") for fault in faults(content(), METRICS)]
    except ContentError as error:
        return [Error(str(error), id="calculators.E001")]


def faults(words: Content, metrics: Sequence[AnyMetric]) -> Iterator[str]:
    """Every disagreement between ``words`` and ``metrics``, a sentence each."""
    known = {metric.slug: metric for metric in metrics}
    for slug in known.keys() - words.pages.keys():
        yield f"The metric {slug} has no content file {slug}.toml."
    for slug, page in words.pages.items():
        if slug not in known:
            yield f"{slug}.toml: there is no metric {slug}."
            continue
        yield from _page_faults(page, known.keys())
        for example in page.examples:
            for fault in example_faults(known[slug], example):
                yield f"{slug}.toml: examples {example.slug}: {fault}"


def _page_faults(page: Page, slugs: Iterable[str]) -> Iterator[str]:
    for related in page.related:
        if related.slug not in slugs or related.slug == page.slug:
            yield f"{page.slug}.toml: related {related.slug} is not another metric."
    named = {
        "examples": [example.slug for example in page.examples],
        "questions": [question.slug for question in page.questions],
    }
    for key, names in named.items():
        for name in (name for name, times in Counter(names).items() if times > 1):
            yield f"{page.slug}.toml: {key} {name} stands there more than once."


def example_faults(metric: AnyMetric, example: Example) -> Iterator[str]:
    """How ``metric`` disagrees with the figures of ``example``."""
    try:
        corpus = Corpus.of(example.hypothesis, example.references)
        result = metric.run(corpus, preset=example.preset, values=example.options).result
    except ScoringError as error:
        yield f"the metric refuses it: {error.message}"
        return
    for factor, expected in example.expect.items():
        if not hasattr(result, factor):
            yield f"the result has no factor {factor}."
        elif not agrees(expected, getattr(result, factor)):
            yield f"{factor} is {getattr(result, factor)!r}, the page says {expected!r}."


def agrees(expected: Expected, found: object) -> bool:
    """Whether a computed figure is the written one."""
    if isinstance(expected, tuple):
        return (
            isinstance(found, tuple)
            and len(found) == len(expected)
            and all(map(agrees, expected, found))
        )
    if isinstance(expected, bool | str) or isinstance(found, bool | str):
        return type(expected) is type(found) and expected == found
    if not isinstance(found, int | float):
        return False
    return math.isclose(expected, found, rel_tol=TOLERANCE, abs_tol=0.0)
