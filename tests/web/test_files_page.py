"""The page for files and systems: what it takes, shows and carries, and what it leaves behind."""

from __future__ import annotations

import csv
import io
import json
import re
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, RequestFactory, override_settings
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

from calculators.files import segments as files_segments
from calculators.files import views
from calculators.files.answer import FilesAnswer
from calculators.scoring import METRICS, Budget, Corpus, find
from tests.test_templates import outline

FILES, DOWNLOAD = "/files/", "/files/download/"
SETS = Path(__file__).parents[1] / "data" / "sets"

A = "the cat sat on the mat\nthe boat came late\nwe had tea\n"
B = "a cat sat on mat\nthe boat came late\nwe have had the tea\n"
REFERENCE = "the cat sat on the mat\nthe boat was late\nwe had tea\n"
BLEU, CHRF, TER, NIST = "bleu:sacrebleu", "chrf:chrf", "ter:sacrebleu", "nist:nltk"


def upload(name: str, text: str | bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode() if isinstance(text, str) else text)


def fields(**more: Any) -> dict[str, Any]:
    """Two systems and a reference as files, scored by BLEU and chrF."""
    sent = {
        "systems": [upload("a.txt", A), upload("b.txt", B)],
        "references": [upload("ref.txt", REFERENCE)],
        "metrics": [BLEU, CHRF],
        "resamples": "100",
    }
    return {name: value for name, value in (sent | more).items() if value is not None}


def post(sent: dict[str, Any], path: str = FILES, **more: Any) -> Any:
    return Client(raise_request_exception=False).post(path, sent, **more)


def page_of(response: Any) -> str:
    return str(response.content.decode())


