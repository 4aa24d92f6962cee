"""Files as people have them, written for the tests: three segments, one or two systems."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence

import pytest
from openpyxl import Workbook

from calculators.files.limits import Limits
from calculators.files.model import Material, Upload
from calculators.files.read import ReadSettings, read
from calculators.scoring import ScoringError

LIMITS = Limits(bytes=4_000_000, segments=10_000)
SETTINGS = ReadSettings(LIMITS)

SOURCES = ("Die Fähre war wieder spät.", "Niemand störte das Warten.", "Wir tranken Kaffee.")
HYPOTHESES = ("The ferry was late again.", "Nobody minded waiting.", "We had <coffee> & tea.")
OTHERS = ("The ferry was again late.", "None minded the wait.", "We drank coffee.")
REFERENCES = ("The ferry was late again.", "Nobody minded the wait.", "We had coffee & tea.")


def of(name: str, text: str | bytes, role: str = "") -> Upload:
    return Upload(name, text if isinstance(text, bytes) else text.encode(), role)


def lines_of(texts: Sequence[str]) -> str:
    return "".join(f"{text}\n" for text in texts)


def reference(texts: Sequence[str] = REFERENCES) -> Upload:
    return of("ref.txt", lines_of(texts), "reference")


def material(*uploads: Upload, settings: ReadSettings = SETTINGS) -> Material:
    return read(uploads, settings)


def refusal(*uploads: Upload, settings: ReadSettings = SETTINGS) -> str:
    with pytest.raises(ScoringError) as caught:
        read(uploads, settings)
    return caught.value.message


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


TMX = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n'
    '<tmx version="1.4"><header creationtool="T" srclang="de-DE" segtype="sentence"'
    ' o-tmf="T" adminlang="en" datatype="plaintext"/>\n<body>\n'
    + "".join(
        f'<tu tuid="{n}"><tuv xml:lang="de-DE"><seg>{escaped(source)}</seg></tuv>\n'
        f'<tuv xml:lang="en-GB"><seg>{escaped(target)}</seg></tuv></tu>\n'
        for n, (source, target) in enumerate(zip(SOURCES, HYPOTHESES, strict=True), 1)
    )
    + "</body></tmx>\n"
)

XLIFF_1 = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n'
    '<file original="page.html" source-language="de" target-language="en" datatype="html">'
    "<header/><body><group>\n"
    + "".join(
        f'<trans-unit id="u{n}"><source>{escaped(source)}</source>\n'
        f'<target state="translated">{escaped(target)}</target></trans-unit>\n'
        for n, (source, target) in enumerate(zip(SOURCES, HYPOTHESES, strict=True), 1)
    )
    + "</group></body></file></xliff>\n"
)

XLIFF_2 = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="de"'
    ' trgLang="en"><file id="f1">\n<unit id="1">'
    + "".join(
        f'<segment id="s{n}"><source>{escaped(source)}</source>'
        f"<target>{escaped(target)}</target></segment><ignorable><source> </source></ignorable>\n"
        for n, (source, target) in enumerate(zip(SOURCES, HYPOTHESES, strict=True), 1)
    )
    + "</unit></file></xliff>\n"
)


def _segments(texts: Sequence[str]) -> str:
    return "".join(f'<seg id="{n}">{escaped(text)}</seg>\n' for n, text in enumerate(texts, 1))


WMT = (
    "<?xml version='1.0' encoding='utf-8'?>\n<dataset id=\"generaltest2022\">\n"
    '<collection id="general"><doc origlang="de" id="news.1" domain="news">\n'
    f'<src lang="de"><p>\n{_segments(SOURCES)}</p></src>\n'
    f'<ref lang="en" translator="A"><p>\n{_segments(REFERENCES)}</p></ref>\n'
    f'<ref lang="en" translator="B"><p>\n{_segments(OTHERS)}</p></ref>\n'
    f'<hyp system="Lan-Bridge" lang="en"><p>\n{_segments(HYPOTHESES)}</p></hyp>\n'
    f'<hyp system="Online-W" lang="en"><p>\n{_segments(OTHERS)}</p></hyp>\n'
    "</doc></collection></dataset>\n"
)


def mteval_set(kind: str, sysid: str, texts: Sequence[str]) -> str:
    segments = "".join(f"<seg id={n}> {escaped(text)} </seg>\n" for n, text in enumerate(texts, 1))
    return (
        f'<{kind} setid="news" srclang="German" trglang="English">\n'
        f'<DOC docid="d1" genre="nw" sysid="{sysid}">\n<hl>\n</hl>\n<p>\n{segments}</p>\n</DOC>\n'
        f"</{kind}>\n"
    )


MTEVAL_SOURCE = mteval_set("srcset", "source", SOURCES)
MTEVAL_REFERENCE = mteval_set("refset", "ref0", REFERENCES)
MTEVAL_TEST = mteval_set("tstset", "engine", HYPOTHESES)


def tsv(*rows: Sequence[str]) -> str:
    return "".join("\t".join(row) + "\n" for row in rows)


TSV = tsv(
    ("source", "reference", "DeepMine", "Onward"),
    *zip(SOURCES, REFERENCES, HYPOTHESES, OTHERS, strict=True),
)


def xlsx(*rows: Sequence[object]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(list(row))
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


XLSX = xlsx(
    ("Source", "Reference", "DeepMine", "Onward"),
    *zip(SOURCES, REFERENCES, HYPOTHESES, OTHERS, strict=True),
)


def zipped(parts: dict[str, bytes], level: int = 9) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return data.getvalue()


def claiming(size: int, data: bytes, name: str) -> bytes:
    """The archive, which now says of one of its parts that it has another size than it has."""
    place = data.rindex(name.encode())  # in the directory, which is at the end
    entry = data.rindex(b"PK\x01\x02", 0, place)
    return data[: entry + 24] + size.to_bytes(4, "little") + data[entry + 28 :]
