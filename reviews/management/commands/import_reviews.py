"""The administrator's import from a shell: same code, same messages, files of any length."""

import argparse
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO
from zoneinfo import ZoneInfo

import orjson
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from core.db.errors import import_error_message
from review_exports.formats.base import FIELDS, NO_SOURCE
from review_exports.options import ID_MEANINGS, IGNORED
from review_exports.publication import STATUS_MEANINGS
from review_exports.records import FileRefused
from review_exports.values.dates import DATE_ORDERS
from review_exports.values.errors import shown
from review_exports.values.identifiers import slug
from reviews import services
from reviews.imports.importer import TooManyToHide
from reviews.imports.options import BEST_RATINGS, ImportOptions
from reviews.imports.report import Report

STANDARD_INPUT = "-"
SHOWN_ERRORS = 20  # In the readable output; --json lists all.
# What answers a refusal that asks something; the administration has forms for it.
OPTIONS = {
    "columns_not_recognised": "--map COLUMN=FIELD, and --heading-row N for the row that holds the "
    "headings (0: none does, and the columns are called Column 1, Column 2 and so on)",
    "date_order_ambiguous": "--date-order {}",
    "ids_in_doubt": "--ids row-numbers or --ids same",
    "too_many_to_hide": "--hide-many",
    "best_rating_unknown": "--best-rating 10 or another",
    "place_unclear": "--place NAME for each of yours",
    "publication_unclear": "--map COLUMN=published, COLUMN=withheld or COLUMN=ignore",
}
# What the command can do about rejected rows.
ROW_OPTIONS = {
    "rating_missing": "Rows without stars are left out with --skip-blank-ratings.",
    "rating_not_whole": "Half stars are rounded up with --round-half-up.",
}


