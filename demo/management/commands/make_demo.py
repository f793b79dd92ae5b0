"""Fill an empty database with the demo, the same for the same arguments."""

import contextlib
import datetime as dt
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from core.db.errors import import_error_message
from demo import BUSINESS, END, REVIEWS, SEED, generate, showcase
from demo.loading import NotDemoData, add_inbox, add_logo, load
from demo.review import DemoReview, write_labels

MAX_REVIEWS = 10_000_000
FIRST_END, LAST_END = dt.date(1980, 1, 1), dt.date(9000, 12, 31)


class Command(BaseCommand):
    help = (
        "Load an invented business with its reviews. Loading it again changes nothing. With "
        "--reviews, --seed or --truth the reviews are generated, for tests and measurements."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--reviews", metavar="N", help=f"how many; default: {REVIEWS}")
        parser.add_argument("--seed", metavar="N", help=f"default: {SEED}")
        parser.add_argument(
            "--end",
            default=END.isoformat(),
            metavar="DATE",
            help=f"the last day of its three years, YYYY-MM-DD; default: {END}, always",
        )
        parser.add_argument(
            "--truth", metavar="FILE", help="write what each text was made from, as JSON"
        )

    def handle(self, *args: Any, **given: Any) -> None:
        # Another program's call_command may pass numbers and a date.
        is_generated = any(given[name] is not None for name in ("reviews", "seed", "truth"))
        count = _number("--reviews", str(_or(given["reviews"], REVIEWS)), 1, MAX_REVIEWS)
        seed = _number("--seed", str(_or(given["seed"], SEED)), 0, 2**63 - 1)
        end = _date(str(given["end"]))
        reviews: Iterable[DemoReview] = generate(count, seed, end)
        if not is_generated:
            reviews = list(showcase(end))
            count = len(reviews)
        try:
            if given["truth"]:
                with _whole_file(Path(given["truth"])) as file:
                    written = load(write_labels(reviews, file, seed=seed, end=end), end)
            else:
                written = load(reviews, end)
            if not is_generated:
                add_logo()
            add_inbox()
        except NotDemoData as refusal:
            raise CommandError(str(refusal)) from refusal
        except DatabaseError as error:
            raise CommandError(import_error_message(error)) from error
        reviews_of = f"{count} review{'s' if count != 1 else ''} of {BUSINESS['name']}"
        if written:
            self.stdout.write(f"Loaded {reviews_of}, up to {end}.")
        else:
            self.stdout.write(f"Nothing to do: the {reviews_of} are there already.")


@contextlib.contextmanager
def _whole_file(path: Path) -> Iterator[TextIO]:
    """A file that appears under its name once it is complete."""
    partial = path.with_name(path.name + ".partial")
    try:
        with partial.open("w", encoding="utf-8", newline="\n") as file:
            yield file
        partial.replace(path)
    except OSError as error:
        raise CommandError(f"--truth {path} cannot be written: {error.strerror}.") from error
    finally:
        partial.unlink(missing_ok=True)


def _or(given: Any, default: int) -> Any:
    return default if given is None else given


def _number(option: str, text: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 20 or not least <= int(text) <= most:
        raise CommandError(f"{option} {text!r} is not a whole number from {least} to {most}.")
    return int(text)


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
