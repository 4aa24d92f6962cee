"""A log that can't leak what visitors typed."""

import logging
import traceback
from types import TracebackType


class PrivateFormatter(logging.Formatter):
    """One line a record, with an exception's type and place and never its message.

    The message of an exception often quotes the value that caused it, which here is the
    visitor's text; Django's ``sensitive_variables`` leaves messages as they are. Of an address
    only its pattern is told: what stands in it may be the signed link to somebody's comment.
    """

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        if request := getattr(record, "request", None):
            match = getattr(request, "resolver_match", None)
            status = getattr(record, "status_code", "?")
            record.message = f"Answered {status} at {match.route if match else '?'}"
        record.message = record.message.replace("\n", " ").replace("\r", " ")
        return super().formatMessage(record)

    def formatException(  # noqa: N802 - logging's name
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None]
        | tuple[None, None, None],
    ) -> str:
        """``Type at file:line in function``, innermost call first, no message and no source."""
        kind, _, trace = ei
        if kind is None:
            return ""
        places = [
            f"{frame.filename}:{frame.lineno} in {frame.name}"
            for frame in reversed(traceback.extract_tb(trace))
        ]
        return f"{kind.__module__}.{kind.__qualname__} at " + " < ".join(places)
