"""How BLEU shows its working: a whole run, and the n-grams of one segment."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ..corpus import ScoringError
from ..explain import (
    Bar,
    Bars,
    Cell,
    Check,
    Column,
    Derivation,
    Inspector,
    InspectorRow,
    MarkedText,
    MarkedToken,
    Section,
    Step,
    Table,
    Tile,
    Tiles,
    Verdict,
    beside,
    signed,
)
from ..metric import Evaluation
from ..text.ngrams import Ngram
from .counts import BleuCounts, BleuOptions, BleuTrace, Prepared
from .score import BleuResult, log_mean
from .smoothing import Precision, precisions

Run = Evaluation[BleuOptions, Prepared, BleuCounts, BleuTrace, BleuResult]

MOST_ROWS = 400  # of the inspector
MOST_TOKENS = 2_000  # of the marked text

# What a smoothing rule does: in symbols, and with the parts of a precision put in.
_RULES = {
    "add-one": ("(matched + 1) ÷ (all + 1)", "({0:g} + 1) ÷ ({1:g} + 1)"),
    "add-k": ("(matched + k) ÷ (all + k)", "({0:g} + {2:g}) ÷ ({1:g} + {2:g})"),
    "floor": ("value ÷ all", "{0:g} ÷ {1:g}"),
    "exp": ("1 ÷ (2^k × all), k-th order without a match", "1 ÷ (2^{1:g} × {2:g})"),
    "nltk3": ("1 ÷ (2^k × all), k-th order without a match", "1 ÷ (2^{1:g} × {2:g})"),
    "nltk4": (
        "ln(length) ÷ 5 ÷ (2^k × all), k-th order without a match",
        "{0:.4g} ÷ (2^{1:g} × {2:g})",
    ),
    "nltk5": ("(previous + own + next) ÷ 3", "({0:.4g} + {1:.4g} + {2:.4g}) ÷ 3"),
    "nltk6": (
        "(matched + 5 × previous² ÷ one before) ÷ (all + 5)",
        "({0:g} + 5 × {1:.4g}² ÷ {2:.4g}) ÷ ({3:g} + 5)",
    ),
    "mteval": ("an order longer than the text counts as 1", "1"),
}


def explain(run: Run) -> tuple[Section, ...]:
    """The working of the whole run."""
    used = precisions(run.total, run.options)
    return (
        _verdict(run.result, run.options),
        _tiles(run.result, used),
        _check(run.result, used),
        _derivation("How the score comes about", run.result, used),
        _table("By order", run.options, used),
        _bars(run.options, used),
    )


def detail(run: Run, index: int) -> tuple[Section, ...]:
    """The n-grams of one segment; in a corpus the segment's own score as well."""
    trace = run.trace(index)
    sections = (_marked(trace, run.options.order), _inspector(trace, run.options.order))
    if run.is_sentence:
        return sections
    return (*_own_working(trace.counts, run), *sections)


def _own_working(counts: BleuCounts, run: Run) -> tuple[Section, ...]:
    options = run.segment_options
    try:
        result = run.metric.finish(counts, options)
    except ScoringError:
        return ()
    used = precisions(counts, options)
    derivation = _derivation("This line by itself", result, used)
    return (derivation, _table("This line by order", options, used))


def name_of(order: int) -> str:
    """What the n-grams of that order are called."""
    return f"{order}-grams"


def _verdict(result: BleuResult, options: BleuOptions) -> Verdict:
    if not result.hypothesis_length:
        return Verdict(("The hypothesis is empty, so there is nothing to match.",))
    if not result.matches[0]:
        return Verdict(("Nothing of the hypothesis is in the references.",))
    unit = _UNITS.get(options.tokenizer, "words")
    full = all(
        matched == total for matched, total in zip(result.matches, result.totals, strict=True)
    )
    if full and result.brevity_penalty == 1 and result.value:
        return Verdict((f"Every sequence of 1 to {options.order} {unit} is in the references.",))
    found = f"{result.matches[0]:,} of {result.hypothesis_length:,} {unit} are in the references"
    longest = _longest_match(result, unit)
    return Verdict((f"{found}{longest}. {_what_it_says(result)}",))


# What the tokenisers that do not give words give.
_UNITS = {"char": "characters", "zh": "tokens"}


def _longest_match(result: BleuResult, unit: str) -> str:
    longest = max(order for order, matched in enumerate(result.matches, 1) if matched)
    if longest == 1:
        return "" if result.hypothesis_length < 2 else ", but no two of them next to each other"
    matched, total = result.matches[longest - 1], result.totals[longest - 1]
    return f"; of sequences of {longest} {unit}, {matched:,} of {total:,}"


