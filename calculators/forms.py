"""What is sent to be scored, checked. One form serves the browser, the API and the command line.

Its fields are built once from a metric's declarations. Browsers and the command line send every
value as text; the API sends values of their own types, and then nothing is read out of text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, ClassVar, NamedTuple, Self

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS

from .fields import (
    CheckedField,
    HypothesesField,
    HypothesisField,
    OptionField,
    PresetField,
    ReferencesField,
    RowsField,
)
from .reading import ABSENT, option_text
from .scoring import (
    AnyEvaluation,
    AnyMetric,
    Budget,
    Choice,
    Corpus,
    Options,
    OptionSpec,
    Preset,
    ScoringError,
)

BODY = "body"  # where the API puts an error that is about no single field
DEFAULTS = "Defaults"  # the label of no preset


@dataclass(frozen=True, slots=True)
class PresetChoice:
    """A preset as the page offers it; the one without a name stands for the defaults."""

    preset: Preset
    checked: bool


@dataclass(frozen=True, slots=True)
class ShownOption:
    """An option as the page shows it."""

    spec: OptionSpec
    value: Any  # what is in force; of a form with a faulty option, what was sent
    errors: Sequence[str]

    @property
    def id(self) -> str:
        """The id of its element."""
        return f"id_{self.spec.name}"

    @property
    def choices(self) -> list[tuple[Choice, bool]]:
        """Its choices, and whether each is the one selected."""
        return [(choice, choice.value == self.value) for choice in self.spec.choices]


class ShownError(NamedTuple):
    """An error as the summary at the top of the page tells it."""

    id: str  # of the element at fault; empty where it is about no single field
    label: str
    message: str


class OptionsForm(forms.Form):
    """A preset, and options that override it."""

    of_corpus: ClassVar[bool] = False

    preset = PresetField(label="Preset", required=False)

    def __init__(
        self, metric: AnyMetric, data: Mapping[str, Any] | None = None, *, typed: bool = False
    ) -> None:
        super().__init__(data)
        self.metric = metric
        for field in self.fields.values():
            if isinstance(field, CheckedField):
                field.typed = typed
                field.max_characters = metric.max_characters

    @classmethod
    def of(
        cls, metric: AnyMetric, data: Mapping[str, Any] | None = None, *, typed: bool = False
    ) -> Self:
        """The form of ``metric``, bound to ``data`` where there is any."""
        form: Self = _with_options(cls, metric.options)(metric, data, typed=typed)
        return form

    @classmethod
    def of_document(cls, metric: AnyMetric, document: object) -> Self:
        """The form bound to a JSON document, in which the options stand under ``options``.

        Raises ``ScoringError`` where the document has another shape.
        """
        if not isinstance(document, dict):
            raise ScoringError("Send one JSON object.", BODY)
        known = [*cls.base_fields, "options"]
        if any(name not in known for name in document):
            raise ScoringError(f"There is an unknown field. Known: {', '.join(known)}.", BODY)
        texts = {name: value for name, value in document.items() if name != "options"}
        return cls.of(metric, texts | _options_object(metric, document), typed=True)

    @property
    def specs(self) -> tuple[OptionSpec, ...]:
        """The options of the metric, in the order in which they are shown."""
        specs: tuple[OptionSpec, ...] = self.metric.options.specs()
        return specs

    def clean(self) -> None:
        """Find the options in force, which may contradict each other."""
        preset = self.cleaned_data.get("preset")
        if preset is None or any(spec.name in self.errors for spec in self.specs):
            return
        try:
            self.cleaned_data["options"] = self._options_of(preset, self.values)
        except ScoringError as error:
            self.refuse(error)

    @cached_property
    def values(self) -> dict[str, Any]:
        """The options that override the preset."""
        shown = self._options_shown
        return {
            spec.name: value
            for spec in self.specs
            if (value := self.cleaned_data.get(spec.name, ABSENT)) is not ABSENT
            and (shown is None or value != getattr(shown, spec.name))
        }

    @property
    def _options_shown(self) -> Options | None:
        """The options that the page was filled in with; None where the sender did not say.

        Where a visitor picks another preset, the page's options still hold the values of the one
        before. Those say nothing; only a value that differs from what was shown is the visitor's.
        """
        name = self.data.get("preset_shown")
        try:
            return self._options_of(name) if isinstance(name, str) else None
        except ScoringError:
            return None

    def _options_of(self, preset: str, values: Mapping[str, Any] | None = None) -> Options:
        options: Options = self.metric.options_for(preset, values, of_corpus=self.of_corpus)
        return options

    def refuse(self, error: ScoringError) -> None:
        """Set the refusal beside the field that it is about."""
        self.add_error(error.field if error.field in self.fields else None, error.message)

    @property
    def messages(self) -> dict[str, list[str]]:
        """The messages by field, as the API gives them."""
        return {
            BODY if name == NON_FIELD_ERRORS else name: list(map(str, messages))
            for name, messages in self.errors.items()
        }


class _TextsForm(OptionsForm):
    """What the forms with texts share: making the corpus and scoring it."""

    def corpus(self) -> Corpus:
        """The texts of a form without errors."""
        raise NotImplementedError

    def evaluate(self, budget: Budget) -> AnyEvaluation | None:
        """The answer; None where there are errors, those that scoring meets among them."""
        if not self.is_valid():
            return None
        try:
            return self.metric.run(
                self.corpus(),
                preset=self.cleaned_data["preset"],
                values=self.values,
                of_corpus=self.of_corpus,
                budget=budget,
            )
        except ScoringError as error:
            self.refuse(error)
            return None


class CorpusForm(_TextsForm):
    """A corpus: a list of hypotheses, and for each a list of references."""

    of_corpus = True
    field_order = ("hypotheses", "references", "preset")

    hypotheses = HypothesesField(label="Hypotheses")
    references = RowsField(label="References")

    def corpus(self) -> Corpus:
        """The segments; ``ScoringError`` where the two lists differ in length."""
        return Corpus.from_rows(self.cleaned_data["hypotheses"], self.cleaned_data["references"])


class PairForm(_TextsForm):
    """A hypothesis and its references, and all that a page needs to show them again."""

    field_order = ("hypothesis", "references", "preset")

    hypothesis = HypothesisField(label="Hypothesis", widget=forms.Textarea)
    references = ReferencesField(label="References", widget=forms.Textarea)

    @classmethod
    def of_example(
        cls,
        metric: AnyMetric,
        hypothesis: str,
        references: str,
        preset: str,
        options: Mapping[str, Any],
    ) -> Self:
        """The form filled in with a worked example; ``references`` stand one a line."""
        texts = {"hypothesis": hypothesis, "references": references, "preset": preset}
        return cls.of(metric, texts | _option_texts(metric, options))

    @staticmethod
    def fields_of(run: AnyEvaluation) -> dict[str, str]:
        """What a browser sends to have the pair of ``run`` scored again, with every option."""
        segment = run.corpus.segments[0]
        texts = {"hypothesis": segment.hypothesis, "references": "\n".join(segment.references)}
        options = {
            spec.name: getattr(run.options, spec.name) for spec in run.metric.options.specs()
        }
        return texts | _option_texts(run.metric, options)

    def corpus(self) -> Corpus:
        """The corpus of one segment."""
        return Corpus.of(self.cleaned_data["hypothesis"], self.cleaned_data["references"])

    # What follows shows the form, once its checks are done; nothing of it changes any more.

    @cached_property
    def _faulty_options(self) -> bool:
        """Whether the options must be shown as they were sent."""
        self.errors  # noqa: B018 - asking for the errors is what runs the checks
        return self.is_bound and "options" not in self.cleaned_data

    @cached_property
    def _in_force(self) -> Options:
        if self._faulty_options:
            return self._options_of_presets.get(self._preset_in_force) or self._defaults
        options: Options = self.cleaned_data["options"] if self.is_bound else self._defaults
        return options

    @cached_property
    def _preset_in_force(self) -> str:
        """The preset that is marked: the one sent, else one that says what is in force."""
        sent = self["preset"].value() if self.is_bound else ""
        if sent or self._faulty_options:
            return str(sent or "")
        presets = self._options_of_presets.items()
        return next((name for name, options in presets if options == self._in_force), "")

    @cached_property
    def _options_of_presets(self) -> dict[str, Options]:
        return {preset.name: self._options_of(preset.name) for preset in self.metric.presets}

    @cached_property
    def _defaults(self) -> Options:
        return self._options_of("")

    @property
    def preset_choices(self) -> list[PresetChoice]:
        """The presets; before them the defaults, where no preset stands for those."""
        chosen = self._preset_in_force
        presets = list(self.metric.presets)
        if self._defaults not in self._options_of_presets.values():
            presets.insert(0, Preset("", DEFAULTS, "", {}))
        return [PresetChoice(preset, preset.name == chosen) for preset in presets]

    @property
    def preset_shown(self) -> str:
        """The preset that the shown options are to be compared with when they come back."""
        if self._faulty_options:
            sent = self.data.get("preset_shown")
            return sent if isinstance(sent, str) else ""
        return self._preset_in_force

    @property
    def option_fields(self) -> list[ShownOption]:
        """The options as the page shows them."""
        in_force = self._in_force
        return [
            ShownOption(
                spec, self._shown(spec, in_force), list(map(str, self.errors.get(spec.name, [])))
            )
            for spec in self.specs
        ]

    def _shown(self, spec: OptionSpec, in_force: Options) -> Any:
        sent = self.data.get(spec.name) if self._faulty_options else None
        if sent is None:
            return spec.written(getattr(in_force, spec.name))
        if spec.kind == "flag":
            value = self.cleaned_data.get(spec.name, ABSENT)
            return spec.default if value is ABSENT else value
        return sent

    @property
    def error_list(self) -> list[ShownError]:
        """Every error, for the summary at the top of the page."""
        return [
            self._shown_error(name, str(message))
            for name, messages in self.errors.items()
            for message in messages
        ]

    def _shown_error(self, name: str, message: str) -> ShownError:
        if name == NON_FIELD_ERRORS:
            return ShownError("", "", message)
        return ShownError(f"id_{name}", str(self.fields[name].label), message)

    @property
    def summary(self) -> str:
        """What is in force, in a few words: the preset, and each option that departs from it."""
        chosen = self._preset_in_force
        labels = [preset.label for preset in self.metric.presets if preset.name == chosen]
        return ", ".join([*(labels or [DEFAULTS]), *self._departures])

    @cached_property
    def _departures(self) -> list[str]:
        """The options that are not as the marked preset has them, in words."""
        base = self._options_of_presets.get(self._preset_in_force) or self._defaults
        pairs = ((spec, getattr(self._in_force, spec.name)) for spec in self.specs)
        return [
            f"{spec.label}: {option_text(spec, value) or 'none'}"
            for spec, value in pairs
            if value != getattr(base, spec.name)
        ]

    @property
    def options_open(self) -> bool:
        """Whether the options are to be seen without opening them."""
        return self._faulty_options or bool(self._departures)


def _option_texts(metric: AnyMetric, options: Mapping[str, Any]) -> dict[str, str]:
    specs = {spec.name: spec for spec in metric.options.specs()}
    return {name: option_text(specs[name], value) for name, value in options.items()}


def _options_object(metric: AnyMetric, document: Mapping[str, Any]) -> dict[str, Any]:
    options = document.get("options")
    options = {} if options is None else options
    if not isinstance(options, dict):
        raise ScoringError("Give the options as an object of names and values.", "options")
    known = [spec.name for spec in metric.options.specs()]
    if any(name not in known for name in options):
        raise ScoringError(
            f"There is no option of that name. Known: {', '.join(known)}.", "options"
        )
    return options


# Both bounded by the number of metrics: the keys are they, or the classes of their options.
@cache
def empty_form(metric: AnyMetric) -> PairForm:
    """The form into which nothing was typed yet: one for all, since nothing is ever bound to it."""
    return PairForm.of(metric)


@cache
def _with_options(form: type[OptionsForm], options: type[Options]) -> type[Any]:
    fields = {spec.name: OptionField(spec) for spec in options.specs()}
    return type(form.__name__, (form,), fields)
