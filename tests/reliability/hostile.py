"""Bodies that no honest client sends, for every door that takes one."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from typing import Any

from calculators.scoring import AnyMetric

WORD = "kanarienvogel"  # stands in what is sent, and must stand in no refusal
MULTIPART = "multipart/form-data; boundary=b"
FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
PLACE = "@place@"
NAMES = ("hypothesis", "references", "preset", "text", "name", "items", "system_1", "table")

# Written as JSON, so that there are some that Python would not write.
VALUES = (
    *("null", "true", "false", "0", "1", "-1", "-0", "1.5", "1e400", "-1e400", "1e-400"),
    *("NaN", "Infinity", "-Infinity", "9" * 30, "9" * 5000, "1" + "0" * 400 + ".5"),
    *("[]", "{}", "[[]]", "[null]", "[[[[]]]]", "[1, 2]", "[true]", '[""]', '["a", null, 3]'),
    *(f'"{WORD}"', f'["{WORD}"]', f'{{"{WORD}": "{WORD}"}}', f'[["{WORD}"]]', f'"{WORD * 200}"'),
    *('""', '" "', '"\\u0000"', '"\\ud800"', '"\\udc00\\ud800"', '"\\ufeff"', '"\\u202e"'),
    *('"on"', '"1"', '"1e400"', '"NaN"', '"-1"', '"٣"', '"0x10"', '"1_000"', '"1,1,1,1"'),
    *('["0.5", "0.5"]', "[1e400, 1]", "[-1, 2]", "[0, 0, 0, 0]", "[" + "0.1," * 500 + "0.1]"),
    "[" * 500 + "]" * 500,
    "[" * 100_000 + "]" * 100_000,
    '{"a":' * 5_000 + "1" + "}" * 5_000,
    "",
    "'a'",
    "[1,]",
    f'"{WORD}',
)


def documents(metric: AnyMetric) -> Iterator[tuple[str, str]]:
    """A door of the API and a body for it, with each value in each place."""
    options = {spec.name: spec.written(spec.default) for spec in metric.options.specs()}
    shared = {"preset": "", "options": options}
    pair = {"hypothesis": "the cat", "references": ["the cat", "a cat"], **shared}
    corpus = {"hypotheses": ["the cat"], "references": [["the cat", None]], **shared}
    for door, document in (("score", pair), ("corpus", corpus)):
        for body in _with_places(document):
            for value in VALUES:
                yield f"/api/v1/{metric.slug}/{door}", body.replace(f'"{PLACE}"', value)


def gate_documents() -> Iterator[str]:
    """Bodies for the gate's call."""
    item = {"id": "1", "source_text": "the cat", "generated_output": "the cat"}
    for body in _with_places({"items": [item], "threshold": 0.5}):
        yield from (body.replace(f'"{PLACE}"', value) for value in VALUES)


def _with_places(document: Any) -> Iterator[str]:
    """``document`` as JSON with the mark in each place in turn, and as a name of an object."""
    yield f'"{PLACE}"'
    for path in _paths(document):
        yield json.dumps(_replaced(document, path))
    for extra in (f'"{WORD}": "{PLACE}"', f'"": "{PLACE}"', f'"{WORD * 500}": "{PLACE}"'):
        yield json.dumps(document)[:-1] + f", {extra}}}"
    first = next(iter(document))
    yield json.dumps(document)[:-1] + f', "{first}": "{PLACE}"}}'  # the same name twice


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from _paths(value[key], (*path, key))


def _replaced(value: Any, path: tuple[Any, ...]) -> Any:
    if not path:
        return PLACE
    copy = value.copy()
    copy[path[0]] = _replaced(value[path[0]], path[1:])
    return copy


def odd_bodies() -> Iterator[tuple[str, bytes]]:
    """A content type and a body, for any door."""
    fine = json.dumps({"hypothesis": WORD, "references": [WORD]}).encode()
    for kind in (
        *(JSON, "application/json; charset=utf-7", "application/json; charset=nonsense"),
        *(
            "application/json; charset=utf-16",
            "APPLICATION/JSON",
            "application/json;;;",
            "text/json",
        ),
        *(
            "application/x-ndjson",
            "application/json, text/plain",
            "",
            "/",
            ";",
            "\x00",
            "text/plain",
        ),
        *(FORM, f"{FORM}; charset=utf-7", f"{FORM}; charset=idna", f"{FORM}; charset=nonsense"),
        *(
            f"{FORM}; charset=utf-16",
            f"{FORM}; charset=unicode_escape",
            f"{FORM}; charset=undefined",
        ),
        *("multipart/form-data", "multipart/form-data; boundary=", MULTIPART, "multipart/mixed"),
        *(
            f"{MULTIPART}; charset=utf-7",
            f"{MULTIPART}; charset=unicode_escape",
            "multipart/form-data; boundary=" + "b" * 300,
        ),
    ):
        yield kind, fine
        yield kind, b""
        yield kind, b"\xff\xfe" + fine.decode().encode("utf-16-le")
        yield kind, b"\xef\xbb\xbf" + fine
        yield kind, gzip.compress(fine)
        yield kind, bytes(range(256)) * 20
        yield kind, b"hypothesis=%ff%00%ed%a0%80&references=%&%%=&=&&&" + WORD.encode()
        yield kind, b"--b\r\n\r\n--b--"
        # Half characters, as some of Python's encodings write them.
        for half in (b"\\ud800", b"+2AA-", b"\xed\xa0\x80"):
            yield kind, b"&".join(b"%s=%s" % (name.encode(), half) for name in NAMES)
            yield kind, _multipart([_text(name, half) for name in NAMES])