def _what_it_says(result: BleuResult) -> str:
    if result.value == 0 and result.hypothesis_length < len(result.totals):
        return "The text is too short for the longest n-grams, which makes the score 0."
    if result.value == 0:
        return "One order without a match makes the score 0, however good the others are."
    return "BLEU compares wording: a good paraphrase scores low."


def _tiles(result: BleuResult, used: Sequence[Precision]) -> Tiles:
    orders = [
        Tile(f"p{p.order}", p.value if p.exists else None, "percent", 2, note=_tile_note(p))
        for p in used
    ]
    return Tiles(
        (
            Tile("BLEU, 0 to 100", 100 * result.value, digits=2),
            Tile("BLEU, 0 to 1", result.value),
            *orders,
            Tile("Brevity penalty", result.brevity_penalty),
            Tile("Hypothesis length", result.hypothesis_length, "count", note="tokens"),
            Tile("Effective reference length", result.reference_length, "count", note="tokens"),
            Tile("Raw BLEU", result.unsmoothed, note="no smoothing"),
            Tile("Smoothed BLEU", result.smoothed, note="one added to both counts"),
        )
    )


def _tile_note(precision: Precision) -> str:
    if not precision.exists:
        return "longer than the text"
    return "smoothed" if precision.smoothings else ""


def _check(result: BleuResult, used: Sequence[Precision]) -> Check:
    counted = [precision for precision in used if precision.weight]
    share = 1 / len(counted) if counted else 0.0
    if counted and all(math.isclose(precision.weight, share) for precision in counted):
        way = "brevity penalty times the root of the product"
        mean = math.prod(precision.value for precision in counted) ** share
    else:
        way = "brevity penalty times the product of powers"
        mean = math.prod(precision.value**precision.weight for precision in counted)
    return Check(
        quantity="BLEU",
        first_way="brevity penalty times e to the mean of logarithms",
        first=result.value,
        second_way=way,
        second=_penalty_again(result) * mean,
    )


def _penalty_again(result: BleuResult) -> float:
    """The brevity penalty as e to the least of 0 and 1 - r/c, mteval's way to write it."""
    if not result.hypothesis_length:
        return result.brevity_penalty  # by convention: there is no ratio to work with
    exponent = min(0.0, 1 - result.reference_length / result.hypothesis_length)
    return float(math.e**exponent)


def _derivation(title: str, result: BleuResult, used: Sequence[Precision]) -> Derivation:
    steps = [step for precision in used for step in _precision_steps(precision)]
    return Derivation(
        title,
        (*steps, *_mean_steps(result, used), _penalty_step(result), _last_step(result, used)),
    )


def _precision_steps(precision: Precision) -> Iterator[Step]:
    name = f"p{precision.order}, {name_of(precision.order)}"
    if not precision.total and not precision.smoothings:
        left_out = "left out" if not precision.weight else "0"
        yield Step(name, f"the text has no {name_of(precision.order)}: {left_out}", "", 0.0)
        return
    if precision.total:
        numbers = f"{precision.matched:,} ÷ {precision.total:,}"
        yield Step(name, "matched ÷ all in the hypothesis", numbers, precision.raw)
    for smoothing in precision.smoothings:
        formula, template = _RULES[smoothing.rule]
        numbers = template.format(*smoothing.parts)
        yield Step(f"p{precision.order}, smoothed", formula, numbers, smoothing.value)


def _mean_steps(result: BleuResult, used: Sequence[Precision]) -> Iterator[Step]:
    counted = [precision for precision in used if precision.weight]
    mean = log_mean(used)
    label = "Geometric mean"
    if mean is None:
        product = " × ".join(_number(precision.value) for precision in counted)
        yield Step(label, "a product with a 0 in it is 0", product, 0.0)
        return
    terms = " + ".join(f"{_number(p.weight)} × ln {_number(p.value)}" for p in counted)
    yield Step("Mean of the logarithms", "sum of weight × ln p", terms, mean)
    yield Step(label, "exp(mean of the logarithms)", f"exp({_number(mean)})", math.exp(mean))


def _penalty_step(result: BleuResult) -> Step:
    hypothesis, reference = result.hypothesis_length, result.reference_length
    if hypothesis == 0:
        numbers = f"{result.brevity_penalty:g}, since c = 0 and r = {reference:,}"
    elif hypothesis >= reference:
        numbers = f"1, since c = {hypothesis:,} and r = {reference:,}"
    else:
        numbers = f"exp(1 − {reference:,} ÷ {hypothesis:,})"
    formula = "1 if the c tokens here are as many as the reference's r, else exp(1 − r ÷ c)"
    return Step("Brevity penalty", formula, numbers, result.brevity_penalty)


