"""Hostile files: small to send, quick to refuse, and nothing but a refusal comes out."""

import io
import json
import random
import time
import tracemalloc
import zipfile
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calculators.files.model import ROLES, Upload
from calculators.files.read import read
from calculators.scoring import ScoringError

from . import samples
from .samples import SETTINGS, claiming, of, reference, zipped

LAUGHS = (
    '<?xml version="1.0"?>\n<!DOCTYPE tmx [<!ENTITY a0 "ha">'
    + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    + "]>\n<tmx><body><tu><tuv><seg>&a9;</seg></tuv></tu></body></tmx>"
)
QUADRATIC = (
    f'<!DOCTYPE xliff [<!ENTITY a "{"x" * 100_000}">]>\n'
    f"<xliff><file><body><trans-unit><source>{'&a;' * 100_000}</source></trans-unit></body></file>"
    "</xliff>"
)
EXTERNAL = '<!DOCTYPE tmx [<!ENTITY x SYSTEM "file:///etc/passwd">]><tmx><tu>&x;</tu></tmx>'
PARAMETER = '<!DOCTYPE tmx [<!ENTITY % x SYSTEM "http://127.0.0.1/x"> %x;]><tmx/>'
MANY = 1_300_000

PARTS = {
    "xl/workbook.xml": b'<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/'
    b'relationships"><sheets><sheet name="a" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": b'<Relationships><Relationship Id="r1"'
    b' Target="worksheets/sheet1.xml"/></Relationships>',
}


def sheet(rows: bytes) -> bytes:
    return b"<worksheet><sheetData>" + rows + b"</sheetData></worksheet>"


def with_sheet(content: bytes, **more: bytes) -> bytes:
    return zipped(PARTS | {"xl/worksheets/sheet1.xml": content} | more)


