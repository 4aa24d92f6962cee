"""JSON that comes from outside, read strictly."""

from __future__ import annotations

import json
from typing import Any

from .scoring import ScoringError


def parsed(text: str, first_line: int = 1) -> object:
    """The value that ``text`` writes in JSON; ``first_line`` is the number of its first line.

    Raises ``ScoringError`` where it is not JSON, where an object has a name twice, and for NaN and
    Infinity, which Python takes and JSON does not have.
    """
    try:
        return json.loads(text, object_pairs_hook=_without_repeats, parse_constant=_no_constant)
    except RecursionError:
        raise ScoringError("The JSON is nested too deeply.") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno + first_line - 1:,}, column {error.colno:,}"
        raise ScoringError(f"This is not JSON: the fault is at {place}.") from None
    except ValueError:
        # An integer of thousands of digits.
        raise ScoringError("A number in the JSON has too many digits.") from None


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ScoringError("An object of the JSON has the same name twice.")
    return found


def _no_constant(_: str) -> Any:
    raise ScoringError("NaN and Infinity are not JSON.")
