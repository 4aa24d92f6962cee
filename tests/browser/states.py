"""Every page in every state, as browser tests and screenshots reach it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import FilePayload, Page

from calculators.scoring import METRICS

from .inhabited import QUIET_TOOL, REFUSALS, TOOL, Inhabited

Act = Callable[[Page], None]

SETS = Path(__file__).parents[1] / "data" / "sets"


def lines(file: str, count: int) -> list[str]:
    """The first lines of a file of the recorded sets."""
    return (SETS / file).read_text("utf-8").split("\n")[:count]


def words(file: str, count: int) -> str:
    """The first words of a file, as one segment."""
    return " ".join(" ".join(lines(file, count)).split()[:count])


@dataclass(frozen=True)
class Texts:
    """What is put into the two boxes of a calculator."""

    hypothesis: str
    references: str  # one a line


ENGLISH = Texts(
    "near the old station the mayor opened a very new library this morning .",
    "this morning the mayor opened a new library near the old railway station .\n"
    "the mayor has opened a new library near the old station today .",
)
ARABIC = Texts(
    "إلى المدرسة ذهب الولد الصغير في الصباح الباكر.",
    "ذهب الولد الصغير إلى المدرسة في الصباح.\nفي الصباح الباكر ذهب الولد إلى مدرسته.",
)
CHINESE = Texts(words("wmt22-en-zh.sysA", 3), words("wmt22-en-zh.ref", 3))
LONG = Texts(words("wmt22-zh-en.sysA", 400), words("wmt22-zh-en.ref", 400))


@dataclass(frozen=True)
class State:
    """A page, and what is done there before it is looked at."""

    name: str
    path: str
    act: Act | None = None
    is_long: bool = False  # its text has 400 words, and its page weighs what that takes

    def reach(self, page: Page, place: Inhabited) -> None:
        """Go there."""
        page.goto(place.address(self.path))
        if self.act:
            self.act(page)


def unfold(page: Page) -> None:
    """Open everything that can be opened."""
    page.evaluate("document.querySelectorAll('details').forEach(part => (part.open = true))")


def press(button: str, awaited: str) -> Act:
    """Press a button and wait for what comes of it, a selector."""

    def act(page: Page) -> None:
        page.get_by_role("button", name=button, exact=True).first.click()
        page.locator(awaited).first.wait_for()

    return act


def scored(texts: Texts) -> Act:
    """Score these texts."""

    def act(page: Page) -> None:
        page.locator("#id_hypothesis").fill(texts.hypothesis)
        page.locator("#id_references").fill(texts.references)
        press("Score", "#result")(page)

    return act


def _errors(page: Page) -> None:
    """Score no reference, with a number that is none where the metric has numbers."""
    page.locator("#id_hypothesis").fill(ENGLISH.hypothesis)
    page.locator("#options > summary").click()
    for number in page.locator("#options input[type=text]").all()[:1]:
        number.fill("many")
    press("Score", ".error-summary")(page)


def _calculator(slug: str) -> tuple[State, ...]:
    path = f"/{slug}/"
    return (
        State(f"{slug}-empty", path),
        State(f"{slug}-english", path, scored(ENGLISH)),
        State(f"{slug}-arabic", path, scored(ARABIC)),
        State(f"{slug}-chinese", path, scored(CHINESE)),
        State(f"{slug}-long", path, scored(LONG), is_long=True),
        State(f"{slug}-error", path, _errors),
    )


def as_files(*names: str, count: int) -> list[FilePayload]:
    """The first lines of some of the recorded sets, to be uploaded."""
    return [
        FilePayload(name=name, mimeType="text/plain", buffer="\n".join(lines(name, count)).encode())
        for name in names
    ]


def uploaded(language_pair: str, segments: int, references: int) -> Act:
    """Send two systems' output of so many segments and a reference with so many."""

    def act(page: Page) -> None:
        systems = as_files(f"{language_pair}.sysA", f"{language_pair}.sysB", count=segments)
        page.locator("#id_systems").set_input_files(systems)
        page.locator("#id_references").set_input_files(
            as_files(f"{language_pair}.ref", count=references)
        )
        awaited = "#result" if segments == references else ".finding-error"
        press("Score and compare", awaited)(page)

    return act


def _found(page: Page) -> None:
    page.locator("#id_find").fill("the")
    page.locator("#segments ~ .settings").get_by_role("button", name="Show").click()
    page.locator(".segment-table caption", has_text=" of ").wait_for()


