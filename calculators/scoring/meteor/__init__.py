"""METEOR: Banerjee and Lavie (2005), by the formula of Lavie and Agarwal (2007), as in NLTK."""

from __future__ import annotations

from ..metric import Convention, Metric, Preset, Scale
from ..options import OptionValue
from ..text.splitting import BY_TOKENIZER
from .counts import (
    MeteorCounts,
    MeteorOptions,
    MeteorResult,
    Rules,
    finish,
    measure,
    prepare,
)
from .explain import detail, elsewhere, explain, notes
from .recipes import recipes
from .trace import MeteorTrace, trace

_NLTK: dict[str, OptionValue] = {
    "alpha": 0.9,
    "beta": 3.0,
    "gamma": 0.5,
    "tokenizer": "nist",
    "lowercase": True,
    "stemming": True,
}

METRIC: Metric[MeteorOptions, Rules, MeteorCounts, MeteorTrace, MeteorResult] = Metric(
    slug="meteor",
    name="METEOR",
    full_name="Metric for Evaluation of Translation with Explicit Ordering",
    source="Banerjee and Lavie (2005); Lavie and Agarwal (2007)",
    scale=Scale(lowest=0.0, highest=1.0, higher_is_better=True, digits=4),
    max_characters=50_000,
    options=MeteorOptions,
    presets=(
        Preset(
            "nltk",
            "NLTK",
            "NLTK meteor_score",
            {**_NLTK, "synonyms": True},
            help="meteor_score with its defaults, on text cut by NLTK's NIST tokeniser.",
        ),
        Preset(
            "exact-and-stem",
            "NLTK without WordNet",
            "NLTK meteor_score with an empty WordNet",
            {**_NLTK, "synonyms": False},
            help="Only equal words and equal stems are joined.",
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
            "NLTK meteor_score",
            "Alpha 0.9, beta 3, gamma 0.5, lower case, all three stages.",
            preset="nltk",
        ),
        Convention(
            "NLTK without WordNet",
            "The same, but words that only share a meaning are not joined.",
            preset="exact-and-stem",
        ),
    ),
    elsewhere=elsewhere,
    recipes=recipes,
    splitting=BY_TOKENIZER,
)
