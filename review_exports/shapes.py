"""Shapes of files: columns with proposed or confirmed fields, and open questions.

A shape is the set of names of a file's columns, or of the paths to the members of its objects. A
shipped format knows its shape; a person confirms any other shape once.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from dataclasses import field as dataclass_field
from typing import Any

from review_exports.records import FileRefused
from review_exports.values.dates import DateOrder
from review_exports.vocabulary import coded_message

NOT_READ = ""  # Field of a column that is not read.
BLANK = ""  # Value of an empty cell in decisions.
REPLY_PUBLISHED = "reply_published"  # Its values decide about publishing the reply alone.
# Their values decide about publishing a row; a yes in `withheld` forbids it.
DECIDING_FIELDS = ("published", "withheld", "status")


@dataclass(frozen=True, kw_only=True)
class Confirmation:
    """A person's confirmation of how files of a shape are read.

    Names are headings, or paths of members like `rating.overall`. `worst_rating` and `best_rating`
    are the ends of the rating scale, such as 1 and 10, or 6 and 1 if 1 is the best.
    """

    columns: Mapping[str, str] = dataclass_field(default_factory=dict)  # Name -> field.
    # Deciding column -> value, or `BLANK` -> whether a row with it may be published.
    decisions: Mapping[str, Mapping[str, bool]] = dataclass_field(default_factory=dict)
    stars: Mapping[str, int] = dataclass_field(default_factory=dict)  # Rating in words -> stars.
    worst_rating: int | None = None
    best_rating: int | None = None
    date_order: DateOrder | None = None
    places: Mapping[str, bool] = dataclass_field(default_factory=dict)  # Name or id -> is ours.
    source: str | None = None  # For files that do not name one.

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "Confirmation":
        return cls(**stored)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeColumn:
    """One column of a file, to be confirmed by a person."""

    name: str
    field: str  # Proposed or confirmed field, or `NOT_READ`.
    samples: tuple[str, ...] = ()  # At most three values without contact data.
    # Value, or `BLANK` -> number of rows; filled for columns that decide or may decide.
    values: Mapping[str, int] = dataclass_field(default_factory=dict)
    # Value of a deciding column -> whether a row with it may be published. None: the value is not
    # understood, and the row is left out.
    decisions: Mapping[str, bool | None] = dataclass_field(default_factory=dict)
    is_new: bool = True  # Neither confirmed before nor part of a shipped format.
    may_decide: bool = False  # The column has few values and is not read.
    is_open: bool = False  # A person must name the field.


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question that proposals do not answer.

    `kind` is column, scale, stars, date_order or place. `option` is the field of `ReadChoices` that
    answers it. `names` maps the columns, ratings or places in question to their numbers of rows.
    """

    kind: str
    message: str  # Without the remedy, which depends on the user interface.
    option: str
    names: Mapping[str, int] = dataclass_field(default_factory=dict)
    choices: tuple[str, ...] = ()


def question(key: str, kind: str, option: str, **values: Any) -> Question:
    """Build a question from `messages.toml`; `names` and `choices` are fields, not values."""
    about = {name: values.pop(name) for name in ("names", "choices") if name in values}
    _, message = coded_message("questions", key, values)
    return Question(kind=kind, message=message, option=option, **about)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The shape of one file, and how its rows are read."""

    key: str  # Its confirmation is stored by this key.
    rows: int = 0
    columns: tuple[ShapeColumn, ...] = ()
    stars: tuple[tuple[str, int | None], ...] = ()  # Rating in the file, stars.
    days: tuple[tuple[str, str], ...] = ()  # Date in the file, day in ISO 8601; two at most.
    places: tuple[tuple[str, int, bool | None], ...] = ()  # Name, rows, whether it is ours.
    questions: tuple[Question, ...] = ()
    confirmation: Confirmation = Confirmation()
    is_confirmed: bool = False  # The rows may be read.

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
    """The shape is new, or differs from the confirmed one."""

    OPTION = "accept"

    def __init__(self, shape: Shape) -> None:
        open_questions = " ".join(question.message for question in shape.questions)
        super().__init__(
            _code_of(shape),
            open_questions or coded_message("refusals", "confirmation_required", {})[1],
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
    """Update a stored confirmation with newer answers."""
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
