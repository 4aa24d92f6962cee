"""What the form makes of what is sent."""

from __future__ import annotations

import inspect
from dataclasses import replace
from typing import Any

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from calculators.forms import CorpusForm, OptionsForm, PairForm
from calculators.reading import ABSENT, option_text, option_value
from calculators.scoring import AnyMetric, Budget, ScoringError

from ..scoring.registered import every_metric, random_runs
from .words_metric import METRIC, WordsOptions

SPECS = {spec.name: spec for spec in WordsOptions.specs()}


def sent(**fields: str) -> PairForm:
    """The form as a browser sends it."""
    return PairForm.of(METRIC, {"hypothesis": "the cat", "references": "the dog"} | fields)


def posted(body: str) -> PairForm:
    return PairForm.of(METRIC, QueryDict(body))


def document(**fields: Any) -> PairForm:
    """The form as the API binds it."""
    return PairForm.of_document(
        METRIC, {"hypothesis": "the cat", "references": ["the dog"]} | fields
    )


def options(form: OptionsForm) -> WordsOptions:
    assert form.is_valid(), form.messages
    chosen = form.cleaned_data["options"]
    assert isinstance(chosen, WordsOptions)
    return chosen


# Texts


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_line_ends_of_browsers_become_line_feeds(end: str) -> None:
    form = sent(hypothesis=f"the{end}cat", references=f"one{end}two{end}")
    assert form.is_valid()
    assert form.cleaned_data["hypothesis"] == "the\ncat"
    assert form.cleaned_data["references"] == ["one", "two"]


def test_empty_lines_at_the_end_are_no_references_and_those_between_are() -> None:
    form = sent(references="\none\n\ntwo\n\n \n")
    assert form.is_valid()
    assert form.cleaned_data["references"] == ["", "one", "", "two"]


@pytest.mark.parametrize("text", ["", "\r\n", "\n \n"])
def test_no_reference_at_all_is_refused(text: str) -> None:
    assert sent(references=text).messages == {"references": ["Enter at least one reference."]}


def test_the_hypothesis_may_be_empty_and_must_be_there() -> None:
    assert sent(hypothesis="").is_valid()
    missing = PairForm.of(METRIC, {"references": "one"})
    assert missing.messages == {"hypothesis": ["The hypothesis is missing."]}


def test_the_cap_counts_characters_after_line_ends_are_mapped() -> None:
    assert sent(hypothesis="𝔘\r\n" * 50).is_valid()  # 100 characters, 250 UTF-16 units and CRLFs
    assert sent(hypothesis="𝔘\r\n" * 50 + "a").messages == {
        "hypothesis": [
            "101 of 100 characters: shorten the text or score it on your own machine",
        ]
    }
    assert "1,101 of 100 characters" in sent(references="a" * 1101).messages["references"][0]


def test_a_segment_has_up_to_a_hundred_references() -> None:
    roomy = replace(METRIC, max_characters=1_000)
    for count, taken in ((100, True), (101, False)):
        lines = PairForm.of(roomy, {"hypothesis": "a", "references": "a\n" * count})
        for form in (lines, document(references=["", *[None] * (count - 1)])):
            assert form.is_valid() is taken
            if not taken:
                (message,) = form.messages["references"]
                assert message.startswith("101 references, of which 100 are taken")


def test_references_share_one_box_in_the_api_too() -> None:
    assert document(references=["a" * 50, "a" * 49]).is_valid()  # and the line end between them
    (refusal,) = document(references=["a" * 50, "a" * 50]).messages["references"]
    assert refusal.startswith("The references together: 101 of 100 characters")


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b", "\udfff"])
@pytest.mark.parametrize("field", ["hypothesis", "references"])
def test_nul_and_half_characters_are_refused(text: str, field: str) -> None:
    for form in (sent(**{field: text}), document(hypothesis=text), document(references=[text])):
        (messages,) = form.messages.values()
        assert messages[0].startswith("The text holds")


def test_the_api_takes_texts_as_they_are() -> None:
    form = document(hypothesis="a\r\nb", references=["one\ntwo\n", "", None])
    assert form.is_valid()
    assert form.cleaned_data["hypothesis"] == "a\r\nb"
    assert form.cleaned_data["references"] == ["one\ntwo\n", ""]


@pytest.mark.parametrize("references", ["one", [], [None], None, [1], [["one"]], {"a": "b"}, 3])
def test_the_api_takes_references_only_as_a_list_of_texts(references: Any) -> None:
    assert list(document(references=references).messages) == ["references"]


