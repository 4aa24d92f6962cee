"""The working of TER as sections: of the whole run, and of one segment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from ..edits import DELETION, INSERTION, MATCH, SUBSTITUTION
from ..explain import (
    Alignment,
    Band,
    Check,
    Column,
    Derivation,
    Gauge,
    Quote,
    Section,
    Shift,
    Shifts,
    Step,
    Table,
    Tile,
    Tiles,
    Verdict,
)
from ..metric import Evaluation
from .counts import (
    BEST_REFERENCE,
    CHARACTERS,
    Prepared,
    ReferenceTrace,
    TerCounts,
    TerOptions,
    TerResult,
    TerTrace,
    finish,
    rate,
)
from .player import edits_of, landing, moved, player

Run = Evaluation[TerOptions, Prepared, TerCounts, TerTrace, TerResult]

# What a page still shows fast.
MOST_COLUMNS = 600  # of an alignment
MOST_MOVED_WORDS = 6_000  # in the texts before and after the shifts, all together
MOST_REFERENCES = 50
MOST_NAMED = 3  # edits told in the verdict

BANDS = (
    Band(0.1, "excellent", "good"),
    Band(0.3, "good", "fair"),
    Band(0.5, "fair", "warn"),
    Band(1.0, "heavy post-editing", "bad"),
)


def explain(run: Run) -> tuple[Section, ...]:
    """The working of the whole run."""
    trace = run.trace(0) if run.is_sentence else None
    return (
        _verdict(run, trace),
        Gauge("Translation edit rate", run.result.value, BANDS),
        _tiles(run),
        *(() if trace is None else (_check(trace.best),)),
        _derivation(run.counts, run.total, run.options, trace),
        _by_operation(run.total, run.options),
    )


def detail(run: Run, index: int) -> tuple[Section, ...]:
    """The working of one segment; in a file with its own score's derivation."""
    trace = run.trace(index)
    own: tuple[Section, ...] = ()
    if not run.is_sentence:
        counts = trace.counts
        own = (
            _derivation((counts,), counts, run.segment_options, trace),
            _by_operation(counts, run.options),
            _check(trace.best),
        )
    return (
        *own,
        *_references(trace),
        *player(trace),
        *_shifts(trace),
        _alignment(trace, run.options),
    )


def unit_of(options: TerOptions, count: float) -> str:
    """What is compared and counted, in the singular for one."""
    name = "character" if options.unit == CHARACTERS else "word"
    return name if count == 1 else f"{name}s"


def _verdict(run: Run, trace: TerTrace | None) -> Verdict:
    result, options = run.result, run.options
    if not result.reference_length:
        if result.edits:
            return Verdict(("The references are empty and the hypothesis is not: 100 %.",))
        return Verdict(("Both sides are empty: there is nothing to edit.",))
    if not result.edits:
        return Verdict(("Nothing needs to be edited: once both are prepared, they are the same.",))
    if trace is None:
        per_hundred = round(100 * result.value)
        return Verdict(
            (
                f"{_plural(result.edits, 'edit')} would turn the {len(run.corpus):,} lines into"
                f" their references: about {per_hundred:,} for every 100"
                f" {unit_of(options, 100)} of reference. Lower is better.",
            )
        )
    length = result.reference_length
    against = f"{_number(length)} {unit_of(options, length)}"
    start = (
        f"{_plural(result.edits, 'edit')} would turn the hypothesis into the reference, against"
        f" {against}"
    )
    if len(trace.references) > 1 and options.multi_reference != BEST_REFERENCE:
        start += " on average"
    return Verdict((f"{start}: ", *_named_edits(trace)))


def _named_edits(trace: TerTrace) -> Iterator[str | Quote]:
    """The first edits in words, shifts first."""
    told = list(islice(_edits_told(trace), MOST_NAMED))
    for number, parts in enumerate(told):
        if number:
            yield ", "
        yield from parts
    rest = trace.counts.edits - len(told)
    yield f", and {rest:,} more." if rest else "."


def _edits_told(trace: TerTrace) -> Iterator[tuple[str | Quote, ...]]:
    words = list(trace.hypothesis)
    for move in trace.best.outcome.moves:
        yield "move ", Quote(" ".join(words[move.start : move.start + move.length]))
        words = moved(words, move)
    for edit in edits_of(trace):
        wrong, right = Quote(edit.hypothesis or ""), Quote(edit.reference or "")
        if edit.operation == SUBSTITUTION:
            yield "replace ", wrong, " by ", right
        elif edit.operation == INSERTION:
            yield "put in ", right
        elif edit.operation == DELETION:
            yield "take out ", wrong


def _tiles(run: Run) -> Tiles:
    result, total = run.result, run.total
    several = run.corpus.reference_counts[1] > 1 and run.options.multi_reference != BEST_REFERENCE
    length = "mean over the references" if several else unit_of(run.options, 2)
    return Tiles(
        (
            Tile("TER", result.value, "percent", 2, "lower is better"),
            Tile("Rating", result.rating, "text", note="informal; no standard sets it"),
            Tile("Edits", result.edits, "count"),
            Tile("Reference length", result.reference_length, "count", note=length),
            Tile("Shifts", result.shifts, "count"),
            Tile(
                "Without shifts",
                rate(total.unshifted_edits, total.unshifted_length),
                "percent",
                2,
                f"the {unit_of(run.options, 1)} error rate of the same prepared text",
            ),
        )
    )


