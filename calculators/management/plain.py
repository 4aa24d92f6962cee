"""Commands that need no database and no key, and refuse in one line."""

from __future__ import annotations

import os
import sys
from argparse import RawDescriptionHelpFormatter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser

from calculators.scoring import ScoringError

STANDARD_INPUT = "-"
REFUSED = 2  # the exit status of a use that can't be carried out


class Refused(CommandError):
    """A use of the command that can't be carried out; the message is one line."""


@dataclass(frozen=True, slots=True)
class Output:
    """What a command prints, line by line, and the status with which it ends."""

    rows: Iterable[str]
    status: int = 0


class PlainCommand(BaseCommand):
    """The base of such commands. Each gives its ``name``, its arguments and its ``output``."""

    name = ""
    requires_system_checks = ()

    def output(self, arguments: Mapping[str, Any]) -> Output:
        """What to print; ``Refused`` or ``ScoringError`` where something given does not fit."""
        raise NotImplementedError

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

    def run_from_argv(self, argv: list[str]) -> None:
        """Run, and end with status 2 and one line where that is not possible."""
        try:
            arguments = vars(self.create_parser(argv[0], argv[1]).parse_args(argv[2:]))
            output = self._output(arguments)
        except Refused as error:
            line = " ".join(str(error).split()).encode("utf-8", "replace").decode()
            sys.stderr.write(f"{self.name}: {line}\n")
            sys.exit(REFUSED)
        _print(output.rows)
        if output.status:
            sys.exit(output.status)

    def handle(self, *_: object, **options: Any) -> None:
        """Run from Python's ``call_command``."""
        output = self._output(options)
        for row in output.rows:
            self.stdout.write(row)
        if output.status:
            sys.exit(output.status)

    def _output(self, arguments: Mapping[str, Any]) -> Output:
        try:
            return self.output(arguments)
        except ScoringError as error:
            raise Refused(error.message) from None


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


def content_of(name: str) -> bytes:
    """The bytes of a file, or of standard input for ``-``; ``Refused`` where there are none."""
    try:
        return sys.stdin.buffer.read() if name == STANDARD_INPUT else Path(name).read_bytes()
    except OSError as error:
        raise Refused(f"{shown_name(name)}: {error.strerror or 'it cannot be read'}") from None
    except ValueError:
        raise Refused(f"{shown_name(name)}: this is not the name of a file") from None


def shown_name(name: str) -> str:
    """What a file is called in messages and results."""
    # A file's name need not be UTF-8, and what stands for its other bytes can't be printed.
    known = name.encode("utf-8", "replace").decode()
    return "standard input" if name == STANDARD_INPUT else known
