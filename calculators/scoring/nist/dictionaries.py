"""NIST by dictionaries: the faster way for a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat
from math import log

from ..budget import Budget
from ..corpus import Corpus, Segment
from ..text.arrays import new_vocabulary
from ..text.ngrams import Ngram
from ..text.tokenizers import Tokenizer, tokenizer
from .counts import NistCounts, NistOptions, unigram_base, winner

Codes = list[int]  # words or n-grams as numbers, see Dictionaries
Tally = Mapping[int, int]  # how often each occurs


@dataclass(frozen=True)
class Dictionaries:
    """The weights of a corpus as dictionaries, and how its texts become numbers.

    A word is its place in the vocabulary of the references, from 1; the number after the last
    stands for all words that no reference has. An n-gram is the number whose digits are its
    words, to the base ``radix``. So ``code // radix`` is the n-gram without its last word, 0 the
    one without a word, and a longer n-gram has a greater code; and integers are counted faster
    than tuples of words.
    """

    options: NistOptions
    tokenize: Tokenizer
    vocabulary: Mapping[str, int]
    radix: int  # the words of the vocabulary and two more
    references: Mapping[str, Codes]  # the words of every reference, by its text
    ngrams: Mapping[str, Codes]  # their n-grams, kept for a single segment only
    counts: Tally  # of the n-grams of all references; for 0 what a single word is held against
    prefixes: Tally  # the same, but where a tool counts prefixes in its own way
    has_one_reference: bool  # in all of the corpus

    def words_of(self, text: str) -> Codes:
        """The words of any text as numbers."""
        return list(map(self.vocabulary.get, self.tokenize(text), repeat(self.radix - 1)))

    def ngrams_of(self, reference: str) -> Codes:
        """The n-grams of a reference of the corpus."""
        kept = self.ngrams.get(reference)
        if kept is not None:
            return kept
        return _ngrams(self.references[reference], self.radix, self.options.max_order)

    def held(self, reference: str, candidate: Tally) -> Tally:
        """How often a reference of the corpus has each of the candidate n-grams."""
        if self.has_one_reference:
            return self.counts
        return _tally(filter(candidate.__contains__, self.ngrams_of(reference)))

    def occurrences(self, ngram: Ngram) -> int:
        """How often the references of the corpus have it."""
        return self.counts.get(self._code(ngram), 0)

    def prefix_occurrences(self, ngram: Ngram) -> int:
        """How often they have it without its last word."""
        return self.prefixes.get(self._code(ngram) // self.radix, 0)

    def _code(self, ngram: Ngram) -> int:
        """An n-gram as a number."""
        code = 0
        for word in ngram:
            code = code * self.radix + self.vocabulary.get(word, self.radix - 1)
        return code

    def taking_for_false(self, word: str) -> Dictionaries:
        """Weights that pass over ``word`` as a prefix, as Perl does with ``0``."""
        if word not in self.vocabulary:
            return self
        passed_over = {**self.counts, self.vocabulary[word]: self.counts[0]}
        return replace(self, prefixes=passed_over)

    def measure(self, segments: Iterable[Segment], budget: Budget) -> Iterator[NistCounts]:
        """Each segment's counts."""
        for segment in segments:
            budget.spend(len(segment.hypothesis))
            hypothesis = self.words_of(segment.hypothesis)
            lengths = [len(self.references[reference]) for reference in segment.references]
            budget.spend((len(hypothesis) + sum(lengths)) * self.options.max_order)
            yield _counted(self, hypothesis, segment.references, lengths)


def prepare(corpus: Corpus, options: NistOptions, budget: Budget) -> Dictionaries:
    """The weights from all references of the corpus."""
    tokenize = tokenizer(
        options.tokenizer, lowercase=options.lowercase, as_mteval=options.pools_references
    )
    texts = [reference for segment in corpus.segments for reference in segment.references]
    budget.spend(sum(map(len, texts)))
    vocabulary = new_vocabulary()
    coded = {text: list(map(vocabulary.__getitem__, tokenize(text))) for text in texts}
    lengths = [len(coded[text]) for text in texts]
    budget.spend(sum(lengths) * options.max_order)
    radix = len(vocabulary) + 2

    def ngrams_of(text: str) -> Codes:
        return _ngrams(coded[text], radix, options.max_order)

    # The n-grams of a large file would take too much memory to be kept.
    kept = {text: ngrams_of(text) for text in coded} if len(corpus) == 1 else {}
    counts = _tally(chain.from_iterable(kept.get(text) or ngrams_of(text) for text in texts))
    counts[0] = unigram_base(lengths, options)
    only = len(texts) == 1
    return Dictionaries(options, tokenize, vocabulary, radix, coded, kept, counts, counts, only)


