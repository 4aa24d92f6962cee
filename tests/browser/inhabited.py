"""The site after some visitors: a tool has ratings and comments, and signed links are about."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from calculators.scoring import METRICS

from .server import Site, serving

TOOL, QUIET_TOOL = METRICS[0].slug, METRICS[1].slug

# What the pages of refusal say, most of which a browser can't cause by itself.
REFUSALS = {
    400: "The form could not be read.",
    403: "This request came from another site and was refused.",
    413: "The request is larger than the 4 MiB that are taken at once.",
    429: "Very much has come from your network.",
    500: "",
    503: "The server is busy with other texts.",
}

# Run by manage.py shell, which has imported the models; prints the ends of addresses.
VISITS = """
import json
from calculators.feedback.models import Feedback, Reply, State
from calculators.feedback.tokens import entry_token

def left(state, **values):
    return Feedback.objects.create(page={tool!r}, state=state, **values)

for rating in (5, 5, 4, 4, 3, 1):
    left(State.APPROVED, rating=rating)
for kind, name, text in {comments!r}:
    published = left(State.APPROVED, kind=kind, name=name, text=text, rating=4)
Reply.objects.create(feedback=published, text="Thank you. It is mended in 1.0.")
waiting = left(State.PENDING, kind="question", name="Ada", text="Is there a limit?", rating=5)
rejected = left(State.REJECTED, kind="praise", name="", text="Good.")
gone = left(State.REJECTED, kind="praise", name="", text="Gone.")
links = {{
    "waiting": entry_token(waiting), "published": entry_token(published),
    "rejected": entry_token(rejected), "gone": entry_token(gone),
    "comment": published.reference,
}}
gone.delete()
print("links:" + json.dumps(links))
"""
COMMENTS = (
    ("praise", "Ada", "It gives what my paper's tool gives, and I can see why."),
    ("bug", "", "A long word: " + "Donaudampfschifffahrtsgesellschaft" * 3),
    ("question", "سارة", "هل تُحسب علامات الترقيم كلمات؟"),
    ("edge-case", "王伟", "没有空格的句子只算一个词。\n请说明。"),
)


@dataclass(frozen=True)
class Inhabited:
    """A running server with feedback in its database."""

    site: Site
    links: dict[str, str]  # ends of addresses, by what stands there

    def address(self, path: str) -> str:
        """The whole address of a path, in which ``{name}`` stands for one of the links."""
        return self.site.url + path.format_map(self.links)


@contextmanager
def inhabited(data: Path) -> Iterator[Inhabited]:
    """The site served with feedback, and with an address for every page of refusal."""
    settings = "tests.browser.refusing_settings"
    with serving(data, DJANGO_SETTINGS_MODULE=settings, MTCALC_CONTACT="us@example.org") as site:
        visits = VISITS.format(tool=TOOL, comments=COMMENTS)
        printed = site.manage("shell", "-c", visits)
        yield Inhabited(site, json.loads(printed.partition("links:")[2]))
