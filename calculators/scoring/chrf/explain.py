"""chrF's working, shown."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from ..explain import (
    Bar,
    Bars,
    Cell,
    Check,
    Column,
    Derivation,
    Inspector,
    InspectorRow,
    Section,
    Step,
    Table,
    Tile,
    Tiles,
    Tokens,
    Verdict,
)
from ..metric import Evaluation
from .counts import ChrfCounts, ChrfOptions, ChrfResult, finish
from .trace import ChrfTrace

Run: TypeAlias = Evaluation[ChrfOptions, ChrfOptions, ChrfCounts, ChrfTrace, ChrfResult]

MOST_ROWS = 80  # of one order in an inspector
MOST_REFERENCES = 200


def explain(run: Run) -> tuple[Section, ...]:
    """The working of the whole run."""
    return (
        _verdict(run),
        _tiles(run),
        _check(run),
        _derivation(run),
        _by_order(run.result, run.options),
        _bars(run.result, run.options),
    )


def detail(run: Run, index: int) -> tuple[Section, ...]:
    """The working of one segment."""
    trace, options = run.trace(index), run.options
    sections: list[Section] = []
    if not run.is_sentence:
        result = finish(trace.counts, options)
        steps = _steps(result, options, trace.counts.score)
        sections += [Derivation("This line by itself", steps), _by_order(result, options)]
    if len(trace.held) > 1:
        sections.append(_by_reference(trace, options))
    sections.append(_inspector(trace, range(options.char_order), "characters"))
    if options.word_order:
        sections.append(_inspector(trace, range(options.char_order, options.orders), "words"))
    return tuple(sections)


def names(options: ChrfOptions) -> list[str]:
    """What the n-grams of each order are called."""
    characters = [_name(order, "character") for order in range(1, options.char_order + 1)]
    return characters + [_name(order, "word") for order in range(1, options.word_order + 1)]


def _name(order: int, unit: str) -> str:
    return f"{unit}s" if order == 1 else f"{order}-grams of {unit}s"


def _sizes(options: ChrfOptions) -> list[str]:
    """What the n-grams of each order have, for places where "n-grams of" is said once for all."""
    units = (("character", options.char_order), ("word", options.word_order))
    return [
        f"{order} {unit}{'s' if order > 1 else ''}"
        for unit, longest in units
        for order in range(1, longest + 1)
    ]


def _verdict(run: Run) -> Verdict:
    result = run.result
    if not any(result.hypothesis):
        return Verdict(("There is nothing to compare: the hypothesis or the reference is empty.",))
    if result.matched == result.hypothesis == result.reference:
        return Verdict(("All that counts is the same in the hypothesis and the reference.",))
    by_characters = result.matched[: run.options.char_order]
    longest = max((order for order, found in enumerate(by_characters, 1) if found), default=0)
    if not longest:
        return Verdict(("No character of the hypothesis is in the reference.",))
    told = names(run.options)[longest - 1]
    found, total, there = (
        counts[longest - 1] for counts in (result.matched, result.hypothesis, result.reference)
    )
    return Verdict(
        (
            f"Of the {told}, {found:,} of {total:,} match; the reference has {there:,}."
            f" {_weighing(run.options.beta)}",
        )
    )


def _weighing(beta: float) -> str:
    if beta == 1:
        return "What is missing and what is too much cost the same."
    if beta > 1:
        return f"What is missing from the hypothesis weighs {beta:g} times what is too much in it."
    return "What is too much in the hypothesis weighs more than what is missing from it."


def _tiles(run: Run) -> Tiles:
    result, options = run.result, run.options
    pooled = "" if options.average == "pooled" or run.is_sentence else "of the summed counts"
    return Tiles(
        (
            Tile(f"{options.variant}, 0 to 100", 100 * result.value, digits=2),
            Tile(f"{options.variant}, 0 to 1", result.value),
            Tile("Mean precision", result.mean_precision, "percent", 2, pooled),
            Tile("Mean recall", result.mean_recall, "percent", 2, pooled),
            Tile("Orders that count", result.orders, "count", note=f"of {options.orders}"),
        )
    )


def _check(run: Run) -> Check:
    """The score by F's formula and as a weighted harmonic mean."""
    options, result = run.options, run.result
    if options.average == "segments" and not run.is_sentence:
        return Check(
            quantity=options.variant,
            first_way="sum of the lines' scores over their number",
            first=result.value,
            second_way="mean of the lines' scores, each worked out again",
            second=math.fsum(_again(finish(counts, options), options) for counts in run.counts)
            / len(run.counts),
        )
    return Check(
        quantity=options.variant,
        first_way="(1 + β²) P R ÷ (β² P + R)",
        first=result.value,
        second_way="the weighted harmonic mean 1 ÷ (a ÷ P + (1 − a) ÷ R), a = 1 ÷ (1 + β²)",
        second=_again(result, options),
    )


