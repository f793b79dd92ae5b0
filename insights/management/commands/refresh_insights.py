from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from insights.refresh import refresh
from reviews.roster import rematch_due


class Command(BaseCommand):
    help = "Bring the insights up to date with the reviews; does nothing when they are."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--all", action="store_true", help="Read every review again, changed or not."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        rematch_due()  # Insights count mentions, which follow the roster.
        refreshed = refresh(everything=options["all"], wait=True, on_progress=self._show)
        self.stdout.write("Insights refreshed." if refreshed else "Insights are up to date.")

    def _show(self, done: int, total: int) -> None:
        self.stderr.write(f"{done} of {total} reviews read.")
