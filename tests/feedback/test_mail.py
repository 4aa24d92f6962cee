from smtplib import SMTPException

import pytest
from django.db import OperationalError

from calculators.feedback import limits
from calculators.feedback.models import Feedback, State

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def managers(settings):
    settings.MANAGERS = [("", "owner@example.org")]


def test_the_first_to_wait_is_told_with_a_count_a_link_and_no_word(sent, mailoutbox):
    sent(text="Canary", name="Canary", rating="1")
    (mail,) = mailoutbox
    assert mail.to == ["owner@example.org"]
    assert mail.subject == "[mtcalc] Feedback: 1 waiting for review"
    assert mail.body == ("http://testserver/admin/calculators/feedback/?state__exact=pending\n")
    assert "Canary" not in str(mail.message())


def test_a_flood_brings_one_mail_an_hour(sent, mailoutbox, monkeypatch):
    for n in range(5):
        sent(text=f"Number {n}.")
    assert len(mailoutbox) == 1
    now = limits.time.time()
    monkeypatch.setattr(limits.time, "time", lambda: now + 3601)
    sent(text="Later.")
    assert mailoutbox[1].subject == "[mtcalc] Feedback: 6 waiting for review"


def test_when_all_was_reviewed_the_next_to_wait_is_told_at_once(sent, mailoutbox):
    sent(text="One.")
    Feedback.objects.update(state=State.APPROVED)
    sent(text="Two.")
    assert len(mailoutbox) == 2


def test_spam_and_counted_ratings_bring_no_mail(sent, mailoutbox):
    sent(text="Spam.", website="x")
    sent(rating="5")
    assert mailoutbox == []


def test_a_report_is_told(client, made, mailoutbox):
    client.post(f"/feedback/report/{made().reference}/", {"reason": "report-abuse"})
    assert mailoutbox[0].subject == "[mtcalc] Feedback: 1 reported"


def test_without_managers_there_is_no_mail(sent, mailoutbox, settings):
    settings.MANAGERS = []
    sent(text="Hello.")
    assert mailoutbox == []


@pytest.mark.parametrize("fault", [ConnectionRefusedError, SMTPException, OperationalError])
def test_a_mail_server_that_fails_costs_the_visitor_nothing(sent, monkeypatch, fault):
    def fail(*_, **__):
        raise fault("Canary")

    monkeypatch.setattr("calculators.feedback.mail.mail_managers", fail)
    assert sent(text="Canary").status_code == 303
    assert Feedback.objects.count() == 1
