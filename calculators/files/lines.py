"""Files of segments, one a line."""

from __future__ import annotations

import codecs
import re

from ..scoring import ScoringError

# A byte order mark tells the encoding; without one a file is UTF-8.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)

_SAMPLE = 4_096  # bytes that tell what a file is
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x19\x1c-\x1f\x7f]")
_WESTERN_MARKS = frozenset("“”‘’„‚‹›«»–—…€£§°¿¡•™®©\N{NO-BREAK SPACE}")


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
    if not mark and _is_half_nul(data[:_SAMPLE]):
        raise ScoringError(
            "this looks like UTF-16 without a byte order mark; save the file as UTF-8"
        )
    try:
        return body.decode(codec)
    except UnicodeDecodeError as error:
        if not mark and _is_binary(data[:_SAMPLE]):
            raise ScoringError(
                "this is no text but data such as a picture or a program; choose a file of text"
            ) from None
        line = body[: error.start].decode(codec).count("\n") + 1
        way_out = "save the file as UTF-8"
        if not mark and _is_western(body):
            way_out = f"it looks like Windows-1252: {way_out}"
        raise ScoringError(
            f"line {line:,} is not {encoding} text: the fault is at byte"
            f" {len(mark) + error.start:,} of the file, counted from 0; {way_out}"
        ) from None


def _is_half_nul(sample: bytes) -> bool:
    """Whether every other byte is mostly NUL, as in UTF-16 of most scripts."""
    first, second = sorted((sample[::2].count(0), sample[1::2].count(0)))
    return first == 0 and second > len(sample) // 4


def _is_binary(sample: bytes) -> bool:
    """Whether bytes that are no UTF-8 have control characters as no text has them."""
    return 0 in sample or 20 * len(_CONTROLS.findall(sample)) > len(sample)


def _is_western(body: bytes) -> bool:
    """Whether bytes that are no UTF-8 make sense in Windows-1252.

    Other encodings of one or two bytes a character give letters there as well, but then hardly any
    letter is of ASCII; and text that holds whole characters of UTF-8 is UTF-8 with a fault.
    """
    try:
        text = body.decode("cp1252")
    except UnicodeDecodeError:
        return False
    is_sensible = all(
        each.isalpha() or each in _WESTERN_MARKS for each in set(text) if not each.isascii()
    )
    letters = [each for each in text if each.isalpha()]
    is_mixed = 5 * sum(not each.isascii() for each in letters) < 2 * len(letters)
    is_whole = not _CONTROLS.search(body) and body.decode(errors="ignore").isascii()
    return is_sensible and is_mixed and is_whole
