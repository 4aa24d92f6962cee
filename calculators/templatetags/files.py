"""How the page for files words its figures."""

from __future__ import annotations

from collections.abc import Sequence

from django import template

from calculators.files.answer import FilesAnswer
from calculators.files.choices import Choice
from calculators.files.comparison import METHODS
from calculators.files.doctor import Effect
from calculators.files.limits import megabytes
from calculators.files.segments import Row
from calculators.files.wording import listed
from calculators.scoring import Scale

from .show import NO_BREAK_SPACE, NOTHING, bare_difference, number, score

register = template.Library()
register.filter(megabytes)


@register.filter
def headline(answer: FilesAnswer) -> str:
    """What the results say, in a few words."""
    if not answer.verdicts:
        choice, standing = answer.sheet.choices[0], answer.comparison.standings[0]
        return f"{choice.name} {score(standing.value, choice.metric.scale)}"
    if len(answer.verdicts) > 1:
        return f"{len(answer.sheet.systems)} systems compared"
    (verdict,) = answer.verdicts
    where = " on these few segments" if answer.is_thin else ""
    return {
        "clear": f"{verdict.winner} is better{where}",
        "partly": f"{verdict.winner} is better by some metrics{where}",
        "divided": "The metrics disagree",
        "same": "The systems score the same",
        "open": "No clear difference",
        "held": "No verdict: the text is not split into words",
    }[verdict.kind]


@register.filter
def before(effect: Effect) -> str:
    """The score as the files stand."""
    return _effect(effect, effect.before)


@register.filter
def after(effect: Effect) -> str:
    """The score with the remedy."""
    return _effect(effect, effect.after)


def _effect(effect: Effect, value: float | None) -> str:
    if value is None:
        return "no score"
    unit = f"{NO_BREAK_SPACE}{effect.unit}" if effect.unit else ""
    return number(value, effect.digits) + unit


@register.filter
def p_value(value: float) -> str:
    """A share of resamples; never 0, which no number of resamples can show."""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


@register.filter
def signed_difference(value: float, scale: Scale) -> str:
    """A difference of scores with its sign and unit."""
    return ("+" if value > 0 else "") + bare_difference(value, scale)


@register.filter
def in_words(names: Sequence[str]) -> str:
    """A list as one says it: "BLEU, chrF and TER"."""
    return listed(names or [NOTHING])


@register.filter
def method_name(answer: FilesAnswer) -> str:
    """The test that was made, inside a sentence."""
    return METHODS[answer.comparison.settings.method].lower()


@register.filter
def under_choices(row: Row, choices: Sequence[Choice]) -> list[str]:
    """The scores of a row as the literature of each metric prints them."""
    return [
        score(value, choice.metric.scale) for value, choice in zip(row.scores, choices, strict=True)
    ]


@register.filter
def is_held(answer: FilesAnswer, choice: Choice) -> bool:
    """Whether a metric has no say, since it takes phrases for words."""
    return answer.is_held(choice)


@register.filter
def sort_direction(answer: FilesAnswer) -> str:
    """The way in which the table of segments is ordered, as ``aria-sort`` says it."""
    is_ascending = (
        answer.view.order_named == "worst"
    ) == answer.choice.metric.scale.higher_is_better
    return "ascending" if is_ascending else "descending"
