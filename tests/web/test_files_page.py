"""The page for files and systems: what it takes, shows and carries."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client, override_settings

from calculators.files import segments as files_segments
from calculators.scoring import METRICS, Corpus, find

from .files_page import (
    BLEU,
    CHRF,
    FILES,
    NIST,
    REFERENCE,
    SETS,
    TER,
    A,
    B,
    again,
    answer_of,
    carried,
    fields,
    page_of,
    post,
    rescored,
    rows_of,
    text_of,
    upload,
)

# What it takes


def test_the_page_shows_a_form_and_no_result() -> None:
    response = Client().get(FILES)
    assert response.status_code == 200
    page = page_of(response)
    for name in ("systems", "references", "both", "system_1", "table", "metrics", "seed"):
        assert f'name="{name}"' in page
    assert 'id="result"' not in page
    assert "field-error" not in page
    assert 'aria-current="page">Files<' in page


def test_every_metric_is_offered_under_every_preset_and_the_usual_ones_are_chosen() -> None:
    page = page_of(Client().get(FILES))
    offered = re.findall(r'name="metrics" value="(.*?)"( checked)?', page)
    assert [key for key, _ in offered] == [
        f"{metric.slug}:{preset.name}" for metric in METRICS for preset in metric.presets
    ]
    chosen = [key for key, is_checked in offered if is_checked]
    assert [key.split(":")[0] for key in chosen] == [metric.slug for metric in METRICS]
    assert {BLEU, CHRF, TER} <= set(chosen)


def test_the_example_is_one_click_away_and_scored() -> None:
    response = Client().get(FILES, {"example": "two-systems"})
    assert response.status_code == 200
    assert response.headers["Cache-Control"] == "no-store"
    assert "<title>system A is better" in page_of(response)
    assert len(answer_of(response).material) == 24
    assert Client().get(FILES, {"example": "nothing"}).status_code == 404


def test_pasted_text_is_scored_as_files_are() -> None:
    sent = fields(systems=None, references=None)
    pasted = post(sent | {"system_1": A, "system_2": B, "reference_1": REFERENCE})
    assert pasted.status_code == 200
    ours, files = answer_of(pasted), answer_of(post(fields()))
    names = re.findall(r'<label for="id_(?:system|reference)_\d"><b>(.*?)</b>', page_of(pasted))
    assert (*ours.sheet.systems, ours.material.references[0].name) == tuple(names[:3])
    assert [c.standing.value for _, cells in ours.table for c in cells] == [
        c.standing.value for _, cells in files.table for c in cells
    ]
    assert "the cat sat" not in page_of(pasted).split('id="result"')[0]


def test_a_table_pasted_from_a_spreadsheet_holds_everything() -> None:
    lines = zip(REFERENCE.split("\n"), A.split("\n"), B.split("\n"), strict=True)
    table = "reference\tOne\tTwo\n" + "\n".join("\t".join(row) for row in lines if row[0])
    response = post(fields(systems=None, references=None, table=table))
    assert response.status_code == 200
    assert answer_of(response).sheet.systems == ("One", "Two")


# The numbers


@pytest.mark.parametrize("name", ["wmt22-en-de", "wmt22-en-zh"])
def test_real_output_scores_as_the_metrics_score_it(name: str) -> None:
    """The recorded numbers of the tools hold the metrics to the same files: tests/scoring."""
    data = {
        part: (SETS / f"{name}.{part}").read_bytes() for part in ("sysA", "sysB", "ref", "refB")
    }
    sent = fields(
        systems=[upload("A", data["sysA"]), upload("B", data["sysB"])],
        references=[upload("1", data["ref"]), upload("2", data["refB"])],
    )
    answer = answer_of(post(sent))
    lines = {part: text.decode().split("\n")[:-1] for part, text in data.items()}
    for choice in answer.sheet.choices:
        for system, part in enumerate(("sysA", "sysB")):
            corpus = Corpus.from_lines(lines[part], [lines["ref"], lines["refB"]])
            run = choice.metric.run(corpus, preset=choice.preset.name, of_corpus=True)
            assert answer.sheet.value(choice, system) == run.result.value
            assert answer.sheet.scores(choice, system) == list(run.segments)


def test_a_row_opens_into_the_working_that_its_file_gives_it() -> None:
    response = again(post(fields(metrics=[NIST])), opened="0.1", metric=NIST)
    opened = answer_of(response).opened
    assert opened is not None
    metric = find("nist")
    assert metric is not None
    corpus = Corpus.from_lines(B.split("\n")[:-1], [REFERENCE.split("\n")[:-1]])
    run = metric.run(corpus, preset="nltk", of_corpus=True)
    alone = metric.run(Corpus.of(*[corpus.segments[0].hypothesis, corpus.segments[0].references]))
    assert opened.sections == run.detail(0)
    # The weights come from the whole file, so that the segment by itself scores otherwise.
    assert opened.score == run.segments[0] != alone.result.value
    assert '<h2 id="working" tabindex="-1">NIST of segment 1: ' in page_of(response)


def test_another_metric_s_working_is_one_click_away() -> None:
    response = again(post(fields()), opened="0.1", metric=BLEU)
    assert f'name="working" value="0.1 {CHRF}"' in page_of(response)
    other = answer_of(again(response, working=f"0.1 {CHRF}", metric=BLEU)).opened
    assert other is not None
    assert other.choice.key == CHRF


@pytest.mark.parametrize("asked", ["", "0", "0.9", "9.0", "-1.0", "x.y", "0.0.0", "9" * 5000, "²"])
def test_a_segment_that_is_not_there_opens_nothing(asked: str) -> None:
    response = again(post(fields()), opened=asked)
    assert response.status_code == 200
    assert answer_of(response).opened is None


# The comparison


def test_the_test_can_be_chosen_with_its_resamples_and_seed() -> None:
    first = post(fields(method="randomisation", resamples="200", seed="7"))
    comparison = answer_of(first).comparison
    assert (comparison.settings.method, comparison.settings.resamples) == ("randomisation", 200)
    assert comparison.settings.seed == 7
    assert "seed 7" in text_of(first)
    assert "approximate randomisation" in text_of(first)
    other = answer_of(rescored(first, resamples="200", seed="8", method="randomisation")).comparison
    assert other.settings.seed == 8


def test_systems_are_held_against_the_baseline_or_every_pair() -> None:
    three = [upload(f"{name}.txt", text) for name, text in (("a", A), ("b", B), ("c", REFERENCE))]
    response = post(fields(systems=three, baseline="1"))
    assert [(p.first, p.second) for p in answer_of(response).comparison.pairs] == [
        (1, 0),
        (1, 2),
    ] * 2
    every = answer_of(rescored(response, baseline="every")).comparison.pairs
    assert [(p.first, p.second) for p in every] == [(0, 1), (0, 2), (1, 2)] * 2


def test_one_system_is_compared_with_none() -> None:
    response = post(fields(systems=[upload("a.txt", A)]))
    assert response.status_code == 200
    assert answer_of(response).verdicts == ()
    assert re.search(r'<h2 id="result" tabindex="-1">BLEU [\d.]+</h2>', page_of(response))


def test_few_segments_are_called_few() -> None:
    few = text_of(post(fields(systems=[upload("a", A), upload("b", A.replace("boat", "x"))])))
    assert "3 segments are too few to lean on" in few
    assert "5 of 100 files" not in few
    many = [upload("a", REFERENCE * 20), upload("b", B * 20)]
    response = post(fields(systems=many, references=[upload("r", REFERENCE * 20)]))
    assert "too few to lean on" not in text_of(response)
    assert "5 of 100 files" in text_of(response)


def test_a_system_beside_itself_is_not_different() -> None:
    response = post(fields(systems=[upload("a.txt", A), upload("b.txt", A)]))
    assert [pair.is_clear for pair in answer_of(response).comparison.pairs] == [False, False]
    assert "have the same scores" in text_of(response)


# Carrying


def test_the_page_carries_everything_and_measures_nothing_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = post(fields())

    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("calculators.files.sheet.CountTable.of", refuse)
    second = again(first, order="file")
    assert second.status_code == 200
    assert answer_of(second).comparison == answer_of(first).comparison
    assert carried(second) == carried(first)


def test_a_metric_can_be_added_without_choosing_the_files_again() -> None:
    response = rescored(post(fields()), metrics=[BLEU, TER])
    assert [choice.key for choice in answer_of(response).sheet.choices] == [TER, BLEU]


OTHER = {"metrics": [TER], "seed": "7", "method": "randomisation", "resamples": "200"}


@pytest.mark.parametrize(
    "button",
    [
        {"order": "file"},
        {"opened": "0.1"},
        {"working": f"0.1 {CHRF}"},
        {"page": "1"},
        {"remedy": "nfc"},
    ],
)
def test_what_was_changed_counts_only_where_it_is_scored(button: dict[str, str]) -> None:
    first = post(fields())
    assert "Changed since it was scored." not in text_of(first)
    more = again(first, **OTHER, **button)
    assert answer_of(more).comparison.settings == answer_of(first).comparison.settings
    assert answer_of(more).comparison.keys == (BLEU, CHRF)
    # What was changed stays as it was typed, and the page says that it does not count yet.
    assert 'name="seed" value="7"' in page_of(more)
    assert "Changed since it was scored." in text_of(more)
    scored = rescored(more, **OTHER)
    assert answer_of(scored).comparison.keys == (TER,)
    assert answer_of(scored).comparison.settings.seed == 7
    assert "Changed since it was scored." not in text_of(scored)


def test_what_can_not_be_scored_by_does_not_stand_in_the_way_of_a_view() -> None:
    first = post(fields())
    more = again(first, metrics=[], seed="x", order="file")
    assert more.status_code == 200
    assert 'name="seed" value="x"' in page_of(more)
    assert rescored(more, metrics=[], seed="x").status_code == 400


def test_new_files_wait_for_the_button_that_scores() -> None:
    first = post(fields())
    more = again(first, systems=[upload("c.txt", A)], system_1="typed", order="file")
    assert answer_of(more).sheet.systems == ("a.txt", "b.txt")
    assert "typed</textarea>" in page_of(more)
    assert "Changed since it was scored." in text_of(more)


def test_new_files_take_the_place_of_what_is_carried() -> None:
    first = post(fields())
    second = rescored(first, systems=[upload("c.txt", A)], references=[upload("r.txt", A)])
    assert answer_of(second).sheet.systems == ("c.txt",)


@pytest.mark.parametrize("change", ["cut", "flip", "nonsense", "other-key"])
def test_what_comes_back_changed_is_refused(change: str) -> None:
    whole = carried(post(fields()))
    with override_settings(SECRET_KEY="another" if change == "other-key" else "x" * 50):
        field = {
            "cut": whole[:-40],
            "flip": whole[:60] + ("A" if whole[60] != "A" else "B") + whole[61:],
            "nonsense": "=" * 40,
            "other-key": whole,
        }[change]
        response = post({"state": field, "metrics": [BLEU]})
    assert response.status_code == 400
    assert "did not come back whole" in text_of(response)


def test_nothing_is_kept_and_nothing_stands_in_an_address(tmp_path: Path) -> None:
    response = post(fields())
    assert not response.cookies
    assert response.headers["Cache-Control"] == "no-store"
    addresses = re.findall(r'(?:href|action|formaction)="(.*?)"', page_of(response))
    assert all("?" not in address or "example=" in address for address in addresses)


# The table of segments


def test_the_worst_stand_first_by_the_metric_shown() -> None:
    first = post(fields(metric=CHRF))
    scores = [row.scores[1] for row in answer_of(first).segments.rows]
    assert scores == sorted(scores)
    best = answer_of(again(first, metric=CHRF, order="best")).segments.rows
    assert [row.scores[1] for row in best] == sorted(scores, reverse=True)
    ter = answer_of(rescored(first, metrics=[TER], metric=TER)).segments.rows
    assert [row.scores[0] for row in ter] == sorted((r.scores[0] for r in ter), reverse=True)


def test_rows_are_filtered_by_system_words_and_score() -> None:
    first = post(fields())
    assert len(rows_of(first)) == 6
    assert len(rows_of(again(first, system="1"))) == 3
    assert [row.index for row in answer_of(again(first, find="BOAT")).segments.rows] == [1, 1]
    low = answer_of(again(first, metric=CHRF, bound="60")).segments
    assert 0 < low.total < 6
    assert all(row.scores[1] <= 0.6 for row in low.rows)
    assert "No segment fits" in text_of(again(first, find="zebra"))
    assert len(rows_of(again(first, system="x", bound="y", order="z", metric="w"))) == 6


@pytest.mark.parametrize(
    ("metric", "label", "is_bad"),
    [
        (CHRF, "chrF at most", lambda score: 100 * score <= 40),
        (TER, "TER at least", lambda score: 100 * score >= 40),
    ],
)
def test_a_bound_keeps_what_is_no_better_whichever_way_is_better(
    metric: str, label: str, is_bad: Any
) -> None:
    worse = [upload("a.txt", A), upload("b.txt", "zebra\n" + B.partition("\n")[2])]
    first = post(fields(systems=worse, metrics=[metric]))
    assert f'<label for="id_bound">{label}</label>' in page_of(first)
    scores = [row.scores[0] for row in answer_of(first).segments.rows]
    for bound in ("40", " 40,0 % "):
        kept = [row.scores[0] for row in answer_of(again(first, bound=bound)).segments.rows]
        assert kept == [score for score in scores if is_bad(score)]
        assert 0 < len(kept) < 6


@pytest.mark.parametrize("bound", ["abc", "nan", "inf", "1 2"])
def test_a_bound_that_is_no_number_is_said_beside_its_field(bound: str) -> None:
    first = post(fields())
    assert "This is no number" not in text_of(first)
    response = again(first, bound=bound)
    assert len(rows_of(response)) == 6
    assert re.search(
        r'<div id="id_bound-error">.*?This is no number, so every score is shown.*?</div>'
        r'\s*<input [^>]*id="id_bound"[^>]* aria-invalid="true"',
        page_of(response),
        re.S,
    )
    assert f'value="{bound}"' in page_of(response)


def test_the_table_is_paged_on_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files_segments, "ROWS_A_PAGE", 4)
    first = post(fields(order="file"))
    assert "page 1 of 2" in text_of(first)
    second = again(first, order="file", page="2")
    assert [row[0] for row in rows_of(second)] == ["3", "3"]
    assert 'name="page" value="1"' in page_of(second)
    assert answer_of(again(first, page="99")).segments.page == 2
    assert answer_of(again(first, page="-1")).segments.page == 1


def test_a_segment_s_effect_is_what_the_lead_loses_without_it() -> None:
    answer = answer_of(post(fields(metrics=["meteor:nltk"])))
    (choice,) = answer.sheet.choices
    first, second = (answer.sheet.scores(choice, system) for system in (0, 1))
    gains = [b - a for a, b in zip(first, second, strict=True)]
    mean = sum(gains) / 3
    # The score of a file is here the mean of its segments'.
    effects = {index: mean - (sum(gains) - gain) / 2 for index, gain in enumerate(gains)}
    found = answer.drivers
    assert found is not None
    assert found.gain == pytest.approx(mean)
    assert found.for_second
    assert found.for_first
    for driver in (*found.for_second, *found.for_first):
        assert driver.effect == pytest.approx(effects[driver.first.index])
        assert (driver.effect > 0) == (driver in found.for_second)


def test_where_less_is_better_the_lead_is_turned() -> None:
    found = answer_of(post(fields(metrics=[TER]))).drivers
    assert found is not None
    # The second system makes edits in segments that the first one has right.
    assert found.gain < 0
    assert {driver.first.index for driver in found.for_first} <= {0, 2}


@pytest.mark.parametrize("metric", [BLEU, TER])
@pytest.mark.parametrize("texts", [(A, B), (B, A), (A, A)])
def test_an_effect_is_told_in_words_that_hold_whichever_system_is_better(
    metric: str, texts: tuple[str, str]
) -> None:
    uploads = [upload(name, text) for name, text in zip(("a.txt", "b.txt"), texts, strict=True)]
    words = text_of(post(fields(metrics=[metric], systems=uploads)))
    assert "the lead of" not in words
    assert re.search(r"difference in \w+ between a\.txt and b\.txt changes without it", words)
    assert "above 0 it speaks for b.txt , below 0 for a.txt" in words


def test_every_drawing_has_its_table() -> None:
    page = page_of(post(fields()))
    assert page.count('<svg class="chart') == 3
    assert page.count("The same as a table") == 2
    bins = answer_of(post(fields())).histogram
    assert bins is not None
    assert [sum(column) for column in zip(*(b.counts for b in bins.bins), strict=True)] == [3, 3]


# The input doctor


def test_what_is_odd_stands_before_the_scores_with_a_remedy() -> None:
    short = REFERENCE.replace("the boat was late\n", "")
    response = post(fields(references=[upload("ref.txt", short)]))
    assert response.status_code == 400
    page = page_of(response)
    assert "<title>Error:" in page
    assert "Before the scores" in page
    assert 'id="result"' not in page
    assert any(finding.severity == "error" for finding in response.context["findings"])


def test_exchanged_columns_are_told_with_what_they_do_to_the_score() -> None:
    source = ["Die Katze saß auf der Matte", "Das Boot kam zu spät", "Wir tranken Tee"]
    rows = zip(REFERENCE.split("\n"), source, A.split("\n"), B.split("\n"), strict=False)
    table = "source,reference,One,Two\n" + "".join(f"{','.join(row)}\n" for row in rows)
    first = post(fields(systems=None, references=None, both=[upload("t.csv", table)]))
    assert "share far more words with the source than with the reference" in text_of(first)
    assert re.search(r"BLEU of One : 0\.00, with the remedy [1-9]", text_of(first))
    mended = again(first, remedy="exchange")
    assert "source-exchanged" not in {each.kind for each in answer_of(mended).findings}
    assert answer_of(mended).material.references[0].lines == tuple(REFERENCE.split("\n")[:-1])


def test_files_of_unlike_length_are_told_with_the_lines_where_they_part() -> None:
    short = fields(
        systems=None, references=None, reference_1=REFERENCE.replace("tea", "<b>tea</b>")
    )
    response = post(short | {"system_1": A.removesuffix("we had tea\n")})
    words = text_of(response)
    assert "Reference has 3 lines, System A has 2 lines; both must have the same number" in words
    assert '<a href="#findings">Reference has 3 lines' in page_of(response)
    assert '<h2 id="findings" tabindex="-1">' in page_of(response)
    assert "System A : line 2, the last: “ the boat came late ”" in words
    assert "Reference : line 3: “ we had <b>tea</b> ”" in words
    assert "This page holds System A (2 lines) with Reference (3 lines) as reference." in words
    assert "segments. The texts" in text_of(post(fields()))


def test_a_remedy_is_one_click_and_the_scores_follow() -> None:
    split = {"a": A, "b": B, "ref": REFERENCE}
    odd = {name: re.sub(r"\n", " .\n", text) for name, text in split.items()}
    many = {name: text * 20 for name, text in odd.items()}
    sent = fields(
        systems=[upload("a.txt", many["a"]), upload("b.txt", B * 20)],
        references=[upload("ref.txt", REFERENCE * 20)],
    )
    first = post(sent)
    remedies = [f.remedy for f in first.context["findings"] if f.remedy]
    assert remedies
    page = page_of(first)
    assert page.index("Before the scores") < page.index('id="result"')
    mended = again(first, remedy=remedies[0].key)
    assert mended.status_code == 200
    assert remedies[0].key not in [f.remedy.key for f in mended.context["findings"] if f.remedy]
    assert post(fields(remedy="nonsense")).status_code == 400
