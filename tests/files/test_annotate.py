"""Scores in the uploaded file: where the formats want notes, and nothing else changed."""

from __future__ import annotations

import base64
import io
import re
import time
import tracemalloc
import zipfile
from xml.etree import ElementTree

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.chart import BarChart, Reference
from openpyxl.reader import drawings

from calculators.files.annotate import Scores, annotated
from calculators.files.limits import Limits
from calculators.files.model import Origin, Upload
from calculators.files.read import ReadSettings, read
from calculators.scoring import ScoringError

from .samples import claiming, zipped

SETTINGS = ReadSettings(Limits.of_command_line())
COLUMNS = (Scores("BLEU", (31.256, None), 2, ""), Scores("TER", (40.0, 250.0), 2, "%"))
FIRST, SECOND = "mtcalc: BLEU 31.26; TER 40.00 %", "mtcalc: BLEU undefined; TER 250.00 %"

TMX = """<?xml version="1.0" encoding="{encoding}"?>
<!-- <tu> in a comment -->
<tmx version="1.4"><header srclang="en"/><body>
<tu tuid='a>"b' ><prop type="x">é</prop><tuv xml:lang="en"><seg>one</seg></tuv>
<tuv xml:lang="de"><seg>eins</seg></tuv></tu>
<tu tuid="2"><tuv xml:lang="en"><seg>two</seg></tuv><tuv xml:lang="de"><seg>zwei</seg></tuv></tu>
</body></tmx>
"""
XLIFF = """<?xml version="1.0" encoding="utf-8"?>
<x:xliff version="1.2" xmlns:x="urn:oasis:names:tc:xliff:document:1.2"><x:file original="f"
 source-language="en" target-language="de" datatype="plaintext"><x:body>
<x:trans-unit id="0" translate="no"><x:source>none</x:source></x:trans-unit>
<x:trans-unit id="1"><x:source>one</x:source><x:target>eins</x:target></x:trans-unit>
<x:trans-unit id="2"><x:source>two</x:source><x:target>zwei</x:target></x:trans-unit>
</x:body></x:file></x:xliff>
"""
XLIFF_2 = """<?xml version="1.0"?>
<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="de">
<file id="f"><unit id="1"><originalData><data id="d">x</data></originalData>
<segment id="s1"><source>one</source><target>eins</target></segment></unit>
<unit id="2"><notes><note>kept</note></notes>
<segment><source>two</source><target>zwei</target></segment></unit></file></xliff>
"""


def origin_of(name: str, data: bytes) -> Origin:
    """The origin as the reader keeps it."""
    reference = Upload("ref.txt", b"eins\nzwei\n", "reference")
    return read([Upload(name, data, "hypothesis"), reference], SETTINGS).origins[0]


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1"])
def test_a_unit_of_tmx_begins_with_its_note(encoding: str) -> None:
    data = TMX.format(encoding=encoding).encode(encoding)
    origin = Origin("tmx", "m.tmx", data, ("m",), (0, 1))
    text = annotated(origin, COLUMNS).decode(encoding)
    assert re.sub(r"<note>.*?</note>", "", text) == data.decode(encoding)
    units = list(ElementTree.fromstring(text.encode(encoding)).iter("tu"))
    assert [unit[0].text for unit in units] == [FIRST, SECOND]


def test_what_the_reader_kept_can_be_written_to() -> None:
    origin = origin_of("m.tmx", TMX.format(encoding="utf-8").encode())
    assert annotated(origin, COLUMNS).decode().count("<note>") == 2


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"])
def test_a_byte_order_mark_stays(mark: bytes) -> None:
    codec = {b"\xef": "utf-8", b"\xff": "utf-16-le", b"\xfe": "utf-16-be"}[mark[:1]]
    name = "UTF-8" if codec == "utf-8" else "UTF-16"
    data = mark + TMX.format(encoding=name).encode(codec)
    written = annotated(Origin("tmx", "m", data, ("m",), (0, 1)), COLUMNS)
    assert written.startswith(mark)
    assert len(list(ElementTree.fromstring(written).iter("note"))) == 2


def test_a_unit_of_xliff_ends_with_its_note_under_the_prefix_of_the_file() -> None:
    text = annotated(origin_of("m.xlf", XLIFF.encode()), COLUMNS).decode()
    assert re.sub(r"<x:note .*?</x:note>", "", text) == XLIFF
    units = ElementTree.fromstring(text.encode()).iter(
        "{urn:oasis:names:tc:xliff:document:1.2}trans-unit"
    )
    last = [unit[-1] for unit in units]
    assert [each.text for each in last] == ["none", FIRST, SECOND]
    assert last[1].get("from") == "mtcalc"


