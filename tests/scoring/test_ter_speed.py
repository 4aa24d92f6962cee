"""TER's promise of speed, against sacreBLEU in the same run and with the same counts."""

from __future__ import annotations

import random
import time

import pytest
from sacrebleu.metrics.lib_ter import translation_edit_rate

from calculators.scoring import Budget
from calculators.scoring.edits import symbols
from calculators.scoring.ter.shifts import search


@pytest.mark.slow
def test_shuffled_texts_take_less_than_a_tenth_of_sacrebleus_time(
    capsys: pytest.CaptureFixture[str],
) -> None:
    source = random.Random(31)
    pairs = []
    for _ in range(20):
        words = [f"w{source.randrange(70)}" for _ in range(100)]
        pairs.append((source.sample(words, len(words)), words))
    # Processor time, so that a busy machine slows both alike.
    start = time.process_time()
    theirs = [translation_edit_rate(*pair)[0] for pair in pairs]
    between = time.process_time()
    ours = [search(*symbols(*pair), Budget.unlimited()).edits for pair in pairs]
    end = time.process_time()
    assert ours == theirs
    ratio = (between - start) / (end - between)
    with capsys.disabled():
        print(f"\nTER, 20 shuffled pairs of 100 words: x {ratio:.0f}")  # noqa: T201 - the result
    assert ratio > 10
