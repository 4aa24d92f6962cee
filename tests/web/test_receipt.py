"""A score's receipt: what stands in it, as a page and as files."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
import subprocess
import sys
from datetime import date
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from calculators import content
from calculators.content import ComparedTool, Comparison
from calculators.scoring import METRICS, AnyMetric

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[2]
every_metric = pytest.mark.parametrize("metric", METRICS, ids=[metric.slug for metric in METRICS])

TEXTS = {
    "hypothesis": "=Der Hund\r\nbellt laut -x",
    "references": "Der Hund bellt\r\nEin Hund bellt laut",
}


def post(address: str, fields: dict[str, str] = TEXTS, **headers: str) -> Any:
    return Client().post(address, fields, headers=headers)


def rows_of(response: Any) -> dict[tuple[str, str], str]:
    rows = list(csv.reader(io.StringIO(response.content.decode())))
    assert rows[0] == ["part", "name", "value"]
    return {(part, name): value for part, name, value in rows[1:]}


@every_metric
def test_a_receipt_holds_the_score_the_signature_and_each_input_by_its_hash(
    metric: AnyMetric,
) -> None:
    response = post(f"/{metric.slug}/receipt.json")
    data = response.json()
    page = post(f"/{metric.slug}/")
    assert data["score"] == page.context["run"].result.value
    assert data["signature"] == page.context["signature"]
    assert set(data["options"]) == {spec.name for spec in metric.options.specs()}
    texts = ("=Der Hund\nbellt laut -x", "Der Hund bellt", "Ein Hund bellt laut")
    assert [given["sha256"] for given in data["inputs"]] == [
        sha256(text.encode()).hexdigest() for text in texts
    ]
    assert [given["name"] for given in data["inputs"]] == [
        "Hypothesis",
        "Reference 1",
        "Reference 2",
    ]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", data["made"])


@every_metric
def test_a_receipt_in_a_table_holds_the_same(metric: AnyMetric) -> None:
    rows = rows_of(post(f"/{metric.slug}/receipt.csv"))
    data = post(f"/{metric.slug}/receipt.json").json()
    assert float(rows["receipt", "score"]) == data["score"]
    assert rows["receipt", "signature"] == data["signature"]
    assert rows["input SHA-256", "Reference 2"] == data["inputs"][2]["sha256"]
    assert rows["input characters", "Reference 2"] == str(len("Ein Hund bellt laut"))
    for other in data["elsewhere"]:
        assert rows["elsewhere", other["tool"]] == (
            "" if other["value"] is None else str(other["value"])
        )
    for name, value in data["options"].items():
        if isinstance(value, bool):
            assert rows["options", name] == json.dumps(value)


@every_metric
def test_a_receipt_holds_no_word_of_the_text_and_is_not_kept(metric: AnyMetric) -> None:
    for ending in ("json", "csv"):
        response = post(f"/{metric.slug}/receipt.{ending}")
        assert response.headers["Cache-Control"] == "no-store"
        assert response.headers["Content-Disposition"].startswith("attachment; filename=")
        assert b"Hund" not in response.content


@every_metric
def test_a_text_that_can_not_be_scored_comes_back_on_its_page(metric: AnyMetric) -> None:
    response = post(f"/{metric.slug}/receipt.json", {"hypothesis": "kept", "references": ""})
    assert response.status_code == 400
    html = response.content.decode()
    assert "kept</textarea>" in html
    assert f'action="/{metric.slug}/#result"' in html
    assert f'rel="canonical" href="http://testserver/{metric.slug}/"' in html


def test_nothing_in_a_table_is_a_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = Comparison(date(2026, 1, 1), 1, (ComparedTool("Tool", "=2+3", 1),))
    monkeypatch.setattr(content, "comparison", lambda: compared)
    rows = rows_of(post(f"/{METRICS[0].slug}/receipt.csv"))
    assert rows["compared_with", "Tool"] == "'=2+3"


def test_there_is_no_other_file_and_no_other_recipe() -> None:
    slug = METRICS[0].slug
    assert post(f"/{slug}/receipt.exe").status_code == 404
    assert post(f"/{slug}/recipe-99").status_code == 404
    assert post("/nothing/receipt.json").status_code == 404
    assert Client().get(f"/{slug}/receipt.json").status_code == 405


def test_another_site_can_not_ask_for_a_receipt() -> None:
    response = post(f"/{METRICS[0].slug}/receipt.json", Origin="https://elsewhere.example")
    assert response.status_code == 403


@every_metric
def test_the_page_offers_each_recipe_as_it_can_be_downloaded(metric: AnyMetric) -> None:
    html = post(f"/{metric.slug}/").content.decode()
    shown = re.findall(r'<code id="recipe-(\d+)">(.*?)</code>', html, re.S)
    assert len(shown) >= 2
    for number, code in shown:
        assert post(f"/{metric.slug}/recipe-{number}").content.decode() == unescape(code)


def test_a_long_text_is_offered_in_a_file_only() -> None:
    texts = {"hypothesis": "word " * 2_000, "references": "word " * 2_000}
    slug = METRICS[0].slug
    html = post(f"/{slug}/", texts).content.decode()
    assert 'id="recipe-1"' not in html
    assert post(f"/{slug}/recipe-1", texts).content.count(b"word") >= 4_000


@every_metric
def test_our_own_command_prints_the_score(metric: AnyMetric) -> None:
    for example in content.page(metric.slug).examples[:1]:
        html = Client().get(f"/{metric.slug}/", {"example": example.slug}).content.decode()
        code = unescape(re.findall(r'<code id="recipe-\d+">(.*?)</code>', html, re.S)[-1])
        assert code.startswith(".venv/bin/python manage.py score ")
        # As printed where it is installed as it says, else with the Python of the tests.
        if not (ROOT / ".venv/bin/python").exists():
            code = code.replace(".venv/bin/python", shlex.quote(sys.executable), 1)
        done = subprocess.run(
            ["bash", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
        )
        assert float(done.stdout) == pytest.approx(example.expect["value"], abs=1e-12)


def test_the_json_is_written_with_every_digit() -> None:
    response = post(f"/{METRICS[0].slug}/receipt.json")
    score = json.loads(response.content)["score"]
    assert repr(score) in response.content.decode()
