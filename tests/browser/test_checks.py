"""The checks of pages see what they are for: each is shown a sound page and one with the fault."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from .soundness import REMEMBER_CLICKS, asked, check_focus, ready, violations

pytestmark = pytest.mark.browser

SHELL = '<!doctype html><html lang="en"><title>A page</title><main>{}</main></html>'
TABLE = "<table>{}<tr>{}<th scope=col>B</th></tr><tr>{}<td>1</td></tr></table>"
CAPTION, COLUMN, ROW = "<caption>A table</caption>", "<th scope=col>A</th>", "<th scope=row>a</th>"
WIDE = '<div style="{}"><div style="inline-size: 3000px">wide</div></div>'
RING = "<style>:focus {{ outline: {} }}</style><a href=/>A link</a><button>A button</button>"
SHAPE = '<svg viewBox="0 0 9 9"><rect width="9" height="9" fill="{}"/></svg>'
CLIPPED = '<p style="block-size: 1.6em; inline-size: 12em; overflow: {}">Ten letters</p>'

SEEN = [
    ("headings", "<h1>One</h1><h2>Two</h2>", "<h1>One</h1><h3>Three</h3>"),
    ("headings", "<h1>One</h1>", "<h1>One</h1><h1>Another</h1>"),
    ("headings", "<h1>One</h1>", "<p>None</p>"),
    ("tables", TABLE.format(CAPTION, COLUMN, ROW), TABLE.format("", COLUMN, ROW)),
    ("tables", TABLE.format(CAPTION, COLUMN, ROW), TABLE.format(CAPTION, "<th>A</th>", ROW)),
    ("tables", "<p>None</p>", f"<table>{CAPTION}<tr><td>Heads nothing</td></tr></table>"),
    ("languages", "<p dir=auto>אב</p>", "<p>אב</p>"),
    ("languages", "<p lang=de>Haus</p>", "<p lang=!!>Haus</p>"),
    ("clickOnly", "<a style='cursor: pointer' href=/>A</a>", "<p style='cursor: pointer'>A</p>"),
    ("targets", "<button style='block-size: 30px'>A button</button>", "<button>x</button>"),
    ("targets", "<p>In a <a href=/>line</a> of text.</p>", "<p><a href=/>Alone</a></p>"),
    ("sideways", WIDE.format("overflow: auto"), WIDE.format("")),
    ("boxesThatScroll", "<p>None</p>", WIDE.format("overflow: auto")),
    ("cutOff", CLIPPED.format("hidden"), CLIPPED.format("hidden; inline-size: 2em")),
    ("spaced", "<p>A</p>", CLIPPED.format("hidden; block-size: 1.2em")),
    (
        "forced",
        "<button class=button>A</button>",
        "<button class=button style='border: 0'>A</button>",
    ),
    ("forced", SHAPE.format("CanvasText"), SHAPE.format("Canvas")),
]


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 320, "height": 700})
    context.add_init_script(REMEMBER_CLICKS)
    yield context.new_page()
    context.close()


def show(page: Page, part: str) -> None:
    page.goto("about:blank")
    page.set_content(SHELL.format(part))
    ready(page)


@pytest.mark.parametrize(("check", "sound", "faulty"), SEEN)
def test_a_fault_is_seen(page: Page, check: str, sound: str, faulty: str) -> None:
    show(page, sound)
    assert asked(page, check) == []
    show(page, faulty)
    assert len(asked(page, check)) >= 1


def test_what_listens_to_clicks_alone_is_seen(page: Page) -> None:
    show(page, "<button>A</button><p>B</p>")
    page.evaluate("document.querySelector('button').addEventListener('click', () => {})")
    assert asked(page, "clickOnly") == []
    page.evaluate("document.querySelector('p').addEventListener('click', () => {})")
    assert len(asked(page, "clickOnly")) == 1


@pytest.mark.parametrize(
    ("ring", "faults"), [("3px solid black", 0), ("none", 2), ("3px solid #eee", 2)]
)
def test_a_missing_or_faint_ring_is_seen(page: Page, ring: str, faults: int) -> None:
    show(page, RING.format(ring))
    assert len(check_focus(page)) == faults
    assert len(asked(page, "ringsAgain")) == faults


def test_what_the_tab_key_never_comes_to_is_seen(page: Page) -> None:
    show(page, "<button onkeydown='event.preventDefault()'>A trap</button><button>Never</button>")
    assert "Never" in " ".join(check_focus(page))


@pytest.mark.parametrize(
    ("sound", "faulty"),
    [
        ("<p>A word</p>", "<p style='color: #aaa'>A word</p>"),
        ("<label>Name <input></label>", "Name <input>"),
        ("<img alt='A cat' src=data:,>", "<img src=data:,>"),
        ("<ul><li>A</li></ul>", "<ul><p>A</p></ul>"),
    ],
)
def test_axe_runs_with_its_rules(page: Page, sound: str, faulty: str) -> None:
    show(page, sound)
    assert violations(page) == []
    show(page, faulty)
    assert len(violations(page)) == 1
