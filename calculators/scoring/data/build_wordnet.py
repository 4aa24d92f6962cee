"""Builds the table of synonyms from WordNet 3.0's own files.

    apt-get install wordnet-base
    python -m calculators.scoring.data.build_wordnet /usr/share/wordnet

writes ``wordnet-synonyms.txt.gz`` beside this file. The same input gives the same bytes. The
licence, which must go with every copy, stands in ``wordnet-licence.txt``.

The text inside is blocks with an empty line between them. The first is the copyright line. Then
comes for each part of speech a block of entries, one a line: an entry of WordNet's index, a tab,
and the single words that share a synonym set with it (nothing where that is the entry alone);
and a block of exceptions: an irregular form, a tab, its base forms. Entries that share no set
with any single word are left out, since no word of a text could meet them.
"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from pathlib import Path

from ..text.wordnet import PARTS_OF_SPEECH, TABLE

_COPYRIGHT = "WordNet 3.0 Copyright 2006 by Princeton University.  All rights reserved."


def synonym_sets(lines: Iterator[str]) -> dict[str, frozenset[str]]:
    """The single words of every synonym set of a ``data`` file, by its offset."""
    found: dict[str, frozenset[str]] = {}
    for line in lines:
        if line.startswith(" "):  # the licence at the head of the file
            continue
        offset, _, _, count, *fields = line.split(" | ", 1)[0].split()
        # Words stand at every second place. Adjectives may carry a marker such as "(p)".
        words = (word.partition("(")[0] for word in fields[: 2 * int(count, 16) : 2])
        found[offset] = frozenset(word for word in words if "_" not in word)
    return found


def entries(lines: Iterator[str], sets: dict[str, frozenset[str]]) -> Iterator[str]:
    """The lines of the table for an ``index`` file, sorted by entry."""
    for line in sorted(lines):
        if line.startswith(" "):
            continue
        entry, _, count, *fields = line.split()
        words = frozenset[str]().union(*(sets[offset] for offset in fields[-int(count) :]))
        if words:
            yield f"{entry}\t{'' if words == {entry} else ' '.join(sorted(words))}"


def exceptions(lines: Iterator[str]) -> Iterator[str]:
    """The lines of the table for an ``exc`` file, sorted by form."""
    # A form that stands twice keeps its last line, as in NLTK.
    forms = dict(line.rstrip("\n").split(" ", 1) for line in lines)
    yield from (f"{form}\t{bases.strip()}" for form, bases in sorted(forms.items()))


def table(folder: Path) -> str:
    """The text of the table, from a folder with WordNet's ``data``, ``index`` and ``exc`` files."""
    blocks = [_COPYRIGHT]
    for part in PARTS_OF_SPEECH:
        with (
            (folder / f"data.{part}").open(encoding="utf-8") as data,
            (folder / f"index.{part}").open(encoding="utf-8") as index,
            (folder / f"{part}.exc").open(encoding="utf-8") as irregular,
        ):
            blocks.append("\n".join(entries(index, synonym_sets(data))))
            blocks.append("\n".join(exceptions(irregular)))
    return "\n\n".join(blocks)


def main(folder: str) -> None:
    """Write the table built from the files in ``folder``."""
    # Without a time inside, the same text gives the same file.
    TABLE.write_bytes(gzip.compress(table(Path(folder)).encode(), mtime=0))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Usage: python -m calculators.scoring.data.build_wordnet FOLDER")
    main(sys.argv[1])
