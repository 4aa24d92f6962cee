"""All that is looked at of a page in one state, with one load: most of the time goes into loading.

axe-core runs with the tags of WCAG 2.2 AA. It does not see tables without headers, elements that
only a click works, removed outlines and sideways scroll; checks.js looks for these.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import axe_playwright_python
from playwright.sync_api import Page, Response

from .inhabited import Inhabited
from .states import State, unfold
from .validator import Validator

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text("utf-8")
CHECKS = Path(__file__).with_name("checks.js").read_text("utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]
NARROW, WIDE = 320, 1280  # px
MOST_STOPS = 700  # of the Tab key on one page
HEAVIEST = 60_000  # bytes of a page and all that it loads, as they are sent

Faults = dict[str, list[str]]  # by the check that found them

# Run before a page's own scripts: remembers what listens to clicks.
REMEMBER_CLICKS = """
window.heardClicks = new Set();
const listen = EventTarget.prototype.addEventListener;
EventTarget.prototype.addEventListener = function (kind, ...more) {
  if (["click", "mousedown", "pointerdown", "dblclick"].includes(kind)) heardClicks.add(this);
  return listen.call(this, kind, ...more);
};
"""


def faults_of(state: State, page: Page, place: Inhabited, validator: Validator | None) -> Faults:
    """What is wrong with a state; checks that find nothing are left out."""
    _look(page, width=WIDE)
    with _heard(page) as answers:
        state.reach(page, place)
        found = dict(_as_served(page, answers, validator))
        if state.is_long:
            del found["weight"]
    unfold(page)
    ready(page)
    found |= dict(_as_seen(page))
    return {check: faults for check, faults in found.items() if faults}


def ready(page: Page) -> None:
    """Bring the checks into the page."""
    page.evaluate(CHECKS)
    page.evaluate(AXE)


@contextmanager
def _heard(page: Page) -> Iterator[list[Response]]:
    """A list that fills with what the server answers."""
    answers: list[Response] = []

    def hear(answer: Response) -> None:
        answers.append(answer)

    page.on("response", hear)
    try:
        yield answers
    finally:
        page.remove_listener("response", hear)


def _as_served(
    page: Page, answers: list[Response], validator: Validator | None
) -> Iterator[tuple[str, list[str]]]:
    weight = _weight(answers)
    yield "weight", [f"{weight} bytes"] if weight > HEAVIEST else []
    if validator:
        yield "HTML", validator.errors(_last_page(page, answers))


def _weight(answers: list[Response]) -> int:
    """The bytes of a page and all that it loads, with their headers, each path once.

    A result has the path of the empty page or the example before it, whose place it takes.
    """
    sizes = {urlsplit(answer.url).path: answer.request.sizes() for answer in answers}
    return sum(size["responseHeadersSize"] + size["responseBodySize"] for size in sizes.values())


def _last_page(page: Page, answers: list[Response]) -> str:
    """The HTML that came last, as it was sent."""
    for answer in reversed(answers):
        kind = answer.headers.get("content-type", "")
        if kind.startswith("text/html"):
            return answer.text()
        if kind.startswith("application/x-ndjson"):
            # The browser keeps no streams; what the script has made of it stands on the page.
            return page.content()
    raise AssertionError("No page was sent.")


def _as_seen(page: Page) -> Iterator[tuple[str, list[str]]]:
    for check in ("headings", "tables", "languages", "clickOnly"):
        yield check, asked(page, check)
    for width in (NARROW, WIDE):
        _look(page, width=width)
        for check in ("sideways", "boxesThatScroll", "cutOff", "targets", "spaced"):
            yield f"{check}, {width} px", asked(page, check)
    _leave_out_what_was_seen(page)
    yield "focus", check_focus(page)
    _look(page, width=WIDE, theme="dark")
    yield "focus, dark", asked(page, "ringsAgain")
    _look(page, width=WIDE, colours="active")
    yield "forced colours", asked(page, "forced") + asked(page, "ringsAgain")
    page.evaluate("checks.thin()")
    for width in (NARROW, WIDE):
        for theme in ("light", "dark"):
            _look(page, width=width, theme=theme)
            yield f"axe, {width} px, {theme}", violations(page)


_seen: set[int] = set()


def _leave_out_what_was_seen(page: Page) -> None:
    """Take away those parts of the page that another state had word for word, as the footer."""
    names = [hash(part) for part in asked(page, "common")]
    page.evaluate(
        "numbers => checks.remove(numbers)",
        [number for number, name in enumerate(names) if name in _seen],
    )
    _seen.update(names)


def _look(page: Page, *, width: int, theme: str = "light", colours: str = "none") -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(
        color_scheme=theme,  # type: ignore[arg-type]
        forced_colors=colours,  # type: ignore[arg-type]
    )


def asked(page: Page, check: str) -> list[str]:
    """What one of the checks in checks.js finds."""
    return list(page.evaluate(f"checks.{check}()"))


def violations(page: Page) -> list[str]:
    """What axe finds as the page now stands."""
    found = page.evaluate(
        """async (tags) => {
          const run = await axe.run({ runOnly: tags, resultTypes: ["violations"] });
          return run.violations.flatMap(({ id, nodes }) =>
            nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`));
        }""",
        TAGS,
    )
    return list(found)


def check_focus(page: Page) -> list[str]:
    """Stops of the Tab key without a visible ring, and what the key never comes to."""
    page.evaluate("checks.watchFocus()")
    for _ in range(MOST_STOPS // 10):
        for _ in range(10):
            page.keyboard.press("Tab")
        if page.evaluate("checks.hasGoneRound()"):
            return asked(page, "focusFaults")
    return [f"more than {MOST_STOPS} stops"]