class Command(BaseCommand):
    help = "Import a file of reviews. Importing it again changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file",
            nargs="?",
            metavar="FILE",
            help="CSV, TSV, XLSX, JSON, JSON Lines, ZIP, GZIP, HTML; - is standard input",
        )
        parser.add_argument("--format", metavar="NAME", help="do not guess the format")
        parser.add_argument("--dry-run", action="store_true", help="only say what would happen")
        parser.add_argument(
            "--strict", action="store_true", help="import nothing when one row is bad"
        )
        parser.add_argument("--json", action="store_true", help="print the report as JSON")
        parser.add_argument(
            "--map",
            nargs="+",
            action="extend",
            default=[],
            metavar="COLUMN=FIELD",
            help="which column means which field; may be repeated",
        )
        parser.add_argument(
            "--heading-row",
            type=int,
            metavar="N",
            help="the row that holds the headings; 0: none does, and the columns are numbered",
        )
        parser.add_argument(
            "--time-zone", default="", metavar="TZ", help="IANA name; default: the business's"
        )
        parser.add_argument(
            "--date-order",
            choices=DATE_ORDERS,
            help="what 04/05/2026 or 24/03/05 means, where the file does not decide it",
        )
        parser.add_argument(
            "--best-rating",
            type=int,
            choices=BEST_RATINGS,
            help="how far the stars count, where the file does not say it",
        )
        parser.add_argument("--round-half-up", action="store_true", help="take 4.5 stars as 5")
        parser.add_argument(
            "--skip-blank-ratings", action="store_true", help="leave out rows without stars"
        )
        parser.add_argument(
            "--status",
            action="append",
            default=[],
            metavar="WORD=MEANING",
            help="whether this status is public or hidden; may be repeated, is remembered",
        )
        parser.add_argument(
            "--place",
            action="append",
            default=[],
            metavar="NAME",
            help="of several places in the file the business's own; may be repeated, is remembered",
        )
        parser.add_argument(
            "--ids",
            choices=ID_MEANINGS,
            help="where the file's ids are those of other reviews: do not read them "
            "(row-numbers), or replace those reviews (same)",
        )
        parser.add_argument(
            "--complete",
            action="store_true",
            help="hide the reviews of the file's sources that it does not have",
        )
        parser.add_argument(
            "--hide-many",
            action="store_true",
            help="with --complete: also when these are more than 5 %% or 20",
        )
        parser.add_argument("--source", help="for rows that do not say where they are from")
        parser.add_argument(
            "--verified",
            action=argparse.BooleanOptionalAction,
            help="for rows that do not say whether they are verified",
        )
        parser.add_argument(
            "--overwrite-edits", action="store_true", help="replace fields edited by hand, too"
        )

    def handle(self, *args: Any, **given: Any) -> None:
        as_json = given["json"]
        try:
            report = _import(given, self._tell_progress)
        except FileRefused as refused:
            report = Report.refused(refused.code, refused.message)
        if report.refusal and (option := _option(report)):
            report.refusal["message"] += f" Use {option}."
        report.warnings += _remedies(report)
        if as_json:
            self.stdout.write(orjson.dumps(report.as_json()).decode())
        else:
            self._tell(report, given)
        if report.is_refused or (given["strict"] and report.rejected):
            raise CommandError(_why_not(report))

    def _tell_progress(self, rows: int) -> None:
        if self.stderr.isatty():
            self.stderr.write(f"\r{rows} rows", ending="")
            self.stderr.flush()

    def _tell(self, report: Report, given: dict[str, Any]) -> None:
        for warning in report.warnings:
            self.stdout.write(f"Note: {warning}")
        if report.unread:
            self.stdout.write(f"Not read: {', '.join(map(shown, report.unread))}.")
        for reason in report.reasons():
            rows = "1 row" if reason["rows"] == 1 else f"{reason['rows']} rows"
            self.stdout.write(f"Skipped {rows}: {reason['message']}")
        for error in report.errors[:SHOWN_ERRORS]:
            self.stdout.write(f"Row {error['row']}: {error['message']}")
        if len(report.errors) > SHOWN_ERRORS:
            self.stdout.write(f"... and {len(report.errors) - SHOWN_ERRORS} more; --json has all.")
        for option in dict.fromkeys(ROW_OPTIONS.get(one["code"]) for one in report.errors):
            if option:
                self.stdout.write(option)
        if report.refusal is None:
            did = "Would import" if given["dry_run"] else "Imported"
            if report.is_refused or (given["strict"] and report.rejected):
                did = "Read"
            rows = "1 row" if report.rows == 1 else f"{report.rows} rows"
            self.stdout.write(
                f"{did} {report.label or report.format}: {rows}, {report.new} new, "
                f"{report.changed} changed, {report.unchanged} unchanged, "
                f"{report.skipped} skipped, {report.rejected} rejected"
                f"{f', {report.hidden} hidden' if report.missing else ''}."
            )


def _option(report: Report) -> str:
    """The option that answers what a refusal asks; empty where it asks nothing."""
    option = OPTIONS.get(report.refusal["code"], "") if report.refusal else ""
    return " or ".join(map(option.format, report.choices)) if report.choices else option


def _remedies(report: Report) -> list[str]:
    """The option that says what a status means, where one is not understood."""
    remedies = []
    if report.missing > report.hidden:
        remedies.append("To hide them all the same, use --hide-many.")
    if count := report.sourceless:
        new = "1 new review is" if count == 1 else f"{count} new reviews are"
        remedies.append(
            f"Nothing says where {new} from; the source is published as “{NO_SOURCE}”, and as "
            "“Source not stated” on the pages. Name it with --source, like --source google."
        )
    words = [
        subject.name
        for question in report.questions
        if question.kind == "status"
        for subject in question.subjects
    ]
    if not words:
        return remedies
    use = f"Use --status '{words[0]}=public' or --status '{words[0]}=hidden'."
    return [*remedies, f"Statuses that are not understood: {', '.join(words[:20])}. {use}"]


def _why_not(report: Report) -> str:
    if report.refusal:
        return str(report.refusal["message"])
    if not report.rejected:
        return "Nothing was imported: the format leaves every row out, such as unpublished ones."
    rows = "1 row is" if report.rejected == 1 else f"{report.rejected} rows are"
    return f"Nothing was imported: {rows} bad."


