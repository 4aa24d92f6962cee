import time

import pytest

from calculators.feedback.models import Feedback
from calculators.feedback.tokens import (
    Age,
    FormSigner,
    entry_token,
    form_age,
    form_token,
    reference_in,
    renewed_token,
)


@pytest.mark.parametrize(
    ("seconds", "age"),
    [
        (0, Age.FAST),
        (1.5, Age.FAST),
        (4.5, Age.FINE),
        (24 * 3600 - 60, Age.FINE),
        (24 * 3600 + 60, Age.EXPIRED),
    ],
)
def test_a_form_is_good_from_three_seconds_to_a_day(seconds, age):
    assert form_age(FormSigner(shown=time.time() - seconds).sign("nist"), "nist") is age


def test_a_form_that_comes_back_filled_may_be_sent_at_once():
    assert form_age(form_token("nist"), "nist") is Age.FAST
    assert form_age(renewed_token("nist"), "nist") is Age.FINE


@pytest.mark.parametrize("token", ["", "nist", "nist.1", "nist.1.x", "a.b.c.d", "\0", "é" * 50])
def test_a_token_not_made_here_is_as_good_as_expired(token):
    assert form_age(token, "nist") is Age.EXPIRED


def test_a_token_of_one_tool_does_not_serve_another():
    token = FormSigner(shown=time.time() - 60).sign("nist")
    assert form_age(token, "ter") is Age.EXPIRED


def test_a_token_with_another_time_is_refused():
    _, shown, signature = FormSigner(shown=time.time() - 60).sign("nist").split(".")
    assert form_age(f"nist.{shown[:-1]}0.{signature}", "nist") is Age.EXPIRED


def test_only_the_signed_link_opens_an_entry():
    token = entry_token(Feedback(reference="ABCDEFGH23"))
    assert reference_in(token) == "ABCDEFGH23"
    assert reference_in("ABCDEFGH24" + token[10:]) is None
    assert reference_in("ABCDEFGH23") is None
    assert reference_in(form_token("ABCDEFGH23")) is None
