"""The working of NIST as sections: of the whole run, and of one segment."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..corpus import ScoringError, Segment
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
from .counts import (
    BETA,
    NistCounts,
    NistOptions,
    NistResult,
    closed_penalty,
    finish,
)
from .trace import NgramTrace, NistTrace, OrderTrace
from .weights import Weights, measure

Run = Evaluation[NistOptions, Weights, NistCounts, NistTrace, NistResult]

# What a page still shows fast; the rest is counted, not listed.
MOST_ROWS = 400
MOST_WORDS = 2_000
MOST_REFERENCES = 50


@dataclass(frozen=True, slots=True)
class Scored:
    """What is explained: a whole corpus, or one segment of it with its trace."""

    options: NistOptions
    counts: NistCounts
    result: NistResult
    trace: NistTrace | None

    @property
    def name(self) -> str:
        """The score's name with its order."""
        return f"NIST-{self.options.max_order}"


def explain(run: Run) -> tuple[Section, ...]:
    """The working of the whole run."""
    trace = run.trace(0) if run.is_sentence else None
    scored = Scored(run.options, run.total, run.result, trace)
    return (
        _verdict(run),
        _tiles(scored),
        _check(run, scored),
        _derivation(scored),
        _by_order(scored),
        _bars(scored),
    )


def detail(run: Run, index: int) -> tuple[Section, ...]:
    """The working of one segment; in a file with its own score's derivation."""
    trace = run.trace(index)
    own = () if run.is_sentence else _own_working(run, index)
    return (*own, *_references(trace), _marked(trace), _inspector(trace))


def _own_working(run: Run, index: int) -> tuple[Section, ...]:
    counts = run.counts[index]
    try:
        result = finish(counts, run.segment_options)
    except ScoringError:
        return ()  # without a word in its references the segment has no score
    scored = Scored(run.segment_options, counts, result, run.trace(index))
    return _derivation(scored), _by_order(scored)


def _verdict(run: Run) -> Verdict:
    orders = (
        "single words" if run.options.max_order == 1 else f"orders 1 to {run.options.max_order}"
    )
    said = (
        f"The candidate shares {_number(run.result.value)} bits of information a word with its"
        f" references, over {orders} and after the brevity penalty. No NIST score is good or bad"
        " by itself: compare it only with scores on the same references and settings."
    )
    return Verdict((said, *_yardstick(run)))


def _yardstick(run: Run) -> tuple[str, ...]:
    """What the first reference scores against all of them: a scale for this text."""
    if not run.is_sentence:
        return ()
    references = run.corpus.segments[0].references
    perfect = Segment(references[0], references)
    counts = next(iter(measure(run.prepared, [perfect], run.budget)))
    value = _number(finish(counts, run.options).value)
    if len(references) > 1:
        return (f" The first reference itself would score {value} here.",)
    words = run.trace(0).references[0]
    if len(set(words)) < max(2, len(words)) or run.options.unigram_base != "words":
        return (f" The reference itself would score {value} here.",)
    return (
        f" The reference itself would score {value} here, the log₂ of its {len(words):,} different"
        " words.",
    )


def _tiles(scored: Scored) -> Tiles:
    result, options = scored.result, scored.options
    chosen = "mean over the references" if options.pools_references else "mean over the orders"
    return Tiles(
        (
            Tile(scored.name, result.value, note="bits a word"),
            Tile("Precision sum", result.precision_sum, note="sum of the orders' scores"),
            Tile("Brevity penalty", result.brevity_penalty, note="1 means none"),
            Tile("Candidate length", result.hypothesis_length, "count", note="words"),
            Tile("Reference length", result.reference_length, "count", note=f"words, {chosen}"),
            Tile("Length ratio", result.length_ratio, note="candidate to reference"),
        )
    )


