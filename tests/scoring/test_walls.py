"""Scoring knows nothing of the web, and the web layer names no metric."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from calculators.scoring import METRICS

ROOT = Path(__file__).resolve().parents[2]
SCORING = ROOT / "calculators" / "scoring"

ALLOWED = sys.stdlib_module_names | {"numpy", "regex", "rapidfuzz"}


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """The level (0 absolute, 1 relative ...) and name of every import of a file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.level, node.module or ""


@pytest.mark.parametrize(
    "path", sorted(SCORING.rglob("*.py")), ids=lambda path: str(path.relative_to(SCORING))
)
def test_scoring_knows_neither_the_web_nor_the_rest_of_the_site(path: Path) -> None:
    depth = len(path.relative_to(SCORING).parts)  # 1 for a module of scoring itself
    for level, name in imported(path):
        if level:
            assert level <= depth, f"{name} leaves scoring"
        else:
            assert name.partition(".")[0] in ALLOWED, name


WEB = [
    path
    for name in ("views", "forms", "api", "urls")
    if (path := ROOT / "calculators" / f"{name}.py").exists()
]


@pytest.mark.parametrize(
    "path", [*WEB, *sorted((ROOT / "templates").rglob("*.html"))], ids=lambda path: path.name
)
def test_web_layer_names_no_metric(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    named = [metric.slug for metric in METRICS if re.search(rf"\b{metric.slug}\b", text)]
    assert not named
