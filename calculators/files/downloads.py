"""The results as files: for spreadsheets, programs and papers."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font

from ..answer import json_ready
from ..scoring import VERSION
from .annotate import Scores, annotated
from .answer import ORIGIN, FilesAnswer, signature_of
from .choices import Choice, labels_of
from .comparison import METHODS
from .defused import cell_text, defused
from .latex import latex_table
from .notes import place
from .sheet import Sheet

Value = str | float | int | None
JSON = "application/json"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@dataclass(frozen=True, slots=True)
class Download:
    """A file to be saved."""

    name: str
    content_type: str
    data: bytes


def download(kind: str, answer: FilesAnswer) -> Download:
    """The file of that kind, one of the answer's ``downloads``."""
    number = kind.removeprefix(ORIGIN)
    return _annotated(answer, int(number)) if number != kind else _WRITERS[kind](answer)


def _annotated(answer: FilesAnswer, number: int) -> Download:
    """An uploaded file with the scores of the systems that it holds, as they are printed."""
    origin, sheet = answer.material.origins[number], answer.sheet
    columns = [
        _printed(f"{label}, {name}" if len(origin.systems) > 1 else label, sheet, choice, system)
        for system, name in enumerate(sheet.systems)
        if name in origin.systems
        for choice, label in answer.heads
    ]
    name = re.sub(r"[^A-Za-z0-9._-]", "_", origin.name)[-80:]
    kind = XLSX if origin.format == "xlsx" else "application/octet-stream"
    return Download(f"scored-{name}", kind, annotated(origin, columns))


def _printed(label: str, sheet: Sheet, choice: Choice, system: int) -> Scores:
    scale = choice.metric.scale
    figures = (None if s is None else s * scale.multiplier for s in sheet.scores(choice, system))
    return Scores(label, tuple(figures), scale.digits, scale.unit)


# Tables


def segment_table(answer: FilesAnswer) -> Iterator[list[Value]]:
    """A heading, then a row a segment and system; scores have full precision, as in the API."""
    sheet, material = answer.sheet, answer.material
    ids, sources = material.ids, material.sources
    yield [
        "segment",
        *(["id"] if ids else []),
        "system",
        *labels_of(sheet.choices),
        "hypothesis",
        *(reference.name for reference in material.references),
        *(["source"] if sources else []),
    ]
    scores = [
        [sheet.scores(choice, system) for choice in sheet.choices]
        for system in range(len(sheet.systems))
    ]
    for index in range(len(material)):
        for system, name in enumerate(sheet.systems):
            yield [
                index + 1,
                *([ids[index]] if ids else []),
                name,
                *(column[index] for column in scores[system]),
                material.systems[system].hypotheses[index],
                *(reference.lines[index] for reference in material.references),
                *([sources[index]] if sources else []),
            ]


def system_table(answer: FilesAnswer) -> Iterator[list[Value]]:
    """A heading, then a row a system and metric."""
    yield ["system", "metric", "preset", "score", "low", "high", "signature"]
    for name, cells in answer.table:
        for cell in cells:
            standing, choice = cell.standing, cell.choice
            preset = choice.preset.name
            scores = (standing.value, standing.low, standing.high)
            signature = signature_of(answer.sheet, choice)
            yield [name, choice.metric.slug, preset, *scores, signature]


def pair_table(answer: FilesAnswer) -> Iterator[list[Value]]:
    """A heading, then a row a pair of systems and metric."""
    yield ["baseline", "system", "metric", "preset", "difference", "p_value", "p_corrected"]
    for first, second, found in answer.pairs:
        for choice, _, pair in found:
            figures = (pair.difference, pair.p_value, pair.corrected)
            yield [first, second, choice.metric.slug, choice.preset.name, *figures]


