"""Choices for reading one file: its format, the meaning of its columns, its dates and stars."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal
from zoneinfo import ZoneInfo

from review_exports.formats.base import FIELDS, Format, fold_name
from review_exports.records import FileRefused
from review_exports.values import shown
from review_exports.values.dates import DateOrder
from review_exports.values.permissions import status_word

_UTC = ZoneInfo("UTC")
BEST_RATINGS: Final = (5, 10, 20, 100)
IdMeaning = Literal["same", "row-numbers"]
ID_MEANINGS: Final[tuple[IdMeaning, ...]] = ("row-numbers", "same")


@dataclass(frozen=True, kw_only=True)
class ReadChoices:
    """Choices of a person about how a file is read; most files need none."""

    format: str | None = None  # Overrules recognition, by name.
    columns: Mapping[str, str] = field(default_factory=dict)  # Heading -> field.
    # The row with the headings, as a spreadsheet counts; 0: there are none, columns are numbered.
    heading_row: int | None = None
    date_order: DateOrder | None = None  # The answer where a column does not tell.
    best_rating: int | None = None  # How far its stars count, where the file does not say.
    round_half_up: bool = False  # 4.5 -> 5.
    skip_blank_ratings: bool = False
    source: str | None = None  # For files that do not name one.
    ids: IdMeaning | None = None  # Where they are those of stored reviews that are others.
    # Column or member -> meaning of a yes in it, a key of `publication.ANSWERS`.
    publication: Mapping[str, str] = field(default_factory=dict)
    statuses: Mapping[str, str] = field(default_factory=dict)  # Word -> public or hidden.
    places: Sequence[str] = field(default_factory=list)  # Of several in a file the business's own.


@dataclass(frozen=True, kw_only=True)
class ReadOptions(ReadChoices):
    """All options of reading: choices, the business, and earlier answers."""

    time_zone: ZoneInfo = _UTC  # In which instants become days.
    today: dt.date = field(default_factory=dt.date.today)  # Later days are refused.
    max_rows: int | None = None
    business_name: str = ""
    # Place by its folded name or id -> ours or other, as answered for earlier files.
    known_places: Mapping[str, str] = field(default_factory=dict)


def forced_format(options: ReadOptions, *possible: Format) -> Format | None:
    """The format that overrules recognition; one that this kind of file cannot have is refused."""
    if options.format is None:
        return None
    for format_ in possible:
        if format_.name == options.format:
            return format_
    raise FileRefused(
        "format_mismatch",
        f"This file cannot be read as {options.format}: it is another kind of file. Leave the "
        "choice of the format to the importer.",
    )


IGNORED = "ignore"
_NOT_MAPPED = frozenset({"", "-", IGNORED})


def mapped_columns(mapped: Mapping[str, str], headings: list[str] | None) -> dict[str, str | None]:
    """Folded name -> field, as a person mapped them; None: the column is not read."""
    known = None if headings is None else {fold_name(heading) for heading in headings}
    answer: dict[str, str | None] = {}
    for heading, name in mapped.items():
        folded = fold_name(heading)
        if known is not None and folded not in known:
            raise FileRefused(
                "mapping_invalid",
                f"The file has no column {shown(heading)!r}. Its columns are: "
                f"{', '.join(shown(one) for one in (headings or [])[:30])}.",
            )
        if name in _NOT_MAPPED:
            answer[folded] = None
        elif name in FIELDS:
            answer[folded] = name
        else:
            raise FileRefused(
                "mapping_invalid",
                f"There is no field {shown(name)!r} for the column {shown(heading)!r}. Fields are: "
                f"{', '.join(FIELDS)}.",
            )
    return answer


def apply_column_mapping(format_: Format, mapped: Mapping[str, str | None]) -> Format:
    """The format with a person's mapping in place of its own; several columns may be the text."""
    if not mapped:
        return format_
    columns = {
        name: tuple(one for one in names if one not in mapped)
        for name, names in format_.columns.items()
    }
    for folded, name in mapped.items():
        if name is not None:
            columns[name] = (*(one for one in columns.get(name, ()) if one in mapped), folded)
    joined = frozenset({"text"}).intersection(name for name in mapped.values() if name)
    return replace(format_, columns=columns, joined=joined)


def answered_publication(options: ReadOptions, mapped: Mapping[str, str | None]) -> dict[str, str]:
    """Folded name -> meaning of a yes in it for publication, as a person answered."""
    answers = {fold_name(name): answer for name, answer in options.publication.items()}
    return answers | {name: IGNORED for name, field in mapped.items() if field is None}


def answered_statuses(options: ReadOptions) -> dict[str, str]:
    """Status in one spelling -> public or hidden, as a person answered."""
    return {status_word(word): answer for word, answer in options.statuses.items()}