def _last_step(result: BleuResult, used: Sequence[Precision]) -> Step:
    mean = log_mean(used)
    factor = 0.0 if mean is None else math.exp(mean)
    numbers = f"{_number(result.brevity_penalty)} × {_number(factor)}"
    return Step("BLEU", "brevity penalty × geometric mean", numbers, result.value)


def _number(value: float) -> str:
    written = f"{value:.4f}" if value == 0 or abs(value) >= 0.001 else f"{value:.3g}"
    return signed(written)


def _table(title: str, options: BleuOptions, used: Sequence[Precision]) -> Table:
    columns = [
        Column("n-grams"),
        Column("Matched", "count", help="each at most as often as one reference has it"),
        Column("In the hypothesis", "count"),
        Column("Precision", "percent", 2),
        Column("Weight", "number", 4),
    ]
    rows: list[tuple[Cell, ...]] = [
        (name_of(p.order), p.matched, p.total, p.raw if p.total else None, p.weight) for p in used
    ]
    if options.smoothing != "none":
        columns.insert(4, Column("Smoothed", "percent", 2))
        smoothed = [p.value if p.exists or p.smoothings else None for p in used]
        rows = [(*row[:4], cell, row[4]) for row, cell in zip(rows, smoothed, strict=True)]
    return Table(title, "Clipped matches and precision", tuple(columns), tuple(rows))


def _bars(options: BleuOptions, used: Sequence[Precision]) -> Bars:
    full = max(1.0, *(precision.value for precision in used))
    items = tuple(
        Bar(name_of(p.order), p.value, full, "percent", 2) for p in used if p.exists or p.smoothings
    )
    smoothed = any(precision.smoothings for precision in used)
    caption = "Precision of each order, smoothed" if smoothed else "Precision of each order"
    return Bars("Precisions", caption, items)


def _inspector(trace: BleuTrace, order: int) -> Inspector:
    kept, omitted = _listed(trace, order)
    return Inspector(
        title="N-grams of the hypothesis",
        caption="Counted: as often as it occurs, but no more often than in any one reference",
        columns=(
            Column("n-gram", "tokens"),
            Column("In the hypothesis", "count"),
            Column("Most in one reference", "count"),
            Column("Counted", "count"),
            Column("Clipped", "text"),
        ),
        rows=tuple(_row(trace, order, ngram) for order, ngram in kept),
        omitted=omitted,
    )


def _listed(trace: BleuTrace, orders: int) -> tuple[list[tuple[int, Ngram]], int]:
    """The n-grams to list, with their orders, and how many are left out of a long text.

    Clipped ones come before matched ones before the others; those that stay keep their places.
    """
    ranked: tuple[list[tuple[int, int, Ngram]], ...] = ([], [], [])
    for order, own in enumerate(trace.ngrams[:orders], 1):
        counted = trace.clipped[order - 1]
        for place, (ngram, count) in enumerate(own.items()):
            matched = counted.get(ngram, 0)
            rank = ranked[2 if not matched else 1 if matched == count else 0]
            if len(rank) < MOST_ROWS:
                rank.append((order, place, ngram))
    kept = [entry for rank in ranked for entry in rank][:MOST_ROWS]
    distinct = sum(map(len, trace.ngrams[:orders]))
    return [(order, ngram) for order, _, ngram in sorted(kept)], distinct - len(kept)


def _row(trace: BleuTrace, order: int, ngram: Ngram) -> InspectorRow:
    count = trace.ngrams[order - 1][ngram]
    matched = trace.clipped[order - 1][ngram]
    mark = "clipped" if 0 < matched < count else ""
    return InspectorRow(
        order, matched > 0, (ngram, count, trace.most[order - 1][ngram], matched, mark)
    )


def _marked(trace: BleuTrace, orders: int) -> MarkedText:
    shown = trace.hypothesis[:MOST_TOKENS]
    longest = _longest_matches(trace, orders)
    return MarkedText(
        title="The hypothesis",
        caption="Matched words, marked by the longest n-gram in which they were counted",
        tokens=tuple(
            MarkedToken(token, match) for token, match in zip(shown, longest, strict=False)
        ),
        omitted=len(trace.hypothesis) - len(shown),
        references=beside(trace.references),
    )


def _longest_matches(trace: BleuTrace, orders: int) -> list[int]:
    """For each token the longest order of a counted n-gram that it is in; 0 for none.

    Of an n-gram that is clipped the first occurrences are the counted ones.
    """
    longest = [0] * len(trace.hypothesis)
    for order, clipped in enumerate(trace.clipped[:orders], 1):
        left = dict(clipped)
        for start in range(len(longest) - order + 1):
            ngram: Ngram = trace.hypothesis[start : start + order]
            if left.get(ngram, 0):
                left[ngram] -= 1
                longest[start : start + order] = [order] * order
    return longest
