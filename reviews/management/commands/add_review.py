"""Add one review, and print its id."""

import datetime as dt
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from core.db.errors import import_error_message
from review_exports.values import ValueRefused
from review_exports.values.dates import EARLIEST
from review_exports.values.people import clean_author
from review_exports.values.texts import clean_text
from reviews import services
from reviews.models import Review
from reviews.search.parameters import DaySerializer, InvalidParameters
from reviews.selectors import today
from reviews.sites import typed_source


class Command(BaseCommand):
    help = "Add one review, the newest unless a date is given, and print its id."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--rating", required=True, metavar="N", help="1 to 5")
        parser.add_argument("--text", default="", metavar="T", help="default: stars without words")
        parser.add_argument("--author", default="", metavar="A", help="default: Anonymous")
        parser.add_argument("--date", metavar="D", help="YYYY-MM-DD; default: today")
        parser.add_argument("--source", default="website", metavar="S", help="default: website")

    def handle(self, *args: Any, **given: Any) -> None:
        try:
            self.stdout.write(services.add_review(_review(given)).ulid)
        except ValueRefused as refused:
            sentence = f"--{refused.field} cannot be taken in. {refused.message}"
            raise CommandError(sentence) from refused
        except DatabaseError as error:
            raise CommandError(import_error_message(error)) from error


def _review(given: dict[str, Any]) -> Review:
    # `call_command` may pass a number, and a date below.
    rating, source = str(given["rating"]), typed_source(given["source"])
    if rating not in {"1", "2", "3", "4", "5"}:
        raise CommandError(f"--rating {rating!r} is not 1, 2, 3, 4 or 5.")
    if not source:
        raise CommandError(
            f"--source {given['source']!r} has no letter or digit. Use a name like google."
        )
    return Review(
        source=source,
        author=clean_author(given["author"]),
        rating=int(rating),
        date=_date(given["date"]),
        text=clean_text(given["text"], field="text"),
    )


def _date(value: str | dt.date | None) -> dt.date:
    if value is None:
        return today()
    try:
        date: dt.date = DaySerializer.read({"date": str(value)})["date"]
    except InvalidParameters as refused:
        raise CommandError(f"--{refused.issues[0]['message']}") from refused
    if date > today() + dt.timedelta(days=1):
        raise CommandError(f"--date {value} lies in the future; today is {today()}.")
    if date < EARLIEST:
        raise CommandError(f"--date {value} lies before {EARLIEST.year}. Correct the year.")
    return date