def _again(result: ChrfResult, options: ChrfOptions) -> float:
    if not options.eps_smoothing:
        return _harmonic(result.mean_precision, result.mean_recall, options.beta)
    pairs = zip(result.precision, result.recall, strict=True)
    return math.fsum(_harmonic(*pair, options.beta) for pair in pairs) / options.orders


def _harmonic(precision: float, recall: float, beta: float) -> float:
    if not precision or not recall:
        return 0.0
    share = 1 / (1 + beta * beta)
    return 1 / (share / precision + (1 - share) / recall)


def _derivation(run: Run) -> Derivation:
    options, result = run.options, run.result
    if options.average == "pooled" or run.is_sentence:
        return Derivation(
            "From the n-grams to the score", tuple(_steps(result, options, result.value))
        )
    total, lines = run.total.score, run.total.segments
    return Derivation(
        "From the lines to the score",
        (
            Step("Sum", "of the lines' scores", f"{lines:,} scores", total),
            Step(options.variant, "sum ÷ lines", f"{total:.4f} ÷ {lines:,}", result.value),
        ),
    )


def _steps(result: ChrfResult, options: ChrfOptions, value: float) -> tuple[Step, ...]:
    """From precision and recall of the orders to ``value``, the score."""
    if not any(result.matched):
        return (Step(options.variant, "0 where nothing matches", "", value),)
    return tuple((_mean_of_f if options.eps_smoothing else _f_of_means)(result, options, value))


def _f_of_means(result: ChrfResult, options: ChrfOptions, value: float) -> Iterator[Step]:
    over = f"sum over the {result.orders} orders that both texts have ÷ {result.orders}"
    sides = zip(result.hypothesis, result.reference, strict=True)
    both = [here > 0 and there > 0 for here, there in sides]
    precision, recall = result.mean_precision, result.mean_recall
    yield Step("Precision P", over, _sum(result.precision, both, result.orders), precision)
    yield Step("Recall R", over, _sum(result.recall, both, result.orders), recall)
    yield Step(
        options.variant,
        "(1 + β²) P R ÷ (β² P + R)",
        _f_numbers(precision, recall, options.beta),
        value,
    )


def _mean_of_f(result: ChrfResult, options: ChrfOptions, value: float) -> Iterator[Step]:
    rows = zip(names(options), result.precision, result.recall, result.f_scores, strict=True)
    for name, precision, recall, score in rows:
        if score:
            numbers = _f_numbers(precision, recall, options.beta)
            yield Step(f"F, {name}", "(1 + β²) P R ÷ (β² P + R)", numbers, score)
        else:
            yield Step(f"F, {name}", "0 where nothing matches", "", score)
    everything = [True] * options.orders
    numbers = _sum(result.f_scores, everything, options.orders)
    yield Step(options.variant, "sum of F ÷ number of orders", numbers, value)


def _sum(values: Sequence[float], counted: Sequence[bool], number: int) -> str:
    terms = [f"{value:.4f}" for value, counts in zip(values, counted, strict=True) if counts]
    return f"({' + '.join(terms)}) ÷ {number}"


def _f_numbers(precision: float, recall: float, beta: float) -> str:
    weight = f"{beta * beta:g}"
    return (
        f"(1 + {weight}) × {precision:.4f} × {recall:.4f}"
        f" ÷ ({weight} × {precision:.4f} + {recall:.4f})"
    )


