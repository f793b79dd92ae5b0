"""Results of reading an export: records, row errors, skipped rows, warnings, refusals."""

import datetime as dt
from dataclasses import dataclass, field
from typing import Any

from review_exports.vocabulary import coded_message


@dataclass(slots=True, kw_only=True)
class Record:
    """One incoming review, normalised by the value rules; empty texts stand for "none"."""

    row: int  # As in the spreadsheet: the heading is row 1. Items of JSON count from 1.
    source: str
    external_id: str
    external_id_is_synthetic: bool
    author: str
    rating: int
    date: dt.date
    text: str = ""
    translated_text: str = ""
    text_language: str = ""
    author_avatar_url: str = ""
    photos: tuple[str, ...] = ()  # Addresses of pictures that the customer took, https alone.
    source_url: str = ""
    reply_text: str = ""
    reply_date: dt.date | None = None
    verified: bool | None = None  # None: the file does not say.
    source_updated_at: dt.datetime | None = None  # When this version was written, in UTC.
    notes: tuple[str, ...] = ()  # Codes worth telling, like `text_is_excerpt`.
    # Columns of no field above, by name: those that a format or a person lets through.
    extra: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True, frozen=True, kw_only=True)
class RowError:
    """A row that cannot be read, and the remedy."""

    row: int
    field: str | None
    code: str
    message: str
    value: str = ""  # Shortened, never a value that must not be stored.
    cells: tuple[str, ...] = ()  # The row as it came, for errors.csv.


@dataclass(slots=True, frozen=True, kw_only=True)
class Skipped:
    """A row left out on purpose, like one that its source does not publish."""

    row: int
    code: str
    message: str


@dataclass(slots=True, frozen=True, kw_only=True)
class ReadWarning:
    """A fact about the whole file, to know before using its records.

    `option` names the field of `ReadOptions` that changes it; empty where none does.
    """

    code: str
    message: str
    option: str = ""


def warning(key: str, *, option: str = "", **values: Any) -> ReadWarning:
    """A warning of `messages.toml`."""
    code, message = coded_message("warnings", key, values)
    return ReadWarning(code=code, message=message, option=option)


def skipped(key: str, *, row: int, **values: Any) -> Skipped:
    """A row left out, by `messages.toml`."""
    code, message = coded_message("skipped", key, values)
    return Skipped(row=row, code=code, message=message)


Outcome = Record | RowError | Skipped


class FileRefused(Exception):
    """The file as a whole cannot be read; `code` names the reason, the message the remedy.

    `option` names the field of `ReadOptions` that helps; empty where none does.
    """

    def __init__(self, code: str, message: str, *, option: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.option = option


def file_refused(key: str, *, option: str = "", **values: Any) -> FileRefused:
    """The refusal of a file by `messages.toml`."""
    return FileRefused(*coded_message("refusals", key, values), option=option)
