"""Exports as JSON Lines, the output of `python -m review_exports`, and their decoding.

Each line is an object with a `type`: one `file` with the facts and the shape, a `record`,
`row_error` or `skipped` for each row, and an `end` with the warnings. `refused` stands in place of
what follows where the file cannot be read, `failed` where the program met a fault.
"""

import datetime as dt
import json
from collections.abc import Callable, Generator, Mapping
from dataclasses import asdict, fields
from operator import methodcaller
from typing import Any, BinaryIO, TypeVar

from review_exports.opening import read
from review_exports.options import ReadOptions
from review_exports.records import (
    FileRefused,
    Outcome,
    Record,
    RowError,
    Skipped,
)
from review_exports.shapes import Confirmation, ConfirmationRequired, Shape

MEMORY = "memory"  # The failure of a process that reached its memory limit.
TYPES: dict[type[Outcome], str] = {Record: "record", RowError: "row_error", Skipped: "skipped"}
_KINDS = {name: kind for kind, name in TYPES.items()}
_NAMES = {kind: tuple(one.name for one in fields(kind)) for kind in TYPES}
RECORD_FIELDS = _NAMES[Record]
# The facts of a recognised file, as those of `Export`, beside its shape and fields.
FACTS = ("format", "label", "encoding", "columns", "heading_row", "first_rows")
_TUPLES = ("photos", "notes", "cells")

Line = dict[str, Any]
R = TypeVar("R")


# --- The program that reads -----------------------------------------------------------------------


def lines_of(file: BinaryIO, options: ReadOptions, *, file_name: str) -> Generator[Line]:
    """The lines of a file. Raises `MemoryError`, and no other error."""
    try:
        export = read(file, options, file_name=file_name)
        facts = {name: getattr(export, name) for name in FACTS}
        shape, provided = asdict(export.shape), sorted(export.provided_fields)
        yield {"type": "file"} | facts | {"shape": shape, "provided_fields": provided}
        for outcome in export:
            kind = type(outcome)
            yield {"type": TYPES[kind]} | {name: getattr(outcome, name) for name in _NAMES[kind]}
        yield {"type": "end", "warnings": [asdict(warning) for warning in export.warnings]}
    except FileRefused as refused:
        said = {name: getattr(refused, name) for name in ("code", "message", "option")}
        yield {"type": "refused"} | said
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001  (The border; the reader of the lines logs it.)
        yield {"type": "failed", "reason": _place_of(error)}


def encode(line: Line) -> str:
    # ASCII, so that lone surrogates and line separators of a file pass as they are.
    return json.dumps(line, default=methodcaller("isoformat"))


def _place_of(error: Exception) -> str:
    """Kind and place of a fault, without its message: that may hold the customers' data."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f" in {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else ""
    return f"{type(error).__name__}{place}"


def options_as_json(options: ReadOptions) -> Line:
    return asdict(options) | {"time_zone": str(options.time_zone), "today": str(options.today)}


def options_from_json(stored: Mapping[str, Any]) -> ReadOptions:
    known = {key: Confirmation.from_json(one) for key, one in stored["confirmations"].items()}
    return ReadOptions(
        **{
            **stored,
            "today": dt.date.fromisoformat(stored["today"]),
            "confirmations": known,
        }
    )


# --- The program that asked -----------------------------------------------------------------------


def outcome_from(line: Line, make_record: Callable[..., R]) -> R | RowError | Skipped:
    """The outcome in the line of a row; `make_record` makes a record of its fields."""
    kind = _KINDS[line.pop("type")]
    for name in _TUPLES:
        if name in line:
            line[name] = tuple(line[name])
    if kind is Record:
        line["date"] = dt.date.fromisoformat(line["date"])
        if line["reply_date"]:
            line["reply_date"] = dt.date.fromisoformat(line["reply_date"])
        if line["source_updated_at"]:
            line["source_updated_at"] = dt.datetime.fromisoformat(line["source_updated_at"])
        return make_record(**line)
    return RowError(**line) if kind is RowError else Skipped(**line)


def refusal_from(line: Line, shape: Shape | None) -> FileRefused:
    """The refusal in a `refused` line; `shape` is that of the `file` line before."""
    if shape and line["option"] == ConfirmationRequired.OPTION:
        return ConfirmationRequired(shape)
    return FileRefused(line["code"], line["message"], option=line["option"])
