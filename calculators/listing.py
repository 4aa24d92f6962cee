"""The metrics as the API lists them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from .scoring import AnyMetric, OptionSpec, Preset


def metric_data(metric: AnyMetric) -> dict[str, Any]:
    """All that a client must know to call ``metric`` and to read its score."""
    return {
        "slug": metric.slug,
        "name": metric.name,
        "full_name": metric.full_name,
        "source": metric.source,
        "scale": asdict(metric.scale),
        "max_characters": metric.max_characters,
        "options": [option_data(spec) for spec in metric.options.specs()],
        "presets": [_preset_data(metric, preset) for preset in metric.presets],
    }


def option_data(spec: OptionSpec) -> dict[str, Any]:
    """An option as it is declared."""
    return {
        "name": spec.name,
        "kind": spec.kind,
        "default": spec.written(spec.default),
        "minimum": spec.minimum,
        "maximum": spec.maximum,
        "choices": [asdict(choice) for choice in spec.choices],
        "label": spec.label,
        "help": spec.help,
    }


def _preset_data(metric: AnyMetric, preset: Preset) -> dict[str, Any]:
    """A preset with every option as it stands for one text and for a corpus."""
    return {
        "name": preset.name,
        "label": preset.label,
        "tool": preset.tool,
        "help": preset.help,
        "options": metric.options_for(preset.name, of_corpus=False).written(),
        "corpus_options": metric.options_for(preset.name, of_corpus=True).written(),
    }
