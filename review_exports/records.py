"""Results of reading an export: records, row errors, skipped rows, warnings and refusals."""

import datetime as dt
from dataclasses import dataclass, field
from typing import Any

from review_exports.vocabulary import coded_message


@dataclass(slots=True, kw_only=True)
class Record:
    """One review with normalised values. An empty text means that there is none."""

    row: int  # As in a spreadsheet, where the headings are row 1; JSON items count from 1.
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
    photos: tuple[str, ...] = ()  # Addresses of the customer's photos, https only.
    source_url: str = ""
    reply_text: str = ""
    reply_date: dt.date | None = None
    verified: bool | None = None  # None if the file does not say.
    source_updated_at: dt.datetime | None = None  # When this version was written, in UTC.
    notes: tuple[str, ...] = ()  # Codes like `text_is_excerpt`.
    # Columns beyond the fields above, by name, that the format or a person has selected.
    extra: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True, frozen=True, kw_only=True)
class RowError:
    """A row that cannot be read; `message` names the remedy."""

    row: int
    field: str | None
    code: str
    message: str
    value: str = ""  # Shortened; empty if the value must not be stored.
    cells: tuple[str, ...] = ()  # The cells of the row, for errors.csv.


@dataclass(slots=True, frozen=True, kw_only=True)
class Skipped:
    """A row left out on purpose, such as an unpublished review."""

    row: int
    code: str
    message: str


@dataclass(slots=True, frozen=True, kw_only=True)
class ReadWarning:
    """A fact about the whole file that matters for its records.

    `option` names the field of `ReadOptions` that changes it, or is empty.
    """

    code: str
    message: str
    option: str = ""


def warning(key: str, *, option: str = "", **values: Any) -> ReadWarning:
    """Build a warning from `messages.toml`."""
    code, message = coded_message("warnings", key, values)
    return ReadWarning(code=code, message=message, option=option)


def skipped(key: str, *, row: int, **values: Any) -> Skipped:
    """Build a skipped row from `messages.toml`."""
    code, message = coded_message("skipped", key, values)
    return Skipped(row=row, code=code, message=message)


Outcome = Record | RowError | Skipped


class FileRefused(Exception):
    """The file as a whole cannot be read.

    `code` identifies the reason, and `message` names the remedy. `option` names the field of
    `ReadOptions` that helps, or is empty.
    """

    def __init__(self, code: str, message: str, *, option: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.option = option


def file_refused(key: str, *, option: str = "", **values: Any) -> FileRefused:
    """Build the refusal of a file from `messages.toml`."""
    return FileRefused(*coded_message("refusals", key, values), option=option)
