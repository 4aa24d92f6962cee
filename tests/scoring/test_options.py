"""Options are declared once: values, bounds, messages, the API's form and the signature."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError, dataclass, fields

import pytest

from calculators.scoring import Choice, Options, OptionSpec, ScoringError
from calculators.scoring.options import choice, flag, integer, real, reals, signature

CUTS = (Choice("space", "White space"), Choice("char", "Characters", "every one"))


@dataclass(frozen=True)
class Sample(Options):
    lowercase: bool = flag(True, "Lowercase", short="case", shown=("mixed", "lc"))
    order: int = integer(4, 1, 9, "Order", short="n")
    cut: str = choice("space", CUTS, "Cut")
    factor: float = real(2.0, "Factor", minimum=0)
    share: float | None = real(None, "Share", minimum=0, maximum=1)
    weights: tuple[float, ...] = reals("Weights", minimum=0, maximum=1)

    def check(self) -> None:
        if self.cut == "char" and self.order == 9:
            raise ScoringError("Nine characters are too many.", "order")


def spec(name: str) -> OptionSpec:
    return next(spec for spec in Sample.specs() if spec.name == name)


def refusal(**values: object) -> ScoringError:
    with pytest.raises(ScoringError) as refused:
        Sample.of(values)
    return refused.value


def test_specs_stand_in_the_order_of_the_fields_and_know_their_names() -> None:
    assert [spec.name for spec in Sample.specs()] == [field.name for field in fields(Sample)]
    kinds = ["flag", "integer", "choice", "real", "optional-real", "reals"]
    assert [spec.kind for spec in Sample.specs()] == kinds


def test_missing_names_take_their_defaults() -> None:
    assert Sample.of({}) == Sample()
    assert Sample.of({"order": 2}) == Sample(order=2)
    assert (Sample().lowercase, Sample().share, Sample().weights) == (True, None, ())


def test_options_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Sample().order = 3  # type: ignore[misc]


def test_making_options_checks_them_too() -> None:
    with pytest.raises(ScoringError):
        Sample(order=10)


def test_numbers_are_taken_as_what_they_are_declared() -> None:
    made = Sample.of({"order": 3.0, "factor": 1, "share": 0, "weights": [1, 0]})
    assert (made.order, made.factor, made.share, made.weights) == (3, 1.0, 0.0, (1.0, 0.0))
    assert isinstance(made.order, int)
    assert all(isinstance(number, float) for number in (made.factor, made.share, *made.weights))


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("0.4,0.6", (0.4, 0.6)),
        (" 0.4 , 0.6 ", (0.4, 0.6)),
        ("1", (1.0,)),
        ("", ()),
        ("  ", ()),
        (None, ()),
    ],
)
def test_reals_are_read_from_text(text: str | None, numbers: tuple[float, ...]) -> None:
    assert Sample.of({"weights": text}).weights == numbers


@pytest.mark.parametrize(
    ("values", "field", "message"),
    [
        ({"lowercase": 1}, "lowercase", "Lowercase: say true or false."),
        ({"order": "4"}, "order", "Order: enter a whole number."),
        ({"order": True}, "order", "Order: enter a whole number."),
        ({"order": 2.5}, "order", "Order: enter a whole number."),
        ({"order": 0}, "order", "Order must be from 1 to 9."),
        ({"order": 10**400}, "order", "Order must be from 1 to 9."),
        ({"cut": "Space"}, "cut", "Cut: choose one of space, char."),
        ({"factor": "2"}, "factor", "Factor: enter a number."),
        ({"factor": None}, "factor", "Factor: enter a number."),
        ({"factor": -0.5}, "factor", "Factor must be 0 or more."),
        ({"factor": math.nan}, "factor", "Factor must be 0 or more."),
        ({"factor": math.inf}, "factor", "Factor must be 0 or more."),
        ({"factor": 10**400}, "factor", "Factor must be 0 or more."),
        ({"share": 1.5}, "share", "Share must be from 0 to 1."),
        ({"weights": "0.4;0.6"}, "weights", "Weights: enter numbers with commas between them."),
        ({"weights": 3}, "weights", "Weights: enter numbers with commas between them."),
        ({"weights": [0.4, 2]}, "weights", "Weights must be from 0 to 1."),
        ({"weights": "nan"}, "weights", "Weights must be from 0 to 1."),
        ({"cut": "char", "order": 9}, "order", "Nine characters are too many."),
    ],
)
def test_refusal_names_the_option_and_says_what_to_enter(
    values: dict[str, object], field: str, message: str
) -> None:
    refused = refusal(**values)
    assert (refused.field, refused.message) == (field, message)


def test_unknown_option_is_refused_with_the_known_ones_and_without_echo() -> None:
    refused = refusal(secret_word=1)
    assert refused.field == "options"
    assert "secret_word" not in refused.message
    assert "cut, factor, lowercase, order, share, weights" in refused.message


def test_bounds_themselves_are_allowed() -> None:
    for order in (1, 9):
        assert Sample(order=order).order == order
    for share in (0, 1):
        assert Sample(share=share).share == share


def test_written_options_are_what_the_api_takes() -> None:
    made = Sample(weights=(0.1, 0.30000000000000004), share=0.5)
    assert made.written() == {
        "lowercase": True,
        "order": 4,
        "cut": "space",
        "factor": 2.0,
        "share": 0.5,
        "weights": "0.1,0.30000000000000004",
    }
    assert Sample.of(made.written()) == made


def test_signature_holds_every_option_in_order() -> None:
    assert signature("sample", "1", Sample(), "1.0") == (
        "sample|refs:1|case:lc|n:4|cut:space|factor:2|share:default|weights:default|v1.0"
    )
    changed = Sample(
        lowercase=False, order=9, factor=0.1, share=1 / 3, weights=(0.5, 0.25), cut="space"
    )
    assert signature("sample", "1-3", changed, "1.0") == (
        "sample|refs:1-3|case:mixed|n:9|cut:space|factor:0.1|share:0.3333333333333333"
        "|weights:0.5,0.25|v1.0"
    )


def test_signature_tells_numbers_apart_to_the_last_bit() -> None:
    near = math.nextafter(0.1, 1)
    assert spec("factor").signed(0.1) != spec("factor").signed(near)
    assert float(spec("factor").signed(near).partition(":")[2]) == near


def test_flag_without_words_of_its_own_is_yes_or_no() -> None:
    plain = OptionSpec("shifts", "flag", True, "Shifts")
    assert (plain.signed(True), plain.signed(False)) == ("shifts:yes", "shifts:no")
