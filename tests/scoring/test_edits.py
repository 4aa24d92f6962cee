"""Edit distance, alignment, beam and the search for shifts, held to sacreBLEU's own functions."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from rapidfuzz.distance import Levenshtein
from sacrebleu.metrics.lib_ter import BeamEditDistance, translation_edit_rate

from calculators.scoring import Budget, BudgetExceeded
from calculators.scoring.edits import (
    bit_masks,
    edit_distance,
    operations,
    plain_operations,
    symbols,
    words_in_common,
)
from calculators.scoring.ter.beam import Beam, beam_holds
from calculators.scoring.ter.shifts import Outcome, counted, moved, search, without_shifts

FREE = Budget.unlimited()
LENGTHS = (1, 2, 3, 7, 24, 25, 26, 49, 60, 90)


def some_words(source: random.Random, length: int, vocabulary: int) -> list[str]:
    return [f"w{source.randrange(vocabulary)}" for _ in range(length)]


def reworded(source: random.Random, words: list[str]) -> list[str]:
    """``words`` with a few words dropped, put in, replaced, and blocks moved."""
    words = list(words)
    for _ in range(source.randrange(1, 7)):
        start = source.randrange(len(words))
        match source.randrange(4):
            case 0 if len(words) > 1:
                del words[start]
            case 1:
                words.insert(start, f"w{source.randrange(60)}")
            case 2:
                words[start] = f"w{source.randrange(60)}"
            case _:
                block = words[start : start + source.randrange(1, 13)]
                del words[start : start + len(block)]
                target = source.randrange(len(words) + 1)
                words[target:target] = block
    return words


def pairs(seed: int, many: int, lengths: tuple[int, ...] = LENGTHS) -> list[tuple[str, str]]:
    """Pairs of symbol strings: reworded, rotated, shuffled and unrelated; many ties and repeats."""
    source = random.Random(seed)
    found = []
    for _ in range(many):
        vocabulary = source.choice((2, 3, 8, 40, 200))
        hypothesis = some_words(source, source.choice(lengths), vocabulary)
        cut = source.randrange(len(hypothesis))
        reference = source.choice(
            (
                reworded(source, hypothesis),
                reworded(source, reworded(source, hypothesis)),
                hypothesis[cut:] + hypothesis[:cut],
                source.sample(hypothesis, len(hypothesis)),
                some_words(source, source.choice(lengths), vocabulary),
            )
        )
        found.append(symbols(hypothesis, reference))
    return found


def by_sacrebleu(hypothesis: str, reference: str) -> tuple[int, str]:
    """sacreBLEU's distance and its operations by our letters."""
    distance, steps = BeamEditDistance(list(reference))(list(hypothesis))
    return distance, steps.translate(str.maketrans(" sid", "=SID"))


def beam_for(hypothesis: str, reference: str) -> Beam:
    return Beam.of(len(hypothesis), reference, bit_masks(reference), FREE)


def applied(hypothesis: str, reference: str, steps: str) -> str:
    """What the operations make of the hypothesis; matches are checked on the way."""
    ours, theirs = iter(hypothesis), iter(reference)
    made = []
    for step in steps:
        word = None if step == "I" else next(ours)
        target = None if step == "D" else next(theirs)
        assert (step == "=") == (word == target)
        if target is not None:
            made.append(target)
    assert next(ours, None) is None
    return "".join(made)


def test_equal_words_share_a_symbol_and_unknown_words_match_nothing() -> None:
    hypothesis, reference = symbols(["a", "x", "b", "y"], ["b", "a", "c"])
    assert hypothesis[0] == reference[1]
    assert hypothesis[2] == reference[0]
    assert hypothesis[1] not in reference
    assert hypothesis[3] not in reference
    assert len(set(reference)) == 3


def test_more_words_than_surrogates_begin_at_still_compare() -> None:
    words = [str(number) for number in range(60_000)]
    hypothesis, reference = symbols(words[:59_000], words)
    assert edit_distance(hypothesis, reference, FREE) == 1_000


def test_operations_break_ties_as_sacrebleu_does() -> None:
    compared = 0
    for hypothesis, reference in pairs(1, 400):
        distance = edit_distance(hypothesis, reference, FREE)
        if beam_holds(len(hypothesis), len(reference), distance):
            steps = operations(hypothesis, reference, distance, FREE)
            assert (distance, steps) == by_sacrebleu(hypothesis, reference)
            compared += distance > 0
    assert compared > 150


