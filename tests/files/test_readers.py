"""Every format gives the same segments, and says where a file is at fault."""

import re
from dataclasses import replace

import pytest

from calculators.files.limits import Limits
from calculators.files.read import ReadSettings
from calculators.scoring import ScoringError

from . import samples
from .samples import (
    HYPOTHESES,
    OTHERS,
    REFERENCES,
    SETTINGS,
    SOURCES,
    TMX,
    TSV,
    WMT,
    XLIFF_1,
    XLIFF_2,
    XLSX,
    lines_of,
    material,
    of,
    reference,
    refusal,
    tsv,
)

JSON_LINES = "\n".join(
    f'{{"source": "{s}", "references": ["{r}"], "systems": {{"one": "{h}", "two": "{o}"}}}}'
    for s, r, h, o in zip(SOURCES, REFERENCES, HYPOTHESES, OTHERS, strict=True)
)

WHOLE = {
    "text": (
        of("one", lines_of(HYPOTHESES), "hypothesis"),
        of("two", lines_of(OTHERS), "hypothesis"),
        of("src.de", lines_of(SOURCES)),
        reference(),
    ),
    "tsv": (of("t.tsv", TSV),),
    "csv": (of("t.csv", TSV.replace("\t", ";")),),
    "pasted table": (of("pasted", TSV),),
    "json lines": (of("t.jsonl", JSON_LINES),),
    "json": (of("t.json", f"[{JSON_LINES.replace(chr(10), ',')}]"),),
    "xlsx": (of("t.xlsx", XLSX),),
    "tmx": (
        of("one.tmx", TMX, "hypothesis"),
        of("two", lines_of(OTHERS), "hypothesis"),
        reference(),
    ),
    "xliff 1.2": (of("one.xlf", XLIFF_1), of("two", lines_of(OTHERS), "hypothesis"), reference()),
    "xliff 2": (of("one.xlf", XLIFF_2), of("two", lines_of(OTHERS), "hypothesis"), reference()),
    "mteval": (
        of("t.sgm", samples.MTEVAL_TEST),
        of("u.sgm", samples.mteval_set("tstset", "other", OTHERS)),
        of("r.sgm", samples.MTEVAL_REFERENCE),
        of("s.sgm", samples.MTEVAL_SOURCE),
    ),
}


@pytest.mark.parametrize("name", WHOLE)
def test_every_format_gives_the_same_segments(name: str) -> None:
    found = material(*WHOLE[name])
    assert [system.hypotheses for system in found.systems] == [HYPOTHESES, OTHERS]
    assert [each.lines for each in found.references] == [REFERENCES]
    assert found.sources == SOURCES


def test_wmt_xml_gives_every_system_and_reference() -> None:
    found = material(of("wmttest2022.de-en.all.xml", WMT))
    assert [(each.name, each.hypotheses) for each in found.systems] == [
        ("Lan-Bridge", HYPOTHESES),
        ("Online-W", OTHERS),
    ]
    assert [(each.name, each.lines) for each in found.references] == [
        ("A", REFERENCES),
        ("B", OTHERS),
    ]
    assert found.sources == SOURCES
    assert found.ids == ("news.1:1", "news.1:2", "news.1:3")


@pytest.mark.parametrize("text", [TMX, XLIFF_1, XLIFF_2])
def test_xml_is_read_in_utf_16_too(text: str) -> None:
    data = text.replace('encoding="UTF-8"', 'encoding="UTF-16"').encode("utf-16")
    assert (
        material(of("a.xml", data, "hypothesis"), reference()).systems[0].hypotheses == HYPOTHESES
    )


@pytest.mark.parametrize(
    ("name", "text", "format_name"),
    [("a.tmx", TMX, "tmx"), ("a.xlf", XLIFF_1, "xliff-1.2"), ("a.xlf", XLIFF_2, "xliff-2")],
)
def test_files_of_translation_tools_keep_where_each_segment_stands(
    name: str, text: str, format_name: str
) -> None:
    (origin,) = material(of(name, text), reference()).origins
    assert (origin.format, origin.systems, origin.places) == (format_name, (name,), (0, 1, 2))
    assert origin.data == text.encode()


