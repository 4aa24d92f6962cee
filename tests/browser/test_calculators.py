"""The calculators from the first word to the last, with JavaScript and without."""

from __future__ import annotations

import csv
import json
import re
from hashlib import sha256
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from calculators import content
from calculators.scoring import METRICS, AnyMetric, Corpus
from calculators.scoring.explain import Inspector, MarkedText, Player

from .conftest import watched
from .server import Site

pytestmark = pytest.mark.browser

HYPOTHESIS, REFERENCE = "on mat the cat sat", "the cat is on the mat"
OTHER = "a cat sat on the mat"
every_metric = pytest.mark.parametrize("metric", METRICS, ids=[metric.slug for metric in METRICS])


def fill(page: Page, address: str, references: str = REFERENCE) -> None:
    page.goto(address)
    page.locator("#id_hypothesis").fill(HYPOTHESIS)
    page.locator("#id_references").fill(references)


def score(page: Page) -> None:
    """Score, and wait until the answer stands there."""
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.get_by_role("button", name="Score", exact=True).click()
    page.locator("#outcome:not([aria-busy])").wait_for(state="attached")


def saved(page: Page, button: str) -> tuple[str, str]:
    """The name and the text of the file that a button gives."""
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    return download.value.suggested_filename, download.value.path().read_text("utf-8")


def receipt(page: Page) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(saved(page, "Receipt as JSON")[1])
    return data


def hash_of(text: str) -> str:
    return sha256(text.encode()).hexdigest()


@every_metric
def test_a_text_is_scored_corrected_and_cleared(
    site: Site, visitor: Page, metric: AnyMetric
) -> None:
    fill(visitor, f"{site.url}/{metric.slug}/", "")
    score(visitor)
    expect(visitor.locator(".error-summary")).to_be_visible()
    assert visitor.title().startswith("Error:")
    expect(visitor.locator("#id_hypothesis")).to_have_value(HYPOTHESIS)
    visitor.locator("#id_references").fill(REFERENCE)
    score(visitor)
    expect(visitor.locator("#result")).to_contain_text(f"{metric.name} is ")
    expect(visitor.locator(".error-summary")).to_have_count(0)
    expect(visitor.locator("#id_references")).to_have_value(REFERENCE)
    assert HYPOTHESIS.split()[0] not in visitor.url.split("#")[0]
    visitor.get_by_role("link", name="Clear").click()
    expect(visitor.locator("#id_hypothesis")).to_have_value("")
    expect(visitor.locator("#result")).to_have_count(0)


@every_metric
def test_an_example_is_loaded_scored_and_taken_away(
    site: Site, visitor: Page, metric: AnyMetric
) -> None:
    example = content.page(metric.slug).examples[0]
    visitor.goto(f"{site.url}/{metric.slug}/")
    visitor.locator(".examples .chip").first.click()
    expect(visitor.locator("#id_hypothesis")).to_have_value(example.hypothesis)
    expect(visitor.locator("#result")).to_be_visible()
    signature = visitor.locator("#signature").inner_text()
    data = receipt(visitor)
    # The example's figures are those of the tool or the paper that it names.
    assert data["score"] == pytest.approx(example.expect["value"], abs=1e-9)
    assert data["signature"] == signature
    inputs = [example.hypothesis, *example.references]
    assert [given["sha256"] for given in data["inputs"]] == [hash_of(text) for text in inputs]
    name, text = saved(visitor, "Receipt as CSV")
    assert name == f"{metric.slug}-receipt.csv"
    rows = list(csv.DictReader(text.splitlines()))
    figures = {row["name"]: row["value"] for row in rows if row["part"] == "receipt"}
    assert float(figures["score"]) == data["score"]
    assert figures["signature"] == signature
    hashes = [row["value"] for row in rows if row["part"] == "input SHA-256"]
    assert hashes == [hash_of(text) for text in inputs]


@every_metric
def test_a_preset_and_an_option_on_top_of_it_hold(
    site: Site, visitor: Page, metric: AnyMetric
) -> None:
    fill(visitor, f"{site.url}/{metric.slug}/")
    preset = metric.presets[-1]
    visitor.get_by_role("radio", name=preset.label, exact=True).check()
    score(visitor)
    wanted = metric.options(**preset.options)
    assert receipt(visitor)["options"] == wanted.written()
    flag = next(spec.name for spec in metric.options.specs() if spec.kind == "flag")
    visitor.locator("#options > summary").click()
    visitor.locator(f"[name={flag}][type=checkbox]").click()
    score(visitor)
    changed = {flag: not getattr(wanted, flag)}
    assert receipt(visitor)["options"] == wanted.written() | changed
    expect(visitor.locator("#options-summary")).to_contain_text(preset.label)


@every_metric
def test_several_references_count_each_line(site: Site, visitor: Page, metric: AnyMetric) -> None:
    fill(visitor, f"{site.url}/{metric.slug}/", f"{REFERENCE}\n{OTHER}\n")
    score(visitor)
    assert "refs:2" in visitor.locator("#signature").inner_text()
    inputs = {given["name"]: given["sha256"] for given in receipt(visitor)["inputs"]}
    assert inputs == {
        "Hypothesis": hash_of(HYPOTHESIS),
        "Reference 1": hash_of(REFERENCE),
        "Reference 2": hash_of(OTHER),
    }


