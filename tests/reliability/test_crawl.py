"""Every public page that a link leads to: no cookie, no inline code, nothing from elsewhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from django.test import Client

from mtcalc.middleware import POLICY

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).parents[2]
FOREIGN = {"sessionid": "x" * 32, "csrftoken": "x" * 64}  # of another program on the same host


class Marks(HTMLParser):
    """The links of a page, what it loads, and what its policy would not run."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.inline: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if values.get("type") == "application/ld+json":
            return  # data, which no browser runs
        if tag in ("script", "img", "iframe", "source") or values.get("rel") == "stylesheet":
            self.loaded.append(values.get("src") or values.get("href") or "inline")
        if tag == "style" or any(name == "style" or name.startswith("on") for name in values):
            self.inline.append(self.get_starttag_text() or tag)


def test_every_page_that_a_link_leads_to_is_clean() -> None:
    client = Client()
    client.cookies.load(FOREIGN)
    waiting, seen = ["/"], {"/"}
    while waiting:
        path = waiting.pop()
        response = client.get(path)
        assert response.status_code == 200, path
        assert not response.cookies, path
        assert "cookie" not in response.get("Vary", "").lower(), path
        assert response["Content-Security-Policy"] == POLICY
        if not response["Content-Type"].startswith("text/html"):
            continue
        marks = Marks(response.content.decode())
        assert marks.inline == [], path
        assert all(address.startswith("/static/") for address in marks.loaded), path
        for link in marks.links:
            found = urlsplit(urljoin(path, link))
            address = found.path + (f"?{found.query}" if found.query else "")
            if not found.netloc and found.scheme in ("", "http") and address not in seen:
                seen.add(address)
                waiting.append(address)
    assert {"/files/", "/gate/", "/api/", "/privacy/"} <= seen
    assert any("?example=" in address for address in seen)


UNESCAPED = re.compile(
    r"\|\s*safe\b|mark_safe|autoescape off|safeseq|SafeString|\sstyle=|\son\w+=[\"']"
    r"|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function"
)


def test_nothing_in_the_tree_gets_round_escaping_or_the_policy() -> None:
    files = [*(ROOT / "templates").rglob("*.*"), *(ROOT / "static").rglob("*.js")]
    files += [file for name in ("calculators", "mtcalc") for file in (ROOT / name).rglob("*.py")]
    assert [str(file) for file in files if UNESCAPED.search(file.read_text("utf-8"))] == []


@pytest.mark.parametrize("host", ["evil.example", "testserver,evil", "[::1", "a b"])
def test_a_host_that_is_not_ours_is_400_on_every_page(host: str) -> None:
    client = Client(raise_request_exception=False, headers={"host": host})
    for path in ("/", "/about", "/gate/", "/api/v1/metrics", "/robots.txt"):
        assert client.get(path).status_code == 400, path


def test_the_contact_is_shown_where_there_is_one(settings) -> None:
    assert "Report a fault" not in Client().get("/about/").content.decode()
    settings.MTCALC_CONTACT = "owner@example.org"
    assert 'href="mailto:owner@example.org"' in Client().get("/about/").content.decode()
