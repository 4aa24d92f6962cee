"""TER, the translation edit rate of Snover et al. (2006), as sacreBLEU counts it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from ..budget import Budget, BudgetExceeded
from ..explain import Elsewhere
from ..metric import Convention, Metric, Preset, Scale
from ..options import OptionValue
from ..text.splitting import Advice, Splitting, no_advice
from .counts import (
    BEST_REFERENCE,
    CHARACTERS,
    MEAN_LENGTH,
    WORDS,
    TerOptions,
    TerTrace,
    finish,
    prepare,
    score_all,
    trace,
)
from .many import measure
from .recipes import recipes
from .text import has_kana
from .working import Run, detail, explain

# What the search without its limit may spend beside the score itself: a few tenths of a second.
_STEPS_WITHOUT_LIMIT = 10_000_000


def notes(run: Run) -> tuple[str, ...]:
    """Sentences on what is odd about this score."""
    return tuple(_notes(run))


def _advice(options: TerOptions) -> Advice:
    """What to do about a language written without spaces."""
    if options.unit != WORDS:
        return no_advice
    splits_ideographs = options.asian and options.normalize

    def advice(language: str) -> str:
        if language == "Chinese" and splits_ideographs:
            return ""
        how = "normalise and the Asian switch, both on"
        split = f" or split its characters ({how})" if language == "Chinese" else ""
        return f"Compare characters{split}; by words a whole phrase counts as one."

    return advice


def _notes(run: Run) -> Iterator[str]:
    options = run.options
    if run.result.value > 1:
        yield (
            "TER has no upper limit: with more edits than the reference has words it passes 100 %."
            " 100 minus TER is no measure of likeness."
        )
    if run.is_sentence:
        yield from _notes_of_sentence(run.trace(0))
        if _is_changed_again(run):
            yield (
                "sacreBLEU prepares a reference twice and the hypothesis once, and so it is done"
                " here. The second time changes a reference of this text (dog's. becomes dog 's .),"
                " which even the same hypothesis then differs from."
            )
    if stopped := run.total.stopped:
        alone = run.is_sentence  # a file is shown in places where no other tool stands beside it
        which = "" if alone else f" in {stopped:,} of {len(run.corpus):,} lines"
        without = "What the search gives without it stands with the other tools' numbers."
        yield (
            f"The search for shifts met its limit of 1,000 candidates{which}. As in sacreBLEU it"
            " stops there and throws that round's shift away; tercom has no such limit."
            f"{f' {without}' if alone else ''}"
        )
    if options.asian and not (options.normalize or options.no_punct):
        yield "The Asian switch does nothing alone: it needs Normalise punctuation."
    if options.asian and options.normalize and options.unit == WORDS and _any_kana(run):
        yield (
            "Japanese kana are not split: sacreBLEU's rule for them never applies, while tercom"
            " sets runs of kana apart and gets other numbers. For Japanese compare characters."
        )


def _is_changed_again(run: Run) -> bool:
    """Whether the second preparation of a reference changes what the first one gave."""
    once, twice = run.prepared.tokenize, run.prepared.tokenize_reference
    references = (text for segment in run.corpus.segments for text in segment.references)
    return any(once(text) != twice(text) for text in references)


def _notes_of_sentence(told: TerTrace) -> Iterator[str]:
    if told.best.outcome.moves and _mostly_repeats(told.hypothesis):
        yield (
            "Most words occur more than once, so a block fits in several places. sacreBLEU and"
            " tercom then choose different shifts now and then; these are sacreBLEU's."
        )


def _mostly_repeats(words: tuple[str, ...]) -> bool:
    """Whether half of the words or more are such as occur more than once."""
    return 2 * sum(count for count in Counter(words).values() if count > 1) >= len(words)


def _any_kana(run: Run) -> bool:
    return any(
        has_kana(segment.hypothesis) or any(map(has_kana, segment.references))
        for segment in run.corpus.segments
    )


def elsewhere(run: Run) -> tuple[Elsewhere, ...]:
    """jiwer's rate, the other rule for several references, and the search without its limit."""
    found = [_word_error_rate(run)]
    if run.corpus.reference_counts[1] > 1:
        found.append(_other_rule(run))
    if run.total.stopped:
        found.append(_without_limit(run))
    return tuple(found)


