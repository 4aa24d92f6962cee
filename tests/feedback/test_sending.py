"""What visitors send, what they get back, and that nothing they typed is lost."""

import pytest

from calculators.feedback import limits, views
from calculators.feedback.limits import Limit
from calculators.feedback.models import Action, Feedback, ModerationEvent, Reason, State
from calculators.feedback.tokens import entry_token

pytestmark = pytest.mark.django_db

WORDS = "It prints 0.33 für “naïve” <b>café</b>\r\n  and 李"
TYPED = {"rating": "4", "kind": "bug", "name": "Ada & Co", "text": WORDS}


def keeps_everything(response) -> bool:
    """Whether the form on the page holds all of TYPED."""
    form = response.context["form"]
    values = {name: form[name].value() for name in TYPED}
    html = response.content.decode()
    assert "It prints 0.33 für “naïve” &lt;b&gt;café&lt;/b&gt;\r\n  and 李</textarea>" in html
    assert 'value="Ada &amp; Co"' in html
    assert '<option value="bug" selected>' in html
    assert 'value="4" checked' in html
    return values == TYPED


def test_a_comment_waits_for_review_with_a_reference_and_a_link(sent, client):
    response = sent(**TYPED)
    assert response.status_code == 303
    page = client.get(response["Location"])
    entry = Feedback.objects.get()
    assert (entry.state, entry.rating, entry.kind, entry.reasons) == ("pending", 4, "bug", "")
    assert entry.text == WORDS.replace("\r\n", "\n")
    html = page.content.decode()
    assert "Received, waiting for review" in html
    assert entry.reference in html
    assert f"http://testserver/feedback/yours/{entry_token(entry)}/" in html


def test_nothing_is_published_or_counted_before_its_review(sent, client, tool):
    sent(**TYPED)
    html = client.get(f"/feedback/{tool}/").content.decode()
    assert "naïve" not in html
    assert "Be the first to rate" in html


def test_a_rating_alone_has_nothing_to_review_and_counts(sent, client, tool):
    response = sent(rating="4")
    assert "your rating counts" in client.get(response["Location"]).content.decode()
    assert Feedback.objects.get().state == State.APPROVED
    assert "<b>1</b> rating." in client.get(f"/feedback/{tool}/").content.decode()


def test_review_can_be_turned_around(sent, settings):
    settings.MTCALC_PREMODERATE = False
    sent(text="Fine.")
    assert Feedback.objects.get().state == State.APPROVED
    sent(text="Look at www.pills.example")
    assert Feedback.objects.get(text__contains="pills").state == State.PENDING


def test_a_form_without_rating_and_comment_says_what_is_missing(sent):
    response = sent()
    assert response.status_code == 400
    html = response.content.decode()
    assert "<title>Error:" in html
    assert '<a href="#feedback-text">Comment: Choose a rating or write a comment.</a>' in html
    assert 'aria-invalid="true"' in html


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"text": "x" * 2001}, "2,001 of 2,000 characters"),
        ({"text": "\U0001f600" * 2001}, "2,001 of 2,000 characters"),
        ({"text": "a\0b"}, "control characters"),
        ({"text": "a\ufffeb"}, "control characters"),
        ({"rating": "6"}, "Choose a rating from 1 to 5"),
        ({"rating": "0"}, "Choose a rating from 1 to 5"),
        ({"rating": "٣"}, "Choose a rating from 1 to 5"),
        ({"text": "a", "kind": "advert"}, "Choose one of the kinds"),
        ({"text": "a", "name": "x" * 61}, "61 of 60 characters"),
        ({"text": "a", "name": "mtcalc Team"}, "Choose another"),
    ],
)
def test_what_does_not_fit_is_refused_and_given_back(sent, fields, message):
    response = sent(**fields)
    assert response.status_code == 400
    assert message in response.content.decode()
    assert not Feedback.objects.exists()
    form = response.context["form"]
    assert {name: form[name].value() for name in fields} == fields


def test_two_thousand_characters_fit_however_the_browser_ends_lines(sent):
    text = ("\U0001f600" * 99 + "\r\n") * 20
    assert sent(text=text[:-2]).status_code == 303
    assert len(Feedback.objects.get().text) == 1999


def test_a_name_like_a_moderators_is_refused(sent, moderator):
    assert sent(text="Hello", name="Mia").status_code == 400


@pytest.mark.parametrize("before", [24 * 3600 + 60, 30 * 24 * 3600])
def test_an_expired_form_comes_back_filled_and_can_be_sent_at_once(sent, client, tool, before):
    response = sent(**TYPED, shown_before=before)
    assert response.status_code == 400
    assert "Nothing is lost" in response.content.decode()
    assert keeps_everything(response)
    token = response.context["form"].next_token
    again = client.post(f"/feedback/{tool}/", TYPED | {"token": token})
    assert again.status_code == 303
    assert Feedback.objects.get().reasons == ""


@pytest.mark.parametrize("token", ["", "forged", "\0", "nist.x.y"])
def test_a_form_not_made_here_counts_as_expired(sent, token):
    response = sent(**TYPED, token=token)
    assert response.status_code == 400
    assert keeps_everything(response)


