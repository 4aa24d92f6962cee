"""What the input doctor finds, where, what it does to the score, and what its remedies change."""

import base64
import json
import random
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from sacrebleu.metrics import BLEU, CHRF

from calculators.files.doctor import Finding, Remedy, apply, examine
from calculators.files.model import Material, ReferenceSet, System
from calculators.scoring import Budget, ScoringError, find

from .samples import material, of

DATA = Path(__file__).parents[1] / "data"
CASES = {
    case["id"]: case
    for case in map(
        json.loads, (DATA / "cases/bug_reports.jsonl").read_text("utf-8").split("\n")[:-1]
    )
    if case["metric"] in ("file", "corpus")
}
SETS = ("ted-sk-en-detok", "wmt22-en-de", "wmt22-en-zh", "wmt22-zh-en")


def clipped(text: str) -> str:
    return text if len(text) <= 120 else text[:119] + "…"


def lines(name: str) -> tuple[str, ...]:
    return tuple((DATA / "sets" / name).read_text("utf-8").split("\n")[:-1])


def given(
    hypotheses: object, *references: object, names: tuple[str, str] = ("hyp", "ref")
) -> Material:
    return Material(
        (System(names[0], tuple(hypotheses)),),  # type: ignore[arg-type]
        tuple(ReferenceSet(f"{names[1]} {n}", tuple(r)) for n, r in enumerate(references, 1)),  # type: ignore[arg-type]
    )


def found(material: Material) -> dict[str, Finding]:
    return {finding.kind: finding for finding in examine(material, Budget.unlimited())}


def case_material(name: str) -> Material:
    case = CASES[name]
    if "hypothesis_b64" in case:
        references = [base64.b64decode(data) for data in case["references_b64"]]
        return material(
            of("translation", base64.b64decode(case["hypothesis_b64"]), "hypothesis"),
            *(of(f"reference {n}", data, "reference") for n, data in enumerate(references, 1)),
        )
    return given(case["hypothesis"], *zip(*case["references"], strict=False))


def bleu_before_and_after(finding: Finding) -> tuple[float | None, float | None]:
    effect = next(effect for effect in finding.effect if effect.metric == "BLEU")
    return effect.before, effect.after


@pytest.mark.parametrize(
    "name",
    [n for n, c in CASES.items() if c["metric"] == "file" and n != "file-empty"
     and not n.endswith("shorter")],
)  # fmt: skip
def test_files_after_bug_reports_score_as_the_case_says(name: str) -> None:
    case, read = CASES[name], case_material(name)
    expected = case["tool_gives"] if isinstance(case["tool_gives"], float) else case["show"]
    if name == "file-tab-separated-references":
        expected = 27.6563275421
    value = find("bleu").run(read.corpus(), preset="sacrebleu", of_corpus=True).result.value
    assert 100 * value == pytest.approx(expected, abs=1e-9)


def test_a_sound_file_has_no_findings() -> None:
    assert found(case_material("file-baseline")) == {}


@pytest.mark.parametrize("name", SETS)
def test_real_system_outputs_raise_no_alarm(name: str) -> None:
    read = material(
        *(
            of(f"{name}.{s}", "\n".join(lines(f"{name}.{s}")), "hypothesis")
            for s in ("sysA", "sysB")
        ),
        of(f"{name}.ref", "\n".join(lines(f"{name}.ref")), "reference"),
    )
    # Chinese has no spaces, which is no fault of the files, and still to be told.
    assert set(found(read)) == ({"unspaced"} if name == "wmt22-en-zh" else set())


def test_a_byte_order_mark_is_told_with_what_sacrebleu_makes_of_it() -> None:
    finding = found(case_material("file-bom"))["bom"]
    before, after = bleu_before_and_after(finding)
    assert before == pytest.approx(CASES["file-bom"]["others"]["sacrebleu CLI"], abs=1e-9)
    assert after == pytest.approx(CASES["file-bom"]["tool_gives"], abs=1e-9)


@pytest.mark.parametrize(
    "name", ["file-unicode-line-separator", "file-other-splitlines-characters"]
)
def test_other_line_ends_are_told_and_change_nothing(name: str) -> None:
    finding = found(case_material(name))["line-ends"]
    assert finding.severity == "note"
    before, after = bleu_before_and_after(finding)
    assert before == after == pytest.approx(CASES["file-baseline"]["tool_gives"], abs=1e-9)


