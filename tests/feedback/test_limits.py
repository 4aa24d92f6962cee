import pytest

from calculators.feedback import limits
from calculators.feedback.limits import Limit, delete_expired, forget, hit, hit_unless_off
from calculators.feedback.models import Counter

pytestmark = pytest.mark.django_db

LIMIT = Limit("test", 3, 60)


@pytest.fixture
def clock(monkeypatch):
    """Sets the time that limits see."""

    def at(seconds):
        monkeypatch.setattr(limits.time, "time", lambda: seconds)

    at(1000)
    return at


def over(who=""):
    return hit(LIMIT, who).is_over(LIMIT)


def test_as_many_as_the_limit_says_come_through(clock):
    assert [over() for _ in range(5)] == [False, False, False, True, True]


def test_everybody_is_counted_apart(clock):
    for _ in range(4):
        over("a")
    assert not over("b")


def test_a_window_runs_from_the_first_hit_and_then_starts_anew(clock):
    for _ in range(4):
        over()
    clock(1059)
    assert over()
    assert hit(LIMIT).retry_after == 1
    clock(1060)
    tally = hit(LIMIT)
    assert (tally.hits, tally.retry_after) == (1, 60)


def test_a_forgotten_window_starts_anew(clock):
    for _ in range(4):
        over("a")
    forget(LIMIT, "a")
    assert not over("a")


def test_only_closed_windows_are_removed(clock):
    hit(LIMIT, "old")
    clock(1030)
    hit(LIMIT, "new")
    clock(1060)
    assert delete_expired() == 1
    assert Counter.objects.get().key == "test:new"


def test_limits_can_be_switched_off_for_a_load_test(settings):
    settings.MTCALC_RATE_LIMITS = False
    assert not any(hit_unless_off(LIMIT).is_over(LIMIT) for _ in range(10))
    assert not Counter.objects.exists()
