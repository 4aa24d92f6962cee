"""The golden-text gate: whether generated text stays close enough to its source.

An offline evaluator over sentence BLEU. It scores each item as 20 % structure and 80 % BLEU of
the output against its source, with one added to both counts of every order that exists.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .bleu import METRIC
from .bleu.score import BleuResult
from .budget import Budget
from .corpus import Corpus, ScoringError, Segment
from .explain import Derivation, Step
from .options import OptionSpec

PRESET = "gate"  # of BLEU
STRUCTURE_WEIGHT = 0.2
BLEU_WEIGHT = 0.8
SHORTEST = 10  # characters of an output of good structure
LONGEST = 500  # characters

# Under so many tokens orders are missing, and add-one smoothing credits words that do not match.
TELLING_LENGTH = 4

THRESHOLD = OptionSpec(
    name="threshold",
    kind="real",
    default=0.5,
    label="Threshold",
    help="An item passes from this overall score on, if its output is not empty.",
    minimum=0,
    maximum=1,
)


@dataclass(frozen=True, slots=True)
class Item:
    """A generated text and the source that it should stay close to."""

    id: str
    source_text: str
    generated_output: str


@dataclass(frozen=True, slots=True)
class Layer:
    """A factor of the overall score that can fail an item; its best is 1."""

    name: str
    value: float
    why: str
    overall_if_whole: float  # the overall score if this layer alone were 1


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the gate says of one item."""

    item: Item
    bleu: BleuResult
    structure: float
    overall: float
    passed: bool
    reasons: tuple[str, ...]  # why it failed, layer by layer; none where it passed
    warnings: tuple[str, ...]  # what makes the score hard to trust

    @property
    def verdict(self) -> str:
        """``PASS`` or ``FAIL``."""
        return "PASS" if self.passed else "FAIL"

    @property
    def smoothed(self) -> float:
        """BLEU with one added to both counts of every order that exists."""
        return self.bleu.value

    @property
    def raw(self) -> float:
        """BLEU without smoothing: 0 as soon as one order has no match."""
        return self.bleu.unsmoothed

    @property
    def brevity_penalty(self) -> float:
        """The factor for an output shorter than its source."""
        return self.bleu.brevity_penalty

    @property
    def precisions(self) -> tuple[float, ...]:
        """The precisions of orders 1..4 before smoothing; 0 where an order does not exist."""
        pairs = zip(self.bleu.matches, self.bleu.totals, strict=True)
        return tuple(matched / total if total else 0.0 for matched, total in pairs)


def judge(
    items: Sequence[Item], threshold: float = 0.5, budget: Budget | None = None
) -> Iterator[Judgement]:
    """The judgement of each item, in order; ``ScoringError`` where there is no item."""
    if not items:
        raise ScoringError("There are no items. Give at least one.", "items")
    budget = budget or Budget.unlimited()
    corpus = Corpus(tuple(map(_segment, items)))
    options = METRIC.options_for(PRESET, of_corpus=False)
    prepared = METRIC.prepare(corpus, options, budget)
    counts = METRIC.measure(prepared, corpus.segments, budget)
    for item, counted in zip(items, counts, strict=True):
        yield _judgement(item, METRIC.finish(counted, options), threshold)


def _segment(item: Item) -> Segment:
    return Segment(item.generated_output, (item.source_text,))


def structure(output: str) -> float:
    """0 for a blank output, else the mean of two tests: not too short, not too long."""
    if not output.strip():
        return 0.0
    return ((len(output) >= SHORTEST) + (len(output) <= LONGEST)) / 2


def overall_score(structure_score: float, smoothed: float) -> float:
    """The weighted mean of structure and smoothed BLEU."""
    return STRUCTURE_WEIGHT * structure_score + BLEU_WEIGHT * smoothed


def _judgement(item: Item, bleu: BleuResult, threshold: float) -> Judgement:
    structured = structure(item.generated_output)
    overall = overall_score(structured, bleu.value)
    passed = overall >= threshold and bool(item.generated_output.strip())
    return Judgement(
        item=item,
        bleu=bleu,
        structure=structured,
        overall=overall,
        passed=passed,
        reasons=() if passed else tuple(_reasons(item, bleu, structured, threshold)),
        warnings=tuple(_warnings(item, bleu)),
    )


