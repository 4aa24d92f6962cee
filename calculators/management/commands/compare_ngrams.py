"""``manage.py compare_ngrams``: what BLEU counts in labelled pairs of texts."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandParser

from calculators.gate.command import items_given
from calculators.gate.table import compared
from calculators.management.plain import Output, PlainCommand
from calculators.management.progress import with_progress
from calculators.scoring.gate import judge

DESCRIPTION = """\
Compares generated texts with their sources, n-gram by n-gram, as the golden-text gate counts.

The data is a JSON array of objects with id (the label), source_text and generated_output, or JSON
lines with one such object a line; - reads standard input. Without --data, four bundled pairs are
compared: a paraphrase, a near copy, a text that drops facts, an unrelated one.

Prints a row a pair: the precisions of 1-grams to 4-grams, the brevity penalty (BP), raw and
smoothed BLEU. Ends with status 0, or with status 2 and one line on standard error.
"""


class Command(PlainCommand):
    """The command; it checks nothing but its input."""

    help = DESCRIPTION
    name = "compare_ngrams"

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare what the command takes."""
        parser.add_argument("--data", metavar="FILE", help="the pairs; - reads stdin")

    def output(self, arguments: Mapping[str, Any]) -> Output:
        """The table."""
        items = items_given(arguments["data"], "gate_pairs")
        return Output(compared(tuple(with_progress(judge(items), len(items), sys.stderr))))
