"""Results of reading an export: records, row errors, skipped rows, warnings, questions."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass


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
    alteration: str | None = None  # By the business, in its own export alone.
    source_updated_at: dt.datetime | None = None  # When this version was written, in UTC.
    ulid: str = ""  # Our own id, in our own export alone.
    named_technicians: tuple[str, ...] = ()
    named_services: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()  # Codes worth telling, like `text_is_excerpt`.


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


@dataclass(slots=True, frozen=True, kw_only=True)
class Subject:
    """A column, a status or a place in a question, and the number of rows that have it."""

    name: str
    count: int
    samples: tuple[str, ...] = ()


@dataclass(slots=True, frozen=True, kw_only=True)
class Question:
    """A question with one answer per subject; `kind` is publication, status or place."""

    kind: str
    subjects: tuple[Subject, ...]


class FileRefused(Exception):
    """The file as a whole cannot be read; `code` names the reason, the message the remedy.

    `option` names the field of `ReadOptions` that answers the refusal, and `choices` its possible
    values where they are few. Both are empty where no option helps.
    """

    def __init__(self, code: str, message: str, *, option: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.option = option
        self.choices: tuple[str, ...] = ()
        self.question: Question | None = None  # With answers that hold for later files, too.


class ColumnsNotRecognised(FileRefused):
    """No format fits; carries the columns and sample rows for a page that maps columns."""

    def __init__(
        self,
        message: str,
        *,
        columns: list[str],
        mapping: dict[str, str],
        sample_rows: list[list[str]],
        signature: str,
        heading_row: int,
        first_rows: list[tuple[int, list[str]]],
    ) -> None:
        super().__init__("columns_not_recognised", message, option="columns")
        self.heading_row = heading_row
        self.first_rows = first_rows
        self.columns = columns
        self.mapping = mapping
        self.sample_rows = sample_rows
        self.signature = signature


class NeedsInput(FileRefused):
    """The file leaves a question open, whose answer holds for all rows."""


class DateOrderAmbiguous(NeedsInput):
    """The dates of a column do not tell their order; `choices` are those that remain."""

    def __init__(self, message: str, choices: Sequence[str]) -> None:
        super().__init__("date_order_ambiguous", message, option="date_order")
        self.choices = tuple(choices)


class BestRatingUnknown(NeedsInput):
    """Many stars are above five, and nothing in the file says how far they count."""

    def __init__(self, message: str) -> None:
        super().__init__("best_rating_unknown", message, option="best_rating")


class PublicationUnclear(NeedsInput):
    """A column speaks of publication, and it is not known whether a yes in it permits it."""

    def __init__(self, question: Question) -> None:
        names = ", ".join(subject.name for subject in question.subjects)
        super().__init__(
            "publication_unclear",
            f"It is not clear what this says of whether a review may be published: {names}. Say "
            "whether a yes there permits it, forbids it, or has nothing to do with it.",
            option="publication",
        )
        self.question = question


class PlaceUnclear(NeedsInput):
    """The file has reviews of several places, and it is not known which are the business's own."""

    def __init__(self, question: Question) -> None:
        places = ", ".join(f"{one.name} ({one.count:,})" for one in question.subjects[:20])
        super().__init__(
            "place_unclear",
            f"The file holds reviews of several places: {places}. Say which of them are yours; "
            "reviews of the others are left out.",
            option="places",
        )
        self.question = question