def _ngrams(words: Codes, radix: int, max_order: int) -> Codes:
    """The n-grams of a text, order by order and from left to right in each."""
    ngrams, of_order = list(words), words
    for order in range(1, max_order):
        pairs = zip(of_order, words[order:], strict=False)
        of_order = [code * radix + word for code, word in pairs]
        ngrams += of_order
    return ngrams


def _known(weights: Dictionaries, hypothesis: Codes) -> Codes:
    """The n-grams of a hypothesis that any reference has, order by order."""
    counts, radix = weights.counts, weights.radix
    found = [(code, place) for place, code in enumerate(hypothesis, 1) if code in counts]
    known = [code for code, _ in found]
    beyond = len(hypothesis)
    for _ in range(1, weights.options.max_order):
        # A longer one can't be known where its beginning is not.
        longer = [
            (code * radix + hypothesis[place], place + 1) for code, place in found if place < beyond
        ]
        found = [pair for pair in longer if pair[0] in counts]
        known += [code for code, _ in found]
    return known


def _tally(codes: Iterable[int]) -> dict[int, int]:
    """How often each occurs, in the order of first occurrence."""
    # A plain dictionary is read twice as fast as the Counter that fills it.
    return dict(Counter(codes))


def _counted(
    weights: Dictionaries, hypothesis: Codes, references: Sequence[str], lengths: Sequence[int]
) -> NistCounts:
    """The counts of one segment."""
    size = weights.options.max_order
    # Only n-grams of both sides are worth a place in a table.
    candidate = Counter(_known(weights, hypothesis))
    held = [weights.held(reference, candidate) for reference in references]
    chosen: list[float]
    if weights.options.pools_references or len(held) == 1:  # with one there is no choice
        bits, matched = _match(weights, candidate, held[0] if len(held) == 1 else _most(held))
        chosen = [sum(lengths) / len(lengths)] * size
    else:
        matches = [_match(weights, candidate, tally) for tally in held]
        best = [winner([match[0][index] for match in matches], lengths) for index in range(size)]
        bits = [matches[number][0][index] for index, number in enumerate(best)]
        matched = [matches[number][1][index] for index, number in enumerate(best)]
        chosen = [float(lengths[number]) for number in best]
    totals = tuple([max(0, len(hypothesis) - shorter) for shorter in range(size)])
    return NistCounts(tuple(bits), tuple(matched), totals, len(hypothesis), tuple(chosen))


def _most(tallies: Sequence[Tally]) -> Tally:
    """For each n-gram the greatest count that one reference has."""
    most = dict(tallies[0])
    for tally in tallies[1:]:
        for code, count in tally.items():
            most[code] = max(count, most.get(code, 0))
    return most


def _match(weights: Dictionaries, candidate: Tally, held: Tally) -> tuple[list[float], list[int]]:
    """The information of the n-grams that both have, in bits, and how many they are, by order."""
    counts, prefixes, radix = weights.counts, weights.prefixes, weights.radix
    bits, matched = [0.0] * weights.options.max_order, [0] * weights.options.max_order
    index, next_order = 0, radix
    # Added up in the order in which the hypothesis has them, since a tie between references
    # rests on the last bit; and by a plain loop, since sum() rounds otherwise from Python 3.12.
    for code, count in candidate.items():
        if code not in held:
            continue
        while code >= next_order:
            index, next_order = index + 1, next_order * radix
        if count > 1:
            count = min(count, held[code])
        matched[index] += count
        prefix_count, occurrences = prefixes[code // radix], counts[code]
        if prefix_count != occurrences:  # else nothing is told
            # information(), written out: to call it takes as long as the logarithm.
            bits[index] += log(prefix_count / occurrences, 2) * count
    return bits, matched
