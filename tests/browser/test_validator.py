"""The HTML validator runs and sees a mistake; where it is missing, this says so."""

from __future__ import annotations

import pytest

from .validator import Validator, lack, reason_against_it

PAGE = "<!doctype html><html lang=en><head><title>A page</title></head><body>{}</body></html>"

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("part", "faults"),
    [
        ("<p>A word.</p>", 0),
        ("<p><div>A block in a line.</div></p>", 1),
        ("<img src=a.png>", 1),
        ('<table><tr role="row"><td>A cell</td></tr></table>', 1),
        ('<time datetime="2026-11-30T07:13:13.706911Z">now</time>', 1),
        ('<p id="a">One</p><p id="a">and another.</p>', 1),
    ],
)
def test_a_mistake_is_seen(validator: Validator | None, part: str, faults: int) -> None:
    if validator is None:
        lack(reason_against_it() or "")
    assert validator is not None
    assert len(validator.errors(PAGE.format(part))) >= faults
    assert bool(validator.errors(PAGE.format(part))) == bool(faults)