def test_an_empty_hypothesis_is_named_by_its_line() -> None:
    finding = found(case_material("file-blank-line-in-translation"))["empty-hypotheses"]
    assert finding.message.startswith("Line 2 of translation is empty.")
    assert finding.where[0].lines == (2,)
    before, after = bleu_before_and_after(finding)
    assert before == pytest.approx(46.3947222646, abs=1e-9)
    hypotheses = ["The ferry was late again.", "We had coffee at the pier."]
    references = ["The ferry was late again.", "We had coffee on the pier."]
    assert after == pytest.approx(BLEU().corpus_score(hypotheses, [references]).score, abs=1e-9)


def test_an_empty_reference_is_named_by_its_line() -> None:
    finding = found(case_material("file-blank-line-in-reference"))["empty-references"]
    assert finding.message.startswith("Line 2 of reference 1 is empty.")
    assert bleu_before_and_after(finding)[0] == pytest.approx(55.1961972331, abs=1e-9)


def test_tabs_in_a_reference_file_are_asked_about_with_both_scores() -> None:
    finding = found(case_material("file-tab-separated-references"))["tabs"]
    before, after = bleu_before_and_after(finding)
    assert before == pytest.approx(27.6563275421, abs=1e-9)
    assert after == pytest.approx(79.7325632718, abs=1e-9)


def test_tabs_in_a_file_of_hypotheses_are_told() -> None:
    table = [f"{source}\t{output}" for source, output in zip(OTHER, OUTPUT, strict=True)]
    finding = found(given(table, TEXT))["tabs-in-hypotheses"]
    assert finding.severity == "warning"
    assert finding.message.startswith(f"hyp holds tabs in {len(table)} lines.")
    stray = found(given([table[0], *OUTPUT[1:]], TEXT))["tabs-in-hypotheses"]
    assert stray.severity == "note"
    assert stray.where[0].lines == (1,)


def test_a_shorter_reference_is_an_error_that_names_it() -> None:
    finding = found(case_material("file-second-reference-shorter"))["line-counts"]
    assert finding.severity == "error"
    assert finding.message.startswith("reference 2 has 2 lines, reference 1 has 3 lines.")
    assert bleu_before_and_after(finding)[0] is None


def test_tokenised_text_is_told_with_the_number_of_lines() -> None:
    finding = found(case_material("file-tokenized-input-warning"))["tokenised"]
    assert (
        "translation looks tokenised (100 lines end in a space and a full stop" in finding.message
    )
    assert bleu_before_and_after(finding)[0] == pytest.approx(12.0140570707, abs=1e-9)


def test_corpora_after_bug_reports_are_told_apart() -> None:
    counts = found(case_material("corpus-length-mismatch"))["line-counts"]
    assert counts.message.startswith("hyp has 3 lines, ref 1 has 2 lines.")
    assert "line 3" in counts.message
    lacking = found(case_material("corpus-segment-without-reference"))["no-reference"]
    assert (lacking.severity, lacking.where[0].lines) == ("error", (2,))
    empty = found(case_material("corpus-all-hypotheses-empty"))["empty-hypotheses"]
    assert empty.message.startswith("All lines of hyp are empty.")
    assert empty.remedy is None
    for name in ("nist-corpus-with-blank-hypothesis", "bleu-corpus-blank-hypothesis"):
        assert found(case_material(name))["empty-hypotheses"].where[0].lines == (2,)


def parted(hypotheses: object, references: object) -> Finding:
    findings = found(given(hypotheses, references))
    return findings.get("line-counts") or findings["shifted"]


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("line", [1, 417, 1700])
def test_a_line_too_few_is_found_where_it_is_lacking(name: str, line: int) -> None:
    hypotheses, references = lines(f"{name}.sysA"), lines(f"{name}.ref")
    finding = parted(hypotheses[: line - 1] + hypotheses[line:], references)
    assert abs(finding.where[0].lines[0] - line) <= 1
    assert f"has {len(references) - 1:,} lines" in finding.message
    assert f"{len(references):,} lines" in finding.message


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("line", [1, 417, 1700])
def test_a_line_too_many_is_found_where_it_stands(name: str, line: int) -> None:
    hypotheses, references = lines(f"{name}.sysA"), lines(f"{name}.ref")
    finding = parted((*hypotheses[: line - 1], "", *hypotheses[line - 1 :]), references)
    assert finding.where[0].lines == (line,)
    assert [place.text for place in finding.where] == ["", clipped(references[line - 1])]


