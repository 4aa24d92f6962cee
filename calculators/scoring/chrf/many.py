"""chrF of many segments at once, and of many totals, in arrays.

Arrays of n-gram counts have a row an order, of characters and then of words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat

import numpy as np

from ..budget import Budget
from ..corpus import Segment
from ..metric import Scores
from ..text.arrays import (
    Block,
    Integers,
    Texts,
    batches,
    is_worth_arrays,
    new_vocabulary,
    rows,
    shared_ngrams,
    word_symbols,
)
from ..text.tokenizers import Tokens, tokenizer
from .counts import EPSILON, ChrfCounts, ChrfOptions, cost, one_by_one, words

# What str.split() splits at. There is none beyond.
SPACES = np.array([code for code in range(0x3001) if chr(code).isspace()], np.uint32)


def measure(
    options: ChrfOptions, segments: Iterable[Segment], budget: Budget
) -> Iterator[ChrfCounts]:
    """Each segment's counts, those of its best reference."""
    for batch in batches(segments):
        count = _together if is_worth_arrays(batch) else one_by_one
        yield from count(options, batch, budget)


def _together(
    options: ChrfOptions, segments: Sequence[Segment], budget: Budget
) -> Iterator[ChrfCounts]:
    budget.spend(sum(cost(segment, options) for segment in segments))
    texts = Texts.of(segments)
    written = [text.lower() for text in texts.texts] if options.lowercase else texts.texts
    parts = [(Block.of(texts, _characters(written, options)), options.char_order)]
    if options.word_order:
        parts.append((Block.of(texts, _words(written)), options.word_order))
    here, there, counted = _best(parts, options)
    alone = scores_of(here, there, counted, options)
    score = np.where(counted.any(axis=0), alone, 0.0).tolist()
    columns = [rows(part.T) for part in (here, there, counted)]
    yield from ChrfCounts.of_columns(score, repeat(1), *columns, many=len(score))


def _best(
    parts: Sequence[tuple[Block, int]], options: ChrfOptions
) -> tuple[Integers, Integers, Integers]:
    """Each segment's n-grams of hypothesis and best reference, and how many match."""
    lengths = parts[0][0].lengths
    totals = [_totals(parts, stream) for stream in range(len(lengths))]
    matched = _matched(parts, len(totals))
    best, here, there, counted = np.full(lengths.shape[1], -1.0), totals[0], totals[0], matched[0]
    for stream in range(1, len(totals)):
        own = np.where(totals[stream] > 0, totals[0], 0)
        # sacreBLEU compares its own numbers, which end at 100; of equals the first one counts.
        scores = 100 * scores_of(own, totals[stream], matched[stream], options)
        wins = (lengths[stream] >= 0) & (scores > best)
        best = np.where(wins, scores, best)
        here, there = np.where(wins, own, here), np.where(wins, totals[stream], there)
        counted = np.where(wins, matched[stream], counted)
    return here, there, counted


def _totals(parts: Sequence[tuple[Block, int]], stream: int) -> Integers:
    """How many n-grams the texts of a stream have."""
    return np.vstack([block.totals(stream, orders).T for block, orders in parts])


def _matched(parts: Sequence[tuple[Block, int]], streams: int) -> Integers:
    """How many n-grams match the references of each stream; of stream 0 none."""
    size, segments = sum(orders for _, orders in parts), parts[0][0].lengths.shape[1]
    matched = np.zeros((streams, size, segments), np.int64)
    before = 0
    for block, orders in parts:
        for shared in shared_ngrams(block, orders):
            for stream in range(1, streams):
                row = before + shared.order - 1
                matched[stream, row] = block.by_segment(shared, shared.clipped(stream))
        before += orders
    return matched


def _characters(texts: Sequence[str], options: ChrfOptions) -> Integers:
    """The characters of the texts as symbols, with a 0 after each text."""
    # Lone surrogates have no UTF-32, but can come in as JSON.
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    owners = np.repeat(np.arange(len(texts)), list(map(len, texts)))
    if not options.whitespace:
        counted = ~np.isin(codes, SPACES)
        codes, owners = codes[counted], owners[counted]
    occurs = np.zeros(int(codes.max(initial=0)) + 1, np.int64)
    occurs[codes] = 1
    symbols = np.zeros(len(codes) + len(texts), np.int64)
    symbols[np.arange(len(codes)) + owners] = np.cumsum(occurs)[codes]
    return symbols


def _words(texts: Sequence[str]) -> Integers:
    """The words of the texts as symbols, with a 0 after each text."""
    tokens = tokenizer("none", lowercase=False).of_all(texts)
    split = {token: tuple(words(token)) for token in dict.fromkeys(tokens.words)}
    flat = list(chain.from_iterable(map(split.__getitem__, tokens.words)))
    return word_symbols(Tokens(flat, tokens.end, len(texts)), new_vocabulary())


def scores_of(
    hypothesis: Scores, reference: Scores, matched: Scores, options: ChrfOptions
) -> Scores:
    """chrF of many counts, a column each: the steps of ``Held.sacrebleu_score``, bit for bit.

    In the precision of the counts, if they are not integers.
    """
    kind = np.result_type(matched, np.float32)
    weight = options.beta**2
    absent = EPSILON if options.eps_smoothing else 0.0
    precision = _divided(matched, hypothesis, np.full(matched.shape, absent, kind))
    recall = _divided(matched, reference, np.full(matched.shape, absent, kind))
    if options.eps_smoothing:
        below = weight * precision + recall
        above = (1 + weight) * precision * recall
        return _sum(_divided(above, below, np.full_like(below, EPSILON))) / options.orders
    both = (hypothesis > 0) & (reference > 0)
    orders = np.maximum(both.sum(axis=0), 1).astype(kind)
    precision, recall = (_sum(np.where(both, part, 0)) / orders for part in (precision, recall))
    below = weight * precision + recall
    # With beta 0 there is something below even where nothing matches.
    above = (1 + weight) * precision * recall
    return _divided(above, np.where(above > 0, below, 0), np.zeros_like(below))


def _divided(above: Scores, below: Scores, otherwise: Scores) -> Scores:
    """The quotient, and ``otherwise`` where it would be by 0."""
    quotient: Scores = np.divide(above, below, out=otherwise, where=below > 0)
    return quotient


def _sum(rows: Scores) -> Scores:
    """The sum of the rows, one added after the other: NumPy's own may group them."""
    total: Scores = np.zeros_like(rows[0])
    for row in rows:
        total = total + row
    return total


def score_all(counts: ChrfCounts, options: ChrfOptions) -> Scores | None:
    """The scores of many totals, in per cent, rounded as sacreBLEU's.

    None where not the pooled counts are scored.
    """
    if options.average == "segments":
        return None
    hypothesis, reference, matched = map(
        np.stack, (counts.hypothesis, counts.reference, counts.matched)
    )
    scores = 100 * scores_of(hypothesis, reference, matched, options)
    return np.where(matched.any(axis=0), scores, 0)