@pytest.mark.parametrize("hypothesis", [None, 3, ["a"], True, {}])
def test_the_api_takes_the_hypothesis_only_as_a_text(hypothesis: Any) -> None:
    assert list(document(hypothesis=hypothesis).messages) == ["hypothesis"]


# Options and presets


def test_options_override_the_preset_and_the_preset_the_defaults() -> None:
    assert options(sent()) == WordsOptions()
    assert options(sent(preset="cased")) == WordsOptions(lowercase=False, bonus=0.25)
    mixed = sent(preset="cased", lowercase="on", repeat="3")
    assert options(mixed) == WordsOptions(lowercase=True, bonus=0.25, repeat=3)


def test_an_absent_flag_keeps_what_the_preset_says() -> None:
    assert options(sent(preset="cased")).lowercase is False
    assert options(sent(preset="page")).lowercase is True


def test_the_last_value_of_a_flag_wins() -> None:
    start = "hypothesis=a&references=a&lowercase=off"
    assert options(posted(f"{start}&lowercase=on")).lowercase is True
    assert options(posted(start)).lowercase is False


@pytest.mark.parametrize("text", ["on", "true", "1", "yes", "True", " ON "])
def test_words_for_on(text: str) -> None:
    assert options(sent(preset="cased", lowercase=text)).lowercase is True


@pytest.mark.parametrize("text", ["off", "false", "0", "no", "", "No"])
def test_words_for_off(text: str) -> None:
    assert options(sent(lowercase=text)).lowercase is False


def test_a_blank_number_is_absent_and_a_blank_optional_one_is_none() -> None:
    assert options(sent(preset="twice", repeat=" ")).repeat == 2
    assert options(sent(preset="cased", bonus="")).bonus is None


def test_numbers_are_read_out_of_text() -> None:
    form = sent(repeat=" 4 ", bonus="0.5", scale="2e0", weights="0.5, 0.25")
    assert options(form) == WordsOptions(repeat=4, bonus=0.5, scale=2.0, weights=(0.5, 0.25))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "lowercase",
            "maybe",
            "Lowercase: say on or off; true, false, yes, no, 1, 0 are taken too.",
        ),
        ("repeat", "0", "Repetitions must be from 1 to 9."),
        ("repeat", "2.5", "Repetitions: enter a whole number."),
        ("repeat", "many", "Repetitions: enter a whole number."),
        ("repeat", "9" * 5000, "Repetitions: enter a whole number."),
        ("bonus", "nan", "Bonus must be from 0 to 1."),
        ("scale", "inf", "Factor must be a finite number."),
        ("cut", "word", "Cut at: choose one of space, char."),
        ("weights", "1;2", "Weights: enter numbers with commas between them."),
        ("weights", "-1", "Weights must be 0 or more."),
    ],
)
def test_a_value_that_does_not_fit_is_refused_beside_its_field(
    name: str, text: str, message: str
) -> None:
    form = sent(**{name: text})
    assert form.messages == {name: [message]}
    (shown,) = [field for field in form.option_fields if field.errors]
    assert (shown.spec.name, list(shown.errors)) == (name, [message])
    assert form.error_list == [(f"id_{name}", SPECS[name].label, message)]


def test_options_that_contradict_each_other_are_refused_beside_one_of_them() -> None:
    message = "Characters can't be repeated nine times."
    assert sent(cut="char", repeat="9").messages == {"repeat": [message]}
    assert document(options={"cut": "char", "repeat": 9}).messages == {"repeat": [message]}


def test_an_unknown_preset_is_refused_without_quoting_it() -> None:
    message = "There is no preset of that name. Known: page, cased, twice."
    assert sent(preset="secret").messages == {"preset": [message]}
    assert document(preset="secret").messages == {"preset": [message]}


def test_fields_of_no_meaning_are_ignored_in_a_browser_and_refused_in_the_api() -> None:
    assert sent(utm_source="x").is_valid()
    with pytest.raises(ScoringError) as caught:
        document(utm_source="x")
    assert caught.value.field == "body"
    with pytest.raises(ScoringError) as caught:
        document(options={"hypothesis": "x"})
    assert caught.value.field == "options"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("lowercase", "on"),
        ("lowercase", 1),
        ("lowercase", None),
        ("repeat", "4"),
        ("repeat", True),
        ("repeat", 10**400),
        ("repeat", None),
        ("cut", 1),
        ("cut", ["space"]),
        ("bonus", "0.5"),
        ("bonus", 10**400),
        ("scale", 10**400),
        ("scale", float("inf")),
        ("scale", False),
        ("weights", [[1]]),
        ("weights", ["1"]),
        ("weights", {"a": 1}),
        ("weights", 10**400),
    ],
)
def test_the_api_reads_nothing_out_of_values_of_another_type(name: str, value: Any) -> None:
    assert list(document(options={name: value}).messages) == [name]