def text_of(response: Any) -> str:
    """The words of a page without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page_of(response))).split())


def carried(response: Any) -> str:
    """The field in which the page carries everything."""
    found = re.search(r'<input type="hidden" name="state" value="(.*?)">', page_of(response))
    assert found
    return found[1]


def again(response: Any, path: str = FILES, **more: Any) -> Any:
    """What pressing a button on that page sends."""
    sent = {"state": carried(response), "metrics": [BLEU, CHRF], "resamples": "100"}
    return post(sent | more, path)


def answer_of(response: Any) -> FilesAnswer:
    answer = response.context["answer"]
    assert isinstance(answer, FilesAnswer)
    return answer


def rows_of(response: Any) -> list[str]:
    """The rows of the table of segments, without tags."""
    (table,) = re.findall(r'<table class="data segment-table">.*?</table>', page_of(response), re.S)
    found = re.findall(r"<tr.*?</tr>", table.split("<tbody>")[1], re.S)
    return [" ".join(unescape(re.sub(r"<[^>]*>", " ", row)).split()) for row in found]


# What it takes


def test_the_page_shows_a_form_and_no_result() -> None:
    response = Client().get(FILES)
    assert response.status_code == 200
    page = page_of(response)
    for name in ("systems", "references", "both", "system_1", "table", "metrics", "seed"):
        assert f'name="{name}"' in page
    assert 'id="result"' not in page
    assert "field-error" not in page
    assert 'aria-current="page">Files and systems' in page


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
    assert ours.sheet.systems == ("System A", "System B")
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
    response = again(post(fields()), metrics=[NIST], opened="0.1", metric=NIST)
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
    other = answer_of(again(first, resamples="200", seed="8", method="randomisation")).comparison
    assert other.settings.seed == 8


def test_systems_are_held_against_the_baseline_or_every_pair() -> None:
    three = [upload(f"{name}.txt", text) for name, text in (("a", A), ("b", B), ("c", REFERENCE))]
    response = post(fields(systems=three, baseline="1"))
    assert [(p.first, p.second) for p in answer_of(response).comparison.pairs] == [
        (1, 0),
        (1, 2),
    ] * 2
    every = answer_of(again(response, baseline="every")).comparison.pairs
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
    response = again(post(fields()), metrics=[BLEU, TER])
    assert [choice.key for choice in answer_of(response).sheet.choices] == [TER, BLEU]


def test_new_files_take_the_place_of_what_is_carried() -> None:
    first = post(fields())
    second = again(first, systems=[upload("c.txt", A)], references=[upload("r.txt", A)])
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
    ter = answer_of(again(first, metrics=[TER], metric=TER)).segments.rows
    assert [row.scores[0] for row in ter] == sorted((r.scores[0] for r in ter), reverse=True)


def test_rows_are_filtered_by_system_words_and_score() -> None:
    first = post(fields())
    assert len(rows_of(first)) == 6
    assert len(rows_of(again(first, system="1"))) == 3
    assert [row.index for row in answer_of(again(first, find="BOAT")).segments.rows] == [1, 1]
    low = answer_of(again(first, metric=CHRF, at_most="60")).segments
    assert 0 < low.total < 6
    assert all(row.scores[1] <= 0.6 for row in low.rows)
    assert "No segment fits" in text_of(again(first, find="zebra"))
    assert len(rows_of(again(first, system="x", at_most="y", order="z", metric="w"))) == 6


def test_the_table_is_paged_on_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files_segments, "ROWS_A_PAGE", 4)
    first = post(fields(order="file"))
    assert "page 1 of 2" in text_of(first)
    second = again(first, order="file", page="2")
    assert [row[0] for row in rows_of(second)] == ["3", "3"]
    assert 'name="page" value="1"' in page_of(second)
    assert answer_of(again(first, page="99")).segments.page == 2
    assert answer_of(again(first, page="-1")).segments.page == 1


def test_a_segment_s_share_is_what_the_lead_loses_without_it() -> None:
    answer = answer_of(post(fields(metrics=["meteor:nltk"])))
    (choice,) = answer.sheet.choices
    first, second = (answer.sheet.scores(choice, system) for system in (0, 1))
    gains = [b - a for a, b in zip(first, second, strict=True)]
    mean = sum(gains) / 3
    # The score of a file is here the mean of its segments'.
    shares = {index: mean - (sum(gains) - gain) / 2 for index, gain in enumerate(gains)}
    found = answer.drivers
    assert found is not None
    assert found.gain == pytest.approx(mean)
    assert found.for_second
    assert found.for_first
    for driver in (*found.for_second, *found.for_first):
        assert driver.share == pytest.approx(shares[driver.first.index])
        assert (driver.share > 0) == (driver in found.for_second)


def test_where_less_is_better_the_lead_is_turned() -> None:
    found = answer_of(post(fields(metrics=[TER]))).drivers
    assert found is not None
    # The second system makes edits in segments that the first one has right.
    assert found.gain < 0
    assert {driver.first.index for driver in found.for_first} <= {0, 2}


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


# Errors


def test_every_fault_is_told_at_once_and_nothing_is_lost() -> None:
    response = post({"resamples": "5", "seed": "x", "system_1": "typed", "metrics": []})
    assert response.status_code == 400
    page = page_of(response)
    assert "<title>Error:" in page
    for field, message in (
        ("metrics", "Choose at least one metric."),
        ("resamples", "Resamples must be a whole number from 100 to 10,000."),
        ("seed", "Seed must be a whole number"),
    ):
        assert f'<a href="#id_{field}">{message}' in page
    assert "typed</textarea>" in page
    assert 'name="resamples" value="5"' in page


def test_files_that_were_read_survive_another_fault() -> None:
    response = post(fields(metrics=[]))
    assert response.status_code == 400
    assert answer_of(again(response)).sheet.systems == ("a.txt", "b.txt")


def test_a_file_that_can_not_be_read_is_named_at_its_field() -> None:
    response = post(fields(references=[upload("ref.txt", b"one\n\xff\n")]))
    assert response.status_code == 400
    assert re.search(r'<a href="#id_references">ref.txt: line 2 is not UTF-8', page_of(response))


@override_settings(MTCALC_FILES_SEGMENTS=2)
def test_past_the_limit_the_page_names_the_command() -> None:
    response = post(fields())
    assert response.status_code == 400
    assert "manage.py score" in text_of(response)


@override_settings(DATA_UPLOAD_MAX_MEMORY_SIZE=65_700)
def test_what_the_page_could_not_carry_is_refused_before_it_is_scored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("calculators.files.answer.measure", None)
    sent = fields(systems=[upload("a.txt", A)], references=[upload("r.txt", REFERENCE)])
    response = post(sent)
    assert response.status_code == 400
    assert "manage.py score" in text_of(response)


@override_settings(MTCALC_FILES_WORK_SECONDS=-1.0)
def test_too_much_work_is_400_with_the_files_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    # The doctor stops by itself, and the scores are asked for all the same.
    monkeypatch.setattr("calculators.files.answer.examine", lambda *_: ())
    response = post(fields())
    assert response.status_code == 400
    assert "longer to score than is allowed" in text_of(response)
    assert carried(response)


def test_another_site_can_not_post_here() -> None:
    for path in (FILES, DOWNLOAD):
        assert (
            post(fields(), path, headers={"Origin": "https://elsewhere.example"}).status_code == 403
        )


# Progress


def news_of(response: Any) -> list[dict[str, Any]]:
    lines = b"".join(response.streaming_content).decode().splitlines()
    return [json.loads(line) for line in lines]


def test_progress_is_told_line_by_line_and_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calculators.files.views.BETWEEN_NEWS", 0.0)
    response = post(fields(progress="1"))
    assert response.headers["Content-Type"] == "application/x-ndjson"
    assert response.headers["Cache-Control"] == "no-store"
    *news, last = news_of(response)
    # Two metrics, two systems, three segments each.
    assert [each["done"] for each in news] == list(range(1, 13))
    assert {each["total"] for each in news} == {12}
    assert '<h2 id="result"' in last["page"]


def test_the_page_at_the_end_is_the_one_without_progress() -> None:
    (*_, last) = news_of(post(fields(progress="1")))
    assert last["page"] == page_of(post(fields()))


def test_errors_come_as_the_page_too() -> None:
    (only,) = news_of(post({"progress": "1"}))
    assert "<title>Error:" in only["page"]


# Closing an answer also closes connections to the database that are too old.
@pytest.mark.django_db
def test_the_work_ends_where_the_reader_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calculators.files.views.BETWEEN_NEWS", 0.0)
    made: list[object] = []
    original = Budget.spend
    monkeypatch.setattr(Budget, "spend", lambda self, n: (made.append(n), original(self, n))[1])
    response = post(fields(progress="1"))
    parts = iter(response.streaming_content)
    next(parts)
    before = len(made)
    response.close()
    with pytest.raises(StopIteration):
        next(parts)
    assert len(made) == before


def test_a_fault_of_ours_is_told_without_its_words(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("the cat sat")

    monkeypatch.setattr("calculators.files.answer.compare", fail)
    assert news_of(post(fields(progress="1")))[-1] == {"failed": True}


# Downloads


def downloaded(kind: str, **more: Any) -> Any:
    response = again(post(fields(**more)), DOWNLOAD, download=kind)
    assert response.status_code == 200
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["Content-Disposition"].startswith("attachment; filename=")
    return response


def test_csv_has_every_segment_in_full_precision() -> None:
    lines = downloaded("csv").content.decode("utf-8-sig").splitlines()
    assert lines[0] == "segment,system,BLEU,chrF,hypothesis,ref.txt"
    assert len(lines) == 7
    score = float(lines[1].split(",")[3])
    assert (
        score
        == answer_of(post(fields())).sheet.scores(answer_of(post(fields())).sheet.choices[1], 0)[0]
    )


ATTACKS = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "=cmd|' /C calc'!A0"]


def test_formulas_are_defused_and_numbers_stay_numbers() -> None:
    text = "\n".join(ATTACKS) + "\n"

    def sent() -> dict[str, Any]:
        return {"systems": [upload("=a.txt", text)], "references": [upload("r.txt", text)]}

    data = downloaded("csv", **sent()).content.decode("utf-8-sig")
    table = list(csv.reader(io.StringIO(data)))
    assert [row[4] for row in table[1:]] == [f"'{attack}" for attack in ATTACKS]
    assert {row[1] for row in table[1:]} == {"'=a.txt"}
    book = load_workbook(io.BytesIO(downloaded("xlsx", **sent()).content))
    assert book.sheetnames == ["Systems", "Comparisons", "Segments", "Settings"]
    cells = list(book["Segments"].iter_rows(min_row=2))
    assert [row[4].value for row in cells] == [f"'{attack}" for attack in ATTACKS]
    assert all(cell.data_type != "f" for row in cells for cell in row)
    assert all(isinstance(row[2].value, int | float) for row in cells)


def test_json_holds_every_figure_and_how_it_came_about() -> None:
    data = json.loads(downloaded("json").content)
    answer = answer_of(post(fields()))
    assert data["comparison"]["seed"] == 12345
    assert [row["score"] for row in data["systems"]] == [
        cell.standing.value for _, cells in answer.table for cell in cells
    ]
    assert len(data["segments"]["a.txt"][BLEU]) == 3
    assert data["metrics"][0]["signature"].startswith("bleu|refs:1|")
    assert "the boat" not in json.dumps(data)


def test_latex_is_escaped_and_names_the_test() -> None:
    name = r"a_b&c%$#{}~^\x"
    systems = [upload(name.replace("\\", ""), A), upload("b.txt", B)]
    text = downloaded("latex", systems=systems).content.decode()
    assert r"a\_b\&c\%\$\#\{\}\textasciitilde{}\textasciicircum{}x" in text
    assert r"\toprule" in text
    assert "seed 12345" in text


def test_a_download_of_nothing_is_404_or_the_page_with_its_errors() -> None:
    assert again(post(fields()), DOWNLOAD, download="nothing").status_code == 404
    assert post({}, DOWNLOAD).status_code == 400
    assert Client().get(DOWNLOAD).status_code == 405


TMX = """<?xml version="1.0" encoding="UTF-8"?>
<tmx version="1.4"><header srclang="en" datatype="plaintext" segtype="sentence" adminlang="en"
 o-tmf="x" creationtool="x" creationtoolversion="1"/><body>