@pytest.mark.parametrize("name", SETS)
def test_files_of_one_length_that_part_and_meet_again_are_found(name: str) -> None:
    hypotheses, references = lines(f"{name}.sysA"), lines(f"{name}.ref")
    shifted = (*hypotheses[:499], *hypotheses[500:1500], "Quite another line.", *hypotheses[1500:])
    finding = parted(shifted, references)
    assert finding.kind == "shifted"
    assert finding.where[0].lines == (500,)
    before, after = bleu_or_chrf(finding)
    assert before < after


def bleu_or_chrf(finding: Finding) -> tuple[float, float]:
    effect = finding.effect[0]
    assert effect.before is not None
    assert effect.after is not None
    return effect.before, effect.after


@pytest.mark.parametrize("name", SETS)
def test_a_file_that_was_cut_off_is_told_as_such(name: str) -> None:
    hypotheses, references = lines(f"{name}.sysA"), lines(f"{name}.ref")
    finding = parted(hypotheses[:800], references)
    assert "go together up to the end of the shorter one" in finding.message
    own, other = finding.where
    assert (own.lines, own.is_last, own.text) == ((800,), True, clipped(hypotheses[799]))
    assert (other.lines, other.is_last, other.text) == ((801,), False, clipped(references[800]))


def test_unlike_files_are_not_said_to_part_anywhere() -> None:
    finding = parted(lines("wmt22-en-zh.ref")[:1000], lines("ted-sk-en-detok.ref"))
    assert "too unlike to say" in finding.message
    assert finding.remedy is None
    shuffled = list(lines("wmt22-en-de.sysA"))
    random.Random(7).shuffle(shuffled)
    assert not found(given(shuffled, lines("wmt22-en-de.ref"))).keys() & {"line-counts", "shifted"}


@pytest.mark.parametrize("name", SETS)
def test_lines_lacking_near_the_start_are_found_there(name: str) -> None:
    hypotheses, references = lines(f"{name}.sysA"), lines(f"{name}.ref")
    finding = parted(hypotheses[:1] + hypotheses[4:], references)
    assert finding.where[0].lines == (2,)


def test_a_sentence_that_a_translator_moved_is_no_parting() -> None:
    hypotheses, references = (
        list(lines("wmt22-en-de.sysA")[:60]),
        list(lines("wmt22-en-de.ref")[:60]),
    )
    references[20:36] = [f"Ganz frei gesagt {number}" for number in range(16)]
    assert "shifted" not in found(given(hypotheses, references))
    references[28], references[27] = hypotheses[27], hypotheses[28]
    assert "shifted" not in found(given(hypotheses, references))


def test_a_sentence_cut_in_two_is_joined_again() -> None:
    hypotheses, references = lines("wmt22-zh-en.sysA"), lines("wmt22-zh-en.ref")
    words = hypotheses[417].split(" ")
    halves = " ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 :])
    broken = given((*hypotheses[:417], *halves, *hypotheses[418:]), references)
    finding = found(broken)["line-counts"]
    assert finding.remedy is not None
    assert apply(broken, finding.remedy).systems[0].hypotheses == hypotheses


def test_lines_put_in_their_places_score_as_the_whole_file_does_but_for_one_line() -> None:
    hypotheses, references = lines("wmt22-en-de.sysA"), lines("wmt22-en-de.ref")
    broken = given(hypotheses[:416] + hypotheses[417:], references)
    finding = found(broken)["line-counts"]
    expected = [*hypotheses[:416], "", *hypotheses[417:]]
    assert bleu_before_and_after(finding)[1] == pytest.approx(
        BLEU().corpus_score(expected, [references]).score, abs=1e-9
    )


def test_a_lacking_reference_line_becomes_missing() -> None:
    first, second = lines("wmt22-en-de.ref"), lines("wmt22-en-de.refB")
    broken = given(lines("wmt22-en-de.sysA"), first, second[:99] + second[100:])
    mended = apply(broken, found(broken)["line-counts"].remedy or Remedy("", ""))
    assert mended.references[1].lines[99] is None
    assert mended.references[1].lines[100:] == second[100:]


