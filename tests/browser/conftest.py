"""What tests in a real browser stand on.

``site`` is a running server (one for all of them), ``browser`` a Chromium, ``tab`` a fresh page in
a window of its own that fails the test if the page breaks its content security policy, throws or
asks another host for anything.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Dialog,
    Error,
    Page,
    Request,
    sync_playwright,
)

from .inhabited import Inhabited, inhabited
from .server import Site, serving
from .validator import Validator, lack, reason_against_it, validating

FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site, served for all browser tests, with an empty database."""
    with serving(Path(tmp_path_factory.mktemp("site"))) as running:
        yield running


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inhabited]:
    """The site with some feedback on a tool, for tests that leave it as it is."""
    with inhabited(Path(tmp_path_factory.mktemp("place"))) as running:
        yield running


@pytest.fixture(scope="session")
def validator() -> Iterator[Validator | None]:
    """The HTML validator; None where the machine lacks it, of which test_validator.py tells."""
    if reason_against_it():
        yield None
        return
    with validating() as running:
        yield running


# For a module: while Playwright runs, Django refuses the database to the thread of the tests.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless Chromium of the system. Without one tests are skipped, and fail in CI."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        lack("There is no chromium on the PATH (on Debian: apt install chromium).")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture(params=[True, False], ids=["script", "no-script"])
def visitor(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A visitor's page, with JavaScript and without, which is given no cookie."""
    context = browser.new_context(java_script_enabled=request.param)
    page = context.new_page()
    faults = watched(page)
    yield page
    assert context.cookies() == []
    context.close()
    assert faults == []


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    """A page without cookies, 1280 px wide; what it does wrong fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    faults = watched(page)
    yield page
    context.close()
    assert faults == []


def watched(page: Page) -> list[str]:
    """A list that fills with what the page does wrong."""
    faults: list[str] = []

    def on_console(message: ConsoleMessage) -> None:
        # Chromium also reports every answer from 400 on, which the tests ask for on purpose.
        if message.type == "error" and "the server responded with a status" not in message.text:
            faults.append(message.text)

    def on_error(error: Error) -> None:
        faults.append(str(error))

    def on_request(request: Request) -> None:
        if urlsplit(request.url).hostname not in ("127.0.0.1", "localhost", None):
            faults.append(f"asked {request.url}")

    def on_dialog(dialog: Dialog) -> None:
        faults.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    page.on("console", on_console)
    page.on("pageerror", on_error)
    page.on("request", on_request)
    page.on("dialog", on_dialog)
    return faults
