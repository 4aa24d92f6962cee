"""Counting many segments at once gives what counting each by itself gives, to the last bit."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from calculators.scoring import AnyMetric, Budget, Corpus, Segment
from calculators.scoring.metric import Counts
from calculators.scoring.text import arrays
from calculators.scoring.text.arrays import (
    Block,
    Texts,
    Vocabularies,
    batches,
    new_vocabulary,
    shared_ngrams,
    word_symbols,
)
from calculators.scoring.text.ngrams import count_ngrams
from calculators.scoring.text.tokenizers import tokenizer
from tests.record_sets import NAMES, lines

from .registered import every_metric, random_corpus, random_value


def counted(
    metric: AnyMetric,
    corpus: Corpus,
    values: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    *,
    worth: int,
) -> list[Counts]:
    """The counts, with arrays for batches of ``worth`` characters or more."""
    monkeypatch.setattr(arrays, "LEAST_SIZE", worth)
    options, budget = metric.options_for("", values, of_corpus=True), Budget.unlimited()
    return list(metric.measure(metric.prepare(corpus, options, budget), corpus.segments, budget))


ALWAYS, NEVER = 0, 10**12


@every_metric
def test_arrays_count_what_is_counted_one_by_one_in_random_texts(
    metric: AnyMetric, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = random.Random(metric.slug)
    for _ in range(150):
        corpus = random_corpus(source, segments=source.choice([1, 2, 7]))
        values = {spec.name: random_value(spec, source) for spec in metric.options.specs()}
        monkeypatch.setattr(arrays, "SEGMENTS_AT_ONCE", source.choice([2, 4096]))
        together = counted(metric, corpus, values, monkeypatch, worth=ALWAYS)
        assert together == counted(metric, corpus, values, monkeypatch, worth=NEVER)


@pytest.mark.parametrize("name", NAMES)
@every_metric
def test_arrays_count_what_is_counted_one_by_one_in_real_texts(
    metric: AnyMetric, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = ["ref", "refB"] if name.startswith("wmt") else ["ref"]
    for streams in (both, ["ref"]):
        parts = [lines(f"{name}.{part}")[:400] for part in ("sysA", *streams)]
        corpus = Corpus.from_lines(parts[0], parts[1:])
        together = counted(metric, corpus, {}, monkeypatch, worth=ALWAYS)
        assert together == counted(metric, corpus, {}, monkeypatch, worth=NEVER)


@pytest.mark.parametrize("key_bits", [63, 24, 16])
def test_shared_ngrams_are_those_of_the_definition(
    key_bits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # With few bits a key holds few symbols, so that n-grams are numbered anew on the way.
    monkeypatch.setattr(arrays, "KEY_BITS", key_bits)
    source, orders = random.Random(key_bits), 7
    split = tokenizer("none", lowercase=False)
    for _ in range(200):
        segments = random_corpus(source, segments=source.randint(1, 5)).segments
        texts = Texts.of(segments)
        tokens, vocabulary = split.of_all(texts.texts), new_vocabulary()
        symbols = word_symbols(tokens, vocabulary)
        words = list(vocabulary)
        block = Block.of(texts, symbols)
        found = {}
        for shared in shared_ngrams(block, orders):
            for segment, counts, first in zip(
                shared.segments, shared.counts.T, shared.first(), strict=True
            ):
                ngram = tuple(words[symbol - 1] for symbol in symbols[first:][: shared.order])
                found[int(segment), ngram] = [*map(int, counts)]
                assert symbols[: first + 1].tolist().count(0) == segment
                assert ngram not in ngrams_before(symbols, words, int(first), shared.order)
        assert found == {
            (number, ngram): counts + [0] * (len(shared.counts) - len(counts))
            for number, segment in enumerate(segments)
            for ngram, counts in defined(segment, orders).items()
        }


def test_vocabularies_number_the_symbols_of_each_segment_and_compare_its_bags() -> None:
    source, split = random.Random(5), tokenizer("none", lowercase=False)
    for _ in range(200):
        segments = random_corpus(source, segments=source.randint(1, 5)).segments
        texts = Texts.of(segments)
        block = Block.of(texts, word_symbols(split.of_all(texts.texts), new_vocabulary()))
        vocabularies = Vocabularies.of(block)
        together = vocabularies.of_own(block).tolist()
        own: list[dict[str, int]] = [{} for _ in segments]
        for owner, text in zip(texts.owners.tolist(), texts.texts, strict=True):
            for word in text.split():
                symbol = together.pop(0)
                assert own[owner].setdefault(word, symbol) == symbol > 0
            assert together.pop(0) == 0
        for numbers in own:
            assert sorted(numbers.values()) == [*range(1, len(numbers) + 1)]
        common = vocabularies.in_common(block)
        for place, segment in enumerate(segments):
            bag = Counter(segment.hypothesis.split())
            for stream, reference in enumerate(segment.references):
                assert common[stream, place] == (bag & Counter(reference.split())).total()


def defined(segment: Segment, orders: int) -> dict[tuple[str, ...], list[int]]:
    """How often hypothesis and each reference have the n-grams that they share."""
    hypothesis, *references = [
        sum(count_ngrams(text.split(), orders), Counter())
        for text in (segment.hypothesis, *segment.references)
    ]
    return {
        ngram: [count, *(reference[ngram] for reference in references)]
        for ngram, count in hypothesis.items()
        if any(ngram in reference for reference in references)
    }


def ngrams_before(
    symbols: np.ndarray[Any, Any], words: list[str], first: int, order: int
) -> set[tuple[str, ...]]:
    """The n-grams that start in the same text before ``first``."""
    start = max((place + 1 for place in range(first) if symbols[place] == 0), default=0)
    text = [words[symbol - 1] for symbol in symbols[start : first + order - 1]]
    return {tuple(text[i : i + order]) for i in range(first - start)}


def test_batches_hold_all_segments_in_order_and_end_at_their_limits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(arrays, "SEGMENTS_AT_ONCE", 3)
    monkeypatch.setattr(arrays, "SIZE_AT_ONCE", 10)
    segments = [Segment("x" * size, ("y",)) for size in (1, 1, 1, 9, 50, 1, 2)]
    parts = list(batches(segments))
    assert [segment for part in parts for segment in part] == segments
    assert [len(part) for part in parts] == [3, 1, 1, 2]
    assert list(batches([])) == []


def test_a_batch_holds_fewer_segments_of_many_references_and_none_that_is_huge() -> None:
    one, many = Segment("a" * 100, ("b",)), Segment("a" * 100, ("b",) * 100)
    assert len(next(batches([one] * 2000))) > 50 * len(next(batches([many] * 2000)))
    assert arrays.is_worth_arrays([one] * 100)
    assert not arrays.is_worth_arrays([one])
    assert not arrays.is_worth_arrays([one] * 100 + [Segment("a" * 40_000, ("b",) * 100)])


@every_metric
def test_segments_are_read_as_they_are_needed(metric: AnyMetric) -> None:
    corpus = Corpus.of("the cat sat on the rug", ["the cat sat on the mat"])
    prepared = metric.prepare(corpus, metric.options(), Budget.unlimited())
    read = 0

    def endless() -> Any:
        nonlocal read
        while True:
            read += 1
            yield corpus.segments[0]

    counts = metric.measure(prepared, endless(), Budget.unlimited())
    assert next(counts) == next(counts)
    assert read <= arrays.SEGMENTS_AT_ONCE
