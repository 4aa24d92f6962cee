"""Joining what several files hold into one ``Material``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..scoring import ScoringError
from .limits import Limits
from .model import Material, Origin, ReferenceSet, System, counted
from .streams import HYPOTHESIS, REFERENCE, SOURCE, Holding, Stream, naming

_SHOWN = 5  # numbers of segments in a note
_NAMED = {HYPOTHESIS: "system", REFERENCE: "reference", SOURCE: "source"}


def joined(holdings: Sequence[Holding], limits: Limits) -> Material:
    """The streams of all files.

    Files that name their segments are put in one order by these names, where the names agree;
    all others go segment by segment as they stand.
    """
    ordered, keys, notes = _in_one_order(holdings)
    streams = _named_apart([stream for holding in ordered for stream in holding.streams])
    _refuse_missing(streams, limits)
    systems = tuple(_system(stream) for stream in streams if stream.role == HYPOTHESIS)
    notes += [note for stream in streams for note in _missing_hypotheses(stream)]
    return Material(
        systems=systems,
        references=tuple(
            ReferenceSet(stream.name, stream.texts, stream.oddities)
            for stream in streams
            if stream.role == REFERENCE
        ),
        sources=_sources(streams, len(systems[0].hypotheses), notes),
        ids=keys,
        notes=(*(note for holding in holdings for note in holding.notes), *notes),
        origins=tuple(_origins(ordered, streams)),
    )


def _in_one_order(
    holdings: Sequence[Holding],
) -> tuple[list[Holding], tuple[str, ...] | None, list[str]]:
    """The files in the order of the first one's keys, those keys, and notes on what was done."""
    keyed = [holding for holding in holdings if holding.keys is not None]
    if not keyed:
        return list(holdings), None, []
    known = set(keyed[0].keys or ())
    alike = [holding for holding in keyed if _agrees(known, holding.keys or ())]
    own = {id(holding) for holding in alike}
    keys = tuple(dict.fromkeys(key for holding in alike for key in holding.keys or ()))
    is_alone = len(keyed) < len(holdings) or len(alike) < len(keyed)
    if is_alone and len(keys) > len(known):
        # Files without these names go by position, which more segments would shift.
        return list(holdings), None, []
    notes = [
        f"{holding.upload.name}: its segments were put in the order of {keyed[0].upload.name} by"
        " their names."
        for holding in alike
        if holding.keys != keys
    ]
    ordered = [_ordered(holding, keys) if id(holding) in own else holding for holding in holdings]
    return ordered, keys, notes


def _agrees(known: set[str], keys: Sequence[str]) -> bool:
    """Whether most of the names are names of the other file too."""
    shared = sum(key in known for key in keys)
    return 2 * shared > max(len(keys), 1)


def _ordered(holding: Holding, keys: tuple[str, ...]) -> Holding:
    if holding.keys == keys or holding.keys is None:
        return holding
    at = {key: index for index, key in enumerate(holding.keys)}
    streams = tuple(
        replace(
            stream,
            texts=tuple(stream.texts[at[key]] if key in at else None for key in keys),
        )
        for stream in holding.streams
    )
    places = holding.places and tuple(holding.places[at[key]] if key in at else -1 for key in keys)
    return replace(holding, streams=streams, keys=keys, places=places)


def _named_apart(streams: Sequence[Stream]) -> list[Stream]:
    """Streams whose names differ; of equal ones the second is called "name (2)"."""
    taken: set[str] = set()
    apart = []
    for stream in streams:
        name, number = stream.name, 2
        while stream.role != SOURCE and name in taken:
            name, number = f"{stream.name} ({number})", number + 1
        if stream.role != SOURCE:
            taken.add(name)
        apart.append(replace(stream, name=name))
    return apart


def _refuse_missing(streams: Sequence[Stream], limits: Limits) -> None:
    roles = [stream.role for stream in streams]
    if HYPOTHESIS not in roles:
        raise ScoringError("There is no hypothesis to score. Add a file of them.", HYPOTHESIS)
    if REFERENCE not in roles:
        raise ScoringError("There is no reference. Add a file of references.", REFERENCE)
    if len(roles) - roles.count(SOURCE) > limits.streams:
        raise ScoringError(
            f"There are more than {limits.streams} systems and references. Leave some out."
        )


def _system(stream: Stream) -> System:
    return System(stream.name, tuple(text or "" for text in stream.texts), stream.oddities)


def _missing_hypotheses(stream: Stream) -> list[str]:
    missing = [number for number, text in enumerate(stream.texts, 1) if text is None]
    if stream.role != HYPOTHESIS or not missing:
        return []
    first = ", ".join(f"{number:,}" for number in missing[:_SHOWN])
    more = ", ..." if len(missing) > _SHOWN else ""
    segments = "1 segment" if len(missing) == 1 else f"{len(missing):,} segments"
    return [f"{stream.name} has no hypothesis for {segments} ({first}{more}): scored as empty."]


def _sources(streams: Sequence[Stream], segments: int, notes: list[str]) -> tuple[str, ...] | None:
    """The first source text with as many segments as the hypotheses."""
    given = [stream for stream in streams if stream.role == SOURCE]
    if not given:
        return None
    fitting = [stream for stream in given if len(stream.texts) == segments]
    if not fitting:
        notes.append(
            f"{given[0].name}: the source has {counted(len(given[0].texts))}, the hypotheses have"
            f" {counted(segments)}; the source was left out."
        )
        return None
    return tuple(text or "" for text in fitting[0].texts)


def _origins(holdings: Sequence[Holding], streams: Sequence[Stream]) -> list[Origin]:
    origins, first = [], 0
    for holding in holdings:
        own = streams[first : first + len(holding.streams)]
        first += len(holding.streams)
        if holding.format:
            places = tuple(None if place < 0 else place for place in holding.places)
            systems = tuple(stream.name for stream in own if stream.role == HYPOTHESIS)
            upload = holding.upload
            origins.append(Origin(holding.format, upload.name, upload.data, systems, places))
    return origins


def refuse_what_is_no_text(holding: Holding) -> None:
    """Raise ``ScoringError`` where a segment, a name or an id holds NUL or half a character.

    The message says where it stands and does not repeat it: half a character can't be shown.
    """
    with naming(holding.upload):
        numbers = dict.fromkeys(_NAMED, 0)
        for stream in holding.streams:
            numbers[stream.role] += 1
            place = f"the name or heading of {_NAMED[stream.role]}"
            _refuse_faults([stream.name], place, numbers[stream.role])
            _refuse_faults(stream.texts, "segment")
        _refuse_faults(holding.keys or (), "the id of segment")


def _refuse_faults(texts: Sequence[str | None], place: str, first: int = 1) -> None:
    for number, text in enumerate(texts, first):
        if text is None or text.isascii():
            found = "a NUL character" if text and "\0" in text else ""
        else:
            found = _fault(text)
        if found:
            raise ScoringError(f"{place} {number:,} holds {found}; take it out")


def _fault(text: str) -> str:
    if "\0" in text:
        return "a NUL character"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "half a character (a lone surrogate)"
    return ""
