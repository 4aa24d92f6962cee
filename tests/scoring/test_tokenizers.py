"""Each tokeniser gives the words that the tool it is named after gives, on any text."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from sacrebleu.metrics import BLEU

from calculators.scoring.text.tokenizers import TOKENIZERS, tokenizer
from tests.tools import NISTTokenizer

DATA = Path(__file__).resolve().parents[1] / "data"
OF_SACREBLEU = ("13a", "intl", "zh", "char", "none")

# Pieces at which the rules part: marks, digits beside them, entities whole and cut, other scripts,
# all kinds of white space.
PIECES = (
    *"aB05.,.,.,-- \n\t'\"$%_/",
    *("&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#124;", "&#91;", "&#93;", "&AMP;", "&amp;lt;"),
    *("<skipped>", "<skip", "ped>", "-\n", "1998.", "3.14", "1,000", "5-10"),
    *("é", "e\u0301", "İ", "ß", "٣", "½", "²", "好", "。", "「", "𠀀", "ア", "ｱ", "ก"),
    *("…", "—", "‘", "“", "€", "\u00a0", "\u3000", "\u2028", "\u0085", "\x1c", "\x0b", "\ufeff"),
)


def real_texts() -> list[str]:
    lines = (DATA / "golden/bleu.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    texts = [text for row in rows for text in (row["hyp"], *row["refs"])]
    for path in sorted((DATA / "sets").glob("*.ref*")):
        texts += path.read_text(encoding="utf-8").split("\n")[:150]
    return texts


def random_texts(pieces: tuple[str, ...], longest: int, number: int) -> Iterator[str]:
    draw = random.Random(13)
    for _ in range(number):
        yield "".join(draw.choices(pieces, k=draw.randint(0, longest)))


TEXTS = [
    *real_texts(),
    *random_texts(PIECES, 12, 6_000),
    *random_texts((".", ",", "1", "a", "-", " ", "%"), 9, 6_000),
]


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("name", OF_SACREBLEU)
def test_sacrebleus_tokenisers_are_followed_on_real_and_random_text(
    name: str, lowercase: bool
) -> None:
    theirs = BLEU(tokenize=name, lowercase=lowercase)._preprocess_segment
    ours = tokenizer(name, lowercase=lowercase)
    differing = [text for text in TEXTS if list(ours(text)) != theirs(text).split()]
    assert differing == []


@pytest.mark.parametrize("name", OF_SACREBLEU)
def test_every_character_of_the_basic_plane_is_split_as_in_sacrebleu(name: str) -> None:
    surrogates = range(0xD800, 0xE000)
    characters = [chr(code) for code in range(0x10000) if code not in surrogates]
    theirs = BLEU(tokenize=name)._preprocess_segment
    ours = tokenizer(name, lowercase=False)
    text = " ".join(f"a{character}b" for character in characters)
    assert list(ours(text)) == theirs(text).split()


@pytest.mark.parametrize("lowercase", [False, True])
def test_nist_is_nltks_tokeniser_on_real_and_random_text(lowercase: bool) -> None:
    theirs = NISTTokenizer()
    ours = tokenizer("nist", lowercase=lowercase)
    differing = [t for t in TEXTS if list(ours(t)) != theirs.tokenize(t, lowercase=lowercase)]
    assert differing == []


def mteval_rows() -> list[dict[str, str]]:
    rows = []
    for name in ("bleu", "nist"):
        lines = (DATA / f"golden/{name}.jsonl").read_text(encoding="utf-8").splitlines()
        for row in map(json.loads, lines):
            told = (row.get("mteval") or {}).get("tok_hyp")
            if told and "hyp" in row:
                rows.append({"text": row["hyp"], "tokens": told[0]})
    return rows


def test_nist_as_mteval_gives_the_tokens_that_the_script_printed() -> None:
    # The rows do not say whether the script ran with -c (case kept), so either may be meant.
    ways = [tokenizer("nist", lowercase=low, as_mteval=True) for low in (False, True)]
    rows = mteval_rows()
    assert len(rows) > 200
    for row in rows:
        assert row["tokens"] in [" ".join(way(row["text"])) for way in ways]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        # Worked by hand from the rules: a mark is split off unless digits stand on both sides.
        ("It costs 3.14, or 1,000.", "It costs 3.14 , or 1,000 ."),
        ("5-10", "5 - 10"),
        ("well-known", "well-known"),
        # The first rule consumes "a.", so the second period has no neighbour left of it and
        # keeps the digit that follows.
        ("a..5", "a . .5"),
        ("1..5", "1 . . 5"),
    ],
)
def test_periods_commas_and_hyphens_follow_the_rules(text: str, tokens: str) -> None:
    for name in ("nist", "13a"):
        assert " ".join(tokenizer(name, lowercase=False)(text)) == tokens


def test_intl_leaves_a_number_before_the_final_full_stop_whole() -> None:
    assert tokenizer("intl", lowercase=False)("It opened in 1998.")[-1] == "1998."
    assert tokenizer("13a", lowercase=False)("It opened in 1998.")[-2:] == ("1998", ".")


def test_mteval_lowers_ascii_letters_alone() -> None:
    for name in ("nist", "13a", "none"):
        assert tokenizer(name, lowercase=True, as_mteval=True)("ÉCOLE") == ("École",)
        assert tokenizer(name, lowercase=True)("ÉCOLE") == ("école",)


def test_mteval_lowers_all_letters_in_its_international_tokenisation() -> None:
    assert tokenizer("intl", lowercase=True, as_mteval=True)("ÉCOLE") == ("école",)


def test_mteval_does_not_know_the_apostrophe_entity() -> None:
    assert tokenizer("nist", lowercase=False)("it&apos;s") == ("it's",)
    as_mteval = tokenizer("nist", lowercase=False, as_mteval=True)
    assert as_mteval("it&apos;s") == ("it", "&", "apos", ";", "s")


def test_entities_are_decoded_in_each_tools_order() -> None:
    assert tokenizer("nist", lowercase=False)("&amp;lt;") == ("&", "lt", ";")  # & comes last
    assert tokenizer("nist", lowercase=False, as_mteval=True)("&amp;lt;") == ("<",)
    assert tokenizer("13a", lowercase=False)("&amp;lt;") == ("<",)


def test_perl_takes_the_file_separator_for_a_letter() -> None:
    assert tokenizer("nist", lowercase=False, as_mteval=True)("a\x1cb\u00a0c") == ("a\x1cb", "c")
    assert tokenizer("nist", lowercase=False)("a\x1cb\u00a0c") == ("a", "b", "c")


def test_every_tokeniser_is_explained_and_works_on_nothing() -> None:
    known = ["nist", "13a", "intl", "zh", "char", "none", "gate"]
    assert [choice.value for choice in TOKENIZERS] == known
    for choice in TOKENIZERS:
        assert choice.label
        assert choice.help
        assert tokenizer(choice.value, lowercase=True)(" \n ") == ()


def test_the_gates_tokens_are_letters_and_digits_of_the_lower_cased_text() -> None:
    split = tokenizer("gate", lowercase=False)
    assert split("It's 3.14 % — don't!") == ("it", "s", "3", "14", "don", "t")
    assert split("Café №5, ÄB_c 好") == ("caf", "5", "b", "c")
    assert split("\u212aelvin") == ("kelvin",)  # the Kelvin sign is a k once lower-cased
    assert split("… 好 ٣") == ()


ODD_PIECES = (
    *"abΣσ.,-09 \n\t\x1c\x85\u3000\ue000&;'字İ",
    *("<skipped>", "-\n", "&amp;", "&lt;", "skip", "<", ">", "1.5", "..5", "ped>", "&quot", "Σ "),
)


@pytest.mark.parametrize("as_mteval", [False, True])
@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("name", [choice.value for choice in TOKENIZERS])
def test_many_texts_are_split_as_each_by_itself(
    name: str, lowercase: bool, as_mteval: bool
) -> None:
    split, source = tokenizer(name, lowercase=lowercase, as_mteval=as_mteval), random.Random(8)
    for _ in range(400):
        texts = [
            "".join(source.choices(ODD_PIECES, k=source.randrange(12)))
            for _ in range(source.randrange(6))
        ]
        together = split.of_all(texts)
        apart = [word for text in texts for word in (*split(text), together.end)]
        assert together.words == apart
        ends = [place for place, word in enumerate(apart) if word == together.end]
        assert list(together.ends()) == ends
        assert len(ends) == len(texts)
