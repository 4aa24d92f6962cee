"""What surrounds the metrics knows none of them by name."""

import re
from pathlib import Path

import pytest

from calculators.scoring import METRICS

ROOT = Path(__file__).parents[2]
SOURCES = sorted(
    [
        *(ROOT / "calculators").glob("*.py"),
        *(ROOT / "calculators" / "files").glob("*.py"),
        *(ROOT / "calculators" / "templatetags").glob("*.py"),
        ROOT / "calculators" / "management" / "commands" / "score.py",
        *(ROOT / "templates").rglob("*.html"),
        *(ROOT / "static").rglob("*.css"),
        *(ROOT / "static").rglob("*.js"),
    ]
)
SLUG = re.compile(rf"\b({'|'.join(metric.slug for metric in METRICS)})\b")


@pytest.mark.parametrize("path", SOURCES, ids=[str(path.relative_to(ROOT)) for path in SOURCES])
def test_no_metric_is_named_outside_its_own_files(path: Path) -> None:
    assert SLUG.search(path.read_text("utf-8")) is None
