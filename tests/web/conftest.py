"""A site with one metric, small enough to know by heart."""

import pytest

from calculators import content
from calculators.content import Example, Page
from calculators.prose import Prose
from calculators.scoring import AnyMetric, registry

from .words_metric import METRIC

PAGE = Page(
    slug=METRIC.slug,
    tagline="Counts known words",
    description="Counts known words",
    lead=Prose("Counts known words"),
    how_it_works=Prose("It counts."),
    questions=(),
    examples=(
        Example(
            slug="two-of-three",
            title="Two of three",
            hypothesis="The cat sang",
            references=("the cat sat", "a dog"),
            expect={"value": 2 / 3},
            agrees_with="hand working",
            says=Prose("Two words are known."),
            preset="twice",
            options={"bonus": 0.125, "lowercase": True},
        ),
    ),
    sources=(),
    related=(),
)


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> AnyMetric:
    """The metric, the only one there is during the test, with its page."""
    monkeypatch.setattr(registry, "METRICS", (METRIC,))
    monkeypatch.setattr(content, "page", lambda slug: {METRIC.slug: PAGE}[slug])
    return METRIC