@pytest.mark.parametrize(
    ("hypothesis", "reference", "steps"),
    [
        ("", "", ""),
        ("", "ab", "II"),
        ("ab", "", "DD"),
        ("ab", "ab", "=="),
        # Read from the end: b = b, then a = a, the first a goes.
        ("aab", "ab", "D=="),
        # Substituting twice beats a deletion with an insertion by the tie-break.
        ("ab", "ba", "SS"),
    ],
)
def test_operations_of_small_pairs(hypothesis: str, reference: str, steps: str) -> None:
    distance = edit_distance(hypothesis, reference, FREE)
    assert operations(hypothesis, reference, distance, FREE) == steps


def test_plain_operations_turn_the_hypothesis_into_the_reference() -> None:
    for hypothesis, reference in pairs(2, 200):
        steps = plain_operations(hypothesis, reference, FREE)
        assert applied(hypothesis, reference, steps) == reference
        assert len(steps) - steps.count("=") == Levenshtein.distance(hypothesis, reference)


def test_beam_finds_what_sacrebleu_finds() -> None:
    lengths = (1, 2, 10, 30, 60, 100, 140)
    beaten = 0
    for hypothesis, reference in [*pairs(3, 150, lengths), *_uneven()]:
        beam = beam_for(hypothesis, reference)
        run = beam.run(hypothesis)
        expected = by_sacrebleu(hypothesis, reference)
        assert (run.distance, beam.operations(hypothesis, run)) == expected
        beaten += run.distance > Levenshtein.distance(hypothesis, reference)
    assert beaten > 5, "no pair in which the beam makes a difference"


def _uneven() -> list[tuple[str, str]]:
    """Lengths whose ratio moves the beam by many columns a row, by none, or widens it.

    In the second half the best path runs along an edge of the beam, or would like to.
    """
    source = random.Random(4)
    lengths = ((2, 150), (3, 200), (7, 400), (1, 90), (49, 147), (150, 2), (130, 31), (31, 130))
    unrelated = [
        symbols(some_words(source, rows, vocabulary), some_words(source, columns, vocabulary))
        for rows, columns in lengths
        for vocabulary in (3, 30)
    ]
    at_the_edge = []
    for _ in range(40):
        words = some_words(source, source.randrange(40, 80), source.choice((2, 3, 30)))
        more = some_words(source, source.randrange(40, 120), 3)
        at_the_edge += [symbols(more + words, words), symbols(words, more + words)]
    return unrelated + at_the_edge


def test_changed_text_has_the_distance_of_a_whole_run_or_is_not_below() -> None:
    source = random.Random(5)
    for hypothesis, reference in pairs(6, 120, (10, 40, 90, 140)):
        beam = beam_for(hypothesis, reference)
        known = beam.run(hypothesis)
        length = len(hypothesis)
        first, middle, last = sorted(source.randrange(length + 1) for _ in range(3))
        text = moved(hypothesis, first, middle - first, last)
        whole = beam.run(text).distance
        span = (first, length)
        assert beam.distance_if_below(whole, text, known, *span) is None
        assert beam.distance_if_below(whole + 1, text, known, *span) == whole
        assert beam.distance_if_below(whole + 9, text, known, *span) == whole


def test_beam_holds_only_where_it_changes_nothing() -> None:
    held = refused = 0
    for hypothesis, reference in pairs(7, 300, (24, 25, 26, 40, 74, 100)):
        distance = Levenshtein.distance(hypothesis, reference)
        if beam_holds(len(hypothesis), len(reference), distance):
            assert by_sacrebleu(hypothesis, reference)[0] == distance
            held += len(reference) > 24
        else:
            refused += 1
    assert held > 50
    assert refused > 30


def test_moves_keep_the_words_and_swap_two_neighbouring_stretches() -> None:
    # Hand working. To the left: before the word at the gap. To the right beyond one length:
    # before the word at the gap. Within one length: the gap counts without the block.
    assert moved("abcdef", 3, 2, 1) == "adebcf"
    assert moved("abcdef", 0, 2, 5) == "cdeabf"
    assert moved("abcdef", 0, 2, 1) == "cabdef"
    assert moved("abcdef", 0, 2, 2) == "cdabef"
    assert moved("abcdef", 2, 2, 2) == "abcdef"
    assert moved("abcdef", 4, 2, 6) == "abcdef"


