"""The sets through the page and through the command give the tools' recorded numbers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from io import StringIO
from itertools import groupby

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client

from tests.record_sets import EXPECTED, SETS

ROWS = json.loads(EXPECTED.read_text(encoding="utf-8"))
RUNS = [
    (hypothesis, references, list(rows))
    for (hypothesis, references), rows in groupby(
        ROWS, key=lambda row: (row["hypothesis"], row["references"])
    )
]


def upload(name: str) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, (SETS / name).read_bytes())


@pytest.mark.parametrize(
    ("hypothesis", "references", "rows"),
    RUNS,
    ids=[f"{hypothesis}-{len(references)}" for hypothesis, references, _ in RUNS],
)
def test_the_page_gives_the_numbers_of_the_tools(
    hypothesis: str, references: Sequence[str], rows: list[dict]
) -> None:
    sent = {
        "systems": [upload(hypothesis)],
        "references": [upload(name) for name in references],
        "metrics": [f"{row['metric']}:{row['preset']}" for row in rows],
        "resamples": "100",
    }
    answer = Client().post("/files/", sent).context["answer"]
    shown = {cell.choice.key: cell.standing.value for cell in answer.table[0][1]}
    assert len(shown) == len(rows)
    for row in rows:
        key = f"{row['metric']}:{row['preset']}"
        assert shown[key] == pytest.approx(row["value"], rel=1e-9, abs=1e-12), key


@pytest.mark.parametrize("row", ROWS[:6], ids=lambda row: f"{row['metric']}-{row['preset']}")
def test_the_command_gives_the_numbers_of_the_tools(row: dict) -> None:
    out = StringIO()
    references = [part for name in row["references"] for part in ("--reference", str(SETS / name))]
    arguments = ["--hypothesis", str(SETS / row["hypothesis"]), *references]
    call_command("score", row["metric"], *arguments, preset=row["preset"], json=True, stdout=out)
    (data,) = json.loads(out.getvalue())
    assert data["score"] == pytest.approx(row["value"], rel=1e-9, abs=1e-12)