def test_notes_of_xliff_2_stand_together_before_the_data() -> None:
    text = annotated(origin_of("m.xlf", XLIFF_2.encode()), COLUMNS).decode()
    space = "{urn:oasis:names:tc:xliff:document:2.0}"
    first, second = ElementTree.fromstring(text.encode()).iter(f"{space}unit")
    assert [child.tag for child in first] == [
        f"{space}{name}" for name in ("notes", "originalData", "segment")
    ]
    assert [note.text for note in first[0]] == [FIRST]
    assert [child.tag for child in second] == [f"{space}{name}" for name in ("notes", "segment")]
    assert [note.text for note in second[0]] == [SECOND, "kept"]


def test_a_workbook_gets_columns_of_numbers_and_a_heading_that_is_text() -> None:
    book = Workbook()
    book.active.append(["source", "hypothesis", "reference"])
    book.active.append(["one", "eins", "eins"])
    book.active.append(["two", "zwei", "zwei"])
    data = io.BytesIO()
    book.save(data)
    origin = Origin("xlsx", "b.xlsx", data.getvalue(), ("hypothesis",), (2, 3))
    attack = Scores("=BLEU", (31.256, None), 2, "")
    sheet = load_workbook(io.BytesIO(annotated(origin, [attack, COLUMNS[1]]))).active
    assert sheet is not None
    rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    assert [row[3:] for row in rows] == [["'=BLEU", "TER"], [31.26, 40], [None, 250]]
    assert [row[:3] for row in rows][2] == ["two", "zwei", "zwei"]


# A picture anchored in a drawing, and the relation that names its file.
PICTURE = """<oneCellAnchor>
<from><col>1</col><colOff>0</colOff><row>8</row><rowOff>0</rowOff></from>
<ext cx="9525" cy="9525"/><pic><nvPicPr><cNvPr id="9" name="P"/><cNvPicPr/></nvPicPr><blipFill>
<a:blip xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" r:embed="rId9"
 xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/></blipFill><spPr/>
</pic><clientData/></oneCellAnchor></wsDr>"""
RELATION = """<Relationship Id="rId9" Target="/xl/media/image1.png"
 Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image"/></Relationships>"""
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)


def with_picture(book: bytes) -> bytes:
    """A workbook with a chart, and a picture beside the chart."""
    data = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as old, zipfile.ZipFile(data, "w") as new:
        for name in old.namelist():
            part = old.read(name)
            if name.endswith("drawing1.xml"):
                part = part.replace(b"</wsDr>", PICTURE.encode())
            elif name.endswith("drawing1.xml.rels"):
                part = part.replace(b"</Relationships>", RELATION.encode())
            new.writestr(name, part)
        new.writestr("xl/media/image1.png", PNG)
    return data.getvalue()


def test_a_workbook_keeps_formulas_and_charts_and_loses_pictures(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    book, data = Workbook(), io.BytesIO()
    for row in (("hypothesis", "reference", "sum"), ("eins", "zwei", "=1+1")):
        book.active.append(row)
    chart = BarChart()
    chart.add_data(Reference(book.active, min_col=3, min_row=2))
    book.active.add_chart(chart)
    book.save(data)
    # As where the program serves: it does not install what would read the pictures.
    monkeypatch.setattr(drawings, "PILImage", False)
    origin = Origin("xlsx", "b.xlsx", with_picture(data.getvalue()), ("hypothesis",), (2,))
    written = annotated(origin, [Scores("BLEU", (31.256,), 2, "")])
    assert load_workbook(io.BytesIO(written)).active["C2"].value == "=1+1"
    parts = zipfile.ZipFile(io.BytesIO(written)).namelist()
    assert any(name.startswith("xl/charts/") for name in parts)
    assert not any(name.startswith("xl/media/") for name in parts)


def test_a_segment_that_the_file_lacks_gets_no_note() -> None:
    data = TMX.format(encoding="utf-8").encode()
    text = annotated(Origin("tmx", "m", data, ("m",), (None, 1)), COLUMNS).decode()
    assert text.count("<note>") == 1
    assert SECOND in text


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("tmx", '<tmx><body><tu>/></tu><tu tuid="2"/></body></tmx>'),
        (
            "xliff-1.2",
            '<x:xliff xmlns:x="u"><x:trans-unit>/></x:trans-unit><x:trans-unit id="2"/></x:xliff>',
        ),
    ],
)
def test_a_unit_of_one_tag_gets_no_note(kind: str, text: str) -> None:
    written = annotated(Origin(kind, "m", text.encode(), ("m",), (0, 1)), COLUMNS)
    root = ElementTree.fromstring(written)
    parents = [parent.tag for parent in root.iter() for child in parent if "note" in child.tag]
    assert [parent.rpartition("}")[2] for parent in parents] == [
        "tu" if kind == "tmx" else "trans-unit"
    ]


