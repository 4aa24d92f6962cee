"""What visitors type, made fit to keep: line ends, characters that break things, names."""

from __future__ import annotations

import hashlib
import re
import unicodedata

# Directional embeddings and overrides turn the text around them; marks and isolates stay, since
# Arabic and Hebrew need them and every page isolates the whole anyway.
_TURNING = dict.fromkeys(map(ord, "\u202a\u202b\u202c\u202d\u202e"))
_LINE_ENDS = re.compile("\r\n|[\r\u2028\u2029\x85\x0b\x0c]")

# Letters of other scripts, digits and signs, and the Latin letters that they are drawn like; i is
# one of the strokes that all become l.
_LOOKALIKES = str.maketrans(
    "авгдеһіјкӏмнорсԛѕтухԝ" + "αβεηικμνορτυχω" + "013457@$!|i",
    "abrdehljklmhopcqstyxw" + "abenlkmvoptuxw" + "oleastaslll",
)


def cleaned(text: str) -> str:
    """``text`` with LF for every line end and without characters that turn the text around."""
    return _LINE_ENDS.sub("\n", text).translate(_TURNING).strip()


def has_forbidden(text: str) -> bool:
    """Whether there are characters that are no text.

    Control characters but tab and line feed, halves of surrogate pairs, and the code points that
    no XML may carry.
    """
    return any(_is_forbidden(character) for character in text)


def _is_forbidden(character: str) -> bool:
    code = ord(character)
    if character in "\t\n":
        return False
    is_noncharacter = code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
    return is_noncharacter or unicodedata.category(character) in ("Cc", "Cs")


def fingerprint(text: str) -> str:
    """A hash that two texts share if they differ only in case, spacing and width; "" of nothing."""
    plain = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return hashlib.sha256(plain.encode()).hexdigest() if plain else ""


def poses_as_team(name: str, team: frozenset[str] = frozenset()) -> bool:
    """Whether a reader could take ``name`` for the people who run the site.

    ``team`` are the log-in names of those people.
    """
    parts = _letters(name)
    whole = "".join(parts)  # "A.d.m.i.n" is read as one word
    if any(part.startswith(_POSING) or part.endswith(_POSING) for part in (*parts, whole)):
        return True
    return not _POSING_WORDS.isdisjoint((*parts, whole)) or whole in {
        "".join(_letters(member)) for member in team
    }


def _letters(name: str) -> list[str]:
    """The words of ``name`` without case, accents and invisible characters, in Latin letters."""
    decomposed = unicodedata.normalize("NFKD", name)
    visible = "".join(c for c in decomposed if unicodedata.category(c) not in ("Mn", "Cf"))
    return re.findall(r"[^\W_]+", visible.casefold().translate(_LOOKALIKES))


# A name that begins or ends with one of these, or has one of the words in it, is refused.
_POSING = tuple(_letters("mtcalc admin administrator moderator webmaster sysop"))
_POSING_WORDS = frozenset(
    _letters("mod mods owner owners staff team support official system root postmaster")
)
