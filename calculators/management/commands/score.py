"""``manage.py score``: scores of files or of one pair, by the same metrics as the pages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django.core.management.base import CommandParser

from calculators.files.comparison import (
    BOOTSTRAP,
    DEFAULT_RESAMPLES,
    DEFAULT_SEED,
    EVERY_PAIR,
    FEWEST_RESAMPLES,
    LARGEST_SEED,
    METHODS,
    MOST_RESAMPLES,
    Settings,
)
from calculators.files.doctor import remarks
from calculators.files.limits import Limits
from calculators.files.model import Material, Upload
from calculators.files.read import ReadSettings, is_plain_text, read
from calculators.files.streams import HYPOTHESIS, REFERENCE
from calculators.forms import OptionsForm
from calculators.management.plain import (
    STANDARD_INPUT,
    Output,
    PlainCommand,
    Refused,
    content_of,
    shown_name,
)
from calculators.management.scored import (
    Scored,
    compared,
    score_rows,
    scored_data,
    segment_rows,
    with_bar,
)
from calculators.reading import refuse_unscorable
from calculators.scoring import AnyMetric, Corpus, registry

DESCRIPTION = """\
Scores a file of segments, one a line, or one pair of texts.

Prints a line a metric: its name, its score as the literature prints it, its signature; then a
line "note: ..." for each oddity. With --segments it prints the score of each segment instead, in
full precision and on the API's scale, a line a segment, with a tab between metrics and their
names above where there are several; "undefined" stands where a segment has no score.
With --json it prints an array with one object a metric, shaped as the API's answer for a corpus.

Files may be plain text, TSV, CSV, JSON lines, XLSX, TMX, XLIFF, WMT XML or mteval SGML. A
--hypothesis that holds the references too, such as a table with headings, needs no --reference.
Give --hypothesis several times for several systems: then each line, each segment's line and each
object begins with the system. --compare adds 95 % bootstrap intervals, and for each system whether
it differs from the baseline by more than chance.

At a terminal a bar shows how far it has come; Ctrl-C stops it.

