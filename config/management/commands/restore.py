"""Put what `backup` has kept back, into SQLite or PostgreSQL."""

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config import backup


class Command(BaseCommand):
    help = "Restore a file of `backup`, whole or not at all. Stop web, worker and scheduler first."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="made by `backup`; - is standard input")
        parser.add_argument(
            "--replace", action="store_true", help="also when the database holds something"
        )

    def handle(self, *args: Any, file: str, replace: bool, **options: Any) -> None:
        try:
            with ExitStack() as stack:
                source = (
                    sys.stdin.buffer if file == "-" else stack.enter_context(Path(file).open("rb"))
                )
                restored = backup.restore(source, replace=replace)
        except OSError as error:
            raise CommandError(f"{file} cannot be read ({error.strerror}).") from error
        except backup.BackupRefused as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(f"Restored {restored.rows} rows.")
        if restored.unreadable_secrets:
            self.stderr.write(
                f"{restored.unreadable_secrets} secrets cannot be read with SECRET_KEY: "
                "add the key of the former installation to SECRET_KEY_FALLBACKS."
            )
