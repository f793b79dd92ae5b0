"""The form that confirms the meaning of a file's columns."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

from django import forms
from django.forms.boundfield import BoundField

from review_exports.formats.base import FIELDS, NO_SOURCE
from review_exports.options import IGNORED
from review_exports.shapes import DECIDING_FIELDS, REPLY_PUBLISHED, Question, Shape, ShapeColumn
from review_exports.values.identifiers import KNOWN_SOURCES
from reviews.admin.forms import source_of
from reviews.imports.opening import ImportOptions
from reviews.models import Review
from reviews.sites import source_name

_DECIDING = (*DECIDING_FIELDS, REPLY_PUBLISHED)
_LABELS = {
    "published": "decides: a yes permits publication",
    "withheld": "decides: a yes forbids publication",
    "status": "decides: a status, value by value",
    REPLY_PUBLISHED: "decides about the reply alone",
    "place": "place or business reviewed",
    "place_id": "id of the place reviewed",
    "anonymous": "the customer wants no name shown",
    "best_rating": "how far the stars count",
    "recommendation": "recommended or not",
}
_FIELDS = [(name, _LABELS.get(name, name.replace("_", " "))) for name in FIELDS]
_NOT_READ = (IGNORED, "not read; it decides nothing")
_PERMITS = [("yes", "may be published"), ("no", "left out")]
_OURS = [("yes", "ours"), ("no", "another business's")]
_ORDERS = {
    "dmy": "the day comes first: 31/12/2026",
    "mdy": "the month comes first: 12/31/2026",
    "ymd": "the year comes first: 26/12/31",
}
UNKNOWN_SOURCE = "unknown"  # Of the choices the one that names no site.


def _radios(label: str, choices: list[tuple[str, str]], initial: str | None) -> forms.ChoiceField:
    return forms.ChoiceField(
        choices=choices,
        widget=forms.RadioSelect,
        label=label,
        initial=initial,
        error_messages={"required": f"Answer for {label}, too."},
    )


class ConfirmForm(forms.Form):
    """Each column of a shape with its meaning, its values that decide, stars, days and places.

    Proposals are preset; questions have no preset. `asks_source`: nothing in the file says where
    its reviews are from.
    """

    def __init__(self, shape: Shape, *args: Any, asks_source: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.shape = shape
        self.open_questions = {question.kind: question for question in shape.questions}
        for number, column in enumerate(shape.columns):
            self._add_column(number, column)
        self._add_stars()
        self._add_days()
        for number, (name, count, is_ours) in enumerate(shape.places):
            initial = None if is_ours is None else "yes" if is_ours else "no"
            rows = "1 row" if count == 1 else f"{count:,} rows"
            self.fields[f"place-{number}"] = _radios(f"{name} ({rows})", _OURS, initial)
        if asks_source:
            self._add_source()

    def _add_column(self, number: int, column: ShapeColumn) -> None:
        choices = [_NOT_READ, *_FIELDS]
        if column.field and column.field not in FIELDS:
            choices.append((column.field, "as the format reads it"))
        self.fields[f"column-{number}"] = forms.ChoiceField(
            choices=[("", "Choose …"), *choices] if column.is_open else choices,
            initial=column.field or ("" if column.is_open else IGNORED),
            label=column.name,
            error_messages={"required": f"Say what {column.name} means."},
        )
        for place, (value, decision) in enumerate(self._decisions(column)):
            rows = column.values.get(value, 0)
            label = f"{value or '(blank)'} ({rows:,} row{'' if rows == 1 else 's'})"
            field = _radios(label, _PERMITS, "yes" if decision else "no")
            field.required = False  # Where the column decides nothing.
            self.fields[f"value-{number}-{place}"] = field

    def _decisions(self, column: ShapeColumn) -> list[tuple[str, bool | None]]:
        """The values of a column that decides, or may decide, with what they mean so far."""
        if not (column.decisions or column.may_decide or column.is_open):
            return []
        return [(value, column.decisions.get(value)) for value in column.values]

    def _add_stars(self) -> None:
        is_open = "scale" in self.open_questions
        known = self.shape.confirmation
        for name, label in (("worst_rating", "The worst rating"), ("best_rating", "The best")):
            self.fields[name] = forms.IntegerField(
                min_value=0,
                max_value=100,
                label=label,
                required=is_open,
                initial=None if is_open else getattr(known, name),
                error_messages={"required": "Say how the stars count, such as 1 and 10."},
            )
        for number, word in enumerate(self._words()):
            self.fields[f"stars-{number}"] = forms.TypedChoiceField(
                coerce=int,
                choices=[("", "Choose …"), *((n, "★" * n) for n in range(5, 0, -1))],
                label=word,
                initial=known.stars.get(word, ""),
            )

    def _words(self) -> list[str]:
        question: Question | None = self.open_questions.get("stars")
        return [
            *dict.fromkeys([*self.shape.confirmation.stars, *(question.names if question else ())])
        ]

    def _add_days(self) -> None:
        question = self.open_questions.get("date_order")
        known = self.shape.confirmation.date_order
        if question or known:
            orders = question.choices if question else tuple(_ORDERS)
            choices = [(order, _ORDERS[order]) for order in orders]
            self.fields["date_order"] = _radios("The days", choices, None if question else known)

    def _add_source(self) -> None:
        stored = Review.objects.order_by().values_list("source", flat=True).distinct()
        sources = sorted({*KNOWN_SOURCES, *stored} - {NO_SOURCE})
        self.fields["source"] = forms.ChoiceField(
            required=False,
            label="They are from",
            choices=[
                ("", "Choose …"),
                *((source, source_name(source)) for source in sources),
                (UNKNOWN_SOURCE, "No site, or I do not know"),
            ],
        )
        self.fields["other_source"] = forms.CharField(
            required=False, max_length=50, label="or from", help_text="Another name: my-survey."
        )

    # --- For the template -----------------------------------------------------------------------

    def columns(self) -> Iterator[tuple[ShapeColumn, BoundField, list[BoundField]]]:
        """Each column with its fields: those to look at first."""
        numbered = sorted(
            enumerate(self.shape.columns),
            key=lambda one: (not one[1].is_open, not one[1].is_new, bool(one[1].may_decide)),
        )
        for number, column in numbered:
            values = [
                self[f"value-{number}-{place}"] for place in range(len(self._decisions(column)))
            ]
            yield column, self[f"column-{number}"], values

    def words(self) -> list[BoundField]:
        return [self[f"stars-{number}"] for number in range(len(self._words()))]

    def places(self) -> list[BoundField]:
        return [self[f"place-{number}"] for number in range(len(self.shape.places))]

    # --- Answers --------------------------------------------------------------------------------

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        chosen = {data.get(f"column-{number}") for number in range(len(self.shape.columns))}
        if chosen.isdisjoint({"rating", "recommendation"}) and self._reads_by_columns():
            raise forms.ValidationError("Say which column holds the rating.")
        if "date" not in chosen and self._reads_by_columns():
            raise forms.ValidationError("Say which column holds the date.")
        if data.get("worst_rating") == data.get("best_rating") is not None:
            self.add_error("best_rating", "The best rating cannot be the worst as well.")
        if "source" in self.fields:
            other = data.get("other_source")
            data["source"] = source_of(other) if other else data.get("source")
            if not data["source"]:
                self.add_error("source", "Say where these reviews are from.")
            if data["source"] == UNKNOWN_SOURCE:
                data["source"] = NO_SOURCE
        return data

    def _reads_by_columns(self) -> bool:
        """Whether the columns alone say what is read, as a shipped format reads others, too."""
        return not self.shape.key.startswith("format ")

    def options(self, options: ImportOptions, *, accept: bool) -> ImportOptions:
        """The options of the batch with the answers."""
        data = self.cleaned_data
        columns: dict[str, str] = {}
        decisions: dict[str, dict[str, bool]] = {}
        for number, column in enumerate(self.shape.columns):
            field = data[f"column-{number}"]
            if not _is_read_by_format(column, field, self.shape):
                columns[_storable(column.name)] = field
            if field in _DECIDING:
                decisions[_storable(column.name)] = {
                    _storable(value): data.get(f"value-{number}-{place}") == "yes"
                    for place, (value, _) in enumerate(self._decisions(column))
                }
        words = self._words()
        changed = replace(
            options,
            accept=accept,
            columns=columns,
            decisions=decisions,
            stars={_storable(word): data[f"stars-{n}"] for n, word in enumerate(words)},
            worst_rating=data.get("worst_rating"),
            best_rating=data.get("best_rating"),
            date_order=cast("Any", data.get("date_order") or None),
            places={
                _storable(name): data[f"place-{number}"] == "yes"
                for number, (name, _, _) in enumerate(self.shape.places)
            },
        )
        return replace(changed, source=data["source"]) if data.get("source") else changed


def _is_read_by_format(column: ShapeColumn, field: str, shape: Shape) -> bool:
    """Whether a shipped format reads the column as it stands, with its own rules."""
    return shape.key.startswith("format ") and field == (column.field or IGNORED)


def _storable(text: str) -> str:
    """The text without what a database may refuse; names and values compare alike without it."""
    return "".join(filter(str.isprintable, text))
