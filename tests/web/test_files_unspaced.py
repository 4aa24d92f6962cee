"""Text without spaces between words on the page for files: told, held back, and split on demand."""

from __future__ import annotations

import json
import re
from typing import Any

import jiwer
import pytest
from nltk.translate.nist_score import corpus_nist
from sacrebleu import metrics as sacrebleu
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

from calculators.files.choices import offered
from calculators.scoring import METRICS
from calculators.scoring.text.splitting import WAYS

from .files_page import (
    BLEU,
    CHRF,
    DOWNLOAD,
    NIST,
    SETS,
    TER,
    again,
    answer_of,
    fields,
    page_of,
    post,
    rescored,
    text_of,
    upload,
)

METEOR = "meteor:nltk"
EVERY = [NIST, TER, BLEU, METEOR, CHRF]
MANY = 60


def lines(part: str, name: str = "wmt22-en-zh") -> list[str]:
    return (SETS / f"{name}.{part}").read_text("utf-8").split("\n")[:MANY]


def sent(name: str = "wmt22-en-zh", **more: Any) -> dict[str, Any]:
    def file(part: str) -> Any:
        return upload(part, "\n".join(lines(part, name)) + "\n")

    return fields(
        systems=[file("sysA"), file("sysB")],
        references=[file("ref")],
        **({"metrics": EVERY} | more),
    )


def scores(answer: Any) -> dict[str, list[float]]:
    """The label of a metric -> the score of each system, as the page shows it but unrounded."""
    return {
        label: [
            cells[column].standing.value * choice.metric.scale.multiplier
            for _, cells in answer.table
        ]
        for column, (choice, label) in enumerate(answer.heads)
    }


def of_both(score: Any) -> Any:
    return pytest.approx([score(lines("sysA")), score(lines("sysB"))], abs=1e-9)


def in_nltk(split: Any) -> Any:
    references = [[split(line)] for line in lines("ref")]
    return of_both(lambda hypotheses: corpus_nist(references, list(map(split, hypotheses)), 5))


def test_as_chinese_the_numbers_are_sacrebleu_s() -> None:
    found = scores(answer_of(post(sent(splitting="zh", metrics=[*EVERY, "ter:page"]))))
    bleu, ter = sacrebleu.BLEU(tokenize="zh"), sacrebleu.TER(normalized=True, asian_support=True)
    rate = of_both(lambda hypotheses: ter.corpus_score(hypotheses, [lines("ref")]).score)
    assert found["BLEU"] == of_both(lambda h: bleu.corpus_score(h, [lines("ref")]).score)
    assert found["TER (sacreBLEU)"] == found["TER (punctuation split off)"] == rate
    zh = TokenizerZh()
    assert found["NIST"] == in_nltk(lambda line: zh(line.lower()).split())


def test_by_characters_the_numbers_are_sacrebleu_s_jiwer_s_and_nltk_s() -> None:
    metrics = ["ter:wer", *EVERY]
    found = scores(answer_of(post(sent(splitting="char", metrics=metrics))))
    bleu = sacrebleu.BLEU(tokenize="char")
    assert found["BLEU"] == of_both(lambda h: bleu.corpus_score(h, [lines("ref")]).score)
    assert found["WER"] == of_both(lambda h: 100 * jiwer.cer(lines("ref"), h))
    assert found["NIST"] == in_nltk(lambda line: list("".join(line.lower().split())))


def test_characters_are_counted_already_where_a_metric_declares_no_way() -> None:
    plain, split = (answer_of(post(sent(splitting=way, metrics=[CHRF]))) for way in ("", "char"))
    assert scores(plain) == scores(split)
    assert [choice.key for choice in split.sheet.choices] == [CHRF]


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.slug)
def test_a_way_that_a_metric_declares_settles_what_it_says_of_the_language(metric: Any) -> None:
    for name, values in metric.splitting.ways.items():
        (way,) = (way for way in WAYS if way.name == name)
        for preset in metric.presets:
            options = metric.options_for(preset.name, values, of_corpus=True)
            advice = metric.splitting.advice(options)
            for language in ("Chinese", "Japanese", "Thai"):
                assert (advice(language) == "") is way.suits(language)


# The choice on the page


def radios(page: str) -> list[tuple[str, str]]:
    return re.findall(r'type="radio" name="splitting" value="(.*?)"( checked)?', page)


def test_the_choice_stands_beside_the_metrics_and_stays_chosen() -> None:
    page = page_of(post(sent(splitting="zh")))
    assert radios(page) == [("", ""), ("zh", " checked"), ("char", "")]
    assert radios(page_of(post(sent())))[0] == ("", " checked")
    (group,) = re.findall(r'<fieldset[^>]*id="id_splitting".*?</fieldset>', page, re.S)
    assert "<legend>Text without spaces between words</legend>" in group


def test_nonsense_for_the_choice_is_as_none() -> None:
    answer = answer_of(post(sent(splitting="<x>", metrics=[BLEU])))
    assert answer.sheet.choices[0].options.tokenizer == "13a"