ODD = "  on\u2028mat “the” <cat> &amp; sat\n\ton 'it'=\u00a0x  "


@every_metric
def test_downloads_are_of_what_was_scored_though_the_form_was_changed(
    site: Site, visitor: Page, metric: AnyMetric
) -> None:
    fill(visitor, f"{site.url}/{metric.slug}/", f"{REFERENCE}\n\n{ODD.splitlines()[-1]}")
    visitor.locator("#id_hypothesis").fill(ODD)
    visitor.get_by_role("radio", name=metric.presets[-1].label, exact=True).check()
    score(visitor)
    shown = receipt(visitor)
    assert [given["sha256"] for given in shown["inputs"]] == [
        hash_of(text) for text in (ODD, REFERENCE, "", ODD.splitlines()[-1])
    ]
    visitor.evaluate("document.querySelectorAll('.recipe').forEach(part => (part.open = true))")
    program = visitor.locator("#recipe-1").text_content()
    visitor.locator("#id_hypothesis").fill("something else")
    visitor.locator("#id_references").fill("now")
    visitor.get_by_role("radio", name=metric.presets[0].label, exact=True).check()
    later = receipt(visitor)
    assert shown | {"made": ""} == later | {"made": ""}
    assert visitor.locator("#signature").inner_text() == later["signature"]
    with visitor.expect_download() as download:
        visitor.get_by_role("button", name="Download").first.click()
    assert download.value.path().read_text("utf-8") == program
    expect(visitor.locator("#id_hypothesis")).to_have_value("something else")


@every_metric
def test_nothing_that_is_hidden_shows(site: Site, visitor: Page, metric: AnyMetric) -> None:
    fill(visitor, f"{site.url}/{metric.slug}/")
    score(visitor)
    visitor.evaluate("document.querySelectorAll('details').forEach(part => (part.open = true))")
    hidden = "[...document.querySelectorAll('[hidden]')]"
    assert visitor.evaluate(f"{hidden}.filter(part => part.checkVisibility()).length") == 0


@every_metric
@pytest.mark.parametrize("width", [360, 768])
def test_no_order_of_n_grams_breaks_in_a_narrow_table(
    site: Site, tab: Page, metric: AnyMetric, width: int
) -> None:
    tab.set_viewport_size({"width": width, "height": 900})
    fill(tab, f"{site.url}/{metric.slug}/")
    score(tab)
    broken = tab.evaluate(
        """() => [...document.querySelectorAll(".data tbody th, .bars tbody th")].filter(head => {
            const range = document.createRange();
            range.selectNodeContents(head);
            return new Set([...range.getClientRects()].map(line => line.top)).size > 1;
        }).map(head => head.textContent)"""
    )
    assert [name for name in broken if re.match(r"\d+(-gram|\s(character|word))", name)] == []
    assert tab.evaluate("document.documentElement.scrollWidth") <= width


@every_metric
def test_whatever_is_folded_in_the_result_opens(
    site: Site, visitor: Page, metric: AnyMetric
) -> None:
    fill(visitor, f"{site.url}/{metric.slug}/")
    score(visitor)
    folded = visitor.locator("#outcome details")
    assert folded.count() > 3
    for part in folded.all():
        part.locator("> summary").click()
        expect(part.locator("> :not(summary)").first).to_be_visible()


def test_one_comes_from_home_to_a_tool_and_on_to_its_relations(site: Site, visitor: Page) -> None:
    visitor.goto(site.url)
    visitor.locator("main").get_by_role("link", name=METRICS[0].name, exact=True).first.click()
    expect(visitor).to_have_url(re.compile(f"/{METRICS[0].slug}/$"))
    for related in content.page(METRICS[0].slug).related:
        visitor.goto(f"{site.url}/{METRICS[0].slug}/")
        visitor.locator(".related").locator(f"a[href='/{related.slug}/']").click()
        expect(visitor.locator("#id_hypothesis")).to_be_visible()
        expect(visitor).to_have_url(re.compile(f"/{related.slug}/$"))
    visitor.get_by_role("link", name="mtcalc, home").click()
    expect(visitor).to_have_url(f"{site.url}/")


@every_metric
def test_words_and_references_are_counted_while_one_types(
    site: Site, tab: Page, metric: AnyMetric
) -> None:
    fill(tab, f"{site.url}/{metric.slug}/", f"{REFERENCE}\n{OTHER}\n\n")
    expect(tab.locator("#id_hypothesis-count")).to_contain_text("5 words · 18 of")
    expect(tab.locator("#id_references-count")).to_contain_text("2 references · 12 words · 44 of")


