"""The gate in a real browser, with JavaScript and without: a file in, a report out."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Page, expect

from calculators.scoring import METRICS

from .server import Site

pytestmark = pytest.mark.browser

SOURCE = "the cat sat on the mat"
ITEMS = [
    {"id": "near", "source_text": SOURCE, "generated_output": "the cat sat on the rug"},
    {"id": "قط", "source_text": SOURCE, "generated_output": "Some other words stand here."},
]
# Of the orders 1 to 4, one added to both: 6/7, 5/6, 4/5, 3/4; as long as the source.
NEAR = 0.2 + 0.8 * (6 / 7 * 5 / 6 * 4 / 5 * 3 / 4) ** 0.25
# No match: 1/6, 1/5, 1/4, 1/3; five words against six.
FAR = 0.2 + 0.8 * math.exp(1 - 6 / 5) * (1 / 6 / 5 / 4 / 3) ** 0.25


def choose(page: Page, site: Site) -> None:
    """Open the page and choose a file with the items."""
    page.goto(f"{site.url}/gate/")
    data = json.dumps(ITEMS).encode()
    page.get_by_label("Or a file").set_input_files(
        FilePayload(name="items.json", mimeType="application/json", buffer=data)
    )


def test_a_file_is_judged_opened_and_reported(site: Site, visitor: Page) -> None:
    choose(visitor, site)
    visitor.get_by_role("button", name="Run the gate").click()
    expect(visitor.locator("#result")).to_have_text("1 of 2 items passed")
    rows = visitor.locator(".gate-table tbody tr")
    expect(rows.nth(0)).to_contain_text(f"{NEAR:.4f}")
    expect(rows.nth(1)).to_contain_text(f"{FAR:.4f}")
    visitor.get_by_role("button", name="Working of قط").click()
    expect(visitor.locator("#working")).to_have_text("The working of قط")
    with visitor.expect_download() as saved:
        visitor.get_by_role("button", name="Download report.json").click()
    assert saved.value.suggested_filename == "report.json"
    report = json.loads(Path(saved.value.path()).read_text("utf-8"))
    assert report["summary"] == {"items": 2, "passed": 1, "failed": 1}
    assert [(item["id"], item["verdict"]) for item in report["items"]] == [
        ("near", "PASS"),
        ("قط", "FAIL"),
    ]
    assert [item["overall"] for item in report["items"]] == pytest.approx([NEAR, FAR], abs=1e-12)
    assert SOURCE not in saved.value.path().read_text("utf-8")


def test_another_threshold_lets_more_pass(site: Site, visitor: Page) -> None:
    choose(visitor, site)
    visitor.get_by_label("Threshold").fill("0.35")
    visitor.get_by_role("button", name="Run the gate").click()
    expect(visitor.locator("#result")).to_have_text("2 of 2 items passed")
    visitor.get_by_label("Threshold").fill("much")
    visitor.get_by_role("button", name="Run the gate").click()
    expect(visitor.locator(".error-summary")).to_be_visible()
    expect(visitor.get_by_label("Threshold")).to_have_value("much")
    assert json.loads(visitor.locator("#id_items").input_value()) == ITEMS


def test_an_item_goes_on_to_a_calculator(site: Site, visitor: Page) -> None:
    visitor.goto(f"{site.url}/gate/")
    visitor.get_by_role("link", name="six bundled cases").click()
    expect(visitor.locator("#result")).to_contain_text("of 6 items passed")
    visitor.get_by_role("button", name="Working of").first.click()
    output = visitor.locator("#working ~ .example-texts dd").last.inner_text()
    visitor.get_by_role("button", name="calculator").click()
    expect(visitor.locator("#result")).to_be_visible()
    assert visitor.url.split("#")[0].strip("/").split("/")[-1] in {m.slug for m in METRICS}
    expect(visitor.locator("#id_hypothesis")).to_have_value(output)
