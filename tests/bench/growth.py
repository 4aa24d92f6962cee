"""Time and memory as a file grows, each size in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from .pairs import Goal, say

SIZES = (2_000, 10_000, 100_000)
SLUGS = ("bleu", "chrf", "nist", "meteor")
MOST_MEGABYTES = 1_000
MOST_TABLE_SECONDS, MOST_TABLE_MEGABYTES = 0.5, 50
FEWEST_TER_SEGMENTS = 1_000  # a second

_FILE = """
import json, sys, time
from itertools import cycle, islice
from calculators.scoring import Corpus, find
from tests.bench.pairs import peak_megabytes
from tests.record_sets import lines
size, kept, seconds = int(sys.argv[1]), [], {}
names = ("ted-sk-en-detok", "wmt22-en-de", "wmt22-zh-en")
pairs = [pair for name in names for system in ("sysA", "sysB")
         for pair in zip(lines(f"{name}.{system}"), lines(f"{name}.ref"))]
corpus = Corpus.from_rows(*zip(*[(h, [r]) for h, r in islice(cycle(pairs), size)]))
for slug in sys.argv[2:]:
    start = time.process_time()
    kept.append(find(slug).run(corpus, of_corpus=True))
    seconds[slug] = time.process_time() - start
print(json.dumps({"seconds": seconds, "megabytes": peak_megabytes()}))
"""

_TABLE = """
import json, time
from calculators.scoring.text.wordnet import wordnet
from tests.bench.pairs import peak_megabytes
before = peak_megabytes()
start = time.process_time()
wordnet()
seconds = time.process_time() - start
print(json.dumps({"seconds": seconds, "megabytes": peak_megabytes() - before}))
"""

_TER = """
import json, time
from calculators.scoring import Corpus, find
from tests.record_sets import lines
corpus = Corpus.from_lines(lines("wmt22-zh-en.sysA"), [lines("wmt22-zh-en.ref")])
start = time.process_time()
find("ter").run(corpus, preset="sacrebleu", of_corpus=True)
print(json.dumps({"a second": len(corpus) / (time.process_time() - start)}))
"""


def show() -> list[Goal]:
    """Print how long and how much memory files of each size take; whether it is little enough."""
    say("growth: seconds of each metric, peak memory of all")
    peak = 0.0
    for size in SIZES:
        found = _in_a_process(_FILE, str(size), *SLUGS)
        peak = found["megabytes"]
        each = "  ".join(f"{slug} {seconds:6.2f} s" for slug, seconds in found["seconds"].items())
        say(f"  {size:7,} segments   {each}   {peak:5.0f} MB")
    table = _in_a_process(_TABLE)
    say(f"  METEOR's table   {table['seconds']:.2f} s   {table['megabytes']:.0f} MB")
    speed = _in_a_process(_TER)["a second"]
    say(f"  TER on wmt22-zh-en   {speed:,.0f} segments a second")
    return [
        _at_most(f"{SIZES[-1]:,} segments of {', '.join(SLUGS)}", peak, MOST_MEGABYTES, "MB"),
        _at_most("METEOR's table, time", table["seconds"], MOST_TABLE_SECONDS, "s"),
        _at_most("METEOR's table, memory", table["megabytes"], MOST_TABLE_MEGABYTES, "MB"),
        Goal(
            "TER on wmt22-zh-en, segments a second",
            f"{speed:,.0f}",
            f"{FEWEST_TER_SEGMENTS:,}",
            speed >= FEWEST_TER_SEGMENTS,
        ),
    ]


def _at_most(of: str, found: float, most: float, unit: str) -> Goal:
    return Goal(of, f"{found:.3g} {unit}", f"< {most:g} {unit}", found < most)


def _in_a_process(program: str, *arguments: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], check=True, capture_output=True, text=True
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found
