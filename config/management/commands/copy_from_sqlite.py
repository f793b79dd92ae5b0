"""`manage.py copy_from_sqlite`: copy an SQLite database to an empty PostgreSQL database."""

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection, transaction
from django.db.models import QuerySet

from config import backup
from config.management.commands.restore import LOST_SECRETS
from config.scheduled_backups import run_command
from reviews.models import Review

# Created by migrations, or invalid after the move.
LEFT_OUT = ("contenttypes", "auth.permission", "sessions", "usersessions", "config.backup")


class Command(BaseCommand):
    help = (
        "Copy everything from an SQLite file into the database of DATABASE_URL, which must be "
        "empty. Stop web, worker and scheduler first."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        default = settings.STATE_DIR / "reviews.sqlite3"
        parser.add_argument("file", metavar="FILE", nargs="?", type=Path, default=default)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        if connection.vendor == "sqlite":
            raise CommandError("Set DATABASE_URL to the PostgreSQL database that takes the data.")
        if not file.is_file():
            raise CommandError(f"{file} is not there. Name the file of the SQLite database.")
        with TemporaryDirectory(dir=settings.STATE_DIR) as folder:
            rows = Path(folder) / "all.jsonl"
            copy = Path(folder) / "copy.sqlite3"
            with closing(sqlite3.connect(file)) as former, closing(sqlite3.connect(copy)) as new:
                former.backup(new)
            source = {"DATABASE_URL": f"sqlite:///{copy}", "STATE_DIR": folder}
            self._run("migrate", "--verbosity", "0", **source)
            # Groups may have permissions of tables that former versions had.
            self._run("remove_stale_contenttypes", "--no-input", "--include-stale-apps", **source)
            dump = ["dumpdata", "--natural-foreign", "--format=jsonl", f"--output={rows}"]
            self._run(*dump, *(f"--exclude={name}" for name in LEFT_OUT), **source)
            call_command("migrate", verbosity=0)
            try:
                backup.refuse_unless_empty()
            except backup.BackupRefused as refused:
                raise CommandError(f"{refused} Or name an empty one.") from None
            with transaction.atomic():
                call_command("flush", interactive=False, verbosity=0)
                call_command("loaddata", str(rows), verbosity=0)
                self._compare(rows)
                lost = backup.after_restore()
        self.stdout.write(f"Copied {Review.objects.count()} reviews, and all that belongs to them.")
        if lost:
            self.stderr.write(LOST_SECRETS.format(lost))

    def _run(self, *command: str, **values: str) -> None:
        done = run_command(*command, **values)
        if done.returncode:
            raise CommandError(f"{command[0]} failed: {' '.join(done.stderr.split())[-500:]}")

    def _compare(self, rows: Path) -> None:
        """Raise CommandError if the copy lacks a row."""
        with rows.open("rb") as lines:
            wanted = Counter(orjson.loads(line)["model"] for line in lines if line.strip())
        for label, count in wanted.items():
            model = apps.get_model(label)
            found = QuerySet(model).count()
            if found != count:
                raise CommandError(f"{count} {label} were copied as {found}; nothing was changed.")
