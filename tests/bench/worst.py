"""The longest calculations that a public form can be made to do: known ones, and a search.

Each is a whole page: the score, all of the working, the notes and the other tools' numbers, with
the budget of the site: answered or refused, it takes no longer than that.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import astuple, dataclass, replace

from calculators.scoring import METRICS, AnyMetric, Budget, BudgetExceeded, Corpus, Segment

from .pairs import Goal, peak_megabytes, say

# The site's bound on one text, settings.MTCALC_TEXT_SECONDS, and what a page may take with it.
SECONDS, MOST, MEGABYTES = 1.6, 2.0, 500
SEARCH_SECONDS = 20.0  # for each metric


@dataclass(frozen=True, slots=True)
class Case:
    """Two texts made from a few numbers, at the cap of the metric's form."""

    words: int  # in each text, as far as the cap allows
    vocabulary: int
    change: str  # how the hypothesis differs from the reference
    share: float = 1.0  # of the words that are changed
    lines: int = 1  # segments that the text is cut into
    word: str = "w"  # what words begin with
    seed: int = 1

    def corpus(self, most_characters: int) -> Corpus:
        """The texts, cut to the cap."""
        source = random.Random(self.seed)
        reference = [f"{self.word}{source.randrange(self.vocabulary)}" for _ in range(self.words)]
        hypothesis = CHANGES[self.change](list(reference), self.share, source)
        pairs = [
            (hypothesis[i :: self.lines], reference[i :: self.lines]) for i in range(self.lines)
        ]
        cap = most_characters // self.lines
        return Corpus(tuple(Segment(" ".join(h)[:cap], (" ".join(r)[:cap],)) for h, r in pairs))

    def neighbour(self, source: random.Random) -> Case:
        """A case that differs from this one a little."""
        return replace(
            self,
            words=max(2, min(25_000, int(self.words * source.choice([0.5, 0.8, 1, 1.25, 2])))),
            vocabulary=max(1, int(self.vocabulary * source.choice([0.25, 0.5, 0.8, 1, 1.3, 2, 4]))),
            change=source.choice([self.change] * 3 + [*CHANGES]),
            share=min(1.0, max(0.01, self.share * source.choice([0.3, 0.7, 1, 1.4, 3]))),
            lines=max(1, int(self.lines * source.choice([0.3, 1, 1, 1, 3]))),
            seed=source.randrange(1_000),
        )


def _shuffled(words: list[str], share: float, source: random.Random) -> list[str]:
    picked = sorted(source.sample(range(len(words)), int(share * len(words))))
    moved = [words[i] for i in picked]
    source.shuffle(moved)
    for i, word in zip(picked, moved, strict=True):
        words[i] = word
    return words


def _rotated(words: list[str], share: float, _source: random.Random) -> list[str]:
    cut = int(share * len(words)) // 2
    return words[cut:] + words[:cut]


def _blocks(words: list[str], share: float, source: random.Random) -> list[str]:
    size = max(1, int(len(words) * (1 - share)) // 4)
    blocks = [words[i : i + size] for i in range(0, len(words), size)]
    source.shuffle(blocks)
    return [word for block in blocks for word in block]


def _replaced(words: list[str], share: float, source: random.Random) -> list[str]:
    return [f"x{source.randrange(9)}" if source.random() < share else word for word in words]


def _reversed(words: list[str], share: float, _source: random.Random) -> list[str]:
    cut = int(share * len(words))
    return words[:cut][::-1] + words[cut:]


def _drawn(words: list[str], _share: float, source: random.Random) -> list[str]:
    return source.choices(words, k=len(words))


CHANGES: dict[str, Callable[[list[str], float, random.Random], list[str]]] = {
    "shuffled": _shuffled,
    "rotated": _rotated,
    "blocks": _blocks,
    "replaced": _replaced,
    "reversed": _reversed,
    "drawn": _drawn,
}

KNOWN = (
    Case(1_000, 10**6, "shuffled"),
    Case(2_000, 10**6, "shuffled"),
    Case(10_000, 2, "shuffled"),
    Case(10_000, 2, "rotated", 0.01, word=""),
    Case(4_000, 4_000, "shuffled", word=""),
    Case(25_000, 10, "shuffled", word=""),
    Case(500, 12, "rotated"),
    Case(1_000, 12, "rotated"),
    Case(2_000, 12, "rotated"),
    Case(10_000, 1, "replaced", 0.1, word=""),
    Case(8_000, 16_000, "replaced", word=""),
    Case(8_000, 10**6, "shuffled", lines=160, word=""),
    Case(12_000, 40, "shuffled", lines=240, word=""),
    Case(12_000, 40, "blocks", 0.9, lines=240, word=""),
)


def taken(metric: AnyMetric, case: Case) -> tuple[float, bool]:
    """The seconds of the processor that a page takes, and whether it was refused."""
    corpus = case.corpus(metric.max_characters)
    start = time.process_time()
    refused = False
    try:
        run = metric.run(
            corpus, of_corpus=len(corpus) > 1, budget=Budget(processor_seconds=SECONDS)
        )
        _ = (run.sections, run.detail(0), run.notes, run.elsewhere)
    except BudgetExceeded:
        refused = True
    return time.process_time() - start, refused


def show() -> list[Goal]:
    """Print the worst cases of each metric, in a process of its own; whether all are short."""
    say(f"worst: whole pages at the caps; the budget is {SECONDS:g} s of the processor")
    return [goal for metric in METRICS for goal in _in_a_process(metric)]


def _in_a_process(metric: AnyMetric) -> list[Goal]:
    command = [sys.executable, "-m", __name__, metric.slug]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        *shown, last = map(str.rstrip, process.stdout)
    for line in shown:
        say(line)
    return [Goal(*goal) for goal in json.loads(last)]


def show_one(metric: AnyMetric) -> list[Goal]:
    """Print the worst of the known cases and of a search for one metric."""
    known = sorted(((*taken(metric, case), case) for case in KNOWN), key=lambda found: -found[0])
    for seconds, refused, case in known[:3]:
        say(_line(metric.slug, seconds, refused, case))
    searched = _searched(metric, known[0][2])
    say(_line(f"{metric.slug}, searched", *searched))
    longest, peak = max(searched[0], known[0][0]), peak_megabytes()
    return [
        Goal(f"{metric.slug}, worst page", f"{longest:.2f} s", f"<= {MOST:g} s", longest <= MOST),
        Goal(
            f"{metric.slug}, worst page, memory",
            f"{peak:.0f} MB",
            f"< {MEGABYTES} MB",
            peak < MEGABYTES,
        ),
    ]


def _searched(metric: AnyMetric, start: Case) -> tuple[float, bool, Case]:
    """The slowest case that a climb from ``start`` finds."""
    source, best = random.Random(metric.slug), (0.0, False, start)
    end = time.monotonic() + SEARCH_SECONDS
    case = start
    while time.monotonic() < end:
        seconds, refused = taken(metric, case)
        if seconds > best[0]:
            best = (seconds, refused, case)
        from_here = best[2] if source.random() < 0.8 else source.choice(KNOWN)
        case = from_here.neighbour(source)
    return best


def _line(name: str, seconds: float, refused: bool, case: Case) -> str:
    answer = "refused" if refused else "answered"
    return f"  {name:18} {seconds:6.2f} s {answer}   {case}"


if __name__ == "__main__":
    (wanted,) = [metric for metric in METRICS if metric.slug == sys.argv[1]]
    goals = show_one(wanted)
    say(json.dumps([astuple(goal) for goal in goals]))