def _import(given: dict[str, Any], on_progress: Callable[[int], None]) -> Report:
    # `--map A=rating FILE`: the option takes all words that follow it.
    pairs = [*given["map"]]
    name = pairs.pop() if given["file"] is None and pairs else given["file"]
    if name is None:
        raise FileRefused(
            "file_missing", "No file is named. Write it behind the command: import_reviews FILE."
        )
    options = ImportOptions(
        format=given["format"],
        time_zone=_time_zone(given["time_zone"]),
        columns=_columns(pairs),
        heading_row=_heading_row(given["heading_row"]),
        date_order=given["date_order"],
        best_rating=given["best_rating"],
        round_half_up=given["round_half_up"],
        skip_blank_ratings=given["skip_blank_ratings"],
        source=_source(given["source"]),
        ids=given["ids"],
        verified=given["verified"],
        overwrite_edits=given["overwrite_edits"],
        complete=given["complete"],
        hide_many=given["hide_many"],
        statuses=_statuses(given["status"]),
        places=[*given["place"]],
    )
    path = Path("standard input" if name == STANDARD_INPUT else name)
    with ExitStack() as stack:
        try:
            file = stack.enter_context(_opened(name))
        except (OSError, ValueError) as error:
            raise _unreadable(path, error) from error
        try:
            return services.import_file(
                file,
                file_name=path.name,
                options=options,
                dry_run=given["dry_run"],
                strict=given["strict"],
                on_progress=on_progress,
            )
        except TooManyToHide as error:
            raise FileRefused("too_many_to_hide", str(error)) from error
        except DatabaseError as error:
            raise FileRefused("database", import_error_message(error)) from error
        except OSError as error:
            raise _unreadable(path, error) from error


def _unreadable(path: Path, error: Exception) -> FileRefused:
    reason = getattr(error, "strerror", None) or error
    return FileRefused("file_unreadable", f"{shown(path)} cannot be read: {reason}.")


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    """The file from its beginning. What comes through a pipe is kept for as long, since a format is
    told, and a file compared, by more than one look at it."""
    with nullcontext(sys.stdin.buffer) if name == STANDARD_INPUT else Path(name).open("rb") as file:
        if file.seekable():
            yield file
            return
        with TemporaryFile() as copy:
            shutil.copyfileobj(file, copy)
            copy.seek(0)
            yield copy


def _heading_row(number: int | None) -> int | None:
    if number is not None and number < 0:
        raise FileRefused("heading_row_invalid", "--heading-row is a row number from 1 on, or 0.")
    return number


def _time_zone(name: str) -> str:
    if name:
        try:
            ZoneInfo(name)
        except (KeyError, ValueError, OSError) as error:  # OSError: the name of a folder.
            raise FileRefused(
                "time_zone_unknown",
                f"--time-zone {name!r} is unknown. Use an IANA name like America/Los_Angeles.",
            ) from error
    return name


def _source(name: str | None) -> str | None:
    if name is not None and not slug(name):
        raise FileRefused(
            "source_invalid", f"--source {name!r} has no letter or digit. Use a name like google."
        )
    return name


def _columns(pairs: list[str]) -> dict[str, str]:
    columns: dict[str, str] = {}
    for pair in pairs:
        column, equals, field = pair.rpartition("=")
        if not equals or not column:
            raise FileRefused(
                "map_invalid",
                f"--map {pair!r} is not COLUMN=FIELD, like --map 'Stars given=rating'.",
            )
        if field not in FIELDS and field != IGNORED:
            raise FileRefused(
                "map_invalid",
                f"--map {pair!r}: there is no field {field!r}. Use one of: "
                f"{', '.join((*FIELDS, IGNORED))}.",
            )
        columns[column] = field
    return columns


def _statuses(pairs: list[str]) -> dict[str, str]:
    statuses: dict[str, str] = {}
    for pair in pairs:
        word, equals, meaning = pair.rpartition("=")
        if not (word and equals and meaning in STATUS_MEANINGS):
            raise FileRefused(
                "status_invalid",
                f"--status {pair!r} is not WORD=public or WORD=hidden, like "
                "--status 'Closed=public'.",
            )
        statuses[word] = meaning
    return statuses
