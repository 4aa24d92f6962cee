"""BLEU: how many n-grams of a hypothesis its references have (Papineni et al., 2002)."""

from __future__ import annotations

from ..metric import Metric, Preset, Scale
from ..text.splitting import BY_TOKENIZER
from .counts import BleuCounts, BleuOptions, BleuTrace, Prepared, measure, prepare, trace
from .notes import elsewhere, notes
from .recipes import recipes
from .score import BleuResult, finish, score_all
from .working import detail, explain

PRESETS = (
    Preset(
        "nltk",
        "NLTK",
        "NLTK sentence_bleu and corpus_bleu",
        {"tokenizer": "none", "convention": "nltk"},
        help="White space separates tokens; no smoothing; a missing order counts as 0 of 1.",
    ),
    Preset(
        "sacrebleu",
        "sacreBLEU",
        "sacreBLEU",
        {"smoothing": "exp", "effective_order": True},
        corpus_options={"effective_order": False},
        help="13a tokens, exponential smoothing; effective order for single sentences only.",
    ),
    Preset(
        "mteval-v13a",
        "mteval-v13a",
        "mteval-v13a.pl",
        {"tokenizer": "nist", "lowercase": True, "smoothing": "exp", "convention": "mteval"},
        help="NIST tokens with A to Z lower-cased; a missing order counts as matched.",
    ),
    Preset(
        "gate",
        "Golden-text gate",
        "the golden-text gate",
        {"tokenizer": "gate", "lowercase": True, "smoothing": "add-one"},
        help="Tokens are runs of a to z and 0 to 9; one is added to both counts of every order.",
        short="golden-text gate",
    ),
)

METRIC: Metric[BleuOptions, Prepared, BleuCounts, BleuTrace, BleuResult] = Metric(
    slug="bleu",
    name="BLEU",
    full_name="Bilingual Evaluation Understudy",
    source="Papineni, Roukos, Ward and Zhu (2002), BLEU: a Method for Automatic Evaluation of"
    " Machine Translation",
    scale=Scale(lowest=0.0, highest=1.0, higher_is_better=True, digits=2, multiplier=100),
    max_characters=50_000,
    options=BleuOptions,
    presets=PRESETS,
    prepare=prepare,
    measure=measure,
    finish=finish,
    trace=trace,
    explain=explain,
    detail=detail,
    notes=notes,
    elsewhere=elsewhere,
    recipes=recipes,
    score_all=score_all,
    splitting=BY_TOKENIZER,
)