def test_lines_that_end_in_cr_alone_are_cut_there_with_a_note() -> None:
    found = material(of("old.mac", "\r".join(HYPOTHESES), "hypothesis"), reference())
    assert found.systems[0].hypotheses == HYPOTHESES
    assert found.systems[0].oddities == ("cr-ends",)
    assert "end in CR alone" in found.notes[0]


def test_a_stray_cr_beside_line_feeds_cuts_nothing() -> None:
    text = "one\rmore\ntwo\nthree\n"
    assert material(of("h", text, "hypothesis"), reference()).systems[0].hypotheses == (
        "one\rmore",
        "two",
        "three",
    )


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    found = material(of("h", "\ufeffone\ntwo\nthree", "hypothesis"), reference())
    assert found.systems[0].hypotheses[0] == "one"
    assert found.systems[0].oddities == ("bom",)


def test_bad_utf_8_is_named_by_line_and_byte_and_file() -> None:
    message = refusal(of("h.txt", b"one\ntw\xe9\n", "hypothesis"), reference())
    assert message == (
        "h.txt: line 2 is not UTF-8 text: the fault is at byte 6 of the file, counted from 0; it"
        " looks like Windows-1252: save the file as UTF-8."
    )


@pytest.mark.parametrize("name", ["h.txt", "h.tsv", "h.csv", "h.jsonl", "h.json"])
def test_a_file_without_segments_is_refused_in_words_for_page_and_command_line(name: str) -> None:
    data = "[]" if name == "h.json" else ""
    message = refusal(of(name, data, "hypothesis"), reference())
    assert re.fullmatch(f"{name}: .*; check that it is the right file.", message)


def test_a_nul_is_refused() -> None:
    assert "line 2 holds a NUL" in refusal(of("h.txt", "a\nb\0\n", "hypothesis"), reference())


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("newstest.ref", "reference"),
        ("ref.txt", "reference"),
        ("reference_A.en", "reference"),
        ("wmt22.refB", "reference"),
        ("human.en", "reference"),
        ("src.de", "source"),
        ("preferred.txt", "hypothesis"),
        ("reform.txt", "hypothesis"),
        ("sysA", "hypothesis"),
    ],
)
def test_the_name_of_a_text_tells_its_role_where_none_is_given(name: str, role: str) -> None:
    from calculators.files.text import role_by_name

    assert role_by_name(name) == role


def tmx_of(*variants: tuple[str, str]) -> str:
    body = "".join(f'<tuv xml:lang="{code}"><seg>{text}</seg></tuv>' for code, text in variants)
    return f'<tmx version="1.4"><header srclang="de"/><body><tu>{body}</tu></body></tmx>'


def test_formatting_codes_of_tmx_are_no_text_and_subflows_are() -> None:
    coded = (
        '<bpt i="1">&lt;b></bpt>bold<ept i="1">&lt;/b></ept> <ph>&lt;img alt="<sub>x</sub>"></ph>'
    )
    found = material(of("a.tmx", tmx_of(("de", "s"), ("en", coded))), of("r", "r", "reference"))
    assert found.systems[0].hypotheses == ("bold x",)


def test_a_tmx_of_several_languages_asks_which() -> None:
    text = tmx_of(("de", "s"), ("en", "e"), ("fr", "f"))
    assert "say which language is the translation; the file has: de, en, fr" in refusal(
        of("a.tmx", text), of("r", "r", "reference")
    )
    settings = replace(SETTINGS, target_language="FR")
    found = material(of("a.tmx", text), of("r", "r", "reference"), settings=settings)
    assert found.systems[0].hypotheses == ("f",)


def test_several_translations_in_a_tmx_are_several_references_but_not_one_hypothesis() -> None:
    text = tmx_of(("de", "s"), ("en", "e"), ("en", "f"))
    found = material(of("h", "h", "hypothesis"), of("a.tmx", text, "reference"))
    assert [each.lines for each in found.references] == [("e",), ("f",)]
    assert "several translations" in refusal(of("a.tmx", text), of("r", "r", "reference"))


