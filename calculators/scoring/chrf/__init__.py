"""chrF: an F-score of character n-grams, Popović (2015), and chrF++, Popović (2017)."""

from __future__ import annotations

from ..metric import Convention, Metric, Preset, Scale
from ..options import OptionValue
from .counts import ChrfCounts, ChrfOptions, ChrfResult, finish, prepare
from .explain import detail, explain, notes
from .many import measure, score_all
from .recipes import recipes
from .trace import ChrfTrace, trace

_CHRF: dict[str, OptionValue] = {
    "char_order": 6,
    "word_order": 0,
    "beta": 2.0,
    "lowercase": False,
    "whitespace": False,
    "eps_smoothing": False,
    "average": "pooled",
}

PRESETS = (
    Preset(
        "chrf",
        "chrF",
        "sacreBLEU",
        _CHRF,
        help="sacreBLEU's default, chrF2.",
        short="sacreBLEU",
    ),
    Preset(
        "chrf++",
        "chrF++",
        "sacreBLEU --chrf-word-order 2",
        {**_CHRF, "word_order": 2},
        help="Words and pairs of words count as well.",
        score_name="chrF++",
        short="sacreBLEU",
    ),
    Preset(
        "nltk",
        "NLTK",
        "NLTK sentence_chrf and corpus_chrf",
        {**_CHRF, "beta": 3.0, "eps_smoothing": True, "average": "segments"},
        help="chrF3, the mean of F over six orders; a file scores the mean of its lines.",
    ),
)

METRIC: Metric[ChrfOptions, ChrfOptions, ChrfCounts, ChrfTrace, ChrfResult] = Metric(
    slug="chrf",
    name="chrF",
    full_name="Character n-gram F-score",
    source="Popović (2015), chrF: character n-gram F-score for automatic MT evaluation",
    scale=Scale(lowest=0.0, highest=1.0, higher_is_better=True, digits=2, multiplier=100),
    max_characters=50_000,
    options=ChrfOptions,
    presets=PRESETS,
    prepare=prepare,
    measure=measure,
    finish=finish,
    trace=trace,
    explain=explain,
    detail=detail,
    notes=notes,
    recipes=recipes,
    conventions=(
        Convention("sacreBLEU chrF", "chrF2: characters only, counts pooled.", preset="chrf"),
        Convention("sacreBLEU chrF++", "Words and pairs of words count too.", preset="chrf++"),
        Convention(
            "NLTK",
            "chrF3 as the mean of F over the orders; a text too short for an order gets 0 there.",
            preset="nltk",
        ),
        Convention(
            "chrF++.py",
            "Popović's script: the mean of F over six orders of characters and two of words.",
            preset="chrf++",
            options={"eps_smoothing": True},
            no_value_for_empty="It stops with an error on an empty hypothesis.",
        ),
    ),
    score_all=score_all,
)