def _unread(page: Page) -> None:
    memory = "".join(f'<tuv xml:lang="{code}"><seg>cat</seg></tuv>' for code in ("en", "de", "fr"))
    text = f'<tmx version="1.4"><header srclang="en"/><body><tu>{memory}</tu></body></tmx>'
    page.locator("#id_systems").set_input_files(
        FilePayload(name="memory.tmx", mimeType="text/xml", buffer=text.encode())
    )
    page.locator("#id_references").set_input_files(as_files("wmt22-en-de.ref", count=1))
    page.locator("#id_seed").fill("x")
    press("Score and compare", ".error-summary")(page)


def _changed_and_unbounded(page: Page) -> None:
    page.locator("#id_seed").fill("7")
    page.locator("#id_bound").fill("many")
    page.locator("#segments ~ .settings").get_by_role("button", name="Show").click()
    page.locator("#id_bound-error .field-error").wait_for()


def _split(page: Page) -> None:
    uploaded("wmt22-en-zh", 30, 30)(page)
    press("Split the text as Chinese", "text=Text without spaces is split as Chinese")(page)


def _opened(page: Page) -> None:
    page.locator(".segment-table button").first.click()
    page.locator("#working").wait_for()


FILES = (
    State("files-empty", "/files/"),
    State("files-error", "/files/", press("Score and compare", ".error-summary")),
    State("files-doctor", "/files/", uploaded("wmt22-en-de", 30, 29)),
    State("files-result", "/files/?example=two-systems"),
    State("files-chinese", "/files/", uploaded("wmt22-en-zh", 30, 30)),
    State("files-split", "/files/", _split),
    State("files-found", "/files/?example=two-systems", _found),
    State("files-unread", "/files/", _unread),
    State("files-unbounded", "/files/?example=two-systems", _changed_and_unbounded),
    State("files-opened", "/files/?example=two-systems", _opened),
)


ARABIC_ITEM = (
    '[{"id": "تحية", "source_text": "أهلا وسهلا بكم في موقعنا",'
    ' "generated_output": "أهلا بكم في موقعنا"}]'
)


def _arabic_item(page: Page) -> None:
    page.locator("#id_items").fill(ARABIC_ITEM)
    press("Run the gate", "#result")(page)


def _opened_item(page: Page) -> None:
    page.get_by_role("button", name="Working of").nth(1).click()
    page.locator("#working").wait_for()


GATE = (
    State("gate-empty", "/gate/"),
    State("gate-error", "/gate/", press("Run the gate", ".error-summary")),
    State("gate-result", "/gate/?example=bundled"),
    State("gate-opened", "/gate/?example=bundled", _opened_item),
    State("gate-arabic", "/gate/", _arabic_item),
)


def _no_rating_and_no_words(page: Page) -> None:
    page.locator("#feedback-text").fill("")
    page.get_by_role("radio", name="No rating").check()
    press("Save the changes", ".field-error")(page)


def _reported(page: Page) -> None:
    page.get_by_role("radio").first.check()
    press("Report", "[role=status]")(page)


def _deleted(page: Page) -> None:
    # The entry is gone before: this state can be reached again and again.
    page.evaluate(
        """() => {
          const form = document.createElement("form");
          form.method = "post";
          form.action = location.pathname + "delete/";
          document.body.append(form);
          form.submit();
        }"""
    )
    page.get_by_role("heading", name="Your feedback is deleted").wait_for()


FEEDBACK = (
    State("feedback-none", f"/feedback/{QUIET_TOOL}/"),
    State("feedback-some", f"/feedback/{TOOL}/"),
    State("feedback-error", f"/feedback/{TOOL}/", press("Send", ".field-error")),
    State("feedback-waiting", "/feedback/yours/{waiting}/"),
    State("feedback-changed", "/feedback/yours/{waiting}/?changed"),
    State("feedback-change-error", "/feedback/yours/{waiting}/", _no_rating_and_no_words),
    State("feedback-published", "/feedback/yours/{published}/"),
    State("feedback-rejected", "/feedback/yours/{rejected}/"),
    State("feedback-gone", "/feedback/yours/{gone}/"),
    State("feedback-deleted", "/feedback/yours/{gone}/", _deleted),
    State("feedback-report", "/feedback/report/{comment}/"),
    State("feedback-report-error", "/feedback/report/{comment}/", press("Report", ".field-error")),
    State("feedback-reported", "/feedback/report/{comment}/", _reported),
)
WORDS = (
    State("home", "/"),
    State("about", "/about/"),
    State("privacy", "/privacy/"),
    State("api", "/api/"),
    State("refused-404", "/nowhere/"),
    *(State(f"refused-{status}", f"/refused/{status}/") for status in REFUSALS),
)
CALCULATORS = tuple(state for metric in METRICS for state in _calculator(metric.slug))
STATES = (*WORDS, *CALCULATORS, *FILES, *GATE, *FEEDBACK)
