"""``manage.py score``: scores of files or of one pair, by the same metrics as the pages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django.core.management.base import CommandParser

from calculators.answer import answer_of_corpus, corpus_data
from calculators.files.lines import lines
from calculators.forms import OptionsForm
from calculators.management.plain import (
    STANDARD_INPUT,
    Output,
    PlainCommand,
    Refused,
    content_of,
    shown_name,
)
from calculators.reading import refuse_unscorable
from calculators.scoring import AnyEvaluation, AnyMetric, Corpus, ScoringError, registry

DESCRIPTION = """\
Scores a file of segments, one a line, or one pair of texts.

Prints a line a metric: its name, its score as the literature prints it, its signature; then a
line "note: ..." for each oddity. With --segments it prints the score of each segment instead, in
full precision and on the API's scale, a line a segment, with a tab between metrics and their
names above where there are several; "undefined" stands where a segment has no score.
With --json it prints an array with one object a metric, shaped as the API's answer for a corpus.

Ends with status 0, or with status 2 and one line on standard error.
"""


class Command(PlainCommand):
    """The command; it checks nothing but its input."""

    help = DESCRIPTION
    name = "score"

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare what the command takes."""
        known = ", ".join(metric.slug for metric in registry.METRICS)
        parser.add_argument("metrics", metavar="METRIC", help=f"{known}; several with commas")
        parser.add_argument("--hypothesis", metavar="FILE", help="the hypotheses; - reads stdin")
        parser.add_argument(
            "--reference", metavar="FILE", action="append", default=[], help="repeat for several"
        )
        parser.add_argument("--text", metavar="H", help="one hypothesis, in place of a file")
        parser.add_argument(
            "--against", metavar="R", action="append", default=[], help="a reference of --text"
        )
        parser.add_argument("--preset", metavar="NAME", default="")
        parser.add_argument(
            "--set",
            metavar="OPTION=VALUE",
            action="append",
            default=[],
            help="an option; it goes to those of the metrics that have it",
        )
        parser.add_argument("--segments", action="store_true", help="a score a line")
        parser.add_argument("--json", action="store_true", help="everything, for programs")

    def output(self, arguments: Mapping[str, Any]) -> Output:
        """The lines to print; ``Refused`` where something given does not fit."""
        if arguments["segments"] and arguments["json"]:
            raise Refused("choose --segments or --json, not both")
        return Output(_printed(_runs(arguments), arguments))


def _runs(arguments: Mapping[str, Any]) -> list[AnyEvaluation]:
    metrics = list(_metrics(arguments["metrics"]))
    preset = arguments["preset"]
    forms = _forms(metrics, preset, arguments["set"])
    corpus, is_file = _corpus(arguments)
    return [
        metric.run(corpus, preset=preset, values=form.values, of_corpus=is_file)
        for metric, form in zip(metrics, forms, strict=True)
    ]


def _printed(runs: list[AnyEvaluation], arguments: Mapping[str, Any]) -> list[str]:
    if arguments["json"]:
        data = [corpus_data(answer_of_corpus(run)) for run in runs]
        return [json.dumps(data, ensure_ascii=False, indent=2)]
    return list(_segment_rows(runs) if arguments["segments"] else _score_rows(runs))


def _metrics(names: str) -> Iterator[AnyMetric]:
    for slug in dict.fromkeys(name.strip() for name in names.split(",")):
        metric = registry.find(slug)
        if metric is None:
            known = ", ".join(metric.slug for metric in registry.METRICS)
            raise Refused(f"there is no metric {slug!r}; known: {known}")
        yield metric


def _forms(metrics: list[AnyMetric], preset: str, settings: list[str]) -> list[OptionsForm]:
    """A form a metric with the options that it has; each option must be one of some metric."""
    values = dict(_setting(setting) for setting in settings)
    known = {spec.name for metric in metrics for spec in metric.options.specs()}
    for name in values:
        if name not in known:
            raise Refused(f"--set: there is no option {name!r}; known: {', '.join(sorted(known))}")
    forms = [OptionsForm.of(metric, {"preset": preset} | values) for metric in metrics]
    for metric, form in zip(metrics, forms, strict=True):
        for messages in form.messages.values():
            raise Refused(f"{metric.slug}: {messages[0]}")
    return forms


def _setting(setting: str) -> tuple[str, str]:
    name, equals, value = setting.partition("=")
    if not equals:
        raise Refused("--set: write OPTION=VALUE")
    return name.strip(), value


def _corpus(arguments: Mapping[str, Any]) -> tuple[Corpus, bool]:
    """The segments, and whether they come from files."""
    text, against = arguments["text"], arguments["against"]
    hypothesis, references = arguments["hypothesis"], arguments["reference"]
    if text is not None or against:
        if hypothesis is not None or references:
            raise Refused("give --text and --against, or --hypothesis and --reference, not both")
        if text is None or not against:
            raise Refused("--text needs --against, and --against needs --text")
        for written in (text, *against):
            refuse_unscorable(written)
        return Corpus.of(text, against), False
    if hypothesis is None or not references:
        raise Refused("give --hypothesis FILE and --reference FILE, or --text and --against")
    return _corpus_of_files(hypothesis, references), True


def _corpus_of_files(hypothesis: str, references: list[str]) -> Corpus:
    if [hypothesis, *references].count(STANDARD_INPUT) > 1:
        raise Refused("standard input (-) can be read only once")
    hypotheses = _lines(hypothesis)
    columns = [_lines(reference) for reference in references]
    for name, column in zip(references, columns, strict=True):
        if len(column) != len(hypotheses):
            raise Refused(
                f"{shown_name(name)} has {_count(column)}, {shown_name(hypothesis)} has"
                f" {_count(hypotheses)}; they must have as many"
            )
    return Corpus.from_lines(hypotheses, columns)


def _count(segments: list[str]) -> str:
    return f"{len(segments):,} line{'' if len(segments) == 1 else 's'}"


def _lines(name: str) -> list[str]:
    try:
        return lines(content_of(name))
    except ScoringError as error:
        raise Refused(f"{shown_name(name)}: {error.message}") from None


def _score_rows(runs: list[AnyEvaluation]) -> Iterator[str]:
    names = [run.metric.name for run in runs]
    scores = [_score(run) for run in runs]
    name_width, score_width = max(map(len, names)), max(map(len, scores))
    for run, name, score in zip(runs, names, scores, strict=True):
        yield f"{name:<{name_width}} = {score:>{score_width}}   {run.signature}"
    # Many notes are about the text, whatever the metric: each is told once.
    told: dict[str, list[str]] = {}
    for run, name in zip(runs, names, strict=True):
        for note in run.notes:
            told.setdefault(note, []).append(name)
    yield from (f"note: {', '.join(whose)}: {note}" for note, whose in told.items())


def _score(run: AnyEvaluation) -> str:
    scale = run.metric.scale
    unit = f" {scale.unit}" if scale.unit else ""
    return f"{run.result.value * scale.multiplier:.{scale.digits}f}{unit}"


def _segment_rows(runs: list[AnyEvaluation]) -> Iterator[str]:
    if len(runs) > 1:
        yield "\t".join(run.metric.slug for run in runs)
    for scores in zip(*(run.segments for run in runs), strict=True):
        yield "\t".join("undefined" if score is None else repr(score) for score in scores)
