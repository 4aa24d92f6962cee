"""What BLEU says beside its score: notes on zeros and settings, and what other tools give."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ..budget import BudgetExceeded
from ..corpus import ScoringError
from ..explain import Elsewhere
from ..options import OptionValue
from .counts import BleuCounts, BleuOptions
from .score import FOR_SENTENCES_ONLY, brevity_penalty
from .smoothing import precisions
from .working import Run, name_of

USUAL_ORDER = 4  # of the papers, and of the scripts, which have no other


def notes(run: Run) -> tuple[str, ...]:
    """Sentences on what is odd about these settings or this score."""
    return (*_on_zero(run), *_on_orders(run), *_on_options(run))


def _on_zero(run: Run) -> Iterator[str]:
    result, options = run.result, run.options
    if not result.matches[0] or result.unsmoothed > 0:
        return
    orders = [
        name_of(order)
        for order, (matched, total) in enumerate(
            zip(result.matches, run.total.totals, strict=False), 1
        )
        if total and not matched
    ]
    if orders:
        advice = "" if result.value else " Choose a smoothing to tell such texts apart."
        yield f"No {_joined(orders, 'or')} match, so BLEU without smoothing is 0.{advice}"
    if result.value == 0 and options.smoothing == "none":
        printed = nltk_prints(run.total, replace(options, convention="nltk"))
        if printed < 0.5e-4:
            yield (
                f"On these tokens NLTK prints {printed:.4g} for this 0: it puts the smallest"
                f" normal floating-point number, {sys.float_info.min:.3g}, in place of a precision"
                " of 0."
            )


def _joined(words: Sequence[str], last: str) -> str:
    return f" {last} ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)


def nltk_prints(counts: BleuCounts, options: BleuOptions) -> float:
    """What NLTK prints without smoothing, a precision of 0 being the smallest normal number."""
    used = precisions(counts, options)
    if not counts.matches[0]:
        return 0.0
    smallest = sys.float_info.min
    terms = (p.weight * math.log(p.value or smallest) for p in used if p.weight)
    return brevity_penalty(counts, options) * math.exp(math.fsum(terms))


def _on_orders(run: Run) -> Iterator[str]:
    result, options = run.result, run.options
    totals = run.total.totals[: options.order]
    longer = [order for order, total in enumerate(totals, 1) if total == 0]
    if not longer or not result.hypothesis_length:
        return
    orders = _joined([name_of(order) for order in longer], "and")
    whose = "The hypothesis is" if run.is_sentence else "All lines of the hypothesis are"
    yield f"{whose} too short to have {orders}. {_treatment(options)}"


def _treatment(options: BleuOptions) -> str:
    if options.smoothing == "add-one" or (options.effective_order and options.smoothing != "add-k"):
        return "They are left out of the mean."
    if options.counts_as_nltk:
        return "As in NLTK, each counts as one n-gram that did not match."
    if options.smoothing == "add-k":
        return "With the added count they come out as matched in full."
    if options.convention == "mteval" and options.smoothing != "none":
        return "As in mteval, they count as matched in full."
    return "They count as 0, which makes the score 0; effective order leaves them out."


def _on_options(run: Run) -> Iterator[str]:
    options, order = run.options, run.options.order
    if options.weights and order != options.max_order:
        yield (
            f"{order} weights are given, so the score counts n-grams up to order {order}, not"
            f" {options.max_order}."
        )
    if options.smoothing in ("nltk5", "nltk7"):
        yield (
            "This smoothing of NLTK's is not bounded by 1: a perfect match scores more. Before the"
            " first order it puts p1 + 1, after the last the precision of the 5-grams."
        )
    if options.smoothing_value is not None and options.smoothing not in ("floor", "add-k"):
        yield "The smoothing value is not used: only floor and add k have one."


def elsewhere(run: Run) -> tuple[Elsewhere, ...]:
    """What NLTK and sacreBLEU give for the same text and orders, and the scripts, which are
    BLEU-4."""
    return (_nltk(run), _sacrebleu(run), _mteval(run), _multi_bleu(run))


def _nltk(run: Run) -> Elsewhere:
    mine = run.options
    smoothing = mine.smoothing if mine.smoothing.startswith("nltk") else "none"
    values: dict[str, OptionValue] = {
        "max_order": mine.order,
        "weights": mine.weights,
        "smoothing": smoothing,
        "auto_reweigh": mine.auto_reweigh,
    }
    tool = "NLTK sentence_bleu" if run.is_sentence else "NLTK corpus_bleu"
    why = "Tokens are what white space separates; each line counts at least one n-gram an order."
    if smoothing in FOR_SENTENCES_ONLY:
        why = "Tokens are what white space separates; the smoothing of this name."
    return _other(run, tool, "nltk", values, why)


def _sacrebleu(run: Run) -> Elsewhere:
    if run.is_sentence:
        why = "13a tokens, exponential smoothing, orders longer than the text left out."
    else:
        why = "13a tokens, exponential smoothing."
    return _other(run, "sacreBLEU", "sacrebleu", {"max_order": run.options.order}, why)


def _mteval(run: Run) -> Elsewhere:
    tool = "mteval-v13a"
    if not run.total.hypothesis_length:
        return Elsewhere(tool, None, "It stops with an error on an empty hypothesis: log of 0.")
    why = (
        "Its own tokeniser, A to Z lower-cased, smoothed; an order longer than the text counts as"
        " matched in full."
    )
    return _other(run, tool, "mteval-v13a", {}, why)


def _multi_bleu(run: Run) -> Elsewhere:
    tool = "multi-bleu.perl"
    if not run.total.hypothesis_length:
        return Elsewhere(
            tool, None, "It stops with an error on an empty hypothesis: division by 0."
        )
    why = "Tokens are what white space separates, with their case; no smoothing."
    return _other(run, tool, "nltk", {"convention": "sacrebleu"}, why)


def _orders(mine: BleuOptions, theirs: BleuOptions, values: Mapping[str, OptionValue]) -> str:
    """Which orders a tool counts and how it weighs them, where that is not what it mostly is."""
    if mine.order == USUAL_ORDER and not mine.weights:
        return ""
    span = "1-grams only" if theirs.order == 1 else f"1-grams to {name_of(theirs.order)}"
    if "max_order" not in values:
        weighed = ", all weighed alike" if mine.weights else ""
        return f" Its score is of {span}, whatever is set here{weighed}."
    if theirs.weights:
        return f" {span}, as set here, with your weights."
    weighed = ", but all weighed alike: it takes no weights" if mine.weights else ""
    return f" {span}, as set here{weighed}."


def _other(
    run: Run, tool: str, preset: str, values: Mapping[str, OptionValue], why: str
) -> Elsewhere:
    options = run.metric.options_for(preset, values, of_corpus=not run.is_sentence)
    try:
        other = run.under(options)
    except BudgetExceeded:
        raise
    except ScoringError as error:
        return Elsewhere(tool, None, error.message, options.written())
    why += _orders(run.options, options, values)
    value = other.result.value
    if options.convention == "nltk" and value == 0 and options.smoothing == "none":
        value = nltk_prints(other.total, options)
        if value:
            why = f"It prints {value!r}, which stands for 0. {why}"
    return Elsewhere(tool, value, why, options.written())
