import logging
import sys

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
