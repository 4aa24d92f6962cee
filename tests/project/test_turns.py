"""One heavy request at a time in a process; small ones never wait."""

from __future__ import annotations

import json
import threading
import time

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory
from django.test.utils import override_settings

from calculators.scoring import METRICS
from mtcalc.turns import MOST_OF_A_SMALL_ONE, WAITING, Turns, is_heavy

SLUG = METRICS[0].slug
# A calculator's page asks for its feedback.
pytestmark = pytest.mark.django_db

LONG = "canary " * 3_000
FORM = {"hypothesis": LONG, "references": "a canary"}
PROMPTLY = override_settings(MTCALC_WAIT_SECONDS=0.01)


def post(body: bytes, path: str = "/x/", kind: str = "application/x-www-form-urlencoded"):
    return RequestFactory().generic("POST", path, body, content_type=kind)


HEAVY = post(b"a" * (MOST_OF_A_SMALL_ONE + 1))


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody else has the turn as long as the test lasts."""
    monkeypatch.setattr(Turns, "_wait", lambda self: False)


@pytest.mark.parametrize(
    ("body", "heavy"),
    [
        (b"", False),
        (b"a" * MOST_OF_A_SMALL_ONE, False),
        (b"a" * (MOST_OF_A_SMALL_ONE + 1), True),
        ("猫".encode() * MOST_OF_A_SMALL_ONE, False),
        ("猫".encode() * (MOST_OF_A_SMALL_ONE + 1), True),
        (rb"\u732b" * (MOST_OF_A_SMALL_ONE - 1), False),
        (rb"\u732b" * (MOST_OF_A_SMALL_ONE + 1), True),
    ],
)
def test_characters_tell_what_is_heavy(body: bytes, heavy: bool) -> None:
    assert is_heavy(post(body)) is heavy


def test_reading_and_the_admin_are_never_heavy() -> None:
    assert not is_heavy(RequestFactory().get("/x/"))
    assert not is_heavy(post(b"a" * 100_000, "/admin/login/"))


def test_a_typical_calculation_does_not_wait() -> None:
    text = "The cat sat on the mat. " * 83  # 2,000 characters
    made = RequestFactory().post(f"/{SLUG}/", {"hypothesis": text, "references": text})
    assert not is_heavy(made)


@PROMPTLY
def test_the_turn_comes_back_after_an_answer_and_after_a_failure() -> None:
    def fail(request):
        raise ValueError

    turns = Turns(fail)
    for _ in range(3):
        with pytest.raises(ValueError):
            turns(HEAVY)
    turns.get_response = lambda request: HttpResponse("in")
    for _ in range(3):
        assert turns(HEAVY).status_code == 200


@PROMPTLY
def test_the_next_one_is_refused_while_one_works_and_small_ones_go_on() -> None:
    def answer(request):
        if is_heavy(request):
            # While it is at work there comes another one like it, and then a small one.
            refused.append(turns(HEAVY))
            return turns(post(b"a"))
        return HttpResponse("small")

    refused: list[HttpResponse] = []
    turns = Turns(answer)
    assert turns(HEAVY).content == b"small"
    assert [response.status_code for response in refused] == [503]


@PROMPTLY
def test_what_is_streamed_keeps_its_turn_until_it_is_closed() -> None:
    turns = Turns(lambda request: StreamingHttpResponse(iter([b"a", b"b"])))
    first = turns(HEAVY)
    assert turns(HEAVY).status_code == 503
    assert b"".join(first) == b"ab"
    second = turns(HEAVY)
    assert second.status_code == 200
    second.close()  # the reader went away before the first byte
    third = turns(HEAVY)
    next(iter(third))
    third.close()
    third.close()
    assert turns(HEAVY).status_code == 200


def test_no_more_wait_than_leave_threads_for_small_ones() -> None:
    turns = Turns(lambda request: HttpResponse("in"))
    turns.turn.acquire()
    with override_settings(MTCALC_WAIT_SECONDS=5):
        waiting = [threading.Thread(target=turns, args=(HEAVY,)) for _ in range(WAITING)]
        for thread in waiting:
            thread.start()
        while turns.room.acquire(blocking=False):
            turns.room.release()
        started = time.monotonic()
        assert turns(HEAVY).status_code == 503
        assert time.monotonic() - started < 2  # and not when those before it give up
        turns.turn.release()
        for thread in waiting:
            thread.join(timeout=10)
    assert turns(HEAVY).status_code == 200


def test_a_turn_is_waited_for_a_second() -> None:
    turns = Turns(lambda request: HttpResponse("in"))
    turns.turn.acquire()
    started = time.monotonic()
    assert turns(HEAVY).status_code == 503
    assert 1 <= time.monotonic() - started < 3
    threading.Timer(0.3, turns.turn.release).start()
    turns.turn.acquire()
    threading.Timer(0.3, turns.turn.release).start()
    assert turns(HEAVY).status_code == 200


@PROMPTLY
@pytest.mark.usefixtures("taken")
@pytest.mark.parametrize("metric", METRICS, ids=[metric.slug for metric in METRICS])
def test_a_busy_calculator_keeps_the_text(metric) -> None:
    response = Client().post(f"/{metric.slug}/", FORM)
    assert (response.status_code, response["Retry-After"]) == (503, "5")
    assert response["Cache-Control"] == "no-store"
    page = response.content.decode()
    assert "The server is busy" in page
    assert LONG in page
    assert "a canary</textarea>" in page


@PROMPTLY
@pytest.mark.usefixtures("taken")
def test_a_busy_gate_keeps_the_items() -> None:
    for path in ("/gate/", "/gate/report.json"):
        response = Client().post(path, {"items": f'["{LONG}"]'})
        assert response.status_code == 503
        assert LONG in response.content.decode()


@PROMPTLY
@pytest.mark.usefixtures("taken")
@pytest.mark.parametrize("call", ["score", "corpus"])
def test_a_busy_api_answers_in_json_without_a_word_of_the_text(call: str) -> None:
    response = Client().post(
        f"/api/v1/{SLUG}/{call}", json.dumps(FORM), content_type="application/json"
    )
    assert (response.status_code, response["Retry-After"]) == (503, "5")
    assert list(response.json()) == ["errors"]
    assert "canary" not in response.content.decode()


@PROMPTLY
@pytest.mark.usefixtures("taken")
def test_small_requests_do_not_notice() -> None:
    for path in ("/", f"/{SLUG}/", "/healthz"):
        assert Client().get(path).status_code == 200
    assert Client().post(f"/{SLUG}/", {"hypothesis": "a", "references": "a"}).status_code == 200