Ends with status 0, or with status 2 and one line on standard error.
"""

GIVE_FILES = "give --hypothesis FILE and --reference FILE, or --text and --against"


class Command(PlainCommand):
    """The command; it checks nothing but its input."""

    help = DESCRIPTION
    name = "score"

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare what the command takes."""
        known = ", ".join(metric.slug for metric in registry.METRICS)
        parser.add_argument(
            "metrics", metavar="METRIC", help=f"{known}; several with commas, or all"
        )
        parser.add_argument(
            "--hypothesis",
            metavar="FILE",
            action="append",
            default=[],
            help="a system's output; - reads stdin; repeat for several systems",
        )
        parser.add_argument(
            "--reference", metavar="FILE", action="append", default=[], help="repeat for several"
        )
        parser.add_argument(
            "--target-language",
            metavar="CODE",
            default="",
            help="the translation's language in a TMX of several, such as de",
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
        parser.add_argument(
            "--compare", action="store_true", help="intervals, and systems against the baseline"
        )
        parser.add_argument(
            "--baseline",
            metavar="NUMBER",
            default="1",
            help="the system to compare with, from 1 (the default), or every for every pair",
        )
        parser.add_argument("--test", choices=list(METHODS), default=BOOTSTRAP)
        parser.add_argument("--resamples", type=int, default=DEFAULT_RESAMPLES)
        parser.add_argument("--seed", type=int, default=DEFAULT_SEED)
        parser.add_argument("--segments", action="store_true", help="a score a line")
        parser.add_argument("--json", action="store_true", help="everything, for programs")

    def output(self, arguments: Mapping[str, Any]) -> Output:
        """The lines to print; ``Refused`` where something given does not fit."""
        if arguments["segments"] and arguments["json"]:
            raise Refused("choose --segments or --json, not both")
        if arguments["segments"] and arguments["compare"]:
            raise Refused("choose --segments or --compare, not both")
        return Output(_printed(_scored(arguments), arguments))


def _scored(arguments: Mapping[str, Any]) -> Scored:
    metrics = list(_metrics(arguments["metrics"]))
    preset = arguments["preset"]
    forms = _forms(metrics, preset, arguments["set"])
    names, corpora, notes = _corpora(arguments)
    is_file = arguments["text"] is None
    settings = _settings(arguments, len(names)) if arguments["compare"] else None
    watched = list(map(with_bar, metrics))
    runs = tuple(
        tuple(
            metric.run(corpus, preset=preset, values=form.values, of_corpus=is_file)
            for corpus in corpora
        )
        for metric, form in zip(watched, forms, strict=True)
    )
    comparison = compared(runs, settings) if settings else None
    return Scored(names, runs, comparison, notes)


def _settings(arguments: Mapping[str, Any], systems: int) -> Settings:
    resamples, seed, baseline = (arguments[name] for name in ("resamples", "seed", "baseline"))
    if not FEWEST_RESAMPLES <= resamples <= MOST_RESAMPLES:
        raise Refused(f"--resamples: from {FEWEST_RESAMPLES:,} to {MOST_RESAMPLES:,}")
    if not 0 <= seed <= LARGEST_SEED:
        raise Refused(f"--seed: from 0 to {LARGEST_SEED:,}")
    if baseline == EVERY_PAIR:
        return Settings(arguments["test"], resamples, seed, None)
    if not (baseline.isascii() and baseline.isdigit() and 1 <= int(baseline) <= systems):
        raise Refused(f"--baseline: a number from 1 to {systems}, or {EVERY_PAIR}")
    return Settings(arguments["test"], resamples, seed, int(baseline) - 1)


def _printed(scored: Scored, arguments: Mapping[str, Any]) -> list[str]:
    if arguments["json"]:
        return [json.dumps(scored_data(scored), ensure_ascii=False, indent=2)]
    return list(segment_rows(scored) if arguments["segments"] else score_rows(scored))


def _metrics(names: str) -> Iterator[AnyMetric]:
    if names.strip() == "all":
        yield from registry.METRICS
        return
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
        for field, messages in form.messages.items():
            given = f"--set {field}: " if field in known else ""
            raise Refused(f"{metric.slug}: {given}{messages[0]}")
    return forms


def _setting(setting: str) -> tuple[str, str]:
    name, equals, value = setting.partition("=")
    if not equals:
        raise Refused("--set: write OPTION=VALUE")
    return name.strip(), value


def _corpora(
    arguments: Mapping[str, Any],
) -> tuple[tuple[str, ...], list[Corpus], tuple[str, ...]]:
    """The systems' names, the segments of each, and notes on how the files were read."""
    text, against = arguments["text"], arguments["against"]
    hypotheses, references = arguments["hypothesis"], arguments["reference"]
    if text is not None or against:
        if hypotheses or references:
            raise Refused("give --text and --against, or --hypothesis and --reference, not both")
        if text is None or not against:
            raise Refused("--text needs --against, and --against needs --text")
        for written in (text, *against):
            refuse_unscorable(written)
        return ("",), [Corpus.of(text, against)], ()
    if not hypotheses:
        raise Refused(GIVE_FILES)
    material = _material(hypotheses, references, arguments["target_language"])
    names = tuple(system.name for system in material.systems)
    return (
        names,
        [material.corpus(number) for number in range(len(names))],
        (*material.notes, *remarks(material)),
    )


def _material(hypotheses: list[str], references: list[str], language: str) -> Material:
    """What the files hold; without files of references, those of the hypotheses hold them too."""
    own = HYPOTHESIS if references else ""
    names = [*((name, own) for name in hypotheses), *((name, REFERENCE) for name in references)]
    if sum(name == STANDARD_INPUT for name, _ in names) > 1:
        raise Refused("standard input (-) can be read only once")
    uploads = [Upload(shown_name(name), content_of(name), role) for name, role in names]
    if not references and any(map(is_plain_text, uploads)):
        raise Refused(GIVE_FILES)
    return read(uploads, ReadSettings(Limits.of_command_line(), target_language=language))
