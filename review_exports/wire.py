"""Encoding of exports as JSON Lines, the output of `python -m review_exports`, and decoding.

Each line is an object with a `type`: a `file` with the facts and the shape, a `record`, `row_error`
or `skipped` for each row, and an `end` with the warnings. The last line is `refused` instead if the
file cannot be read, or `failed` after an error of the program.
"""

import datetime as dt
import json
from collections.abc import Callable, Generator, Mapping
from dataclasses import asdict, fields
from operator import methodcaller
from typing import Any, BinaryIO, TypeVar

from review_exports.options import ReadOptions
from review_exports.recognition import read
from review_exports.records import (
    FileRefused,
    Outcome,
    Record,
    RowError,
    Skipped,
)
from review_exports.shapes import Confirmation, ConfirmationRequired, Shape

MEMORY = "memory"  # Reason of a failure at the memory limit of the process.
TYPES: dict[type[Outcome], str] = {Record: "record", RowError: "row_error", Skipped: "skipped"}
_KINDS = {name: kind for kind, name in TYPES.items()}
_NAMES = {kind: tuple(one.name for one in fields(kind)) for kind in TYPES}
RECORD_FIELDS = _NAMES[Record]
# Attributes of `Export` in the `file` line, besides the shape and the provided fields.
FACTS = ("format", "label", "encoding", "columns", "heading_row", "first_rows")
_TUPLES = ("photos", "notes", "cells")

Line = dict[str, Any]
R = TypeVar("R")


# --- Encoding -------------------------------------------------------------------------------------


def lines_of(file: BinaryIO, options: ReadOptions, *, file_name: str) -> Generator[Line]:
    """Read a file and yield its lines; raises `MemoryError` only."""
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
        reason = {name: getattr(refused, name) for name in ("code", "message", "option")}
        yield {"type": "refused"} | reason
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001  (The border; the reader of the lines logs it.)
        yield {"type": "failed", "reason": _location_of(error)}


def encode(line: Line) -> str:
    # ASCII output escapes lone surrogates and line separators.
    return json.dumps(line, default=methodcaller("isoformat"))


def _location_of(error: Exception) -> str:
    """Type and location of an error, without its message, which may hold personal data."""
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


# --- Decoding -------------------------------------------------------------------------------------


def outcome_from(line: Line, make_record: Callable[..., R]) -> R | RowError | Skipped:
    """Decode the line of a row; `make_record(**fields)` builds the record."""
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
    """Decode a `refused` line; `shape` is from the preceding `file` line, if any."""
    if shape and line["option"] == ConfirmationRequired.OPTION:
        return ConfirmationRequired(shape)
    return FileRefused(line["code"], line["message"], option=line["option"])
