"""Every page in every state is sound: accessible, valid, light, and usable by the keyboard."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from .conftest import watched
from .inhabited import Inhabited
from .soundness import REMEMBER_CLICKS, faults_of
from .states import STATES, State
from .validator import Validator

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """One page for all tests here, which loads everything anew."""
    context = browser.new_context(reduced_motion="reduce")
    context.add_init_script(REMEMBER_CLICKS)
    opened = context.new_page()
    network = context.new_cdp_session(opened)
    network.send("Network.enable")
    network.send("Network.setCacheDisabled", {"cacheDisabled": True})
    faults = watched(opened)
    yield opened
    assert context.cookies() == []
    context.close()
    assert faults == []


@pytest.mark.parametrize("state", STATES, ids=[state.name for state in STATES])
def test_a_state_is_sound(
    page: Page, place: Inhabited, validator: Validator | None, state: State
) -> None:
    assert faults_of(state, page, place, validator) == {}
