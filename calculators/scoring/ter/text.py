"""TER's own preparation of text, as tercom and sacreBLEU's port of it do it.

The rules are few and old: lower case, marks set apart, Asian characters one by one, marks taken
out. They apply in this order, whichever are on; at the end the text is split at white space.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..text.tokenizers import Tokenizer

_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))

# Set apart wherever they stand: the ASCII marks other than the apostrophe, comma, hyphen and full
# stop, which the rules below treat by their neighbours. The ranges are tercom's.
_MARKS = str.maketrans(
    {
        chr(code): f" {chr(code)} "
        for low, high in ("{~", "[`", " &", "(+", ":@", "//")
        for code in range(ord(low), ord(high) + 1)
    }
)
_AFTER_NO_DIGIT = re.compile(r"([^0-9])([.,])")
_BEFORE_NO_DIGIT = re.compile(r"([.,])([^0-9])")
_HYPHEN_AFTER_DIGIT = re.compile(r"([0-9])-")

_ASIAN_MARKS = (
    "\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb"
    "\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09"
)
# Ideographs with their radicals, strokes and compatibility forms, and enclosed letters. Kana stay
# together: the rule for them in sacreBLEU asks for the start of the text and never applies.
_ASIAN_CHARACTER = re.compile(
    "([\u2e80-\u2eff\u31c0-\u31ef\u3200-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f"
    f"{_ASIAN_MARKS}])"
)
_ASIAN_MARK = re.compile(f"[{_ASIAN_MARKS}]")
_PUNCTUATION = str.maketrans("", "", '.,?:;!"()')

_KANA = re.compile("[\u3040-\u30ff\u31f0-\u31ff]")


@dataclass(frozen=True, slots=True)
class Preparation:
    """Which rules are applied to a text before it is compared."""

    lowercase: bool
    normalize: bool
    asian: bool
    no_punct: bool
    twice: bool = False  # the rules are applied to what they gave once more

    @property
    def words(self) -> Tokenizer:
        """Text in, words out; none where it is empty or blank."""
        # The right end goes first, so that a final line break is not taken for a hyphenation. No
        # rule looks further than to the next white space, so texts may be joined for it.
        return Tokenizer(self._prepared, str.split, str.rstrip)

    @property
    def characters(self) -> Tokenizer:
        """Text in, characters out, inner spaces included, none at the ends.

        Normalising and removing marks both leave gaps behind, so with either of them a run of
        white space counts as one space; otherwise the text stands as it was given.
        """
        return Tokenizer(self._prepared, self._characters, str.rstrip, joins=False)

    def _characters(self, prepared: str) -> list[str]:
        if self.normalize or self.no_punct:
            return list(" ".join(prepared.split()))
        return list(prepared.strip())

    def _prepared(self, text: str) -> str:
        once = self._once(text)
        return self._once(" ".join(once.split())) if self.twice else once

    def _once(self, text: str) -> str:
        if self.lowercase:
            text = text.lower()
        if self.normalize and text:
            text = _normalized(text)
            if self.asian:
                text = _ASIAN_CHARACTER.sub(r" \1 ", text)
        if self.no_punct:
            text = text.translate(_PUNCTUATION)
            if self.asian:
                text = _ASIAN_MARK.sub("", text)
        return text


def _normalized(text: str) -> str:
    """``text`` with its lines joined, entities read and marks set apart.

    Periods and commas are treated in two passes that each *use up* the neighbour they look at;
    look-arounds would give other words where several marks follow each other.
    """
    text = text.replace("\n-", "").replace("\n", " ")
    for entity, character in _ENTITIES:
        text = text.replace(entity, character)
    text = f" {text} ".translate(_MARKS).replace("'s ", " 's ")
    text = _AFTER_NO_DIGIT.sub(r"\1 \2 ", text)
    text = _BEFORE_NO_DIGIT.sub(r" \1 \2", text)
    return _HYPHEN_AFTER_DIGIT.sub(r"\1 - ", text)


def has_kana(text: str) -> bool:
    """Whether ``text`` has a Japanese kana, which no rule here sets apart."""
    return _KANA.search(text) is not None
