"""A tool, ways to send feedback on it, entries ready made, and who moderates them."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from django.contrib.auth.models import Group, User
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client

from calculators.feedback.models import Feedback, State
from calculators.feedback.tokens import FormSigner
from calculators.scoring import METRICS

PASSWORD = "correct horse battery staple"


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    """Nothing is left of the pages of other tests."""
    cache.clear()


@pytest.fixture
def tool() -> str:
    """The slug of a tool."""
    return METRICS[0].slug


@pytest.fixture
def sent(client: Client, tool: str) -> Callable[..., HttpResponse]:
    """Sends the form of the tool as a browser does, a minute after it was shown."""

    def send(*, shown_before: float = 60, of: str = tool, headers=None, **fields) -> HttpResponse:
        token = FormSigner(shown=time.time() - shown_before).sign(of)
        return client.post(
            f"/feedback/{of}/",
            {"rating": "", "kind": "suggestion", "name": "", "text": "", "token": token} | fields,
            headers={"Sec-Fetch-Site": "same-origin"} | (headers or {}),
        )

    return send


@pytest.fixture
def made(db: None, tool: str) -> Callable[..., Feedback]:
    """Makes an approved comment, or what the arguments say."""

    def make(**values) -> Feedback:
        defaults = {"page": tool, "kind": "bug", "text": "It rounds.", "state": State.APPROVED}
        return Feedback.objects.create(**(defaults | values))

    return make


@pytest.fixture
def moderator(db: None) -> User:
    """A member of the group that the migration makes, and of nothing else."""
    user = User.objects.create_user("mia", password=PASSWORD, is_staff=True)
    user.groups.add(Group.objects.get(name="Moderators"))
    return user


@pytest.fixture
def desk(moderator: User) -> Client:
    """The moderator's browser, logged in."""
    client = Client()
    client.force_login(moderator)
    return client
