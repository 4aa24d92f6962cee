"""A word that is typed anywhere is nowhere to be found afterwards, not even when all goes wrong.

The site runs as it does for the public; it is made to fail with messages that hold all that was
sent. Then the word is looked for in all that the site has written.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlencode

import pytest

from calculators.scoring import METRICS
from tests.browser.server import ROOT, free_port, wait_until_it_answers

CANARY = "kanarienvogel7391"
FAULTS = ("", "exception", "database")
FORM = "application/x-www-form-urlencoded"
TEXTS = {"hypothesis": f"the {CANARY} sat", "references": f"the {CANARY} sat on"}
ITEM = {"id": CANARY, "source_text": f"the {CANARY} sat", "generated_output": f"a {CANARY}"}
FILES = {
    "system_1": f"the {CANARY} sat\na dog",
    "system_2": f"the {CANARY} sang\na dog",
    "reference_1": f"the {CANARY} sat on\nthe dog",
    "metrics": f"{METRICS[0].slug}:{METRICS[0].presets[0].name}",
    "resamples": "100",
}
NAMED = re.compile(r'<(?:input|select|textarea|button)[^>]*?\sname="([^"]+)"')
SAVED = {"/gate/": ("report.json",), "/files/": ("download/",)}  # what a page's form may save


@dataclass
class Watched:
    """A site, and all the places that it can write to."""

    port: int
    folder: Path
    answers: list[tuple[int, str]] = field(default_factory=list)  # status and headers

    def post(self, path: str, body: bytes, kind: str, fault: str = "") -> HTTPResponse:
        """The answer, read to its end."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("POST", path, body, {"Content-Type": kind, "X-Fault": fault})
        response = connection.getresponse()
        response.body = response.read().decode(errors="replace")
        connection.close()
        self.answers.append((response.status, str(response.headers)))
        return response

    def get(self, path: str) -> str:
        """The page."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", path, headers={"Referer": f"http://localhost/?{CANARY}"})
        page = connection.getresponse().read().decode()
        connection.close()
        return page

    def written(self) -> dict[str, str]:
        """The files that the site has written, and what is in them."""
        return {
            str(file.relative_to(self.folder)): file.read_bytes().decode("latin-1")
            for file in self.folder.rglob("*")
            if file.is_file()
        }


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """The server of the public site, with two workers, told to fail by a header."""
    folder = tmp_path_factory.mktemp("canary")
    for name in ("data", "mails", "temporary"):
        (folder / name).mkdir()
    port = free_port()
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.reliability.faulty",
        "SECRET_KEY": "k" * 60,
        "MTCALC_DATA": str(folder / "data"),
        "MAILS": str(folder / "mails"),
        "TMPDIR": str(folder / "temporary"),
        "DEBUG": "off",
    }
    environment.pop("DATABASE_URL", None)
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(port)],
            cwd=ROOT,
            env=environment,
            stdout=log,
            stderr=log,
        )
        try:
            wait_until_it_answers(f"http://127.0.0.1:{port}/healthz", process, folder / "log")
            yield Watched(port, folder)
        finally:
            process.terminate()
            process.wait(timeout=30)


def forms(site: Watched) -> Iterator[tuple[str, dict[str, str]]]:
    """Every form with the word in the texts, and then in each field that its page shows."""
    pages = {f"/{metric.slug}/": TEXTS for metric in METRICS}
    pages |= {"/gate/": {"items": json.dumps([ITEM]), "open": "0"}, "/files/": FILES}
    for page, fields in pages.items():
        answer = site.post(page, urlencode(fields).encode(), FORM)
        assert answer.status == 200
        shown = site.get(page) + answer.body
        names = set(NAMED.findall(shown)) | {"anything", "progress", "table"}
        assert names >= set(fields)
        for path in (page, *SAVED.get(page, ("receipt.json", "receipt.csv", "recipe-1"))):
            address = path if path.startswith("/") else page + path
            yield address, fields
            # What a page shows is the same for its files, which read fewer fields.
            for name in names if path == page else ():
                yield address, fields | {name: CANARY}
    for kind in ("csv", "xlsx", "json", "latex", CANARY):
        yield "/files/download/", FILES | {"download": kind}
    yield "/admin/login/", {"username": CANARY, "password": CANARY}


def documents() -> Iterator[tuple[str, object]]:
    """Every call of the API with the word wherever a document has a place for it."""
    pair = {"hypothesis": f"a {CANARY}", "references": [CANARY]}
    lines = {"hypotheses": [CANARY], "references": [[CANARY, None]]}
    odd = ({}, {CANARY: 1}, {"preset": CANARY}, {"options": CANARY}, {"options": {CANARY: CANARY}})
    for metric in METRICS:
        option = next(iter(metric.options().written()))
        for more in (*odd, {"options": {option: CANARY}}):
            yield f"/api/v1/{metric.slug}/score", pair | more
            yield f"/api/v1/{metric.slug}/corpus?detail=0", lines | more
    for body in (
        *odd,
        {"items": [ITEM]},
        {"items": CANARY},
        {"items": [ITEM], "threshold": CANARY},
    ):
        yield "/api/v1/gate", body


def multipart(fields: dict[str, str], file: str) -> tuple[bytes, str]:
    """A body with the fields and a file whose name and content hold the word."""
    parts = [f'name="{name}"\r\n\r\n{value}' for name, value in fields.items()]
    parts.append(f'name="{file}"; filename="{CANARY}.txt"\r\n\r\n{CANARY}\n{CANARY}')
    body = "".join(f"--limit\r\nContent-Disposition: form-data; {part}\r\n" for part in parts)
    return f"{body}--limit--\r\n".encode(), "multipart/form-data; boundary=limit"


def assert_nowhere(site: Watched, *, but: str = "nothing") -> None:
    """The word stands in no file of the site but those named so, and in no header."""
    for name, text in site.written().items():
        if not name.startswith(but):
            assert CANARY not in text, name
    for _, headers in site.answers:
        assert CANARY not in headers


@pytest.mark.parametrize("fault", FAULTS)
def test_no_form_leaves_a_word_anywhere(site: Watched, fault: str) -> None:
    for path, fields in forms(site):
        site.post(path, urlencode(fields).encode(), FORM, fault)
    for path, name in (("/gate/", "file"), ("/files/", "systems"), ("/files/", "both")):
        site.post(path, *multipart(FILES, name), fault)
    assert_nowhere(site)


@pytest.mark.parametrize("fault", FAULTS)
def test_no_call_of_the_api_leaves_a_word_anywhere(site: Watched, fault: str) -> None:
    for path, document in documents():
        site.post(path, json.dumps(document).encode(), "application/json", fault)
    for body in (CANARY, f'{{"{CANARY}', f'"{CANARY}"'):
        site.post(f"/api/v1/{METRICS[0].slug}/score", body.encode(), "application/json", fault)
    assert_nowhere(site)


def test_no_address_is_written_down(site: Watched) -> None:
    # Whoever types words into an address, or follows a link with them, has typed them, too.
    for path in ("/", *(f"/{metric.slug}/" for metric in METRICS), "/files/", "/gate/", "/static/"):
        for end in (f"?hypothesis={CANARY}", f"?example={CANARY}", CANARY, f"{CANARY}/"):
            site.get(path + end)
    assert_nowhere(site)


def test_feedback_stands_in_the_database_and_nowhere_else(site: Watched) -> None:
    path = f"/feedback/{METRICS[0].slug}/"
    page = site.post(path, b"", FORM).body
    token = re.search(r'name="token" value="([^"]+)"', page)[1]
    words = {"rating": "3", "kind": "bug", "name": CANARY, "text": CANARY, "token": token}
    for name in ("rating", "kind", "token", "website"):
        site.post(path, urlencode(words | {name: CANARY}).encode(), FORM)
    for fault in ("database", "exception", ""):
        answer = site.post(path, urlencode(words).encode(), FORM, fault)
    assert answer.status == 303
    link = answer.headers["Location"]
    for fault in ("database", "exception", ""):
        site.post(link, urlencode(words).encode(), FORM, fault)
        site.post(f"{path}report/x/", urlencode({"reason": CANARY}).encode(), FORM, fault)
        site.post(link.replace("/yours/", f"/yours/{CANARY}"), b"", FORM, fault)
    assert_nowhere(site, but="data/mtcalc.sqlite3")


def test_the_faults_were_real_and_were_written_down(site: Watched) -> None:
    # The tests above would pass on a site that writes nothing at all.
    log = (site.folder / "log").read_text()
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and not list((site.folder / "mails").iterdir()):
        time.sleep(0.1)
    assert "builtins.RuntimeError at" in log
    assert "django.db.utils.OperationalError at" in log
    assert list((site.folder / "mails").iterdir()) != []
    assert {200, 303, 400, 500, 503} <= {status for status, _ in site.answers}
