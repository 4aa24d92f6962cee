"""Real system outputs in every format: the segments come out as they went in."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from sacrebleu.metrics import BLEU

from calculators.files.model import Upload
from calculators.scoring import find

from .samples import escaped, material, of, tsv, xlsx

SETS = Path(__file__).parents[1] / "data" / "sets"
NAMES = ("wmt22-en-de", "wmt22-en-zh")
Texts = Sequence[str]


def lines(name: str) -> tuple[str, ...]:
    return tuple((SETS / name).read_text("utf-8").split("\n")[:-1])


def units(form: str, sources: Texts, targets: Texts) -> str:
    return "".join(
        form.format(n=n, source=escaped(source), target=escaped(target))
        for n, (source, target) in enumerate(zip(sources, targets, strict=True), 1)
    )


def tmx(sources: Texts, targets: Texts) -> str:
    form = (
        '<tu tuid="{n}"><tuv xml:lang="en"><seg>{source}</seg></tuv>'
        '<tuv xml:lang="xx"><seg>{target}</seg></tuv></tu>\n'
    )
    return f'<tmx><header srclang="en"/><body>{units(form, sources, targets)}</body></tmx>'


def xliff(sources: Texts, targets: Texts) -> str:
    form = '<trans-unit id="{n}"><source>{source}</source><target>{target}</target></trans-unit>\n'
    return f'<xliff version="1.2"><file><body>{units(form, sources, targets)}</body></file></xliff>'


def xliff_2(sources: Texts, targets: Texts) -> str:
    form = (
        '<unit id="{n}"><segment><source>{source}</source><target>{target}</target></segment>'
        "</unit>\n"
    )
    return f'<xliff version="2.0"><file id="f">{units(form, sources, targets)}</file></xliff>'


def mteval(kind: str, name: str, texts: Texts) -> str:
    inside = units('<seg id="{n}">{target}</seg>\n', texts, texts)
    return f'<{kind} setid="x"><doc docid="d" sysid="{name}">{inside}</doc></{kind}>'


def uploads(form: str, a: Texts, b: Texts, ref: Texts, second: Texts) -> list[Upload]:
    """Two systems and two references in one format; the second reference is the source too."""
    rows = list(zip(second, ref, second, a, b, strict=True))
    heads = ("source", "ref 1", "ref 2", "A", "B")
    reference, other = (of(n, "\n".join(t), "reference") for n, t in (("r", ref), ("s", second)))
    match form:
        case "tsv":
            return [of("t.tsv", tsv(heads, *rows))]
        case "json lines":
            objects = (json.dumps(dict(zip(heads, row, strict=True))) for row in rows)
            return [of("t.jsonl", "\n".join(objects))]
        case "xlsx":
            return [of("t.xlsx", xlsx(heads, *rows))]
        case "mteval":
            kinds = (
                ("tstset", "A", a),
                ("tstset", "B", b),
                ("refset", "1", ref),
                ("refset", "2", second),
            )
            return [of(f"{name}.sgm", mteval(kind, name, texts)) for kind, name, texts in kinds]
    write = {"tmx": tmx, "xliff 1.2": xliff, "xliff 2": xliff_2}[form]
    systems = [of(f"{n}.xml", write(second, t), "hypothesis") for n, t in (("A", a), ("B", b))]
    return [*systems, reference, other]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "form", ["tsv", "json lines", "xlsx", "mteval", "tmx", "xliff 1.2", "xliff 2"]
)
def test_real_outputs_come_out_of_every_format_as_they_went_in(name: str, form: str) -> None:
    a, b, ref, second = (lines(f"{name}.{part}") for part in ("sysA", "sysB", "ref", "refB"))
    found = material(*uploads(form, a, b, ref, second))
    assert [system.hypotheses for system in found.systems] == [a, b]
    assert [each.lines for each in found.references] == [ref, second]
    value = find("bleu").run(found.corpus(1), preset="sacrebleu", of_corpus=True).result.value
    assert 100 * value == pytest.approx(BLEU().corpus_score(b, [ref, second]).score, abs=1e-9)
