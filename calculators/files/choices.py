"""Which metrics are to be worked out, each under a preset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..scoring import AnyMetric, Preset, ScoringError, registry
from ..scoring.options import OptionValue

BEST_KNOWN_TOOL = "sacreBLEU"  # whose numbers most papers on files report


@dataclass(frozen=True, slots=True)
class Choice:
    """One column of the results: a metric under one of its presets.

    ``splitting`` is the name of a way to split text without spaces; empty: as the preset does.
    """

    metric: AnyMetric
    preset: Preset
    splitting: str = ""

    @property
    def preset_key(self) -> str:
        """What stands for it where the metrics are chosen."""
        return f"{self.metric.slug}:{self.preset.name}"

    @property
    def key(self) -> str:
        """What stands for it and its counts: another one where the text is split otherwise."""
        return f"{self.preset_key}:{self.splitting}" if self._split else self.preset_key

    @property
    def _split(self) -> Mapping[str, OptionValue]:
        return self.metric.splitting.ways.get(self.splitting, {})

    @property
    def splits(self) -> bool:
        """Whether it splits the text otherwise than its preset."""
        return bool(self._split)

    def is_of_phrases(self, language: str) -> bool:
        """Whether what it takes for words in a text of that language is no words."""
        return bool(language and self.metric.splitting.advice(self.options)(language))

    @property
    def name(self) -> str:
        """What its score is called where the preset goes without saying."""
        return self.preset.score_name or self.metric.name

    @property
    def label(self) -> str:
        """What it is called beside another score of that name. It stands in lists with commas, so
        there is none in it."""
        return f"{self.name} ({self.preset.short or self.preset.label})"

    @property
    def options(self) -> Any:
        """The options for a file."""
        return self.metric.options_for(self.preset.name, self._split, of_corpus=True)

    @property
    def segment_options(self) -> Any:
        """The options under which a single segment is finished."""
        return self.metric.options_for(self.preset.name, self._split, of_corpus=False)

    @property
    def is_default(self) -> bool:
        """Whether it is the one offered first."""
        return self.preset is _usual(self.metric)


def preset_key_of(key: str) -> str:
    """The key of the metric and preset in a choice's key."""
    return ":".join(key.split(":")[:2])


def labels_of(choices: Sequence[Choice]) -> list[str]:
    """What each is called: by its score's name, with the preset where that stands twice."""
    names = [choice.name for choice in choices]
    return [choice.label if names.count(choice.name) > 1 else choice.name for choice in choices]


def offered(splitting: str = "") -> list[list[Choice]]:
    """Every metric with every preset, a list a metric."""
    return [
        [Choice(metric, preset, splitting) for preset in metric.presets]
        for metric in registry.METRICS
    ]


def usual() -> tuple[Choice, ...]:
    """Every metric once."""
    return tuple(Choice(metric, _usual(metric)) for metric in registry.METRICS)


def _usual(metric: AnyMetric) -> Preset:
    of_tool = (preset for preset in metric.presets if preset.tool == BEST_KNOWN_TOOL)
    return next(of_tool, metric.presets[0])


def chosen(keys: Iterable[str], splitting: str = "") -> tuple[Choice, ...]:
    """The choices of those presets, in menu order; ``ScoringError`` where there is none."""
    wanted = set(keys)
    found = tuple(
        choice for row in offered(splitting) for choice in row if choice.preset_key in wanted
    )
    if not found:
        raise ScoringError("Choose at least one metric.", "metrics")
    return found