def _check(run: Run, scored: Scored) -> Check:
    """The brevity penalty again, from the words themselves where they were traced."""
    if scored.trace is None:
        hypothesis = sum(counts.hypothesis_length for counts in run.counts)
        lengths = [length for counts in run.counts for length in counts.reference_lengths]
    else:
        hypothesis = len(scored.trace.hypothesis)
        lengths = [order.reference_length for order in scored.trace.orders]
    reference = math.fsum(lengths) / run.options.max_order
    return Check(
        "brevity penalty",
        "mteval's rule by pieces: 0, a curve, or 1 from the ratio 1 on",
        scored.result.brevity_penalty,
        "closed form: 0.5 to the power of (log₁.₅ of the shortfall)², the same as"
        f" exp(β ln² q) with β = ln 0.5 ÷ (ln 1.5)² = {_signed(BETA)}",
        closed_penalty(hypothesis, reference),
    )


def _derivation(scored: Scored) -> Derivation:
    result, counts = scored.result, scored.counts
    orders = tuple(
        _order_step(order, bits, total, score)
        for order, (bits, total, score) in enumerate(
            zip(counts.information, counts.totals, result.order_scores, strict=True), 1
        )
    )
    summed = Step(
        "Precision sum",
        "sum of the orders' scores",
        " + ".join(map(_number, result.order_scores)),
        result.precision_sum,
    )
    score = Step(
        scored.name,
        "precision sum × brevity penalty",
        f"{_number(result.precision_sum)} × {_number(result.brevity_penalty)}",
        result.value,
    )
    return Derivation(
        f"How {scored.name} comes about",
        (*orders, summed, _ratio_step(scored), _penalty_step(result), score),
    )


def _order_step(order: int, bits: float, total: int, score: float) -> Step:
    numbers = f"{_number(bits)} ÷ {total:,}" if total else "the candidate has none: adds nothing"
    return Step(f"Order {order}", "information matched ÷ candidate n-grams", numbers, score)


def _ratio_step(scored: Scored) -> Step:
    """The ratio of the lengths, q in the penalty."""
    result, lengths = scored.result, scored.counts.reference_lengths
    words = f"{result.hypothesis_length:,}"
    if len(set(lengths)) == 1:
        numbers = f"{words} ÷ {_length(lengths[0])}"
        formula = "candidate length ÷ reference length"
    else:
        numbers = f"{len(lengths)} × {words} ÷ ({' + '.join(map(_length, lengths))})"
        formula = "N × candidate length ÷ lengths of the references that the orders chose"
    return Step("Length ratio q", formula, numbers, result.length_ratio)


def _penalty_step(result: NistResult) -> Step:
    ratio = result.length_ratio
    if ratio >= 1:
        formula, numbers = "1 where q is 1 or more", f"1, since q = {ratio:.4f}"
    elif ratio <= 0:
        formula, numbers = "0 where q is 0", "0, since the candidate is empty"
    else:
        formula = "exp(β ln² q), β = ln 0.5 ÷ (ln 1.5)²"
        numbers = f"exp({_signed(BETA)} × ({_signed(math.log(ratio))})²)"
    return Step("Brevity penalty", formula, numbers, result.brevity_penalty)


def _by_order(scored: Scored) -> Table:
    """Each order's figures; for one segment with the reference that won."""
    counts = scored.counts
    columns: tuple[Column, ...] = (
        Column("Order", "count"),
        Column("Candidate n-grams", "count"),
        Column("Matched", "count", help="at most as often as the reference has each"),
        Column("Information matched", "number", help="bits"),
        Column("Score of the order", "number", help="information over candidate n-grams"),
    )
    figures = zip(
        counts.totals, counts.matched, counts.information, scored.result.order_scores, strict=True
    )
    rows: list[tuple[Cell, ...]] = [(order, *row) for order, row in enumerate(figures, 1)]
    if scored.trace is not None and not scored.options.pools_references:
        columns += (Column("Reference that won", "count"), Column("Its length", "count"))
        rows = [(*row, *_won(order)) for row, order in zip(rows, scored.trace.orders, strict=True)]
    return Table("By order", f"What each order adds to {scored.name}", columns, tuple(rows))


def _won(order: OrderTrace) -> tuple[Cell, ...]:
    return (None if order.winner is None else order.winner + 1, order.reference_length)


