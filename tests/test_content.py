"""The pages' words: complete, safe, and every figure in them computed."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from django.template import Context, Template

from calculators import checks
from calculators.content import (
    DIRECTORY,
    ContentError,
    Example,
    Page,
    content,
    load,
    page,
    site_page,
)
from calculators.prose import Prose, ProseError, Renderer, filled
from calculators.scoring import METRICS, AnyMetric, Corpus

from .tools import ADAPTERS, OtherRules, differences

# What the pages must answer, as the slugs of their questions.
TOPICS = {
    "nist": {
        "what-it-is",
        "and-bleu",
        "good-value",
        "weight",
        "brevity-penalty",
        "equals-nltk",
        "tools",
        "tokeniser",
        "several-references",
        "stays-up",
    },
    "ter": {
        "how-it-is-calculated",
        "good-value",
        "lower-or-higher",
        "and-wer",
        "reordering",
        "and-bleu",
        "equals-sacrebleu",
        "several-references",
        "over-100",
        "what-happens-to-the-text",
    },
    "bleu": {
        "what-it-is-for",
        "clipping",
        "brevity-penalty",
        "zero",
        "smoothing",
        "tiny-numbers",
        "tools",
        "sentence-or-corpus",
    },
}

# The examples that every calculator of these metrics is expected to show, with the rounded
# figures that are expected of them.
PROMISED = [
    ("nist", "the cat sat on the rug", {}, "1.8208"),
    ("nist", "the cat sat", {}, "0.2970"),
    ("nist", "the cat sat on the mat", {}, "2.6516"),
    ("nist", "the cat sat on the mat", {"unigram_base": "ngrams"}, "4.3886"),
    ("ter", "the cat sat on mat", {}, "0.3333"),
    ("ter", "to the school the boy went", {}, "0.1667"),
    ("ter", "to the school the boy went", {"shifts": False}, "1.0000"),
    ("ter", "she will arrive", {}, "0.2500"),
    ("bleu", "the the the the the the the", {}, "0.2857"),
]

LIVE_TOOLS = {tool for _, tool in ADAPTERS}


EXAMPLES = [
    pytest.param(metric, example, id=f"{metric.slug}-{example.slug}")
    for metric in METRICS
    for example in page(metric.slug).examples
]


def run(metric: AnyMetric, example: Example) -> Any:
    corpus = Corpus.of(example.hypothesis, example.references)
    return metric.run(corpus, preset=example.preset, values=example.options)


@pytest.mark.parametrize(("metric", "example"), EXAMPLES)
def test_an_example_gives_the_figures_that_the_page_prints(metric: Any, example: Any) -> None:
    assert list(checks.example_faults(metric, example)) == []


@pytest.mark.parametrize(("metric", "example"), EXAMPLES)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_tool_named_gives_the_figures_too(metric: Any, example: Any) -> None:
    adapter = ADAPTERS.get((metric.slug, example.agrees_with))
    if adapter is None:
        pytest.skip("the figures are worked by hand or by a tool that is not installed here")
    ours = run(metric, example)
    try:
        theirs = adapter(ours.corpus, ours.options)
    except OtherRules:
        assert metric.slug == "meteor", "the page names a tool that has no such setting"
        pytest.skip("WordNet is not installed here")
    assert differences(theirs, ours.result) == []


@pytest.mark.parametrize(("metric", "example"), EXAMPLES)
def test_a_figure_that_no_live_tool_gives_says_so(metric: Any, example: Any) -> None:
    if example.agrees_with not in LIVE_TOOLS:
        assert example.agrees_with in {"hand working", "mteval-v13a"}


@pytest.mark.parametrize("slug", TOPICS)
def test_every_promised_question_is_answered(slug: str) -> None:
    assert {question.slug for question in page(slug).questions} >= TOPICS[slug]


@pytest.mark.parametrize(("slug", "hypothesis", "options", "value"), PROMISED)
def test_every_promised_example_is_there(
    slug: str, hypothesis: str, options: dict[str, Any], value: str
) -> None:
    found = [
        example
        for example in page(slug).examples
        if example.hypothesis == hypothesis
        and options.items() <= example.options.items()
        and f"{example.expect['value']:.4f}" == value
    ]
    assert found


# A factor that is 0 or 1 in every example would hide a formula that is upside down.
def factors(result: Any) -> Iterator[tuple[str, Any]]:
    for part in fields(result):
        value = getattr(result, part.name)
        if isinstance(value, tuple):
            yield from ((f"{part.name}[{place}]", each) for place, each in enumerate(value, 1))
        else:
            yield part.name, value


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.slug)
def test_every_factor_is_neither_0_nor_1_in_an_example(metric: AnyMetric) -> None:
    seen: dict[str, set[Any]] = {}
    for example in page(metric.slug).examples:
        result = run(metric, example).result
        for name, value in factors(result):
            # Orders past the fourth say nothing new, and short texts have none.
            if not re.search(r"\[[5-9]\]|\[\d\d\]", name):
                seen.setdefault(name, set()).add(value)
    assert {name for name, values in seen.items() if values <= {0, 1}} == set()


def test_registry_words_and_examples_agree() -> None:
    assert checks.words_and_figures() == []


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A copy of the content that may be spoilt."""
    return Path(shutil.copytree(DIRECTORY, tmp_path / "content"))


