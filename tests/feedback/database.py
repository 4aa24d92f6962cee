"""A database of its own, of the kind that DATABASE_URL names, for tests with several processes."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from django.db import connection

ROOT = Path(__file__).resolve().parents[2]


class Database:
    """An empty, migrated database, and Python processes that work on it."""

    def __init__(self, **environment: str) -> None:
        self.environment = {
            **{name: value for name, value in os.environ.items() if name != "DATABASE_URL"},
            "DJANGO_SETTINGS_MODULE": "mtcalc.settings",
            "SECRET_KEY": "k" * 60,
            **environment,
        }

    def start(self, code: str) -> subprocess.Popen[str]:
        """A process that runs ``code`` with Django set up."""
        return subprocess.Popen(
            [sys.executable, "-c", f"import django; django.setup()\n{code}"],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, code: str) -> str:
        """What a process prints that runs ``code``."""
        return _output_of(self.start(code))

    def run_together(self, codes: list[str]) -> list[str]:
        """What processes print that run at the same time, one for each code."""
        return [_output_of(process) for process in [self.start(code) for code in codes]]

    def migrate(self) -> None:
        """Make the tables."""
        self.run(
            "from django.core.management import call_command\n"
            "call_command('migrate', verbosity=0, skip_checks=True)"
        )


@contextmanager
def fresh_database(folder: Path) -> Iterator[Database]:
    """A migrated database in ``folder``, or on the server that the tests run on."""
    if connection.vendor == "sqlite":
        database = Database(MTCALC_DATA=str(folder))
        database.migrate()
        yield database
        return
    name = f"mtcalc_{secrets.token_hex(6)}"
    with _server() as server:
        server.execute(f'CREATE DATABASE "{name}"')
        try:
            database = Database(DATABASE_URL=_address(name))
            database.migrate()
            yield database
        finally:
            server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@contextmanager
def _server() -> Iterator:
    import psycopg

    known = connection.settings_dict
    with psycopg.connect(
        host=known["HOST"],
        port=known["PORT"] or None,
        user=known["USER"],
        password=known["PASSWORD"],
        dbname="postgres",
        autocommit=True,
    ) as server:
        yield server


def _address(name: str) -> str:
    known = connection.settings_dict
    login = quote(known["USER"], safe="") + ":" + quote(known["PASSWORD"] or "", safe="")
    return f"postgres://{login}@{quote(known['HOST'], safe='')}:{known['PORT']}/{name}"


def _output_of(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return out.strip()
