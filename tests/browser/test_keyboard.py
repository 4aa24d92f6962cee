"""Whole journeys by the keyboard alone; test_states.py looks whether the focus can be seen."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Locator, Page, expect

from calculators.scoring import METRICS

from .server import Site

pytestmark = pytest.mark.browser

TOOL = METRICS[0].slug
MOST_STOPS = 120


def tab_to(page: Page, target: Locator) -> None:
    """Press the Tab key until the target has the focus."""
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if target.evaluate("part => part === document.activeElement"):
            return
    raise AssertionError(f"The Tab key does not come to {target}.")


def test_a_text_is_scored_and_its_working_read(site: Site, tab: Page) -> None:
    tab.goto(f"{site.url}/{TOOL}/")
    tab.keyboard.press("Tab")
    expect(tab.get_by_role("link", name="Skip to the content")).to_be_focused()
    tab.keyboard.press("Enter")
    tab.keyboard.press("Tab")
    expect(tab.locator("#id_hypothesis")).to_be_focused()
    tab.keyboard.type("the cat sat on the rug")
    tab.keyboard.press("Tab")
    expect(tab.locator("#id_references")).to_be_focused()
    tab.keyboard.type("the cat sat on the mat")
    tab.keyboard.press("Control+Enter")
    expect(tab.locator("#result")).to_be_focused()
    expect(tab.locator("#result")).to_contain_text(" is ")
    receipt = tab.locator("details.recipe").first
    tab_to(tab, receipt.locator("summary"))
    tab.keyboard.press("Enter")
    expect(receipt.locator("#receipt")).to_be_visible()
    button = tab.get_by_role("button", name="Receipt as JSON")
    tab_to(tab, button)
    with tab.expect_download() as saved:
        tab.keyboard.press("Space")
    assert json.loads(saved.value.path().read_text("utf-8"))["metric"] == TOOL


def test_presets_and_options_are_chosen(site: Site, tab: Page) -> None:
    tab.goto(f"{site.url}/{TOOL}/")
    presets = tab.locator(".presets input[type=radio]")
    tab_to(tab, tab.locator(".presets input[type=radio]:checked"))
    before = tab.locator("#options-summary").inner_text()
    tab.keyboard.press("ArrowRight")
    assert presets.count() > 1
    expect(tab.locator("#options-summary")).not_to_have_text(before)
    tab_to(tab, tab.locator("#options > summary"))
    tab.keyboard.press("Space")
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.closest('#options') !== null")


def test_an_error_takes_the_focus_and_leads_to_its_field(site: Site, tab: Page) -> None:
    tab.goto(f"{site.url}/{TOOL}/")
    tab.locator("#id_hypothesis").fill("kept")
    tab.locator("#id_hypothesis").press("Control+Enter")
    expect(tab.locator(".error-summary")).to_be_focused()
    assert tab.title().startswith("Error:")
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    expect(tab.locator("#id_references")).to_be_focused()
    expect(tab.locator("#id_hypothesis")).to_have_value("kept")


def test_the_gate_is_run_and_an_item_opened(site: Site, tab: Page) -> None:
    tab.goto(f"{site.url}/gate/")
    tab_to(tab, tab.locator("#id_items"))
    tab.keyboard.type('{"id": "a", "source_text": "one two", "generated_output": "one two"}')
    tab_to(tab, tab.get_by_role("button", name="Run the gate"))
    tab.keyboard.press("Enter")
    expect(tab.locator("#result")).to_contain_text("1 of 1 item passed")
    tab_to(tab, tab.get_by_role("button", name="Working of a"))
    tab.keyboard.press("Enter")
    expect(tab.locator("#working")).to_be_visible()


def test_pasted_files_are_scored_and_a_segment_opened(site: Site, tab: Page) -> None:
    tab.goto(f"{site.url}/files/")
    summary = tab.locator("summary").filter(has_text="Paste text instead")
    tab_to(tab, summary)
    tab.keyboard.press("Enter")
    for name in ("a", "b", "reference"):
        tab.keyboard.press("Tab")
        assert tab.evaluate("document.activeElement.tagName") == "TEXTAREA", name
        tab.keyboard.type("the cat sat\non the mat")
    tab_to(tab, tab.get_by_role("button", name="Score and compare"))
    tab.keyboard.press("Enter")
    expect(tab.locator("#result")).to_be_focused(timeout=60_000)
    tab_to(tab, tab.locator(".segment-table button").first)
    tab.keyboard.press("Enter")
    expect(tab.locator("#working")).to_be_focused(timeout=60_000)
