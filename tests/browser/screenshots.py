"""Pictures of every page in every state, to look at: make screenshots

The arguments are parts of states' names; without any, all are drawn. The folder gets a page,
index.html, that shows them side by side.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterable
from html import escape
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from .conftest import FLAGS
from .inhabited import Inhabited, inhabited
from .states import STATES, State

FOLDER = Path(__file__).resolve().parents[2] / "screenshots"
WIDTHS = (360, 768, 1280)  # px: a telephone, a tablet, a desk
THEMES = ("light", "dark")
SHEET = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Every state of every page</title>
<style>
body {{ margin: 1rem; font-family: system-ui, sans-serif; background: #888; }}
ul {{ display: flex; flex-wrap: wrap; gap: 0.5rem; padding: 0; list-style: none; }}
img {{ display: block; height: 26rem; object-fit: cover; object-position: top; }}
</style>
<h1>Every state of every page</h1>
{sections}
"""


def draw(page: Page, place: Inhabited, state: State) -> None:
    """Write the pictures of one state."""
    page.set_viewport_size({"width": WIDTHS[-1], "height": 900})
    state.reach(page, place)
    for theme in THEMES:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            page.screenshot(path=FOLDER / picture(state, width, theme), full_page=True)


def picture(state: State, width: int, theme: str) -> str:
    """The name of the file with one picture."""
    return f"{state.name}-{width}-{theme}.png"


def sheet() -> str:
    """The page that shows every picture that there is."""
    return SHEET.format(sections="\n".join(section(state) for state in STATES))


def section(state: State) -> str:
    """The pictures of one state, the widths one after the other."""
    names = [picture(state, width, theme) for width in WIDTHS for theme in THEMES]
    shown = "\n".join(
        f'<li><a href="{name}"><img src="{name}" alt="{escape(name)}" loading="lazy"></a></li>'
        for name in names
        if (FOLDER / name).exists()
    )
    return f"<h2>{escape(state.name)}</h2>\n<ul>\n{shown}\n</ul>" if shown else ""


def chosen(parts: Iterable[str]) -> list[State]:
    """The states whose names hold one of the parts; all, where there are no parts."""
    wanted = list(parts)
    return [state for state in STATES if not wanted or any(part in state.name for part in wanted)]


def main() -> None:
    """Draw what the arguments name."""
    FOLDER.mkdir(exist_ok=True)
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    with (
        tempfile.TemporaryDirectory() as data,
        inhabited(Path(data)) as place,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        page = browser.new_page()
        for state in chosen(sys.argv[1:]):
            draw(page, place, state)
            print(state.name, flush=True)  # noqa: T201
        browser.close()
    (FOLDER / "index.html").write_text(sheet(), "utf-8")
    print(f"Open {FOLDER / 'index.html'}")  # noqa: T201


if __name__ == "__main__":
    main()
