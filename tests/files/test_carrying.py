"""What a page carries comes back as it was: texts, counts, findings and figures."""

from __future__ import annotations

import base64
import random
import zlib

import pytest

from calculators.files.choices import Choice, chosen, offered
from calculators.files.comparison import Comparison, Pair, Settings, Standing
from calculators.files.counts import CountTable, shape_of
from calculators.files.doctor import Effect, Finding, Place, Remedy
from calculators.files.model import Material, Origin, ReferenceSet, System
from calculators.files.sheet import finished, measure
from calculators.files.state import State, packed, unpacked
from calculators.scoring import Budget, ScoringError
from tests.scoring.registered import random_corpus

EVERY_CHOICE = [choice for row in offered() for choice in row]
SEED = 20261130


def material(seed: int = SEED, segments: int = 12) -> Material:
    """Two systems and two sets of references, some missing, some empty."""
    corpora = [random_corpus(random.Random(seed + number), segments) for number in range(2)]
    systems = tuple(
        System(f"S{number}", tuple(segment.hypothesis for segment in corpus.segments))
        for number, corpus in enumerate(corpora)
    )
    first = tuple(segment.references[0] for segment in corpora[0].segments)
    second = tuple(line if place % 3 else None for place, line in enumerate(first))
    references = (ReferenceSet("R", first), ReferenceSet("R2", second, ("bom",)))
    return Material(systems, references)


@pytest.mark.parametrize("choice", EVERY_CHOICE, ids=lambda choice: choice.key)
def test_counts_come_back_exactly_and_sum_up_as_before(choice: Choice) -> None:
    corpus = random_corpus(random.Random(SEED), 30)
    run = choice.metric.evaluate(corpus, choice.options)
    table = CountTable.of(run.counts)
    back = CountTable.read(shape_of(choice.metric, choice.options), *table.written(), len(table))
    assert back.all() == run.counts
    assert [type(n) for n in back[0].row()] == [type(n) for n in run.counts[0].row()]
    assert back.total() == run.total
    assert back.total([3, 4]) == type(run.total).total(run.counts[3:5])


def test_columns_that_are_cut_are_no_table() -> None:
    choice = EVERY_CHOICE[0]
    run = choice.metric.evaluate(random_corpus(random.Random(SEED), 5), choice.options)
    like = shape_of(choice.metric, choice.options)
    types, data = CountTable.of(run.counts).written()
    for changed in (data[:-1], data + b"\0"):
        with pytest.raises(ValueError):
            CountTable.read(like, types, changed, 5)


def test_a_state_comes_back_whole() -> None:
    origin = Origin("tmx", "m.tmx", b"\x00\xff<tmx/>", ("S0",), (0, None, 2))
    texts = Material(
        **{name: getattr(material(), name) for name in ("systems", "references")},
        sources=("a",) * 12,
        ids=("x",) * 12,
        notes=("read so",),
        origins=(origin,),
    )
    choices = chosen([choice.key for choice in EVERY_CHOICE[:3]])
    sheet = finished(measure(texts, choices, {}, Budget.unlimited()))
    finding = Finding(
        "kind",
        "warning",
        "message",
        (Place("S0", (1, 2), 5),),
        (Effect("M", "S0", None, 0.5, 2, "%"),),
        Remedy("key", "label"),
        "Chinese",
    )
    comparison = Comparison(
        Settings("randomisation", 500, 3, None),
        (Standing("k", 0, 0.1, None, 0.3),),
        (Pair("k", 0, 1, -0.1, 0.02, 0.04),),
    )
    state = State(texts, sheet.tables, (finding,), comparison, sheet.notes)
    back = unpacked(packed(state))
    assert back.notes == sheet.notes
    assert back.material == texts
    assert back.findings == (finding,)
    assert back.comparison == comparison
    assert {key: [table.all() for table in tables] for key, tables in back.tables.items()} == {
        key: [table.all() for table in tables] for key, tables in sheet.tables.items()
    }


def test_numbers_of_another_version_are_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    choices = chosen([EVERY_CHOICE[0].key])
    sheet = finished(measure(material(), choices, {}, Budget.unlimited()))
    text = packed(State(material(), sheet.tables))
    monkeypatch.setattr("calculators.files.state.VERSION", "0.0")
    assert unpacked(text).tables == {}
    assert unpacked(text).material == material()


@pytest.mark.parametrize("text", ["", "=", "AAAA", "é", "A" * 1_000])
def test_what_is_no_state_is_refused(text: str) -> None:
    with pytest.raises(ScoringError, match="did not come back whole"):
        unpacked(text)


def test_a_state_that_would_be_huge_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    from calculators.files import state

    body = zlib.compress(b"\0" * 100_000)
    text = base64.b64encode(state._signature(body) + body).decode()
    monkeypatch.setattr(state, "MOST_BYTES", 10_000)
    with pytest.raises(ScoringError, match="did not come back whole"):
        unpacked(text)


def test_progress_counts_every_segment_of_every_metric_and_system() -> None:
    choices = chosen([choice.key for choice in EVERY_CHOICE[:2]])
    work = measure(material(), choices, {}, Budget.unlimited())
    news = list(work)
    assert [each.done for each in news] == list(range(1, 2 * 2 * 12 + 1))
    assert {each.total for each in news} == {2 * 2 * 12}


def test_a_sheet_scores_as_the_metric_scores() -> None:
    choices = chosen([choice.key for choice in EVERY_CHOICE])
    texts = material()
    sheet = finished(measure(texts, choices, {}, Budget.unlimited()))
    for choice in choices:
        for system in range(2):
            run = choice.metric.run(texts.corpus(system), preset=choice.preset.name, of_corpus=True)
            assert sheet.value(choice, system) == run.result.value
            assert sheet.scores(choice, system) == list(run.segments)
            assert sheet.notes[choice.key][system] == run.notes
            again = sheet.run(choice, system, Budget.unlimited())
            assert again.result == run.result
            assert again.detail(4) == run.detail(4)
            assert again.signature == run.signature