BOMBS: dict[str, Callable[[], Upload]] = {
    "entities": lambda: of("a.tmx", LAUGHS),
    "entities in utf-16": lambda: of("a.tmx", LAUGHS.encode("utf-16")),
    "quadratic entities": lambda: of("a.xlf", QUADRATIC),
    "external entity": lambda: of("a.tmx", EXTERNAL),
    "parameter entity": lambda: of("a.tmx", PARAMETER),
    "entities in a sheet": lambda: of(
        "a.xlsx", with_sheet(LAUGHS.replace("tmx", "worksheet").encode())
    ),
    "zip": lambda: of("a.xlsx", with_sheet(sheet(bytes(400_000_000)))),
    "zip within the ratio": lambda: of(
        "a.xlsx", with_sheet(sheet(b"<row><c><v>1</v></c></row>" * 2_000_000))
    ),
    "zip that claims to be small": lambda: of(
        "a.xlsx", claiming(1_000, with_sheet(sheet(bytes(400_000_000))), "sheet1.xml")
    ),
    # Half a megabyte that does not shrink keeps the ratio low.
    "zip too large": lambda: of(
        "a.xlsx", with_sheet(sheet(random.Random(1).randbytes(500_000) + bytes(70_000_000)))
    ),
    "zip of many parts": lambda: of("a.xlsx", zipped({f"p{n}": b"" for n in range(40_000)})),
    "a cell in the last column": lambda: of(
        "a.xlsx", with_sheet(sheet(b'<row r="1"><c r="XFD1"><v>1</v></c></row>'))
    ),
    "deep": lambda: of("a.tmx", "<tmx>" + "<a>" * MANY),
    "deep in a unit": lambda: of("a.tmx", "<tmx><tu>" + "<a>" * MANY),
    "wide": lambda: of("a.tmx", "<tmx>" + "<a/>" * 950_000 + "</tmx>"),
    "wide unit": lambda: of("a.tmx", "<tmx><tu>" + "<a/>" * 950_000 + "</tu></tmx>"),
    "many units": lambda: of("a.tmx", "<tmx>" + "<tu/>" * 750_000 + "</tmx>"),
    "deep json": lambda: of("a.json", "[" * 3_800_000),
    "wide json": lambda: of("a.json", "[" + "[]," * MANY + "[]]"),
    "huge number": lambda: of("a.jsonl", '{"ref": ' + "9" * 3_800_000 + "}"),
    "wide table": lambda: of("a.tsv", "ref\t" * 950_000),
    "many lines": lambda: of("a.txt", "\n" * 3_900_000, "hypothesis"),
    "open quotation": lambda: of("a.csv", 'ref,mt\n"' + "a,b\n" * 950_000),
    "open tags": lambda: of("a.sgm", "<tstset>" + "<seg " * 750_000),
    "open segments": lambda: of("a.sgm", "<tstset><doc docid=a>" + "<seg id=1>" * 380_000),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_within_a_second_and_100_mb(name: str) -> None:
    upload = BOMBS[name]()
    tracemalloc.start()
    try:
        with pytest.raises(ScoringError) as caught:
            read([upload, reference()], SETTINGS)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100 * 1024**2
    assert len(caught.value.message) < 400
    start = time.process_time()
    with pytest.raises(ScoringError):
        read([upload, reference()], SETTINGS)
    assert time.process_time() - start < 1


@pytest.mark.parametrize("text", ["&#" * 1_900_000, "a &amp; b\n" * 380_000, " " * 3_800_000])
def test_a_long_segment_takes_no_longer_than_its_length_tells(text: str) -> None:
    marked = f"<doc docid=a sysid=b><seg id=1>{text}</seg></doc>"
    start = time.process_time()
    read([of("a.sgm", f"<tstset>{marked}</tstset>"), of("r", "a", "reference")], SETTINGS)
    assert time.process_time() - start < 1


def test_a_document_type_without_declarations_is_passed_over() -> None:
    plain = '<!DOCTYPE tmx PUBLIC "-//LISA OSCAR:1998//DTD for TMX//EN" "tmx14.dtd" >'
    text = samples.TMX.replace('<!DOCTYPE tmx SYSTEM "tmx14.dtd">', plain)
    assert samples.material(of("a.tmx", text), reference()).systems[0].hypotheses
    hidden = samples.TMX.replace(
        '<!DOCTYPE tmx SYSTEM "tmx14.dtd">',
        '<!-- <!DOCTYPE tmx> --><!DOCTYPE tmx [<!ENTITY a "b">]>',
    )
    late = "<!-- --><tmx><!-- --><!DOCTYPE tmx></tmx>"
    for text, words in ((hidden, "declares a document type"), (late, "not well-formed")):
        with pytest.raises(ScoringError, match=words):
            samples.material(of("a.tmx", text), reference())


@pytest.mark.parametrize("remark", ["<!-- <tu> -->", "<!-- <!DOCTYPE tmx> -->", "<?tool <tu>?>"])
def test_a_remark_before_the_root_is_no_element_and_no_document_type(remark: str) -> None:
    doctype = '<!DOCTYPE tmx SYSTEM "tmx14.dtd">'
    for prolog in (f"{remark}\n{doctype}", f"{doctype}\n{remark}", remark):
        text = samples.TMX.replace(doctype, prolog)
        for data in (text.encode(), text.replace("UTF-8", "UTF-16").encode("utf-16")):
            found = samples.material(of("a.tmx", data), reference())
            assert found.systems[0].hypotheses == samples.HYPOTHESES


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_workbook_of_another_compression_is_refused_before_any_of_it_is_read(method: int) -> None:
    # These methods expand all that is packed at once, whatever is asked for and claimed.
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as archive:
        archive.writestr("xl/workbook.xml", bytes(200_000_000))
    upload = of("a.xlsx", claiming(500, data.getvalue(), "xl/workbook.xml"))
    tracemalloc.start()
    start = time.process_time()
    try:
        assert "compressed in a way" in samples.refusal(upload, reference())
        assert time.process_time() - start < 1
        assert tracemalloc.get_traced_memory()[1] < 10 * 1024**2
    finally:
        tracemalloc.stop()


def misnamed(data: bytes) -> bytes:
    """The archive, the first name of whose directory says that it is UTF-8 and is not."""
    place = data.index(b"PK\x01\x02")
    flags = int.from_bytes(data[place + 8 : place + 10], "little") | 0x800
    head = data[:place] + data[place : place + 8] + flags.to_bytes(2, "little")
    return head + data[place + 10 : place + 46] + b"\xff\xfe" + data[place + 48 :]


def misplaced(data: bytes) -> bytes:
    """The archive, whose directory is said to be longer than all of it."""
    place = data.rindex(b"PK\x05\x06")
    return data[: place + 19] + bytes([data[place + 19] ^ 0x80]) + data[place + 20 :]


@pytest.mark.parametrize("broken", [misnamed, misplaced])
def test_a_broken_directory_of_a_workbook_is_refused(broken: Callable[[bytes], bytes]) -> None:
    upload = of("a.xlsx", broken(samples.XLSX))
    assert "not a whole XLSX workbook" in samples.refusal(upload, reference())


SEEDS = [
    ("a.tmx", samples.TMX.encode()),
    ("a.xlf", samples.XLIFF_1.encode()),
    ("b.xlf", samples.XLIFF_2.encode()),
    ("a.xml", samples.WMT.encode()),
    ("a.sgm", (samples.MTEVAL_TEST + samples.MTEVAL_REFERENCE).encode()),
    ("a.tsv", samples.TSV.encode()),
    ("a.csv", samples.TSV.replace("\t", ",").encode()),
    ("a.xlsx", samples.XLSX),
    ("a.jsonl", b'{"ref": "a", "mt": "b"}\n{"ref": ["a", null], "mt": {"x": "b"}}\n'),
    ("a.json", b'{"hypotheses": ["a"], "references": [["b"], [null]]}'),
    ("a", b"one\ntwo\n"),
]
PIECES = st.sampled_from(
    b'< > </seg> <seg> & &amp; \0 \xff \r \n " \t <!--'.split(b" ")
    + b"]]> [ { } null \\ud800 1e999 \xef\xbb\xbf \xfe\xff PK\x03\x04 encoding='utf-7'".split(b" ")
    + [b"<!DOCTYPE x>", b"version='2.0'", b""]
)


def outcome(upload: Upload) -> str:
    """Read, and be either material that can be scored or a refusal fit to show."""
    try:
        found = read([upload, reference(("a", "b", "c"))], SETTINGS)
        found.corpus()
    except ScoringError as error:
        return error.message
    return "read"


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    seed=st.sampled_from(SEEDS),
    edits=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 40), PIECES), max_size=4),
    role=st.sampled_from(ROLES),
)
def test_damaged_files_of_every_format_give_a_refusal_or_segments(
    seed: tuple[str, bytes], edits: list[tuple[float, int, bytes]], role: str
) -> None:
    name, data = seed
    for place, cut, piece in edits:
        at = int(place * len(data))
        data = data[:at] + piece + data[at + cut :]
    assert outcome(Upload(name, data, role))


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    name=st.sampled_from([name for name, _ in SEEDS]),
    data=st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda t: t.encode())),
    role=st.sampled_from(ROLES),
)
def test_random_bytes_under_every_ending_give_a_refusal_or_segments(
    name: str, data: bytes, role: str
) -> None:
    assert outcome(Upload(name, data, role))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["ref", "refs", "mt", "id", "hypotheses", "references", "x", ""]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(JSON, st.sampled_from(ROLES))
