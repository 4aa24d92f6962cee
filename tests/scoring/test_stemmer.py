"""The stemmer is NLTK's Porter, word for word."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from nltk.stem.porter import PorterStemmer

from calculators.scoring.text.stemmer import stem

SETS = Path(__file__).parents[1] / "data" / "sets"
SUFFIXES = (
    *("s", "ies", "ied", "eed", "ed", "ing", "y", "ational", "alli", "logi", "ion", "sion", "e"),
    *("ll", "bli", "fulli", "ful", "ness", "ize", "izer", "ement", "ment", "ent", "ly", "ous"),
    *("ative", "icate", "ator", "er"),
)


def differing(words: set[str]) -> list[str]:
    """The words whose stem is not NLTK's."""
    porter = PorterStemmer()
    return sorted(word for word in words if stem(word) != porter.stem(word))


def test_every_word_of_the_data_sets_has_nltks_stem() -> None:
    text = " ".join(path.read_text(encoding="utf-8") for path in SETS.glob("*.*"))
    words = {*text.split(), *re.findall(r"\w+", text)}
    assert len(words) > 50_000
    assert differing(words) == []


def test_random_words_with_real_suffixes_have_nltks_stem() -> None:
    draw = random.Random(20)
    words = {
        "".join(draw.choices("aeiouybltsxwzcd'1AYİß", k=draw.randrange(6)))
        + draw.choice(SUFFIXES)
        + draw.choice([*SUFFIXES, "", "", ""])
        for _ in range(60_000)
    }
    assert differing(words) == []


# The examples of Porter (1980) that his steps are explained with; all his steps have been gone
# through in what stands on the right.
@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("plastered", "plaster"),
        ("motoring", "motor"),
        ("hopping", "hop"),
        ("falling", "fall"),
        ("filing", "file"),
        ("happy", "happi"),
        ("relational", "relat"),
        ("vietnamization", "vietnam"),
        ("electriciti", "electr"),
        ("goodness", "good"),
        ("adjustable", "adjust"),
        ("adoption", "adopt"),
        ("cease", "ceas"),
        ("controlling", "control"),
    ],
)
def test_the_papers_examples(word: str, expected: str) -> None:
    assert stem(word) == expected


@pytest.mark.parametrize(
    ("word", "expected"), [("dies", "die"), ("skies", "sky"), ("enjoy", "enjoy"), ("spied", "spi")]
)
def test_nltks_changes_are_in_force(word: str, expected: str) -> None:
    assert stem(word) == expected


def test_a_word_is_short_before_it_is_lower_cased_as_in_nltk() -> None:
    # Lower-cased, the capital with its dot becomes two characters.
    assert differing({"İs", "İes", "İS"}) == []
    assert len(stem("İs")) == 3


def test_a_huge_word_takes_no_huge_time() -> None:
    assert len(stem("y" * 50_000 + "ing")) == 50_000
