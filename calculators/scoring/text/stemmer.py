"""The stems of English words: Porter (1980), "An algorithm for suffix stripping".

With the changes that NLTK made to it, since METEOR's numbers are NLTK's; each is told where it
stands. The words of the paper are kept: a word is a series of consonants (c) and vowels (v),
m is its measure, *o, *d and *v* are conditions on what a suffix leaves.
"""

from __future__ import annotations

from collections.abc import Callable

# NLTK's: words that the rules would spoil.
_IRREGULAR = {
    "skies": "sky",
    "sky": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "news": "news",
    "innings": "inning",
    "inning": "inning",
    "outings": "outing",
    "outing": "outing",
    "cannings": "canning",
    "canning": "canning",
    "howe": "howe",
    "proceed": "proceed",
    "exceed": "exceed",
    "succeed": "succeed",
}

_STEP_2 = {
    "ational": "ate",
    "tional": "tion",
    "enci": "ence",
    "anci": "ance",
    "izer": "ize",
    "bli": "ble",  # Porter's own later change; the paper has "abli"
    "alli": "al",
    "entli": "ent",
    "eli": "e",
    "ousli": "ous",
    "ization": "ize",
    "ation": "ate",
    "ator": "ate",
    "alism": "al",
    "iveness": "ive",
    "fulness": "ful",
    "ousness": "ous",
    "aliti": "al",
    "iviti": "ive",
    "biliti": "ble",
    "fulli": "ful",  # NLTK's
}
_STEP_3 = {
    "icate": "ic",
    "ative": "",
    "alize": "al",
    "iciti": "ic",
    "ical": "ic",
    "ful": "",
    "ness": "",
}
_STEP_4 = dict.fromkeys(
    (
        *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent"),
        *("ou", "ism", "ate", "iti", "ous", "ive", "ize"),
    ),
    "",
)


def stem(word: str) -> str:
    """The stem of ``word``, lower-cased. A word of one or two letters is its own stem."""
    lowered = word.lower()
    if lowered in _IRREGULAR:
        return _IRREGULAR[lowered]
    if len(word) <= 2:
        return lowered
    for step in _STEPS:
        lowered = step(lowered)
    return lowered


def _kinds(word: str) -> str:
    """A "c" for every consonant of ``word`` and a "v" for every vowel.

    A y is a vowel after a consonant and a consonant elsewhere. All but a, e, i, o and u are
    consonants, digits and letters of other scripts among them.
    """
    kinds = []
    kind = "v"
    for letter in word:
        kind = "v" if letter in "aeiou" or (letter == "y" and kind == "c") else "c"
        kinds.append(kind)
    return "".join(kinds)


def _measure(word: str) -> int:
    """m: how often a vowel has a consonant after it."""
    return _kinds(word).count("vc")


def _ends_short(word: str) -> bool:
    """*o: ``word`` ends consonant, vowel, consonant, and not in w, x or y."""
    kinds = _kinds(word)
    if kinds == "vc":  # NLTK's: "us" counts as well, so that "using" gives "use"
        return True
    return kinds.endswith("cvc") and word[-1] not in "wxy"


def _ends_double(word: str) -> bool:
    """*d: ``word`` ends in a doubled consonant."""
    return word[-1:] == word[-2:-1] and _kinds(word).endswith("c")


def _replaced(word: str, endings: dict[str, str], least_measure: int) -> str:
    """``word`` with its longest ending of the table replaced, if enough is left before it."""
    if not word.endswith(tuple(endings)):
        return word
    ending = max(filter(word.endswith, endings), key=len)
    left = word.removesuffix(ending)
    return left + endings[ending] if _measure(left) >= least_measure else word


def _step_1a(word: str) -> str:
    """Plurals."""
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]  # NLTK's for four letters: "dies", "die"
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _step_1b(word: str) -> str:
    """Past tenses and participles."""
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]  # NLTK's: "died", "die"; "spied", "spi"
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        left = word.removesuffix(ending)
        if left != word and "v" in _kinds(left):
            return _mended(left)
    return word


def _mended(left: str) -> str:
    """What "ed" or "ing" left, with the letter that it had lost or gained: "hopp", "hop"."""
    if left.endswith(("at", "bl", "iz")):
        return left + "e"
    if _ends_double(left):
        return left if left[-1] in "lsz" else left[:-1]
    if _measure(left) == 1 and _ends_short(left):
        return left + "e"
    return left


def _step_1c(word: str) -> str:
    """A final y to i: by NLTK's rule after a consonant that is not the word's first letter."""
    if word.endswith("y") and len(word) > 2 and _kinds(word)[-2] == "c":
        return word[:-1] + "i"
    return word


def _step_2(word: str) -> str:
    """Double suffixes to single ones."""
    if word.endswith("alli") and _measure(word[:-4]) > 0:
        return _step_2(word[:-2])  # NLTK's: what is left goes through the step again
    if word.endswith("logi"):  # NLTK's: the l counts with what is left, as in "geologi"
        return word[:-1] if _measure(word[:-3]) > 0 else word
    return _replaced(word, _STEP_2, least_measure=1)


def _step_3(word: str) -> str:
    """The suffixes -ic-, -full, -ness and their like."""
    return _replaced(word, _STEP_3, least_measure=1)


def _step_4(word: str) -> str:
    """Suffixes that go altogether where enough is left."""
    if word.endswith("ion"):
        removable = word.endswith(("sion", "tion")) and _measure(word[:-3]) > 1
        return word[:-3] if removable else word
    return _replaced(word, _STEP_4, least_measure=2)


def _step_5(word: str) -> str:
    """A final e, and the second l of a final pair."""
    if word.endswith("e"):
        left = word[:-1]
        measure = _measure(left)
        if measure > 1 or (measure == 1 and not _ends_short(left)):
            word = left
    if word.endswith("ll") and _measure(word[:-1]) > 1:
        return word[:-1]
    return word


_STEPS: tuple[Callable[[str], str], ...] = (
    _step_1a,
    _step_1b,
    _step_1c,
    _step_2,
    _step_3,
    _step_4,
    _step_5,
)
