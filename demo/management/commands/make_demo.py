import datetime as dt
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from core.db.errors import import_error_message
from demo import BUSINESS, END, showcase
from demo.loading import NotDemoData, add_inbox, add_logo, load

FIRST_END, LAST_END = dt.date(1980, 1, 1), dt.date(9000, 12, 31)


class Command(BaseCommand):
    help = "Load an invented business with its reviews. Loading it again changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--end",
            default=END.isoformat(),
            metavar="DATE",
            help=f"the last day of its three years, YYYY-MM-DD; default: {END}, always",
        )

    def handle(self, *args: Any, **given: Any) -> None:
        end = _date(str(given["end"]))  # `call_command` may pass a date.
        reviews = list(showcase(end))
        try:
            written = load(reviews, end)
            add_logo()
            add_inbox()
        except NotDemoData as refusal:
            raise CommandError(str(refusal)) from refusal
        except DatabaseError as error:
            raise CommandError(import_error_message(error)) from error
        reviews_of = f"{len(reviews)} reviews of {BUSINESS['name']}"
        if written:
            self.stdout.write(f"Loaded {reviews_of}, up to {end}.")
        else:
            self.stdout.write(f"Nothing to do: the {reviews_of} are there already.")


def _date(text: str) -> dt.date:
    try:
        date = dt.datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=dt.UTC).date()
    except ValueError:
        date = None
    if date is None or len(text) != 10 or not FIRST_END <= date <= LAST_END:
        raise CommandError(
            f"--end {text!r} is not a date from {FIRST_END} to {LAST_END}. "
            f"Write it like {END.isoformat()}."
        )
    return date
