"""Tokenisers: text in, words out. Each is held to the tool it is named after."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import regex

from ..options import Choice

TOKENIZERS: tuple[Choice, ...] = (
    Choice("nist", "NIST", "mteval's: splits punctuation off, keeps 3.14 and 1,000 whole"),
    Choice("13a", "13a", "sacreBLEU's default: as NIST, and joins lines broken at a hyphen"),
    Choice("intl", "International", "splits punctuation and symbols of every script"),
    Choice("zh", "Chinese", "makes every Chinese character a token, the rest as 13a"),
    Choice("char", "Characters", "makes every character but white space a token"),
    Choice("none", "White space only", "for text that is tokenised already"),
    Choice("gate", "Golden-text gate", "runs of a to z and 0 to 9 of the lower-cased text"),
)


@dataclass(frozen=True, slots=True)
class Tokens:
    """The words of several texts in one list; ``end`` stands after each text and is no word."""

    words: list[str]
    end: str
    texts: int  # how many

    def ends(self) -> Iterator[int]:
        """Where the texts end."""
        place = -1
        for _ in range(self.texts):
            place = self.words.index(self.end, place + 1)
            yield place


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """How a text becomes words: ``spaced`` sets spaces between them, ``split`` splits there."""

    spaced: Callable[[str], str]
    split: Callable[[str], Sequence[str]]
    trimmed: Callable[[str], str] = str.rstrip  # beforehand
    joins: bool = True  # texts joined by spaces and a word are spaced as each by itself

    def __call__(self, text: str) -> tuple[str, ...]:
        """The words of one text."""
        return tuple(self.split(self.spaced(self.trimmed(text))))

    def of_all(self, texts: Sequence[str]) -> Tokens:
        """The words of many texts: the same as one by one, but in one go where the rules allow."""
        if not self.joins:
            each = ((*self(text), "") for text in texts)  # a word is never empty
            return Tokens(list(chain.from_iterable(each)), "", len(texts))
        # Longer than any such word can be, whatever the rules take out between its characters.
        end = _RARE * (1 + "".join(texts).count(_RARE))
        joined = f" {end} ".join([*map(self.trimmed, texts), ""])
        return Tokens(list(self.split(self.spaced(joined))), end, len(texts))


_RARE = "\ue000"  # of private use: no rule splits it off or changes it


def tokenizer(name: str, *, lowercase: bool, as_mteval: bool = False) -> Tokenizer:
    """The tokeniser of that name.

    ``as_mteval`` does what mteval-v13a.pl does where the Python tools differ: only A to Z are
    lower-cased, but for ``intl``, its international tokenisation, and ``nist`` decodes mteval's
    four entities only, in mteval's order.
    """
    ascii_alone = as_mteval and name != "intl"
    lowered = _unchanged if not lowercase else _ascii_lower if ascii_alone else str.lower
    if name == "nist":
        decoded = _decoded if as_mteval else _nltk_decoded

        def as_nist(text: str) -> str:
            return _separated(f" {lowered(decoded(_without_tags(text)))} ")

        return Tokenizer(as_nist, _perl_split if as_mteval else str.split, _unchanged)
    spaced, split, joins = _RULES[name]
    return Tokenizer(lambda text: spaced(lowered(text)), split, joins=joins)


def _unchanged(text: str) -> str:
    return text


_ASCII_LOWER = {ord(letter): letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


def _ascii_lower(text: str) -> str:
    return text.translate(_ASCII_LOWER)


def _without_tags(text: str) -> str:
    return text.replace("<skipped>", "")


def _decoded(text: str) -> str:
    """``text`` with mteval's four entities decoded, in mteval's order: &amp;lt; comes out as <."""
    if "&" not in text:
        return text
    text = text.replace("&quot;", '"').replace("&amp;", "&")
    return text.replace("&lt;", "<").replace("&gt;", ">")


_NLTK_ENTITIES = (
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&apos;", "'"),
    ("&quot;", '"'),
    ("&#124;", "|"),
    ("&#91;", "["),
    ("&#93;", "]"),
    ("&amp;", "&"),
)


def _nltk_decoded(text: str) -> str:
    """``text`` with NLTK's eight entities decoded, in its order: &amp;lt; comes out as &lt;."""
    if "&" in text:
        for entity, character in _NLTK_ENTITIES:
            text = text.replace(entity, character)
    return text


# ASCII punctuation but for the period, the comma, the hyphen and the apostrophe.
_MARKS = tuple((mark, f" {mark} ") for mark in '{|}~[\\]^_`!"#$%&()*+:;<=>?@/')
_MARK_BEFORE_NUMBER = re.compile(r"[.,](?=[0-9]|\Z)")
_OTHER_PERIOD = re.compile(r"\.(?![0-9]|\Z)")
_OTHER_COMMA = re.compile(r",(?![0-9]|\Z)")
# As (?<=[0-9])-, but looking for the rarer hyphen first: ten times as fast.
_HYPHEN_AFTER_DIGIT = re.compile(r"-(?<=[0-9]-)")


