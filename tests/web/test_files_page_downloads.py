"""What can be taken away from the page for files."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import pytest
from django.test import Client
from openpyxl import Workbook, load_workbook

from calculators.files import latex

from .files_page import (
    BLEU,
    DOWNLOAD,
    REFERENCE,
    A,
    B,
    again,
    answer_of,
    fields,
    page_of,
    post,
    upload,
)

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


def test_a_download_holds_what_the_page_shows_whatever_was_changed_since() -> None:
    changed = {"metrics": ["ter:sacrebleu"], "seed": "7", "method": "randomisation"}
    first = post(fields())
    as_shown, after = (
        json.loads(again(first, DOWNLOAD, download="json", **more).content)
        for more in ({}, changed | {"systems": [upload("c.txt", B)], "resamples": "x"})
    )
    assert after == as_shown


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


def test_words_that_a_workbook_has_for_errors_stay_words() -> None:
    text = "#N/A\n#REF!\n"
    sent = {"systems": [upload("a.txt", text)], "references": [upload("r.txt", text)]}
    book = load_workbook(io.BytesIO(downloaded("xlsx", **sent).content))
    cells = [row[4] for row in book["Segments"].iter_rows(min_row=2)]
    assert [(cell.value, cell.data_type) for cell in cells] == [("#N/A", "s"), ("#REF!", "s")]


def test_a_negative_difference_is_a_number() -> None:
    systems = [upload("a.txt", REFERENCE), upload("b.txt", "no\nsuch\nwords")]
    book = load_workbook(io.BytesIO(downloaded("xlsx", systems=systems).content))
    differences = [row[4] for row in book["Comparisons"].iter_rows(min_row=2)]
    assert [cell.data_type for cell in differences] == ["n", "n"]
    assert all(cell.value < 0 for cell in differences)


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


def test_a_name_in_latex_is_no_argument_of_the_line_end_before_it() -> None:
    systems = [upload("[2em]", A), upload("*b", B)]
    rows = downloaded("latex", systems=systems).content.decode().splitlines()
    first = rows.index(r"\midrule") + 1
    assert rows[first].startswith("{}[2em] & ")
    assert rows[first + 1].startswith("{}*b & ")


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("a|b", r"a\textbar{}b"),
        ("a<<b>", r"a\textless{}\textless{}b\textgreater{}"),
        ('a"b', r"a{\ttfamily\char34}b"),
        ("a--b---c", "a-{}-b-{}-{}-c"),
        ("``a''", "`{}`a'{}'"),
        ("?`a!`,,b", "?{}`a!{}`,{},b"),
    ],
)
def test_a_name_prints_as_itself_in_the_oldest_encoding_of_latex(name: str, written: str) -> None:
    assert latex.escaped(name) == written


def test_remarks_in_latex_are_written_as_they_are() -> None:
    assert "% bleu|refs:1|" in downloaded("latex").content.decode()


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


def test_what_an_uploaded_workbook_loses_is_said_where_it_is_handed_back() -> None:
    words = "An uploaded workbook comes back with its cells and formulas; pictures"
    book, data = Workbook(), io.BytesIO()
    for row in (("hypothesis", "reference"), ("the cat sat", "a cat sat")):
        book.active.append(row)
    book.save(data)
    workbook = {"systems": None, "references": None, "both": upload("b.xlsx", data.getvalue())}
    memory = {"systems": [upload("m.tmx", TMX)], "references": [upload("ref.txt", "a\nb\n")]}
    for name, sent, is_said in (("b.xlsx", workbook, True), ("m.tmx", memory, False)):
        page = page_of(post(fields(**sent)))
        assert name in page
        assert "with scores" in page
        assert (words in page) is is_said
