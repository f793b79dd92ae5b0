"""One file that holds all that cannot be made again, and back: from either database into either.

It is gzip of JSON Lines, read and written row by row. A header names the version and the
migrations; each table begins with a line that names its columns; the last line counts the rows, so
that a file that was cut off is known. Left out is what ends by itself: sessions, failed sign-ins,
the log of attempts, files that wait for an import. Secrets stay encrypted with `SECRET_KEY`, which
is not in the file.
"""

import base64
import datetime as dt
import decimal
import gzip
import json
import time
import uuid
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import groupby, islice
from pathlib import Path
from typing import Any, BinaryIO

from django.apps import apps
from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.core.management.color import no_style
from django.db import (
    DataError,
    IntegrityError,
    InterfaceError,
    ProgrammingError,
    connection,
    models,
    transaction,
)
from django.db.migrations.loader import MigrationLoader
from django.db.models import QuerySet

from config.env import BASE_DIR
from insights.models import Artifact
from publishing.models import Document
from publishing.snapshot import read_snapshot
from reviews import VERSION
from reviews.models import Business, Review, Revision
from sign_in.services import stored_secrets
from sources.models import SourceConnection
from websub.models import RELEASED_CLAIM, Subscription
from websub.secrets import SecretLost, decrypt, models_with_secrets

FORMAT = "reviews backup 1"
LEFT_OUT = {
    "axes.accessattempt",
    "axes.accessattemptexpiration",
    "axes.accessfailurelog",
    "axes.accesslog",
    "reviews.importupload",
    "sessions.session",
    "usersessions.usersession",
    "websub.attempt",
}
CHUNK = 500
LONGEST_LINE = 256 * 1024 * 1024  # Bytes; the largest document of 100,000 reviews has a third.

# What a value that was not written by us makes fields and databases raise.
NOT_FITTING = (
    ArithmeticError,
    DataError,
    IntegrityError,
    InterfaceError,
    ProgrammingError,
    TypeError,
    ValidationError,
    ValueError,
)

Row = list[Any]


class BackupRefused(Exception):
    """A file that cannot be restored here, or must not be; says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Restored:
    rows: int
    unreadable_secrets: int  # Under our keys.


# --- Write ----------------------------------------------------------------------------------------


def write(out: BinaryIO) -> int:
    """Everything, as it is at one moment while others go on writing; how many rows."""
    rows = 0
    with gzip.open(out, "wb", compresslevel=6) as lines, read_snapshot():
        lines.write(_line({"format": FORMAT, "version": VERSION, "migrations": _migrations()}))
        for model in _tables():
            columns = [field.attname for field in model._meta.concrete_fields]
            lines.write(_line({"table": _label(model), "columns": columns}))
            stored = _all(model).order_by("pk").values_list(*columns)
            for row in stored.iterator(CHUNK):
                lines.write(_line(row))
                rows += 1
        lines.write(_line({"rows": rows}))
    return rows


def _tables() -> list[type[models.Model]]:
    return [
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy and _label(model) not in LEFT_OUT
    ]


def _all(model: type[models.Model]) -> QuerySet[Any]:
    """Every row, by Django's own query set."""
    return QuerySet(model)


def _label(model: type[models.Model]) -> str:
    return model._meta.label_lower


def _migrations() -> dict[str, list[str]]:
    """The last migrations of each of our apps, as this code knows them."""
    leaves: dict[str, list[str]] = {}
    for app, name in sorted(MigrationLoader(None).graph.leaf_nodes()):
        if Path(apps.get_app_config(app).path).parent == BASE_DIR:
            leaves.setdefault(app, []).append(name)
    return leaves


def _line(value: object) -> bytes:
    return json.dumps(value, default=_plain, separators=(",", ":")).encode() + b"\n"


def _plain(value: object) -> str:
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode()
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, decimal.Decimal | uuid.UUID):
        return str(value)
    raise TypeError(f"A backup does not know how to keep {type(value).__name__}.")


# --- Restore --------------------------------------------------------------------------------------


def restore(file: BinaryIO, *, replace: bool) -> Restored:
    """Put the file's rows in place of all that is there, whole or not at all.

    Raises `BackupRefused`, also for a database that holds something, unless `replace`.
    """
    try:
        with gzip.open(file, "rb") as lines:
            _check_header(_read(lines.readline(LONGEST_LINE + 1)))
            with transaction.atomic():
                if not replace:
                    _refuse_unless_empty()
                seen = _published()
                _empty()
                rows = _load(iter(partial(lines.readline, LONGEST_LINE + 1), b""))
                _pause_sources()
                _go_on_counting()
                _come_after(seen)
                _reset_sequences()
                connection.check_constraints()
    except (gzip.BadGzipFile, zlib.error) as error:
        raise BackupRefused(NOT_OURS) from error
    except EOFError as error:
        raise BackupRefused(CUT_OFF) from error
    except NOT_FITTING as error:
        raise BackupRefused(f"{DOES_NOT_FIT} ({error})") from error
    ContentType.objects.clear_cache()
    return Restored(rows, _unreadable_secrets())


NOT_OURS = "The file is not a backup, or it was damaged. Name one that `manage.py backup` has made."
CUT_OFF = "The file is cut off: its end is missing. Copy it again; nothing was restored."
ENDLESS_LINE = (
    "The file has a line that is longer than any row of a backup. Name a file that `manage.py "
    "backup` has made; nothing was restored."
)
DOES_NOT_FIT = "The file was altered: a row does not fit its table. Nothing was restored."