def test_the_choice_is_carried_and_only_what_it_changes_is_measured_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = post(sent(splitting="zh"))
    signatures = dict(answer_of(first).signatures)
    assert "tok:zh" in signatures["BLEU"]
    assert "asian:yes" in signatures["TER"]
    assert "norm:yes" in signatures["TER"]
    other = rescored(first, metrics=[BLEU, CHRF], splitting="char")
    assert "tok:char" in dict(answer_of(other).signatures)["BLEU"]
    assert answer_of(other).sheet.scores(answer_of(other).sheet.choices[0], 0) != answer_of(
        first
    ).sheet.scores(answer_of(first).sheet.choices[2], 0)

    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("calculators.files.sheet.CountTable.of", refuse)
    kept = again(first, metrics=EVERY, splitting="zh", order="file")
    assert answer_of(kept).comparison == answer_of(first).comparison
    assert answer_of(kept).notes == answer_of(first).notes
    assert "Changed since it was scored." not in text_of(kept)
    # Chosen otherwise it waits for the button that scores.
    other = again(kept, metrics=EVERY, splitting="char", order="file")
    assert answer_of(other).comparison == answer_of(first).comparison
    assert radios(page_of(other))[2] == ("char", " checked")
    assert "Changed since it was scored." in text_of(other)
    only = rescored(first, metrics=[CHRF], splitting="char")
    assert only.status_code == 200


def test_a_row_opens_under_the_choice_and_the_metric_shown_stays() -> None:
    first = post(sent(splitting="zh"))
    opened = answer_of(
        again(first, metrics=EVERY, splitting="zh", opened="3.1", metric=BLEU)
    ).opened
    assert opened is not None
    assert opened.choice.options.tokenizer == "zh"
    assert opened.choice.metric.slug == "bleu"
    bleu = sacrebleu.BLEU(tokenize="zh", effective_order=True)
    theirs = bleu.sentence_score(lines("sysB")[3], [lines("ref")[3]]).score
    assert opened.score * 100 == pytest.approx(theirs, abs=1e-9)


def test_downloads_tell_the_choice() -> None:
    first = post(sent(splitting="zh"))

    def taken(kind: str) -> str:
        response = again(first, DOWNLOAD, metrics=EVERY, splitting="zh", download=kind)
        assert response.status_code == 200
        return response.content.decode()

    data = json.loads(taken("json"))
    by_metric = {each["metric"]: each for each in data["metrics"]}
    assert by_metric["bleu"]["options"]["tokenizer"] == "zh"
    assert by_metric["ter"]["options"]["asian"] is True
    assert [by_metric[slug]["splitting"] for slug in ("nist", "ter", "chrf")] == ["zh", "zh", ""]
    latex = taken("latex")
    assert "tok:zh" in latex
    assert "split as Chinese" in latex
    assert "split as Chinese" in text_of(first)


# Told before the scores, and held back


def unsplit(response: Any) -> list[Any]:
    return [each for each in response.context["findings"] if each.kind == "unspaced"]


def test_the_doctor_says_what_it_sees_what_it_does_and_where_to_choose() -> None:
    response = post(sent())
    (finding,) = unsplit(response)
    assert finding.severity == "warning"
    assert "Chinese" in finding.message
    effects = [(e.metric, e.system, e.before, e.after) for e in finding.effect]
    theirs = {
        way: of_both(
            lambda h, w=way: sacrebleu.BLEU(tokenize=w).corpus_score(h, [lines("ref")]).score
        )
        for way in ("13a", "zh")
    }
    assert [effect[:2] for effect in effects] == [("BLEU", "sysA"), ("BLEU", "sysB")]
    assert [effect[2] for effect in effects] == theirs["13a"]
    assert [effect[3] for effect in effects] == theirs["zh"]
    page = page_of(response)
    assert page.index('href="#id_splitting"') < page.index('id="result"')
    assert 'name="split" value="zh"' in page.split('id="findings"')[1]


def test_it_says_nothing_where_the_text_is_split_or_nothing_counts_words() -> None:
    assert unsplit(post(sent(splitting="zh"))) == []
    assert unsplit(post(sent(metrics=[CHRF]))) == []
    assert unsplit(post(sent("wmt22-en-de"))) == []
    # It comes back with what brings it.
    assert len(unsplit(rescored(post(sent(splitting="zh")), metrics=EVERY))) == 1


def test_the_doctor_s_button_splits_the_results_shown_at_once() -> None:
    split = again(post(sent()), metrics=[BLEU], seed="7", split="zh")
    answer = answer_of(split)
    assert [choice.key for choice in answer.sheet.choices] == [
        "nist:nltk:zh", "ter:sacrebleu:zh", "bleu:sacrebleu:zh", METEOR + ":zh", CHRF
    ]  # fmt: skip
    assert answer.comparison.settings.seed != 7
    assert radios(page_of(split))[1] == ("zh", " checked")
    assert unsplit(split) == []
    assert again(split, split="<x>").status_code == 200


