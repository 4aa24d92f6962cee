"""``manage.py backup FILE``: a consistent copy of the database while it is in use."""

import os
import shutil
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, connection
from django.db.backends.postgresql.client import DatabaseClient
from django.db.migrations.recorder import MigrationRecorder

TABLE = MigrationRecorder.Migration._meta.db_table  # which every database of the site has


class Command(BaseCommand):
    """Copies with the database's own means: a plain copy of a live file may lack tables."""

    help = (
        "Write a consistent copy of the database to FILE: an SQLite file, or with PostgreSQL "
        "what pg_dump writes in its custom format (restore it with pg_restore)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"].resolve()
        # An interrupted copy must not stand where the last good one stood.
        unfinished = file.with_name(f".{file.name}.unfinished")
        write = _copy_sqlite if connection.vendor == "sqlite" else _dump_postgresql
        try:
            _refuse_what_must_stay(file)
            os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
            write(unfinished)
            unfinished.replace(file)
        except OSError as error:
            raise CommandError(f"{file} can't be written: {error.strerror}.") from None
        finally:
            unfinished.unlink(missing_ok=True)
        self.stdout.write(f"The database is in {file}.")


def _refuse_what_must_stay(file: Path) -> None:
    """Raise where a copy in that place would be in the place of the database, or of a device."""
    if file.exists() and not file.is_file():
        raise CommandError(f"{file} is no ordinary file. Name another one.")
    if connection.vendor != "sqlite":
        return
    database = Path(connection.settings_dict["NAME"]).resolve()
    own = {database, *(Path(f"{database}-{beside}") for beside in ("wal", "shm", "journal"))}
    if file in own or any(file.exists() and one.exists() and file.samefile(one) for one in own):
        raise CommandError("That is the database itself. Name another file.")


def _copy_sqlite(file: Path) -> None:
    copy = sqlite3.connect(file)
    try:
        connection.ensure_connection()
        connection.connection.backup(copy)
        # The copy is one file, to be moved about without the journal beside it.
        copy.execute("PRAGMA journal_mode=DELETE")
        ((verdict,),) = copy.execute("PRAGMA integrity_check(1)")
        ((tables,),) = copy.execute("SELECT COUNT(*) FROM sqlite_master WHERE name = ?", [TABLE])
    except (sqlite3.Error, DatabaseError) as error:
        raise CommandError(f"The copy failed: {error}.") from None
    finally:
        copy.close()
    if verdict != "ok":
        raise CommandError(f"The copy is damaged: {verdict}.")
    if not tables:
        # Such as where MTCALC_DATA is mistyped: the last good copy must not go for nothing.
        raise CommandError(f"There is nothing of this site in {connection.settings_dict['NAME']}.")


def _dump_postgresql(file: Path) -> None:
    program = shutil.which("pg_dump")
    if program is None:
        raise CommandError(
            "A copy of a PostgreSQL database takes pg_dump, which is not installed here "
            "(on Debian: postgresql-client). Run it on the machine of the database instead: "
            "pg_dump --format=custom --file=FILE DATABASE"
        )
    # Django knows how to name the server, the database and its password to psql; pg_dump takes
    # the same arguments.
    options = ["--format=custom", f"--file={file}"]
    (_, *arguments), environment = DatabaseClient.settings_to_cmd_args_env(
        connection.settings_dict, options
    )
    done = subprocess.run(
        [program, *arguments],
        env={**os.environ, **(environment or {})},
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise CommandError(f"pg_dump failed: {done.stderr.strip()}")