def _bars(scored: Scored) -> Bars:
    scores = scored.result.order_scores
    full = max(scores) or 1.0
    return Bars(
        "Where the score comes from",
        "Score of each order before the brevity penalty, in bits; the greatest fills the width",
        tuple(Bar(f"Order {order}", score, full) for order, score in enumerate(scores, 1)),
    )


def _references(trace: NistTrace) -> tuple[Section, ...]:
    """What each order finds in each reference, where there are several."""
    if len(trace.references) == 1:
        return ()
    rows = tuple(
        (
            number,
            len(words),
            *(order.by_reference[number - 1].information for order in trace.orders),
        )
        for number, words in enumerate(trace.references[:MOST_REFERENCES], 1)
    )
    columns = (
        Column("Reference", "count"),
        Column("Words", "count"),
        *(Column(f"Order {order.order}", "number") for order in trace.orders),
    )
    table = Table(
        "Reference by reference",
        "Information in bits that the candidate shares with each reference alone",
        columns,
        rows,
        omitted=len(trace.references) - len(rows),
    )
    return (table,)


def _ngram_columns(ngrams: Sequence[NgramTrace]) -> tuple[Column, ...]:
    heaviest = max((ngram.information or 0.0 for ngram in ngrams), default=0.0)
    weight = "bits: log₂(prefix ÷ in references); a full bar is the heaviest n-gram's"
    return (
        Column("N-gram", "tokens"),
        Column("Order", "count"),
        Column("Count", "count", help="in the candidate"),
        Column("Clipped", "count", help="how often it counts"),
        Column("In references", "count", help="in all references of the text"),
        Column("Prefix", "count", help="count of the n-gram without its last word"),
        Column("Weight", "number", help=weight, full=heaviest or None),
        Column("Adds", "number", help="bits: weight × clipped"),
    )


def _inspector(trace: NistTrace) -> Inspector:
    ranked = sorted(
        (ngram for order in trace.orders for ngram in order.ngrams),
        key=lambda ngram: (not ngram.clipped, -ngram.contribution, len(ngram.words)),
    )
    return Inspector(
        "N-grams of the candidate",
        "Matched first, those that add most at the top",
        _ngram_columns(ranked),
        tuple(_row(ngram) for ngram in ranked[:MOST_ROWS]),
        omitted=max(0, len(ranked) - MOST_ROWS),
    )


def _row(ngram: NgramTrace) -> InspectorRow:
    order = len(ngram.words)
    cells = (
        ngram.words,
        order,
        ngram.count,
        ngram.clipped,
        ngram.reference_count,
        ngram.prefix_count,
        ngram.information,
        ngram.contribution,
    )
    return InspectorRow(order, ngram.clipped > 0, cells)


def _marked(trace: NistTrace) -> MarkedText:
    words = trace.hypothesis[:MOST_WORDS]
    longest = longest_matches(trace)
    return MarkedText(
        "Matched words",
        "Each word with the longest n-gram in which it was matched",
        tuple(MarkedToken(word, length) for word, length in zip(words, longest, strict=False)),
        omitted=len(trace.hypothesis) - len(words),
        references=beside(trace.references),
    )


def longest_matches(trace: NistTrace) -> Sequence[int]:
    """For each word of the hypothesis the longest matched n-gram over it, in words.

    Of an n-gram that is clipped the first occurrences are the matched ones.
    """
    longest = [0] * len(trace.hypothesis)
    for order in trace.orders:
        left = {ngram.words: ngram.clipped for ngram in order.ngrams if ngram.clipped}
        for start in range(order.total):
            words = trace.hypothesis[start : start + order.order]
            if left.get(words, 0):
                left[words] -= 1
                longest[start : start + order.order] = [order.order] * order.order
    return longest


def _number(value: float) -> str:
    return f"{value:,.4f}"


def _signed(value: float) -> str:
    return signed(f"{value:.4f}")


def _length(words: float) -> str:
    return f"{words:,.4f}".rstrip("0").rstrip(".")