TEXT = (
    "The ferry was late again today.",
    "Nobody minded the long wait.",
    "We drank coffee on the pier.",
    "Then the sun came out at last.",
)
OTHER = (
    "The ferry was again late today.",
    "None minded the long wait.",
    "We had coffee on the pier.",
    "Then at last the sun came out.",
)
OUTPUT = (
    "The ferry was late today.",
    "Nobody minded waiting long.",
    "We drank coffee at the pier.",
    "Then the sun came out.",
)


def test_references_grouped_by_segment_are_found_and_turned() -> None:
    turned = given(OUTPUT, *zip(TEXT, OTHER, strict=True))
    finding = found(turned)["references-turned"]
    assert "line-counts" not in found(turned)
    mended = apply(turned, finding.remedy or Remedy("", ""))
    assert [each.lines for each in mended.references] == [TEXT, OTHER]
    expected = BLEU().corpus_score(list(OUTPUT), [list(TEXT), list(OTHER)]).score
    before, after = bleu_before_and_after(finding)
    assert (before, after) == (None, pytest.approx(expected, abs=1e-9))


def test_references_grouped_by_segment_are_found_in_a_square_by_likeness() -> None:
    square = given(OUTPUT[:2], (TEXT[0], OTHER[0]), (TEXT[1], OTHER[1]))
    assert found(square)["references-turned"].severity == "warning"
    assert "references-turned" not in found(given(OUTPUT[:2], TEXT[:2], OTHER[:2]))


def test_references_that_are_all_alike_are_not_called_turned() -> None:
    assert "references-turned" not in found(given(["a b c"] * 2, ["a b d"] * 2, ["a b d"] * 2))


@pytest.mark.parametrize("order", ["turns", "blocks"])
def test_references_one_below_another_are_found_and_taken_apart(order: str) -> None:
    stacked = (
        [line for pair in zip(TEXT, OTHER, strict=True) for line in pair]
        if order == "turns"
        else [*TEXT, *OTHER]
    )
    finding = found(given(OUTPUT, stacked))["references-below"]
    mended = apply(given(OUTPUT, stacked), finding.remedy or Remedy("", ""))
    assert [each.lines for each in mended.references] == [TEXT, OTHER]


def test_swapped_files_are_told_by_their_names_and_by_tabs() -> None:
    by_name = material(
        of("out.ref", "\n".join(TEXT), "hypothesis"), of("mt", "\n".join(OUTPUT), "reference")
    )
    finding = found(by_name)["swapped"]
    mended = apply(by_name, finding.remedy or Remedy("", ""))
    assert mended.systems[0].hypotheses == OUTPUT
    assert mended.references[0].lines == TEXT
    before, after = bleu_before_and_after(finding)
    assert before == pytest.approx(BLEU().corpus_score(list(TEXT), [list(OUTPUT)]).score, abs=1e-9)
    assert after == pytest.approx(BLEU().corpus_score(list(OUTPUT), [list(TEXT)]).score, abs=1e-9)
    tabbed = [f"{a}\t{b}" for a, b in zip(TEXT, OTHER, strict=True)]
    assert "swapped" in found(given(tabbed, OUTPUT))


def test_one_file_chosen_twice_is_told() -> None:
    assert found(given(TEXT, TEXT))["identical"].where[0].stream == "hyp"
    untranslated = replace(given(TEXT, OTHER), sources=TEXT)
    assert found(untranslated)["same-as-source"].where[0].stream == "hyp"


def test_normal_forms_that_differ_are_told_with_what_one_form_gives() -> None:
    accents = ("Café à la crème", "Señor Muñoz fährt spät", "Où est la forêt ?")
    decomposed = [unicodedata.normalize("NFD", text) for text in accents]
    finding = found(given(decomposed, accents))["normal-forms"]
    chrf = next(effect for effect in finding.effect if effect.metric == "chrF")
    assert chrf.before == pytest.approx(CHRF().corpus_score(decomposed, [accents]).score, abs=1e-9)
    assert chrf.after == 100
    assert finding.where[0].total == 3


def test_text_tokenised_on_one_side_is_a_warning_and_joins_again() -> None:
    tokenised = [text.replace(".", " .") for text in OUTPUT]
    finding = found(given(tokenised, TEXT))["tokenised"]
    assert finding.severity == "warning"
    assert apply(given(tokenised, TEXT), Remedy.of("detokenise")).systems[0].hypotheses == OUTPUT


