"""Real faults of a real database, in a process of its own: a clear 503, and calculators go on."""

import socket

import pytest
from django.db import connection

from .database import Database, fresh_database

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

VISIT = """
import logging, time
from django.conf import settings
from django.db import connection
from django.test import Client
from calculators.feedback.tokens import FormSigner
from calculators.scoring import METRICS

logging.disable()
settings.STORAGES["staticfiles"]["BACKEND"] = (
    "django.contrib.staticfiles.storage.StaticFilesStorage"
)
settings.SECURE_SSL_REDIRECT = False
connection.settings_dict["OPTIONS"].update(OPTIONS)
for statement in STATEMENTS:
    connection.cursor().execute(statement)
slug = METRICS[0].slug
browser = Client(SERVER_NAME="localhost")
token = FormSigner(shown=time.time() - 60).sign(slug)
# Long enough to need new pages of the file.
typed = {"text": "\U0001f600" * 1900 + "Kept in the page", "kind": "bug", "token": token}
sent = browser.post(f"/feedback/{slug}/", typed)
page = browser.get(f"/{slug}/")
scored = browser.post(f"/{slug}/", {"hypothesis": "a cat", "references": "a cat"})
kept = "Kept in the page</textarea>" in sent.content.decode()
print(sent.status_code, sent.get("Retry-After"), kept, page.status_code, scored.status_code)
"""


def visit(database: Database, *statements: str, **options: object) -> str:
    return database.run(f"STATEMENTS = {statements!r}\nOPTIONS = {options!r}\n{VISIT}")


REFUSED = "503 30 True 200 200"


@pytest.fixture
def database(tmp_path):
    with fresh_database(tmp_path) as made:
        yield made


@pytest.fixture
def sqlite_file(tmp_path, database):
    if connection.vendor != "sqlite":
        pytest.skip("These are the faults of a file.")
    return tmp_path / "mtcalc.sqlite3"


def test_a_sound_database_takes_feedback(database):
    assert visit(database) == "303 None False 200 200"


@pytest.mark.parametrize(
    "fault", ["PRAGMA max_page_count = 1", "PRAGMA query_only = ON"], ids=["full", "read-only"]
)
def test_a_full_or_read_only_file(database, sqlite_file, fault):
    assert visit(database, fault) == REFUSED


def test_a_lock_that_somebody_holds(database, sqlite_file):
    import sqlite3

    with sqlite3.connect(sqlite_file, isolation_level=None) as holder:
        holder.execute("BEGIN IMMEDIATE")
        assert visit(database, timeout=0.5) == REFUSED
        holder.execute("ROLLBACK")


def test_a_file_that_is_no_database(database, sqlite_file):
    sqlite_file.write_bytes(b"not a database " * 1000)
    for beside in ("-wal", "-shm"):
        sqlite_file.with_name(sqlite_file.name + beside).unlink(missing_ok=True)
    assert visit(database) == REFUSED


def test_tables_that_were_never_made(tmp_path):
    if connection.vendor != "sqlite":
        pytest.skip("A server's database without tables takes a server's means to make.")
    assert visit(Database(MTCALC_DATA=str(tmp_path))) == REFUSED


def test_a_server_that_takes_calls_and_says_nothing():
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no server.")
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(100)
        port = silent.getsockname()[1]
        mute = Database(DATABASE_URL=f"postgres://mtcalc:x@127.0.0.1:{port}/mtcalc")
        assert visit(mute) == REFUSED


def test_a_server_that_is_gone():
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no server.")
    with socket.socket() as unbound:
        unbound.bind(("127.0.0.1", 0))
        port = unbound.getsockname()[1]
    gone = Database(DATABASE_URL=f"postgres://mtcalc:x@127.0.0.1:{port}/mtcalc")
    assert visit(gone) == REFUSED
