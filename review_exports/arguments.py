"""Command-line arguments for reading an export, and their validation.

`python -m review_exports` and other commands that read exports share these arguments, so that the
same option answers a question everywhere.
"""

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, BinaryIO

from review_exports.formats.base import FIELDS
from review_exports.options import IGNORED
from review_exports.recognition import as_file
from review_exports.records import FileRefused, ReadWarning
from review_exports.shapes import ConfirmationRequired, Question, Shape
from review_exports.values import shown
from review_exports.values.identifiers import slug
from review_exports.vocabulary import load

STANDARD_INPUT = "-"
# Choices that are passed on unchanged.
_AS_GIVEN = (
    *("format", "accept", "heading_row", "date_order", "best_rating", "worst_rating"),
    *("round_half_up", "skip_blank_ratings", "source", "ids"),
)
_WORDS = load("vocabulary/command_line.toml")


def add_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file",
        nargs="?",
        metavar="FILE",
        help="CSV, TSV, XLSX, JSON, JSON Lines, ZIP, GZIP, HTML; - is standard input",
    )


def add_arguments(parser: argparse.ArgumentParser, *, default_time_zone: str) -> None:
    """Add the time zone, and the choices of `ReadChoices` except `ids`."""
    for name, option in _WORDS["options"].items():
        about = {**_WORDS["kinds"].get(option.get("kind"), {}), **option}
        about["help"] = about["help"].format(default_time_zone=default_time_zone)
        if about.pop("number", False):
            about["type"] = int
        about.pop("kind", None)
        parser.add_argument(f"--{name}", **about)


def file_and_mapping(given: Mapping[str, Any], *, command: str) -> tuple[str, list[str]]:
    """Return the name of the file and the pairs of `--map`; raises `FileRefused`.

    In `--map A=rating FILE` argparse takes the name of the file for a pair.
    """
    pairs = [*given["map"]]
    name = pairs.pop() if given["file"] is None and pairs else given["file"]
    if name is None:
        raise _refused("file_missing", command=command)
    return name, pairs


def read_choices(given: Mapping[str, Any], pairs: Iterable[str]) -> dict[str, Any]:
    """Build keyword arguments of `ReadChoices` from parsed arguments; raises `FileRefused`."""
    row, source = given["heading_row"], given["source"]
    if row is not None and row < 0:
        raise _refused("heading_row_invalid")
    if source is not None and not slug(source):
        raise _refused("source_invalid", source=source)
    for option in ("best_rating", "worst_rating"):
        if given[option] is not None and not 0 <= given[option] <= 100:
            raise _refused(f"{option}_invalid")
    decisions: dict[str, dict[str, bool]] = {}
    for name, is_public in (("publish", True), ("withhold", False)):
        for pair in given[name]:
            if "=" not in pair[1:]:
                raise _refused(f"{name}_invalid", pair=pair)
            # Headings and values may hold "=", so each split counts; unknown columns are ignored.
            for at in (found.start() for found in re.finditer("=", pair)):
                decisions.setdefault(pair[:at], {})[pair[at + 1 :]] = is_public
    return {name: given[name] for name in _AS_GIVEN} | {
        "columns": _columns(pairs),
        "decisions": decisions,
        "stars": _stars(given["stars"]),
        "places": dict.fromkeys(given["place"], True) | dict.fromkeys(given["other_place"], False),
    }


def explain(finding: FileRefused | ReadWarning) -> str:
    """Return the message of a refusal or warning, with the option that helps."""
    if isinstance(finding, ConfirmationRequired):
        questions = finding.shape.questions
        answers = dict.fromkeys(map(_answer_to, questions)) or [_WORDS["accept"]]
        return " ".join([finding.message, *answers])
    remedy = _WORDS["remedies"].get(finding.code) if finding.option else None
    return f"{finding.message} {remedy}" if remedy else finding.message


def _answer_to(question: Question) -> str:
    """Return a sentence with the option that answers a question."""
    return f"Use {_WORDS['answers'][question.kind].format(' or '.join(question.choices))}."


def explain_errors(codes: Iterable[str]) -> list[str]:
    """Return sentences with options that avoid row errors of these codes."""
    found = dict.fromkeys(_WORDS["row_remedies"].get(code) for code in codes)
    return [*filter(None, found)]


def table_of(shape: Shape) -> Iterator[str]:
    """Format the columns and their proposed fields as lines to confirm."""
    for column in shape.columns:
        meaning = column.field or ("not read; may it decide?" if column.may_decide else "not read")
        mark = "?" if column.is_open else "*" if column.is_new else " "
        yield f"{mark} {shown(column.name)}: {meaning}   {' | '.join(map(shown, column.samples))}"
        for value, decision in column.decisions.items():
            word = "may be published" if decision else "is left out"
            known = "" if decision is not None else ", since it is not understood"
            count = column.values.get(value, 0)
            yield f"      {shown(value) if value else '(blank)'} ({_rows(count)}) {word}{known}"
    if shape.stars:
        stars = ", ".join(f"{value} → {stars or '?'}" for value, stars in shape.stars)
        yield f"  Stars: {stars}"
    if shape.days:
        yield f"  Days: {', '.join(f'{written} is {day}' for written, day in shape.days)}"
    for name, count, is_ours in shape.places:
        word = "?" if is_ours is None else "yours" if is_ours else "another business"
        yield f"  Place: {shown(name)} ({_rows(count)}): {word}"


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"


@contextmanager
def open_file(name: str) -> Iterator[BinaryIO]:
    """Open a file, or standard input for "-", as a seekable stream at its start."""
    source = sys.stdin.buffer if name == STANDARD_INPUT else name
    file = as_file(source)
    try:
        yield file
    finally:
        if file is not source:
            file.close()


def unreadable(name: str, error: Exception) -> FileRefused:
    """Build the refusal of a file that the operating system cannot read."""
    reason = getattr(error, "strerror", None) or error
    return _refused("file_unreadable", name=shown(name), reason=reason)


def _columns(pairs: Iterable[str]) -> dict[str, str]:
    columns = dict(_split(pairs, "map"))
    for column, field in columns.items():
        if field not in FIELDS and field != IGNORED:
            pair, fields = f"{column}={field}", ", ".join((*FIELDS, IGNORED))
            raise _refused("map_invalid-field", pair=pair, field=field, fields=fields)
    return columns


def _stars(pairs: Iterable[str]) -> dict[str, int]:
    stars = dict(_split(pairs, "stars"))
    if any(number not in {"1", "2", "3", "4", "5"} for number in stars.values()):
        raise _refused("stars_invalid-number")
    return {word: int(number) for word, number in stars.items()}


def _split(pairs: Iterable[str], option: str) -> Iterator[tuple[str, str]]:
    """Split pairs like `name=value` at the last "="."""
    for pair in pairs:
        name, _, value = pair.rpartition("=")
        if not name:
            raise _refused(f"{option}_invalid", pair=pair)
        yield name, value


def _refused(key: str, **values: Any) -> FileRefused:
    return FileRefused(key.partition("-")[0], _WORDS["refusals"][key].format(**values))
