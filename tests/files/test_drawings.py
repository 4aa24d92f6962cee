"""Groups by length, histograms and verdicts, by hand."""

from __future__ import annotations

import pytest

from calculators.files.charts import (
    BINS,
    HEIGHT,
    LengthGroup,
    by_length,
    histogram,
    length_chart,
    median_of,
)
from calculators.files.choices import chosen
from calculators.files.comparison import Comparison, Pair, Settings
from calculators.files.defused import LONGEST_CELL, cell_text, defused
from calculators.files.model import Material, ReferenceSet, System
from calculators.files.sheet import Sheet
from calculators.files.verdict import verdicts
from calculators.scoring import Scale

FRACTION = Scale(0.0, 1.0, higher_is_better=True, digits=2)
UNBOUNDED = Scale(0.0, None, higher_is_better=False, digits=2, multiplier=100)


def test_groups_are_of_one_size_and_never_part_equal_lengths() -> None:
    groups = by_length(list(range(60)))
    assert [len(group.indexes) for group in groups] == [10] * 6
    assert [(group.shortest, group.longest) for group in groups][:2] == [(0, 9), (10, 19)]
    assert [group.indexes for group in by_length([5] * 8)] == [tuple(range(8))]
    assert sorted(i for group in by_length([3, 1, 2, 1, 3, 9, 9]) for i in group.indexes) == [
        *range(7)
    ]


def test_every_score_is_in_one_bin() -> None:
    scores = [0.0, 0.049, 0.05, 0.5, 1.0, None]
    chart = histogram(["a"], [scores], FRACTION)
    assert chart is not None
    counts = [each.counts[0] for each in chart.bins]
    assert len(counts) == BINS
    assert (counts[0], counts[1], counts[10], counts[-1]) == (2, 1, 1, 1)
    assert sum(counts) == 5


def test_a_wild_score_stands_in_the_last_bin() -> None:
    chart = histogram(["a"], [[0.2] * 99 + [40.0]], UNBOUNDED)
    assert chart is not None
    assert chart.high == 0.2
    assert chart.bins[-1].counts == (100,)


def test_nothing_is_drawn_of_nothing() -> None:
    assert histogram(["a"], [[None]], FRACTION) is None
    assert length_chart(["a"], [], FRACTION) is None


def test_the_median_is_the_middle() -> None:
    assert median_of([3, 1, 2]) == 2
    assert median_of([4, 1, 2, 3]) == 2.5
    assert median_of([]) is None


KEYS = ["ter:sacrebleu", "bleu:sacrebleu", "chrf:chrf"]


def verdict_on(*differences: tuple[float, float]):
    """The verdict on two systems from a difference and a corrected p a metric (TER first)."""
    material = Material((System("A", ("x",)), System("B", ("x",))), (ReferenceSet("R", ("x",)),))
    sheet = Sheet(material, chosen(KEYS), {})
    pairs = tuple(
        Pair(choice.key, 0, 1, difference, p_value, p_value)
        for choice, (difference, p_value) in zip(sheet.choices, differences, strict=False)
    )
    (verdict,) = verdicts(sheet, Comparison(Settings(), (), pairs))
    return verdict


def test_the_system_that_every_metric_prefers_is_better() -> None:
    verdict = verdict_on((-0.02, 0.01), (0.01, 0.01), (0.01, 0.04))
    assert (verdict.kind, verdict.winner, verdict.loser) == ("clear", "B", "A")
    assert verdict_on((0.02, 0.01), (-0.01, 0.01), (-0.01, 0.04)).winner == "A"


def test_metrics_that_do_not_tell_are_named_beside_those_that_do() -> None:
    verdict = verdict_on((-0.02, 0.3), (-0.01, 0.01), (0.01, 0.06))
    assert (verdict.kind, verdict.winner) == ("partly", "A")
    assert (verdict.better, verdict.others) == (("BLEU",), ("TER", "chrF"))


def test_metrics_that_contradict_each_other_give_no_winner() -> None:
    verdict = verdict_on((-0.02, 0.01), (-0.01, 0.01), (-0.01, 0.01))
    assert (verdict.kind, verdict.winner) == ("divided", "")
    # Of the second system against the first.
    assert (verdict.better, verdict.against) == (("TER",), ("BLEU", "chrF"))


def test_what_may_be_chance_gives_no_winner() -> None:
    assert verdict_on((-0.02, 0.05), (0.01, 0.2), (0.01, 0.9)).kind == "open"
    assert verdict_on((0.0, 1.0), (0.0, 1.0), (0.0, 1.0)).kind == "same"


def test_only_what_a_spreadsheet_would_calculate_is_quoted() -> None:
    for trigger in "=+-@\t\r":
        assert defused(f"{trigger}1") == f"'{trigger}1"
    assert defused("1 + 1 = 2") == "1 + 1 = 2"
    assert defused("") == ""
    assert cell_text("a\x00b") == "a\ufffdb"
    assert len(cell_text("=" * 40_000)) == LONGEST_CELL


@pytest.mark.parametrize("values", [(0.01, 0.99), (0.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
@pytest.mark.parametrize("scale", [FRACTION, UNBOUNDED])
def test_an_axis_ends_where_the_metric_does(values: tuple[float, float], scale: Scale) -> None:
    groups = [LengthGroup(1, 1, (0,), (values[0],)), LengthGroup(2, 2, (1,), (values[1],))]
    chart = length_chart(["a"], groups, scale)
    assert chart is not None
    assert chart.low >= 0.0
    assert chart.low < chart.high
    assert scale.highest is None or chart.high <= scale.highest
    assert all(-1e-9 <= point.y <= HEIGHT + 1e-9 for point in chart.lines[0].points)
