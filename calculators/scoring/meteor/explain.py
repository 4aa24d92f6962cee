"""METEOR's working, shown."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from ..explain import (
    Cell,
    Check,
    Column,
    Derivation,
    Elsewhere,
    Link,
    Links,
    Section,
    Step,
    Table,
    Tile,
    Tiles,
    Verdict,
)
from ..metric import Evaluation
from .align import STAGES, Lexicon, Pair, align
from .chunks import FewestChunks
from .counts import MeteorCounts, MeteorOptions, MeteorResult, Rules, counts_of, rate
from .trace import MeteorTrace, ReferenceTrace

Run: TypeAlias = Evaluation[MeteorOptions, Rules, MeteorCounts, MeteorTrace, MeteorResult]

# Words of a side that are drawn; more would be no drawing any more.
MOST_DRAWN = 400
MOST_ROWS = 200


def explain(run: Run) -> tuple[Section, ...]:
    """The working of the whole run."""
    return (
        _verdict(run),
        _tiles(run),
        _matches_twice(run) if run.is_sentence else _mean_twice(run),
        _derivation(run.counts[0], run.options) if run.is_sentence else _mean(run),
        _by_stage(run),
    )


def detail(run: Run, index: int) -> tuple[Section, ...]:
    """The working of one segment."""
    trace = run.trace(index)
    sections: list[Section] = [] if run.is_sentence else [_derivation(trace.counts, run.options)]
    pairs = trace.best.alignment.pairs
    sections.append(_links(run, trace, "Which words are joined", _AS_NLTK, pairs))
    fewest = trace.fewest
    if fewest is not None and _is_better(fewest, trace.counts):
        sections.append(_fewest_links(run, trace, fewest))
    if any(trace.best.alignment.stages[1:]):
        sections.append(_unlike_pairs(run, trace))
    if len(trace.references) > 1:
        sections.append(_by_reference(trace, run.options))
    return tuple(sections)


_AS_NLTK = (
    "As NLTK joins them: each stage starts at the end of the hypothesis and takes the last word"
    " of the reference that is still free. Words with one number form a chunk."
)


def _verdict(run: Run) -> Verdict:
    result = run.result
    if not result.matches:
        return Verdict(("No word of the hypothesis is joined to one of a reference.",))
    joined = (
        f"{result.matches:,} of {_many(result.hypothesis_length, 'word')} of the hypothesis are"
        f" joined to words of the reference, which has {result.reference_length:,}, in"
        f" {_many(result.chunks, 'chunk')}."
    )
    if not run.is_sentence:
        return Verdict((f"The mean of {run.total.segments:,} segments. Over all of them {joined}",))
    return Verdict((f"{joined} The fewer the chunks, the smaller the penalty for word order.",))


def _many(count: int, one: str, many: str = "") -> str:
    return f"{count:,} {one}" if count == 1 else f"{count:,} {many or one + 's'}"


def _tiles(run: Run) -> Tiles:
    result = run.result
    summed = "" if run.is_sentence else "from the summed counts"
    return Tiles(
        (
            Tile("Precision", result.precision, note=summed),
            Tile("Recall", result.recall, note=summed),
            Tile("F-mean", result.fmean, note=summed),
            Tile("Matches", result.matches, "count"),
            Tile("Chunks", result.chunks, "count"),
            Tile("Penalty", result.penalty, note=summed),
        )
    )


def _matches_twice(run: Run) -> Check:
    """The matches once from the links, once from the texts as bags of words."""
    trace, lexicon = run.trace(0), run.prepared.lexicon
    here, there = (
        Counter(map(lexicon.base, words)) for words in (trace.compared, trace.best.compared)
    )
    unit = "words" if lexicon.stems is None else "stems"
    return Check(
        quantity="Matches",
        first_way="links of the alignment",
        first=len(trace.best.alignment.pairs),
        second_way=f"{unit} that both texts have, whatever their order, and synonyms",
        second=(here & there).total() + len(trace.best.alignment.stages[2]),
        digits=0,
    )


def _mean_twice(run: Run) -> Check:
    scores = [counts.rating(run.options).score for counts in run.counts]
    return Check(
        quantity="METEOR",
        first_way="sum of the scores over the number of segments",
        first=run.result.value,
        second_way="mean of the segments' scores, each worked out from its counts",
        second=math.fsum(scores) / len(scores),
    )


def _derivation(counts: MeteorCounts, options: MeteorOptions) -> Derivation:
    """From matches and lengths to a segment's score."""
    title = "From the matches to the score"
    if not counts.matches:
        return Derivation(title, (Step("METEOR", "0 where no word is joined", "", 0.0),))
    rating, alpha = counts.rating(options), options.alpha
    precision, recall = f"{rating.precision:.4f}", f"{rating.recall:.4f}"
    return Derivation(
        title,
        (
            Step(
                "Precision P",
                "matches ÷ hypothesis words",
                f"{counts.matches} ÷ {counts.hypothesis_length}",
                rating.precision,
            ),
            Step(
                "Recall R",
                "matches ÷ reference words",
                f"{counts.matches} ÷ {counts.reference_length}",
                rating.recall,
            ),
            Step(
                "F-mean F",
                "P R ÷ (α P + (1 − α) R)",
                f"{precision} × {recall} ÷ ({alpha:g} × {precision} + {1 - alpha:g} × {recall})",
                rating.fmean,
            ),
            Step(
                "Fragmentation",
                "chunks ÷ matches",
                f"{counts.chunks} ÷ {counts.matches}",
                rating.fragmentation,
            ),
            Step(
                "Penalty",
                "γ × fragmentation^β",
                f"{options.gamma:g} × {rating.fragmentation:.4f}^{options.beta:g}",
                rating.penalty,
            ),
            Step(
                "METEOR",
                "F × (1 − penalty)",
                f"{rating.fmean:.4f} × (1 − {rating.penalty:.4f})",
                counts.score,
            ),
        ),
    )


