import logging
import sys

from django.test import RequestFactory
from django.urls import resolve

from mtcalc.logging import PrivateFormatter


def record_of(error: Exception) -> logging.LogRecord:
    try:
        raise error
    except type(error):
        return logging.LogRecord(
            "django.request", logging.ERROR, __file__, 1, "Failed", (), sys.exc_info()
        )


def test_the_log_names_type_and_place_of_an_exception():
    line = PrivateFormatter().format(record_of(ValueError("canary")))
    assert "ValueError at " in line
    assert "test_logging.py:" in line
    assert "in record_of" in line


def test_the_log_never_quotes_an_exceptions_message_or_its_source_line():
    line = PrivateFormatter().format(record_of(ValueError("canary")))
    assert "canary" not in line
    assert "raise error" not in line


def test_a_message_can_not_forge_a_second_line():
    record = logging.LogRecord("x", logging.ERROR, __file__, 1, "one\ntwo", (), None)
    assert "\n" not in PrivateFormatter().format(record)


def test_an_address_is_told_by_its_pattern_since_a_signed_link_opens_a_comment():
    request = RequestFactory().get("/feedback/yours/canary/")
    told = []
    for match in (None, resolve(request.path_info)):
        request.resolver_match = match
        record = logging.LogRecord("django.request", logging.ERROR, "", 1, "%s: %s", (), None)
        record.args = ("Internal Server Error", request.path)
        record.request, record.status_code = request, 500
        told.append(PrivateFormatter().format(record))
    assert "canary" not in "".join(told)
    assert "Answered 500 at feedback/yours/<str:token>/" in told[1]
