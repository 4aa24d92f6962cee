"""Files and systems in a real browser: with JavaScript and without, to the end and stopped."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from .conftest import watched

pytestmark = pytest.mark.browser

SETS = Path(__file__).parents[1] / "data" / "sets"
PATIENCE = 120_000  # ms, on a busy machine
NARROW = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


@pytest.fixture(params=[True, False], ids=["script", "no-script"])
def visitor(request, browser: Browser):
    """A visitor's page, with JavaScript and without."""
    context = browser.new_context(java_script_enabled=request.param)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    faults = watched(page)
    yield page
    assert context.cookies() == []
    context.close()
    assert faults == []


def choose(page: Page, site, name: str, segments: int, folder: Path) -> None:
    """Open the page and choose two systems and a reference."""
    page.goto(f"{site.url}/files/")
    for part in ("sysA", "sysB", "ref"):
        lines = (SETS / f"{name}.{part}").read_text("utf-8").split("\n")[:segments]
        (folder / part).write_text("\n".join(lines) + "\n", "utf-8")
    page.get_by_label("Systems’ output").set_input_files([folder / "sysA", folder / "sysB"])
    page.get_by_label("References, a file each").set_input_files([folder / "ref"])


def test_files_are_scored_paged_opened_and_taken_away(visitor: Page, site, tmp_path) -> None:
    choose(visitor, site, "wmt22-en-de", 60, tmp_path)
    visitor.get_by_role("button", name="Score and compare").click()
    expect(visitor.locator("#result")).to_be_visible(timeout=PATIENCE)
    visitor.get_by_label("Order, by").select_option("file")
    visitor.get_by_role("region", name="Table of segments").wait_for()
    visitor.locator("#segments ~ .settings").get_by_role("button", name="Show").click()
    visitor.get_by_role("button", name="Next page").click()
    expect(visitor.locator(".segment-table caption")).to_contain_text("page 2 of 5")
    visitor.locator(".segment-table button").first.click()
    expect(visitor.locator("#working")).to_contain_text("of segment 13")
    expect(visitor.locator(".segment-table caption")).to_contain_text("page 2 of 5")
    with visitor.expect_download() as download:
        visitor.get_by_role("button", name="CSV, every segment").click()
    assert download.value.suggested_filename == "scores.csv"
    assert Path(download.value.path()).read_text("utf-8-sig").count("\n") == 121
    assert visitor.url.split("#")[0] == f"{site.url}/files/"


def test_the_bar_moves_and_the_work_can_be_stopped(tab: Page, site, tmp_path) -> None:
    choose(tab, site, "wmt22-zh-en", 1_875, tmp_path)
    tab.get_by_role("button", name="Score and compare").click()
    expect(tab.locator("#progress-words")).to_contain_text("of 18,750 scores", timeout=PATIENCE)
    tab.get_by_role("button", name="Stop").click()
    expect(tab.locator("#progress-words")).to_have_text("Stopped. Nothing was scored.")
    expect(tab.locator("#result")).to_have_count(0)
    # What was chosen is still chosen.
    assert tab.get_by_label("Systems’ output").evaluate("field => field.files.length") == 2


def test_what_is_too_large_is_said_before_it_is_sent(tab: Page, site, tmp_path) -> None:
    tab.goto(f"{site.url}/files/")
    (tmp_path / "large").write_bytes(b"x\n" * 2_500_000)
    tab.get_by_label("Systems’ output").set_input_files(tmp_path / "large")
    tab.get_by_role("button", name="Score and compare").click()
    expect(tab.locator("#progress-words")).to_contain_text("manage.py score")


def test_remedies_follow_on_each_other(visitor: Page, site, tmp_path) -> None:
    choose(visitor, site, "wmt22-en-de", 40, tmp_path)
    lines = (tmp_path / "ref").read_text("utf-8").split("\n")
    (tmp_path / "short").write_text("\n".join(lines[:20] + lines[21:]), "utf-8")
    visitor.get_by_label("References, a file each").set_input_files([tmp_path / "short"])
    visitor.get_by_role("button", name="Score and compare").click()
    visitor.get_by_role("button", name="Put the lines in their places").click()
    visitor.get_by_role("button", name="Leave these segments out").click()
    expect(visitor.locator("#result")).to_be_visible(timeout=PATIENCE)
    expect(visitor.locator(".files-held")).to_contain_text("39 segments")


@pytest.mark.parametrize("width", [320, 1280])
def test_nothing_scrolls_sideways_even_with_everything_unfolded(tab: Page, site, width) -> None:
    tab.set_viewport_size({"width": width, "height": 900})
    for address in ("/files/", "/files/?example=two-systems"):
        tab.goto(site.url + address)
        for summary in tab.locator("details > summary").all():
            summary.click()
        assert tab.evaluate(NARROW)
    tab.locator(".segment-table button").first.click()
    expect(tab.locator("#working")).to_be_focused()
    assert tab.evaluate(NARROW)
