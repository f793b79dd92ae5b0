"""Import of files of any length from a shell."""

import argparse
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from core.db.errors import import_error_message
from imports import services
from imports.models import ImportOptions
from imports.report import Report
from review_exports import arguments
from review_exports.formats.base import FIELDS, NO_SOURCE
from review_exports.options import ID_MEANINGS, IGNORED
from review_exports.records import FileRefused
from review_exports.shapes import DECIDING_FIELDS, Shape, ShapeColumn
from review_exports.values import shown
from reviews.sites import typed_source

_NUMBERS = tuple(map(str, range(101)))  # Possible ends of a rating scale.
FEW_COLUMNS = 6
SHOWN_ERRORS = 20  # Errors in the readable output; --json lists all.
# Options that answer refusals of the import; `review_exports` names those of reading.
OPTIONS = {
    "ids_in_doubt": "--ids row-numbers or --ids same",
    "too_many_to_hide": "--hide-many",
}

FLAGS = {
    "dry-run": "only say what would happen",
    "strict": "import nothing when one row is bad",
    "json": "print the report as JSON",
    "complete": "hide the reviews of the file's sources that it does not have",
    "hide-many": "with --complete: also when these are more than 5 %% or 20",
    "overwrite-edits": "replace fields edited by hand, too",
}


class Command(BaseCommand):
    help = "Import a file of reviews. Importing it again changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        arguments.add_file(parser)
        for name, about in FLAGS.items():
            parser.add_argument(f"--{name}", action="store_true", help=about)
        arguments.add_arguments(parser, default_time_zone="the business's")
        parser.add_argument(
            "--ids",
            choices=ID_MEANINGS,
            help="where the file's ids are those of other reviews: do not read them "
            "(row-numbers), or replace those reviews (same)",
        )
        parser.add_argument(
            "--verified",
            action=argparse.BooleanOptionalAction,
            help="for rows that do not say whether they are verified",
        )

    def handle(self, *args: Any, **given: Any) -> None:
        as_json = given["json"]
        try:
            report = self._import(given)
        except FileRefused as refused:
            report = Report.refused(refused.code, refused.message)
        if report.refusal and (option := OPTIONS.get(report.refusal["code"])):
            report.refusal["message"] += f" Use {option}."
        report.warnings += _remedies(report)
        if as_json:
            self.stdout.write(orjson.dumps(report.as_json()).decode())
        else:
            self._print_report(report, given)
        if report.is_refused or (given["strict"] and report.rejected):
            raise CommandError(_failure_message(report))

    def _import(self, given: dict[str, Any]) -> Report:
        """Import the file; in a terminal, ask a person to confirm its columns."""
        given["file"], given["map"] = arguments.file_and_mapping(given, command="import_reviews")
        report = _import_file(given, self._print_progress)
        while report.shape and report.needs_confirmation and not given["json"]:
            for line in arguments.table_of(report.shape):
                self.stdout.write(line)
            # Standard input that is the file itself cannot answer.
            if not (sys.stdin.isatty() and self.stdout.isatty()):
                break
            try:
                self._ask(report.shape, given)
            except EOFError:
                raise FileRefused("not_confirmed", "Nothing was imported: not confirmed.") from None
            report = _import_file(given, self._print_progress)
        return report

    def _ask(self, shape: Shape, given: dict[str, Any]) -> None:
        """Ask the open questions and for confirmation; raises `EOFError` if it is denied."""
        for question in shape.questions:
            self.stdout.write(question.message)
            if question.kind == "scale":
                given["best_rating"] = int(self._choose("The best rating", _NUMBERS))
                given["worst_rating"] = int(self._choose("The worst rating", _NUMBERS, "1"))
            elif question.kind == "date_order":
                given["date_order"] = self._choose("Order", question.choices)
            elif question.kind == "stars":
                stars = {word: self._choose(word, question.choices) for word in question.names}
                _add(given, "stars", *(f"{word}={number}" for word, number in stars.items()))
            elif question.kind == "place":
                for name in question.names:
                    is_ours = self._is_yes(f"Is {name} yours?")
                    _add(given, "place" if is_ours else "other_place", name)
            else:
                # Among many columns most are to be ignored.
                preset = IGNORED if len(question.names) > FEW_COLUMNS else ""
                for column in shape.columns:
                    if column.name in question.names:
                        self._ask_about(column, preset, given)
        if not self._is_yes("Is the rest of the table right?"):
            raise EOFError
        given["accept"] = True

    def _ask_about(self, column: ShapeColumn, preset: str, given: dict[str, Any]) -> None:
        """Ask for the field of a column, and which of its values permit publication."""
        name, fields = column.name, (*FIELDS, IGNORED)
        field = column.field or self._choose(f"{name} is", fields, preset)
        _add(given, "map", f"{name}={field}")
        for value in column.values if field in DECIDING_FIELDS else ():
            shown_value = shown(value) if value else "(blank)"
            is_public = self._is_yes(f"May rows with {shown_value} in {name} be published?")
            _add(given, "publish" if is_public else "withhold", f"{name}={value}")

    def _is_yes(self, question: str) -> bool:
        return self._choose(question, ("y", "n"), "n") == "y"

    def _choose(self, prompt: str, choices: Sequence[str], default: str = "") -> str:
        """Ask until one of the choices is given; raises `EOFError` at the end of input."""
        few = f" [{'/'.join(choices)}]" if len(choices) < len(_NUMBERS) else ""
        preset = f" ({default})" if default else ""
        while (answer := input(f"{prompt}{few}{preset}: ").strip() or default) not in choices:
            self.stdout.write(f"Answer with one of {', '.join(choices)}.")
        return answer

    def _print_progress(self, rows: int) -> None:
        if self.stderr.isatty():
            self.stderr.write(f"\r{rows} rows", ending="")
            self.stderr.flush()

    def _print_report(self, report: Report, given: dict[str, Any]) -> None:
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
        for remedy in arguments.explain_errors(one["code"] for one in report.errors):
            self.stdout.write(remedy)
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