def _reasons(item: Item, bleu: BleuResult, structured: float, threshold: float) -> Iterator[str]:
    if not item.generated_output.strip():
        yield "fails on the output: it is empty"
        return
    if not bleu.hypothesis_length:
        yield "fails on the output: it has no letter from a to z and no digit"
        return
    layers = [layer for layer in _layers(item, bleu, structured) if layer.value < 1]
    # A layer that alone decides is the reason; where none does, all that fall short are.
    deciding = [layer for layer in layers if layer.overall_if_whole >= threshold]
    for layer in deciding or layers:
        yield f"fails on {layer.name}: {layer.value:.2f} ({layer.why})"


def _layers(item: Item, bleu: BleuResult, structured: float) -> tuple[Layer, ...]:
    penalty, matching = bleu.brevity_penalty, matched_part(bleu)
    return (
        Layer(
            "structure",
            structured,
            f"{_length(item.generated_output)}, {SHORTEST} to {LONGEST} are expected",
            overall_score(1.0, bleu.value),
        ),
        Layer(
            "the brevity penalty",
            penalty,
            f"{_tokens(bleu.hypothesis_length)} against {bleu.reference_length:,} of the source",
            overall_score(structured, matching),
        ),
        Layer(
            "the matched n-grams",
            matching,
            _matches(bleu),
            overall_score(structured, penalty),
        ),
    )


def matched_part(bleu: BleuResult) -> float:
    """Smoothed BLEU without brevity penalty: the geometric mean of the precisions that exist."""
    logs = [
        math.log(value) for value, total in zip(bleu.precisions, bleu.totals, strict=True) if total
    ]
    return math.exp(math.fsum(logs) / len(logs)) if logs else 0.0


def _matches(bleu: BleuResult) -> str:
    parts = [
        f"{matched:,} of {total:,} {'tokens' if order == 1 else f'{order}-grams'}"
        for order, (matched, total) in enumerate(zip(bleu.matches, bleu.totals, strict=True), 1)
        if total
    ]
    return ", ".join(parts)


def _length(text: str) -> str:
    return f"{len(text):,} character{'' if len(text) == 1 else 's'}"


def _tokens(number: int) -> str:
    return f"{number:,} token{'' if number == 1 else 's'}"


def _warnings(item: Item, bleu: BleuResult) -> Iterator[str]:
    if 0 < bleu.hypothesis_length < TELLING_LENGTH:
        yield (
            f"The output has {_tokens(bleu.hypothesis_length)}. Under {TELLING_LENGTH}, the"
            " smoothing credits words that do not match, so that even an unrelated output can"
            " pass: read it yourself."
        )
    if not bleu.reference_length:
        yield "The source has no letter from a to z and no digit, so nothing can match it."
    elif _has_other_letters(item.source_text) or _has_other_letters(item.generated_output):
        yield "Letters other than a to z are no part of the tokens: they are left out."


def _has_other_letters(text: str) -> bool:
    if text.isascii():
        return False
    return any(letter.isalpha() and not letter.isascii() for letter in text.lower())


def explain(judgement: Judgement, threshold: float) -> Derivation:
    """How the overall score comes about. BLEU's own working says how BLEU does."""
    text, bleu = judgement.item.generated_output, judgement.bleu.value
    bounds = f"at least {SHORTEST} characters, at most {LONGEST}: the mean of the two"
    tests = f"({int(len(text) >= SHORTEST)} + {int(len(text) <= LONGEST)}) ÷ 2"
    is_blank = not text.strip()
    verdict = "reached" if judgement.overall >= threshold else "not reached"
    return Derivation(
        "How the overall score comes about",
        (
            Step(
                "Structure",
                "a blank output has none" if is_blank else bounds,
                "0" if is_blank else tests,
                judgement.structure,
            ),
            Step(
                "Smoothed BLEU",
                "brevity penalty × geometric mean of the smoothed precisions",
                f"{judgement.bleu.brevity_penalty:.4f} × {matched_part(judgement.bleu):.4f}",
                bleu,
            ),
            Step(
                f"Overall, threshold {threshold:g} {verdict}",
                f"{STRUCTURE_WEIGHT:g} × structure + {BLEU_WEIGHT:g} × smoothed BLEU",
                f"{STRUCTURE_WEIGHT:g} × {judgement.structure:g} + {BLEU_WEIGHT:g} × {bleu:.4f}",
                judgement.overall,
            ),
        ),
    )
