"""What the formatting filters promise. Expected texts are worked out by hand."""

import re
from dataclasses import replace

import pytest
from django.template.loader import render_to_string

from calculators import drawings
from calculators.scoring import Elsewhere, Scale
from calculators.scoring.explain import (
    Alignment,
    Band,
    Bar,
    Bars,
    Column,
    Edit,
    Gauge,
    Inspector,
    InspectorRow,
    Link,
    Links,
    MarkedText,
    MarkedToken,
    Shift,
    Step,
    Table,
    Tile,
)
from calculators.templatetags import rows, show

PERCENT = Scale(0, None, higher_is_better=False, digits=2, multiplier=100, unit="%")
BITS = Scale(0, None, higher_is_better=True, digits=4)
HUNDREDTHS = Scale(0, 1, higher_is_better=True, digits=2, multiplier=100)


@pytest.mark.parametrize(
    ("value", "digits", "shown"),
    [
        (1.8208020839342967, 4, "1.8208"),
        (1234.5, 1, "1,234.5"),
        (0.0, 4, "0.0000"),
        (-0.0, 4, "0.0000"),
        (-4.2161736, 4, "−4.2162"),
        (float("inf"), 2, "inf"),
    ],
)
def test_a_number_is_rounded_with_its_thousands_apart(value, digits, shown):
    assert show.number(value, digits) == shown


def test_a_number_that_is_not_zero_is_never_shown_as_zero():
    assert show.number(0.0000231, 4) == "2.3\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10⁻⁵"
    assert show.number(-0.0000231, 4).startswith("−2.3")
    assert show.number(2.2250738585072014e-308, 4).endswith("10⁻³⁰⁸")


def test_a_fraction_is_shown_in_per_cent_behind_a_space_that_does_not_break():
    assert show.percent(1 / 3) == "33.33\N{NO-BREAK SPACE}%"
    assert show.percent(12.5) == "1,250.00\N{NO-BREAK SPACE}%"


def test_a_whole_number_has_no_digits_after_the_point_and_a_mean_has_two():
    assert show.thousands(50_000) == "50,000"
    assert show.thousands(6.0) == "6"
    assert show.thousands(6.3333) == "6.33"


@pytest.mark.parametrize(
    ("value", "scale", "shown"),
    [
        (1 / 3, PERCENT, "33.33\N{NO-BREAK SPACE}%"),
        (1.8208020839342967, BITS, "1.8208"),
        (0.27301, HUNDREDTHS, "27.30"),
        (None, BITS, "–"),
    ],
)
def test_a_score_is_shown_on_the_scale_of_its_metric(value, scale, shown):
    assert show.score(value, scale) == shown


def test_a_score_stands_without_its_unit_where_the_unit_is_set_smaller():
    assert show.bare_score(1 / 3, PERCENT) == "33.33"


@pytest.mark.parametrize(
    ("item", "shown"),
    [
        (Tile("Edits", 2, "count"), "2"),
        (Tile("Rating", "fair", "text"), "fair"),
        (Tile("Ratio", None), "–"),
        (Step("TER", "", "", 1 / 3, "percent"), "33.33\N{NO-BREAK SPACE}%"),
        (Bar("Order 1", 0.12345, 1.0, digits=2), "0.12"),
    ],
)
def test_a_figure_is_shown_as_its_own_kind_says(item, shown):
    assert show.figure(item) == shown


def test_a_cell_is_shown_as_the_column_above_it_says():
    columns = (Column("N-gram", "tokens"), Column("Count", "count"), Column("Share", "percent"))
    table = Table("", "", columns, ((("the", "<b>"), 1200, None),))
    assert rows.table_rows(table) == (
        '<tr><th scope="row"><bdi dir="ltr"><bdi dir="auto">the</bdi>'
        ' <bdi dir="auto">&lt;b&gt;</bdi></bdi></th>'
        '<td class="figure">1,200</td><td class="figure">–</td></tr>'
    )


