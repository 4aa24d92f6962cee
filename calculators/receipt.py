"""A score's receipt: what was scored, how, when and with what, and how to repeat it.

It holds no text: each input stands in it by its SHA-256, so that whoever has the text can check.
"""

from __future__ import annotations

import csv
import io
import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from . import content
from .answer import Answer, json_ready
from .files.defused import defused
from .reading import option_text
from .scoring import VERSION, AnyEvaluation
from .scoring.recipes import PYTHON, SHELL, Recipe

_OWN_NOTE = (
    "It prints the score in full precision. Give it in the top folder of the source, where"
    " make .venv/installed has installed once what it needs."
)
LONGEST_ARGUMENT = 30_000  # characters; systems refuse one of 128 KiB


@dataclass(frozen=True, slots=True)
class Input:
    """One of the texts, told without its words."""

    name: str
    characters: int
    sha256: str  # of the text in UTF-8, its line ends as LF


@dataclass(frozen=True, slots=True)
class Receipt:
    """What is needed to believe and to repeat a score."""

    signature: str
    made: datetime
    version: str  # of the numbers
    inputs: tuple[Input, ...]
    recipes: tuple[Recipe, ...]


@dataclass(frozen=True, slots=True)
class File:
    """A file to be saved."""

    name: str
    content_type: str
    text: str


def receipt_of(run: AnyEvaluation) -> Receipt:
    """The receipt of one segment's score."""
    segment = run.corpus.segments[0]
    several = len(segment.references) > 1
    named = [
        ("Hypothesis", segment.hypothesis),
        *(
            (f"Reference {number}" if several else "Reference", text)
            for number, text in enumerate(segment.references, 1)
        ),
    ]
    return Receipt(
        signature=run.signature,
        made=datetime.now(UTC),
        version=VERSION,
        inputs=tuple(_input(name, text) for name, text in named),
        recipes=(*run.recipes, *_own_command(run)),
    )


def _input(name: str, text: str) -> Input:
    return Input(name, len(text), sha256(text.encode()).hexdigest())


def _own_command(run: AnyEvaluation) -> Iterator[Recipe]:
    """This program's own command for the same score."""
    segment = run.corpus.segments[0]
    defaults = run.metric.options()
    texts = [f"--text={segment.hypothesis}", *(f"--against={text}" for text in segment.references)]
    options = [
        f"--set={spec.name}={option_text(spec, value)}"
        for spec in run.metric.options.specs()
        if (value := getattr(run.options, spec.name)) != getattr(defaults, spec.name)
    ]
    if sum(map(len, texts)) > LONGEST_ARGUMENT:
        return
    arguments = " \\\n  ".join(map(shlex.quote, [*texts, *options, "--segments"]))
    code = f".venv/bin/python manage.py score {run.metric.slug} \\\n  {arguments}\n"
    yield Recipe("mtcalc", SHELL, code, run.result.value, _OWN_NOTE)


# Files


def json_file(answer: Answer) -> File:
    """The receipt with every number in full precision."""
    text = json.dumps(_data(answer), ensure_ascii=False, indent=2) + "\n"
    return File(f"{answer.run.metric.slug}-receipt.json", "application/json", text)


def _data(answer: Answer) -> dict[str, Any]:
    run, receipt = answer.run, receipt_of(answer.run)
    data: dict[str, Any] = json_ready(
        {
            "metric": run.metric.slug,
            "score": run.result.value,
            "signature": receipt.signature,
            "made": _time(receipt),
            "version": receipt.version,
            "compared_with": _compared(),
            "inputs": [asdict(given) for given in receipt.inputs],
            "options": run.options.written(),
            "result": asdict(run.result),
            "elsewhere": [
                {"tool": other.tool, "value": other.value, "why": other.why}
                for other in answer.elsewhere
            ],
            "notes": answer.notes,
        }
    )
    return data


def _time(receipt: Receipt) -> str:
    return receipt.made.strftime("%Y-%m-%dT%H:%M:%SZ")


def _compared() -> dict[str, str]:
    """The versions of the tools with which the numbers were last compared."""
    comparison = content.comparison()
    return {tool.name: tool.version for tool in comparison.tools} if comparison else {}


def csv_file(answer: Answer) -> File:
    """The receipt as rows of a part, a name and a value, for spreadsheets."""
    written = io.StringIO()
    rows = csv.writer(written)
    rows.writerow(("part", "name", "value"))
    for part, name, value in _rows(_data(answer)):
        rows.writerow((part, name, _cell(value)))
    return File(f"{answer.run.metric.slug}-receipt.csv", "text/csv", written.getvalue())


def _cell(value: object) -> object:
    """``value`` for a spreadsheet: text that is no formula, and true and false as in the JSON."""
    if isinstance(value, bool):
        return json.dumps(value)
    return defused(value) if isinstance(value, str) else value


def _rows(data: Mapping[str, Any]) -> Iterator[tuple[str, str, object]]:
    for name in ("metric", "score", "signature", "made", "version"):
        yield "receipt", name, data[name]
    for part in ("compared_with", "options", "result"):
        for name, value in data[part].items():
            for number, each in enumerate(value, 1) if isinstance(value, list) else ((0, value),):
                yield part, f"{name} {number}" if number else name, each
    for given in data["inputs"]:
        yield "input characters", given["name"], given["characters"]
        yield "input SHA-256", given["name"], given["sha256"]
    for other in data["elsewhere"]:
        yield "elsewhere", other["tool"], other["value"]


def recipe_file(answer: Answer, number: int) -> File | None:
    """The program or command of that number, from 1; None where there is none."""
    recipes = receipt_of(answer.run).recipes
    if not 0 < number <= len(recipes):
        return None
    recipe = recipes[number - 1]
    ending = "py" if recipe.language == PYTHON else "sh"
    name = f"{answer.run.metric.slug}-{recipe.tool.lower()}.{ending}"
    return File(name, "text/plain", recipe.code)


# the ending of the address -> what makes the file
FILES = {"json": json_file, "csv": csv_file}
