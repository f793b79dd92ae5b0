"""Back up and restore the database by `VACUUM INTO`, or by `pg_dump` and `pg_restore`.

A backup leaves out data that expires: sessions, failed sign-ins, the log of attempts, and files
that wait for an import. Secrets stay encrypted with `SECRET_KEY`, which the file does not contain.
"""

import datetime as dt
import os
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import Error, connection, models, transaction
from django.db.backends.postgresql.client import DatabaseClient
from django.db.backends.utils import CursorWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import QuerySet

from config.management.commands.reencrypt_secrets import reencrypt
from config.version import build
from insights.models import Artifact
from publishing.models import Document
from reviews.models import Business, Review, Revision
from sources.models import SourceConnection
from websub.models import RELEASED_CLAIM, Subscription

LEFT_OUT = (
    "axes.AccessAttemptExpiration",
    "axes.AccessAttempt",
    "axes.AccessFailureLog",
    "axes.AccessLog",
    "config.Backup",
    "imports.ImportUpload",
    "notifications.DeliveryAttempt",
    "sessions.Session",
    "usersessions.UserSession",
    "websub.Attempt",
)
STARTS = {"sqlite": b"SQLite format 3\0", "postgresql": b"PGDMP"}
NOT_OURS = (
    "The file is not a backup of this database. Name one that `manage.py backup` has made here."
)
OTHER_DATABASE = (
    "The file is a backup of the other database. docs/backup.md says how to move from SQLite to "
    "PostgreSQL."
)
DAMAGED = "The file is cut off or damaged. Copy it again; nothing was restored."


class BackupRefused(Exception):
    """A backup that cannot be made or restored. The message names cause and remedy."""


def write(file: Path) -> None:
    """Write a consistent snapshot of the database to a new file."""
    tables = [apps.get_model(label)._meta.db_table for label in LEFT_OUT]
    if connection.vendor != "sqlite":
        left_out = [f"--exclude-table-data={table}" for table in tables]
        _run(["pg_dump", "-Fc", "-O", "-x", f"-f{file}", *left_out], connects=True)
        return
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(file)])
    with closing(sqlite3.connect(file)) as copy, copy:
        copy.execute("PRAGMA secure_delete = ON")
        for table in tables:
            copy.execute(f"DELETE FROM {table}")  # noqa: S608  (a name of Django's)


def restore(file: Path, *, replace: bool) -> int:
    """Replace all rows of the database by those of a backup, and migrate them.

    Returns the number of secrets that no key decrypts. Raises `BackupRefused`, also for a database
    with data unless `replace` is set.
    """
    _check_start(file)
    is_migrated = Document._meta.db_table in connection.introspection.table_names()
    if is_migrated and not replace:
        refuse_unless_empty()
    published = _published() if is_migrated else {}
    if connection.vendor != "sqlite":
        return _restore_dump(file, published)
    _check_copy(file)
    with TemporaryDirectory(dir=settings.STATE_DIR) as folder:
        copy = Path(folder) / "copy"
        shutil.copyfile(file, copy)
        with _connected_to(copy):
            lost = after_restore(published)
        with closing(sqlite3.connect(copy)) as ready:  # In one transaction.
            connection.ensure_connection()
            ready.backup(connection.connection)
    return lost


def after_restore(published: Mapping[str, Document] | None = None) -> int:
    """Migrate restored tables, and prepare them for this installation.

    `published` are the documents that this installation published before the restore. Returns the
    number of secrets that no key decrypts.
    """
    _refuse_newer(MigrationRecorder(connection).applied_migrations())
    call_command("migrate", verbosity=0)
    with transaction.atomic():
        for model in apps.get_models():
            released = {
                name: value
                for name, value in RELEASED_CLAIM.items()
                if name in {field.attname for field in model._meta.concrete_fields}
            }
            if released:
                _all(model).update(**released)
        _pause_sources()
        _raise_revision()
        _raise_versions(published or {})
    ContentType.objects.clear_cache()
    _, lost = reencrypt()
    return lost


def _all(model: type[models.Model]) -> QuerySet[Any]:
    """All rows, without filters of the model's manager."""
    return QuerySet(model)


def _check_start(file: Path) -> None:
    with file.open("rb") as content:
        start = content.read(16)
    if not start.startswith(STARTS[connection.vendor]):
        is_of_other = any(start.startswith(each) for each in STARTS.values())
        raise BackupRefused(OTHER_DATABASE if is_of_other else NOT_OURS)


def _refuse_newer(applied: Iterable[tuple[str, str]]) -> None:
    loader = MigrationLoader(None)
    known = set(loader.disk_migrations)
    known |= {each for migration in loader.disk_migrations.values() for each in migration.replaces}
    ours = {app for app, _ in known}
    newer = [
        f"{app}.{name}" for app, name in sorted(applied) if app in ours and (app, name) not in known
    ]
    if newer:
        raise BackupRefused(
            f"The backup has the migration {newer[-1]}, which this version ({build()}) "
            "lacks. Upgrade to a version that has it, then restore."
        )