def test_words_of_ours_are_escaped_too():
    table = Table("", "", (Column("Name"),), (("a < b",), ("&",)), marked_row=1, mark="<")
    for escaped in ("a &lt; b", "&amp;", "&lt;</span>"):
        assert escaped in rows.table_rows(table)
    inspected = Inspector("", "", (Column("Name"),), (InspectorRow(1, True, ("a < b",)),))
    assert "a &lt; b" in rows.inspector_rows(inspected)


def test_the_number_that_names_a_row_stays_on_the_line_of_its_unit():
    kept = "2\N{NO-BREAK SPACE}characters"
    table = Table("", "", (Column("n-grams of"),), (("2 characters",), ("at 2 at most",)))
    assert f">{kept}</th>" in rows.table_rows(table)
    bars = Bars("", "", (Bar("2 characters", 0.5, 1.0, "percent"),))
    assert f">{kept}</th>" in render_to_string("sections/bars.html", {"section": bars})
    assert show.kept_together("2 1 a 13a b") == "2 1\N{NO-BREAK SPACE}a 13a b"


def test_a_marked_row_carries_its_mark_beside_its_name():
    table = Table("", "", (Column("Name"),), (("a",), ("b",)), marked_row=1, mark="best")
    assert rows.table_rows(table) == (
        '<tr><th scope="row">a</th></tr>\n'
        '<tr class="marked"><th scope="row">b <span class="mark">best</span></th></tr>'
    )


@pytest.mark.parametrize(("value", "width"), [(1, "25.0"), (9, "100.0"), (-1, "0.0")])
def test_a_number_with_a_full_bar_has_one_beside_it_that_never_overflows(value, width):
    table = Table("", "", (Column("Name"), Column("Gain", "count", full=4)), (("a", value),))
    assert f'<rect class="bar-fill" width="{width}"' in rows.table_rows(table)


def test_a_row_of_the_inspector_has_the_classes_that_its_filters_choose_by():
    shown = (InspectorRow(1, True, (("a",),)), InspectorRow(2, False, (("a", "b"),)))
    html = rows.inspector_rows(Inspector("", "", (Column("N-gram", "tokens"),), shown))
    assert re.findall('<tr class="(.*?)">', html) == ["order-1 matched", "order-2 unmatched"]


def test_a_row_that_does_not_fit_its_columns_is_a_bug():
    with pytest.raises(ValueError):
        rows.table_rows(Table("", "", (Column("One"),), ((1, 2),)))


@pytest.mark.parametrize(
    ("gap", "scale", "words"),
    [
        (0.0, PERCENT, "the same"),
        (1e-12, BITS, "the same"),
        (0.0833, PERCENT, "8.33 points higher"),
        (-0.5, BITS, "0.5000 lower"),
        (0.02, HUNDREDTHS, "2.00 higher"),
    ],
)
def test_a_difference_is_told_in_words(gap, scale, words):
    assert show.difference(gap, scale) == words


def test_a_tool_that_gives_no_number_is_told_apart_from_one_that_gives_another():
    row = show._beside(Elsewhere("NLTK", None, "It stops."), 0.5, BITS)
    assert (row.value, row.difference, row.differs) == ("–", "no number", True)
    assert not show._beside(Elsewhere("NLTK", 0.5, ""), 0.5, BITS).differs


def test_a_number_that_stands_for_zero_is_shown_as_the_zero_that_it_equals():
    row = show._beside(Elsewhere("NLTK", 8.2e-155, ""), 0.0, BITS)
    assert (row.value, row.difference) == ("0.0000", "the same")


@pytest.mark.parametrize(
    ("words", "direction"),
    [
        (("the", "cat"), "ltr"),
        (("جلست", "القطة"), "rtl"),
        (("חתול",), "rtl"),
        (("3.14", "(", "قطة"), "rtl"),
        (("42", "!"), "ltr"),
        ((), "ltr"),
    ],
)
def test_a_text_reads_the_way_of_its_first_letter(words, direction):
    assert show.text_direction(words) == direction