def test_one_quotation_makes_no_chinese_file() -> None:
    german = lines("sysA", "wmt22-en-de")
    systems = [upload(n, "\n".join([lines("ref")[0], *german])) for n in ("a", "b")]
    response = post(fields(systems=systems, references=[upload("r", "\n".join(["x", *german]))]))
    assert unsplit(response) == []
    assert answer_of(response).held == ()
    # The metrics' own note still names the line.
    assert "Line 1: Chinese is written without spaces" in text_of(response)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("昨日、東京で大きな地震がありました。", "Japanese"),
        ("ฉันชอบกินข้าวมาก", "Thai"),
    ],
)
def test_other_languages_are_advised_by_characters(text: str, language: str) -> None:
    systems = [upload("a", f"{text}\n" * 5), upload("b", f"{text[:-3]}\n" * 5)]
    sets = {"systems": systems, "references": [upload("r", f"{text[1:]}\n" * 5)]}
    response = post(fields(**sets, splitting="zh", metrics=EVERY))
    (finding,) = unsplit(response)
    assert language in finding.message
    assert 'name="split" value="char"' in page_of(response).split('id="findings"')[1]
    assert "BLEU" in answer_of(response).held
    assert unsplit(again(response, split="char", metrics=EVERY)) == []


def test_a_metric_whose_words_are_no_words_has_no_say_in_the_verdict() -> None:
    response = post(sent())
    answer = answer_of(response)
    assert answer.held == ("NIST", "TER", "BLEU", "METEOR")
    (verdict,) = answer.verdicts
    named = {*verdict.better, *verdict.others, *verdict.against}
    assert named == {"chrF"}
    words = text_of(response)
    assert "NIST, TER, BLEU and METEOR compare whole phrases here, not words" in words
    assert "a clear difference" not in words.split("chrF")[0]
    assert [
        (label, cell.is_best) for _, cells in answer.table for (_, label), cell in
        zip(answer.heads, cells, strict=True) if cell.is_best and label != "chrF"
    ] == []  # fmt: skip
    # Nor does it order and draw, unless it is asked to.
    assert answer.choice.key == CHRF
    assert answer_of(again(response, metric=BLEU)).choice.key == BLEU
    split = post(sent(splitting="zh"))
    assert answer_of(split).held == ()
    assert "whole phrases here" not in text_of(split)


def test_without_any_other_metric_there_is_no_verdict() -> None:
    response = post(sent(metrics=[BLEU, TER]))
    (verdict,) = answer_of(response).verdicts
    assert verdict.kind == "held"
    assert verdict.winner == ""
    assert "<title>No verdict" in page_of(response)
    assert "is better than" not in text_of(response)
    # The table for a paper marks none of them either.
    latex = again(response, DOWNLOAD, metrics=[BLEU, TER], download="latex").content.decode()
    assert r"$^{\dagger}$" not in latex
    assert r"\textbf" not in latex


# The notes of the runs


def test_the_notes_of_the_metrics_are_told_once_each_with_what_they_are_of() -> None:
    response = post(sent())
    words = text_of(response)
    told = {note.text: note for note in answer_of(response).notes}
    assert len(told) == len(answer_of(response).notes)
    (mean,) = (text for text in told if "NLTK has no METEOR of a whole file" in text)
    assert words.count(mean) == 1
    assert f"METEOR : {mean}" in words
    assert any("information weights are counted over all references" in text for text in told)
    (by_words,) = (text for text in told if "Use the tokeniser Chinese (zh)" in text)
    assert f"NIST, BLEU and METEOR : {by_words}" in words


def test_a_note_on_one_system_names_it() -> None:
    texts = ("it’s the cat\na b c\n", "it's the cat\na b c\n")
    systems = [upload(name, text) for name, text in zip(("one", "two"), texts, strict=True)]
    response = post(fields(systems=systems, references=[upload("r", texts[1])]))
    (note,) = (each for each in answer_of(response).notes if "typographic" in each.text)
    assert [(places.labels, places.systems) for places in note.places] == [((), ("one",))]
    data = json.loads(again(response, DOWNLOAD, download="json").content)
    (found,) = (each for each in data["metric_notes"] if "typographic" in each["note"])
    assert found["of"] == [{"system": "one", "metrics": [BLEU, CHRF]}]


def test_notes_are_those_of_the_calculators() -> None:
    answer = answer_of(post(sent()))
    for choice in answer.sheet.choices:
        run = choice.metric.run(answer.sheet.corpora[1], preset=choice.preset.name, of_corpus=True)
        assert answer.sheet.notes[choice.key][1] == run.notes


def test_every_key_of_a_column_is_one_of_its_own() -> None:
    keys = [c.key for way in ("", "zh", "char") for row in offered(way) for c in row]
    split = [key for key in keys if key.count(":") == 2]
    assert len(set(split)) == len(split)
    assert not any(key.startswith("chrf") for key in split)