def _read(line: bytes) -> Any:
    if len(line) > LONGEST_LINE:
        raise BackupRefused(ENDLESS_LINE)
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        # A line without its end is the last one of a file that was cut off.
        raise BackupRefused(NOT_OURS if line.endswith(b"\n") else CUT_OFF) from None


def _check_header(header: Any) -> None:
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise BackupRefused(NOT_OURS)
    version, theirs, ours = header.get("version"), header.get("migrations"), _migrations()
    if not isinstance(theirs, dict):
        raise BackupRefused(NOT_OURS)
    loader = MigrationLoader(connection)
    if [node for node in loader.graph.leaf_nodes() if node not in loader.applied_migrations]:
        raise BackupRefused(
            "The database lacks tables of this version. Run `manage.py migrate` first."
        )
    for app, names in theirs.items():
        for name in names:
            if (app, name) not in loader.graph.nodes:
                raise BackupRefused(
                    f"The backup is of version {version} with the migration {app}.{name},"
                    f" which this version ({VERSION}) does not have. Upgrade first, then restore."
                )
    if theirs != ours:
        raise BackupRefused(
            f"The backup is of version {version}, before a migration of this one "
            f"({VERSION}). Restore it with that version, then upgrade."
        )


def _refuse_unless_empty() -> None:
    for model in (Review, Business, Subscription, get_user_model()):
        if count := _all(model).count():
            name = model._meta.verbose_name if count == 1 else model._meta.verbose_name_plural
            raise BackupRefused(
                f"The database holds {count} {name} already. Restoring puts the backup in place "
                "of everything: add --replace if that is what you want."
            )


def _empty() -> None:
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    statements = connection.ops.sql_flush(no_style(), tables)
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _load(lines: Iterator[bytes]) -> int:
    rows, counted = 0, None
    insert: Callable[[list[Row]], None] | None = None
    for is_row, values in groupby(map(_read, lines), lambda value: isinstance(value, list)):
        if is_row:
            if insert is None:
                raise BackupRefused(NOT_OURS)
            while portion := list(islice(values, CHUNK)):
                insert(portion)
                rows += len(portion)
            continue
        for value in values:
            if not isinstance(value, dict) or counted is not None:
                raise BackupRefused(NOT_OURS)
            # Read on after the count: the file's checksum comes at its very end.
            counted = value.get("rows")
            insert = None if "rows" in value else _inserter(value)
    if counted != rows:
        raise BackupRefused(CUT_OFF)
    return rows


def _inserter(table: dict[str, Any]) -> Callable[[list[Row]], None]:
    model = next((model for model in _tables() if _label(model) == table.get("table")), None)
    fields = {field.attname: field for field in model._meta.concrete_fields} if model else {}
    if model is None or list(fields) != table.get("columns"):
        raise BackupRefused(
            f"The table {table.get('table')} has other columns here. Restore the backup with the "
            "version that made it, then upgrade."
        )

    def restored(row: Row) -> models.Model:
        given = zip(fields.items(), row, strict=True)
        values = {name: field.to_python(value) for (name, field), value in given}
        # Who had it in hand when the backup was made does not have it in hand when it comes back.
        free = {name: value for name, value in RELEASED_CLAIM.items() if name in values}
        return model(**(values | free))

    def insert(rows: list[Row]) -> None:
        # Past the query sets of ours, which would count each portion as a change.
        _all(model).bulk_create(map(restored, rows))

    return insert


def _go_on_counting() -> None:
    """Let the revision go on above any number since the backup.

    A process that still runs remembers by the revision what it has found: what it found in data now
    lost must never pass for the restored.
    """
    reviews = _all(Revision).filter(name=Revision.REVIEWS).first()
    if reviews is None:
        return
    number = max(reviews.number + 1, int(time.time()))
    # What had seen all changes still has.
    for model, name in ((Document, "revision"), (Artifact, "revision"), (Revision, "number")):
        _all(model).filter(**{name: reviews.number}).update(**{name: number})


def _pause_sources() -> None:
    """Leave sources alone until a person resumes them: the former installation may still run."""
    looking = _all(SourceConnection).exclude(state=SourceConnection.State.PAUSED)
    looking.update(state=SourceConnection.State.PAUSED, requested=SourceConnection.Request.NONE)


def _published() -> dict[str, Document]:
    return Document.objects.published().without_bodies().in_bulk()


def _come_after(seen: Mapping[str, Document]) -> None:
    """Make restored documents newer than those that were published here.

    By its time, or a client that compares dates would hold on to what is lost; by its version, so
    that subscribers are told. It is built again, since its bytes may name the time.
    """
    for path, document in _published().items():
        last = seen.get(path)
        if last is not None and last.digest != document.digest:
            times = [at for at in (last.changed_at, document.changed_at) if at]
            Document.objects.filter(path=path).update(
                version=max(last.version, document.version) + 1,
                changed_at=max(times) + dt.timedelta(seconds=1),
                revision=0,
            )


def _reset_sequences() -> None:
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), _tables()):
            cursor.execute(statement)


def _unreadable_secrets() -> int:
    return sum(
        _is_lost(stored)
        for model in models_with_secrets()
        for stored in _all(model)
        .exclude(encrypted_secret="")
        .values_list("encrypted_secret", flat=True)
        .iterator(CHUNK)
    ) + sum(map(_is_lost, stored_secrets()))


def _is_lost(stored: str) -> bool:
    try:
        decrypt(stored)
    except SecretLost:
        return True
    return False
