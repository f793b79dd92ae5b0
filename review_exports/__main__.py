"""Read an export of reviews: `python -m review_exports FILE` prints JSON Lines.

Each line is a record, a row error or a skipped row, as "type" says. Warnings, questions and a
summary go to standard error; a question names the option that answers it.

Exit codes: 0: every row was read or skipped; 1: some rows could not be read; 2: the file as a
whole cannot be read, or leaves a question open.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from operator import methodcaller
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from review_exports import FileRefused, ReadOptions, Record, RowError, Skipped, arguments, read

ROWS_UNREADABLE, FILE_UNREADABLE = 1, 2
COMMAND = "python -m review_exports"
TYPES: dict[type, str] = {Record: "record", RowError: "row_error", Skipped: "skipped"}

SUMMARY = {"record": "records", "row_error": "row errors", "skipped": "skipped rows"}


def main(words: list[str] | None = None) -> int:
    given = vars(_parser().parse_args(words))
    try:
        counts = _print_rows(given)
    except FileRefused as refused:
        _report([arguments.explain(refused)])
        return FILE_UNREADABLE
    return ROWS_UNREADABLE if counts["row_error"] else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=COMMAND,
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "file",
        nargs="?",
        metavar="FILE",
        help="CSV, TSV, XLSX, JSON, JSON Lines, ZIP, GZIP, HTML; - is standard input",
    )
    arguments.add_arguments(parser, default_time_zone="UTC")
    parser.add_argument(
        "--ids", choices=["row-numbers"], help="the file's ids are mere row numbers: ignore them"
    )
    return parser


def _print_rows(given: dict[str, Any]) -> Counter[str]:
    name, pairs = arguments.file_and_mapping(given, command=COMMAND)
    zone = ZoneInfo(arguments.time_zone(given["time_zone"]) or "UTC")
    options = ReadOptions(**arguments.read_choices(given, pairs), time_zone=zone)
    counts: Counter[str] = Counter()
    codes: list[str] = []
    try:
        with arguments.open_file(name) as file:
            export = read(file, options, file_name=Path(name).name)
            for outcome in export:
                kind = TYPES[type(outcome)]
                counts[kind] += 1
                if isinstance(outcome, RowError):
                    codes.append(outcome.code)
                values = {"type": kind, **asdict(outcome)}
                line = json.dumps(values, default=methodcaller("isoformat"), ensure_ascii=False)
                sys.stdout.write(line + "\n")
    except OSError as error:
        raise arguments.unreadable(name, error) from error
    _report(map(arguments.explain, export.warnings))
    _report(arguments.explain_errors(codes))
    _report(arguments.explain_statuses(export.questions))
    found = ", ".join(f"{label} {counts[kind]:,}" for kind, label in SUMMARY.items())
    _report([f"{export.label}: {found}."])
    return counts


def _report(sentences: Iterable[str]) -> None:
    for sentence in sentences:
        sys.stderr.write(f"{sentence}\n")


if __name__ == "__main__":
    sys.exit(main())
