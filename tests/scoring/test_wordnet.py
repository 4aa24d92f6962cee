"""The table of synonyms is WordNet 3.0 as NLTK reads it."""

from __future__ import annotations

import gzip
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from calculators.scoring.data import build_wordnet
from calculators.scoring.text.stemmer import stem
from calculators.scoring.text.wordnet import TABLE, wordnet

from .nltk_wordnet import reader, require_wordnet

SETS = Path(__file__).parents[1] / "data" / "sets"
ROOT = Path(__file__).parents[2]


def nltk_synonyms(word: str) -> set[str]:
    """What NLTK's METEOR takes for the synonyms of ``word``."""
    names = (lemma.name() for synset in reader().synsets(word) for lemma in synset.lemmas())
    return {word, *(name for name in names if "_" not in name)}


def test_the_file_is_what_the_command_builds_from_wordnets_files() -> None:
    built = build_wordnet.table(require_wordnet())
    assert gzip.decompress(TABLE.read_bytes()).decode() == built


def test_the_licence_goes_with_the_table() -> None:
    licence = TABLE.with_name("wordnet-licence.txt").read_text(encoding="utf-8")
    assert "WordNet 3.0 Copyright 2006 by Princeton University." in licence
    assert gzip.decompress(TABLE.read_bytes()).startswith(b"WordNet 3.0 Copyright 2006")


def test_words_and_stems_of_the_data_sets_have_nltks_synonyms() -> None:
    require_wordnet()
    text = (SETS / "ted-sk-en-detok.ref").read_text(encoding="utf-8")
    words = set(re.findall(r"[\w'-]+", text.lower()))
    asked = sorted(words | {stem(word) for word in words} | {word.title() for word in words})
    assert [word for word in asked if wordnet().synonyms(word) != nltk_synonyms(word)] == []


def test_entries_and_irregular_forms_have_nltks_synonyms() -> None:
    require_wordnet()
    draw = random.Random(4)
    parts = wordnet().parts
    known = sorted({word for part in parts for word in (*part.entries, *part.exceptions)})
    base = draw.sample(known, 4_000)
    asked = base + [word + draw.choice(("s", "es", "ed", "ing", "er", "est")) for word in base]
    assert [word for word in asked if wordnet().synonyms(word) != nltk_synonyms(word)] == []


@pytest.mark.parametrize(
    ("word", "synonym"),
    # An entry, a regular and an irregular form, an entry of several words, an adjective that
    # WordNet marks as standing before its noun.
    [
        ("car", "automobile"),
        ("dogs", "hound"),
        ("abaci", "abacus"),
        ("asthma_attack", "asthma"),
        ("former", "erstwhile"),
    ],
)
def test_a_word_has_its_synonyms(word: str, synonym: str) -> None:
    assert synonym in wordnet().synonyms(word)


def test_an_unknown_word_is_its_own_only_synonym() -> None:
    assert wordnet().synonyms("automobil") == {"automobil"}


LOADING = """
import resource, time
from calculators.scoring.text.wordnet import wordnet
def memory(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
before, start = memory(), time.process_time()
wordnet()
print(time.process_time() - start, memory() - before)
"""


def test_the_table_loads_in_half_a_second_and_50_megabytes() -> None:
    loaded = subprocess.run(
        [sys.executable, "-c", LOADING], cwd=ROOT, capture_output=True, text=True, check=True
    )
    seconds, megabytes = map(float, loaded.stdout.split())
    assert seconds < 0.5
    assert megabytes < 50
