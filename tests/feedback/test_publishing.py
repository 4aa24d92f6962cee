"""What everyone sees: ratings in figures, comments, answers, feeds."""

import re
import time
import xml.etree.ElementTree as ElementTree

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from calculators.feedback import moderation, submissions, tokens
from calculators.feedback.models import Feedback, State
from calculators.feedback.summary import Ratings
from calculators.scoring import METRICS

ATOM = "{http://www.w3.org/2005/Atom}"
PAYLOAD = "<script>alert(1)</script><img src=x onerror=alert(1)> & \"quoted\" 'so'"


def test_no_mean_is_made_of_fewer_than_five_ratings():
    assert Ratings.of({5: 4}).mean is None
    assert Ratings.of({5: 3, 4: 1, 1: 1}).mean == (5 * 3 + 4 + 1) / 5
    assert Ratings.of({}).mean is None


def test_the_histogram_has_every_value_the_best_first():
    bars = Ratings.of({5: 3, 1: 1}).bars
    assert [(bar.rating, bar.count, bar.percent) for bar in bars] == [
        *((5, 3, 75), (4, 0, 0), (3, 0, 0), (2, 0, 0), (1, 1, 25)),
    ]


@pytest.fixture
def page(client, tool):
    """The HTML of the tool's feedback page."""
    return lambda: client.get(f"/feedback/{tool}/").content.decode()


@pytest.mark.django_db
def test_only_approved_ratings_count(made, page):
    for rating in (5, 5, 4, 4):
        made(rating=rating)
    for state in (State.PENDING, State.REJECTED, State.SPAM):
        made(rating=1, state=state)
    made(rating=None)
    assert "<b>4</b> ratings. A mean is shown from 5 on." in page()
    made(rating=4)
    assert "<b>4.4</b> of 5, the mean of 5 ratings" in page()


@pytest.mark.django_db
def test_nobody_has_rated_yet(made, page):
    made(rating=None)
    made(rating=3, state=State.PENDING)
    assert "Be the first to rate" in page()


@pytest.mark.django_db
def test_feedback_on_one_tool_does_not_show_on_another(made, client):
    made(rating=5)
    html = client.get(f"/feedback/{METRICS[-1].slug}/").content.decode()
    assert "It rounds." not in html
    assert "Be the first to rate" in html


@pytest.mark.django_db
def test_the_radio_buttons_stand_in_order_from_1_to_5_and_then_none(page):
    html = page()
    places = [html.index(f'name="rating" value="{value}"') for value in (1, 2, 3, 4, 5, "")]
    assert places == sorted(places)
    assert 'value="" checked' in html


@pytest.mark.django_db
def test_words_are_shown_as_they_are_and_do_nothing(made, page):
    made(text=PAYLOAD, name="<b>Ada</b>")
    html = page()
    assert "<script>alert" not in html
    assert "<img src=x" not in html
    assert "&lt;script&gt;alert(1)" in html
    assert "&lt;b&gt;Ada" in html


@pytest.mark.django_db
def test_answers_stand_under_the_comment_with_a_badge_and_no_account_name(made, page):
    entry = made()
    entry.replies.create(text="Mended in 1.1.", author="mia")
    html = page()
    assert (
        html.index("It rounds.") < html.index("Answer from mtcalc") < html.index("Mended in 1.1.")
    )
    assert "mia" not in html


@pytest.mark.django_db
def test_an_erased_comment_is_gone_and_its_rating_stays(made, page):
    made(text="", rating=4)
    html = page()
    assert "No comments yet." in html
    assert "<b>1</b> rating." in html


@pytest.mark.django_db
def test_comments_come_fifty_to_a_page(made, client, tool):
    for number in range(51):
        made(text=f"Comment {number}.")
    first = client.get(f"/feedback/{tool}/").content.decode()
    assert "Comment 50." in first
    assert "Comment 0." not in first
    assert "Older comments" in first
    second = client.get(f"/feedback/{tool}/?page=2").content.decode()
    assert "Comment 0." in second
    for odd in ("0", "x", "99", "-1", "%00"):
        assert client.get(f"/feedback/{tool}/?page={odd}").status_code == 200