def spoil(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def faults(directory: Path) -> list[str]:
    return list(checks.faults(load(directory), METRICS))


def test_a_wrong_number_fails_the_check(directory: Path) -> None:
    spoil(directory / "nist.toml", "value = 1.8208020839342967", "value = 1.8208020939342967")
    wrong = "nist.toml: examples one-substitution: value is 1.82080208393"
    assert any(fault.startswith(wrong) for fault in faults(directory))


def test_a_wrong_element_of_a_list_fails_the_check(directory: Path) -> None:
    spoil(directory / "nist.toml", "[2.2516291673878226, 0.4,", "[2.2516291673878226, 0.5,")
    assert any("order_scores" in fault for fault in faults(directory))


def test_an_unknown_factor_fails_the_check(directory: Path) -> None:
    spoil(directory / "nist.toml", "precision_sum =", "precision_total =")
    assert any("no factor precision_total" in fault for fault in faults(directory))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('preset = "mteval-v13a"', 'preset = "mteval-v99"'),
        ("options = { max_order = 1 }", "options = { longest = 1 }"),
        ("options = { max_order = 1 }", "options = { max_order = 0 }"),
    ],
)
def test_options_and_presets_that_do_not_exist_fail_the_check(
    directory: Path, old: str, new: str
) -> None:
    spoil(directory / "nist.toml", old, new)
    assert any("refuses" in fault for fault in faults(directory))


def test_an_example_of_the_same_slug_twice_fails_the_check(directory: Path) -> None:
    spoil(directory / "nist.toml", 'slug = "too-short"', 'slug = "one-substitution"')
    spoil(directory / "nist.toml", "{{too-short.length_ratio:1}}", "0.5")
    text = (directory / "nist.toml").read_text("utf-8")
    (directory / "nist.toml").write_text(re.sub(r"\{\{too-short[^}]*\}\}", "0.1319", text), "utf-8")
    assert any("more than once" in fault for fault in faults(directory))


def test_a_related_metric_that_does_not_exist_fails_the_check(directory: Path) -> None:
    spoil(directory / "nist.toml", '[[related]]\nslug = "bleu"', '[[related]]\nslug = "blue"')
    assert any("related blue" in fault for fault in faults(directory))


def test_a_metric_without_words_and_words_without_a_metric_fail_the_check(directory: Path) -> None:
    (directory / "nist.toml").rename(directory / "mist.toml")
    found = faults(directory)
    assert any("nist has no content file" in fault for fault in found)
    assert any("no metric mist" in fault for fault in found)


def test_a_file_that_cannot_be_read_is_an_error_and_not_a_crash(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (directory / "nist.toml").write_text("tagline = ", "utf-8")
    monkeypatch.setattr(checks, "content", lambda: load(directory))
    (error,) = checks.words_and_figures()
    assert error.id == "calculators.E001"
    assert "nist.toml" in error.msg


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("tagline =", "tag_line =", "there is no key tag_line"),
        ('title = "Too short"', "title = 3", "examples too-short: title must be of type str"),
        ('agrees_with = "NLTK"', "", "examples one-substitution: agrees_with is missing"),
        ("{{one-substitution.value}}", "{{one-substitution.worth}}", "questions weight: answer"),
        ("{{one-substitution.value}}", "{{ oops }}", "questions weight: answer"),
        ("https://dl.acm.org", "http://dl.acm.org", "url must begin with https"),
        ('references = ["the cat sat on the mat"]', 'references = ["a\\nb"]', "one line"),
    ],
)
def test_a_fault_names_its_file_and_key(directory: Path, old: str, new: str, message: str) -> None:
    spoil(directory / "nist.toml", old, new)
    with pytest.raises(ContentError) as error:
        load(directory)
    assert "nist.toml" in str(error.value)
    assert message in str(error.value)


