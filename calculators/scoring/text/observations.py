"""Sentences on what is odd about a text, whatever the metric: they change no score."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..corpus import Corpus, Segment
from .splitting import Advice, use_another_tokenizer


@dataclass(frozen=True, slots=True)
class Observed:
    """What there is to say of a text, whatever the metric."""

    sentences: tuple[str, ...]  # one of a kind
    unspaced: Mapping[str, int]  # language written without spaces -> its first line, from 1
    is_sentence: bool

    @classmethod
    def of(cls, corpus: Corpus) -> Observed:
        """What a look at every line shows."""
        about_empty = (*_empty_hypotheses(corpus), *_empty_references(corpus))
        sentences = (*about_empty, *_identical(corpus), *_first_of_each_kind(corpus))
        return cls(sentences, _unspaced(corpus), len(corpus) == 1)

    def told(self, advice: Advice) -> tuple[str, ...]:
        """The sentences for a metric that offers ``advice`` on text without spaces."""
        for language, line in self.unspaced.items():
            if what_to_do := advice(language):
                where = "" if self.is_sentence else f"Line {line:,}: "
                told = f"{where}{language} is written without spaces between words. {what_to_do}"
                return (*self.sentences, told)
        return self.sentences


def observations(corpus: Corpus, advice: Advice = use_another_tokenizer) -> tuple[str, ...]:
    """What a user should know about the text: one sentence of a kind, naming the first line.

    ``advice`` says what the metric offers for a language written without spaces.
    """
    return Observed.of(corpus).told(advice)


def _is_empty(text: str) -> bool:
    return not text or text.isspace()


def _empty_hypotheses(corpus: Corpus) -> list[str]:
    lines = [
        line for line, segment in enumerate(corpus.segments, 1) if _is_empty(segment.hypothesis)
    ]
    if not lines:
        return []
    if len(corpus) == 1:
        return ["The hypothesis is empty."]
    if len(lines) == len(corpus):
        return ["All lines of the hypothesis are empty."]
    if len(lines) == 1:
        return [f"Line {lines[0]:,} of the hypothesis is empty; it is scored as it is."]
    return [
        f"{len(lines):,} lines of the hypothesis are empty, the first is line {lines[0]:,};"
        " they are scored as they are."
    ]


def _empty_references(corpus: Corpus) -> list[str]:
    places = [
        (line, number)
        for line, segment in enumerate(corpus.segments, 1)
        for number, reference in enumerate(segment.references, 1)
        if _is_empty(reference)
    ]
    if not places:
        return []
    line, number = places[0]
    several = len(corpus.segments[line - 1].references) > 1
    which = f"reference {number}" if several else "the reference"
    counted = "It counts as a reference of no words."
    if len(corpus) == 1:
        return [_empty_references_of_one(corpus.segments[0], [number for _, number in places])]
    if len(places) == 1:
        return [f"Line {line:,} of {which} is empty. {counted}"]
    return [
        f"{len(places):,} lines of references are empty, the first is line {line:,} of {which}."
        " Each counts as a reference of no words."
    ]


def _empty_references_of_one(segment: Segment, numbers: Sequence[int]) -> str:
    several = len(segment.references) > 1
    if several and len(numbers) == len(segment.references):
        return "All references are empty. Each counts as a reference of no words."
    if len(numbers) > 1:
        first = ", ".join(map(str, numbers[:-1]))
        return f"References {first} and {numbers[-1]} are empty. Each counts as one of no words."
    which = f"Reference {numbers[0]}" if several else "The reference"
    return f"{which} is empty. It counts as a reference of no words."


def _identical(corpus: Corpus) -> list[str]:
    lines = [
        line
        for line, segment in enumerate(corpus.segments, 1)
        if segment.hypothesis in segment.references and not _is_empty(segment.hypothesis)
    ]
    if not lines:
        return []
    if len(corpus) == 1:
        return ["The hypothesis is identical to a reference."]
    if len(lines) == len(corpus):
        return [
            "Every line of the hypothesis is identical to a reference. Is one file given twice?"
        ]
    if 2 * len(lines) <= len(corpus):
        return []  # some lines of a good system always are
    return [
        f"{len(lines):,} of {len(corpus):,} lines of the hypothesis are identical to a reference,"
        f" the first is line {lines[0]:,}."
    ]


def _first_of_each_kind(corpus: Corpus) -> list[str]:
    """For each kind of oddity the sentence on the first segment that has it, in that order."""
    found: dict[Callable[[Segment], str], str] = {}
    wanted = list(_KINDS)
    for line, segment in enumerate(corpus.segments, 1):
        for kind in wanted:
            if sentence := kind(segment):
                found[kind] = sentence if len(corpus) == 1 else f"Line {line:,}: {sentence}"
        wanted = [kind for kind in wanted if kind not in found]
        if not wanted:
            break
    return [_capital(found[kind]) for kind in _KINDS if kind in found]


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _differs_in_case(segment: Segment) -> str:
    hypothesis, lowered = segment.hypothesis, segment.hypothesis.lower()
    if hypothesis in segment.references:
        return ""
    if any(
        len(reference) == len(hypothesis) and reference.lower() == lowered
        for reference in segment.references
    ):
        return "the hypothesis differs from a reference only in upper and lower case."
    return ""


def _differs_in_normal_form(segment: Segment) -> str:
    if segment.hypothesis.isascii():
        return ""
    own = _form(segment.hypothesis)
    if own and any(_form(text) not in ("", own) for text in segment.references):
        return (
            "hypothesis and reference write the same accented letters in different Unicode forms"
            " (NFC and NFD), so words that look alike don't match. Bring both into one form."
        )
    return ""


def _form(text: str) -> str:
    """NFC or NFD where the two differ for ``text``, else nothing."""
    if text.isascii():
        return ""
    composed = unicodedata.is_normalized("NFC", text)
    if composed == unicodedata.is_normalized("NFD", text):
        return ""
    return "NFC" if composed else "NFD"


_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
# By the tools that have them: not every metric has a choice of tokenisers that names them.
_BY_TOOL = "mteval (NIST) and sacreBLEU (13a)"
_DECODED_BY_13A = frozenset(("&quot;", "&amp;", "&lt;", "&gt;"))


def _has_entities(segment: Segment) -> str:
    for side, text in _sides(segment):
        entities = _ENTITY.findall(text) if "&" in text else ()
        if not entities:
            continue
        unknown = [entity for entity in entities if entity not in _DECODED_BY_13A]
        if not unknown:
            return (
                f"the {side} has HTML entities. The tokenisers of {_BY_TOOL} decode &quot; &amp;"
                " &lt; &gt;, as TER's normalisation does; elsewhere they are scored as they stand."
            )
        kind = "numeric ones such as &#39;" if unknown[0][1] == "#" else "named ones"
        return (
            f"the {side} has HTML entities ({kind}). Decode them first: mteval and sacreBLEU"
            " read only &quot; &amp; &lt; &gt; and score the others as they stand."
        )
    return ""


_TYPOGRAPHIC = re.compile("[\u2018-\u201f]")
_STRAIGHT = re.compile("[\"']")


def _differs_in_quotes(segment: Segment) -> str:
    own = _quotes(segment.hypothesis)
    if own and any(_quotes(text) not in ("", own) for text in segment.references):
        return (
            "one side has typographic quotes or apostrophes, the other straight ones. They don't"
            f" match, and the tokenisers of {_BY_TOOL} don't split typographic ones off the words."
        )
    return ""


def _quotes(text: str) -> str:
    """The one kind of quotation marks in ``text``; nothing where there are none or both."""
    typographic = not text.isascii() and _TYPOGRAPHIC.search(text) is not None
    straight = _STRAIGHT.search(text) is not None
    if typographic == straight:
        return ""
    return "typographic" if typographic else "straight"


# A run this long has several words in it, so the text was not split into words before.
_THAI_LIKE = re.compile(
    "(?P<Thai>[\u0e01-\u0e5b]{12})|(?P<Lao>[\u0e81-\u0edf]{12})"
    "|(?P<Burmese>[\u1000-\u109f]{12})|(?P<Khmer>[\u1780-\u17ff]{12})"
)
_IDEOGRAPHS = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_KANA = re.compile("[\u3041-\u30ff]")
_CHINESE_LIKE = re.compile(f"[{_IDEOGRAPHS}\u3041-\u30ff]{{6}}")


def _unspaced(corpus: Corpus) -> Mapping[str, int]:
    """The languages written without spaces, in order, each with the first line that is in it."""
    found: dict[str, int] = {}
    for line, segment in enumerate(corpus.segments, 1):
        language = next(filter(None, map(unspaced_language, _texts(segment))), "")
        if language:
            found.setdefault(language, line)
    return found


def _texts(segment: Segment) -> Iterable[str]:
    return (segment.hypothesis, *segment.references)


def unspaced_language(text: str) -> str:
    """The language of a text that is written without spaces; nothing where it has them."""
    if text.isascii():
        return ""
    if run := _THAI_LIKE.search(text):
        return run.lastgroup or ""
    if _CHINESE_LIKE.search(text):
        return "Japanese" if _KANA.search(text) else "Chinese"
    return ""


def _sides(segment: Segment) -> Sequence[tuple[str, str]]:
    references = [("reference", reference) for reference in segment.references]
    return [("hypothesis", segment.hypothesis), *references]


_KINDS: tuple[Callable[[Segment], str], ...] = (
    _differs_in_case,
    _differs_in_normal_form,
    _has_entities,
    _differs_in_quotes,
)
