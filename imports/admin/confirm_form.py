"""Form that confirms the columns of a file."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

from django import forms
from django.forms.boundfield import BoundField
from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from imports.models import ImportBatch, ImportOptions
from review_exports.formats.base import FIELDS, NO_SOURCE
from review_exports.formats.generic import LINES, OBJECTS, TABLE
from review_exports.options import IGNORED
from review_exports.shapes import (
    BLANK,
    DECIDING_FIELDS,
    NOT_READ,
    REPLY_PUBLISHED,
    Shape,
    ShapeColumn,
)
from review_exports.values.identifiers import KNOWN_SOURCES
from reviews.admin.forms import source_of
from reviews.models import Review
from reviews.sites import source_name

GENERIC = frozenset({TABLE.name, OBJECTS.name, LINES.name})
LISTED_MAX = 400  # Unread columns that the form lists.
UNFOLDED_MAX = 6  # Values of a column that may decide, up to which they are shown unfolded.
REQUIRED_MAX = 6  # Open columns up to which each one needs an answer.
_DECIDING = (*DECIDING_FIELDS, REPLY_PUBLISHED)
_LABELS = {
    **dict.fromkeys(DECIDING_FIELDS, _("decides whether a row is published")),
    REPLY_PUBLISHED: _("decides whether the reply is published"),
    "text": _("text of the review"),
    "review_id": _("id of the review"),
    "place": _("place or business reviewed"),
    "place_id": _("id of the place reviewed"),
    "anonymous": _("customer wants to stay anonymous"),
    "best_rating": _("best rating of the scale"),
    "recommendation": _("recommended or not"),
}
_CHOOSE = ("", _("Choose …"))
_RATINGS = {"worst_rating": _("The worst rating"), "best_rating": _("The best")}
_PERMITS = [("yes", _("may be published")), ("no", _("left out"))]
_OURS = [("yes", _("our business")), ("no", _("another business"))]
_ORDERS = {
    "dmy": _("the day comes first: 31/12/2026"),
    "mdy": _("the month comes first: 12/31/2026"),
    "ymd": _("the year comes first: 26/12/31"),
}
UNKNOWN_SOURCE = "unknown"  # Choice of the source that names no site.


def _label(name: str) -> str:
    return str(_LABELS.get(name, name.replace("_", " ")))


def _answer(decision: bool | None) -> str | None:  # noqa: FBT001
    """Return the choice for a decision."""
    return None if decision is None else "yes" if decision else "no"


def _radios(
    label: str, choices: Sequence[tuple[str, Any]], initial: str | None
) -> forms.ChoiceField:
    return forms.ChoiceField(
        choices=choices,
        widget=forms.RadioSelect,
        label=label,
        initial=initial,
        error_messages={"required": gettext("Answer for %s as well.") % label},
    )


@dataclass(frozen=True, slots=True)
class ColumnRow:
    """A column with its form fields: one for the column and one for each value."""

    column: ShapeColumn
    field: BoundField
    values: list[BoundField]

    @property
    def has_errors(self) -> bool:
        return any(field.errors for field in (self.field, *self.values))

    @property
    def shows_values(self) -> bool:
        """Whether the fields of its values are unfolded."""
        is_likely = self.column.may_decide and len(self.values) <= UNFOLDED_MAX
        return self.field.value() in _DECIDING or is_likely or self.has_errors


@dataclass(frozen=True, slots=True)
class Group:
    """A group of columns under one title."""

    title: str
    note: str
    rows: list[ColumnRow]
    is_open: bool


class ConfirmForm(forms.Form):
    """Form for the columns of a file, deciding values, the rating scale, dates and places.

    Proposals are initial values; open questions have none.
    """

    def __init__(self, batch: ImportBatch, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.shape = Shape.from_json(batch.preview["shape"])
        # The row of headings that was shown beside the columns.
        self.heading_row = batch.preview["heading_row"] if batch.preview["first_rows"] else None
        self.questions = {question.kind: question for question in self.shape.questions}
        self.columns = dict(self._listed())
        self.unlisted = len(self.shape.columns) - len(self.columns)
        self.needs_values = False  # A column was chosen to decide; its values are shown next.
        for number, column in self.columns.items():
            self._add_column(number, column)
        self._add_stars()
        self._add_days()
        for number, (name, count, is_ours) in enumerate(self.shape.places):
            field = _radios(f"{name} ({_rows(count)})", _OURS, _answer(is_ours))
            field.required = False  # No column of places may be left.
            self.fields[f"place-{number}"] = field
        if self._lacks_source(batch):
            self._add_source()

    def _listed(self) -> Iterator[tuple[int, ShapeColumn]]:
        unread = 0
        for number, column in enumerate(self.shape.columns):
            unread += not (column.field or column.is_open)
            if column.field or column.is_open or unread <= LISTED_MAX:
                yield number, column

    def _add_column(self, number: int, column: ShapeColumn) -> None:
        decides = column.field if column.field in DECIDING_FIELDS else "status"
        names = [decides, *(name for name in FIELDS if name not in DECIDING_FIELDS)]
        if column.field and column.field not in names:
            names.append(column.field)
        choices = [
            (IGNORED, _("not read, and decides nothing")),
            *((one, _label(one)) for one in names),
        ]
        number_open = sum(one.is_open for one in self.shape.columns)
        is_required = column.is_open and number_open <= REQUIRED_MAX
        self.fields[f"column-{number}"] = forms.ChoiceField(
            choices=[_CHOOSE, *choices] if is_required else choices,
            initial=column.field or ("" if is_required else IGNORED),
            label=column.name,
            error_messages={"required": gettext("Say what %s means.") % column.name},
        )
        for place, value in enumerate(self._values(column)):
            decision = column.decisions.get(value)
            if decision is None and value == BLANK:
                decision = False
            label = f"{value or gettext('(blank)')} ({_rows(column.values[value])})"
            field = _radios(label, _PERMITS, _answer(decision))
            field.required = False  # The column may not decide.
            self.fields[f"value-{number}-{place}"] = field

    def _values(self, column: ShapeColumn) -> list[str]:
        """Values of a column that decides or may decide, the most frequent first."""
        is_shown = column.decisions or column.may_decide or column.is_open
        # PostgreSQL does not keep the order of keys in JSON.
        return sorted(column.values, key=lambda one: (-column.values[one], one)) if is_shown else []

    def _add_stars(self) -> None:
        is_required = "scale" in self.questions
        known = self.shape.confirmation
        for name, label in _RATINGS.items():
            self.fields[name] = forms.IntegerField(
                min_value=0,
                max_value=100,
                label=label,
                required=is_required,
                initial=None if is_required else getattr(known, name),
                error_messages={"required": _("Enter the scale of the ratings, such as 1 and 10.")},
            )
        for number, word in enumerate(self._words()):
            self.fields[f"stars-{number}"] = forms.TypedChoiceField(
                coerce=int,
                empty_value=None,
                choices=[_CHOOSE, *((n, "★" * n) for n in range(5, 0, -1))],
                label=word,
                initial=known.stars.get(word, ""),
                error_messages={"required": gettext("Say how many stars %s is.") % word},
            )

    def _words(self) -> list[str]:
        question = self.questions.get("stars")
        return sorted({*self.shape.confirmation.stars, *(question.names if question else ())})

    def _add_days(self) -> None:
        question = self.questions.get("date_order")
        known = self.shape.confirmation.date_order
        if question or known:
            orders = question.choices if question else tuple(_ORDERS)
            choices = [(order, _ORDERS[order]) for order in orders]
            self.fields["date_order"] = _radios(
                gettext("Order of the numbers"), choices, None if question else known
            )

    def _lacks_source(self, batch: ImportBatch) -> bool:
        """Whether a person must name the source of the reviews."""
        if batch.asks_for_source:
            return True
        is_stated = any(column.field == "source" for column in self.shape.columns)
        confirmed = self.shape.confirmation.source
        return batch.format in GENERIC and not (is_stated or confirmed)

    def _add_source(self) -> None:
        stored = Review.objects.order_by().values_list("source", flat=True).distinct()
        sources = sorted({*KNOWN_SOURCES, *stored} - {NO_SOURCE})
        self.fields["source"] = forms.ChoiceField(
            required=False,
            label=_("Source of the reviews"),
            choices=[
                _CHOOSE,
                *((source, source_name(source)) for source in sources),
                (UNKNOWN_SOURCE, _("No site, or I do not know")),
            ],
        )
        self.fields["other_source"] = forms.CharField(
            required=False,
            max_length=50,
            label=_("or another source"),
            help_text=_("A name such as my-survey."),
        )

    # --- For the template -----------------------------------------------------------------------

    @property
    def has_known(self) -> bool:
        """Whether some columns were confirmed before."""
        return not all(column.is_new for column in self.shape.columns)

    @cached_property
    def _has_new(self) -> bool:
        return any(column.is_new or column.is_open for column in self.columns.values())

    @property
    def has_deciding(self) -> bool:
        return any(column.field in _DECIDING for column in self.shape.columns)

    @property
    def stars(self) -> list[tuple[str, int | None]]:
        """Ratings of the file with their stars, the best first."""
        return sorted(self.shape.stars, key=lambda one: one[1] or 0, reverse=True)

    @property
    def days(self) -> list[tuple[str, dt.date]]:
        """Dates as written in the file, and their days."""
        return [(written, dt.date.fromisoformat(day)) for written, day in self.shape.days]

    def groups(self) -> Iterator[Group]:
        """Yield the columns in groups, the most important ones first."""
        rows: dict[str, list[ColumnRow]] = defaultdict(list)
        for number, column in self.columns.items():
            rows[self._group_of(column)].append(self._row(number))
        titles = {
            "open": gettext("Please answer"),
            "deciding": gettext("Decide whether a row is published"),
            "read": gettext("Are read"),
            "candidate": gettext("May decide whether a row is published"),
            "unread": gettext("Are not read"),
            "known": gettext("Confirmed earlier, or known"),
        }
        note = gettext(
            "These columns have few values and are not read. If one of them decides "
            "whether a row is published, say so, and say which of its values permit "
            "publication."
        )
        for name, title in titles.items():
            if members := rows[name]:
                has_errors = any(row.has_errors for row in members)
                is_open = has_errors or name not in {"unread", "known"}
                yield Group(title, note if name == "candidate" else "", members, is_open)

    def _group_of(self, column: ShapeColumn) -> str:
        if column.is_open:
            return "open"
        if not column.is_new and self._has_new:
            return "known"
        if column.field in _DECIDING:
            return "deciding"
        if column.field != NOT_READ:
            return "read"
        return "candidate" if column.may_decide else "unread"

    def _row(self, number: int) -> ColumnRow:
        count = len(self._values(self.columns[number]))
        values = [self[f"value-{number}-{place}"] for place in range(count)]
        return ColumnRow(self.columns[number], self[f"column-{number}"], values)

    def words(self) -> list[BoundField]:
        return [self[f"stars-{number}"] for number in range(len(self._words()))]

    def places(self) -> list[BoundField]:
        return [self[f"place-{number}"] for number in range(len(self.shape.places))]

    # --- Answers --------------------------------------------------------------------------------

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        for number, column in self.columns.items():
            if data.get(f"column-{number}") in _DECIDING:
                self._clean_values(number, column, data)
        chosen = {data.get(f"column-{number}") for number in self.columns}
        if not self._is_shipped:
            if chosen.isdisjoint({"rating", "recommendation"}):
                self.add_error(None, gettext("Say which column holds the rating."))
            if "date" not in chosen:
                self.add_error(None, gettext("Say which column holds the date."))
        if self._is_shipped or not chosen.isdisjoint({"place", "place_id"}):
            self._clean_places(data)
        if data.get("worst_rating") == data.get("best_rating") is not None:
            same = gettext("The best rating cannot be the worst as well.")
            self.add_error("best_rating", same)
        if "source" in self.fields:
            self._clean_source(data)
        return data

    def _clean_places(self, data: dict[str, Any]) -> None:
        for number, (name, *_rest) in enumerate(self.shape.places):
            if not data.get(f"place-{number}"):
                self.add_error(f"place-{number}", gettext("Say whether %s is yours.") % name)

    def _clean_values(self, number: int, column: ShapeColumn, data: dict[str, Any]) -> None:
        values = self._values(column)
        for place, value in enumerate(values):
            name = f"value-{number}-{place}"
            if not data.get(name):
                missing = gettext("Say whether rows with %s here may be published.")
                self.add_error(name, missing % (value or gettext("nothing")))
        if values or (column.field in _DECIDING and not column.is_new):
            return
        if column.field in _DECIDING:
            many = gettext("This column has too many values to decide. Choose another meaning.")
            self.add_error(f"column-{number}", many)
        else:
            self.needs_values = True

    def _clean_source(self, data: dict[str, Any]) -> None:
        other = data.get("other_source")
        try:
            source = source_of(other) if other else data.get("source")
        except forms.ValidationError as error:
            self.add_error("other_source", error)
            return
        if not source:
            self.add_error("source", gettext("Enter the source of these reviews."))
        data["source"] = NO_SOURCE if source == UNKNOWN_SOURCE else source

    @property
    def _is_shipped(self) -> bool:
        """Whether a shipped format reads the columns."""
        return self.shape.key.startswith("format ")

    def options(self, options: ImportOptions, *, accept: bool) -> ImportOptions:
        """Return the options of the batch with the valid answers."""
        data = self.cleaned_data
        columns: dict[str, str] = {}
        decisions: dict[str, dict[str, bool]] = {}
        for number, column in self.columns.items():
            field = data.get(f"column-{number}")
            if field and not (self._is_shipped and field == (column.field or IGNORED)):
                columns[_storable(column.name)] = field
            if field in _DECIDING:
                decisions[_storable(column.name)] = {
                    _storable(value): data[name] == "yes"
                    for place, value in enumerate(self._values(column))
                    if data.get(name := f"value-{number}-{place}")
                }
        changed = replace(
            options,
            accept=accept and not self.needs_values,
            heading_row=self.heading_row,
            columns=columns,
            decisions=decisions,
            stars={
                _storable(word): data[name]
                for number, word in enumerate(self._words())
                if data.get(name := f"stars-{number}")
            },
            worst_rating=data.get("worst_rating"),
            best_rating=data.get("best_rating"),
            date_order=cast("Any", data.get("date_order") or None),
            places={
                _storable(name): data[f"place-{number}"] == "yes"
                for number, (name, *_rest) in enumerate(self.shape.places)
                if data.get(f"place-{number}")
            },
        )
        return replace(changed, source=data["source"]) if data.get("source") else changed


def _rows(count: int) -> str:
    return ngettext("%s row", "%s rows", count) % number_format(count, force_grouping=True)


def _storable(text: str) -> str:
    """Remove characters that databases may refuse; they do not matter for comparisons."""
    return "".join(filter(str.isprintable, text))