@every_metric
def test_a_text_over_the_limit_is_kept_and_said_to_be_too_long(
    site: Site, visitor: Page, metric: AnyMetric
) -> None:
    fill(visitor, f"{site.url}/{metric.slug}/")
    long = "x" * (metric.max_characters + 1)
    visitor.locator("#id_hypothesis").fill(long)
    score(visitor)
    limit = f"{metric.max_characters + 1:,} of {metric.max_characters:,} characters"
    expect(visitor.locator("#id_hypothesis-error")).to_contain_text(limit)
    assert visitor.locator("#id_hypothesis").input_value() == long


def metric_with(*kinds: type) -> AnyMetric:
    """The first metric whose working of a pair has sections of these kinds."""
    for metric in METRICS:
        run = metric.run(Corpus.of(HYPOTHESIS, [REFERENCE]))
        shown = {type(section) for section in (*run.sections, *run.detail(0))}
        if set(kinds) <= shown:
            return metric
    raise AssertionError("There is no such metric.")


def test_the_player_goes_from_edit_to_edit_by_buttons_and_keys(site: Site, tab: Page) -> None:
    fill(tab, f"{site.url}/{metric_with(Player).slug}/")
    score(tab)
    shown = tab.locator(".player .state:visible")
    expect(shown).to_have_count(1)
    expect(shown).to_contain_text("The hypothesis, prepared.")
    tab.get_by_role("button", name="Next").click()
    expect(tab.locator(".player-place")).to_contain_text("1 of ")
    tab.keyboard.press("End")
    words = shown.locator(".state-text").inner_text().split()
    assert [word for word in words if word in REFERENCE.split()] == REFERENCE.split()
    tab.keyboard.press("Home")
    tab.keyboard.press("ArrowLeft")
    expect(tab.locator(".player-place")).to_contain_text("0 of ")
    tab.get_by_role("button", name="Show all").click()
    assert shown.count() > 2


def test_without_a_script_all_steps_stand_there_as_a_list(site: Site, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    fill(page, f"{site.url}/{metric_with(Player).slug}/")
    score(page)
    assert page.locator(".player .state:visible").count() > 2
    expect(page.get_by_role("button", name="Next")).to_have_count(0)
    context.close()


def test_the_steps_of_a_text_from_the_right_read_from_the_right(site: Site, tab: Page) -> None:
    tab.goto(f"{site.url}/{metric_with(Player).slug}/")
    tab.locator("#id_hypothesis").fill("إلى المدرسة ذهب الولد")
    tab.locator("#id_references").fill("ذهب الولد إلى المدرسة")
    score(tab)
    text = tab.locator(".player .state:visible .state-text")
    expect(text).to_have_attribute("dir", "rtl")
    first, last = (text.locator("bdi bdi").nth(place).bounding_box() for place in (0, -1))
    assert first is not None
    assert last is not None
    assert first["x"] > last["x"]


def test_an_ngram_lights_up_its_words_in_both_texts(site: Site, tab: Page) -> None:
    fill(tab, f"{site.url}/{metric_with(Inspector, MarkedText).slug}/")
    score(tab)
    row = tab.locator(".inspector tbody tr").filter(has_text="the cat").first
    row.hover()
    assert tab.locator(".marked-text .lit bdi").all_inner_texts() == ["the", "cat"]
    assert tab.locator(".beside-text .lit").all_inner_texts() == ["the", "cat"]
    tab.mouse.move(0, 0)
    expect(tab.locator(".lit")).to_have_count(0)
    tab.locator(".inspector tbody tr").first.focus()
    tab.keyboard.press("ArrowDown")
    expect(tab.locator(".inspector tbody tr").nth(1)).to_be_focused()
    assert tab.locator(".marked-text .lit").count() > 0


def test_the_inspector_shows_one_order_or_what_did_not_match(site: Site, visitor: Page) -> None:
    fill(visitor, f"{site.url}/{metric_with(Inspector, MarkedText).slug}/")
    score(visitor)
    inspector = visitor.locator(".inspector").first
    rows = inspector.locator("tbody tr:visible")
    everything = rows.count()
    inspector.get_by_role("radio", name="2", exact=True).check()
    # "on mat the cat sat" has four pairs of words, of which "the cat" alone is in the reference.
    expect(rows).to_have_count(4)
    inspector.get_by_role("radio", name="matched", exact=True).check()
    assert rows.locator("th").all_inner_texts() == ["the cat"]
    inspector.get_by_role("radio", name="not matched", exact=True).check()
    expect(rows).to_have_count(3)
    for choice in inspector.get_by_role("radio", name="all", exact=True).all():
        choice.check()
    expect(rows).to_have_count(everything)


def test_copy_buttons_copy_what_stands_beside_them(site: Site, browser: Browser) -> None:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    faults = watched(page)
    fill(page, f"{site.url}/{METRICS[0].slug}/")
    score(page)
    page.evaluate("document.querySelectorAll('details').forEach(part => (part.open = true))")
    buttons = page.locator("button[data-copy]").all()
    assert len(buttons) > 3
    for button in buttons:
        button.click()
        expect(button).to_contain_text("Copied")
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied == button.locator("xpath=preceding-sibling::*[1]").text_content()
    context.close()
    assert faults == []