def settings_table(answer: FilesAnswer) -> Iterator[list[Value]]:
    """How the figures came about, a setting a row."""
    settings = answer.comparison.settings
    yield ["setting", "value"]
    yield ["test", METHODS[settings.method]]
    yield ["resamples", settings.resamples]
    yield ["seed", settings.seed]
    yield ["correction", "Holm, over the pairs of systems within a metric"]
    yield ["segments", len(answer.material)]
    yield ["text without spaces", answer.splitting or "Split as each preset does."]
    yield ["version of the numbers", VERSION]
    for note in answer.notes:
        yield [f"note on {place(note)}", note.text]


# Files


def csv_file(answer: FilesAnswer) -> Download:
    """Every segment, comma-separated. The mark before it tells Excel that it is UTF-8."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    for row in segment_table(answer):
        writer.writerow([defused(value) if isinstance(value, str) else value for value in row])
    return Download("scores.csv", "text/csv; charset=utf-8", text.getvalue().encode("utf-8-sig"))


def xlsx_file(answer: FilesAnswer) -> Download:
    """A workbook: systems, comparisons, segments, settings."""
    book = Workbook(write_only=True)
    sheets = {
        "Systems": system_table,
        "Comparisons": pair_table,
        "Segments": segment_table,
        "Settings": settings_table,
    }
    for title, table in sheets.items():
        sheet = book.create_sheet(title)
        sheet.freeze_panes = "A2"
        for number, row in enumerate(table(answer)):
            sheet.append([_cell(sheet, value, is_head=number == 0) for value in row])
    data = io.BytesIO()
    book.save(data)
    return Download("scores.xlsx", XLSX, data.getvalue())


def _cell(sheet: Any, value: Value, *, is_head: bool) -> Any:
    cell = WriteOnlyCell(sheet, cell_text(value) if isinstance(value, str) else value)
    if isinstance(value, str):
        cell.data_type = "s"  # whatever it begins with
    if is_head:
        cell.font = Font(bold=True)
    return cell


def json_file(answer: FilesAnswer) -> Download:
    """Everything, for programs."""
    text = json.dumps(json_ready(results_data(answer)), ensure_ascii=False, indent=1)
    return Download("scores.json", JSON, f"{text}\n".encode())


def results_data(answer: FilesAnswer) -> dict[str, Any]:
    """Every figure and how it came about, without the texts."""
    sheet = answer.sheet
    return {
        "version": VERSION,
        "comparison": asdict(answer.comparison.settings),
        "metrics": [
            {
                "key": choice.key,
                "metric": choice.metric.slug,
                "preset": choice.preset.name,
                "splitting": choice.splitting if choice.splits else "",
                "signature": signature_of(sheet, choice),
                "options": choice.options.written(),
            }
            for choice in sheet.choices
        ],
        "systems": _objects(system_table(answer)),
        "comparisons": _objects(pair_table(answer)),
        "findings": [
            {"kind": each.kind, "severity": each.severity, "message": each.message}
            for each in answer.findings
        ],
        "notes": list(answer.material.notes),
        "metric_notes": [
            {
                "note": note.text,
                "of": [{"system": name, "metrics": keys} for name, keys in note.keys.items()],
            }
            for note in answer.notes
        ],
        "segments": _segments(answer),
    }


def _objects(table: Iterator[list[Value]]) -> list[dict[str, Value]]:
    head = [str(name) for name in next(table)]
    return [dict(zip(head, row, strict=True)) for row in table]


def _segments(answer: FilesAnswer) -> dict[str, dict[str, Sequence[float | None]]]:
    """System -> key of a metric -> the score of each segment."""
    sheet = answer.sheet
    return {
        name: {choice.key: sheet.scores(choice, system) for choice in sheet.choices}
        for system, name in enumerate(sheet.systems)
    }


def latex_file(answer: FilesAnswer) -> Download:
    """A table for a paper."""
    return Download("scores.tex", "application/x-tex", latex_table(answer).encode())


_WRITERS: dict[str, Callable[[FilesAnswer], Download]] = {
    "csv": csv_file,
    "xlsx": xlsx_file,
    "json": json_file,
    "latex": latex_file,
}
