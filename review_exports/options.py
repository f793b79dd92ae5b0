"""Options for reading one file: its format, the fields of its columns, its dates and ratings."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal
from zoneinfo import ZoneInfo

from review_exports.formats.base import FIELDS, Format, fold_name
from review_exports.records import file_refused
from review_exports.shapes import NOT_READ, Confirmation
from review_exports.values import shown
from review_exports.values.dates import DateOrder

IdMeaning = Literal["same", "row-numbers"]
ID_MEANINGS: Final[tuple[IdMeaning, ...]] = ("row-numbers", "same")


@dataclass(frozen=True, kw_only=True)
class ReadChoices:
    """A person's choices about how to read a file; a file of a known shape needs none."""

    format: str | None = None  # Name of the format, instead of the recognised one.
    accept: bool = False  # Accept the proposals; open questions still need answers.
    columns: Mapping[str, str] = field(default_factory=dict)  # Name -> field; "" or ignore: none.
    # Deciding column -> value, or "" for blank -> whether a row with it may be published.
    decisions: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)
    stars: Mapping[str, int] = field(default_factory=dict)  # Rating in words -> stars.
    worst_rating: int | None = None
    best_rating: int | None = None  # Below `worst_rating` where one is the best.
    date_order: DateOrder | None = None
    places: Mapping[str, bool] = field(default_factory=dict)  # Name or id -> whether it is ours.
    # Number of the row with the headings, as in a spreadsheet; 0 for a table without headings.
    heading_row: int | None = None
    round_half_up: bool = False  # 4.5 -> 5.
    skip_blank_ratings: bool = False
    source: str | None = None  # For files that do not name one.
    last_wins: bool = False  # The last of several rows with one id is the newest version.
    ids: IdMeaning | None = None  # Meaning of ids that stored reviews of other content have.


@dataclass(frozen=True, kw_only=True)
class ReadOptions(ReadChoices):
    """All options of reading: choices, facts about the business, and confirmed shapes."""

    time_zone: str | ZoneInfo = "UTC"  # Instants become days in this zone.
    today: dt.date = field(default_factory=dt.date.today)  # Later days are refused.
    max_rows: int | None = None
    business_names: Sequence[str] = ()
    confirmations: Mapping[str, Confirmation] = field(default_factory=dict)  # By key of the shape.

    def __post_init__(self) -> None:
        _ = self.zone  # Refuse an unknown name at once.

    @cached_property
    def zone(self) -> ZoneInfo:
        """The time zone; raises `FileRefused` for an unknown name."""
        zone = self.time_zone
        if isinstance(zone, ZoneInfo):
            return zone
        try:
            return ZoneInfo(zone)
        except (KeyError, ValueError, OSError) as error:  # OSError: the name of a folder.
            raise file_refused("time_zone_unknown", name=shown(zone)) from error


def forced_format(options: ReadOptions, *possible: Format) -> Format | None:
    """Return the format that the options name; raise `FileRefused` unless it is `possible`."""
    if options.format is None:
        return None
    for format_ in possible:
        if format_.name == options.format:
            return format_
    raise file_refused("format_mismatch", format=options.format)


IGNORED = "ignore"
_NOT_MAPPED = frozenset({"", "-", IGNORED})


def mapped_columns(mapped: Mapping[str, str], headings: list[str]) -> dict[str, str]:
    """Validate a person's mapping; return folded name -> field or `NOT_READ`."""
    known = {*map(fold_name, headings)}
    answer: dict[str, str] = {}
    for heading, wanted in mapped.items():
        name, folded = shown(heading), fold_name(heading)
        if folded not in known:
            columns = ", ".join(map(shown, headings[:30]))
            raise file_refused("mapping_invalid-column", name=name, columns=columns)
        if wanted not in FIELDS and wanted not in _NOT_MAPPED:
            about = {"wanted": shown(wanted), "fields": ", ".join(FIELDS)}
            raise file_refused("mapping_invalid-field", name=name, **about)
        answer[folded] = NOT_READ if wanted in _NOT_MAPPED else wanted
    return answer