def _mean(run: Run) -> Derivation:
    total, result = run.total, run.result
    return Derivation(
        "From the segments to the score",
        (
            Step("Sum", "of the segments' scores", f"{total.segments} scores", total.score),
            Step(
                "METEOR",
                "sum ÷ segments",
                f"{total.score:.4f} ÷ {total.segments}",
                result.value,
            ),
        ),
    )


def _by_stage(run: Run) -> Table:
    result, options = run.result, run.options
    switched_on = (True, options.stemming, options.synonyms)
    rows = [
        (stage.capitalize(), count, _share(count, result.matches))
        if on
        else (f"{stage.capitalize()} (off)", None, None)
        for stage, count, on in zip(STAGES, result.stages, switched_on, strict=True)
    ]
    return Table(
        title="Matches by stage",
        caption="Each stage joins only words that the stages before it left over.",
        columns=(
            Column("Stage"),
            Column("Matches", "count"),
            Column("Share of all matches", "percent"),
        ),
        rows=(*rows, ("All", result.matches, _share(result.matches, result.matches))),
    )


def _share(count: int, of: int) -> float | None:
    return count / of if of else None


def _links(run: Run, trace: MeteorTrace, title: str, caption: str, pairs: Sequence[Pair]) -> Links:
    drawn = tuple(_numbered(run.prepared.lexicon, trace, pairs))
    shown = tuple(
        link for link in drawn if link.hypothesis < MOST_DRAWN and link.reference < MOST_DRAWN
    )
    return Links(
        title,
        caption,
        trace.hypothesis[:MOST_DRAWN],
        trace.best.words[:MOST_DRAWN],
        shown,
        omitted=len(drawn) - len(shown),
    )


def _numbered(lexicon: Lexicon, trace: MeteorTrace, pairs: Sequence[Pair]) -> Iterable[Link]:
    """The pairs as links, with the stage that joins each and the number of its chunk."""
    chunk, expected = 0, None
    for pair in pairs:
        here, there = pair
        chunk += pair != expected
        expected = (here + 1, there + 1)
        stage = lexicon.stage(trace.compared[here], trace.best.compared[there])
        yield Link(here, there, stage, chunk)


def _is_better(fewest: FewestChunks, counts: MeteorCounts) -> bool:
    """Whether the search found more matches or fewer chunks than NLTK's alignment has."""
    return (-len(fewest.pairs), fewest.chunks) < (-counts.matches, counts.chunks)


def _fewest_links(run: Run, trace: MeteorTrace, fewest: FewestChunks) -> Links:
    proof = "No alignment with as many matches has fewer." if fewest.proven else _AT_MOST
    caption = (
        f"The alignment that METEOR's papers ask for: {_many(fewest.chunks, 'chunk')} where NLTK"
        f" has {trace.counts.chunks}. {proof} It does not change the score above."
    )
    return _links(run, trace, "With the fewest chunks", caption, fewest.pairs)


_AT_MOST = "The text repeats so many words that the search was cut short: fewer may be possible."


def _unlike_pairs(run: Run, trace: MeteorTrace) -> Table:
    """The pairs of words that differ, with the stems that were compared."""
    _, stem_pairs, synonym_pairs = trace.best.alignment.stages
    lexicon = run.prepared.lexicon
    pairs = sorted((*stem_pairs, *synonym_pairs))
    rows = tuple(_unlike(lexicon, trace, pair) for pair in pairs[:MOST_ROWS])
    return Table(
        title="Joined though they differ",
        caption="Synonyms are looked up by the stem, as NLTK does, not by the word itself.",
        columns=(
            Column("Hypothesis", "tokens"),
            Column("Reference", "tokens"),
            Column("Stage"),
            Column("Compared as", "tokens"),
            Column("With", "tokens"),
        ),
        rows=rows,
        omitted=len(pairs) - len(rows),
    )


