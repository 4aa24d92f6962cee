"""While the database is down, calculators go on and nothing that was typed is lost."""

import io
import logging

import pytest
from django.db import DatabaseError, OperationalError, connection

from calculators.feedback.models import Feedback
from calculators.feedback.tokens import entry_token
from mtcalc.logging import PrivateFormatter

# A failure inside a transaction that a test keeps open would spoil the rest of the test.
pytestmark = pytest.mark.django_db(transaction=True)

TYPED = {"rating": "2", "kind": "bug", "name": "Ada", "text": "Canary words of a visitor"}


@pytest.fixture
def down():
    """Makes every statement fail as if the database were gone; its message holds the values."""

    def fail(execute, sql, params, many, context):
        raise OperationalError(f"no database for {params!r}")

    return lambda: connection.execute_wrapper(fail)


@pytest.fixture
def logged():
    """What has been logged so far, as the site's own handler writes it."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(PrivateFormatter())
    loggers = [logging.getLogger(name) for name in ("", "django", "django.request")]
    for logger in loggers:
        logger.addHandler(handler)
    yield written.getvalue
    for logger in loggers:
        logger.removeHandler(handler)


def test_a_calculator_still_shows_and_scores(client, tool, down):
    with down():
        page = client.get(f"/{tool}/")
        scored = client.post(f"/{tool}/", {"hypothesis": "the cat", "references": "the cat"})
    assert (page.status_code, scored.status_code) == (200, 200)
    assert "Feedback is unavailable just now" in page.content.decode()
    assert "<output" in scored.content.decode()


def test_what_was_typed_comes_back_with_503(sent, client, tool, down, logged):
    with down():
        response = sent(**TYPED)
    assert response.status_code == 503
    assert response["Retry-After"] == "30"
    html = response.content.decode()
    assert "Canary words of a visitor</textarea>" in html
    assert 'value="2" checked' in html
    assert "Nothing is lost" in html
    assert "OperationalError" in logged()
    assert "Canary" not in logged()
    again = client.post(
        f"/feedback/{tool}/", TYPED | {"token": response.context["form"].next_token}
    )
    assert again.status_code == 303
    assert Feedback.objects.get().text == TYPED["text"]


def test_an_edit_comes_back_with_503(client, made, down):
    address = f"/feedback/yours/{entry_token(made())}/"
    with down():
        assert client.get(address).status_code == 503
        response = client.post(address, TYPED)
        deletion = client.post(f"{address}delete/")
    assert response.status_code == deletion.status_code == 503
    assert "Canary words of a visitor</textarea>" in response.content.decode()
    assert Feedback.objects.get().text == "It rounds."


def test_other_pages_say_that_they_are_unavailable(client, made, tool, down, admin_client):
    entry = made()
    with down():
        for address in (f"/feedback/report/{entry.reference}/", "/feedback/atom.xml"):
            response = client.get(address)
            assert (response.status_code, response["Retry-After"]) == (503, "30")
        assert client.get(f"/feedback/{tool}/").status_code == 200
        admin = admin_client.get("/admin/calculators/feedback/")
        login = client.post("/admin/login/", {"username": "mia", "password": "x"})
    assert (admin.status_code, login.status_code) == (503, 503)
    assert "does not answer" in admin.content.decode()


def test_the_log_of_a_failure_has_no_word_of_the_text(sent, monkeypatch, logged):
    def fail(*_, **__):
        raise DatabaseError(f"could not write {TYPED['text']}")

    monkeypatch.setattr("calculators.feedback.submissions.record", fail)
    assert sent(**TYPED).status_code == 503
    assert "DatabaseError" in logged()
    assert "Canary" not in logged()
    assert not Feedback.objects.exists()