def test_proposals_in_an_xliff_are_hypotheses_and_its_targets_references() -> None:
    proposal = '</target><alt-trans origin="Engine"><target>machine</target></alt-trans>'
    text = XLIFF_1.replace("</target>", proposal)
    found = material(of("a.xlf", text))
    assert [(each.name, each.hypotheses) for each in found.systems] == [
        ("Engine", ("machine",) * 3)
    ]
    assert found.references[0].lines == HYPOTHESES
    assert "proposals were read as hypotheses" in found.notes[0]
    assert (
        material(of("a.xlf", text, "hypothesis"), reference()).systems[0].hypotheses == HYPOTHESES
    )


def test_a_unit_without_a_target_is_an_empty_hypothesis_and_is_told() -> None:
    text = XLIFF_1.replace('<target state="translated">Nobody minded waiting.</target>', "")
    found = material(of("a.xlf", text), reference())
    assert found.systems[0].hypotheses[1] == ""
    assert found.notes == ("a.xlf has no hypothesis for 1 segment (2): scored as empty.",)


def test_units_not_to_be_translated_are_left_out_and_keep_their_places() -> None:
    text = XLIFF_1.replace('<trans-unit id="u2">', '<trans-unit id="u2" translate="no">')
    (origin,) = material(of("a.xlf", text), of("r", "a\nb\n", "reference")).origins
    assert origin.places == (0, 2)


def test_a_second_file_in_another_order_is_put_in_the_order_of_the_first() -> None:
    units = [f"<trans-unit{part}" for part in XLIFF_1.split("<trans-unit")[1:]]
    units[-1], end = units[-1].split("</group>")
    start = XLIFF_1.split("<trans-unit")[0]
    turned = f"{start}{units[2]}{units[0]}{units[1]}</group>{end}"
    found = material(of("a.xlf", XLIFF_1), of("ref.xlf", turned, "reference"))
    assert found.references[0].lines == HYPOTHESES
    assert "put in the order of a.xlf" in found.notes[0]


def test_a_segment_that_a_file_lacks_has_no_place_in_it() -> None:
    start, middle, *rest = XLIFF_1.split("<trans-unit ")
    short = "<trans-unit ".join((start, *rest))
    assert middle not in short
    found = material(of("a.xlf", XLIFF_1), of("b.xlf", short), reference())
    assert found.systems[1].hypotheses == ("", *HYPOTHESES[1:])
    assert [origin.places for origin in found.origins] == [(0, 1, 2), (None, 0, 1)]


