"""Shapes of files: their columns, the proposed or confirmed meaning of each, open questions.

A shape is the set of names of a file's columns, or of the paths to the members of its objects. A
shipped format knows its own; any other is confirmed by a person once, and known from then on.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from review_exports.records import FileRefused
from review_exports.values.dates import DateOrder
from review_exports.vocabulary import coded_message

NOT_READ = ""  # The field of a column from which nothing is taken.
BLANK = ""  # The value of an empty cell in decisions.
# Fields whose values decide whether a row may be published; a yes in `withheld` forbids it.
REPLY_PUBLISHED = "reply_published"  # The field whose values decide about the reply alone.
DECIDING_FIELDS = ("published", "withheld", "status")


@dataclass(frozen=True, kw_only=True)
class Confirmation:
    """The meaning of a shape's columns; stored once a person has confirmed it.

    Names are headings, or paths of members like `rating.overall`. `worst_rating` and `best_rating`
    are the ends of the scale of stars: 1 and 10, or 6 and 1 where one is best.
    """

    columns: Mapping[str, str] = dataclasses.field(
        default_factory=dict
    )  # Name -> field, or `NOT_READ`.
    # Deciding column -> value, or `BLANK` -> whether a row with it may be published.
    decisions: Mapping[str, Mapping[str, bool]] = dataclasses.field(default_factory=dict)
    stars: Mapping[str, int] = dataclasses.field(default_factory=dict)  # Rating in words -> stars.
    worst_rating: int | None = None
    best_rating: int | None = None
    date_order: DateOrder | None = None
    places: Mapping[str, bool] = dataclasses.field(
        default_factory=dict
    )  # Name or id -> whether it is ours.
    source: str | None = None  # Of the reviews in files that name none.

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "Confirmation":
        return cls(**stored)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeColumn:
    """One column of a file as a person confirms it."""

    name: str
    field: str  # Proposed or confirmed; `NOT_READ`: nothing is taken from it.
    samples: tuple[str, ...] = ()  # Three values at most, without contact data.
    # The values of a column that has few, `BLANK` included, with the number of their rows.
    values: Mapping[str, int] = dataclasses.field(default_factory=dict)
    # Of a deciding column: value -> whether a row with it may be published; None: not understood,
    # so that the row is left out.
    decisions: Mapping[str, bool | None] = dataclasses.field(default_factory=dict)
    is_new: bool = True  # Not confirmed before, nor part of a shipped format.
    may_decide: bool = False  # It has few values and is not read.
    is_open: bool = False  # A person must say what it means.


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question that proposals do not answer.

    `kind` is column, scale, date_order or place; `option` the field of `ReadChoices` that answers;
    `names` the columns, values, dates or places that are meant, with the number of their rows.
    """

    kind: str
    message: str  # Without the remedy, which depends on where it is asked.
    option: str
    names: Mapping[str, int] = dataclasses.field(default_factory=dict)
    choices: tuple[str, ...] = ()


def question(key: str, kind: str, option: str, **values: Any) -> Question:
    """A question of `messages.toml`; values named like its fields are these."""
    about = {name: values.pop(name) for name in ("names", "choices") if name in values}
    _, message = coded_message("questions", key, values)
    return Question(kind=kind, message=message, option=option, **about)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The shape of one file, with the meaning by which it is read."""

    key: str  # Under which its confirmation is stored.
    rows: int = 0
    columns: tuple[ShapeColumn, ...] = ()
    stars: tuple[tuple[str, int | None], ...] = ()  # Ratings of the file, and what they become.
    days: tuple[tuple[str, str], ...] = ()  # Two dates of the file, and the days (ISO 8601).
    places: tuple[tuple[str, int, bool | None], ...] = ()  # Name, rows, whether it is ours.
    questions: tuple[Question, ...] = ()
    confirmation: Confirmation = Confirmation()
    is_confirmed: bool = False  # Its rows may be read.

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "Shape":
        def rows(name: str) -> tuple[Any, ...]:
            return tuple(map(tuple, stored[name]))

        return cls(
            key=stored["key"],
            rows=stored["rows"],
            columns=tuple(
                ShapeColumn(**{**one, "samples": tuple(one["samples"])})
                for one in stored["columns"]
            ),
            stars=rows("stars"),
            days=rows("days"),
            places=rows("places"),
            questions=tuple(
                Question(**{**one, "choices": tuple(one["choices"])}) for one in stored["questions"]
            ),
            confirmation=Confirmation.from_json(stored["confirmation"]),
            is_confirmed=stored["is_confirmed"],
        )


class ConfirmationRequired(FileRefused):
    """The shape of the file is new, or differs from the confirmed one; nothing is read."""

    OPTION = "accept"

    def __init__(self, shape: Shape) -> None:
        open_questions = " ".join(question.message for question in shape.questions)
        super().__init__(
            _code_of(shape),
            open_questions or "The columns of this file have not been confirmed yet.",
            option=self.OPTION,
        )
        self.shape = shape


_CODES = {
    "date_order": "date_order_ambiguous",
    "scale": "best_rating_unknown",
    "place": "place_unclear",
}


def _code_of(shape: Shape) -> str:
    if not has_essentials(shape):
        return "columns_not_recognised"
    kind = shape.questions[0].kind if shape.questions else ""
    return _CODES.get(kind, "confirmation_required")


def merged(stored: Confirmation, answered: Confirmation) -> Confirmation:
    """The stored confirmation with newer answers in place of its own."""
    old, new = stored.as_json(), answered.as_json()
    both = {name: new[name] if new[name] is not None else old[name] for name in old}
    for name in ("columns", "stars", "places"):
        both[name] = {**old[name], **new[name]}
    for column, values in old["decisions"].items():
        both["decisions"][column] = {**values, **new["decisions"].get(column, {})}
    return Confirmation(**both)


def has_essentials(shape: Shape) -> bool:
    """Whether columns for the rating and the date were recognised."""
    fields = {one.field for one in shape.columns}
    return "date" in fields and not fields.isdisjoint({"rating", "stars", "recommendation"})
