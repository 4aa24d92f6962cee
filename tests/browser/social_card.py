"""Draws the picture that shows where a page is shared: python -m tests.browser.social_card"""

from __future__ import annotations

import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

from .conftest import FLAGS

TARGET = Path(__file__).resolve().parents[2] / "static/social-card.png"
CARD = """<!doctype html><meta charset="utf-8"><style>
body { margin: 0; width: 1200px; height: 630px; box-sizing: border-box; padding: 72px 84px;
  background: #fbfaf6; color: #1c2127; font-family: Charter, "Bitstream Charter", Georgia, serif; }
.brand { font-size: 44px; font-weight: 600; } .brand i { color: #0d5f5b; }
h1 { margin: 48px 0 40px; font-size: 74px; line-height: 1.1; letter-spacing: -0.02em; }
.edits { display: flex; gap: 14px; font: 34px "DejaVu Sans", sans-serif; }
.edits span { padding: 10px 20px; border-radius: 12px; background: #f2efe7; }
.edits .s { background: #fdf0d5; color: #825400; }
.edits .i { background: #e0edf9; color: #0b5393; }
p { margin: 44px 0 0; color: #575f68; font: 32px "DejaVu Sans", sans-serif; }
</style><div class="brand">mt<i>calc</i></div>
<h1>The number your paper’s tool gives, with its whole working</h1>
<div class="edits"><span>the</span><span>cat</span><span class="s">S is</span><span>on</span>
<span class="i">I the</span><span>mat</span></div>
<p>NIST · TER · BLEU · METEOR · chrF</p>"""


def draw() -> None:
    """Write the picture, 1200 by 630 pixels."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page(viewport={"width": 1200, "height": 630})
        page.set_content(CARD)
        page.screenshot(path=TARGET)
        browser.close()


if __name__ == "__main__":
    draw()