@pytest.mark.django_db
def test_the_number_of_queries_does_not_grow_with_the_comments(made, client, tool):
    def queries():
        with CaptureQueriesContext(connection) as captured:
            client.get(f"/feedback/{tool}/")
        return len(captured)

    made().replies.create(text="a")
    few = queries()
    for number in range(20):
        made(text=f"{number}").replies.create(text="b")
    assert queries() == few


def entries(response):
    assert response.status_code == 200
    assert response["Content-Type"].startswith("application/atom+xml")
    return ElementTree.fromstring(response.content).findall(f"{ATOM}entry")


@pytest.mark.django_db
def test_feeds_have_what_is_published_of_one_tool_and_of_all(made, client, tool):
    other = next(metric.slug for metric in METRICS if metric.slug != tool)
    made(text="Here.")
    made(text="There.", page=other)
    made(text="Hidden.", state=State.PENDING)
    made(text="", rating=3)
    everywhere = entries(client.get("/feedback/atom.xml"))
    assert [entry.find(f"{ATOM}summary").text for entry in everywhere] == [
        "<p>There.</p>",
        "<p>Here.</p>",
    ]
    (one,) = entries(client.get(f"/feedback/{tool}/atom.xml"))
    reference = Feedback.objects.get(text="Here.").reference
    link = f"http://testserver/feedback/{tool}/#comment-{reference}"
    assert one.find(f"{ATOM}link").get("href") == link


@pytest.mark.django_db
def test_words_are_text_in_a_feed_too(made, client):
    made(text=PAYLOAD, name=PAYLOAD[:60])
    (entry,) = entries(client.get("/feedback/atom.xml"))
    assert "<script" not in entry.find(f"{ATOM}summary").text
    assert "&lt;script&gt;" in entry.find(f"{ATOM}summary").text


@pytest.mark.django_db
def test_a_feed_of_what_is_no_tool_is_not_found(client):
    assert client.get("/feedback/nonsense/atom.xml").status_code == 404


@pytest.mark.django_db
def test_the_calculators_page_shows_the_newest_comments_and_the_form(made, client, tool):
    for number in range(6):
        made(text=f"Comment {number}.")
    html = client.get(f"/{tool}/").content.decode()
    assert "Comment 5." in html
    assert "Comment 0." not in html
    assert f"All comments on {METRICS[0].name}" in html
    assert f'action="/feedback/{tool}/"' in html


@pytest.mark.django_db
def test_every_change_shows_under_the_calculator_at_once(made, client, sent, tool, moderator):
    def page():
        return client.get(f"/{tool}/").content.decode()

    assert "Be the first to rate" in page()
    sent(rating="4")
    assert "<b>1</b> rating." in page()
    entry = made(state=State.PENDING, text="Now you see me.", rating=2)
    assert "Now you see me." not in page()
    moderation.decide([entry.pk], State.APPROVED, "mia")
    assert "Now you see me." in page()
    assert "<b>2</b> ratings." in page()
    moderation.erase_text([entry.pk], "mia")
    assert "Now you see me." not in page()
    submissions.withdraw(entry.reference)
    assert "<b>1</b> rating." in page()


@pytest.mark.django_db
def test_a_calculators_page_asks_the_database_once_while_nothing_changes(client, made, tool):
    made()
    client.get(f"/{tool}/")
    with CaptureQueriesContext(connection) as captured:
        html = client.get(f"/{tool}/").content.decode()
    assert len(captured) == 1
    assert '<p class="comment-text" dir="auto">It rounds.</p>' in html


@pytest.mark.django_db
def test_the_form_under_a_calculator_is_never_an_old_one(client, tool, monkeypatch):
    client.get(f"/{tool}/")
    later = time.time() + 20
    monkeypatch.setattr(tokens.time, "time", lambda: later)
    html = client.get(f"/{tool}/").content.decode()
    token = re.search('name="token" value="([^"]+)"', html)[1]
    assert tokens.form_age(token, tool) is tokens.Age.FAST
