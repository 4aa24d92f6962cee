"""What the signed link and the report link do."""

import pytest
from django.utils import timezone

from calculators.feedback import moderation, views
from calculators.feedback.limits import Limit
from calculators.feedback.models import Action, Feedback, ModerationEvent, State
from calculators.feedback.tokens import entry_token

pytestmark = pytest.mark.django_db


@pytest.fixture
def edited(client):
    """Sends the form behind the signed link of an entry."""

    def edit(entry, **fields):
        values = {"rating": "", "kind": entry.kind, "name": entry.name, "text": entry.text}
        response = client.post(f"/feedback/yours/{entry_token(entry)}/", values | fields)
        entry.refresh_from_db()
        return response

    return edit


def test_the_link_shows_the_entry_ready_to_be_changed(client, made):
    entry = made(rating=2, name="Ada", text="It rounds.")
    html = client.get(f"/feedback/yours/{entry_token(entry)}/").content.decode()
    assert "It rounds.</textarea>" in html
    assert 'value="2" checked' in html
    assert 'value="Ada"' in html


def test_a_changed_rating_counts_at_once(edited, made):
    entry = made(rating=2)
    assert edited(entry, rating="5").status_code == 303
    assert (entry.rating, entry.state) == (5, State.APPROVED)


@pytest.mark.parametrize("state", [State.APPROVED, State.REJECTED, State.PENDING])
def test_changed_words_are_reviewed_again(edited, made, state):
    entry = made(state=state)
    edited(entry, text="Something else.")
    assert (entry.text, entry.state) == ("Something else.", State.PENDING)


def test_a_changed_name_is_reviewed_again(edited, made):
    entry = made(name="Ada")
    edited(entry, name="Bob")
    assert (entry.name, entry.state) == ("Bob", State.PENDING)


def test_spam_stays_spam(edited, made):
    entry = made(state=State.SPAM)
    edited(entry, text="Innocent.")
    assert entry.state == State.SPAM


def test_a_rating_that_gets_words_is_reviewed(edited, made):
    entry = made(rating=5, text="", kind="")
    edited(entry, rating="5", kind="praise", text="Good.")
    assert (entry.kind, entry.state) == ("praise", State.PENDING)


def test_an_edit_that_does_not_fit_gives_everything_back(edited, made):
    entry = made()
    response = edited(entry, text="x" * 2001, name="Ada")
    assert response.status_code == 400
    assert "x" * 2001 in response.content.decode()
    assert entry.text == "It rounds."


def test_a_flood_of_edits_is_refused(edited, made, monkeypatch):
    monkeypatch.setattr(views, "SUBMISSIONS_REFUSED", Limit("submissions", 1, 3600))
    entry = made()
    assert edited(entry, text="One.").status_code == 303
    assert edited(entry, text="Two.").status_code == 429


def test_the_link_deletes_the_entry_with_its_answers(client, made):
    entry = made()
    entry.replies.create(text="Thanks.")
    response = client.post(f"/feedback/yours/{entry_token(entry)}/delete/")
    assert response.status_code == 200
    assert not Feedback.objects.exists()
    assert client.get(f"/feedback/yours/{entry_token(entry)}/").status_code == 410
    assert client.post(f"/feedback/yours/{entry_token(entry)}/", {}).status_code == 410
    assert client.post(f"/feedback/yours/{entry_token(entry)}/delete/").status_code == 200
    assert ModerationEvent.objects.get().action == Action.WITHDRAWN


def test_following_the_link_to_delete_deletes_nothing(client, made):
    entry = made()
    assert client.get(f"/feedback/yours/{entry_token(entry)}/delete/").status_code == 405
    assert Feedback.objects.exists()


def test_a_link_that_was_not_signed_here_opens_nothing(client, made):
    entry = made()
    for token in (entry.reference, f"{entry.reference}.x", "x" * 500, f"{entry.reference}%00.x"):
        assert client.get(f"/feedback/yours/{token}/").status_code == 404
        assert client.post(f"/feedback/yours/{token}/delete/").status_code == 404
    assert Feedback.objects.exists()


@pytest.mark.parametrize("path", ["", "delete/"])
def test_another_site_can_not_change_or_delete(client, made, path):
    entry = made()
    response = client.post(
        f"/feedback/yours/{entry_token(entry)}/{path}",
        {"text": "Changed."},
        headers={"Sec-Fetch-Site": "cross-site"},
    )
    assert response.status_code == 403
    assert Feedback.objects.get().text == "It rounds."


def test_a_page_with_a_signed_link_is_kept_by_no_cache_and_no_search_engine(client, made):
    response = client.get(f"/feedback/yours/{entry_token(made())}/")
    assert response["Cache-Control"] == "no-store"
    assert response["X-Robots-Tag"] == "noindex"


def report(client, entry, reason="report-private", **headers):
    return client.post(f"/feedback/report/{entry.reference}/", {"reason": reason}, headers=headers)


def test_a_reported_comment_stays_until_somebody_has_looked(client, made, tool):
    entry = made()
    assert "It rounds." in client.get(f"/feedback/report/{entry.reference}/").content.decode()
    assert "Reported." in report(client, entry).content.decode()
    entry.refresh_from_db()
    assert (entry.state, entry.reasons) == (State.APPROVED, "report-private")
    assert "It rounds." in client.get(f"/feedback/{tool}/").content.decode()
    assert Feedback.objects.reported().get() == entry


def test_one_reader_reports_a_comment_once(client, made):
    entry = made()
    for _ in range(3):
        assert report(client, entry).status_code == 200
    assert ModerationEvent.objects.filter(action=Action.REPORTED).count() == 1


def test_a_report_without_a_reason_asks_for_one(client, made):
    response = report(client, made(), reason="")
    assert response.status_code == 400
    assert "Say what is wrong" in response.content.decode()


@pytest.mark.parametrize("reason", ["honeypot", "nonsense", "report-spam links"])
def test_a_report_can_not_carry_another_reason(client, made, reason):
    entry = made()
    assert report(client, entry, reason=reason).status_code == 400
    entry.refresh_from_db()
    assert entry.reasons == ""


def test_a_flood_of_reports_is_refused(client, made, monkeypatch):
    monkeypatch.setattr(views, "REPORTS_REFUSED", Limit("reports", 1, 3600))
    assert report(client, made()).status_code == 200
    response = report(client, made(text="Another."))
    assert response.status_code == 429
    assert response["Retry-After"]


@pytest.mark.parametrize("state", [State.PENDING, State.REJECTED, State.SPAM])
def test_what_is_not_published_can_not_be_seen_or_reported(client, made, state):
    entry = made(state=state)
    assert client.get(f"/feedback/report/{entry.reference}/").status_code == 404
    assert report(client, entry).status_code == 404


def test_an_entry_is_no_duplicate_of_itself(sent, edited):
    sent(text="Once.")
    entry = Feedback.objects.get()
    edited(entry, name="Ada")
    assert (entry.name, entry.reasons) == ("Ada", "")


def test_a_moderator_who_has_the_old_words_before_him_does_not_approve_the_new(edited, made):
    entry = made(state=State.PENDING)
    read = timezone.now()
    edited(entry, text="Swapped.")
    assert moderation.decide([entry.pk], State.APPROVED, "mia", seen=read) == (0, 1)
    assert moderation.decide([entry.pk], State.APPROVED, "mia", seen=timezone.now()) == (1, 0)