def _by_order(result: ChrfResult, options: ChrfOptions) -> Table:
    return Table(
        title="By order",
        caption="n-grams of the hypothesis and of the reference, and how many match",
        columns=(
            Column("n-grams of"),
            Column("Matched", "count", help="each at most as often as the reference has it"),
            Column(
                "In the hypothesis",
                "count",
                help="not counted where the reference is too short to have any of the order",
            ),
            Column("In the reference", "count"),
            Column("Precision", "percent", 2, help="matched ÷ in the hypothesis"),
            Column("Recall", "percent", 2, help="matched ÷ in the reference"),
            Column("F", "percent", 2),
        ),
        rows=tuple(_order_rows(result, options)),
    )


def _order_rows(result: ChrfResult, options: ChrfOptions) -> Iterator[tuple[Cell, ...]]:
    counts = zip(result.matched, result.hypothesis, result.reference, strict=True)
    rates = zip(result.precision, result.recall, result.f_scores, strict=True)
    for name, (matched, here, there), (precision, recall, score) in zip(
        _sizes(options), counts, rates, strict=True
    ):
        exists = here and there
        yield (
            name,
            matched,
            here,
            there,
            precision if here else None,
            recall if there else None,
            score if exists else None,
        )


def _bars(result: ChrfResult, options: ChrfOptions) -> Bars:
    items = tuple(
        Bar(name, score, 1.0, "percent", 2)
        for name, score in zip(_sizes(options), result.f_scores, strict=True)
    )
    return Bars("F by order", f"F of the n-grams of each length, β = {options.beta:g}", items)


def _by_reference(trace: ChrfTrace, options: ChrfOptions) -> Table:
    shown = trace.held[:MOST_REFERENCES]
    rows = tuple(
        (number, one.reference[0], one.matched[0], 100 * score)
        for number, (one, score) in enumerate(zip(shown, trace.scores, strict=False), 1)
    )
    return Table(
        title="By reference",
        caption="The reference with the highest score counts; of equals the first.",
        columns=(
            Column("Reference", "count"),
            Column("Characters", "count"),
            Column("Matched characters", "count"),
            Column(options.variant, "number", 2),
        ),
        rows=rows,
        marked_row=trace.best_index if trace.best_index < len(shown) else None,
        mark="best",
        omitted=len(trace.held) - len(shown),
    )


def _inspector(trace: ChrfTrace, orders: range, unit: str) -> Inspector:
    """The n-grams of ``orders``, which are positions among all orders, of one unit."""
    rows: list[InspectorRow] = []
    omitted = 0
    for order, position in enumerate(orders, 1):
        ngrams, there = trace.ngrams[position], trace.ngrams_there[position]
        shown = list(ngrams.items())[:MOST_ROWS]
        omitted += len(ngrams) - len(shown)
        rows.extend(
            InspectorRow(order, ngram in there, _cells(ngram, unit, count, there[ngram]))
            for ngram, count in shown
        )
    return Inspector(
        title=f"n-grams of {unit}",
        caption="Every n-gram of the hypothesis, held against the best reference",
        columns=(
            Column("n-gram", "tokens"),
            Column("In the hypothesis", "count"),
            Column("In the reference", "count"),
            Column("Matched", "count", help="the lesser of the two"),
        ),
        rows=tuple(rows),
        omitted=omitted,
    )


def _cells(ngram: str, unit: str, count: int, there: int) -> tuple[Cell, ...]:
    return (_seen(ngram, unit), count, there, min(count, there))


def _seen(ngram: str, unit: str) -> Tokens:
    """The n-gram as it is shown: as words, or as characters with the spaces among them visible."""
    if unit == "words":
        return tuple(ngram.split(" "))
    return ("".join("␣" if character.isspace() else character for character in ngram),)


def notes(run: Run) -> tuple[str, ...]:
    """Sentences on what is odd about this score."""
    return (*_too_short(run), *_weighted_lines(run))


def _too_short(run: Run) -> list[str]:
    options, result = run.options, run.result
    missing = options.orders - result.orders
    if not missing or not result.orders:
        return []
    if options.eps_smoothing:
        return [
            f"The text is too short for {missing} of {options.orders} orders. Each of them counts"
            " as 0, so that even a perfect match stays below 100."
        ]
    return [
        f"The text is too short for {missing} of {options.orders} orders. They are left out; NLTK"
        " and chrF++.py count them as 0."
    ]


def _weighted_lines(run: Run) -> list[str]:
    if run.is_sentence or run.options.average == "pooled":
        return []
    return [
        "The score of the file is the mean of its lines' scores, a short line as much as a long."
    ]