def _separated(text: str) -> str:
    """``text`` with spaces around the marks that mteval-v13a splits off in Western languages."""
    for mark, spaced in _MARKS:
        text = text.replace(mark, spaced)
    # Most marks are not before a number. The replacements without a function are the fast ones.
    text = _MARK_BEFORE_NUMBER.sub(_spaced_mark, text)
    text = _OTHER_COMMA.sub(" , ", _OTHER_PERIOD.sub(" . ", text))
    return _HYPHEN_AFTER_DIGIT.sub(" - ", text) if "-" in text else text


def _spaced_mark(last: re.Match[str]) -> str:
    """The last period or comma of a run before a number, as ``_spaced`` has it."""
    text, end = last.string, last.end()
    start = last.start()
    while start and text[start - 1] in ".,":
        start -= 1
    after_number = start == 0 or text[start - 1] in _DIGITS
    stays = after_number != ((end - start) % 2 == 0)
    return last[0] if stays else f" {last[0]} "


_DIGITS = frozenset("0123456789")


def _spaced(marks: str, *, after_number: bool, before_number: bool) -> str:
    """A run of marks with spaces between them, but none where the rules leave it whole.

    The two rules (one for a mark not after a number, one for a mark not before a number) each
    consume the neighbour that they look at, so in a run the first rule takes every second mark.
    What it leaves over at the end stays with a number that follows: ``1.5``, and ``..5`` gives
    ``.`` and ``.5``. The edge of the text counts as a number.
    """
    if not before_number or after_number == (len(marks) % 2 == 0):
        return f" {' '.join(marks)} "
    return marks if len(marks) == 1 else f" {' '.join(marks)}"


def _13a(text: str) -> str:
    text = _without_tags(text).replace("-\n", "")
    return _separated(f" {_decoded(text)} ")


# Unicode categories: N is numbers, P punctuation, S symbols.
_NUMBER = regex.compile(r"\p{N}")
_PUNCTUATION = regex.compile(r"\p{P}+")
_SYMBOLS = regex.compile(r"\p{S}+")


def _intl(text: str) -> str:
    text = _PUNCTUATION.sub(_spaced_punctuation, text)
    return _SYMBOLS.sub(_spread, text)


def _spaced_punctuation(run: regex.Match[str]) -> str:
    text, start, end = run.string, run.start(), run.end()
    after_number = start == 0 or _NUMBER.match(text, start - 1) is not None
    before_number = end == len(text) or _NUMBER.match(text, end) is not None
    return _spaced(run[0], after_number=after_number, before_number=before_number)


def _spread(run: re.Match[str] | regex.Match[str]) -> str:
    return f" {' '.join(run[0])} "


# sacreBLEU's ranges, in its order. It writes the two planes beyond U+FFFF with four digits, so
# what it tests in their place is U+2001 to U+2A6D and U+2F81 to U+2FA1. We follow it, as the
# numbers must agree: rare ideographs stay whole and the dash and the ellipsis are split off.
_CHINESE = re.compile(
    "["
    "\u3400-\u4db5\u4e00-\u9fa5\u9fa6-\u9fbb\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9"
    "\u2001-\u2a6d\u2f81-\u2fa1"
    "\uff00-\uffef\u2e80-\u2eff\u3000-\u303f\u31c0-\u31ef\u2f00-\u2fdf\u2ff0-\u2fff"
    "\u3100-\u312f\u31a0-\u31bf\ufe10-\ufe1f\ufe30-\ufe4f\u2600-\u26ff\u2700-\u27bf"
    "\u3200-\u32ff\u3300-\u33ff"
    "]+"
)


def _zh(text: str) -> str:
    # Without padding: a full stop after a number at the end of the text stays with it.
    return _separated(_CHINESE.sub(_spread, text.strip()))


def _char(text: str) -> str:
    return "".join(text.split())


# Perl's \s holds the no-break space and U+3000 as Python's does, but not U+001C to U+001F.
_PERL_WORD = re.compile(r"[\S\x1c-\x1f]+")


def _perl_split(text: str) -> list[str]:
    return _PERL_WORD.findall(text)


_LETTERS_AND_DIGITS = re.compile(r"[a-z0-9]+")


# How to set spaces, how to split, and whether texts may be joined for it: intl and zh look at the
# edges of the text, char and gate would take the joining word apart.
_RULES: dict[str, tuple[Callable[[str], str], Callable[[str], Sequence[str]], bool]] = {
    "13a": (_13a, str.split, True),
    "intl": (_intl, str.split, False),
    "zh": (_zh, str.split, False),
    "char": (_char, list, False),
    "none": (_unchanged, str.split, True),
    "gate": (str.lower, _LETTERS_AND_DIGITS.findall, False),
}
