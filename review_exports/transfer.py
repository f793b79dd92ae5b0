"""An export that another process reads: a file and options in, JSON Lines out.

A hostile file may make its reader take all memory or never end. So a program starts
`python -m review_exports.transfer FD` with the file as standard input and a request (JSON) in the
open file FD, and decodes the messages of its standard output. Messages are lists and texts alone:
decoding them runs nothing.

Messages: `{"opened": ...}`, then `{"rows": [...]}` any number of times, then `{"ended": ...}`; in
the place of each `{"refused": ...}` or `{"failed": "memory" | description}`, which is the last.
"""

import contextlib
import datetime as dt
import json
import os
import resource
import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import asdict, fields
from operator import methodcaller
from typing import Any, BinaryIO
from zoneinfo import ZoneInfo

from review_exports.export import Export, Outcome
from review_exports.opening import read
from review_exports.options import ReadOptions
from review_exports.records import (
    ColumnsNotRecognised,
    FileRefused,
    Question,
    ReadWarning,
    Record,
    RowError,
    Skipped,
    Subject,
)

MEMORY = "memory"  # The failure of a process that reached its memory limit.
_NO_MEMORY = json.dumps({"failed": MEMORY})  # Made before there is none.
_ROWS, _CHARACTERS = 200, 1 << 20  # Of one message, whichever is reached first.
_KINDS: tuple[type[Outcome], ...] = (Record, RowError, Skipped)
_FIELDS = {kind: tuple(one.name for one in fields(kind)) for kind in _KINDS}
_FACTS = (
    *("format", "label", "encoding", "columns", "mapping", "signature", "heading_row"),
    *("first_rows", "sample_rows"),
)
_DECODED: dict[str, Callable[[Any], Any]] = {
    "date": dt.date.fromisoformat,
    "reply_date": lambda value: value and dt.date.fromisoformat(value),
    "source_updated_at": lambda value: value and dt.datetime.fromisoformat(value),
    "named_technicians": tuple,
    "named_services": tuple,
    "notes": tuple,
    "cells": tuple,
}
_DECODERS = {
    kind: [(number, _DECODED[name]) for number, name in enumerate(names) if name in _DECODED]
    for kind, names in _FIELDS.items()
}

Message = dict[str, Any]


def encode_request(
    options: ReadOptions, *, file_name: str, memory_limit: int, seconds: float
) -> bytes:
    """A request to read a file with limits: bytes of address space, seconds."""
    chosen = asdict(options) | {"time_zone": options.time_zone.key, "today": options.today}
    request = {"options": chosen, "file_name": file_name}
    limits = {"memory_limit": memory_limit, "seconds": seconds}
    return json.dumps(request | limits, default=methodcaller("isoformat")).encode()


# --- The process that reads -----------------------------------------------------------------------


def main() -> None:
    """Read standard input by the request, and write messages to standard output."""
    with open(int(sys.argv[1]), "rb") as sent:  # noqa: PTH123  (A file descriptor.)
        request = json.load(sent)
    seconds = 2 * int(request["seconds"]) + 1
    resource.setrlimit(resource.RLIMIT_AS, (request["memory_limit"], request["memory_limit"]))
    # Where the program that started this one is killed, nothing else ends an endless reading.
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(BrokenPipeError):
        for message in messages(sys.stdin.buffer, request):
            sys.stdout.write(message + "\n")
            sys.stdout.flush()
    # A pipe that is closed would be told once more at the end.
    os._exit(0)


def messages(file: BinaryIO, request: Message) -> Generator[str]:
    """The messages about a file."""
    try:
        yield from _messages(file, request)
    except MemoryError:
        pass  # What was read is released with the error, so that there is room for the answer.
    else:
        return
    yield _NO_MEMORY