def _remedies(report: Report) -> list[str]:
    """Return messages with options for what a report leaves open."""
    remedies = []
    if report.missing > report.hidden:
        remedies.append("To hide them all the same, use --hide-many.")
    if count := report.sourceless:
        new = "1 new review is" if count == 1 else f"{count} new reviews are"
        remedies.append(
            f"Nothing says where {new} from; the source is published as “{NO_SOURCE}”, and as "
            "“Source not stated” on the pages. Name it with --source, like --source google."
        )
    return remedies


def _add(given: dict[str, Any], option: str, *values: str) -> None:
    """Add values to an option without changing its default, which is shared."""
    given[option] = [*given[option], *values]


def _failure_message(report: Report) -> str:
    if report.refusal:
        return str(report.refusal["message"])
    if not report.rejected:
        return "Nothing was imported: the format leaves every row out, such as unpublished ones."
    rows = "1 row is" if report.rejected == 1 else f"{report.rejected} rows are"
    return f"Nothing was imported: {rows} bad."


def _import_file(given: dict[str, Any], on_progress: Callable[[int], None]) -> Report:
    name = given["file"]
    options = ImportOptions(
        **arguments.read_choices(given, given["map"]),
        time_zone=given["time_zone"],
        verified=given["verified"],
        overwrite_edits=given["overwrite_edits"],
        complete=given["complete"],
        hide_many=given["hide_many"],
    )
    if options.source and not given["dry_run"]:
        typed_source(options.source)
    path = Path("standard input" if name == arguments.STANDARD_INPUT else name)
    with ExitStack() as stack:
        try:
            file = stack.enter_context(arguments.open_file(name))
        except (OSError, ValueError) as error:
            raise arguments.unreadable(str(path), error) from error
        try:
            return services.import_file(
                file,
                file_name=path.name,
                options=options,
                dry_run=given["dry_run"],
                strict=given["strict"],
                on_progress=on_progress,
                explain=arguments.explain,
            )
        except DatabaseError as error:
            raise FileRefused("database", import_error_message(error)) from error
        except OSError as error:
            raise arguments.unreadable(str(path), error) from error
