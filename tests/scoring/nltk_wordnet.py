"""NLTK's own reader of WordNet 3.0, over the files of Debian's package wordnet-base."""

from __future__ import annotations

import os
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import nltk
import pytest
from nltk.corpus import WordNetCorpusReader

FOLDER = Path("/usr/share/wordnet")


class _Reader(WordNetCorpusReader):
    def map_wn(self, version: str = "wordnet") -> None:
        """No map between versions: it serves other languages and needs data not on PyPI."""

    def open(self, file: str) -> Any:
        """The file. Debian has none with the lexicographers' names; only their number counts."""
        if file == "lexnames":
            return StringIO("".join(f"{number}\tfile.{number}\t1\n" for number in range(45)))
        return super().open(file)


def require_wordnet() -> Path:
    """The folder of WordNet's files. Without them the test is skipped; in CI it fails."""
    if (FOLDER / "data.noun").exists():
        return FOLDER
    reason = "WordNet is not here: apt-get install wordnet-base"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@cache
def reader() -> WordNetCorpusReader:
    """The reader. It takes some seconds to load."""
    folder = str(require_wordnet())
    nltk.data.path.append(folder)  # NLTK reads nothing outside its own path
    return _Reader(folder, None)


class NoSynonyms:
    """A WordNet that knows no word: switches NLTK's synonym stage off."""

    @staticmethod
    def synsets(_word: str) -> list[object]:
        return []
