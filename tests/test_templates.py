"""What the templates and style sheets promise, whatever the metric."""

from __future__ import annotations

import gzip
import re
from html import unescape
from pathlib import Path
from typing import get_args

import pytest
from django.template.loader import get_template, render_to_string
from django.test import Client

from calculators import content
from calculators.scoring import METRICS, Section
from calculators.scoring import explain as e
from calculators.templatetags.show import section_template
from tests.outline import assert_sound

ROOT = Path(__file__).parent.parent
HOSTILE = "<script>alert(1)</script>"

SAMPLES = (
    e.Verdict(("One word, ", e.Quote(HOSTILE), ", is missing.")),
    e.Tiles((e.Tile("Edits", 2, "count", note="of all kinds"), e.Tile("Words", (HOSTILE,)))),
    e.Gauge("in the band called fair", 0.4, (e.Band(0.5, "fair", "warn"), e.Band(1, "", "bad"))),
    e.Check("edits", "the matrix", 2, "the alignment", 2),
    e.Derivation("The working", (e.Step("TER", "edits ÷ words", "2 ÷ 6", 1 / 3, "percent"),)),
    e.Table(
        "By reference",
        "Edits to each",
        (e.Column("Words", "tokens"), e.Column("Edits", "count", help="of all kinds")),
        (((HOSTILE, "b"), 2), (("c",), None)),
        marked_row=1,
        mark="best",
        omitted=1200,
    ),
    e.Inspector(
        "N-grams",
        "Every one",
        (e.Column("N-gram", "tokens"), e.Column("Count", "count")),
        (e.InspectorRow(1, True, ((HOSTILE,), 1)), e.InspectorRow(2, False, (("a", "b"), 1))),
    ),
    e.MarkedText(
        "Matched",
        "By order",
        (e.MarkedToken(HOSTILE, 2), e.MarkedToken("b", 0)),
        references=(("a", HOSTILE), ("b",)),
    ),
    e.Alignment(
        "The edits",
        "Word by word",
        (
            e.Edit("=", HOSTILE, HOSTILE, shifted=True),
            e.Edit("S", "a", "b"),
            e.Edit("I", None, "c"),
            e.Edit("D", "d", None),
        ),
    ),
    e.Shifts("The shifts", "In order", (e.Shift((HOSTILE, "b"), ("b", HOSTILE), 0, 1, 1, 2, 0),)),
    e.Player(
        "Step by step",
        "In order",
        (
            e.State("", ("As it was.",), ("b", HOSTILE)),
            e.State("Sh", ("Move ", e.Quote("b"), "."), (HOSTILE, "b"), 1, 1),
            e.State("D", ("Take out ", e.Quote(HOSTILE), "."), ("b",), 0, 0, (HOSTILE,)),
        ),
    ),
    e.Links("The links", "By stage", (HOSTILE, "b"), ("b",), (e.Link(1, 0, "exact", 1),)),
    e.Bars("By order", "Precisions", (e.Bar("1-grams", 0.5, 1.0, "percent"),)),
)


# Sections


def test_every_kind_of_section_has_a_template_and_a_sample_here():
    kinds = {section.kind for section in get_args(Section)}
    assert {sample.kind for sample in SAMPLES} == kinds
    for kind in kinds:
        get_template(f"sections/{kind}.html")


def rendered(section: Section) -> str:
    return render_to_string(section_template(section), {"section": section, "number": 1})


@pytest.mark.parametrize("section", SAMPLES, ids=lambda section: section.kind)
def test_a_section_renders_and_escapes_the_words_of_the_user(section):
    html = rendered(section)
    assert "<script" not in html
    if HOSTILE in str(section):
        assert "&lt;script&gt;" in html


@pytest.mark.parametrize("section", SAMPLES, ids=lambda section: section.kind)
def test_the_words_of_the_user_stand_isolated_in_their_own_direction(section):
    html = rendered(section).replace("\n", "")
    for place in re.finditer("&lt;script", html):
        before = html[: place.start()]
        tile = section.kind == "tiles"  # holds numbers, whatever a metric puts there
        assert tile or re.search('<bdi( class="quote")? dir="auto">$', before)


