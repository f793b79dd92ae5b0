"""`manage.py restore`: restore a file of `backup`."""

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config import backup
from reviews.models import Review

LOST_SECRETS = (
    "{} secrets cannot be read with SECRET_KEY: add the key of the former installation to "
    "SECRET_KEY_FALLBACKS."
)


class Command(BaseCommand):
    help = "Restore a file of `backup`, and migrate it. Stop web, worker and scheduler first."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="made by `backup`; - is standard input")
        parser.add_argument(
            "--replace", action="store_true", help="also when the database holds something"
        )

    def handle(self, *args: Any, file: str, replace: bool, **options: Any) -> None:
        try:
            with TemporaryDirectory(dir=settings.STATE_DIR) as folder:
                path = Path(file)
                if file == "-":
                    path = Path(folder) / "backup"
                    with path.open("wb") as content:
                        shutil.copyfileobj(sys.stdin.buffer, content)
                lost = backup.restore(path, replace=replace)
        except OSError as error:
            raise CommandError(f"{file} cannot be read ({error.strerror}).") from error
        except backup.BackupRefused as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(f"Restored {Review.objects.count()} reviews.")
        if lost:
            self.stderr.write(LOST_SECRETS.format(lost))
