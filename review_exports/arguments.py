"""Arguments of a command line that choose how an export is read, and their validation.

Both `python -m review_exports` and other commands that read exports use them, so that a question
about a file is answered by the same option everywhere.
"""

import argparse
import shutil
import sys
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO
from zoneinfo import ZoneInfo

from review_exports.formats.base import FIELDS
from review_exports.options import BEST_RATINGS, IGNORED
from review_exports.publication import STATUS_MEANINGS
from review_exports.records import FileRefused, Question, ReadWarning
from review_exports.values import shown
from review_exports.values.dates import DATE_ORDERS
from review_exports.values.identifiers import slug

STANDARD_INPUT = "-"
# The choices that are taken as they are given.
_AS_GIVEN = (
    *("format", "heading_row", "date_order", "best_rating", "round_half_up", "skip_blank_ratings"),
    *("source", "ids"),
)
# The option that answers a refusal, by its code; {} is one of its choices.
_ANSWERS = {
    "columns_not_recognised": "--map COLUMN=FIELD, and --heading-row N for the row that holds the "
    "headings (0: none does, and the columns are called Column 1, Column 2 and so on)",
    "date_order_ambiguous": "--date-order {}",
    "best_rating_unknown": "--best-rating 10 or another",
    "place_unclear": "--place NAME for each of yours",
    "publication_unclear": "--map COLUMN=published, COLUMN=withheld or COLUMN=ignore",
}
# Sentences for refusals and warnings that name an option, by their code.
_REMEDIES = {
    "no_reviews_found": "Or say which member holds what: --map MEMBER=FIELD.",
    "owner_reply_dropped": "Or name the member that holds their words: --map MEMBER=owner_reply.",
    "time_zone_guessed": "Or name a time zone for this import: --time-zone.",
}

# Options for rejected rows, by the code of their error.
_ROW_REMEDIES = {
    "rating_missing": "Rows without stars are left out with --skip-blank-ratings.",
    "rating_not_whole": "Half stars are rounded up with --round-half-up.",
}


def add_arguments(
    parser: argparse.ArgumentParser, *, default_time_zone: str, remark: str = ""
) -> None:
    """Add an argument for each choice of `ReadChoices` but `ids`, and for the time zone.

    `remark` follows on the help of the answers that hold for later files, too.
    """
    parser.add_argument("--format", metavar="NAME", help="do not guess the format")
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
        "--time-zone",
        default="",
        metavar="TZ",
        help=f"IANA name; default: {default_time_zone}",
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
        help=f"whether this status is public or hidden; may be repeated{remark}",
    )
    parser.add_argument(
        "--place",
        action="append",
        default=[],
        metavar="NAME",
        help=f"of several places in the file the business's own; may be repeated{remark}",
    )
    parser.add_argument("--source", help="for rows that do not say where they are from")


def file_and_mapping(given: Mapping[str, Any], *, command: str) -> tuple[str, list[str]]:
    """The name of the file and the pairs of `--map`; raises `FileRefused`.

    In `--map A=rating FILE` the option takes all words that follow it.
    """
    pairs = [*given["map"]]
    name = pairs.pop() if given["file"] is None and pairs else given["file"]
    if name is None:
        raise FileRefused(
            "file_missing", f"No file is named. Write it behind the command: {command} FILE."
        )
    return name, pairs


def read_choices(given: Mapping[str, Any], pairs: Iterable[str]) -> dict[str, Any]:
    """Keyword arguments of `ReadChoices` from parsed arguments; raises `FileRefused`."""
    row, source = given["heading_row"], given["source"]
    if row is not None and row < 0:
        raise FileRefused("heading_row_invalid", "--heading-row is a row number from 1 on, or 0.")
    if source is not None and not slug(source):
        raise FileRefused(
            "source_invalid", f"--source {source!r} has no letter or digit. Use a name like google."
        )
    example = "WORD=public or WORD=hidden, like --status 'Closed=public'"
    return {name: given[name] for name in _AS_GIVEN} | {
        "columns": _columns(pairs),
        "statuses": _split(given["status"], "status", example, STATUS_MEANINGS),
        "places": [*given["place"]],
    }


def time_zone(name: str) -> str:
    """The name of a time zone that exists, or an empty one; raises `FileRefused`."""
    if name:
        try:
            ZoneInfo(name)
        except (KeyError, ValueError, OSError) as error:  # OSError: the name of a folder.
            raise FileRefused(
                "time_zone_unknown",
                f"--time-zone {name!r} is unknown. Use an IANA name like America/Los_Angeles.",
            ) from error
    return name


def explain(finding: FileRefused | ReadWarning) -> str:
    """The message of a refusal or warning, with the option that answers it."""
    message = finding.message
    if not finding.option:
        return message
    if remedy := _REMEDIES.get(finding.code):
        return f"{message} {remedy}"
    if answer := _ANSWERS.get(finding.code):
        choices = finding.choices if isinstance(finding, FileRefused) else ()
        return f"{message} Use {' or '.join(map(answer.format, choices)) if choices else answer}."
    return message


def explain_errors(codes: Iterable[str]) -> list[str]:
    """Sentences with the options that help against row errors of these codes."""
    found = dict.fromkeys(_ROW_REMEDIES.get(code) for code in codes)
    return [*filter(None, found)]


def explain_statuses(questions: Iterable[Question]) -> list[str]:
    """The sentence about statuses that are not understood; none where all are."""
    words = [
        subject.name
        for question in questions
        if question.kind == "status"
        for subject in question.subjects
    ]
    if not words:
        return []
    use = f"Use --status '{words[0]}=public' or --status '{words[0]}=hidden'."
    return [f"Statuses that are not understood: {', '.join(words[:20])}. {use}"]


@contextmanager
def open_file(name: str) -> Iterator[BinaryIO]:
    """The file, or standard input for "-", at its beginning and seekable.

    Input from a pipe is copied into a temporary file, since reading takes several passes.
    """
    with nullcontext(sys.stdin.buffer) if name == STANDARD_INPUT else Path(name).open("rb") as file:
        if file.seekable():
            yield file
            return
        with TemporaryFile() as copy:
            shutil.copyfileobj(file, copy)
            copy.seek(0)
            yield copy


def unreadable(name: str, error: Exception) -> FileRefused:
    """The refusal of a file that the operating system does not read."""
    reason = getattr(error, "strerror", None) or error
    return FileRefused("file_unreadable", f"{shown(name)} cannot be read: {reason}.")


def _columns(pairs: Iterable[str]) -> dict[str, str]:
    columns = _split(pairs, "map", "COLUMN=FIELD, like --map 'Stars given=rating'")
    for column, field in columns.items():
        if field not in FIELDS and field != IGNORED:
            raise FileRefused(
                "map_invalid",
                f"--map {f'{column}={field}'!r}: there is no field {field!r}. Use one of: "
                f"{', '.join((*FIELDS, IGNORED))}.",
            )
    return columns


def _split(
    pairs: Iterable[str], option: str, example: str, known: Container[str] | None = None
) -> dict[str, str]:
    """The names of pairs like `name=value` with their values, which are known ones."""
    values: dict[str, str] = {}
    for pair in pairs:
        name, _, value = pair.rpartition("=")
        if not name or (known is not None and value not in known):
            raise FileRefused(f"{option}_invalid", f"--{option} {pair!r} is not {example}.")
        values[name] = value
    return values
