"""Tables: TSV, CSV, JSON and XLSX, their columns, their missing cells and their faults."""

import io

import pytest
from openpyxl import Workbook

from calculators.files.read import ReadSettings

from . import samples
from .samples import XLSX, material, of, refusal, tsv, xlsx


def test_a_csv_cell_may_hold_the_delimiter_quotation_marks_and_line_ends() -> None:
    text = 'ref,mt\n"a, b","c ""d"""\r\n"two\nlines",e\n'
    found = material(of("t.csv", text))
    assert found.references[0].lines == ("a, b", "two\nlines")
    assert found.systems[0].hypotheses == ('c "d"', "e")


def test_quotation_marks_of_a_tsv_are_text_unless_a_spreadsheet_set_them() -> None:
    raw = tsv(("ref", "mt"), ('"Yes', 'he said "no"'), ('"all"', "x"))
    assert material(of("t.tsv", raw)).references[0].lines == ('"Yes', '"all"')
    spreadsheet = 'ref\tmt\n"he said ""no"""\tplain\n'
    assert material(of("t.tsv", spreadsheet)).references[0].lines == ('he said "no"',)
    with_tab = 'ref\tmt\n"a\tb"\tplain\n'
    assert material(of("t.tsv", with_tab)).references[0].lines == ("a\tb",)


def test_a_blank_reference_is_missing_beside_another_and_empty_alone() -> None:
    two = tsv(("ref", "ref 2", "mt"), ("a", "", "x"), ("", "b", "x"), ("", "", "x"))
    assert [each.lines for each in material(of("t.tsv", two)).references] == [
        ("a", None, ""),
        (None, "b", None),
    ]
    one = tsv(("ref", "mt"), ("a", "x"), ("", "x"))
    assert material(of("t.tsv", one)).references[0].lines == ("a", "")


def test_target_is_the_reference_where_a_column_of_hypotheses_stands_beside_it() -> None:
    found = material(of("t.tsv", tsv(("source", "target", "mt"), ("s", "r", "h"))))
    assert (found.references[0].lines, found.systems[0].hypotheses) == (("r",), ("h",))
    found = material(of("t.tsv", tsv(("source", "target", "reference"), ("s", "h", "r"))))
    assert (found.references[0].lines, found.systems[0].hypotheses) == (("r",), ("h",))


def test_columns_can_be_said_by_position() -> None:
    settings = ReadSettings(samples.LIMITS, columns=("hypothesis", "", "reference"))
    found = material(of("t.tsv", tsv(("h", "x", "r"), ("h2", "x", "r2"))), settings=settings)
    assert found.systems[0].hypotheses == ("h", "h2")
    assert found.references[0].lines == ("r", "r2")
    assert "1 hypothesis, 2 left out, 3 reference" in found.notes[0]


def test_a_table_without_headings_asks_for_them() -> None:
    message = refusal(of("t.tsv", tsv(("one", "two"), ("a", "b"))))
    assert "in its first line, such as: source, reference, system A, system B" in message


def test_a_row_that_is_too_wide_is_named_by_its_line() -> None:
    text = tsv(("ref", "mt"), ("a", "b"), ("a", "b", "c"))
    assert "t.tsv: line 3 has 3 columns, the first has 2" in refusal(of("t.tsv", text))


def test_an_open_quotation_is_named_by_its_line() -> None:
    assert "t.csv: line 3: the quotation marks" in refusal(of("t.csv", 'ref,mt\na,b\n"c,d\ne,f\n'))


def test_a_reference_table_gives_a_set_a_column() -> None:
    refs = of("r.tsv", tsv(("a", "b"), ("c", "d"), ("e", "f")), "reference")
    found = material(of("h", "x\ny\nz\n", "hypothesis"), refs)
    assert [each.lines for each in found.references] == [("a", "c", "e"), ("b", "d", "f")]