def _messages(file: BinaryIO, request: Message) -> Iterator[str]:
    try:
        options = _options(request["options"])
        export = read(file, options, file_name=request["file_name"])
        yield _encode({"opened": _facts(export)})
        yield from _rows(export)
        yield _encode({"ended": _findings(export)})
    except FileRefused as refused:
        yield _encode({"refused": _refusal(refused)})
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001  (The border; the other side logs it.)
        yield _encode({"failed": _place_of(error)})


def _options(chosen: Message) -> ReadOptions:
    time_zone, today = ZoneInfo(chosen["time_zone"]), dt.date.fromisoformat(chosen["today"])
    return ReadOptions(**(chosen | {"time_zone": time_zone, "today": today}))


def _facts(export: Export) -> Message:
    facts = {name: getattr(export, name) for name in _FACTS}
    return facts | {"provided_fields": sorted(export.provided_fields)} | _findings(export)


def _findings(export: Export) -> Message:
    """Facts that grow while the rows are read."""
    return {
        "warnings": [asdict(warning) for warning in export.warnings],
        "questions": [asdict(question) for question in export.questions],
        "place": export.place,
        "place_answers": export.place_answers,
        "unread": export.unread,
    }


def _rows(export: Export) -> Iterator[str]:
    rows: list[str] = []
    length = 0
    for outcome in export:
        kind = outcome.__class__
        values = [getattr(outcome, name) for name in _FIELDS[kind]]
        rows.append(_encode([_KINDS.index(kind), values]))
        length += len(rows[-1])
        if len(rows) == _ROWS or length > _CHARACTERS:
            yield f'{{"rows": [{", ".join(rows)}]}}'
            rows, length = [], 0
    if rows:
        yield f'{{"rows": [{", ".join(rows)}]}}'


def _refusal(refused: FileRefused) -> Message:
    said: Message = {
        "code": refused.code,
        "message": refused.message,
        "option": refused.option,
        "choices": refused.choices,
        "question": refused.question and asdict(refused.question),
    }
    if isinstance(refused, ColumnsNotRecognised):
        names = ("columns", "mapping", "sample_rows", "signature", "heading_row", "first_rows")
        said["table"] = {name: getattr(refused, name) for name in names}
    return said


def _place_of(error: Exception) -> str:
    """Kind and place of a fault, without its message: that may hold the customers' data."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f" in {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else ""
    return f"{type(error).__name__}{place}"


def _encode(message: Any) -> str:
    # ASCII, so that lone surrogates and line separators of a file pass as they are.
    return json.dumps(message, default=methodcaller("isoformat"))


# --- The program that asked -----------------------------------------------------------------------


def decode_rows(message: Message) -> Iterator[Outcome]:
    """The outcomes of a `rows` message."""
    for number, values in message["rows"]:
        kind = _KINDS[number]
        for place, decode in _DECODERS[kind]:
            values[place] = decode(values[place])
        yield kind(**dict(zip(_FIELDS[kind], values, strict=True)))


def decode_warnings(found: Message) -> list[ReadWarning]:
    return [ReadWarning(**warning) for warning in found["warnings"]]


def decode_questions(found: Message) -> list[Question]:
    return [_question(question) for question in found["questions"]]


def decode_refusal(said: Message) -> FileRefused:
    """The refusal of a `refused` message."""
    refused = FileRefused(said["code"], said["message"], option=said["option"])
    if table := said.get("table"):
        table["first_rows"] = decode_first_rows(table)
        refused = ColumnsNotRecognised(said["message"], **table)
    refused.choices = tuple(said["choices"])
    refused.question = _question(said["question"]) if said["question"] else None
    return refused


def decode_first_rows(table: Message) -> list[tuple[int, list[str]]]:
    return [(number, cells) for number, cells in table["first_rows"]]


def _question(question: Mapping[str, Any]) -> Question:
    subjects = (
        Subject(name=one["name"], count=one["count"], samples=tuple(one["samples"]))
        for one in question["subjects"]
    )
    return Question(kind=question["kind"], subjects=tuple(subjects))


if __name__ == "__main__":
    main()