<tu tuid="a>b"><tuv xml:lang="en"><seg>Die Katze</seg></tuv>
  <tuv xml:lang="de"><seg>the cat sat on the mat</seg></tuv></tu>
<tu tuid="2"><tuv xml:lang="en"><seg>Das Boot</seg></tuv>
  <tuv xml:lang="de"><seg>the boat came late</seg></tuv></tu>
</body></tmx>
"""


def test_an_uploaded_file_comes_back_with_its_scores_and_nothing_else_changed() -> None:
    sent = {
        "systems": [upload("memory.tmx", TMX)],
        "references": [upload("ref.txt", "\n".join(REFERENCE.split("\n")[:2]))],
    }
    response = downloaded("origin-0", **sent)
    text = response.content.decode()
    assert 'filename="scored-memory.tmx"' in response.headers["Content-Disposition"]
    notes = re.findall(r"<note>(.*?)</note>", text)
    assert notes[0] == "mtcalc: BLEU 100.00; chrF 100.00"
    assert len(notes) == 2
    assert re.sub(r"<note>.*?</note>", "", text) == TMX


# What holds for every page


def states() -> dict[str, str]:
    """The page in each of its states."""
    attack = '<script>alert("x")</script>'
    odd = fields(systems=[upload(attack, attack * 3), upload("b", "قطة")])
    odd["references"] = [upload("r", f"{attack} قطة")]
    result = post(fields())
    return {
        "empty": page_of(Client().get(FILES)),
        "error": page_of(post({"resamples": "x"})),
        "unaligned": page_of(post(fields(references=[upload("r", "one line")]))),
        "result": page_of(result),
        "working": page_of(again(result, opened="0.1")),
        "one system": page_of(post(fields(systems=[upload("a", A)]))),
        "odd": page_of(post(odd | {"opened": "0.0"})),
        "nothing found": page_of(again(result, find="zebra")),
    }


def test_the_outline_of_the_page_is_sound_in_every_state() -> None:
    for name, html in states().items():
        found = outline(html)
        assert found.headings[0] == 1, name
        assert found.headings.count(1) == 1, name
        assert all(b <= a + 1 for a, b in pairwise(found.headings)), name
        assert len(found.ids) == len(set(found.ids)), name
        assert set(found.references) <= set(found.ids), name
        assert set(found.anchors) - {""} <= set(found.ids), name
        assert found.inline_scripts == 0, name
        assert not {a for a in found.attributes if a == "style" or a.startswith("on")}, name
        for table in found.tables:
            assert table["captions"] == 1, name
            assert table["heads"] == table["scoped"] > 0, name


def test_every_button_leads_to_something_on_the_page() -> None:
    html = states()["result"]
    ids = set(outline(html).ids)
    for address in re.findall(r'formaction="(.*?)"', html):
        path, _, anchor = address.partition("#")
        assert path in (FILES, DOWNLOAD)
        assert not anchor or anchor in ids | {"working", "findings"}


def test_markup_in_a_text_or_a_name_stays_text() -> None:
    html = states()["odd"]
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_its_style_sheets_and_its_script_are_there() -> None:
    root = Path(__file__).parents[2] / "static"
    names = re.findall(
        r'(?:href|src)="/static/((?:css|js)/[a-z]+)[^"]*\.(css|js)"', states()["empty"]
    )
    assert ("css/files", "css") in names
    assert ("js/files", "js") in names
    assert all((root / f"{name}.{kind}").exists() for name, kind in names)


# Whatever is sent


NAMES = ["systems", "references", "both", "state", "metrics", "resamples", "seed", "baseline"]
NAMES += ["page", "opened", "working", "find", "at_most", "system", "pair", "remedy", "table"]
NAMES += ["system_1", "reference_1", "download", "progress_", "order", "metric"]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.dictionaries(
        st.sampled_from(NAMES), st.text() | st.sampled_from([A, REFERENCE, BLEU, "1", "0.0"])
    ),
    st.sampled_from([FILES, DOWNLOAD]),
)
def test_no_form_is_answered_with_a_500(sent: dict[str, str], path: str) -> None:
    assert post(sent, path).status_code in (200, 400, 404)


@settings(max_examples=60, deadline=None)
@given(st.binary(), st.sampled_from(["systems", "references", "both"]))
def test_no_file_is_answered_with_a_500(data: bytes, name: str) -> None:
    response = post(fields(**{name: [upload("f.xlsx", data)]}))
    assert response.status_code in (200, 400)


def test_a_request_that_is_turned_away_keeps_its_files() -> None:
    request = RequestFactory().post(FILES, fields())
    response = views.files.refused(request, "The server is busy.", 503)
    assert response.status_code == 503
    page = response.content.decode()
    assert "The server is busy." in page
    assert 'name="state"' in page