def test_every_section_of_words_knows_which_way_it_reads():
    shift = Shift(("قطة", "على"), ("على", "قطة"), 1, 1, 0, 2, 0)
    assert show.direction(MarkedText("", "", (MarkedToken("قطة", 1),))) == "rtl"
    assert show.direction(Alignment("", "", (Edit("I", None, "قطة"),))) == "rtl"
    assert show.direction(shift) == "rtl"


def test_a_shift_is_cut_at_its_block_before_and_after():
    shift = Shift(("a", "b", "c", "d"), ("c", "d", "a", "b"), 2, 2, 0, 4, 0)
    assert show.cut_before(shift) == show.Pieces(("a", "b"), ("c", "d"), ())
    assert show.cut_after(shift) == show.Pieces((), ("c", "d"), ("a", "b"))
    assert show.moved(shift) == "2 words earlier"
    assert show.moved(replace(shift, start=0, target=1)) == "1 word later"


GAUGE = Gauge(
    "40 per cent is fair",
    0.4,
    (Band(0.1, "excellent", "good"), Band(0.5, "fair", "warn"), Band(1.0, "heavy", "bad")),
)


def test_the_bands_of_a_gauge_fill_its_width_in_proportion():
    drawing = show.drawn(GAUGE)
    assert [band.x for band in drawing.bands] == [0.0, 32.0, 160.0]
    assert [tick.text for tick in drawing.ticks] == ["0", "10", "50"]
    assert drawing.pointer == 128.0


def test_a_band_too_narrow_for_its_label_has_it_on_a_line_of_its_own():
    drawing = show.drawn(GAUGE)
    assert [band.has_room for band in drawing.bands] == [False, True, True]
    svg = render_to_string("sections/gauge.html", {"section": GAUGE})
    assert re.findall(r'<text[^>]* y="(\d+)">([a-z]+)</text>', svg) == [
        ("45", "excellent"),
        ("31", "fair"),
        ("31", "heavy"),
    ]
    top, height = re.findall(r'viewBox="0 (\d+) 320 (\d+)"', svg)[0]
    assert int(top) == 0
    assert int(height) > 45


def test_a_label_below_ends_with_the_gauge():
    narrow = replace(GAUGE, bands=(Band(0.95, "most", "good"), Band(1.0, "excellent", "bad")))
    last = show.drawn(narrow).bands[-1]
    assert last.label_x + len("excellent") * drawings.LETTER_WIDTH == pytest.approx(320)


def test_switches_and_orders_in_a_sentence_stay_whole():
    told = show.hyphens_kept("Without -N, or (-s); well-known 3-4, 1-grams.")
    assert told == "Without -\u2060N, or (-\u2060s); well-known 3-4, 1-\u2060grams."


@pytest.mark.parametrize(("value", "pointer"), [(7.5, 320.0), (-1.0, 0.0)])
def test_the_pointer_of_a_gauge_stops_at_the_end(value, pointer):
    assert show.drawn(replace(GAUGE, value=value)).pointer == pointer


@pytest.mark.parametrize(
    ("value", "of", "filled"), [(1, 4, 25.0), (9, 4, 100.0), (0, 0, 0.0), (-1, 4, 0.0)]
)
def test_a_bar_never_overflows(value, of, filled):
    assert show.share(Bar("", value, of)) == filled


def test_linked_words_know_their_partner_and_the_others_have_none():
    links = Links("", "", ("a", "b"), ("x", "b"), (Link(1, 1, "exact", 1),))
    drawing = show.joined(links)
    assert drawing.hypothesis[0].stage == ""
    assert (drawing.hypothesis[1].stage, drawing.hypothesis[1].partner) == ("exact", 2)
    assert drawing.lines == (drawings.Line(1.5, 1.5, "exact"),)
    assert drawing.rows == 2
