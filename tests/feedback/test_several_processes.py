"""What holds while several processes write at once, on the database that the tests run on."""

import json
import signal
import time

import pytest
from django.db import connection

from .database import Database, fresh_database

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

PROCESSES = 4

INSERT = """
from calculators.feedback.models import Feedback, ModerationEvent
from calculators.feedback.spam import Circumstances
from calculators.feedback.limits import UNCOUNTED
from calculators.feedback.submissions import Words, receive
from calculators.feedback.tokens import Age
from calculators.scoring import METRICS

errors = 0
for number in range(1000):
    words = Words(rating=number % 5 + 1, kind="bug", name="", text=f"{PROCESS} says {number}")
    try:
        receive(METRICS[0].slug, words, "sender", Circumstances("", Age.FINE, UNCOUNTED))
    except Exception as error:
        errors += 1
print(errors)
"""

COUNT = """
from calculators.feedback.models import Feedback, ModerationEvent
print(Feedback.objects.values("text").distinct().count(), ModerationEvent.objects.count())
"""

HIT = """
from calculators.feedback.limits import Limit, hit
limit = Limit("flood", 10, 24 * 3600)
print(sum(not hit(limit, "one network").is_over(limit) for _ in range(1000)))
"""

HITS = """
from calculators.feedback.models import Counter
print(Counter.objects.get().hits)
"""

SAME_KEY = """
from calculators.feedback.network import keyed
print(keyed("192.0.2.0/24"))
"""


@pytest.fixture
def database(tmp_path):
    with fresh_database(tmp_path) as made:
        yield made


def test_four_processes_keep_all_of_a_thousand_entries_each(database: Database):
    codes = [f"PROCESS = {number}\n{INSERT}" for number in range(PROCESSES)]
    assert database.run_together(codes) == ["0"] * PROCESSES
    assert database.run(COUNT) == "4000 4000"


# What is read and then written in one transaction: with SQLite's own way to begin one, WAL refuses
# two in five of them, without waiting.
DECIDE = """
from calculators.feedback import moderation
from calculators.feedback.models import Feedback, State

keys = list(Feedback.objects.values_list("pk", flat=True))
errors = 0
for number in range(100):
    state = (State.APPROVED, State.REJECTED)[number % 2]
    try:
        moderation.decide(keys, state, "moderator")
    except Exception as error:
        errors += 1
print(errors)
"""


def test_moderators_at_work_together_refuse_one_another_nothing(database: Database):
    database.run(
        "from calculators.feedback.models import Feedback\n"
        "from calculators.scoring import METRICS\n"
        "for _ in range(5): Feedback.objects.create(page=METRICS[0].slug, text='a')"
    )
    assert database.run_together([DECIDE] * PROCESSES) == ["0"] * PROCESSES


def test_of_four_thousand_hits_at_a_limit_of_ten_exactly_ten_come_through(database: Database):
    through = database.run_together([HIT] * PROCESSES)
    assert sum(map(int, through)) == 10
    # No process overtook another one later either, when all of them surely ran at once.
    assert database.run(HITS) == "4000"


def test_all_processes_share_the_key_of_the_day(database: Database):
    assert len(set(database.run_together([SAME_KEY] * PROCESSES))) == 1


ACKNOWLEDGE = """
from calculators.feedback.limits import UNCOUNTED
from calculators.feedback.spam import Circumstances
from calculators.feedback.submissions import Words, receive
from calculators.feedback.tokens import Age
from calculators.scoring import METRICS

rating = Words(rating=3, kind="", name="", text="")
while True:
    entry = receive(METRICS[0].slug, rating, "sender", Circumstances("", Age.FINE, UNCOUNTED))
    print(entry.pk, flush=True)
"""


def test_what_was_acknowledged_survives_the_killing_of_its_writers(database: Database):
    writers = [database.start(ACKNOWLEDGE) for _ in range(2)]
    for writer in writers:
        writer.stdout.readline()
    time.sleep(1)
    for writer in writers:
        writer.send_signal(signal.SIGKILL)
    acknowledged = set()
    for writer in writers:
        lines = writer.communicate(timeout=30)[0].splitlines(keepends=True)
        acknowledged |= {int(line) for line in lines if line.endswith("\n")}
    assert len(acknowledged) > 10
    kept = json.loads(
        database.run(
            "from calculators.feedback.models import Feedback\n"
            "print(list(Feedback.objects.values_list('pk', flat=True)))"
        )
    )
    assert acknowledged <= set(kept)


def test_a_backup_made_while_others_write_is_whole(database: Database, tmp_path):
    writer = database.start(ACKNOWLEDGE)
    acknowledged = {int(writer.stdout.readline()) for _ in range(50)}
    # So few still stand in the journal alone, if nobody writes on.
    writer.send_signal(signal.SIGSTOP)
    copy = tmp_path / "copy"
    backup = f"from django.core.management import call_command\ncall_command('backup', '{copy}')"
    try:
        database.run(backup)
        if connection.vendor == "sqlite":
            _check_restored_file(copy, acknowledged)
        writer.send_signal(signal.SIGCONT)
        database.run(backup)  # over the last one, while somebody writes
    finally:
        writer.kill()
        writer.communicate()
    if connection.vendor == "sqlite":
        _check_restored_file(copy, acknowledged)
    else:
        _check_restored_dump(copy, tmp_path, acknowledged)
    assert copy.stat().st_mode & 0o077 == 0
    assert not list(tmp_path.glob("*.unfinished"))


def _check_restored_file(copy, acknowledged):
    import sqlite3

    with sqlite3.connect(copy) as restored:
        assert restored.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        kept = {key for (key,) in restored.execute("SELECT id FROM calculators_feedback")}
    assert acknowledged <= kept
    # The copy opens as a site's own database.
    served = Database(DATABASE_URL=f"sqlite:///{copy}")
    assert served.run(COUNT.replace('"text"', '"pk"')) == f"{len(kept)} {len(kept)}"


def _check_restored_dump(copy, folder, acknowledged):
    import subprocess

    with fresh_database(folder) as empty:
        address = empty.environment["DATABASE_URL"]
        subprocess.run(
            ["pg_restore", "--clean", "--no-owner", f"--dbname={address}", str(copy)], check=True
        )
        count, _ = empty.run(COUNT.replace('"text"', '"pk"')).split()
        assert int(count) >= len(acknowledged)