def forms(fields: tuple[str, ...], files: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    """A content type and a body of a form with these fields, sent as none is sent."""
    texts = (
        b"",
        b"\0",
        b"\xff\xfe\xfd",
        b"\xed\xa0\x80",
        b"\xef\xbb\xbf" + WORD.encode(),
        WORD.encode() * 300,
        b"\r" * 500 + b"\n" * 500,
        b"-1",
        b"NaN",
        b"9" * 5_000,
        b"[" * 50_000,
        b'"\\ud800"',
    )
    for name in (*fields, *files):
        for text in texts:
            yield MULTIPART, _multipart([_text(name, text)])
            yield MULTIPART, _multipart([_file(name, WORD, text)])  # a file in the place of a text
    everything = [*fields, *files]
    yield MULTIPART, _multipart([_text(name, b"a") for name in everything] * 2)
    yield MULTIPART, _multipart([_file(name, "a.txt", b"a\n" * 9) for name in everything] * 2)
    yield MULTIPART, _multipart([_text(f"{WORD}{n}", b"a") for n in range(1_001)])
    yield MULTIPART, _multipart([_file(f"{WORD}{n}", "a", b"a") for n in range(101)])
    yield MULTIPART, _multipart([_text(everything[0], b"a")] * 1_001)
    yield FORM, b"&".join(b"%s=1" % everything[0].encode() for _ in range(1_001))
    whole = _multipart([_text(everything[0], WORD.encode())])
    yield from ((MULTIPART, whole[:-cut]) for cut in (1, 4, 7, 20, 40, len(whole) - 3))
    yield "multipart/form-data; boundary=another", whole
    yield MULTIPART, whole.replace(b"--b--", b"--b\r\n" * 200)
    for name in (b"", b'"', b"\0", b"a" * 10_000, b"\xff", b"../../etc/passwd", b"a\r\nX: y"):
        head = b'Content-Disposition: form-data; name="%s"; filename="%s"' % (name, name)
        yield MULTIPART, _multipart([head + b"\r\n\r\n" + WORD.encode()])
    for line in (
        *(b"Content-Transfer-Encoding: base64", b"Content-Transfer-Encoding: x"),
        *(b"Content-Type: text/plain; charset=utf-7", b"Content-Length: -1", b"X" * 2_000, b":"),
    ):
        for head in (_text(everything[0], b"")[:-4], _file(everything[-1], "a", b"")[:-4]):
            yield MULTIPART, _multipart([head + b"\r\n" + line + b"\r\n\r\n%%%" + WORD.encode()])


def _multipart(parts: list[bytes]) -> bytes:
    return b"".join(b"--b\r\n" + part + b"\r\n" for part in parts) + b"--b--\r\n"


def _text(name: str, value: bytes) -> bytes:
    return b'Content-Disposition: form-data; name="%s"\r\n\r\n%s' % (name.encode(), value)


def _file(name: str, called: str, value: bytes) -> bytes:
    named = b'Content-Disposition: form-data; name="%s"; filename="%s"' % (
        name.encode(),
        called.encode(),
    )
    return named + b"\r\nContent-Type: application/octet-stream\r\n\r\n" + value


def addresses(slug: str) -> Iterator[str]:
    """Addresses as scanners send them."""
    odd = ("%00", "%ff", "%ed%a0%80", "..%2f..%2fetc%2fpasswd", "%25", "a" * 5_000, "%0d%0aX:y")
    for value in (*odd, "-1", "NaN", "9" * 400, "", "%20", "%D9%A3", "1_0", "0x1", "[]", "1e5"):
        yield f"/{slug}/?example={value}"
        yield f"/feedback/{slug}/?page={value}"
        yield f"/feedback/yours/{value}/"
        yield f"/feedback/report/{value}/"
        yield f"/files/?example={value}&view={value}"
        yield f"/gate/?example={value}&open={value}"
        yield f"/api/v1/{value}/score"
        yield f"/{value}/"
        yield f"/{slug}/receipt.{value}"
        yield f"/{slug}/recipe-{value}"
        yield f"/static/{value}"
        yield f"/?{value}={value}&{value}"
