"""Keep everything in one file, while the service runs."""

import os
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config import backup


class Command(BaseCommand):
    help = "Write all that cannot be made again to one file, which `restore` reads."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file", metavar="FILE", help="like reviews.backup; - is standard output"
        )

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        if file == "-":
            _write_to_standard_output()
            return
        path = Path(file)
        try:
            if path.exists():
                raise CommandError(f"{path} is there already. Name another file, or remove it.")
            rows = _write_whole(path)
        except OSError as error:
            raise CommandError(f"{path} cannot be written ({error.strerror}).") from error
        self.stdout.write(f"Kept {rows} rows in {path} ({path.stat().st_size / 1e6:.1f} MB).")


def _write_to_standard_output() -> None:
    try:
        # A buffer of its own: what cannot be written is not tried again when the process ends.
        with open(sys.stdout.fileno(), "wb", closefd=False) as out:
            backup.write(out)
    except OSError as error:
        raise CommandError(
            f"Standard output cannot be written ({error.strerror}). What is there is not a backup."
        ) from error


def _write_whole(path: Path) -> int:
    """The file appears when it is complete, readable by its owner alone."""
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as out:
            rows = backup.write(out)
            out.flush()
            os.fsync(out.fileno())
        part.rename(path)
    finally:
        part.unlink(missing_ok=True)
    return rows