def check_search(outcome: Outcome, hypothesis: str, reference: str) -> None:
    """The outcome's own figures fit together."""
    text = hypothesis
    for move in outcome.moves:
        assert move.edits_after < move.edits_before
        text = moved(text, move.start, move.length, move.gap)
    for before, after in pairwise(outcome.moves):
        assert before.edits_after >= after.edits_before
    assert text == outcome.text
    insertions, deletions, substitutions = counted(outcome, reference)
    assert insertions + deletions + substitutions == outcome.distance
    assert insertions - deletions == len(reference) - len(hypothesis)
    assert outcome.unlimited == Levenshtein.distance(hypothesis, reference)
    if outcome.steps is not None:
        assert applied(outcome.text, reference, outcome.steps) == reference


def test_search_finds_as_many_edits_as_sacrebleu() -> None:
    moves = 0
    for hypothesis, reference in pairs(8, 300, (1, 2, 4, 9, 16, 26)):
        outcome = search(hypothesis, reference, FREE)
        edits, _ = translation_edit_rate(list(hypothesis), list(reference))
        assert outcome.edits == edits
        check_search(outcome, hypothesis, reference)
        moves += len(outcome.moves)
    assert moves > 150


def test_search_agrees_where_the_beam_makes_a_difference() -> None:
    unlike = 0
    for hypothesis, reference in pairs(9, 14, (56, 64, 72)):
        outcome = search(hypothesis, reference, FREE)
        edits, _ = translation_edit_rate(list(hypothesis), list(reference))
        assert outcome.edits == edits
        check_search(outcome, hypothesis, reference)
        distance = Levenshtein.distance(hypothesis, reference)
        unlike += not beam_holds(len(hypothesis), len(reference), distance)
    assert unlike > 3


def test_operations_not_worked_out_have_the_numbers_that_sacrebleu_traces() -> None:
    known = 0
    for hypothesis, reference in pairs(10, 300, (3, 9, 20)):
        outcome = search(hypothesis, reference, FREE)
        if outcome.steps is None:
            steps = by_sacrebleu(outcome.text, reference)[1]
            numbers = (steps.count("I"), steps.count("D"), steps.count("S"))
            assert counted(outcome, reference) == numbers
            known += outcome.distance > 0
    assert known > 50


def test_at_1000_candidates_the_search_stops_and_drops_that_rounds_shift() -> None:
    # A 60-word sentence rotated by 30: 100 % in sacreBLEU; without the limit three shifts of
    # ten words each put it right.
    words = [f"w{number}" for number in range(60)]
    hypothesis, reference = symbols(words[30:] + words[:30], words)
    stopped = search(hypothesis, reference, FREE)
    assert stopped.stopped
    assert stopped.edits == translation_edit_rate(list(hypothesis), list(reference))[0] == 60
    assert search(hypothesis, reference, FREE, limit=None).edits == 3


def test_a_block_of_eleven_words_costs_two_shifts() -> None:
    words = "abcdefghijk"
    assert search(words[:10] + "xyz", "xyz" + words[:10], FREE).edits == 1
    assert search(words + "xyzuvwrstopq", "xyzuvwrstopq" + words, FREE).edits == 2


def test_no_shift_changes_the_bound_by_bags_of_words() -> None:
    for hypothesis, reference in pairs(11, 200):
        least = max(len(hypothesis), len(reference)) - words_in_common(hypothesis, reference)
        assert search(hypothesis, reference, FREE).distance >= least
        assert without_shifts(hypothesis, reference, FREE).distance >= least


def test_an_empty_side_needs_no_shift() -> None:
    for hypothesis, reference in (("", ""), ("", "abc"), ("abc", "")):
        outcome = search(hypothesis, reference, FREE)
        assert (outcome.edits, outcome.moves) == (len(hypothesis + reference), ())


def test_long_searches_are_refused_by_the_budget() -> None:
    source = random.Random(12)
    words = [str(number) for number in range(3_000)]
    hypothesis, reference = symbols(source.sample(words, len(words)), words)
    with pytest.raises(BudgetExceeded):
        search(hypothesis, reference, Budget(steps=1_000_000))