def test_one_line_with_a_full_stop_set_off_says_nothing_of_a_file() -> None:
    assert found(given(["It was late ."], [TEXT[0]])) == {}


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("It 's ( almost ) done , is n't it ?", "It's (almost) done, isn't it?"),
        ("3 . 5 and : 7", "3. 5 and: 7"),
        ("", ""),
    ],
)
def test_punctuation_joins_the_word_that_it_belongs_to(tokens: str, text: str) -> None:
    joined = apply(given([tokens], [text]), Remedy.of("detokenise"))
    assert joined.systems[0].hypotheses == (text,)


@pytest.mark.parametrize("pieces", ["The fer@@ ry was late .", "▁The ▁fer ry ▁was ▁late ▁."])
def test_pieces_of_words_are_told_and_joined(pieces: str) -> None:
    broken = given([pieces], ["The ferry was late ."])
    finding = found(broken)["subwords"]
    mended = apply(broken, finding.remedy or Remedy("", ""))
    assert mended.systems[0].hypotheses == ("The ferry was late .",)


def test_repeats_are_told_and_left_out() -> None:
    pasted = given(OUTPUT * 2, TEXT * 2)
    finding = found(pasted)["repeats"]
    assert finding.where[0].lines == (5, 6, 7, 8)
    mended = apply(pasted, finding.remedy or Remedy("", ""))
    assert mended.systems[0].hypotheses == OUTPUT
    stuck = given(["I am sorry, I cannot."] * 6, [f"Sentence {word} here." for word in "abcdef"])
    assert found(stuck)["same-answer"].where[0].total == 6


def test_damaged_characters_are_told() -> None:
    mojibake = "Señor Müller".encode().decode("cp1252")
    finding = found(given([mojibake, "x \ufffd"], ["Señor Müller", "x é"]))["damaged"]
    assert finding.where[0].lines == (1, 2)
    assert "damaged" not in found(given(["SEÑOR Ângela â €"], ["São Ã x"]))


@pytest.mark.parametrize(
    "key", ["", "x", "realign", "realign:x", "realign:1:2", "nfc:1", "fold:1", "a\nb"]
)
def test_an_unknown_remedy_is_refused(key: str) -> None:
    with pytest.raises(ScoringError, match="no remedy of that name"):
        Remedy.of(key)
    with pytest.raises(ScoringError, match="no remedy of that name"):
        apply(given(TEXT, OTHER), Remedy(key, "label"))


@pytest.mark.parametrize(
    "key",
    ["realign:0", "realign:1", "realign:99", "fold:0:4:turns", "fold:9:4:turns", "fold:0:3:blocks"],
)
def test_a_remedy_that_is_not_for_these_files_is_refused(key: str) -> None:
    with pytest.raises(ScoringError):
        apply(given(TEXT, OTHER), Remedy.of(key))


@pytest.mark.parametrize(
    "key",
    ["nfc", "one-line", "detokenise", "whole-words", "no-empty-hypotheses", "no-empty-references",
     "no-unreferenced", "no-repeats", "swap", "transpose", "split-tabs"],
)  # fmt: skip
def test_every_remedy_says_that_it_was_applied_and_leaves_the_material_whole(key: str) -> None:
    whole = replace(given(OUTPUT, TEXT, OTHER), sources=TEXT, ids=tuple("abcd"))
    changed = apply(whole, Remedy.of(key))
    assert changed.notes[-1].startswith("Changed before scoring: ")
    if key not in ("swap", "transpose"):
        assert changed.systems == whole.systems
        assert changed.references == whole.references


def test_left_out_segments_leave_sources_names_and_places_too() -> None:
    whole = replace(given(("a", "", "c"), TEXT[:3]), sources=("s", "t", "u"), ids=tuple("xyz"))
    kept = apply(whole, Remedy.of("no-empty-hypotheses"))
    assert (kept.sources, kept.ids) == (("s", "u"), ("x", "z"))
    assert kept.references[0].lines == (TEXT[0], TEXT[2])