def test_an_empty_element_of_notes_in_xliff_2_is_followed_by_notes_in_the_unit() -> None:
    text = XLIFF_2.replace("<notes><note>kept</note></notes>", "<notes/>")
    written = annotated(Origin("xliff-2", "m", text.encode(), ("m",), (0, 1)), COLUMNS)
    space = "{urn:oasis:names:tc:xliff:document:2.0}"
    notes = list(ElementTree.fromstring(written).iter(f"{space}notes"))
    assert [[note.text for note in each] for each in notes] == [[FIRST], [SECOND], []]


def test_a_tmx_with_a_prefix_gets_its_notes_under_it() -> None:
    text = re.sub(
        "<(/?)(tmx|header|body|tu|tuv|seg|prop)\\b", r"<\1t:\2", TMX.format(encoding="utf-8")
    )
    text = text.replace("<t:tmx", '<t:tmx xmlns:t="urn:t"')
    written = annotated(origin_of("m.tmx", text.encode()), COLUMNS)
    units = list(ElementTree.fromstring(written).iter("{urn:t}tu"))
    assert [unit[0].tag for unit in units] == ["{urn:t}note"] * 2
    assert [unit[0].text for unit in units] == [FIRST, SECOND]


HIDING = ["raw_unicode_escape", "unicode_escape", "hz", "utf-7", "cp037", "idna", "x-none"]


@pytest.mark.parametrize("encoding", HIDING)
def test_an_encoding_that_can_hide_tags_is_refused(encoding: str) -> None:
    data = TMX.format(encoding=encoding).encode()
    for mark in (b"", b"\xef\xbb\xbf"):
        with pytest.raises(ScoringError, match="encoding that is not read"):
            origin_of("m.tmx", mark + data)
        with pytest.raises(ScoringError, match="encoding that is not read"):
            annotated(Origin("tmx", "m", mark + data, ("m",), (0, 1)), COLUMNS)


@pytest.mark.parametrize(
    "encoding",
    ["US-ASCII", "ISO-8859-2", "latin1", "windows-1252", "Windows-1251", "KOI8-R", "UTF8"],
)
def test_a_common_encoding_is_read_and_handed_back(encoding: str) -> None:
    data = TMX.replace("é", "").format(encoding=encoding).encode(encoding)
    assert annotated(origin_of("m.tmx", data), COLUMNS).count(b"<note>") == 2


def workbook_with(part: str, content: bytes) -> bytes:
    """A workbook of two sheets, one part of which has another content."""
    book = Workbook()
    book.active.append(["eins"])
    book.create_sheet()
    data = io.BytesIO()
    book.save(data)
    with zipfile.ZipFile(data) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    return zipped(parts | {part: content})


HUGE = b"<worksheet><sheetData><row>" + b"<c/>" * 2_000_000 + b"</row></sheetData></worksheet>"


@pytest.mark.parametrize(
    "data",
    [
        workbook_with("xl/styles.xml", b"<"),
        workbook_with("xl/theme/theme1.xml", b"<"),
        workbook_with("xl/worksheets/sheet2.xml", HUGE),
        claiming(
            9, workbook_with("xl/theme/theme1.xml", bytes(400_000_000)), "xl/theme/theme1.xml"
        ),
    ],
    ids=["styles", "theme", "a huge second sheet", "a theme that claims to be small"],
)
def test_a_part_that_was_not_read_is_refused_within_a_second_and_100_mb(data: bytes) -> None:
    tracemalloc.start()
    start = time.process_time()
    try:
        with pytest.raises(ScoringError, match="could not be written"):
            annotated(Origin("xlsx", "m", data, ("m",), (1,)), COLUMNS)
        assert time.process_time() - start < 1
        assert tracemalloc.get_traced_memory()[1] < 100 * 1024**2
    finally:
        tracemalloc.stop()


MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
# As one sheet of a workbook, first what stands in its rows, then what stands behind them.
SHARED = '<row><c r="A{}"><f t="shared" si="0">{}</f></c></row>'


def sheet_of(rows: str, behind: str, prefix: str = "") -> bytes:
    text = f"<worksheet><sheetData>{rows}</sheetData>{behind}</worksheet>"
    if prefix:
        text = re.sub("<(/?)", rf"<\1{prefix}:", text)
    space = f' xmlns{":" if prefix else ""}{prefix}="{MAIN}"'
    return text.replace("worksheet", f"worksheet{space}", 1).encode()


def merged(*refs: str) -> str:
    return "<mergeCells>" + "".join(f'<mergeCell ref="{ref}"/>' for ref in refs) + "</mergeCells>"


