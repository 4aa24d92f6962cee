"""The precision of each order of BLEU under each smoothing and convention.

nltk1 to nltk7 are Chen and Cherry (2014), methods 1 to 7, as NLTK computes them; floor, add-k and
exp are sacreBLEU's. What each does in numbers is checked against those tools.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from ..corpus import ScoringError
from .counts import BleuCounts, BleuOptions

FLOOR = 0.1  # matches, Chen and Cherry's epsilon
ADD_K = 1.0
NLTK_EPSILON = 0.1
NLTK_K = 5  # of method 4
NLTK_ALPHA = 5  # of method 6


@dataclass(frozen=True, slots=True)
class Smoothing:
    """One application of a smoothing rule to a precision."""

    rule: str
    parts: tuple[float, ...]  # the numbers that go into the rule
    value: float  # that comes out


@dataclass(frozen=True, slots=True)
class Precision:
    """The precision of one order as it enters the score."""

    order: int
    matched: int  # clipped
    total: int  # n-grams of the hypothesis, as the convention counts them
    exists: bool = True  # whether the text has n-grams of this order
    smoothings: tuple[Smoothing, ...] = ()  # in turn; none where it is matched / total
    weight: float = 0.0  # of its logarithm in the mean; 0 where the order is left out

    @property
    def raw(self) -> float:
        """The precision without smoothing; 0 where the order has no n-gram."""
        return self.matched / self.total if self.total else 0.0

    @property
    def value(self) -> float:
        """The precision after smoothing."""
        return self.smoothings[-1].value if self.smoothings else self.raw

    def smoothed(self, rule: str, value: float, *parts: float) -> Precision:
        """This precision with one rule more applied."""
        return replace(self, smoothings=(*self.smoothings, Smoothing(rule, parts, value)))


def precisions(counts: BleuCounts, options: BleuOptions) -> tuple[Precision, ...]:
    """The precisions of orders 1..N, smoothed and weighted.

    Raises ``ScoringError`` where the smoothing is undefined for the text.
    """
    plain = tuple(_plain(counts, options))
    if not (counts.matches[0] or _smooths_without_match(options)):
        return _weighted(plain, counts, options)
    smoothed = _RULES[options.smoothing](plain, counts, options)
    return _weighted(smoothed, counts, options)


def _plain(counts: BleuCounts, options: BleuOptions) -> Iterator[Precision]:
    for index in range(options.order):
        matched, total = counts.matches[index], counts.totals[index]
        counted = total + counts.absent[index] if options.counts_as_nltk else total
        yield Precision(index + 1, matched, counted, exists=total > 0)


def _smooths_without_match(options: BleuOptions) -> bool:
    """Whether smoothing goes on where nothing matched at all; NLTK and sacreBLEU stop at 0."""
    if options.smoothing == "add-one":
        return True
    return options.convention == "mteval" and not options.counts_as_nltk


Rule = Callable[[tuple[Precision, ...], BleuCounts, BleuOptions], tuple[Precision, ...]]


def _none(
    plain: tuple[Precision, ...], counts: BleuCounts, options: BleuOptions
) -> tuple[Precision, ...]:
    return plain


def _add_one(
    plain: tuple[Precision, ...], counts: BleuCounts, options: BleuOptions
) -> tuple[Precision, ...]:
    # The total is the true one: this rule looks at orders that exist, whatever the convention.
    return tuple(
        _added(replace(precision, total=total), 1.0, "add-one") if total else precision
        for precision, total in zip(plain, counts.totals, strict=False)
    )


def _floor(
    plain: tuple[Precision, ...], counts: BleuCounts, options: BleuOptions
) -> tuple[Precision, ...]:
    floor = FLOOR if options.smoothing_value is None else options.smoothing_value
    return tuple(
        precision
        if precision.matched
        else _missing(precision, options)
        or precision.smoothed("floor", floor / precision.total, floor, precision.total)
        for precision in plain
    )


def _add_k(
    plain: tuple[Precision, ...], counts: BleuCounts, options: BleuOptions
) -> tuple[Precision, ...]:
    k = ADD_K if options.smoothing_value is None else options.smoothing_value
    if k == 0:
        return tuple(_missing(precision, options) or precision for precision in plain)
    # An order longer than the text comes out as k / k, so it exists: sacreBLEU's way.
    return (
        plain[0],
        *(replace(_added(precision, k, "add-k"), exists=True) for precision in plain[1:]),
    )


def _exp(
    plain: tuple[Precision, ...], counts: BleuCounts, options: BleuOptions
) -> tuple[Precision, ...]:
    return tuple(
        _missing(precision, options) or precision
        for precision in _halved(plain, options.smoothing, 1.0)
    )


def _nltk1(
    plain: tuple[Precision, ...], counts: BleuCounts, options: BleuOptions
) -> tuple[Precision, ...]:
    return _floor(plain, counts, replace(options, smoothing_value=NLTK_EPSILON))


def _nltk2(
    plain: tuple[Precision, ...], counts: BleuCounts, options: BleuOptions
) -> tuple[Precision, ...]:
    return (plain[0], *(_added(precision, 1.0, "add-k") for precision in plain[1:]))


def _nltk4(
    plain: tuple[Precision, ...], counts: BleuCounts, options: BleuOptions
) -> tuple[Precision, ...]:
    length = counts.hypothesis_length
    if length <= 1:
        return plain  # ln 1 is 0: NLTK leaves such a text unsmoothed
    return tuple(_halved(plain, "nltk4", math.log(length) / NLTK_K))


def _nltk5(
    plain: tuple[Precision, ...], counts: BleuCounts, options: BleuOptions
) -> tuple[Precision, ...]:
    # NLTK takes the 5-gram as the neighbour of the last order, whichever that is.
    after_last = counts.matches[4] / max(1, counts.totals[4])
    following = [*(precision.value for precision in plain[1:]), after_last]
    previous = plain[0].value + 1
    smoothed = []
    for precision, after in zip(plain, following, strict=True):
        parts = (previous, precision.value, after)
        previous = sum(parts) / 3
        smoothed.append(precision.smoothed("nltk5", previous, *parts))
    return tuple(smoothed)


def _nltk6(
    plain: tuple[Precision, ...], counts: BleuCounts, options: BleuOptions
) -> tuple[Precision, ...]:
    if len(plain) < 3:
        raise ScoringError(
            "NLTK method 6 works on 3-grams and longer ones: set the maximum order to 3 or more,"
            " or choose another smoothing.",
            "smoothing",
        )
    if not plain[2].matched:
        raise ScoringError(
            "NLTK method 6 needs at least one matching 3-gram and this text has none. Choose"
            " another smoothing.",
            "smoothing",
        )
    smoothed = list(plain[:2])
    for precision in plain[2:]:
        before_last, last = smoothed[-2].value, smoothed[-1].value
        total = counts.totals[precision.order - 1]
        value = (precision.matched + NLTK_ALPHA * last**2 / before_last) / (total + NLTK_ALPHA)
        parts = (precision.matched, last, before_last, total)
        smoothed.append(precision.smoothed("nltk6", value, *parts))
    return tuple(smoothed)


def _nltk7(
    plain: tuple[Precision, ...], counts: BleuCounts, options: BleuOptions
) -> tuple[Precision, ...]:
    return _nltk5(_nltk4(plain, counts, options), counts, options)


_RULES: dict[str, Rule] = {
    "none": _none,
    "add-one": _add_one,
    "floor": _floor,
    "add-k": _add_k,
    "exp": _exp,
    "nltk1": _nltk1,
    "nltk2": _nltk2,
    "nltk3": _exp,
    "nltk4": _nltk4,
    "nltk5": _nltk5,
    "nltk6": _nltk6,
    "nltk7": _nltk7,
}


def _missing(precision: Precision, options: BleuOptions) -> Precision | None:
    """An order without n-grams under a smoothing: 1 for mteval, as it is for the others."""
    if precision.total:
        return None
    if options.convention == "mteval":
        return precision.smoothed("mteval", 1.0)
    return precision


def _added(precision: Precision, k: float, rule: str) -> Precision:
    value = (precision.matched + k) / (precision.total + k)
    return precision.smoothed(rule, value, precision.matched, precision.total, k)


def _halved(plain: tuple[Precision, ...], rule: str, matches: float) -> Iterator[Precision]:
    """Each further order without a match has half the matches of the one before."""
    zeros = 0
    for precision in plain:
        if precision.matched or not precision.total:
            yield precision
            continue
        zeros += 1
        value = matches / (2**zeros * precision.total)
        yield precision.smoothed(rule, value, matches, zeros, precision.total)


def _weighted(
    smoothed: tuple[Precision, ...], counts: BleuCounts, options: BleuOptions
) -> tuple[Precision, ...]:
    weights = _weights(smoothed, counts, options)
    return tuple(
        replace(precision, weight=0.0 if _is_skipped(precision, counts, options) else weight)
        for precision, weight in zip(smoothed, weights, strict=True)
    )


def _is_skipped(precision: Precision, counts: BleuCounts, options: BleuOptions) -> bool:
    """Whether NLTK passes over this order: it was smoothed and is 0 still (method 4, one word)."""
    smoothed = options.smoothing.startswith("nltk") and counts.matches[0] > 0
    return smoothed and precision.value <= 0


def _weights(
    smoothed: tuple[Precision, ...], counts: BleuCounts, options: BleuOptions
) -> list[float]:
    """The weight of each order; the weights of orders left out go to the others in proportion."""
    given = list(options.weights or [1 / options.order] * options.order)
    length = counts.hypothesis_length
    if options.auto_reweigh and 0 < length < 4 and given == [0.25] * 4:
        return [1 / length] * length + [0.0] * (4 - length)
    if not (options.effective_order or options.smoothing == "add-one"):
        return given
    kept = [w if p.exists else 0.0 for w, p in zip(given, smoothed, strict=True)]
    if not any(kept):
        return given
    scale = sum(given) / sum(kept)
    return [weight * scale for weight in kept]
