"""Text that would be code if it could, in every field of every page, in a real browser.

``tab`` fails the test on a dialog, on a breach of the policy, on an error of a script and on a
request to another host.
"""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page

from calculators.scoring import METRICS

from .server import Site

pytestmark = pytest.mark.browser

PAYLOADS = (
    "<script>alert(1)</script>",
    "</textarea></title></style></script><script>alert(2)</script>",
    "\"><img src=x onerror=alert(3)>' autofocus onfocus=alert(4) x='",
    "<svg onload=alert(5)><a href=javascript:alert(6)>x</a></svg>",
    "{{ 7|add:7 }} {% csrf_token %} ${alert(8)} `${alert(9)}`",
    "<iframe srcdoc='<script>alert(10)</script>'></iframe><base href=//evil.example>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "<link rel=stylesheet href=//evil.example>",
    "<style>*{background:url(//evil.example)}</style><p style='color:red'>styled</p>",
    "\u202e<b>turned</b>\u2028\u0085&lt;b&gt;&#60;script&#62;",
)
EVERYTHING = " ".join(PAYLOADS)
# Marks that only the text could have brought into the page.
BROUGHT_IN = (
    "iframe, base, main meta, main style, main link, [onerror], [onload], [onfocus], [style],"
    " a[href^=javascript]"
)


def fill_all(page: Page, text: str) -> None:
    """Put the text into every field of every form, past what the page itself would let in."""
    page.evaluate(
        """text => {
            for (const field of document.querySelectorAll("input, textarea, select")) {
                if (["radio", "checkbox", "submit", "file"].includes(field.type)) continue;
                if (field.tagName === "SELECT") {
                    field.add(new Option(text, text));
                    field.value = text;
                } else if (field.type === "number") {
                    field.type = "text";
                    field.value = text;
                } else if (field.type !== "hidden") field.value = text;
            }
        }""",
        text,
    )


def assert_inert(page: Page) -> None:
    """Nothing of the text has become a part of the page, nor taken the visitor elsewhere."""
    assert page.locator(BROUGHT_IN).count() == 0
    assert "evil.example" not in page.url
    own = "script[src^='/static/'], script[type='application/ld+json']"
    assert page.locator("script").count() == page.locator(own).count()


@pytest.mark.parametrize("metric", METRICS, ids=[metric.slug for metric in METRICS])
def test_texts_stay_texts_with_their_whole_working(site: Site, tab: Page, metric) -> None:
    tab.goto(f"{site.url}/{metric.slug}/")
    tab.locator("#id_hypothesis").fill(EVERYTHING)
    tab.locator("#id_references").fill(f"{EVERYTHING}\n{PAYLOADS[0]}")
    # Without the script, the answer is a page of its own.
    tab.evaluate("document.getElementById('calculator').submit()")
    tab.wait_for_selector("#result")
    tab.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true })")
    assert_inert(tab)
    assert tab.locator("#id_hypothesis").input_value() == EVERYTHING
    # With it, the answer is put into the page that is there.
    tab.locator("#id_references").fill(PAYLOADS[1])
    with tab.expect_response(lambda answer: answer.request.method == "POST"):
        tab.get_by_role("button", name="Score", exact=True).click()
    tab.wait_for_selector("#outcome:not([aria-busy])")
    assert_inert(tab)


@pytest.mark.parametrize("path", [*(f"/{metric.slug}/" for metric in METRICS), "/gate/", "/files/"])
def test_every_other_field_is_inert_too(site: Site, tab: Page, path: str) -> None:
    for text in (EVERYTHING, PAYLOADS[2]):
        tab.goto(site.url + path)
        fill_all(tab, text)
        with tab.expect_navigation():
            tab.evaluate("document.querySelector('main form[method=post]').submit()")
        assert_inert(tab)


def test_items_and_their_names_are_inert(site: Site, tab: Page) -> None:
    items = [
        {"id": f"{number} {text}", "source_text": text, "generated_output": text}
        for number, text in enumerate(PAYLOADS)
    ]
    tab.goto(f"{site.url}/gate/")
    tab.locator("[name=items]").fill(json.dumps(items))
    with tab.expect_navigation():
        tab.evaluate("document.querySelector('main form[method=post]').submit()")
    assert tab.locator("main table tbody tr").count() >= len(items)
    assert_inert(tab)


def test_files_and_their_names_are_inert(site: Site, tab: Page) -> None:
    table = "\t".join(("id", "source", "reference", PAYLOADS[0], PAYLOADS[2]))
    rows = ["\t".join((text, text, text, text, text[::-1])) for text in PAYLOADS]
    content = "\n".join((table, *(row.replace("\u2028", "").replace("\u0085", "") for row in rows)))
    name = "<img src=x onerror=alert(11)>.tsv"
    tab.goto(f"{site.url}/files/")
    tab.locator("[name=both]").set_input_files(
        {"name": name, "mimeType": "text/plain", "buffer": content.encode()}
    )
    with tab.expect_navigation():
        tab.evaluate("document.querySelector('main form[method=post]').submit()")
    assert_inert(tab)


def test_addresses_are_inert(site: Site, tab: Page) -> None:
    for address in ("/?q={0}", "/{0}/", "/gate/?example={0}", "/feedback/{0}/", "/api/v1/{0}"):
        tab.goto(site.url + address.format(PAYLOADS[0].replace("/", "%2F")))
        assert_inert(tab)