def test_the_api_takes_typed_values_and_null_where_none_is_a_value() -> None:
    values = {"lowercase": False, "repeat": 4.0, "bonus": None, "scale": 2, "weights": [1, 0.5]}
    expected = WordsOptions(lowercase=False, repeat=4, scale=2.0, weights=(1.0, 0.5))
    assert options(document(preset="cased", options=values)) == expected
    assert options(document(preset=None, options=None)) == WordsOptions()


# Changing the preset without JavaScript


def test_options_left_as_the_page_showed_them_give_way_to_another_preset() -> None:
    shown = {"preset_shown": "cased", "lowercase": "off", "repeat": "1", "bonus": "0.25"}
    form = sent(preset="twice", **shown)
    assert options(form) == WordsOptions(repeat=2)
    assert form.values == {}


def test_an_option_changed_on_the_page_overrides_another_preset() -> None:
    form = sent(preset="twice", preset_shown="cased", lowercase="on", repeat="5", bonus="0.25")
    assert options(form) == WordsOptions(lowercase=True, repeat=5)


def test_without_the_shown_preset_every_option_overrides() -> None:
    assert options(sent(preset="twice", repeat="1")).repeat == 1
    assert options(sent(preset="twice", repeat="1", preset_shown="")).repeat == 2
    assert options(sent(preset="twice", repeat="1", preset_shown="unknown")).repeat == 1


def round_trip(form: PairForm) -> dict[str, str]:
    """The fields that a browser sends back for the page on which ``form`` is shown."""
    fields = {field.spec.name: option_text(field.spec, field.value) for field in form.option_fields}
    chosen = [choice.preset.name for choice in form.preset_choices if choice.checked]
    return fields | {"preset": "".join(chosen), "preset_shown": form.preset_shown}


@pytest.mark.parametrize("preset", ["", "page", "cased", "twice"])
@pytest.mark.parametrize("more", [{}, {"repeat": "4"}, {"lowercase": "off", "bonus": ""}])
def test_a_page_sent_back_unchanged_counts_the_same(preset: str, more: dict[str, str]) -> None:
    first = sent(preset=preset, **more)
    assert options(sent(**round_trip(first))) == options(first)


@pytest.mark.parametrize("preset", ["page", "cased", "twice"])
def test_choosing_a_preset_on_a_shown_page_gives_that_preset(preset: str) -> None:
    for before in (PairForm.of(METRIC), sent(preset="cased"), sent(preset="twice")):
        fields = round_trip(before) | {"preset": preset}
        assert options(sent(**fields)) == METRIC.options_for(preset, of_corpus=False)


# What the page shows


def test_a_fresh_page_marks_the_preset_that_stands_for_the_defaults() -> None:
    form = PairForm.of(METRIC)
    assert not form.is_bound
    assert [choice.preset.name for choice in form.preset_choices if choice.checked] == ["page"]
    assert form.preset_shown == "page"
    assert form.summary == "This page"
    assert not form.options_open
    shown = {field.spec.name: field.value for field in form.option_fields}
    assert shown == WordsOptions().written()


def test_the_page_shows_the_options_in_force() -> None:
    form = sent(preset="cased", repeat="4")
    assert form.is_valid()
    shown = {field.spec.name: field.value for field in form.option_fields}
    assert shown == WordsOptions(lowercase=False, bonus=0.25, repeat=4).written()
    assert form.summary == "Cased, Repetitions: 4"
    assert form.options_open


def test_the_selected_choice_is_the_one_in_force() -> None:
    (cut,) = [field for field in sent(cut="char").option_fields if field.spec.name == "cut"]
    assert [(choice.value, chosen) for choice, chosen in cut.choices] == [
        ("space", False),
        ("char", True),
    ]


def test_everything_typed_is_kept_beside_an_error() -> None:
    typed = {"hypothesis": "a\r\nb ", "references": "\r\n", "repeat": "many", "bonus": "0.75"}
    form = sent(preset="cased", preset_shown="twice", **typed)
    assert not form.is_valid()
    assert form["hypothesis"].value() == "a\r\nb "
    assert form["references"].value() == "\r\n"
    fields = {field.spec.name: field.value for field in form.option_fields}
    assert (fields["repeat"], fields["bonus"]) == ("many", "0.75")
    assert form.preset_shown == "twice"
    assert [choice.preset.name for choice in form.preset_choices if choice.checked] == ["cased"]
    assert form.options_open