def refuse_unless_empty() -> None:
    for model in (Review, Business, Subscription, get_user_model()):
        if count := _all(model).count():
            name = model._meta.verbose_name if count == 1 else model._meta.verbose_name_plural
            raise BackupRefused(
                f"The database holds {count} {name} already. Restoring puts the backup in place "
                "of everything: add --replace if that is what you want."
            )


# --- SQLite ---------------------------------------------------------------------------------------


def _check_copy(file: Path) -> None:
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as copy:
            is_sound = copy.execute("PRAGMA quick_check").fetchall() == [("ok",)]
            if not is_sound or copy.execute("PRAGMA foreign_key_check").fetchall():
                raise BackupRefused(DAMAGED)
            applied = copy.execute("SELECT app, name FROM django_migrations").fetchall()
    except (sqlite3.DatabaseError, TypeError) as error:
        raise BackupRefused(DAMAGED) from error
    _refuse_newer(applied)


@contextmanager
def _connected_to(file: Path) -> Iterator[None]:
    connection.close()
    former = connection.settings_dict["NAME"]
    connection.settings_dict["NAME"] = str(file)
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = former


# --- PostgreSQL -----------------------------------------------------------------------------------


def _restore_dump(file: Path, published: Mapping[str, Document]) -> int:
    """Replace all tables by those of a dump, and migrate them, in one transaction."""
    with TemporaryDirectory(dir=settings.STATE_DIR) as folder:
        applied = Path(folder) / "migrations.sql"
        _run(["pg_restore", "-a", "-t", "django_migrations", "-f", str(applied), str(file)])
        rows = [line.split("\t") for line in applied.read_text(encoding="utf-8").splitlines()]
        _refuse_newer([(row[1], row[2]) for row in rows if len(row) == 4])
        script = Path(folder) / "script.sql"
        _run(["pg_restore", "-O", "-x", "-f", str(script), str(file)])
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
                _execute_script(cursor, script)
                # PostgreSQL cannot alter a table with pending constraint checks.
                cursor.execute("RESET search_path; SET CONSTRAINTS ALL IMMEDIATE")
                return after_restore(published)
        except (Error, psycopg.Error) as error:
            said = " ".join(str(error).split())[:500]
            raise BackupRefused(
                f"The dump was not loaded, so nothing was changed: {said}"
            ) from error
        finally:
            connection.close()  # The dump has changed the settings of the session.


def _execute_script(cursor: CursorWrapper, script: Path) -> None:
    """Execute the statements of a plain dump, with the rows of each COPY."""
    statements: list[str] = []
    with script.open(encoding="utf-8", newline="\n") as lines:
        for line in lines:
            if line.startswith("COPY ") and line.endswith(" FROM stdin;\n"):
                cursor.execute("".join(statements))
                statements.clear()
                with cursor.copy(line.removesuffix(";\n")) as rows:
                    for row in takewhile("\\.\n".__ne__, lines):
                        rows.write(row)
            # Skip commands to psql, and a setting that servers before version 17 do not know.
            elif not line.startswith(("\\", "SET transaction_timeout")):
                statements.append(line)
    cursor.execute("".join(statements))


def _run(command: list[str], *, connects: bool = False) -> None:
    environment = dict(os.environ)
    if connects:
        (_, *where), more = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])
        command, environment = [*command, *where], environment | (more or {})
    try:
        done = subprocess.run(  # noqa: S603  (fixed commands alone)
            command, env=environment, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise BackupRefused(
            f"{command[0]} is not installed here. Run it where the database runs, as "
            "docs/backup.md shows."
        ) from None
    if done.returncode:
        said = " ".join(done.stderr.split())[:500]
        raise BackupRefused(f"{command[0]} did not work, so nothing was changed: {said}")


# --- After a restore ------------------------------------------------------------------------------


def _raise_revision() -> None:
    """Raise the revision above any number that was used since the backup.

    Running processes cache results by revision. Results from the lost data must not match the
    restored data.
    """
    reviews = _all(Revision).filter(name=Revision.REVIEWS).first()
    if reviews is None:
        return
    number = max(reviews.number + 1, int(time.time()))
    # Rows that were up to date at the former revision are up to date at the new one.
    for model, name in ((Document, "revision"), (Artifact, "revision"), (Revision, "number")):
        _all(model).filter(**{name: reviews.number}).update(**{name: number})


def _pause_sources() -> None:
    """Pause all sources, since the former installation may still poll them."""
    active = _all(SourceConnection).exclude(state=SourceConnection.State.PAUSED)
    active.update(state=SourceConnection.State.PAUSED, requested=SourceConnection.Request.NONE)


def _published() -> dict[str, Document]:
    return Document.objects.published().without_bodies().in_bulk()


def _raise_versions(published: Mapping[str, Document]) -> None:
    """Make restored documents newer than those that were published before the restore.

    The time is raised for clients that compare dates, and the version for the subscribers of the
    hub. The document is built again, since its bytes may contain the time.
    """
    for path, document in _published().items():
        last = published.get(path)
        if last is not None and last.digest != document.digest:
            times = [at for at in (last.changed_at, document.changed_at) if at]
            Document.objects.filter(path=path).update(
                version=max(last.version, document.version) + 1,
                changed_at=max(times) + dt.timedelta(seconds=1),
                revision=0,
            )