def test_any_json_gives_a_refusal_or_segments(value: object, role: str) -> None:
    assert outcome(of("a.json", json.dumps(value), role))
    assert outcome(of("a.jsonl", json.dumps(value), role))


CELLS = st.text(st.sampled_from('<c r="A1"t=s>v is/&;_x0000'), max_size=30)


@settings(max_examples=200, deadline=None)
@given(st.lists(CELLS, max_size=4), st.sampled_from(["s", "str", "inlineStr", "n", "b", "e", "?"]))
def test_any_sheet_gives_a_refusal_or_segments(cells: list[str], kind: str) -> None:
    rows = "".join(f'<row r="1"><c t="{kind}"><v>{cell}</v></c></row>' for cell in cells)
    shared = b"<sst><si><t>a</t></si><si/></sst>"
    data = with_sheet(sheet(rows.encode()), **{"xl/sharedStrings.xml": shared})
    assert outcome(of("a.xlsx", data, "hypothesis"))
    named = "".join(f"<row {cell.replace('<', '')}><c {kind}/></row>" for cell in cells)
    assert outcome(of("a.xlsx", with_sheet(sheet(named.encode())), "hypothesis"))


@pytest.mark.parametrize(
    ("upload", "words"),
    [
        (of("a.tmx", "<!DOCTYPE tmx [<!ELEMENT tmx ANY>]>\n<tmx/>"), "declares a document type"),
        (of("a.tmx", "<tmx>\n" + "<a>" * 100), "line 2: the XML is nested too deeply"),
        (of("a.tmx", "<tmx><tu>" + "<a>" * 100), "line 1: the XML is nested too deeply"),
        (of("a.tmx", "<tmx>\n<tu>" + "<a/>" * 6_000), "line 2: a segment has too many elements"),
        (of("a.xlsx", zipped({f"p{n}": b"" for n in range(3_000)})), "too many parts"),
        (
            of("a.xlsx", with_sheet(sheet(bytes(10_000_000)))),
            "unzipped, the workbook would be 9 MiB",
        ),
    ],
)
def test_every_bound_says_what_is_too_much(upload: Upload, words: str) -> None:
    assert words in samples.refusal(upload, reference())
