"""What the page for files calls the metrics and their differences."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.management import call_command

from calculators.files.choices import Choice, labels_of, offered
from calculators.scoring import METRICS, find
from calculators.templatetags.show import difference

from .files_page import BLEU, CHRF, REFERENCE, TER, A, B, fields, page_of, post, text_of, upload


def of(*keys: str) -> list[Choice]:
    return [choice for row in offered() for choice in row if choice.key in keys]


def test_two_presets_of_a_metric_are_told_apart_without_a_comma() -> None:
    assert labels_of(of("bleu:nltk", BLEU, CHRF)) == ["BLEU (NLTK)", "BLEU (sacreBLEU)", "chrF"]


def test_a_score_with_a_name_of_its_own_is_called_by_it() -> None:
    assert labels_of(of("ter:wer", "chrf:chrf++")) == ["WER", "chrF++"]
    assert labels_of(of(TER, "ter:wer")) == ["TER", "WER"]
    assert labels_of(of(CHRF, "chrf:chrf++", "chrf:nltk")) == [
        "chrF (sacreBLEU)",
        "chrF++",
        "chrF (NLTK)",
    ]


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.slug)
def test_no_label_holds_a_comma_or_says_a_name_twice(metric) -> None:
    labels = labels_of([Choice(metric, preset) for preset in metric.presets])
    assert len(set(labels)) == len(labels)
    for label in labels:
        assert "," not in label
        words = re.findall(r"[\w+-]+", label)
        assert len(set(words)) == len(words)


def test_a_sentence_on_two_presets_reads_as_one_list() -> None:
    many = {
        "systems": [upload("a.txt", A * 20), upload("b.txt", B * 20)],
        "references": [upload("r.txt", REFERENCE * 20)],
    }
    words = text_of(post(fields(metrics=[BLEU, "bleu:nltk", CHRF], **many)))
    assert "is better than b.txt by BLEU (NLTK), BLEU (sacreBLEU) and chrF" in words


def test_a_difference_of_percentages_is_in_points_on_the_page_and_beside_other_tools() -> None:
    page = page_of(post(fields(metrics=[TER])))
    (row,) = re.findall(r"<td>TER</td><td class=\"figure\">(.*?)</td>", page)
    assert re.fullmatch(r"[+−][\d.]+ points", row.replace("\N{NO-BREAK SPACE}", " "))
    ter, bleu = find("ter"), find("bleu")
    assert ter is not None
    assert bleu is not None
    assert difference(0.0139, ter.scale).replace("\N{NO-BREAK SPACE}", " ") == "1.39 points higher"
    assert "point" not in difference(0.0139, bleu.scale)


def test_what_a_segment_does_to_a_difference_is_not_called_a_share() -> None:
    words = text_of(post(fields(metrics=[TER])))
    assert "Segment Effect What each says" in words
    assert "share" not in words.split("Which segments make the difference")[1].split("Every")[0]


def test_the_command_line_writes_a_difference_of_percentages_in_points(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("a", A), ("b", B), ("r", REFERENCE)):
        (tmp_path / name).write_text(text, "utf-8")
    systems = [f"--hypothesis={tmp_path / name}" for name in ("a", "b")]
    call_command("score", "ter,bleu", *systems, f"--reference={tmp_path / 'r'}", "--compare")
    printed = capsys.readouterr().out
    assert re.search(r"^TER +\S+b +\S+a +[+-][\d.]+ points ", printed, re.M)
    assert re.search(r"^BLEU +\S+b +\S+a +[+-][\d.]+  ", printed, re.M)
