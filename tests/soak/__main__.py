"""``make soak``: load and faults on this machine's own loopback, each figure beside its target.

    make soak                         all of it: some twenty minutes
    make soak ARGS="overload slow"    some of it

It ends with status 1 where a figure misses its target. A busy machine misses some: the load
average stands beside each figure.
"""

from __future__ import annotations

import logging
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

import django

django.setup()

from tests.browser.server import Site, serving  # noqa: E402 - they need the settings
from tests.soak import faults, load, requests, worst  # noqa: E402
from tests.soak.figures import Figure  # noqa: E402

ALONE: dict[str, Callable[[], Iterator[Figure]]] = {
    "requests": requests.figures,
    "worst": worst.figures,
}
ON_A_SITE: dict[str, Callable[[Site], Iterator[Figure]]] = {
    "pages": load.pages,
    "overload": load.overload,
    "slow": faults.slow_clients,
    "killed": faults.killed_worker,
    "steady": load.steady,
}


def main(names: list[str]) -> int:
    """The exit status: 1 where a figure misses its target."""
    unknown = set(names) - {*ALONE, *ON_A_SITE}
    if unknown:
        say(f"Unknown: {', '.join(sorted(unknown))}. Known: {', '.join([*ALONE, *ON_A_SITE])}")
        return 2
    logging.disable()  # in this process there is no database, which the pages do without
    missed = 0
    for name in names or [*ALONE, *ON_A_SITE]:
        for figure in _figures(name):
            say(f"{name:9} {figure}")
            missed += not figure.is_met
    say("All figures are met." if not missed else f"Missed: {missed}.")
    return 1 if missed else 0


def say(line: str) -> None:
    """Write a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _figures(name: str) -> Iterator[Figure]:
    if name in ALONE:
        yield from ALONE[name]()
        return
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as site:
        yield from ON_A_SITE[name](site)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
