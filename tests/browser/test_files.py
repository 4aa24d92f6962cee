"""Files and systems in a real browser: with JavaScript and without, to the end and stopped."""

from __future__ import annotations

import csv
import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook
from playwright.sync_api import Page, expect
from sacrebleu.metrics import BLEU

pytestmark = pytest.mark.browser

SETS = Path(__file__).parents[1] / "data" / "sets"
PATIENCE = 120_000  # ms, on a busy machine
NARROW = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


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
    sent: list[int] = []
    tab.on("request", lambda request: sent.append(len(request.post_data_buffer or b"")))
    tab.get_by_role("button", name="Score and compare").click()
    summary = tab.locator(".error-summary")
    expect(summary).to_be_focused()
    expect(summary).to_be_in_viewport()
    expect(summary).to_contain_text("The files have 5.0 MB together; up to 3.9 MB are read at once")
    assert max(sent) < 10_000
    assert tab.title().startswith("Error: ")
    expect(tab.locator("#progress")).to_be_hidden()
    expect(tab.get_by_label("Systems’ output")).to_have_attribute("aria-invalid", "true")
    assert tab.get_by_label("Systems’ output").evaluate("field => field.files.length") == 1


def marks(page: Page) -> list[tuple[str, str]]:
    """Every field in error and what stands beside it."""
    fields = [str(each.get_attribute("id")) for each in page.locator("[aria-invalid]").all()]
    told = [page.locator(f"#{field}-error").text_content() or "" for field in fields]
    return [(field, " ".join(text.split())) for field, text in zip(fields, told, strict=True)]


def test_fields_in_error_are_marked_where_the_page_holds_nothing_yet(visitor: Page, site) -> None:
    visitor.goto(f"{site.url}/files/")
    visitor.get_by_label("Resamples").fill("7")
    visitor.get_by_role("button", name="Score and compare").click()
    expect(visitor.locator(".error-summary")).to_be_visible()
    told = "Error: Choose files or paste text: at least one system's output and one reference."
    wrong = "Error: Resamples must be a whole number from 100 to 10,000."
    assert marks(visitor) == [("id_systems", told), ("id_resamples", wrong)]
    visitor.get_by_label("Resamples").fill("700")
    visitor.get_by_role("button", name="Score and compare").click()
    expect(visitor.locator("#id_resamples[aria-invalid]")).to_have_count(0)
    assert marks(visitor) == [("id_systems", told)]


CHANGED = "Changed since it was scored."


def test_what_was_changed_is_told_and_waits_until_it_is_scored(
    visitor: Page, site, tmp_path
) -> None:
    visitor.goto(f"{site.url}/files/?example=two-systems")
    before = json.loads(saved(visitor, "JSON").read_text("utf-8"))
    hint = visitor.locator("#changed")
    expect(hint).to_have_text("")
    visitor.get_by_label("With the words").fill("the")
    expect(hint).to_have_text("")
    visitor.get_by_label("Seed").fill("7")
    visitor.get_by_label("NLTK").first.uncheck()
    assert json.loads(saved(visitor, "JSON").read_text("utf-8")) == before
    visitor.locator("#segments ~ .settings").get_by_role("button", name="Show").click()
    expect(visitor.locator(".segment-table caption")).to_contain_text(" of 48 rows")
    expect(hint).to_have_text(CHANGED)
    expect(visitor.get_by_label("Seed")).to_have_value("7")
    assert json.loads(saved(visitor, "JSON").read_text("utf-8")) == before
    visitor.get_by_role("button", name="Score again").click()
    expect(visitor.locator("#result ~ .files-scores caption")).to_contain_text("seed 7")
    expect(hint).to_have_text("")
    after = json.loads(saved(visitor, "JSON").read_text("utf-8"))
    assert after["comparison"]["seed"] == 7
    assert len(after["metrics"]) == len(before["metrics"]) - 1


def test_a_change_is_told_at_once_and_a_file_chosen_since_waits(tab: Page, site, tmp_path) -> None:
    tab.goto(f"{site.url}/files/?example=two-systems")
    tab.get_by_label("Resamples").fill("200")
    expect(tab.locator("#changed")).to_have_text(CHANGED)
    (tmp_path / "new").write_text("a new system\n", "utf-8")
    tab.get_by_label("With the words").press("Enter")
    expect(tab.locator("#segments")).to_be_focused()
    expect(tab.locator("#result ~ .files-scores caption")).to_contain_text("from 1,000 resamples")
    tab.get_by_text("Choose other files").click()
    tab.get_by_label("Systems’ output").set_input_files(tmp_path / "new")
    assert "system A" in saved(tab, "CSV").read_text("utf-8-sig")
    tab.locator(".segment-table button").first.click()
    expect(tab.locator("#working")).to_be_focused()
    expect(tab.locator("#changed")).to_have_text(CHANGED)
    assert tab.get_by_label("Systems’ output").evaluate("field => field.files.length") == 1
    expect(tab.get_by_label("Systems’ output")).to_be_visible()


def saved(page: Page, button: str) -> Path:
    """The file that a button gives."""
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    return Path(download.value.path())


