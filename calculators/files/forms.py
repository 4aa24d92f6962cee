"""What is sent to the page for files, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict

from ..forms import ShownError
from ..reading import with_line_feeds
from ..scoring import ScoringError
from ..scoring.text.splitting import WAYS, Way
from . import state
from .choices import Choice, chosen, offered, preset_key_of, usual
from .comparison import (
    DEFAULT_RESAMPLES,
    DEFAULT_SEED,
    EVERY_PAIR,
    FEWEST_RESAMPLES,
    LARGEST_SEED,
    METHODS,
    MOST_RESAMPLES,
    Comparison,
    Settings,
)
from .doctor import Remedy
from .limits import Limits, too_large
from .model import Material, Upload
from .read import ReadSettings, read
from .segments import View
from .tmx import TARGET_LANGUAGE

ENDS = ("source", "target")
FILE_FIELDS = {"systems": "hypothesis", "references": "reference", "sources": "source", "both": ""}
TEXT_BOXES = (  # name, label, role, name of what is pasted
    ("system_1", "System A", "hypothesis", "System A"),
    ("system_2", "System B", "hypothesis", "System B"),
    ("reference_1", "Reference", "reference", "Reference"),
    ("reference_2", "Reference 2", "reference", "Reference 2"),
    ("table", "Table with headings", "", "Table with headings.tsv"),
)
FINDINGS = "findings"  # in place of a field: what is odd about the files
AS_PRESETS = "as each preset splits it"
NOTHING = "Choose files or paste text: at least one system's output and one reference."


class Box(NamedTuple):
    """A text box as the page shows it."""

    name: str
    label: str
    text: str
    errors: list[str]


@dataclass(frozen=True, slots=True)
class Offer:
    """A preset as the page offers it."""

    choice: Choice
    is_checked: bool


class FilesForm:
    """Files or pasted texts, or what the page carries of earlier ones; metrics; the comparison.

    What was changed on the page, new files among it, counts only with the button that scores. Every
    other button asks for more of the results that the page shows.
    """

    def __init__(self, data: QueryDict, files: MultiValueDict[str, Any]) -> None:
        self.data = data
        self.files = files
        self.errors: dict[str, list[str]] = {}
        self.is_bound = True

    @classmethod
    def empty(cls) -> FilesForm:
        """The form of a page that nothing was sent to."""
        form = cls(QueryDict(), MultiValueDict())
        form.is_bound = False
        return form

    def refuse(self, error: ScoringError, field: str = "") -> None:
        """Set a refusal beside the field that it is about, else at the top of the page."""
        self.errors.setdefault(field, []).append(error.message)

    # What was sent

    @cached_property
    def uploads(self) -> tuple[Upload, ...]:
        """The files and the pasted texts."""
        sent = [
            Upload(file.name or name, file.read(), role)
            for name, role in FILE_FIELDS.items()
            for file in self.files.getlist(name)
            if isinstance(file, UploadedFile)
        ]
        pasted = [
            Upload(called, text.encode(errors="surrogatepass"), role)
            for name, _, role, called in TEXT_BOXES
            if (text := with_line_feeds(self.data.get(name, ""))).strip()
        ]
        return (*sent, *pasted)

    @cached_property
    def carried(self) -> state.State | None:
        """What the page carried; None where it carried nothing that is still wanted."""
        text = self.data.get("state", "")
        if not text or (self.is_to_score and self.uploads):
            return None
        try:
            return state.unpacked(text)
        except ScoringError as error:
            self.refuse(error)
            return None

    @property
    def is_to_score(self) -> bool:
        """Whether the button was pressed that scores what stands in the fields."""
        return "score" in self.data

    @property
    def scored(self) -> Comparison | None:
        """What the page shows, where more of it is asked for; its settings are in force then."""
        return self.carried.comparison if self.carried and not self.is_to_score else None

    @cached_property
    def remedy(self) -> Remedy | None:
        """The remedy asked for; None where none was or it is unknown."""
        key = self.data.get("remedy", "")
        try:
            return Remedy.of(key) if key else None
        except ScoringError as error:
            self.refuse(error)
            return None

    @cached_property
    def material(self) -> Material | None:
        """The texts in force; None, with an error set, where there are none.

        Of files that are too large the page's script sends their size alone.
        """
        if self.carried or not self.is_bound:
            return self.carried.material if self.carried else None
        if self._bytes_withheld > self.reading.limits.bytes:
            message = too_large(self._bytes_withheld, self.reading.limits)
            self.refuse(ScoringError(message), "systems")
            return None
        if not self.uploads:
            if not self.errors:
                self.refuse(ScoringError(NOTHING), "systems")
            return None
        try:
            return read(self.uploads, self.reading)
        except ScoringError as error:
            self.refuse(error, self._field_of(error.field))
            return None

    @property
    def _bytes_withheld(self) -> int:
        text = self.data.get("bytes", "")
        return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0

    def _field_of(self, role: str) -> str:
        """Where on the page the upload of that role came from; the language where that is asked."""
        if role == TARGET_LANGUAGE:
            return role
        sent = (name for name, its in FILE_FIELDS.items() if its == role and self.files.get(name))
        pasted = (n for n, _, its, _ in TEXT_BOXES if its == role and self.data.get(n, "").strip())
        return next(sent, next(pasted, "systems"))

    @property
    def reading(self) -> ReadSettings:
        """How the files are read."""
        source, target = (self.data.get(f"{each}_language", "").strip() for each in ENDS)
        return ReadSettings(Limits.of_site(), source_language=source, target_language=target)

    @property
    def splitting(self) -> str:
        """The way to split text without spaces; empty: as each preset does."""
        if self._split_at_once:
            return self._split_at_once
        return self.carried.splitting if self.carried and self.scored else self._asked_splitting

    @property
    def _split_at_once(self) -> str:
        """The way that a button of the input doctor asks for, for the results shown."""
        return _way(self.data.get("split", ""))

    @property
    def _asked_splitting(self) -> str:
        """The way that is marked in the form."""
        return self._split_at_once or _way(self.data.get("splitting", ""))

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """The metrics asked for."""
        try:
            sent = self.scored.keys if self.scored else self.data.getlist("metrics")
            return chosen(map(preset_key_of, sent), self.splitting)
        except ScoringError as error:
            self.refuse(error, "metrics")
            return ()

    @cached_property
    def settings(self) -> Settings | None:
        """How to compare; None, with errors set, where that does not fit."""
        if self.scored:
            return self.scored.settings
        resamples = self._whole("resamples", DEFAULT_RESAMPLES, FEWEST_RESAMPLES, MOST_RESAMPLES)
        seed = self._whole("seed", DEFAULT_SEED, 0, LARGEST_SEED)
        method = self.data.get("method", "")
        if resamples is None or seed is None:
            return None
        method = method if method in METHODS else next(iter(METHODS))
        return Settings(method, resamples, seed, self._baseline)

    @property
    def _baseline(self) -> int | None:
        asked = self.data.get("baseline", "")
        if asked == EVERY_PAIR:
            return None
        systems = len(self.material.systems) if self.material else 0
        return number_below(asked, systems) or 0

    def _whole(self, name: str, default: int, least: int, most: int) -> int | None:
        text = self.data.get(name, "").strip()
        if not text:
            return default
        if text.isascii() and text.isdigit() and len(text) < 12 and least <= int(text) <= most:
            return int(text)
        message = f"{name.capitalize()} must be a whole number from {least:,} to {most:,}."
        self.refuse(ScoringError(message), name)
        return None

    @cached_property
    def view(self) -> View:
        """What of the result is to be seen."""
        return View.of(self.data)

    def is_valid(self) -> bool:
        """Whether everything that was sent can be used."""
        # Each is looked at, so that every error is told at once.
        parts = (self.material, self.choices, self.settings, self.remedy)
        return not self.errors and all(part is not None for part in parts[:3])

    # What is shown

    @property
    def boxes(self) -> list[Box]:
        """The text boxes. What they held is carried once it is read."""
        keep = bool(self.errors or self.scored)
        return [
            Box(
                name,
                label,
                with_line_feeds(self.data.get(name, "")) if keep else "",
                self.errors.get(name, []),
            )
            for name, label, _, _ in TEXT_BOXES
        ]

    @property
    def has_pasted(self) -> bool:
        """Whether a text box holds something."""
        return any(box.text for box in self.boxes)

    @property
    def has_language(self) -> bool:
        """Whether a language was typed, or is asked for."""
        names = [f"{end}_language" for end in ENDS]
        return any(self.shown[name] or name in self.errors for name in names)

    @property
    def offers(self) -> list[list[Offer]]:
        """The presets of every metric, and whether each is chosen."""
        sent = set(self.data.getlist("metrics"))
        first = {choice.preset_key for choice in usual()}
        marked = sent if self.is_bound else first
        return [[Offer(choice, choice.preset_key in marked) for choice in row] for row in offered()]

    @property
    def splittings(self) -> list[tuple[str, str, bool]]:
        """The ways to split text without spaces: name, label, whether chosen."""
        told = (("", AS_PRESETS), *((way.name, f"{way.label}: {way.tool}") for way in WAYS))
        return [(name, label, name == self._asked_splitting) for name, label in told]

    @property
    def ways(self) -> tuple[Way, ...]:
        """What each of them does."""
        return WAYS

    @property
    def shown(self) -> Mapping[str, str]:
        """What stands in the fields of the comparison."""
        data = self.data
        return {
            "resamples": data.get("resamples") or str(DEFAULT_RESAMPLES),
            "seed": data.get("seed") or str(DEFAULT_SEED),
            "method": data.get("method") or next(iter(METHODS)),
            "baseline": data.get("baseline") or "0",
            **{f"{end}_language": data.get(f"{end}_language", "") for end in ENDS},
        }

    @property
    def is_changed(self) -> bool:
        """Whether fields hold something else than what the results shown were scored by."""
        if not self.scored:
            return False
        settings, shown = self.scored.settings, self.shown
        in_force = {
            "resamples": str(settings.resamples),
            "seed": str(settings.seed),
            "method": settings.method,
            "baseline": EVERY_PAIR if settings.baseline is None else str(settings.baseline),
        }
        return (
            bool(self.uploads)
            or set(self.data.getlist("metrics")) != set(map(preset_key_of, self.scored.keys))
            or self._asked_splitting != self.splitting
            or any(shown[name] != value for name, value in in_force.items())
        )

    @property
    def methods(self) -> list[tuple[str, str, bool]]:
        """The methods: name, label, whether chosen."""
        return [(name, label, name == self.shown["method"]) for name, label in METHODS.items()]

    @property
    def baselines(self) -> list[tuple[str, str, bool]]:
        """What the systems can be held against."""
        systems: Sequence[str] = (
            [system.name for system in self.material.systems]
            if (self.is_bound and self.material)
            else ["the first system"]
        )
        rows = [(str(number), name) for number, name in enumerate(systems)]
        rows.append((EVERY_PAIR, "every pair of systems"))
        return [(value, label, value == self.shown["baseline"]) for value, label in rows]

    @property
    def error_list(self) -> list[ShownError]:
        """Every error, for the summary at the top of the page."""
        return [
            ShownError(f"id_{name}" if name and name != FINDINGS else name, "", message)
            for name, messages in self.errors.items()
            for message in messages
        ]


def _way(name: str) -> str:
    """The name where it is one of a way to split text, else nothing."""
    return name if any(way.name == name for way in WAYS) else ""


def number_below(text: str, end: int) -> int | None:
    """The whole number that ``text`` writes, from 0 and below ``end``; None for anything else."""
    # Nine digits hold every number of a segment; int() refuses thousands of them.
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        return None
    return int(text) if int(text) < end else None
