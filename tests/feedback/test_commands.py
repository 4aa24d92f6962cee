import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from calculators.feedback.limits import Limit, hit
from calculators.feedback.models import (
    Action,
    Counter,
    DailyKey,
    Feedback,
    ModerationEvent,
    State,
)

OLD = timedelta(days=31)


@pytest.mark.django_db
def test_purging_deletes_old_spam_and_refusals_and_nothing_else(made, capsys):
    then = timezone.now() - OLD
    old = {state: made(state=state, created=then, sender="s") for state in State}
    fresh = {state: made(state=state, sender="s") for state in State}
    call_command("purge_feedback")
    kept = {old[State.PENDING], old[State.APPROVED], *fresh.values()}
    assert set(Feedback.objects.all()) == kept
    assert "Deleted 2 " in capsys.readouterr().out
    event = ModerationEvent.objects.get()
    assert (event.action, event.count, event.reference) == (Action.PURGED, 2, "")
    assert set(Feedback.objects.exclude(sender="")) == set(fresh.values())


@pytest.mark.django_db
def test_purging_takes_the_days(made):
    made(state=State.SPAM, created=timezone.now() - timedelta(days=8))
    call_command("purge_feedback", days=9)
    assert Feedback.objects.count() == 1
    call_command("purge_feedback", days=7)
    assert Feedback.objects.count() == 0


@pytest.mark.django_db
def test_purging_removes_past_keys_and_closed_counters():
    DailyKey.objects.create(day=timezone.now().date() - timedelta(days=1))
    hit(Limit("gone", 1, -1))
    hit(Limit("open", 1, 100))
    call_command("purge_feedback")
    assert not DailyKey.objects.exists()
    assert Counter.objects.get().key == "open:"


@pytest.mark.django_db
@pytest.mark.parametrize("days", [-1, 10**9])
def test_purging_refuses_days_that_make_no_sense(days):
    with pytest.raises(CommandError):
        call_command("purge_feedback", days=days)


@pytest.mark.django_db
def test_a_backup_that_can_not_be_written_says_so(tmp_path):
    with pytest.raises(CommandError, match="can't be written"):
        call_command("backup", tmp_path / "nowhere" / "copy")


@pytest.mark.django_db
def test_a_backup_that_breaks_off_leaves_the_last_one_as_it_was(monkeypatch, tmp_path):
    def broken_off(file):
        file.write_text("half")
        raise OSError(28, "No space left on device")

    for way in ("_copy_sqlite", "_dump_postgresql"):
        monkeypatch.setattr(f"calculators.management.commands.backup.{way}", broken_off)
    copy = tmp_path / "copy"
    copy.write_text("the last one")
    with pytest.raises(CommandError, match="No space left"):
        call_command("backup", copy)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"copy": "the last one"}


def test_a_damaged_copy_does_not_stand_where_the_last_good_one_stood(monkeypatch, tmp_path):
    file = tmp_path / "damaged"
    with closing(sqlite3.connect(file)) as live:
        live.execute("CREATE TABLE entry (text UNIQUE)")
        live.executemany("INSERT INTO entry VALUES (?)", [(f"{n:0200}",) for n in range(200)])
        live.commit()
    written = bytearray(file.read_bytes())
    written[-3_000:-2_000] = bytes(1_000)
    file.write_bytes(written)
    copy = tmp_path / "copy"
    copy.write_text("the last one")
    with closing(sqlite3.connect(file)) as live:
        site = SimpleNamespace(
            vendor="sqlite",
            connection=live,
            ensure_connection=lambda: None,
            settings_dict={"NAME": str(file)},
        )
        monkeypatch.setattr("calculators.management.commands.backup.connection", site)
        with pytest.raises(CommandError, match="The copy is damaged"):
            call_command("backup", copy)
    assert copy.read_text() == "the last one"


@pytest.mark.django_db
def test_a_backup_over_the_database_itself_is_refused(monkeypatch, tmp_path):
    if connection.vendor != "sqlite":
        pytest.skip("Only SQLite's database is a file.")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path)
    file = tmp_path / "live.sqlite3"
    file.write_text("data")
    (tmp_path / "hard").hardlink_to(file)
    monkeypatch.setitem(connection.settings_dict, "NAME", str(file))
    ways = (file, tmp_path / "folder/../live.sqlite3", tmp_path / "link/live.sqlite3")
    for way in (*ways, tmp_path / "hard", f"{file}-wal", f"{file}-shm"):
        with pytest.raises(CommandError, match="the database itself"):
            call_command("backup", way)
    assert file.read_text() == "data"


def test_a_backup_takes_no_devices_place(tmp_path):
    device = tmp_path / "device"
    os.mkfifo(device)
    for no_file in (device, tmp_path):
        with pytest.raises(CommandError, match="no ordinary file"):
            call_command("backup", no_file)
    assert device.is_fifo()


@pytest.mark.parametrize("holds", [b"", b"no database", None])
def test_where_no_database_is_the_last_good_copy_stays(tmp_path, holds):
    if holds is not None:
        (tmp_path / "mtcalc.sqlite3").write_bytes(holds)
    copy = tmp_path / "copy"
    copy.write_text("the last one")
    done = subprocess.run(
        [sys.executable, "manage.py", "backup", str(copy)],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DATABASE_URL": f"sqlite:///{tmp_path}/mtcalc.sqlite3"}
        | {"DJANGO_SETTINGS_MODULE": "mtcalc.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert re.match("CommandError: (There is nothing of this site|The copy failed)", done.stderr)
    assert copy.read_text() == "the last one"


@pytest.mark.django_db
def test_without_pg_dump_the_backup_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setattr(connection, "vendor", "postgresql", raising=False)
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(CommandError, match="pg_dump"):
        call_command("backup", tmp_path / "copy")
    assert not list(tmp_path.iterdir())
