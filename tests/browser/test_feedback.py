"""Ratings and comments from the first word to the last, in a real browser."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from calculators.scoring import METRICS

from .conftest import watched

pytestmark = pytest.mark.browser

TOOL = METRICS[0].slug
ACCOUNT = ("mia", "correct horse battery staple")
MAKE_MODERATOR = """
from django.contrib.auth.models import Group, User
user = User.objects.create_user({0!r}, password={1!r}, is_staff=True)
user.groups.add(Group.objects.get(name="Moderators"))
"""
READING = 3_200  # ms: a form that comes back sooner was filled by a machine
PAYLOAD = "<script>alert(1)</script><img src=x onerror=alert(2)>\n\u202eover\u202c and שלום"


@pytest.fixture(scope="module")
def moderator(site, browser: Browser):
    """A moderator's window, logged in by the form."""
    site.manage("shell", "-c", MAKE_MODERATOR.format(*ACCOUNT))
    context = browser.new_context()
    page = context.new_page()
    faults = watched(page)
    page.goto(f"{site.url}/admin/")
    page.get_by_label("Username").fill(ACCOUNT[0])
    page.get_by_label("Password").fill(ACCOUNT[1])
    page.get_by_role("button", name="Log in").click()
    yield page
    context.close()
    assert faults == []


def send(page: Page, site, text: str) -> str:
    """Rate and comment under the tool; the signed link that comes back."""
    page.goto(f"{site.url}/{TOOL}/")
    form = page.locator("#feedback form")
    form.get_by_role("radio", name="4", exact=True).check()
    form.get_by_label("Your comment").fill(text)
    form.get_by_label("It is a").select_option("praise")
    form.get_by_label("Your name").fill("Ada")
    page.wait_for_timeout(READING)
    form.get_by_role("button", name="Send").click()
    expect(page.get_by_role("status")).to_contain_text("Received, waiting for review")
    return page.locator(".kept-link").get_attribute("href")


def reference_on(page: Page) -> str:
    return page.locator(".reference").inner_text()


def act(moderator: Page, site, reference: str, action: str) -> None:
    """Choose the entry in the queue and run the action on it."""
    moderator.goto(f"{site.url}/admin/")
    moderator.get_by_role("link", name=re.compile("waiting for review")).click()
    moderator.get_by_role("row").filter(has_text=reference).get_by_role("checkbox").check()
    moderator.get_by_label("Action:").select_option(label=action)
    moderator.get_by_role("button", name="Go", exact=True).click()
    expect(moderator.locator(".messagelist")).to_contain_text("1")


def comments(page: Page, site):
    page.goto(f"{site.url}/{TOOL}/")
    return page.locator(".comments")


def test_the_life_of_a_comment(site, visitor, moderator):
    link = send(visitor, site, "It agrees with my paper.")
    reference = reference_on(visitor)
    expect(comments(visitor, site)).not_to_contain_text("It agrees with my paper.")
    expect(visitor.locator("#feedback")).to_contain_text("Be the first to rate")

    act(moderator, site, reference, "Approve")
    expect(comments(visitor, site)).to_contain_text("It agrees with my paper.")
    expect(visitor.locator(".ratings-mean")).to_contain_text("1 rating.")

    moderator.goto(f"{site.url}/admin/calculators/feedback/?q={reference}")
    moderator.get_by_role("link", name=reference).click()
    moderator.get_by_text("Add another Reply").click()
    moderator.locator("textarea[name=replies-0-text]").fill("Glad to hear.")
    moderator.get_by_role("button", name="Save", exact=True).click()
    answered = comments(visitor, site).locator(".reply")
    expect(answered).to_contain_text("Answer from mtcalc")
    expect(answered).to_contain_text("Glad to hear.")

    visitor.goto(link)
    visitor.get_by_role("radio", name="5", exact=True).check()
    visitor.get_by_role("button", name="Save the changes").click()
    expect(visitor.get_by_role("status")).to_contain_text("Published.")
    expect(comments(visitor, site)).to_contain_text("rated 5 of 5")

    visitor.goto(link)
    visitor.get_by_label("Your comment").fill("It agrees with all my papers.")
    visitor.get_by_role("button", name="Save the changes").click()
    expect(visitor.get_by_role("status")).to_contain_text("waiting for review")
    expect(comments(visitor, site)).not_to_contain_text("It agrees")
    act(moderator, site, reference, "Approve")
    expect(comments(visitor, site)).to_contain_text("It agrees with all my papers.")

    visitor.goto(link)
    visitor.get_by_text("Delete this feedback").click()
    visitor.get_by_role("button", name="Delete for good").click()
    expect(visitor.get_by_role("heading", level=1)).to_have_text("Your feedback is deleted")
    expect(comments(visitor, site)).not_to_contain_text("It agrees")
    expect(visitor.locator("#feedback")).to_contain_text("Be the first to rate")


