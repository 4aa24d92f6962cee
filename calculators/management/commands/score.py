"""``manage.py score``: scores of files or of one pair, by the same metrics as the pages."""

from __future__ import annotations

import json
import os
import sys
from argparse import RawDescriptionHelpFormatter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser

from calculators.answer import answer_of_corpus, corpus_data
from calculators.files.lines import lines
from calculators.forms import OptionsForm
from calculators.reading import refuse_unscorable
from calculators.scoring import AnyEvaluation, AnyMetric, Corpus, ScoringError, registry

STANDARD_INPUT = "-"

DESCRIPTION = """\
Scores a file of segments, one a line, or one pair of texts.

Prints a line a metric: its name, its score as the literature prints it, its signature; then a
line "note: ..." for each oddity. With --segments it prints the score of each segment instead, in
full precision and on the API's scale, a line a segment, with a tab between metrics and their
names above where there are several; "undefined" stands where a segment has no score.
With --json it prints an array with one object a metric, shaped as the API's answer for a corpus.

Ends with status 0, or with status 2 and one line on standard error.
"""


class Refused(CommandError):
    """A use of the command that can't be carried out; the message is one line."""


class Command(BaseCommand):
    """The command; it needs no database and no key, and checks nothing but its input."""

    help = DESCRIPTION
    requires_system_checks = ()

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Django's parser, but with errors of one line, without the usage before them."""
        parser = super().create_parser(
            prog_name,
            subcommand,
            formatter_class=RawDescriptionHelpFormatter,
            allow_abbrev=False,
            **kwargs,
        )
        parser.error = _refuse  # type: ignore[method-assign]
        return parser

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

    def run_from_argv(self, argv: list[str]) -> None:
        """Run, and end with status 2 and one line where that is not possible."""
        try:
            rows = output(vars(self.create_parser(argv[0], argv[1]).parse_args(argv[2:])))
        except Refused as error:
            line = " ".join(str(error).split()).encode("utf-8", "replace").decode()
            sys.stderr.write(f"score: {line}\n")
            sys.exit(2)
        _print(rows)

    def handle(self, *_: object, **options: Any) -> None:
        """Run from Python's ``call_command``."""
        for row in output(options):
            self.stdout.write(row)


def _refuse(message: str) -> NoReturn:
    raise Refused(message)


def _print(rows: Iterable[str]) -> None:
    try:
        for row in rows:
            sys.stdout.write(row + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough. Python would complain once more on closing the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def output(arguments: Mapping[str, Any]) -> list[str]:
    """The lines to print; ``Refused`` where something given does not fit."""
    if arguments["segments"] and arguments["json"]:
        raise Refused("choose --segments or --json, not both")
    try:
        return _printed(_runs(arguments), arguments)
    except ScoringError as error:
        raise Refused(error.message) from None


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
                f"{_shown(name)} has {_count(column)}, {_shown(hypothesis)} has"
                f" {_count(hypotheses)}; they must have as many"
            )
    return Corpus.from_lines(hypotheses, columns)


def _count(segments: list[str]) -> str:
    return f"{len(segments):,} line{'' if len(segments) == 1 else 's'}"


def _lines(name: str) -> list[str]:
    try:
        is_input = name == STANDARD_INPUT
        return lines(sys.stdin.buffer.read() if is_input else Path(name).read_bytes())
    except OSError as error:
        raise Refused(f"{_shown(name)}: {error.strerror or 'it cannot be read'}") from None
    except ValueError:
        raise Refused(f"{_shown(name)}: this is not the name of a file") from None
    except ScoringError as error:
        raise Refused(f"{_shown(name)}: {error.message}") from None


def _shown(name: str) -> str:
    return "standard input" if name == STANDARD_INPUT else name


def _score_rows(runs: list[AnyEvaluation]) -> Iterator[str]:
    names = [run.metric.name for run in runs]
    scores = [_score(run) for run in runs]
    name_width, score_width = max(map(len, names)), max(map(len, scores))
    for run, name, score in zip(runs, names, scores, strict=True):
        yield f"{name:<{name_width}} = {score:>{score_width}}   {run.signature}"
    for run, name in zip(runs, names, strict=True):
        for note in run.notes:
            yield f"note: {name}: {note}"


def _score(run: AnyEvaluation) -> str:
    scale = run.metric.scale
    unit = f" {scale.unit}" if scale.unit else ""
    return f"{run.result.value * scale.multiplier:.{scale.digits}f}{unit}"


def _segment_rows(runs: list[AnyEvaluation]) -> Iterator[str]:
    if len(runs) > 1:
        yield "\t".join(run.metric.slug for run in runs)
    for scores in zip(*(run.segments for run in runs), strict=True):
        yield "\t".join("undefined" if score is None else repr(score) for score in scores)
