"""What is odd about a text is said once a kind, with the line, and without quoting the text."""

from __future__ import annotations

import re
import time
import unicodedata

import pytest

from calculators.scoring import Corpus, find
from calculators.scoring.text.observations import observations


def seen(hypothesis: str, *references: str) -> tuple[str, ...]:
    return observations(Corpus.of(hypothesis, references))


def seen_in(*pairs: tuple[str, str]) -> tuple[str, ...]:
    return observations(Corpus.from_lines([h for h, _ in pairs], [[r for _, r in pairs]]))


def test_nothing_is_said_about_ordinary_text() -> None:
    assert seen("the cat sat on the rug", "the cat sat on the mat", "a cat was on the mat") == ()


def test_an_empty_hypothesis_is_told() -> None:
    assert seen(" \n", "a b") == ("The hypothesis is empty.",)


def test_an_empty_line_is_told_with_its_number() -> None:
    (sentence,) = seen_in(("a b", "a c"), ("", "d"))
    assert sentence.startswith("Line 2 of the hypothesis is empty")
    (sentence,) = seen_in(("a b", "a c"), ("", "d"), ("x", "y"), (" ", "e"))
    assert sentence.startswith("2 lines of the hypothesis are empty, the first is line 2")


def test_a_hypothesis_without_any_text_is_told_as_such() -> None:
    assert seen_in(("", "a"), ("", "b")) == ("All lines of the hypothesis are empty.",)


def test_an_empty_reference_is_told_with_its_number() -> None:
    assert seen("a b", "a c", "") == (
        "Reference 2 is empty. It counts as a reference of no words.",
    )
    (sentence,) = seen_in(("a b", "a c"), ("d", ""))
    assert sentence.startswith("Line 2 of the reference is empty")


def test_both_sides_empty_is_told_of_both() -> None:
    assert len(seen("", "")) == 2


def test_identical_text_is_told() -> None:
    assert seen("a b", "x", "a b") == ("The hypothesis is identical to a reference.",)
    assert "Is one file given twice?" in seen_in(("a", "a"), ("b", "b"))[0]


def test_some_identical_lines_of_a_file_are_no_news() -> None:
    assert seen_in(("a", "a"), ("b", "c")) == ()
    assert seen_in(("a", "a"), ("b", "b"), ("c", "d"))[0].startswith("2 of 3 lines")


def test_case_alone_is_told() -> None:
    (sentence,) = seen("L’ÉCOLE EST FERMÉE", "l’école est fermée")
    assert "only in upper and lower case" in sentence


def test_other_unicode_forms_are_told_both_ways_round() -> None:
    composed = "le café est fermé"
    decomposed = unicodedata.normalize("NFD", composed)
    for pair in ((composed, decomposed), (decomposed, composed)):
        (sentence,) = seen(*pair)
        assert "NFC and NFD" in sentence
    assert seen(composed, composed + "e") == ()
    assert seen(decomposed, decomposed + "e") == ()


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("it&#39;s time", "numeric ones such as &#39;"),
        ("it&#x27;s time", "numeric ones"),
        ("caf&eacute; au lait", "named ones"),
        (
            "Tom &amp; Ann",
            "mteval (NIST) and sacreBLEU (13a) decode &quot; &amp; &lt; &gt;, as TER's",
        ),
    ],
)
def test_html_entities_are_told_by_kind(text: str, part: str) -> None:
    for pair in ((text, "another line"), ("another line", text)):
        (sentence,) = seen(*pair)
        assert part in sentence
        assert ("reference has" if pair[1] is text else "hypothesis has") in sentence


def test_entities_are_decoded_by_what_the_note_names_and_by_nothing_else() -> None:
    pair = Corpus.of("Tom &amp; Ann", ["Tom & Ann"])
    for tokenizer, decodes in (("nist", True), ("13a", True), ("intl", False), ("char", False)):
        run = find("bleu").run(pair, values={"tokenizer": tokenizer, "max_order": 1})
        assert (run.result.value == 1) is decodes
    for normalize in (True, False):
        run = find("ter").run(pair, values={"normalize": normalize})
        assert (run.result.value == 0) is normalize
    assert find("chrf").run(pair).result.value < 1


def test_no_tokeniser_is_named_without_its_tool() -> None:
    for text in ("Tom &amp; Ann", "caf&eacute;", "it&#39;s", "“a b”"):
        (sentence,) = seen(text, 'an "other" line')
        assert not re.search(r"(?<!sacreBLEU \()13a|\bnist\b", sentence)


def test_an_ampersand_is_no_entity() -> None:
    assert seen("salt & pepper; more", "salt and pepper; more") == ()


def test_quotes_of_two_kinds_are_told() -> None:
    (sentence,) = seen("She said “come in”.", 'She said "come in".')
    assert "typographic" in sentence
    assert seen("She said “come in”.", "She told him “come in”.") == ()


@pytest.mark.parametrize(
    ("text", "language", "advice"),
    [
        ("ฉันชอบกินข้าวมาก", "Thai", "Characters (char)"),
        ("ខ្ញុំចូលចិត្តញ៉ាំបាយ", "Khmer", "Characters (char)"),
        ("ຂ້ອຍມັກກິນເຂົ້າຫຼາຍ", "Lao", "Characters (char)"),
        ("ကျွန်တော်ထမင်းစားချင်တယ်", "Burmese", "Characters (char)"),
        ("今天天气不错，我们到公园去散步。", "Chinese", "Chinese (zh) or Characters (char)"),
        ("昨日、東京で大きな地震がありました。", "Japanese", "Characters (char)"),
    ],
)
def test_scripts_without_spaces_are_told_with_advice(text: str, language: str, advice: str) -> None:
    (sentence,) = seen(text, text[1:])
    assert sentence.startswith(f"{language} is written without spaces")
    assert f"tokeniser {advice}, or the metric chrF" in sentence


def test_text_that_was_split_into_words_needs_no_advice() -> None:
    assert seen("วันนี้ อากาศ ดี เรา ไป สวน", "วันนี้ อากาศ ไม่ ดี") == ()
    assert seen("我 喜欢 喝 绿茶", "我 喜欢 咖啡") == ()


def test_a_kind_is_told_once_with_its_first_line() -> None:
    told = seen_in(("a", "b"), ("it&#39;s", "c"), ("it&#39;s", "d"))
    assert len(told) == 1
    assert told[0].startswith("Line 2: ")


def test_the_users_words_are_never_quoted() -> None:
    told = seen("SECRET&secret;“", 'secret&#1;"', "")
    assert told
    assert not any("secret" in sentence.lower() for sentence in told)


def test_a_long_line_costs_little() -> None:
    text = "&" * 50_000 + "&#" * 50_000 + "“" + "é" * 50_000
    start = time.perf_counter()
    seen(text, text[1:])
    assert time.perf_counter() - start < 1