def test_a_check_that_does_not_agree_is_not_shown():
    check = e.Check("edits", "the matrix", 2, "the alignment", 3)
    assert "Cross-checked" not in rendered(check)


def test_an_edit_is_told_by_its_letter_and_in_words_and_not_by_colour_alone():
    html = rendered(next(sample for sample in SAMPLES if isinstance(sample, e.Alignment)))
    rows = re.findall(r'<tr class="edit.*?</tr>', html)
    letters = [("Sh", "match, moved"), ("S", "substitution"), ("I", "insertion"), ("D", "deletion")]
    for row, (letter, word) in zip(rows, letters, strict=True):
        assert f'aria-hidden="true">{letter}<' in row
        assert f'visually-hidden">{word}' in row


def test_text_that_reads_from_the_right_is_aligned_from_the_right():
    html = rendered(e.Alignment("", "", (e.Edit("=", "قطة", "قطة"),)))
    assert '<tbody dir="rtl">' in html


# Whole pages


def pages() -> dict[str, str]:
    """Every page in every state, by a name for the test."""
    client = Client()
    found = {path: client.get(path) for path in ("/", "/about/", "/privacy/", "/api/", "/nowhere/")}
    for metric in METRICS:
        path = f"/{metric.slug}/"
        found[path] = client.get(path)
        for example in content.page(metric.slug).examples[:3]:
            found[path + example.slug] = client.get(path, {"example": example.slug})
        found[path + "error"] = client.post(path, {"hypothesis": "some text", "references": ""})
    return {name: response.content.decode() for name, response in found.items()}


@pytest.fixture(scope="module")
def all_pages(django_db_setup, django_db_blocker) -> dict[str, str]:
    with django_db_blocker.unblock():
        return pages()


def test_the_outline_of_every_page_is_sound(all_pages):
    for name, html in all_pages.items():
        assert_sound(html, name)


def test_an_error_is_told_in_the_title_at_the_top_and_at_its_field(all_pages):
    for name in [name for name in all_pages if name.endswith("/error")]:
        html = all_pages[name]
        assert "<title>Error:" in html
        assert '<a href="#id_references">' in html
        box = re.search(r'<textarea id="id_references".*?>', html, re.S)[0]
        assert 'aria-invalid="true"' in box
        assert "some text</textarea>" in html


@pytest.mark.django_db
def test_a_result_is_told_in_the_title_and_in_the_heading_that_the_form_posts_to():
    for metric in METRICS:
        example = content.page(metric.slug).examples[0]
        html = Client().get(f"/{metric.slug}/", {"example": example.slug}).content.decode()
        score = re.search(r"<title>(.*?) " + metric.name, html)[1]
        assert f'<h2 id="result" tabindex="-1">{metric.name} is {score}</h2>' in html
        assert f'action="/{metric.slug}/#result"' in html


def test_a_page_weighs_less_than_60_kb_compressed(all_pages):
    files = [*(ROOT / "static/css").glob("*.css"), *(ROOT / "static/js").glob("*.js")]
    around = sum(len(gzip.compress(path.read_bytes())) for path in files)
    for name, html in all_pages.items():
        assert around + len(gzip.compress(html.encode())) < 60_000, name


@pytest.mark.parametrize("status", [400, 403, 404, 413, 429, 500, 503])
def test_an_error_page_needs_no_context_and_no_database(status):
    html = render_to_string(f"{status}.html")
    assert "<title>Error:" in html
    assert 'href="/"' in html


@pytest.mark.django_db
def test_the_request_shown_for_a_program_gives_the_score_shown():
    for metric in METRICS:
        for example in content.page(metric.slug).examples:
            html = Client().get(f"/{metric.slug}/", {"example": example.slug}).content.decode()
            body = unescape(re.search(r'<code id="api-body">(.*?)</code>', html, re.S)[1])
            answer = Client().post(
                f"/api/v1/{metric.slug}/score", body, content_type="application/json"
            )
            expected = example.expect["value"]
            assert answer.json()["score"] == pytest.approx(expected, abs=1e-9), example.slug