def test_from_faulty_files_to_a_table_in_the_paper(visitor: Page, site, tmp_path) -> None:
    choose(visitor, site, "wmt22-en-de", 40, tmp_path)
    texts = {name: (tmp_path / name).read_text("utf-8").split("\n")[:40] for name in FILES}
    (tmp_path / "short").write_text("\n".join(texts["ref"][:20] + texts["ref"][21:]), "utf-8")
    visitor.get_by_label("References, a file each").set_input_files([tmp_path / "short"])
    visitor.get_by_role("button", name="Score and compare").click()
    visitor.get_by_role("button", name="Put the lines in their places").click()
    visitor.get_by_role("button", name="Leave these segments out").click()
    expect(visitor.locator("#result")).to_be_visible(timeout=PATIENCE)
    expect(visitor.locator(".files-held")).to_contain_text("39 segments")
    kept = {name: text[:20] + text[21:] for name, text in texts.items()}
    assert_scores(json.loads(saved(visitor, "JSON").read_text("utf-8")), kept)
    table = list(csv.DictReader(saved(visitor, "CSV").read_text("utf-8-sig").splitlines()))
    assert [row["hypothesis"] for row in table if row["system"] == "sysA"] == kept["sysA"]
    book = load_workbook(BytesIO(saved(visitor, "Excel").read_bytes()))
    assert book.sheetnames == ["Systems", "Comparisons", "Segments", "Settings"]
    assert len(list(book["Segments"].rows)) == 1 + 2 * 39
    latex = saved(visitor, "LaTeX").read_text("utf-8")
    assert r"\begin{tabular}" in latex
    assert f"{100 * bleu(kept, 'sysA'):.2f}" in latex
    search_and_open(visitor, kept)


FILES = ("sysA", "sysB", "ref")
WORD = "ich"


def bleu(texts: dict[str, list[str]], system: str) -> float:
    """sacreBLEU's own score of a system."""
    return float(BLEU().corpus_score(texts[system], [texts["ref"]]).score) / 100


def assert_scores(data: dict[str, Any], texts: dict[str, list[str]]) -> None:
    """The BLEU of the file is sacreBLEU's."""
    found = {
        entry["system"]: entry["score"] for entry in data["systems"] if entry["metric"] == "bleu"
    }
    wanted = {system: bleu(texts, system) for system in ("sysA", "sysB")}
    assert found == pytest.approx(wanted, abs=1e-9)


def search_and_open(page: Page, texts: dict[str, list[str]]) -> None:
    """Filter the table by a word and a system, order it, and open a row."""
    page.get_by_label("With the words").fill(WORD)
    page.get_by_label("System", exact=True).select_option(label="sysB")
    page.get_by_label("Order, by").select_option(label="best first")
    page.locator("#segments ~ .settings").get_by_role("button", name="Show").click()
    with_it = [
        number
        for number, lines in enumerate(zip(texts["sysB"], texts["ref"], strict=True), 1)
        if any(WORD in line.lower() for line in lines)
    ]
    assert len(with_it) > 3
    expect(page.locator(".segment-table caption")).to_contain_text(f"{len(with_it)} of 78 rows")
    numbers = page.locator(".segment-table tbody th").all_inner_texts()
    assert sorted(int(text.split()[0]) for text in numbers) == with_it
    scores = page.locator(".segment-table tbody td:nth-child(3)").all_inner_texts()
    figures = [float(text.split()[0]) for text in scores]
    assert figures == sorted(figures, reverse=True)
    page.locator(".segment-table button").first.click()
    expect(page.locator("#working")).to_contain_text(f"of segment {int(numbers[0].split()[0])}")
    expect(page.locator("#working ~ .example-texts dd").first).to_have_text(
        texts["sysB"][int(numbers[0].split()[0]) - 1]
    )


def test_text_without_spaces_is_told_and_split_by_one_click(visitor: Page, site, tmp_path) -> None:
    choose(visitor, site, "wmt22-en-zh", 60, tmp_path)
    visitor.get_by_role("button", name="Score and compare").click()
    expect(visitor.locator("#result")).to_be_visible(timeout=PATIENCE)
    group = visitor.get_by_role("group", name="Text without spaces between words")
    expect(group.get_by_role("radio", name="as each preset splits it")).to_be_checked()
    expect(visitor.locator(".verdict", has_text="compare whole phrases here")).to_be_visible()
    # The link leads to the choice.
    visitor.get_by_role("link", name="Choose how the text is split").click()
    expect(group).to_be_in_viewport()
    visitor.get_by_role("button", name="Split the text as Chinese").click()
    expect(visitor.get_by_text("Text without spaces is split as Chinese")).to_be_visible(
        timeout=PATIENCE
    )
    expect(group.get_by_role("radio", name="as Chinese")).to_be_checked()
    expect(visitor.locator(".finding")).to_have_count(0)
    texts = {name: (tmp_path / name).read_text("utf-8").split("\n")[:60] for name in FILES}
    shown = visitor.get_by_role("region", name="Scores").locator("tbody tr").first
    theirs = BLEU(tokenize="zh").corpus_score(texts["sysA"], [texts["ref"]]).score
    expect(shown).to_contain_text(f"{theirs:.2f}")


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
