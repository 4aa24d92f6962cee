"""NIST: matched n-grams weighed by their information (Doddington, 2002)."""

from __future__ import annotations

from dataclasses import replace

from ..budget import BudgetExceeded
from ..corpus import ScoringError
from ..explain import Elsewhere
from ..metric import Metric, Preset, Scale
from ..text.splitting import BY_TOKENIZER
from .counts import NistCounts, NistOptions, finish
from .explain import Run, detail, explain
from .recipes import recipes
from .trace import trace
from .weights import measure, prepare

# What Perl takes for false, so that mteval-v13a passes over its count as a prefix.
_FALSE_IN_PERL = "0"


def notes(run: Run) -> tuple[str, ...]:
    """What is odd about this score."""
    found = (
        *_missing_orders(run),
        *_file_weights(run),
        *_drifting_length(run),
        *_false_prefix(run),
    )
    return tuple(found)


def _missing_orders(run: Run) -> tuple[str, ...]:
    present = sum(total > 0 for total in run.total.totals)
    size = run.options.max_order
    if present == size or not run.total.hypothesis_length:
        return ()
    first = present + 1
    join = "and" if first + 1 == size else "to"
    missing = f"{first}-grams" if first == size else f"{first}- {join} {size}-grams"
    longest = "1 word" if present == 1 else f"{present} words"
    whose = "the candidate" if run.is_sentence else "the longest candidate"
    return (
        f"There are no {missing}: {whose} has {longest}. Those orders count as 0 here and in"
        " mteval-v13a; NLTK stops with an error.",
    )


def _file_weights(run: Run) -> tuple[str, ...]:
    if run.is_sentence:
        return ()
    return (
        "The information weights are counted over all references of the file, so a segment scores"
        " otherwise here than by itself.",
    )


def _drifting_length(run: Run) -> tuple[str, ...]:
    """A word where an order without a match took a longer reference than the others did."""
    lengths = run.total.reference_lengths
    if not run.is_sentence or run.options.pools_references or run.result.brevity_penalty == 1:
        return ()
    unmatched = [
        length for length, bits in zip(lengths, run.total.information, strict=True) if not bits
    ]
    if not unmatched or max(unmatched) == min(lengths):
        return ()
    return (
        "An order in which nothing tells anything counts against the longest reference in NLTK's"
        " convention, and that length lowers the brevity penalty. Compare mteval-v13a.",
    )


def _false_prefix(run: Run) -> tuple[str, ...]:
    if not run.options.pools_references or _as_perl_runs(run) == run.result.value:
        return ()
    # A file is shown in places where no other tool's number stands below.
    printed = "; what mteval prints stands below" if run.is_sentence else ""
    return (
        "mteval-v13a takes the word 0 for no word at all and gives the pairs that begin with it too"
        f" much weight. Here they are weighed by the formula{printed}.",
    )


def _as_perl_runs(run: Run) -> float:
    """The score with Perl's accident: the word 0, taken for false, is no prefix."""
    weights = run.prepared.taking_for_false(_FALSE_IN_PERL)
    if weights is run.prepared:
        return run.result.value
    counts = tuple(measure(weights, run.corpus.segments, run.budget))
    return finish(NistCounts.total(counts), run.options).value


def elsewhere(run: Run) -> tuple[Elsewhere, ...]:
    """What NLTK, mteval-v13a and other calculators give for the same text."""
    return (_nltk(run), *_mteval(run), _other_calculators(run))


def _under(run: Run, options: NistOptions) -> Run | str:
    """The same text under other options, or why it has no score there."""
    if options == run.options:
        return run
    try:
        return run.under(options)
    except BudgetExceeded:
        raise
    except ScoringError as error:
        return error.message


def _told(tool: str, other: Run | str, why: str) -> Elsewhere:
    if isinstance(other, str):
        return Elsewhere(tool, None, other)
    return Elsewhere(tool, other.result.value, why, other.options.written())


def _nltk(run: Run) -> Elsewhere:
    other = _under(run, replace(run.options, convention="nltk", unigram_base="words"))
    told = _told(
        "NLTK sentence_nist" if run.is_sentence else "NLTK corpus_nist",
        other,
        "Each order counts against the one reference that suits it best, whose length goes into"
        " the penalty. NLTK splits no text itself: this is for the words as split here.",
    )
    if isinstance(other, str) or 0 not in other.total.totals:
        return told
    return replace(
        told,
        value=None,
        why="It stops with ZeroDivisionError where no candidate has N words. Here, as in mteval,"
        " the missing orders add nothing.",
    )


def _mteval(run: Run) -> tuple[Elsewhere, ...]:
    other = _under(run, NistOptions(max_order=run.options.max_order, convention="mteval"))
    formula = _told(
        "mteval-v13a",
        other,
        "An n-gram matches wherever any reference has it, and the penalty uses the mean reference"
        " length. It splits punctuation off and lower-cases A to Z.",
    )
    printed = formula.value if isinstance(other, str) else _as_perl_runs(other)
    if printed == formula.value:
        return (formula,)
    accident = (
        "Perl takes the word 0 for false: a pair that begins with a lone 0 is weighed as a single"
        " word and counts too much."
    )
    return (
        replace(formula, tool="mteval-v13a by its formula"),
        replace(formula, tool="mteval-v13a as it runs", value=printed, why=accident),
    )


def _other_calculators(run: Run) -> Elsewhere:
    return _told(
        "Some calculators and write-ups",
        _under(run, replace(run.options, unigram_base="ngrams")),
        "They hold a single word's count against the reference n-grams of all orders, where NLTK"
        " and mteval take the reference words.",
    )


METRIC = Metric(
    slug="nist",
    name="NIST",
    full_name="Information-weighted n-gram score",
    source="Doddington, G. (2002). Automatic evaluation of machine translation quality using"
    " n-gram co-occurrence statistics. HLT 2002.",
    scale=Scale(lowest=0.0, highest=None, higher_is_better=True, digits=4),
    max_characters=50_000,
    options=NistOptions,
    presets=(
        Preset(
            "nltk",
            "As NLTK",
            "NLTK sentence_nist and corpus_nist",
            {
                "max_order": 5,
                "tokenizer": "nist",
                "lowercase": True,
                "convention": "nltk",
                "unigram_base": "words",
            },
            help="The defaults. NLTK itself splits no text: this gives its score for words split by"
            " its NIST tokeniser, in lower case.",
            short="NLTK",
        ),
        Preset(
            "mteval-v13a",
            "As mteval-v13a",
            "mteval-v13a.pl",
            {
                "max_order": 5,
                "tokenizer": "nist",
                "lowercase": True,
                "convention": "mteval",
                "unigram_base": "words",
            },
            help="The script without -c: A to Z in lower case, references pooled.",
            short="mteval-v13a",
        ),
    ),
    prepare=prepare,
    measure=measure,
    finish=finish,
    trace=trace,
    explain=explain,
    detail=detail,
    notes=notes,
    elsewhere=elsewhere,
    recipes=recipes,
    splitting=BY_TOKENIZER,
)