def test_messages_never_quote_the_text() -> None:
    canary = "Zyzzyva"
    broken = [f"{canary} \u2028 @@ {canary} .", "", f"{canary}\t{canary}", "Ã¼ e\u0301 ."]
    for references in (TEXT, TEXT[:2], [*TEXT, *TEXT], broken):
        for finding in examine(given(broken, references), Budget.unlimited()):
            assert canary not in finding.message
            assert canary not in repr(finding.where)


def test_a_spent_budget_ends_the_examination_and_not_the_answer() -> None:
    findings = examine(given(("", *OUTPUT[1:]), TEXT), Budget(steps=500))
    assert all(not finding.effect for finding in findings)
    examine(given(("", *OUTPUT[1:]), TEXT), Budget(steps=0))


def with_source(hypotheses: object, references: object, sources: object) -> Material:
    return replace(given(hypotheses, references), sources=tuple(sources))  # type: ignore[arg-type]


# Two sets have one source, which is not kept here: the one's reference stands for the other's.
@pytest.mark.parametrize("count", [3, 12, 2_000])
@pytest.mark.parametrize("system", ["sysA", "sysB", "refB"])
@pytest.mark.parametrize(("own", "other"), [("de", "zh"), ("zh", "de")])
def test_source_and_reference_that_are_exchanged_are_told(
    own: str, other: str, system: str, count: int
) -> None:
    hypotheses, reference, source = (
        lines(f"wmt22-en-{name}")[:count]
        for name in (f"{own}.{system}", f"{own}.ref", f"{other}.ref")
    )
    assert "source-exchanged" not in found(with_source(hypotheses, reference, source))
    exchanged = with_source(hypotheses, source, reference)
    finding = found(exchanged)["source-exchanged"]
    assert finding.severity == "warning"
    assert finding.remedy is not None
    mended = apply(exchanged, finding.remedy)
    assert mended.references[0].lines == reference
    assert mended.sources == source
    # BLEU takes an unspaced sentence for one word: chrF, where it is measured, stands last.
    effect = finding.effect[-1]
    assert effect.before is not None
    assert effect.after is not None
    assert effect.before < 0.3 * effect.after


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("count", [3, 12, 2_000])
@pytest.mark.parametrize("source", SETS)
def test_no_real_set_looks_exchanged_whatever_its_source(
    name: str, count: int, source: str
) -> None:
    reference = lines(f"{name}.ref")[:count]
    for other in ("ref", "sysB"):  # that of the same set is a text in the same language
        sources = lines(f"{source}.{other}")[: len(reference)]
        sources += ("",) * (len(reference) - len(sources))
        read = with_source(lines(f"{name}.sysA")[:count], reference, sources)
        assert "source-exchanged" not in found(read)


SPANISH = (
    "La biblioteca abre a las nueve los días laborables.",
    "Devuelva sus libros antes del final del mes, por favor.",
    "La sala de lectura del segundo piso está cerrada por reformas.",
    "El coche de Ana Pereira está en la calle de Lisboa, número 12.",
)
PORTUGUESE = (
    "A biblioteca abre às nove nos dias úteis.",
    "Por favor, devolva os seus livros antes do fim do mês.",
    "A sala de leitura do segundo piso está fechada para obras.",
    "O carro de Ana Pereira está na rua de Lisboa, número 12.",
)
OTHER_PORTUGUESE = (
    "A biblioteca abre às nove em dias úteis.",
    "Devolva os seus livros até ao fim do mês, por favor.",
    "A sala de leitura do segundo andar está fechada para obras.",
    "O carro da Ana Pereira está na rua de Lisboa, número 12.",
)


def test_languages_that_share_words_raise_no_alarm() -> None:
    read = with_source(PORTUGUESE, OTHER_PORTUGUESE, SPANISH)
    assert "source-exchanged" not in found(read)


def test_a_text_made_simpler_in_its_own_language_raises_no_alarm() -> None:
    source = lines("wmt22-zh-en.refB")[:200]
    hypotheses = [" ".join(text.split(" ")[:-2]) for text in source]
    assert "source-exchanged" not in found(
        with_source(hypotheses, lines("wmt22-zh-en.ref")[:200], source)
    )


def test_untranslated_output_is_told_as_such_alone() -> None:
    source, reference = lines("wmt22-en-zh.ref")[:50], lines("wmt22-en-de.ref")[:50]
    kinds = found(with_source(source, reference, source)).keys()
    assert "same-as-source" in kinds
    assert "source-exchanged" not in kinds