def test_hostile_words_stay_words_on_every_page(site, tab, moderator):
    send(tab, site, PAYLOAD)
    reference = reference_on(tab)
    moderator.goto(f"{site.url}/admin/calculators/feedback/?q={reference}")
    moderator.get_by_role("link", name=reference).click()
    expect(moderator.get_by_text("<script>alert(1)</script>")).to_be_visible()
    act(moderator, site, reference, "Approve")
    expect(comments(tab, site)).to_contain_text("<script>alert(1)</script>")
    tab.goto(f"{site.url}/feedback/{TOOL}/")
    tab.get_by_role("link", name="Report").first.click()
    tab.get_by_label("It is advertising or spam").check()
    tab.get_by_role("button", name="Report").click()
    expect(tab.get_by_role("status")).to_contain_text("Reported.")
    moderator.goto(f"{site.url}/admin/")
    expect(moderator.locator("#content")).to_contain_text("1 reported by readers")


def test_an_error_keeps_the_words_and_leads_to_the_field(site, tab):
    tab.goto(f"{site.url}/feedback/{TOOL}/")
    tab.get_by_label("Your comment").fill("x" * 2001)
    tab.get_by_role("button", name="Send").click()
    expect(tab).to_have_title(re.compile("^Error:"))
    expect(tab.get_by_label("Your comment")).to_have_value("x" * 2001)
    tab.get_by_role("link", name=re.compile("2,001 of 2,000")).click()
    expect(tab.get_by_label("Your comment")).to_be_focused()


def test_the_form_is_used_by_keyboard_alone_and_its_targets_are_large(site, tab):
    tab.goto(f"{site.url}/feedback/{TOOL}/")
    tab.get_by_role("radio", name="No rating").focus()
    tab.keyboard.press("ArrowDown")  # goes round to the first
    expect(tab.get_by_role("radio", name="1", exact=True)).to_be_checked()
    tab.keyboard.press("ArrowDown")
    expect(tab.get_by_role("radio", name="2", exact=True)).to_be_checked()
    tab.keyboard.press("Tab")
    expect(tab.get_by_label("Your comment")).to_be_focused()
    tab.keyboard.press("Tab")
    expect(tab.get_by_label("It is a")).to_be_focused()
    tab.keyboard.press("Tab")
    expect(tab.get_by_label("Your name")).to_be_focused()
    tab.keyboard.press("Tab")  # past the trap
    expect(tab.get_by_role("button", name="Send")).to_be_focused()
    for target in tab.locator(".star").all():
        box = target.bounding_box()
        assert box["width"] >= 44
        assert box["height"] >= 44


@pytest.mark.parametrize("width", [320, 360, 1280])
def test_nothing_runs_over_the_edge(site, tab, width):
    tab.set_viewport_size({"width": width, "height": 800})
    tab.goto(f"{site.url}/feedback/{TOOL}/")
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