@pytest.mark.parametrize("text", [TMX, XLIFF_1, XLIFF_2, WMT])
def test_broken_xml_is_named_by_line_and_never_quoted(text: str) -> None:
    broken = text.replace("Niemand", "Nie&secret;mand", 1)
    message = refusal(of("a.xml", broken), reference())
    assert "not well-formed XML" in message
    line = broken[: broken.index("secret")].count("\n") + 1
    assert f"line {line}," in message
    assert "secret" not in message
    assert "not well-formed XML" in refusal(of("a.xml", text[: len(text) // 2]), reference())


def test_mteval_takes_entities_and_attributes_in_any_writing() -> None:
    text = (
        "<TSTSET SetID=x><Doc DocID='d 1' SysID=a><SEG ID=1>&lt;a&gt; &amp;amp; &quot;b&quot;"
        " &#233;</SEG></Doc></TSTSET>"
        '<refset setid="x"><doc docid="d 1" sysid=r><seg id="1">ref</seg></doc></refset>'
    )
    found = material(of("t.sgm", text))
    assert found.systems[0].hypotheses == ('<a> &amp; "b" é',)


def test_mteval_counts_segments_without_a_number_in_every_document() -> None:
    def one(kind: str) -> str:
        documents = (f"<doc docid={d} sysid=s><seg>{d}1</seg><seg>{d}2</seg></doc>" for d in "ab")
        return f"<{kind}>{''.join(documents)}</{kind}>"

    found = material(of("t.sgm", one("tstset") + one("refset")))
    assert found.ids == ("a:1", "a:2", "b:1", "b:2")
    assert found.systems[0].hypotheses == ("a1", "a2", "b1", "b2")


def test_mteval_lines_up_documents_by_their_names() -> None:
    def one(kind: str, name: str, *documents: tuple[str, str]) -> str:
        inside = "".join(
            f'<doc docid="{document}" sysid="{name}"><seg id="1">{text}</seg></doc>'
            for document, text in documents
        )
        return f'<{kind} setid="s">{inside}</{kind}>'

    found = material(
        of("s.sgm", one("srcset", "src", ("a", "A"), ("b", "B"))),
        of(
            "r.sgm", one("refset", "r1", ("b", "rb"), ("a", "ra")) + one("refset", "r2", ("a", "x"))
        ),
        of("t.sgm", one("tstset", "sys", ("b", "tb"))),
    )
    assert found.ids == ("a:1", "b:1")
    assert [each.lines for each in found.references] == [("ra", "rb"), ("x", None)]
    assert found.systems[0].hypotheses == ("", "tb")
    assert "sys has no hypothesis for 1 segment (1): scored as empty." in found.notes


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<tstset>\n<doc docid=d>\n<seg id=1>a\n<seg id=2>b</seg></doc></tstset>", "line 4"),
        ("<tstset>\n<doc docid=d>\n<seg id=1>a</doc></tstset>", "line 3"),
        ("<tstset>\n<doc docid=d>\n<seg id=1>a", "line 3: the segment is not closed"),
        ("<tstset>\n<seg id=1>a</seg></tstset>", "line 2: the segment stands in no document"),
        (
            "<tstset><doc docid=d>\n<seg id=1>a</seg>\n<seg id=1>b</seg></doc></tstset>",
            "line 3: the document has a segment of this number already",
        ),
        ("<tstset></tstset>", "holds no segment"),
    ],
)
def test_faults_of_mteval_sets_are_named_by_line(text: str, words: str) -> None:
    assert words in refusal(of("t.sgm", text), reference())


def test_what_lacks_is_said() -> None:
    assert "no reference" in refusal(of("h", "a", "hypothesis"))
    assert "no hypothesis" in refusal(of("r", "a", "reference"))


def test_files_of_one_name_are_told_apart() -> None:
    found = material(
        of("a", "x", "hypothesis"), of("a", "y", "hypothesis"), of("a", "z", "reference")
    )
    assert [name for name, _ in found.streams] == ["a", "a (2)", "a (3)"]


def test_a_source_of_another_length_is_left_out_with_a_note() -> None:
    found = material(
        of("h", "a\nb", "hypothesis"), of("r", "a\nb", "reference"), of("s", "a", "source")
    )
    assert found.sources is None
    assert "the source has 1 line" in found.notes[0]


def test_files_past_the_bounds_are_refused_with_the_command_that_takes_them() -> None:
    small = ReadSettings(Limits(bytes=1_000, segments=2))
    assert "python manage.py score" in refusal(of("h", "a" * 2_000, "hypothesis"), settings=small)
    for upload in (
        of("h", "a\nb\nc\n", "hypothesis"),
        of("h.tsv", tsv(("ref", "mt"), *[("a", "b")] * 3)),
        of("h.csv", "ref,mt\n" + "a,b\n" * 3),
        of("h.jsonl", '"a"\n"b"\n"c"\n'),
        of("h.json", '["a", "b", "c"]'),
        of("h.sgm", samples.mteval_set("tstset", "s", "abc")),
        of("h.xlf", XLIFF_2.replace(" xmlns", " a")[:900]),
    ):
        if upload.name != "h.xlf":
            assert "more than the 2 segments" in refusal(upload, settings=small), upload.name
    medium = ReadSettings(Limits(bytes=100_000, segments=2))
    for upload in (of("h.tmx", TMX), of("h.xlf", XLIFF_1), of("h.xml", WMT), of("h.xlsx", XLSX)):
        assert "more than the 2 segments" in refusal(upload, settings=medium), upload.name


def test_streams_of_different_lengths_are_read_and_refused_only_for_scoring() -> None:
    found = material(of("h", "a\nb\nc", "hypothesis"), of("r", "a\nb", "reference"))
    assert not found.is_aligned
    with pytest.raises(ScoringError, match="r has 2 lines, h has 3 lines"):
        found.corpus()