ONE = [Scores("BLEU", (31.256,), 2, "")]
EXPANDING = {
    "one merged area": sheet_of("", merged("A1:XFD1048576")),
    "many merged areas": sheet_of("", merged(*["C1:CV300"] * 30)),
    "merged columns": sheet_of("", merged("$A:B")),
    "merged rows": sheet_of("", merged("1:9")),
    "an unreadable area": sheet_of("", merged("A1:?")),
    "prefix and entity": sheet_of("", merged("A1&#58;XFD1048576"), "x"),
    "default attribute": b'<!DOCTYPE worksheet [<!ATTLIST mergeCell ref CDATA "A1:XFD1048576">]>'
    + sheet_of("", "<mergeCells><mergeCell/></mergeCells>"),
    "a link": sheet_of("", '<hyperlinks><hyperlink ref="A1:XFD1048576"/></hyperlinks>'),
    "shared formulas": sheet_of(
        SHARED.format(1, "1" + "+A1" * 5_000)
        + "".join(SHARED.format(n, "") for n in range(2, 1_500)),
        "",
    ),
}


@pytest.mark.parametrize("name", EXPANDING)
def test_what_openpyxl_would_expand_is_refused_within_a_second_and_100_mb(name: str) -> None:
    data = workbook_with("xl/worksheets/sheet2.xml", EXPANDING[name])
    tracemalloc.start()
    start = time.process_time()
    try:
        with pytest.raises(ScoringError, match="could not be written"):
            annotated(Origin("xlsx", "m", data, ("m",), (1,)), ONE)
        assert time.process_time() - start < 2  # memory is traced, which takes time as well
        assert tracemalloc.get_traced_memory()[1] < 100 * 1024**2
    finally:
        tracemalloc.stop()


def test_a_part_that_is_several_sheets_is_refused() -> None:
    data = workbook_with("xl/worksheets/sheet2.xml", sheet_of("", ""))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        part = archive.read("xl/workbook.xml")
    found = re.search(rb"<sheet [^>]*rId2[^>]*/>", part)
    assert found
    repeated = part.replace(found[0], found[0] * 9)
    data = workbook_with("xl/workbook.xml", repeated)
    with pytest.raises(ScoringError, match="could not be written"):
        annotated(Origin("xlsx", "m", data, ("m",), (1,)), ONE)


def test_comments_of_several_sheets_in_one_part_are_refused() -> None:
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments"
    relation = f'<Relationship Id="{{}}" Type="{kind}" Target="/xl/comments1.xml"/>'
    space = "http://schemas.openxmlformats.org/package/2006/relationships"
    relations = relation.format("a") + relation.format("b")
    part = f'<Relationships xmlns="{space}">{relations}</Relationships>'.encode()
    data = io.BytesIO(workbook_with("xl/worksheets/_rels/sheet2.xml.rels", part))
    comments = f'<comments xmlns="{MAIN}"><authors/><commentList/></comments>'
    with zipfile.ZipFile(data, "a") as archive:
        archive.writestr("xl/comments1.xml", comments)
    with pytest.raises(ScoringError, match="could not be written"):
        annotated(Origin("xlsx", "m", data.getvalue(), ("m",), (1,)), ONE)


def test_a_comment_on_an_area_is_refused() -> None:
    text = f'<comments xmlns="{MAIN}"><commentList><comment ref="A1:XFD1048576"/></commentList>'
    part = f"{text}</comments>".encode()
    data = workbook_with("xl/comments1.xml", part)
    with pytest.raises(ScoringError, match="could not be written"):
        annotated(Origin("xlsx", "m", data, ("m",), (1,)), ONE)


def test_what_openpyxl_does_not_expand_is_handed_back() -> None:
    behind = (
        merged("A2:C4")
        + '<conditionalFormatting sqref="A1:XFD1048576"><cfRule type="expression" priority="1">'
        "<formula>A1</formula></cfRule></conditionalFormatting>"
        '<dataValidations count="1"><dataValidation sqref="A1:A1048576" type="whole">'
        "<formula1>1</formula1></dataValidation></dataValidations>"
        '<hyperlinks><hyperlink ref="A1" location="A2"/></hyperlinks>'
    )
    rows = SHARED.format(1, "1+B1") + SHARED.format(2, "") + SHARED.format(3, "")
    data = workbook_with("xl/worksheets/sheet2.xml", sheet_of(rows, behind))
    written = annotated(Origin("xlsx", "m", data, ("m",), (1,)), ONE)
    sheet = load_workbook(io.BytesIO(written)).worksheets[1]
    assert [str(each) for each in sheet.merged_cells.ranges] == ["A2:C4"]
    assert sheet["A1"].hyperlink is not None


@pytest.mark.parametrize("kind", ["tmx", "xlsx"])
def test_a_file_that_is_damaged_is_refused(kind: str) -> None:
    with pytest.raises(ScoringError, match="could not be written"):
        annotated(Origin(kind, "m", b"<tmx>", ("m",), (0, 1)), COLUMNS)