def test_json_null_is_a_missing_reference_and_an_empty_string_is_not() -> None:
    text = '[{"hyp": "x", "refs": ["a", null]}, {"hyp": "y", "refs": ["", "b"]}]'
    found = material(of("t.json", text))
    assert [each.lines for each in found.references] == [("a", None), (None, "b")]
    columns = '{"hypotheses": ["x", "y"], "references": [["a", ""], [null, "b"]]}'
    found = material(of("t.json", columns))
    assert [each.lines for each in found.references] == [("a", ""), (None, "b")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"ref": "a", "mt": "b"}\n{"ref": "a", "mt": }\n', "line 2"),
        ('{"ref": "a", "mt": "b"}\n["a"]\n', "line 2"),
        ('{"ref": "a", "mt": "b\\u0000"}\n', "segment 1 holds a NUL"),
        ('{"ref": "a", "mt": "b\\ud800"}\n', "segment 1 holds half a character"),
        ('{"ref": "a", "mt": NaN}\n', "NaN"),
        ("[" * 100_000, "nested too deeply"),
        ("3", "must be a list"),
        ("[]", "no segment"),
    ],
)
def test_faults_of_json_are_named(text: str, words: str) -> None:
    name = "t.json" if text[0] in "[3" else "t.jsonl"
    message = refusal(of(name, text))
    assert message.startswith(name)
    assert words in message


@pytest.mark.parametrize(("character", "fault"), [("\\ud800", "half a"), ("\\u0000", "a NUL")])
@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"reference":"a","x":"b"}', "the name or heading of system 1"),
        ('{"reference x":"a","reference":"a","A":"b"}', "the name or heading of system 1"),
        (
            '{"id":"1","reference":"a","A":"b"}\n{"id":"x","reference":"a","A":"b"}',
            "the id of segment 2",
        ),
        ('{"references":["a"],"systems":{"A":["b"],"x":["b"]}}', "the name or heading of system 2"),
        ('{"references":{"x":["a"]},"systems":["b"]}', "the name or heading of reference 1"),
        (
            '{"references":["a"],"systems":["b"],"sources":{"x":["c"]}}',
            "the name or heading of source 1",
        ),
    ],
)
def test_what_is_no_text_is_refused_in_names_and_ids(
    text: str, place: str, character: str, fault: str
) -> None:
    name = "t.json" if "systems" in text else "t.jsonl"
    message = refusal(of(name, text.replace("x", character)))
    assert message.startswith(f"{name}: {place} holds {fault} character")
    message.encode()


def test_what_is_no_text_is_refused_in_a_heading_and_an_id_of_a_workbook() -> None:
    heading = of("t.xlsx", xlsx(("reference", "_xD800_"), ("a", "b")))
    assert "the name or heading of system 1 holds half a character" in refusal(heading)
    named = of("t.xlsx", xlsx(("id", "reference", "A"), ("_xDC00_", "a", "b")))
    assert "the id of segment 1 holds half a character" in refusal(named)


def test_xlsx_numbers_blank_rows_and_blank_cells() -> None:
    rows = ("ref", "ref 2", "mt"), ("a", None, 3), (), (1.5, "b", True)
    found = material(of("t.xlsx", xlsx(*rows)))
    assert [each.lines for each in found.references] == [("a", "1.5"), (None, "b")]
    assert found.systems[0].hypotheses == ("3", "1")
    assert found.origins[0].places == (2, 4)


def test_xlsx_takes_the_first_sheet_that_is_shown() -> None:
    book = Workbook()
    book.active.append(["hidden"])
    book.active.sheet_state = "hidden"
    book.create_sheet("Shown").append(["ref", "mt"])
    book["Shown"].append(["a", "line\nend _x0041_"])
    data = io.BytesIO()
    book.save(data)
    assert material(of("t.xlsx", data.getvalue())).systems[0].hypotheses[0].startswith("line\nend")


@pytest.mark.parametrize("cut", [10, 100, 2_000, len(XLSX) - 30])
def test_a_cut_workbook_is_refused(cut: int) -> None:
    assert "not a whole XLSX workbook" in refusal(of("t.xlsx", XLSX[:cut]))


def test_other_binary_files_are_refused_with_what_to_do() -> None:
    assert "XLS" in refusal(of("t.xls", b"\xd0\xcf\x11\xe0" + bytes(100)))
    assert "unpack" in refusal(of("t.gz", b"\x1f\x8b" + bytes(100)))