@pytest.mark.django_db
def test_a_text_that_begins_with_an_empty_line_keeps_it():
    # Browsers drop one line end right behind <textarea>, so the template puts one of its own there.
    for metric in METRICS:
        sent = {"hypothesis": "\r\nthe cat", "references": "the cat"}
        html = Client().post(f"/{metric.slug}/", sent).content.decode()
        assert re.search(r'<textarea id="id_hypothesis"[^>]*>\n\r?\nthe cat</textarea>', html)


# The source


def sources() -> list[Path]:
    folders = {"templates": "*.html", "static": "*.js", "calculators": "*.py"}
    return [path for folder, name in folders.items() for path in (ROOT / folder).rglob(name)]


def test_nothing_in_the_source_prints_html_unescaped():
    forbidden = re.compile(
        r"\|\s*safe\b|mark_safe|SafeString|autoescape off|autoescape=False|innerHTML|\beval\("
    )
    assert [path for path in sources() if forbidden.search(path.read_text("utf-8"))] == []


def test_no_template_holds_a_style_or_a_script_of_its_own():
    data = r"type=.application/ld.json.>\{\{ linked_data"  # a block of data, which nothing runs
    forbidden = re.compile(
        rf"<style|\sstyle\s*=|\son[a-z]+\s*=|javascript:|<script(?! src| {data})"
    )
    templates = (ROOT / "templates").rglob("*.html")
    assert [path for path in templates if forbidden.search(path.read_text("utf-8"))] == []


def test_no_template_and_no_script_names_a_metric():
    slugs = "|".join(metric.slug for metric in METRICS)
    named = re.compile(rf"[\"'/]({slugs})[\"'/]")
    files = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "static").rglob("*.[jc]s*")]
    assert [path for path in files if named.search(path.read_text("utf-8"))] == []


# Colours


def colours(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", block))


def luminance(colour: str) -> float:
    """WCAG 2.2, relative luminance."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """WCAG 2.2, contrast ratio."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


LIGHT, DARK = (ROOT / "static/css/tokens.css").read_text("utf-8").split("@media", 1)
THEMES = [colours(LIGHT), colours(LIGHT) | colours(DARK)]
GROUNDS = ("paper", "card", "wash", "field")
TEXT_PAIRS = [
    *((ink, ground) for ink in ("ink", "muted", "accent", "accent-strong") for ground in GROUNDS),
    *((ink, "paper") for ink in ("good", "bad", "substitution", "shift")),
    *((ink, "bad-soft") for ink in ("ink", "bad")),
    *((name, f"{name}-soft") for name in ("substitution", "insertion", "deletion", "shift")),
    *((ink, "accent-soft") for ink in ("ink", "accent", "accent-strong")),
    ("accent-ink", "accent"),
    ("accent-ink", "accent-strong"),
]
SHAPE_PAIRS = [
    *((name, ground) for name in ("edge", "accent") for ground in ("paper", "card", "field")),
    ("deletion", "paper"),
]


@pytest.mark.parametrize("theme", THEMES, ids=["light", "dark"])
def test_every_ink_has_a_contrast_of_4_5_on_its_ground(theme):
    poor = [pair for pair in TEXT_PAIRS if contrast(theme[pair[0]], theme[pair[1]]) < 4.5]
    assert poor == []


@pytest.mark.parametrize("theme", THEMES, ids=["light", "dark"])
def test_the_edges_of_controls_have_a_contrast_of_3(theme):
    poor = [pair for pair in SHAPE_PAIRS if contrast(theme[pair[0]], theme[pair[1]]) < 3]
    assert poor == []


def test_dark_mode_redefines_no_colour_that_light_mode_lacks():
    assert colours(DARK).keys() <= colours(LIGHT).keys()
