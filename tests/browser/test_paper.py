"""What comes out on paper: every column, and every word of what was scored."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from calculators.scoring import METRICS, AnyMetric

from .server import Site
from .states import CHINESE, LONG, Texts, scored

pytestmark = pytest.mark.browser
WIDTH = 672  # px: what the margins leave of A4
every_metric = pytest.mark.parametrize("metric", METRICS, ids=[metric.slug for metric in METRICS])


def on_paper(page: Page) -> None:
    page.set_viewport_size({"width": WIDTH, "height": 950})
    page.emulate_media(media="print")


def too_broad(page: Page) -> list[str]:
    """The tables of which columns would be cut off."""
    found: list[str] = page.evaluate(
        """width => [...document.querySelectorAll("table")]
            .filter(table => table.checkVisibility())
            .filter(table => table.getBoundingClientRect().right > width + 1)
            .map(table => table.caption.textContent)""",
        WIDTH,
    )
    return found


@every_metric
@pytest.mark.parametrize("texts", [LONG, CHINESE], ids=["long", "chinese"])
def test_what_was_scored_is_printed_as_plain_text(
    site: Site, visitor: Page, metric: AnyMetric, texts: Texts
) -> None:
    visitor.goto(f"{site.url}/{metric.slug}/")
    scored(texts)(visitor)
    visitor.locator("#id_hypothesis").fill("typed since")
    expect(visitor.locator(".on-paper")).to_be_hidden()
    on_paper(visitor)
    # The browser's boxes do not break over pages, and would hold what was typed since.
    expect(visitor.locator("#calculator")).to_be_hidden()
    shown = visitor.locator(".on-paper dd").all_inner_texts()
    assert shown == [texts.hypothesis, *texts.references.split("\n")]
    assert too_broad(visitor) == []


def _gate(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/gate/?example=bundled")


def _files(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/files/?example=two-systems")
    for metric in page.locator("[name=metrics]").all():
        metric.check()
    page.get_by_role("button", name="Score again").click()
    page.locator(".files-scores th").nth(15).wait_for()


@pytest.mark.parametrize("reach", [_gate, _files], ids=["gate", "files"])
def test_no_column_of_a_broad_table_is_cut_off(
    site: Site, tab: Page, reach: Callable[[Page, Site], None]
) -> None:
    reach(tab, site)
    on_paper(tab)
    assert too_broad(tab) == []


def test_the_items_of_a_gate_are_printed_as_plain_text(site: Site, tab: Page) -> None:
    _gate(tab, site)
    items = tab.locator("#id_items").input_value()
    expect(tab.locator(".result .on-paper")).to_be_hidden()
    on_paper(tab)
    expect(tab.locator("#gate")).to_be_hidden()
    assert tab.locator(".result .on-paper").text_content() == items


def test_a_form_without_a_result_is_printed(site: Site, tab: Page) -> None:
    tab.goto(f"{site.url}/{METRICS[0].slug}/")
    on_paper(tab)
    expect(tab.locator("#id_hypothesis")).to_be_visible()