def _word_error_rate(run: Run) -> Elsewhere:
    """jiwer's number; with several references, of which it takes one, that of its rule."""
    options = run.metric.options_for("wer", of_corpus=not run.is_sentence)
    other = run.under(options)
    value = other.result.value
    why = "The word error rate: no shifts, and case and punctuation stay as they are."
    if run.corpus.reference_counts[1] > 1:
        why = f"{why} jiwer itself takes one reference."
        return Elsewhere("Word error rate", value, why, options.written())
    if _has_other_spaces(run):
        why = (
            "jiwer splits at the space alone: a tab, a line break or a no-break space leaves two"
            " words one, so it counts other words than stand here."
        )
        return Elsewhere("jiwer WER", None, why)
    if other.result.edits and not other.result.reference_length:
        value, why = float(other.result.edits), "Of an empty reference jiwer gives the word count."
    return Elsewhere("jiwer WER", value, why, options.written())


def _has_other_spaces(run: Run) -> bool:
    """Whether a text has white space other than the space between two words."""
    return any(
        _OTHER_SPACE.search(text.strip()) is not None
        for segment in run.corpus.segments
        for text in (segment.hypothesis, *segment.references)
    )


def _other_rule(run: Run) -> Elsewhere:
    name, why = (
        "Best reference",
        "The lowest rate by a reference's own length; some programs do so.",
    )
    rule = BEST_REFERENCE
    if run.options.multi_reference == BEST_REFERENCE:
        name, why = (
            "Mean length",
            "The fewest edits by the mean length, as in Snover et al. (2006).",
        )
        rule = MEAN_LENGTH
    options = replace(run.options, multi_reference=rule)
    other = run.under(options)
    return Elsewhere(name, other.result.value, why, options.written())


def _without_limit(run: Run) -> Elsewhere:
    """The score when the stopped searches go on; None where that would take too long."""
    tool = "Without the limit of 1,000 candidates"
    unlimited = replace(run.prepared, limit=None)
    own = Budget(steps=_STEPS_WITHOUT_LIMIT)
    counts = list(run.counts)
    try:
        for number, segment in enumerate(run.corpus.segments):
            if counts[number].stopped:
                (counts[number],) = measure(unlimited, (segment,), own)
    except BudgetExceeded:
        return Elsewhere(tool, None, "Searched to its end, this text takes too long here.")
    result = finish(type(run.total).total(counts), run.options)
    why = "The same search goes on until no shift saves an edit."
    return Elsewhere(tool, result.value, why, run.options.written())


_OTHER_SPACE = re.compile(r"[^\S ]")

_TERCOM: dict[str, OptionValue] = {
    "lowercase": True,
    "normalize": True,
    "shifts": True,
    "no_punct": False,
    "asian": False,
    "multi_reference": MEAN_LENGTH,
    "unit": WORDS,
}

METRIC = Metric(
    slug="ter",
    name="TER",
    full_name="Translation Edit Rate",
    source="Snover et al. (2006)",
    scale=Scale(
        lowest=0.0, highest=None, higher_is_better=False, digits=2, multiplier=100, unit="%"
    ),
    max_characters=20_000,
    options=TerOptions,
    presets=(
        Preset(
            "page",
            "This page's defaults",
            "sacreBLEU, normalized",
            {},
            help="Lower case, punctuation split off, shifts counted.",
            short="punctuation split off",
        ),
        Preset(
            "sacrebleu",
            "As sacreBLEU",
            "sacreBLEU",
            {**_TERCOM, "normalize": False},
            help="sacreBLEU's defaults: punctuation stays on the words.",
            short="sacreBLEU",
        ),
        Preset(
            "tercom-normalized",
            "As tercom -N",
            "sacreBLEU, normalized",
            _TERCOM,
            help="tercom with -N, sacreBLEU with normalized=True.",
            short="tercom -N",
        ),
        Preset(
            "wer",
            "Word error rate, as jiwer",
            "jiwer",
            {**_TERCOM, "shifts": False, "normalize": False, "lowercase": False},
            help="No shifts, no change of case, punctuation stays on the words.",
            score_name="WER",
            short="jiwer",
        ),
    ),
    prepare=prepare,
    measure=measure,
    finish=finish,
    trace=trace,
    explain=explain,
    detail=detail,
    notes=notes,
    conventions=(
        Convention(
            "sacreBLEU TER",
            "Its default leaves punctuation on the words, as tercom does without -N.",
            preset="sacrebleu",
        ),
        Convention(
            "sacreBLEU TER, normalized",
            "Punctuation is split off first, as by tercom with -N.",
            preset="tercom-normalized",
        ),
    ),
    elsewhere=elsewhere,
    recipes=recipes,
    score_all=score_all,
    # As sacreBLEU's normalized=True with asian_support=True.
    splitting=Splitting(
        {"zh": {"normalize": True, "asian": True}, "char": {"unit": CHARACTERS}}, _advice
    ),
)
