"""Files of segments, one a line."""

from __future__ import annotations

import codecs

from ..scoring import ScoringError

# A byte order mark tells the encoding; without one a file is UTF-8.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)


def lines(data: bytes) -> list[str]:
    """The segments of a line-aligned file, in order, empty ones too.

    A line ends at LF, and one CR before it belongs to the end; the last line counts without an
    end. The other characters that Unicode or Python take for line ends (U+2028, NEL, VT, FF, a
    lone CR) are text: a segment that holds one stays one segment.

    Raises ``ScoringError`` where the file is empty or is not text.
    """
    text = decoded(data)
    if not text:
        raise ScoringError("the file is empty; check that it is the right file")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise ScoringError(f"line {line:,} holds a NUL character; save the file as UTF-8 text")
    *ended, rest = text.split("\n")
    segments = [line.removesuffix("\r") for line in ended]
    return [*segments, rest] if rest else segments


def decoded(data: bytes) -> str:
    """The text of a file in UTF-8, or in the encoding that its byte order mark tells."""
    unmarked = (b"", "utf-8", "UTF-8")
    mark, codec, encoding = next((row for row in _MARKS if data.startswith(row[0])), unmarked)
    body = data[len(mark) :]
    try:
        return body.decode(codec)
    except UnicodeDecodeError as error:
        line = body[: error.start].decode(codec).count("\n") + 1
        raise ScoringError(
            f"line {line:,} is not {encoding} text: the fault is at byte"
            f" {len(mark) + error.start:,} of the file, counted from 0"
        ) from None
