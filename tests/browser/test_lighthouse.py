"""Lighthouse finds nothing to better in accessibility, best practices and for search engines."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from playwright._impl._driver import compute_driver_executable

from calculators import content
from calculators.scoring import METRICS

from .conftest import FLAGS
from .server import Site
from .validator import lack

pytestmark = pytest.mark.browser

HERE = Path(__file__).parent
EXAMPLES = {metric.slug: content.page(metric.slug).examples[1].slug for metric in METRICS}
PAGES = {
    "calculators": [f"/{slug}/" for slug in EXAMPLES],
    "examples": [f"/{slug}/?example={example}" for slug, example in EXAMPLES.items()],
    "others": ["/", "/files/", "/gate/", "/api/", "/about/", "/privacy/"],
    "results": ["/files/?example=two-systems", "/gate/?example=bundled"],
}
ALL = {"accessibility": 100, "best-practices": 100, "seo": 100}


def needed() -> tuple[str, str]:
    """The programs that run Lighthouse: Node.js and Chromium."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        lack("There is no chromium on the PATH (on Debian: apt install chromium).")
    if not (HERE / "node_modules/lighthouse").exists():
        lack("Lighthouse is not installed: (cd tests/browser && npm ci)")
    # Lighthouse asks for a newer Node.js than Debian's; Playwright brings one along.
    return compute_driver_executable()[0], program or ""


@pytest.mark.parametrize("pages", PAGES.values(), ids=PAGES)
def test_lighthouse_gives_full_marks(site: Site, pages: list[str]) -> None:
    node, chromium = needed()
    done = subprocess.run(
        [node, "lighthouse.mjs", *(site.url + page for page in pages)],
        cwd=HERE,
        env={
            **os.environ,
            "CHROME_PATH": chromium,
            "CHROME_FLAGS": json.dumps([*FLAGS, "--headless=new"]),
        },
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(pages)
    assert [page for page in found if page["scores"] != ALL] == []
