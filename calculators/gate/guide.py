"""The gate in the API's guide: a call that can be run as it stands, and its answer."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from ..guide import call
from ..scoring import Budget
from .items import items_of
from .report import report_of

ITEMS = [
    {
        "id": "delivery",
        "source_text": "Your parcel arrives on Monday before noon.",
        "generated_output": "Your parcel arrives on Monday before lunch.",
    },
    {
        "id": "greeting",
        "source_text": "Good morning, and welcome back to the library.",
        "generated_output": "Hi there.",
    },
]
THRESHOLD = 0.5
SHOWN = ("id", "verdict", "reasons", "overall")  # of an item's answer


@dataclass(frozen=True, slots=True)
class GateGuide:
    """How the gate is called."""

    call: str
    answer: str  # of the call, the most telling fields


def gate_guide(root: str) -> GateGuide:
    """The guide to the gate of the API at ``root``. Its answer is computed."""
    body: dict[str, Any] = {"items": ITEMS, "threshold": THRESHOLD}
    report = report_of(items_of(ITEMS), THRESHOLD, Budget.unlimited())
    short = {
        "summary": report["summary"],
        "items": [{name: entry[name] for name in SHOWN} for entry in report["items"]],
    }
    return GateGuide(call(f"{root}api/v1/gate", body), json.dumps(short, indent=2))