def _unlike(lexicon: Lexicon, trace: MeteorTrace, pair: Pair) -> tuple[Cell, ...]:
    here, there = trace.compared[pair[0]], trace.best.compared[pair[1]]
    return (
        (trace.hypothesis[pair[0]],),
        (trace.best.words[pair[1]],),
        lexicon.stage(here, there),
        (lexicon.base(here),),
        (lexicon.base(there),),
    )


def _by_reference(trace: MeteorTrace, options: MeteorOptions) -> Table:
    shown = trace.references[:MOST_ROWS]
    return Table(
        title="By reference",
        caption="The reference with the highest score counts; of equals the first.",
        columns=(
            Column("Reference", "count"),
            Column("Words", "count"),
            Column("Matches", "count"),
            Column("Chunks", "count"),
            Column("Precision", "number"),
            Column("Recall", "number"),
            Column("F-mean", "number"),
            Column("Penalty", "number"),
            Column("METEOR", "number"),
        ),
        rows=tuple(_against(number, one, options) for number, one in enumerate(shown, 1)),
        marked_row=trace.best_index if trace.best_index < len(shown) else None,
        mark="best",
        omitted=len(trace.references) - len(shown),
    )


def _against(number: int, reference: ReferenceTrace, options: MeteorOptions) -> tuple[Cell, ...]:
    counts, rating = reference.counts, reference.counts.rating(options)
    return (
        number,
        counts.reference_length,
        counts.matches,
        counts.chunks,
        rating.precision,
        rating.recall,
        rating.fmean,
        rating.penalty,
        counts.score,
    )


def elsewhere(run: Run) -> tuple[Elsewhere, ...]:
    """What other readings of METEOR give for one segment; for a file nothing is added."""
    if not run.is_sentence:
        return ()
    trace = run.trace(0)
    told = [_with_fewest_chunks(trace, trace.fewest, run.options)] if trace.fewest else []
    if run.options.synonyms and run.options.stemming:
        told.append(_with_words_looked_up(trace, run.options))
    return tuple(told)


def _with_fewest_chunks(
    trace: MeteorTrace, fewest: FewestChunks, options: MeteorOptions
) -> Elsewhere:
    matches, counts = len(fewest.pairs), trace.counts
    rating = rate(
        matches, fewest.chunks, counts.hypothesis_length, counts.reference_length, options
    )
    why = (
        f"As the papers ask: most matches ({matches}), then fewest chunks"
        f" ({fewest.chunks}, NLTK has {counts.chunks})."
    )
    return Elsewhere(
        "METEOR with the fewest chunks", rating.score, why if fewest.proven else f"{why} {_AT_MOST}"
    )


def _with_words_looked_up(trace: MeteorTrace, options: MeteorOptions) -> Elsewhere:
    lexicon = Lexicon.of(stemming=True, synonyms=True, looks_up_stems=False)
    scores = [
        counts_of(
            align(trace.compared, one.compared, lexicon),
            len(trace.hypothesis),
            len(one.words),
            options,
        ).score
        for one in trace.references
    ]
    return Elsewhere(
        "METEOR with synonyms of the words themselves",
        max(scores),
        "NLTK asks WordNet for stems, so that car and automobile (automobil) do not meet.",
    )


def notes(run: Run) -> tuple[str, ...]:
    """Sentences on what is odd about this score."""
    if not run.is_sentence:
        return (_MEAN,)
    trace = run.trace(0)
    return (*_never_quite_one(trace, run.options), *_on_chunks(trace))


_MEAN = "NLTK has no METEOR of a whole file: the score is the mean of the segments' scores."


def _never_quite_one(trace: MeteorTrace, options: MeteorOptions) -> list[str]:
    counts = trace.counts
    if trace.compared != trace.best.compared or not counts.matches or not options.gamma:
        return []
    return [
        f"The words are identical, and METEOR is still below 1: {_many(counts.chunks, 'chunk')} in"
        f" {_many(counts.matches, 'match', 'matches')} cost {options.gamma:g} ×"
        f" ({counts.chunks} ÷ {counts.matches})^{options.beta:g}"
        f" = {counts.rating(options).penalty:.4f}."
    ]


def _on_chunks(trace: MeteorTrace) -> list[str]:
    fewest = trace.fewest
    if fewest is None or not _is_better(fewest, trace.counts):
        return []
    counts = trace.counts
    return [
        f"NLTK's alignment has {_many(counts.matches, 'match', 'matches')} in"
        f" {_many(counts.chunks, 'chunk')}; the papers ask for the one with most matches and then"
        f" fewest chunks, here {len(fewest.pairs)} in {fewest.chunks}. The score is NLTK's."
    ]
