"""Options as declarations: one field says name, kind, default, bounds, label, help and signature.

Form, API, command line and signature are all read from these declarations.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import Field, dataclass, field, replace
from typing import Any, ClassVar, Self, cast

from .corpus import ScoringError

OptionValue = bool | int | float | str | tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a choice: what is written in the API, what the page calls it, what it does."""

    value: str
    label: str
    help: str = ""


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """The declaration of one option."""

    name: str
    kind: str  # flag, integer, real, optional-real, choice or reals
    default: OptionValue
    label: str
    help: str = ""
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[Choice, ...] = ()
    short: str = ""  # the key in the signature
    shown: tuple[str, str] = ("no", "yes")  # a flag's two values in the signature

    def checked(self, value: object) -> OptionValue:
        """``value`` as this option holds it; ``ScoringError`` where it does not fit."""
        try:
            return _CHECKS[self.kind](self, value)
        except ScoringError as error:
            raise ScoringError(error.message, self.name) from None

    def written(self, value: OptionValue) -> bool | int | float | str | None:
        """``value`` as the API and forms write it: reals joined by commas, all else as it is."""
        if isinstance(value, tuple):
            return ",".join(_plain(number) for number in value)
        return value

    def signed(self, value: OptionValue) -> str:
        """``key:value`` as it stands in the signature."""
        if self.kind == "flag":
            shown = self.shown[bool(value)]
        elif value is None or value == ():
            shown = "default"
        elif isinstance(value, float):
            shown = _plain(value)
        else:
            shown = str(self.written(value))
        return f"{self.short or self.name}:{shown}"


def _plain(number: float) -> str:
    return f"{number:.15g}" if float(f"{number:.15g}") == number else repr(number)


def _flag(spec: OptionSpec, value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise ScoringError(f"{spec.label}: say true or false.")


def _integer(spec: OptionSpec, value: object) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ScoringError(f"{spec.label}: enter a whole number.")
    _within(spec, value)
    return value


def _real(spec: OptionSpec, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ScoringError(f"{spec.label}: enter a number.")
    try:
        number = float(value)
    except OverflowError:
        # An integer of hundreds of digits.
        number = math.inf if value > 0 else -math.inf
    _within(spec, number)
    return number


def _optional_real(spec: OptionSpec, value: object) -> float | None:
    return None if value is None else _real(spec, value)


def _choice(spec: OptionSpec, value: object) -> str:
    if isinstance(value, str) and any(value == choice.value for choice in spec.choices):
        return value
    known = ", ".join(choice.value for choice in spec.choices)
    raise ScoringError(f"{spec.label}: choose one of {known}.")


def _reals(spec: OptionSpec, value: object) -> tuple[float, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        value = [_parsed(spec, part) for part in value.split(",")] if value.strip() else []
    if not isinstance(value, list | tuple):
        raise ScoringError(f"{spec.label}: enter numbers with commas between them.")
    return tuple(_real(spec, number) for number in cast(Sequence[object], value))


def _parsed(spec: OptionSpec, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ScoringError(f"{spec.label}: enter numbers with commas between them.") from None


def _within(spec: OptionSpec, value: int | float) -> None:
    low, high = spec.minimum, spec.maximum
    inside = (low is None or value >= low) and (high is None or value <= high)
    if inside and (isinstance(value, int) or math.isfinite(value)):
        return
    if low is not None and high is not None:
        raise ScoringError(f"{spec.label} must be from {_plain(low)} to {_plain(high)}.")
    if low is not None:
        raise ScoringError(f"{spec.label} must be {_plain(low)} or more.")
    raise ScoringError(f"{spec.label} must be a finite number.")


_CHECKS = {
    "flag": _flag,
    "integer": _integer,
    "real": _real,
    "optional-real": _optional_real,
    "choice": _choice,
    "reals": _reals,
}


def flag(
    default: bool,
    label: str,
    help: str = "",
    *,
    short: str = "",
    shown: tuple[str, str] = ("no", "yes"),
) -> Any:
    """An option that is on or off."""
    return _declared(kind="flag", default=default, label=label, help=help, short=short, shown=shown)


def integer(
    default: int, minimum: int, maximum: int, label: str, help: str = "", *, short: str = ""
) -> Any:
    """A whole number between two bounds, both allowed."""
    return _declared(
        kind="integer",
        default=default,
        minimum=minimum,
        maximum=maximum,
        label=label,
        help=help,
        short=short,
    )


def real(
    default: float | None,
    label: str,
    help: str = "",
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    short: str = "",
) -> Any:
    """A number; with the default ``None`` it may be left out."""
    return _declared(
        kind="optional-real" if default is None else "real",
        default=default,
        minimum=minimum,
        maximum=maximum,
        label=label,
        help=help,
        short=short,
    )


def choice(
    default: str, choices: Iterable[Choice], label: str, help: str = "", *, short: str = ""
) -> Any:
    """One of several named values."""
    return _declared(
        kind="choice",
        default=default,
        choices=tuple(choices),
        label=label,
        help=help,
        short=short,
    )


def reals(
    label: str,
    help: str = "",
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    short: str = "",
) -> Any:
    """Any number of numbers, none by default."""
    return _declared(
        kind="reals",
        default=(),
        minimum=minimum,
        maximum=maximum,
        label=label,
        help=help,
        short=short,
    )


def _declared(**parts: Any) -> Any:
    return field(default=parts["default"], metadata={"spec": OptionSpec(name="", **parts)})


@dataclass(frozen=True)
class Options:
    """The base of every metric's options; making one checks every value."""

    _specs: ClassVar[tuple[OptionSpec, ...]] = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        declared = (
            replace(cast(OptionSpec, value.metadata["spec"]), name=name)
            for name, value in vars(cls).items()
            if isinstance(value, Field) and "spec" in value.metadata
        )
        cls._specs = (*cls._specs, *declared)

    def __post_init__(self) -> None:
        for spec in self.specs():
            object.__setattr__(self, spec.name, spec.checked(getattr(self, spec.name)))
        self.check()

    def check(self) -> None:
        """Raise ``ScoringError`` where options contradict each other; metrics override this."""

    @classmethod
    def specs(cls) -> tuple[OptionSpec, ...]:
        """The declarations, in the order in which they are shown."""
        return cls._specs

    @classmethod
    def of(cls, values: Mapping[str, object]) -> Self:
        """Options from ``values``, the defaults where a name is missing."""
        known = {spec.name for spec in cls.specs()}
        for name in values:
            if name not in known:
                raise ScoringError(
                    f"There is no option of that name. Known: {', '.join(sorted(known))}.",
                    "options",
                )
        return cls(**values)

    def written(self) -> dict[str, bool | int | float | str | None]:
        """Every option by name, as the API writes it."""
        return {spec.name: spec.written(getattr(self, spec.name)) for spec in self.specs()}


def signature(slug: str, references: str, options: Options, version: str) -> str:
    """What was computed and how, in one line: every option is in it, defaults too."""
    parts = [spec.signed(getattr(options, spec.name)) for spec in options.specs()]
    return "|".join([slug, f"refs:{references}", *parts, f"v{version}"])
