"""The edits of TER one by one lead from the hypothesis to the reference."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from calculators.scoring import AnyEvaluation, Corpus
from calculators.scoring.explain import Player, State
from calculators.scoring.ter import METRIC


def players(run: AnyEvaluation) -> list[Player]:
    return [section for section in run.detail(0) if isinstance(section, Player)]


def test_the_steps_lead_from_the_hypothesis_to_the_reference_by_one_edit_each() -> None:
    source = random.Random(5)
    for _ in range(150):
        words = list("abcdefg")
        hypothesis = " ".join(source.choice(words) for _ in range(source.randint(0, 9)))
        reference = " ".join(source.choice(words) for _ in range(source.randint(1, 9)))
        run = METRIC.run(Corpus.of(hypothesis, [reference]))
        if not run.result.edits:
            assert players(run) == []
            continue
        (player,) = players(run)
        states = player.states
        assert len(states) == run.result.edits + 1
        assert states[0].words == tuple(hypothesis.split())
        assert states[-1].words == tuple(reference.split())
        for before, after in pairwise(states):
            assert_one_edit(before, after)


def assert_one_edit(before: State, after: State) -> None:
    """That the step changes nothing but what it says."""
    put = after.words[after.start : after.start + after.length]
    rest = after.words[: after.start] + after.words[after.start + after.length :]
    if after.operation == "Sh":
        starts = range(len(before.words) - len(put) + 1)
        assert any(
            before.words[at : at + len(put)] == put
            and before.words[:at] + before.words[at + len(put) :] == rest
            for at in starts
        )
        return
    assert (len(put), len(after.gone)) == {"S": (1, 1), "I": (1, 0), "D": (0, 1)}[after.operation]
    assert before.words == rest[: after.start] + after.gone + rest[after.start :]


def test_the_steps_come_in_the_order_shifts_substitutions_insertions_deletions() -> None:
    run = METRIC.run(Corpus.of("d e f a b c x y", ["a b c d e f z"]))
    (player,) = players(run)
    order = ["", "Sh", "S", "I", "D"]
    places = [order.index(state.operation) for state in player.states]
    assert places == sorted(places)
    assert places[1] == 1


def test_the_steps_of_a_long_text_are_counted_where_they_are_left_out() -> None:
    run = METRIC.run(Corpus.of("x " * 400, ["y " * 400]), values={"shifts": False})
    (player,) = players(run)
    assert len(player.states) + player.omitted == 401
    assert player.omitted > 0
    assert sum(len(state.words) for state in player.states) <= 4_000


def test_a_long_text_is_shown_around_each_edit(monkeypatch: pytest.MonkeyPatch) -> None:
    source = random.Random(9)
    words = [f"w{number}" for number in range(50)]
    hypothesis = source.choices(words, k=120)
    reference = [source.choice(words) if source.random() < 0.2 else word for word in hypothesis]
    texts = Corpus.of(" ".join(hypothesis), [" ".join(reference[20:] + reference[:20])])
    (near,) = players(METRIC.run(texts))
    monkeypatch.setattr("calculators.scoring.ter.player.LONGEST_WHOLE", 1_000)
    monkeypatch.setattr("calculators.scoring.ter.player.MOST_PLAYED_WORDS", 100_000)
    (whole,) = players(METRIC.run(texts))
    assert len(near.states) == len(whole.states) > 10
    for cut, state in zip(near.states, whole.states, strict=True):
        before, after = cut.skipped
        end = len(state.words) - after
        assert cut.words == state.words[before:end]
        assert before + cut.start == state.start
        assert before == max(0, state.start - 8)
        assert end == min(len(state.words), state.start + state.length + 8)
