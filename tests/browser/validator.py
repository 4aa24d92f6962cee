"""The HTML standard's own checker, the Nu validator, kept running beside the tests.

It needs Java, where html-validate would do with the Node.js that Lighthouse needs anyway. Of the
errors that Nu first found here, html-validate, the lighter one, saw none: roles that a table's
cells must not have, labels on elements without a role, times with too many digits.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from .server import free_port

HERE = Path(__file__).parent
JAR = HERE / "node_modules/vnu-jar/build/dist/vnu.jar"
STARTED_WITHIN = 60  # seconds, on a busy machine


def lack(reason: str) -> None:
    """Fail in CI for what the machine lacks, skip elsewhere."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


def reason_against_it() -> str | None:
    """What the machine lacks to run the validator; None where it has all."""
    if shutil.which("java") is None:
        return "There is no java on the PATH (on Debian: apt install default-jre-headless)."
    if not JAR.exists():
        return "The HTML validator is not installed: (cd tests/browser && npm ci)"
    return None


@dataclass(frozen=True)
class Validator:
    """A running validator."""

    url: str

    def errors(self, html: str) -> list[str]:
        """What is wrong with a page, each with the text it is about."""
        request = urllib.request.Request(
            f"{self.url}/?out=json&level=error",
            data=html.encode(),
            headers={"Content-Type": "text/html; charset=utf-8"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            messages = json.load(answer)["messages"]
        return [f"{message['message']} {message.get('extract', '')}" for message in messages]


@contextmanager
def validating() -> Iterator[Validator]:
    """A validator that listens on a port of its own."""
    port = free_port()
    process = subprocess.Popen(
        [
            *("java", "-Xss4m", "-Xmx512m", "-Dnu.validator.servlet.bind-address=127.0.0.1"),
            *("-cp", str(JAR), "nu.validator.servlet.Main", str(port)),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        validator = Validator(f"http://127.0.0.1:{port}")
        _wait(validator, process)
        yield validator
    finally:
        process.terminate()
        process.wait(timeout=30)


def _wait(validator: Validator, process: subprocess.Popen[bytes]) -> None:
    last = time.monotonic() + STARTED_WITHIN
    while time.monotonic() < last:
        assert process.poll() is None, "The validator stopped."
        try:
            validator.errors("<!doctype html><html lang=en><title>A page</title></html>")
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
        else:
            return
    raise AssertionError(f"The validator did not answer within {STARTED_WITHIN} s.")
