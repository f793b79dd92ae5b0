"""Profiles of the values in each column of a table, or in each member of JSON objects."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from review_exports.formats.base import fold_name
from review_exports.readers.tables import is_private_heading, sample_cell
from review_exports.values.people import is_contact, is_phone

FEW = 12  # Distinct values at most in a column that may decide about publication.
VALUES_MAX = 200  # Distinct values that are counted per column.
VALUE_MAX = 100  # Characters of a counted value; longer values are texts.
_SAMPLED = 200  # Values per column from which its content is inferred.
_SHOWN = 3


@dataclass(slots=True)
class ColumnProfile:
    """Values of one column; `values` is empty if they are too many or too long."""

    name: str  # A heading, or the path of a member like `rating.overall`.
    filled: int = 0
    sampled: list[Any] = field(default_factory=list)  # The first values that are not blank.
    values: dict[Any, int] = field(default_factory=dict)  # Value -> number of rows.
    has_many: bool = False

    def add(self, value: Any) -> None:
        """Count a value, which must not be blank."""
        self.filled += 1
        if len(self.sampled) < _SAMPLED:
            self.sampled.append(value)
        if self.has_many:
            return
        key = str(value).lower() if isinstance(value, bool | dict) else value
        self.values[key] = self.values.get(key, 0) + 1
        if len(self.values) > VALUES_MAX or len(str(key)) > VALUE_MAX:
            self.has_many, self.values = True, {}

    @property
    def has_few(self) -> bool:
        return not self.has_many and len(self.values) <= FEW

    def samples(self) -> tuple[str, ...]:
        """Return up to three different values without contact data."""
        found = dict.fromkeys(sample_cell(fold_name(self.name), one) for one in self.sampled)
        return tuple(text for text in found if text)[:_SHOWN]

    @property
    def is_private(self) -> bool:
        """Whether the column holds contact data, which must not be shown."""
        texts = map(str, self.values or self.sampled)
        return is_private_heading(fold_name(self.name)) or any(
            is_contact(text) or is_phone(text) for text in texts
        )


class Profile:
    """Columns of one file by folded name, in the order of the file."""

    def __init__(self, names: Mapping[str, str] | None = None) -> None:
        self.columns: dict[str, ColumnProfile] = {
            folded: ColumnProfile(name) for folded, name in (names or {}).items()
        }
        self.rows = 0

    def column(self, folded: str, name: str) -> ColumnProfile:
        return self.columns.setdefault(folded, ColumnProfile(name))

    def values(self, folded_names: Iterable[str]) -> Iterator[Any]:
        """Sampled values of some columns."""
        for name in folded_names:
            if column := self.columns.get(name):
                yield from column.sampled
