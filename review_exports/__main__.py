"""Read an export of reviews: `python -m review_exports FILE` prints JSON Lines, or CSV.

The first line of JSON has the facts of the file and the meaning of its columns, each further one a
record, a row error or a skipped row, the last one the warnings, as "type" says. With --csv the
records alone are printed. Warnings and questions go to standard error, with the option that answers
them; with --csv the rows that are not read go there, too.

Exit codes: 0: every row was read or skipped; 1: some rows could not be read; 2: the file as a
whole cannot be read, or its columns must be confirmed (--accept).
"""

import argparse
import contextlib
import csv
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from review_exports import (
    ConfirmationRequired,
    FileRefused,
    ReadOptions,
    ReadWarning,
    Shape,
    arguments,
    wire,
)
from review_exports.values.characters import guard_cell

ROWS_UNREADABLE, FILE_UNREADABLE = 1, 2
COMMAND = "python -m review_exports"
# Encoded in advance, while there is memory.
_NO_MEMORY = wire.encode({"type": "failed", "reason": wire.MEMORY})


def main(words: list[str] | None = None) -> int:
    given = vars(_parser().parse_args(words))
    write = _write_csv() if given["csv"] else _write_json
    codes: list[str] = []
    shape: Shape | None = None
    is_refused = False
    try:
        with contextlib.suppress(BrokenPipeError):
            for line in _lines(given):
                write(line)
                if line["type"] == "file":
                    shape = Shape.from_json(line["shape"])
                elif line["type"] == "row_error":
                    codes.append(line["code"])
                is_refused = is_refused or line["type"] in {"refused", "failed"}
                _report(*_explain(line, shape))
            sys.stdout.flush()
    except FileRefused as refused:
        _report(arguments.explain(refused))
        return FILE_UNREADABLE
    except MemoryError:
        sys.stdout.write(_NO_MEMORY + "\n")
        return FILE_UNREADABLE
    _report(*arguments.explain_errors(codes))
    return FILE_UNREADABLE if is_refused else ROWS_UNREADABLE if codes else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=COMMAND,
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    arguments.add_file(parser)
    parser.add_argument("--csv", action="store_true", help="print the records as CSV")
    arguments.add_arguments(parser, default_time_zone="UTC")
    parser.add_argument(
        "--ids", choices=["row-numbers"], help="the file's ids are mere row numbers: ignore them"
    )
    for name, help_ in (
        ("--options", "a file with all options of reading as JSON, in place of those above"),
        ("--file-name", "the name of the file, for standard input"),
    ):
        parser.add_argument(name, help=help_, metavar="NAME", default="")
    parser.add_argument("--memory-limit", type=int, metavar="BYTES", help="address space at most")
    parser.add_argument("--cpu-seconds", type=int, metavar="N", help="processor time at most")
    return parser


def _lines(given: dict[str, Any]) -> Iterator[wire.Line]:
    name, pairs = arguments.file_and_mapping(given, command=COMMAND)
    if path := given["options"]:
        options = wire.options_from_json(json.loads(Path(path).read_text("utf-8")))
    else:
        zone = given["time_zone"] or "UTC"
        options = ReadOptions(**arguments.read_choices(given, pairs), time_zone=zone)
    _set_limits(given)
    try:
        with arguments.open_file(name) as file:
            yield from wire.lines_of(file, options, file_name=given["file_name"] or Path(name).name)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise arguments.unreadable(name, error) from error


def _set_limits(given: dict[str, Any]) -> None:
    """Limit the memory and the processor time of this process."""
    limit, seconds = given["memory_limit"], given["cpu_seconds"]
    if limit or seconds:
        import resource  # noqa: PLC0415  (Windows has none.)
    if limit:
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if seconds:
        # Ends this process even if its parent has been killed.
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))


def _write_json(line: wire.Line) -> None:
    sys.stdout.write(wire.encode(line) + "\n")


def _write_csv() -> Callable[[wire.Line], None]:
    """Return a function that prints headings and records as CSV."""
    writer = csv.writer(sys.stdout, lineterminator="\n")

    def write(line: wire.Line) -> None:
        if line["type"] == "file" and line["shape"]["is_confirmed"]:
            writer.writerow(wire.RECORD_FIELDS)
        elif line["type"] == "record":
            writer.writerow([_cell(line[name]) for name in wire.RECORD_FIELDS])
        elif "row" in line:
            _report(f"Row {line['row']}: {line['message']}")

    return write


def _cell(value: Any) -> str:
    """Format a value as a cell, guarded against formulas."""
    if not value and value is not False:
        return ""
    if isinstance(value, tuple):
        value = " ".join(value)
    text = value if isinstance(value, str) else json.dumps(value, default=str).strip('"')
    return guard_cell(text)


def _explain(line: wire.Line, shape: Shape | None) -> Iterator[str]:
    if line["type"] == "refused":
        refused = wire.refusal_from(line, shape)
        if isinstance(refused, ConfirmationRequired):
            yield from arguments.table_of(refused.shape)
        yield arguments.explain(refused)
    elif line["type"] == "end":
        yield from (arguments.explain(ReadWarning(**one)) for one in line["warnings"])


def _report(*sentences: str) -> None:
    for sentence in sentences:
        sys.stderr.write(f"{sentence}\n")


if __name__ == "__main__":
    status = main()
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.flush()
    # Exit without the interpreter's flush, which would report a closed pipe again.
    os._exit(status)
