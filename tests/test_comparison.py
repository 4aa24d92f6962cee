"""The record of the comparison is written only when nothing differs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from calculators.scoring import METRICS, Corpus

from . import comparison, tools

NIST = ("nist", "NLTK")


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A comparison of one metric on two texts, written to a folder of its own."""
    texts = [
        Corpus.of("the cat sat on the rug", ["the cat sat on the mat"]),
        Corpus.of("a b c d e", ["a b c d e f", "a b"]),
    ]
    target = tmp_path / "comparison.json"
    monkeypatch.setattr(comparison, "TARGET", target)
    monkeypatch.setattr(comparison, "METRICS", [m for m in METRICS if m.slug == "nist"])
    monkeypatch.setattr(comparison, "SETTINGS", {NIST: ({"max_order": 2}, {"max_order": 5})})
    monkeypatch.setattr(comparison, "pairs", lambda slug: iter(texts))
    monkeypatch.setattr(comparison, "files", lambda lines: iter(()))
    return target


def test_agreement_is_written_with_versions_and_counts(small: Path) -> None:
    assert comparison.main() == 0
    data = json.loads(small.read_text("utf-8"))
    assert data["segments"] == 2
    assert data["tools"] == [
        {"name": "NLTK", "version": comparison.version("nltk"), "scores": 4},
    ]


def test_one_difference_is_enough_to_write_nothing(
    small: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def a_little_more(corpus: Corpus, options: Any) -> tools.Figures:
        value = tools.nltk_nist(corpus, options)["value"]
        return {"value": value * (1 + 1e-6 * (options.max_order == 5))}

    monkeypatch.setattr(comparison, "ADAPTERS", {NIST: a_little_more})
    assert comparison.main() == 1
    assert not small.exists()
    assert "2 scores differ" in capsys.readouterr().err


def test_what_the_tool_cannot_score_is_not_counted(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(corpus: Corpus, options: Any) -> tools.Figures:
        raise tools.OtherRules

    monkeypatch.setattr(comparison, "ADAPTERS", {NIST: refuses})
    assert comparison.main() == 0
    assert json.loads(small.read_text("utf-8"))["tools"] == []