FIGURES = {"cat": {"value": 1 / 3, "scores": (0.5, 2), "edits": 12345, "rating": "fair"}}


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("{{cat.value}}", "0.3333"),
        ("{{ cat.value:2 }}", "0.33"),
        ("{{cat.value:2%}}", "33.33\N{NO-BREAK SPACE}%"),
        ("{{cat.value:1x100}}", "33.3"),
        ("{{cat.scores[1]}} and {{cat.scores[2]}}", "0.5000 and 2"),
        ("{{cat.edits}}", "12,345"),
        ("{{cat.rating}}", "fair"),
    ],
)
def test_a_placeholder_is_filled_from_an_example(source: str, text: str) -> None:
    assert filled(source, FIGURES) == text


@pytest.mark.parametrize(
    "source",
    [
        "{{dog.value}}",
        "{{cat.worth}}",
        "{{cat.scores}}",
        "{{cat.scores[0]}}",
        "{{cat.scores[3]}}",
        "{{cat.value[1]}}",
        "{{cat.value:long}}",
        "{{cat}}",
        "cat.value}}",
    ],
)
def test_a_placeholder_that_names_no_figure_is_refused(source: str) -> None:
    with pytest.raises(ProseError):
        filled(source, FIGURES)


@pytest.mark.parametrize(
    "source",
    [
        "<b>bold</b>",
        "<div>\nblock\n</div>",
        "<script>alert(1)</script>",
        "before <!-- remark --> after",
        "a<br/>b",
        "- item\n\n    <p>inside</p>",
        "[link](http://example.org)",
        "[link](javascript:alert(1))",
        "[link](//example.org)",
        "[link][1]\n\n[1]: http://example.org",
        "![picture](https://example.org/a.png)",
    ],
)
def test_raw_html_and_forbidden_links_are_refused(source: str) -> None:
    with pytest.raises(ProseError):
        Renderer().prose(source)


def test_tags_in_code_are_only_text() -> None:
    assert Renderer().prose("`<b>` &amp; 1 < 2") == "<p><code>&lt;b&gt;</code> &amp; 1 &lt; 2</p>"


def test_a_template_prints_prose_as_it_is_and_other_text_escaped() -> None:
    printed = Template("{{ ours }} {{ theirs }}").render(
        Context({"ours": Prose("<p>a</p>"), "theirs": "<p>b</p>"})
    )
    assert printed == "<p>a</p> &lt;p&gt;b&lt;/p&gt;"


def all_prose(words: Page) -> Iterator[str]:
    yield words.lead
    yield words.how_it_works
    yield from (question.answer for question in words.questions)
    yield from (example.says for example in words.examples)
    yield from (source.note for source in words.sources)
    yield from (related.why for related in words.related)


@pytest.mark.parametrize("slug", sorted(content().pages))
def test_every_link_within_the_page_leads_somewhere(slug: str) -> None:
    words = page(slug)
    anchors = {f"#faq-{question.slug}" for question in words.questions}
    anchors |= {f"#example-{example.slug}" for example in words.examples}
    links = {link for text in all_prose(words) for link in re.findall(r'href="(#[^"]*)"', text)}
    assert links <= anchors


@pytest.mark.parametrize("slug", sorted(content().pages))
def test_every_link_to_another_example_leads_somewhere(slug: str) -> None:
    for text in all_prose(page(slug)):
        for other, example in re.findall(r'href="/(\w+)/\?example=([^"]*)"', text):
            assert page(other).example(example) is not None


@pytest.mark.parametrize("slug", sorted(content().pages))
def test_the_description_fits_a_search_result(slug: str) -> None:
    assert 80 <= len(page(slug).description) <= 200


def test_the_pages_of_the_site_say_that_texts_are_not_kept() -> None:
    assert "never stored, logged or passed on" in site_page("privacy").body
    assert site_page("about").title


def test_a_page_that_does_not_exist_is_named() -> None:
    with pytest.raises(ContentError, match=r"nothing\.toml"):
        page("nothing")


def test_without_a_comparison_there_is_none(directory: Path) -> None:
    (directory / "comparison.json").unlink(missing_ok=True)
    assert load(directory).comparison is None


def test_a_comparison_is_read(directory: Path) -> None:
    (directory / "comparison.json").write_text(
        '{"day": "2026-11-30", "segments": 7, "differing": 0, "tools":'
        ' [{"name": "NLTK", "version": "3.10.4", "scores": 5},'
        ' {"name": "jiwer", "version": "4.0.0", "scores": 6}]}',
        "utf-8",
    )
    found = load(directory).comparison
    assert found is not None
    assert (found.day.year, found.segments, found.scores) == (2026, 7, 11)


def test_the_check_is_fast_enough_for_every_start() -> None:
    begun = time.perf_counter()
    list(checks.faults(load(DIRECTORY), METRICS))
    assert time.perf_counter() - begun < 1.0