def test_a_metric_whose_defaults_are_no_preset_offers_them_too() -> None:
    form = PairForm.of(replace(METRIC, presets=METRIC.presets[1:]))
    assert [(choice.preset.name, choice.checked) for choice in form.preset_choices] == [
        ("", True),
        ("cased", False),
        ("twice", False),
    ]
    assert form.summary == "Defaults"


# Reading and scoring


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("lowercase", False),
        ("repeat", 7),
        ("cut", "char"),
        ("bonus", None),
        ("bonus", 0.1),
        ("scale", 1 / 3),
        ("weights", (0.1, 1e-9)),
        ("weights", ()),
    ],
)
def test_an_option_written_as_text_is_read_back(name: str, value: Any) -> None:
    assert option_value(SPECS[name], option_text(SPECS[name], value)) == value


@given(st.sampled_from(list(SPECS)), st.text())
def test_any_text_for_an_option_is_read_or_refused(name: str, text: str) -> None:
    try:
        value = option_value(SPECS[name], text)
    except ScoringError:
        return
    assert value is ABSENT or SPECS[name].checked(value) == value


def test_a_pair_is_scored() -> None:
    run = sent(hypothesis="The cat sang", references="the dog\na cat").evaluate(Budget())
    assert run is not None
    assert run.result.value == 2 / 3


def test_a_score_that_is_undefined_is_an_error_beside_its_field() -> None:
    form = sent(hypothesis="")
    assert form.evaluate(Budget()) is None
    assert form.messages == {"hypothesis": ["A hypothesis without words has no score here."]}


def test_too_much_work_is_an_error_of_the_whole() -> None:
    form = sent()
    assert form.evaluate(Budget(steps=3)) is None
    (messages,) = form.messages.values()
    assert "longer to score than is allowed" in messages[0]
    assert form.error_list == [("", "", messages[0])]


def test_a_corpus_takes_the_options_that_the_preset_has_for_files() -> None:
    texts = {"hypotheses": ["a b", "c"], "references": [["a"], "c"]}
    form = CorpusForm.of_document(METRIC, texts | {"preset": "twice"})
    run = form.evaluate(Budget())
    assert run is not None
    assert (run.options.repeat, run.segments) == (3, (0.5, 1.0))


@pytest.mark.parametrize(
    ("texts", "field", "message"),
    [
        ({"references": [["a"]]}, "hypotheses", "Give the hypotheses as a list"),
        ({"hypotheses": "a", "references": [["a"]]}, "hypotheses", "Give the hypotheses as a list"),
        ({"hypotheses": [], "references": [["a"]]}, "hypotheses", "Give the hypotheses as a list"),
        ({"hypotheses": ["a", 3], "references": [["a"]]}, "hypotheses", "Segment 2: "),
        ({"hypotheses": ["a", "b" * 101], "references": [["a"]]}, "hypotheses", "Segment 2: 101"),
        ({"hypotheses": ["a"], "references": "a"}, "references", "Give the references as a list"),
        ({"hypotheses": ["a"], "references": [["a"], []]}, "references", "Segment 2: Enter"),
        ({"hypotheses": ["a"], "references": [[None]]}, "references", "Segment 1: Enter"),
        ({"hypotheses": ["a"], "references": [None]}, "references", "Segment 1: Give"),
        ({"hypotheses": ["a"], "references": [["a\0"]]}, "references", "Segment 1: The text"),
        ({"hypotheses": ["a"], "references": [["a"], ["b"]]}, "references", "There are 1 hypoth"),
    ],
)
def test_a_faulty_corpus_is_refused_with_the_place(
    texts: dict[str, Any], field: str, message: str
) -> None:
    form = CorpusForm.of_document(METRIC, texts)
    assert form.evaluate(Budget()) is None
    assert form.messages[field][0].startswith(message)


def test_the_class_of_a_form_is_built_once_a_metric() -> None:
    assert type(PairForm.of(METRIC)) is type(sent())
    assert inspect.signature(PairForm.of).parameters["typed"].kind.name == "KEYWORD_ONLY"


@every_metric
def test_the_fields_of_a_run_give_the_same_run_again(metric: AnyMetric) -> None:
    for run in random_runs(metric, 20261130, 60):
        segment = run.corpus.segments[0]
        if not segment.references[-1].strip():
            continue  # the box takes blank lines at its end for no references
        again = PairForm.of(metric, PairForm.fields_of(run)).evaluate(Budget.unlimited())
        assert again is not None
        assert again.corpus.segments == (segment,)
        assert again.options == run.options
        assert again.result == run.result