def _check(best: ReferenceTrace) -> Check:
    aligned = len(best.steps) - best.steps.count(MATCH)
    return Check(
        "Residual edits",
        "the dynamic programme",
        best.outcome.distance,
        "the aligned operations",
        aligned,
        digits=0,
    )


def _derivation(
    segments: Sequence[TerCounts],
    total: TerCounts,
    options: TerOptions,
    trace: TerTrace | None,
) -> Derivation:
    result = finish(total, options)
    edits = Step(
        "Edits",
        "insertions + deletions + substitutions + shifts",
        f"{total.insertions:,} + {total.deletions:,} + {total.substitutions:,} + {total.shifts:,}",
        total.edits,
        "count",
    )
    length = Step(
        "Reference length",
        *_length_formula(len(segments), total, options, trace),
        total.reference_length,
        "count",
    )
    numbers = f"{total.edits:,} ÷ {_number(total.reference_length)}"
    score = Step("TER", "edits ÷ reference length", numbers, result.value, "percent", 2)
    if not total.reference_length:
        formula = "without reference words: 1 if there is any edit, else 0"
        score = Step("TER", formula, f"{total.edits:,} edits", result.value, "percent", 2)
    return Derivation("How TER comes about", (edits, length, score))


def _length_formula(
    segments: int, total: TerCounts, options: TerOptions, trace: TerTrace | None
) -> tuple[str, str]:
    """The formula of the reference length, and the numbers in it."""
    best_alone = options.multi_reference == BEST_REFERENCE
    if trace is None:
        own = "the best references' lengths" if best_alone else "the references' mean lengths"
        return f"sum of {own} over {segments:,} lines", _number(total.reference_length)
    lengths = [len(reference.words) for reference in trace.references]
    unit = unit_of(options, 2)
    if len(lengths) == 1:
        return f"{unit} of the reference", f"{lengths[0]:,}"
    if best_alone:
        return f"{unit} of the best reference", _number(total.reference_length)
    shown = " + ".join(f"{length:,}" for length in lengths[:MOST_REFERENCES])
    more = " + ..." if len(lengths) > MOST_REFERENCES else ""
    return f"mean {unit} of the references", f"({shown}{more}) ÷ {len(lengths)}"


def _by_operation(counts: TerCounts, options: TerOptions) -> Table:
    one = unit_of(options, 1)
    rows = (
        ("I", "Insertions", f"a {one} to be put into the hypothesis", counts.insertions),
        ("D", "Deletions", f"a {one} of the hypothesis that must go", counts.deletions),
        ("S", "Substitutions", f"a {one} to be replaced by another", counts.substitutions),
        ("Sh", "Shifts", f"a block of {one}s to be moved", counts.shifts),
    )
    return Table(
        "Edits by kind",
        "Each counts as one edit, a shift however many words it moves.",
        (
            Column("Kind"),
            Column("Letter"),
            Column("Edits", "count"),
            Column("Part of TER", "percent", 2),
            Column("Meaning"),
        ),
        tuple(
            (
                name,
                letter,
                count,
                rate(count, counts.reference_length) if counts.reference_length else None,
                meaning,
            )
            for letter, name, meaning, count in rows
        ),
    )


def _references(trace: TerTrace) -> tuple[Section, ...]:
    """The table of all references."""
    best = trace.counts.best_reference - 1
    shown = trace.references[:MOST_REFERENCES]
    rows = tuple(
        (
            f"Reference {number}",
            reference.outcome.edits,
            len(reference.outcome.moves),
            len(reference.words),
            reference.rate,
        )
        for number, reference in enumerate(shown, 1)
    )
    return (
        Table(
            "References",
            "Each reference by itself: its edits over its own length.",
            (
                Column("Reference"),
                Column("Edits", "count", help="shifts included"),
                Column("Shifts", "count"),
                Column("Length", "count"),
                Column("TER", "percent", 2, help="by this reference's own length"),
            ),
            rows,
            marked_row=best if best < len(rows) else None,
            mark="best",
            omitted=len(trace.references) - len(rows),
        ),
    )


def _shifts(trace: TerTrace) -> tuple[Section, ...]:
    moves = trace.best.outcome.moves
    if not moves:
        return ()
    shown = min(len(moves), max(1, MOST_MOVED_WORDS // max(1, 2 * len(trace.hypothesis))))
    caption = "In the order in which the search made them, with the text before and after each."
    if shown < len(moves):
        caption += f" The first {shown:,} of {len(moves):,} are shown."
    words = list(trace.hypothesis)
    steps: list[Shift] = []
    for move in moves[:shown]:
        after = moved(words, move)
        steps.append(
            Shift(
                before=tuple(words),
                after=tuple(after),
                start=move.start,
                length=move.length,
                target=landing(move),
                edits_before=move.edits_before,
                edits_after=move.edits_after,
            )
        )
        words = after
    return (Shifts("Shifts", caption, tuple(steps)),)


def _alignment(trace: TerTrace, options: TerOptions) -> Alignment:
    edits = tuple(islice(edits_of(trace), MOST_COLUMNS))
    which = "the reference"
    if len(trace.references) > 1:
        which = f"reference {trace.counts.best_reference}, the best"
    after = " after its shifts" if trace.best.outcome.moves else ""
    return Alignment(
        "Alignment",
        f"The hypothesis{after} and {which}, {unit_of(options, 1)} by {unit_of(options, 1)}.",
        edits,
        omitted=len(trace.best.steps) - len(edits),
    )


def _number(value: float) -> str:
    return f"{int(value):,}" if value == int(value) else f"{value:,.2f}"


def _plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
