"""The gate's report: everything that it found, and the settings, for programs to keep."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree

from ..scoring import VERSION, Budget
from ..scoring.bleu import METRIC
from ..scoring.gate import (
    BLEU_WEIGHT,
    LONGEST,
    PRESET,
    SHORTEST,
    STRUCTURE_WEIGHT,
    Item,
    Judgement,
    judge,
)
from ..scoring.options import signature

Judgements = Sequence[Judgement]


def report_of(items: Sequence[Item], threshold: float, budget: Budget) -> dict[str, Any]:
    """The report on ``items``."""
    return report(tuple(judge(items, threshold, budget)), threshold)


def report(judgements: Judgements, threshold: float) -> dict[str, Any]:
    """The report as JSON writes it; numbers have full precision, texts are left out."""
    passed = sum(judgement.passed for judgement in judgements)
    return {
        "settings": settings(threshold),
        "summary": {
            "items": len(judgements),
            "passed": passed,
            "failed": len(judgements) - passed,
        },
        "items": [_entry(judgement) for judgement in judgements],
    }


def settings(threshold: float) -> dict[str, Any]:
    """All that the numbers depend on beside the texts."""
    return {
        "threshold": threshold,
        "structure_weight": STRUCTURE_WEIGHT,
        "bleu_weight": BLEU_WEIGHT,
        "shortest_output": SHORTEST,
        "longest_output": LONGEST,
        "bleu": METRIC.options_for(PRESET, of_corpus=False).written(),
        "signature": gate_signature(),
        "version": VERSION,
    }


def gate_signature() -> str:
    """BLEU's signature, as the gate uses it."""
    return signature(METRIC.slug, "1", METRIC.options_for(PRESET, of_corpus=False), VERSION)


def _entry(judgement: Judgement) -> dict[str, Any]:
    bleu = judgement.bleu
    return {
        "id": judgement.item.id,
        "verdict": judgement.verdict,
        "reasons": list(judgement.reasons),
        "warnings": list(judgement.warnings),
        "overall": judgement.overall,
        "bleu": judgement.smoothed,
        "raw_bleu": judgement.raw,
        "structure": judgement.structure,
        "precisions": list(judgement.precisions),
        "smoothed_precisions": list(bleu.precisions),
        "matches": list(bleu.matches),
        "totals": list(bleu.totals),
        "brevity_penalty": judgement.brevity_penalty,
        "output_tokens": bleu.hypothesis_length,
        "source_tokens": bleu.reference_length,
    }


def written(data: dict[str, Any]) -> str:
    """``data`` as the text of report.json. It is ASCII, so that no tool misreads an id."""
    return json.dumps(data, indent=2) + "\n"


# What XML 1.0 can't hold, not even escaped.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(judgements: Judgements) -> bytes:
    """The judgements as JUnit's XML, which build servers show: a test case an item."""
    failed = sum(not judgement.passed for judgement in judgements)
    counts = {"tests": str(len(judgements)), "failures": str(failed), "errors": "0"}
    suites = ElementTree.Element("testsuites", {"name": "golden-text gate"} | counts)
    suite = ElementTree.SubElement(
        suites, "testsuite", {"name": "golden-text gate", **counts, "skipped": "0", "time": "0"}
    )
    for judgement in judgements:
        _test_case(suite, judgement)
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="utf-8", xml_declaration=True) + b"\n"


def _test_case(suite: ElementTree.Element, judgement: Judgement) -> None:
    name = _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", judgement.item.id)
    case = ElementTree.SubElement(
        suite, "testcase", {"classname": "gate", "name": name, "time": "0"}
    )
    if not judgement.passed:
        message = "; ".join(judgement.reasons)
        failure = ElementTree.SubElement(case, "failure", {"message": message, "type": "gate"})
        failure.text = f"overall {judgement.overall:.4f}: {message}"
    if judgement.warnings:
        ElementTree.SubElement(case, "system-out").text = "\n".join(judgement.warnings)
