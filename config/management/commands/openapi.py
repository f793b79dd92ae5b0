"""`manage.py openapi`: write the OpenAPI description, or check that it is up to date."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.documents import FILE
from config.openapi.schema import render


class Command(BaseCommand):
    help = "Writes config/openapi/openapi.json from the code; the file is published as it is."
    requires_system_checks = []  # It needs neither a database nor a safe key.

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="Write nothing; fail if the file is out of date."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        described = render()
        if not options["check"]:
            FILE.write_bytes(described)
            self.stdout.write(f"Wrote {FILE.name}, {len(described)} bytes.")
        elif not FILE.is_file() or FILE.read_bytes() != described:
            raise CommandError(
                f"{FILE.name} is not what the code describes. "
                "Run `manage.py openapi` and keep the file with your change."
            )
