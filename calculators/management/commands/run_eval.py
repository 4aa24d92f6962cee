"""``manage.py run_eval``: the golden-text gate over a file of items, for builds."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from calculators.gate.command import items_given
from calculators.gate.report import Judgements, junit, report, written
from calculators.gate.table import judged
from calculators.gate.threshold import DEFAULT, threshold_of_text
from calculators.management.plain import STANDARD_INPUT, Output, PlainCommand, Refused
from calculators.management.progress import with_progress
from calculators.scoring.gate import judge

STANDARD_OUTPUT = STANDARD_INPUT
FAILED = 1  # the exit status where an item fails

DESCRIPTION = """\
The golden-text gate: judges generated texts that should stay close to their sources.

The data is a JSON array of objects with id, source_text and generated_output, or JSON lines with
one such object a line; - reads standard input. Without --data, six bundled cases are judged.

Each item scores 20 % structure (not blank, 10 to 500 characters) and 80 % BLEU against its source
with add-one smoothing. It passes where that reaches the threshold and the output is not empty.

Prints a row an item: the precisions of 1-grams to 4-grams, the brevity penalty (BP), raw and
smoothed BLEU, structure, overall score and verdict; then why each failing item fails.

Ends with status 0 where all items pass, 1 where one fails, and 2 with one line on standard error
where the data or an argument does not fit.
"""


class Command(PlainCommand):
    """The command; it checks nothing but its input."""

    help = DESCRIPTION
    name = "run_eval"

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare what the command takes."""
        parser.add_argument("--data", metavar="FILE", help="the items; - reads stdin")
        parser.add_argument(
            "--output",
            metavar="FILE",
            help="write everything as JSON, with the settings; - prints it in place of the table",
        )
        parser.add_argument(
            "--junit", metavar="FILE", help="write the verdicts as JUnit's XML, for build servers"
        )
        parser.add_argument(
            "--threshold", metavar="SCORE", default=str(DEFAULT), help="0.5 if not given"
        )

    def output(self, arguments: Mapping[str, Any]) -> Output:
        """The table, or the report where that goes to standard output."""
        threshold = threshold_of_text(str(arguments["threshold"]))
        items = items_given(arguments["data"], "gate_cases")
        judging = judge(items, threshold)
        judgements = tuple(with_progress(judging, len(items), sys.stderr))
        rows = judged(judgements, threshold)
        if arguments["output"] is not None:
            text = written(report(judgements, threshold))
            if arguments["output"] == STANDARD_OUTPUT:
                rows = text.splitlines()
            else:
                _write(arguments["output"], text.encode())
        if arguments["junit"] is not None:
            _write(arguments["junit"], junit(judgements))
        return Output(rows, _status(judgements))


def _status(judgements: Judgements) -> int:
    return 0 if all(judgement.passed for judgement in judgements) else FAILED


def _write(name: str, data: bytes) -> None:
    try:
        Path(name).write_bytes(data)
    except OSError as error:
        raise Refused(f"{name}: {error.strerror or 'it cannot be written'}") from None
    except ValueError:
        raise Refused(f"{name}: this is not the name of a file") from None