def test_mending_an_error_quickly_is_no_sign_of_a_machine(sent, client, tool):
    response = sent(**TYPED | {"rating": "9"})
    token = response.context["form"].next_token
    client.post(f"/feedback/{tool}/", TYPED | {"token": token})
    assert Feedback.objects.get().reasons == ""


def test_a_post_from_another_site_is_refused_with_every_word(sent):
    response = sent(**TYPED, headers={"Sec-Fetch-Site": "cross-site"})
    assert response.status_code == 403
    assert keeps_everything(response)
    assert not Feedback.objects.exists()


def test_an_edit_from_another_site_is_refused_with_every_word(client, made):
    response = client.post(
        f"/feedback/yours/{entry_token(made())}/", TYPED, headers={"Origin": "null"}
    )
    assert response.status_code == 403
    assert keeps_everything(response)
    assert Feedback.objects.get().text == "It rounds."


def test_only_a_high_limit_refuses_and_it_keeps_every_word(sent, monkeypatch):
    monkeypatch.setattr(views, "SUBMISSIONS_REFUSED", Limit("submissions", 2, 3600))
    assert [sent(**TYPED).status_code for _ in range(2)] == [303, 303]
    response = sent(**TYPED)
    assert response.status_code == 429
    assert 3500 < int(response["Retry-After"]) <= 3600
    assert keeps_everything(response)
    assert Feedback.objects.count() == 2


def test_no_limit_refuses_where_limits_are_off(sent, monkeypatch, settings):
    settings.MTCALC_RATE_LIMITS = False
    monkeypatch.setattr(views, "SUBMISSIONS_REFUSED", Limit("submissions", 0, 3600))
    assert sent(**TYPED).status_code == 303


def test_many_from_one_network_are_queued_with_the_reason(sent):
    for _ in range(limits.SUBMISSIONS_REVIEWED.hits):
        sent(rating="5")
    assert not Feedback.objects.exclude(state=State.APPROVED).exists()
    sent(rating="5")
    entry = Feedback.objects.get(state=State.PENDING)
    assert entry.reasons == Reason.RATE


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"shown_before": 1}, Reason.FAST),
        ({"text": "See http://x.example"}, Reason.LINKS),
        ({"name": "www.pills.example"}, Reason.LINKS),
    ],
)
def test_each_rule_leaves_its_reason(sent, settings, fields, reason):
    settings.MTCALC_PREMODERATE = False
    sent(**{"text": "Hello", **fields})
    entry = Feedback.objects.get()
    assert (entry.state, entry.reasons) == (State.PENDING, reason)


def test_the_same_words_twice_leave_a_reason(sent):
    sent(text="Buy now!")
    sent(text="buy  NOW!")
    assert [entry.reasons for entry in Feedback.objects.order_by("pk")] == ["", "duplicate"]


def test_the_same_rating_twice_is_nothing_odd(sent):
    sent(rating="5")
    sent(rating="5")
    assert not Feedback.objects.exclude(reasons="").exists()


def test_the_trap_leads_to_spam_behind_the_usual_page(sent, client):
    response = sent(**TYPED, website="http://x.example")
    assert response.status_code == 303
    assert "Received, waiting for review" in client.get(response["Location"]).content.decode()
    entry = Feedback.objects.get()
    assert (entry.state, entry.reasons) == (State.SPAM, Reason.HONEYPOT)


def test_the_trail_has_what_happened_and_no_word_of_it(sent):
    sent(text="Canary", name="Canary", website="x")
    event = ModerationEvent.objects.get()
    assert (event.action, event.state, event.reasons) == (Action.RECEIVED, "spam", "honeypot")
    assert "Canary" not in repr(ModerationEvent.objects.values_list())


def test_feedback_on_what_is_no_tool_is_not_found(client):
    assert client.get("/feedback/nonsense/").status_code == 404
    assert client.post("/feedback/nonsense/", TYPED).status_code == 404
    refused = client.post("/feedback/nonsense/", TYPED, headers={"Origin": "http://evil.example"})
    assert refused.status_code in (403, 404)


def test_words_in_another_encoding_are_refused_and_not_guessed(client, tool):
    body = b'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\n+2AA-\r\n--x--\r\n'
    for encoding in ("utf-7", "utf-16", "nonsense"):
        kind = f"multipart/form-data; boundary=x; charset={encoding}"
        response = client.generic("POST", f"/feedback/{tool}/", body, content_type=kind)
        assert response.status_code == 400


def test_no_public_page_sets_a_cookie_or_varies_by_one(sent, client, made, tool):
    entry = made()
    token = entry_token(entry)
    for response in (
        client.get(f"/feedback/{tool}/"),
        client.get(f"/feedback/yours/{token}/"),
        client.get(f"/feedback/report/{entry.reference}/"),
        client.get("/feedback/atom.xml"),
        client.get(f"/feedback/{tool}/atom.xml"),
        sent(),
        sent(**TYPED),
        client.post(f"/feedback/report/{entry.reference}/", {"reason": "report-spam"}),
        client.post(f"/feedback/yours/{token}/", TYPED),
        client.post(f"/feedback/yours/{token}/delete/"),
    ):
        assert response.status_code < 500
        assert not response.cookies
        assert "cookie" not in response.get("Vary", "").lower()
