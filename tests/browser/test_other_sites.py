"""What another site makes a visitor's browser send, in a real browser."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Page

from calculators.scoring import METRICS

from .server import Site

pytestmark = pytest.mark.browser

SLUG = METRICS[0].slug
FORM = """<!DOCTYPE html><form method="post" action="{action}" enctype="{kind}">
<input name="hypothesis" value="a canary"><input name="references" value="a cat"></form>"""
KINDS = ("application/x-www-form-urlencoded", "multipart/form-data", "text/plain")


class OtherSite(BaseHTTPRequestHandler):
    """Answers with a form that posts to the address, and in the way, that its query says."""

    def do_GET(self) -> None:
        asked = parse_qs(urlsplit(self.path).query)
        if not asked:
            self.send_error(404)  # its drawing, which browsers ask for
            return
        html = FORM.format(action=asked["action"][0], kind=asked["kind"][0]).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(html)))
        self.end_headers()
        self.wfile.write(html)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def other() -> Iterator[str]:
    """The address of another site, on 127.0.0.1."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), OtherSite)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def sent_from(tab: Page, other: str, action: str, kind: str = KINDS[0]) -> int:
    """The status of the answer to a form of the other site."""
    tab.goto(f"{other}?{urlencode({'action': action, 'kind': kind})}")
    with tab.expect_response(lambda answer: answer.request.method == "POST") as answered:
        tab.evaluate("document.forms[0].submit()")
    tab.wait_for_load_state()
    return answered.value.status


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "path", [f"/{SLUG}/", "/files/", "/gate/", f"/feedback/{SLUG}/", f"/api/v1/{SLUG}/score"]
)
def test_127_0_0_1_can_not_post_to_localhost(
    site: Site, tab: Page, other: str, path: str, kind: str
) -> None:
    local = site.url.replace("127.0.0.1", "localhost")
    assert sent_from(tab, other, local + path, kind) == 403
    assert tab.context.cookies() == []


def test_the_text_of_such_a_form_is_shown_and_not_scored(site: Site, tab: Page, other: str) -> None:
    local = site.url.replace("127.0.0.1", "localhost")
    sent_from(tab, other, f"{local}/{SLUG}/")
    assert tab.locator("#id_hypothesis").input_value() == "a canary"
    assert tab.locator("#result").count() == 0
