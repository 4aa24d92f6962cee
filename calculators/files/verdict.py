"""What a comparison says, in sentences for whoever must choose between systems."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from .choices import labels_of
from .comparison import Comparison, Pair
from .sheet import Sheet


@dataclass(frozen=True, slots=True)
class Verdict:
    """What all metrics together say about two systems."""

    first: str  # the baseline's name
    second: str
    winner: str  # a name; empty where there is none
    kind: str  # "clear", "partly", "divided", "open", "same" or "held" (none has a say)
    better: tuple[str, ...]  # names of the metrics that clearly prefer the winner
    others: tuple[str, ...]  # of those that do not tell the two apart
    against: tuple[str, ...]  # of those that clearly prefer the other one

    @property
    def loser(self) -> str:
        """The name of the other one; empty where there is no winner."""
        return "" if not self.winner else self.first if self.winner == self.second else self.second


def verdicts(
    sheet: Sheet, comparison: Comparison, held: Collection[str] = ()
) -> tuple[Verdict, ...]:
    """A verdict on every pair that was compared, in order.

    The choices with the keys ``held`` have no say in it: what they count means nothing.
    """
    places = dict.fromkeys((pair.first, pair.second) for pair in comparison.pairs)
    heard = [pair for pair in comparison.pairs if pair.choice not in held]
    return tuple(_verdict(sheet, heard, first, second) for first, second in places)


def _verdict(sheet: Sheet, heard: Sequence[Pair], first: int, second: int) -> Verdict:
    names = sheet.systems
    labels = dict(zip((c.key for c in sheet.choices), labels_of(sheet.choices), strict=True))
    signs = {c.key: 1 if c.metric.scale.higher_is_better else -1 for c in sheet.choices}
    pairs = [p for p in heard if (p.first, p.second) == (first, second)]
    gains = [(pair, signs[pair.choice] * pair.difference) for pair in pairs]
    ahead = tuple(labels[pair.choice] for pair, gain in gains if pair.is_clear and gain > 0)
    behind = tuple(labels[pair.choice] for pair, gain in gains if pair.is_clear and gain < 0)
    unclear = tuple(labels[pair.choice] for pair, _ in gains if not pair.is_clear)
    swapped = len(behind) > len(ahead)
    if swapped:
        ahead, behind = behind, ahead
    kind = _kind(ahead, behind, unclear, pairs)
    winner = names[first if swapped else second] if kind in ("clear", "partly") else ""
    if kind == "divided" and swapped:
        ahead, behind = behind, ahead
    return Verdict(names[first], names[second], winner, kind, ahead, unclear, behind)


def _kind(
    ahead: Sequence[str], behind: Sequence[str], unclear: Sequence[str], pairs: Sequence[Pair]
) -> str:
    if not pairs:
        return "held"
    if all(pair.difference == 0 for pair in pairs):
        return "same"
    if ahead and behind:
        return "divided"
    if not ahead:
        return "open"
    return "partly" if unclear else "clear"
