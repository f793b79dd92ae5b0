"""`manage.py backup`: write a backup while the service runs."""

import shutil
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, OperationalError

from config import backup
from config.version import build
from notifications.services import report_failed_backup


class Command(BaseCommand):
    help = "Write everything that cannot be generated again to one file, which `restore` reads."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file", metavar="FILE", help="like reviews.backup; - is standard output"
        )

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        try:
            self._write(file)
        except CommandError as error:
            with suppress(DatabaseError):
                report_failed_backup(str(error))
            raise

    def _write(self, file: str) -> None:
        path = Path(file)
        try:
            if file != "-" and path.exists():
                raise CommandError(f"{path} already exists. Name another file, or remove it.")
            with TemporaryDirectory(dir=settings.STATE_DIR) as folder:
                made = Path(folder) / "backup"
                backup.write(made)
                if file == "-":
                    with made.open("rb") as content:
                        shutil.copyfileobj(content, sys.stdout.buffer)
                    sys.stdout.buffer.flush()
                    return
                part = path.with_name(f"{path.name}.part")
                try:
                    shutil.copyfile(made, part)
                    part.rename(path)
                finally:
                    part.unlink(missing_ok=True)
        except OSError as error:
            raise CommandError(f"{file} cannot be written ({error.strerror}).") from error
        except (backup.BackupRefused, OperationalError) as error:
            raise CommandError(str(error)) from error
        size = path.stat().st_size / 1e6
        self.stdout.write(f"Kept everything of {build()} in {path} ({size:.1f} MB).")
