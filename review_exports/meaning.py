"""The meaning of a file's columns: shipped with a format, confirmed, answered now, or proposed."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from review_exports import proposals
from review_exports.date_orders import DateOrders
from review_exports.formats.base import (
    INTERNAL_FIELDS,
    RATING_FIELDS,
    Format,
    fold_name,
    fold_value,
)
from review_exports.options import ReadOptions, mapped_columns
from review_exports.profile import ColumnProfile, Profile
from review_exports.publication import DecidingColumn, Publication, place_names
from review_exports.rows import Rows, shape_key
from review_exports.scales import Scale, scale_of, stars_in_words
from review_exports.shapes import (
    BLANK,
    DECIDING_FIELDS,
    NOT_READ,
    Confirmation,
    Question,
    Shape,
    ShapeColumn,
)
from review_exports.values import ValueRefused, shown
from review_exports.values.dates import DateReader, Numbers, numbers_of
from review_exports.values.people import public_names
from review_exports.values.ratings import named_scale, read_rating

REPLY_PUBLISHED = "reply_published"
_DECIDING = (*DECIDING_FIELDS, REPLY_PUBLISHED)
_DATES = ("date", "owner_reply_date")
_STARS_SHOWN = 30  # Ratings that a person is shown with their stars.
_DAYS_SHOWN = 2
_LISTS = frozenset({"technician", "service"})  # Fields of which a list has several.
_LIST_MAX = 10  # Members of a list that are looked at.

MakeRows = Callable[[Format], Rows]


@dataclass(frozen=True, slots=True)
class Meaning:
    """How the rows of a file are read."""

    format: Format
    rows: Rows
    shape: Shape
    publication: Publication
    scale: Scale
    stars: Mapping[str, int]
    orders: DateOrders

    @property
    def mapping(self) -> dict[str, str]:
        """Name -> field of the columns that are read."""
        return {one.name: one.field for one in self.shape.columns if one.field}


def meaning_of(
    format_: Format,
    make_rows: MakeRows,
    options: ReadOptions,
    *,
    is_shipped: bool,
    is_numbered: bool,
) -> Meaning:
    """The meaning of a file whose rows `make_rows` gives in the way of a format.

    `is_numbered`: its columns have numbers for names, so that its shape means nothing elsewhere.
    Raises `FileRefused` where options name what the file does not have.
    """
    return _Resolver(format_, make_rows, options, is_shipped, is_numbered).meaning()


class _Resolver:
    """Brings together what is known of the columns of one file."""

    def __init__(
        self,
        format_: Format,
        make_rows: MakeRows,
        options: ReadOptions,
        is_shipped: bool,  # noqa: FBT001
        is_numbered: bool,  # noqa: FBT001
    ) -> None:
        self.format, self.make_rows, self.options = format_, make_rows, options
        self.is_shipped = is_shipped
        self.profile: Profile = make_rows(format_).profile()
        self.names = {folded: one.name for folded, one in self.profile.columns.items()}
        self.key = f"format {format_.name}" if is_shipped else shape_key(self.names.values())
        stored = self._stored()
        self.is_stored = stored is not None
        self.stored = stored or Confirmation()
        self.confirmed = {fold_name(name): field for name, field in self.stored.columns.items()}
        self.answers = {
            name: field or NOT_READ
            for name, field in mapped_columns(
                options.columns, [*self.names.values(), *self.stored.columns]
            ).items()
        }
        self.confirmed |= {one: self.answers[one] for one in self.answers if one in self.confirmed}
        self.questions: list[Question] = []
        self.open: set[str] = set()  # Columns of which a person must say what they mean.
        if is_numbered:
            self.key = ""

    def _stored(self) -> Confirmation | None:
        """The confirmation of this shape, or of the one that has most in common with it."""
        known = self.options.confirmations
        if self.key in known or self.is_shipped:
            return known.get(self.key)
        similar = [
            (len(names & self.names.keys()), -len(names), one)
            for key, one in known.items()
            if not key.startswith("format ")
            and (names := set(map(fold_name, one.columns)))
            and {
                fold_name(name)
                for name, field in one.columns.items()
                if field in {"rating", "date"}
            }
            <= self.names.keys()
        ]
        return max(similar, key=lambda one: one[:2], default=(0, 0, None))[2]

    def meaning(self) -> Meaning:
        fields = self._fields()
        decisions = {
            name: self._decisions(name, field)
            for name, field in fields.items()
            if field in _DECIDING
        }
        format_ = self._with_columns(fields)
        rows = self.make_rows(format_)
        places = self._places(rows)
        scale, stars = self._scale(fields)
        orders = self._orders(rows)
        self._ask_for_fields(fields)
        columns = tuple(self._column(name, fields, decisions) for name in self.names)
        is_known = (self.is_shipped or self.is_stored) and not any(one.is_new for one in columns)
        is_accepted = self.options.accept or bool(self.options.columns)
        shape = Shape(
            key=self.key,
            columns=columns,
            stars=tuple(self._shown_stars(fields, scale, stars)),
            days=tuple(self._shown_days(rows, orders)),
            places=tuple(places),
            questions=tuple(self.questions),
            confirmation=self._confirmation(fields, decisions, scale, stars, orders, places),
            is_confirmed=not self.questions and (is_known or is_accepted),
        )
        publication = Publication(
            self._deciding(fields, decisions, DECIDING_FIELDS),
            self._deciding(fields, decisions, (REPLY_PUBLISHED,)),
            self._place_decisions,
        )
        return Meaning(format_, rows, shape, publication, scale, stars, orders)

    # --- Columns --------------------------------------------------------------------------------

    def _fields(self) -> dict[str, str]:
        """Folded name -> field, for the columns of the file and for confirmed ones that decide."""
        shipped = {
            name: field.removeprefix("_")
            for field, names in reversed(self.format.columns.items())
            for name in names
            if self.is_shipped
        }
        shipped |= dict.fromkeys(self.format.decides, "status")
        shipped |= dict.fromkeys(self.format.reply_decides, REPLY_PUBLISHED)
        known = shipped | self.confirmed | self.answers
        decided = map(fold_name, self.options.decisions)
        known |= {name: "status" for name in decided if known.get(name) not in _DECIDING}
        fields = {name: known[name] for name in self.names if name in known}
        if self.is_shipped:
            new = {name for name in self.names if name not in known and self._is_suspect(name)}
        else:
            new = self.names.keys() - known.keys()
            found = proposals.proposed_fields(self.profile, fields)
            fields |= {name: field for name, field in found.items() if field != proposals.OTHER}
            new -= fields.keys()
        for name in sorted(new, key=[*self.names].index):
            if field := self._deciding_field(name, fields):
                fields[name] = field
            elif proposals.may_be_deciding(self.profile.columns[name], self.profile):
                self._ask("It is not known whether this decides what may be published", [name])
        for name, heading in ((fold_name(one), one) for one in self.stored.decisions):
            if name not in self.names and self.confirmed.get(name) in _DECIDING:
                if self.answers.get(name) is None:
                    self._ask_missing(heading)
        return fields

    def _is_suspect(self, name: str) -> bool:
        """Whether a column that a shipped format does not know may decide."""
        column = self.profile.columns[name]
        if name in self.format.ignored:
            return False
        return proposals.deciding_field(column, self.profile) is not None

    def _deciding_field(self, name: str, fields: Mapping[str, str]) -> str | None:
        column = self.profile.columns[name]
        field = proposals.deciding_field(column, self.profile)
        if field and proposals.is_of_reply(column):
            return REPLY_PUBLISHED if "owner_reply" in fields.values() else None
        return field

    def _ask(self, message: str, names: list[str]) -> None:
        self.open |= {*names}
        columns = {self.names[name]: self.profile.columns[name].filled for name in names}
        self.questions.append(
            Question(
                kind="column",
                message=f"{message}: {public_names(columns)}.",
                option="columns",
                names=columns,
            )
        )

    def _ask_missing(self, heading: str) -> None:
        self.questions.append(
            Question(
                kind="column",
                message=f"The file lacks {shown(heading)}, which decides what may be published.",
                option="columns",
                names={heading: 0},
            )
        )

    def _ask_for_fields(self, fields: Mapping[str, str]) -> None:
        """Ask for the columns without which the reviews would be wrong or incomplete."""
        if self.is_shipped or self.is_stored:
            return
        found = {
            *fields.values(),
            *(f.removeprefix("_") for f in self.format.columns if "stars" in f),
        }
        unread = [name for name in self.names if not fields.get(name) and name not in self.answers]
        missing = [] if found & {"rating", "recommendation"} else ["rating"]
        missing += [] if "date" in found else ["date"]
        numbered = "" if self.key else "There seems to be no row of headings. "
        for field in missing:
            self._ask(f"{numbered}No column was recognised as the {field} of the reviews among", unread)
        columns = self.profile.columns
        if "text" not in found:
            if texts := [name for name in unread if proposals.looks_like_text(columns[name])]:
                self._ask("No column was recognised as the words of the reviews; look at", texts)
        if "owner_reply" not in found:
            if replies := [name for name in unread if proposals.may_be_reply(columns[name])]:
                self._ask("Replies of the business may stand in", replies)
        if found.isdisjoint({"author", "first_name", "last_name"}):
            if names := [name for name in unread if proposals.looks_like_names(columns[name])]:
                self._ask("No column was recognised as the names of the reviewers; look at", names)
        for name in proposals.ambiguous_ratings(self.profile, fields):
            self._ask("It may be the rating of one part of the service, rather than of all", [name])

    def _with_columns(self, fields: Mapping[str, str]) -> Format:
        """The format with the columns of these fields."""
        columns = dict(self.format.columns) if self.is_shipped else {}
        changed = self.answers.keys() | self.confirmed.keys() if self.is_shipped else fields.keys()
        columns = {
            field: tuple(one for one in names if one not in changed)
            for field, names in columns.items()
        }
        by_field: dict[str, list[str]] = {}
        for name, field in fields.items():
            if name in changed and field not in (*_DECIDING, NOT_READ):
                by_field.setdefault(INTERNAL_FIELDS.get(field, field), []).append(name)
        for field, names in by_field.items():
            columns[field] = (*names, *columns.get(field, ()))
        if not self.is_shipped:
            columns = dict.fromkeys(RATING_FIELDS[:1] + _DATES[:1], ()) | columns
        deciding = {
            name: field
            for name, field in (*self.confirmed.items(), *fields.items())
            if field in _DECIDING and fields.get(name, field) in _DECIDING
        }
        for name in deciding:
            columns[_field_of(name)] = _members(self.names.get(name, ""), name)
        lists = {*map(_field_of, deciding)}
        if not self.is_shipped:
            for field in _LISTS & columns.keys():
                columns[field] = tuple(
                    one for name in columns[field] for one in _members(self.names[name], name)
                )
                lists.add(field)
        several = len(by_field.get("text", ())) > 1
        return replace(
            self.format,
            columns=columns,
            joined=frozenset({"text"}) if several else self.format.joined,
            every=frozenset(field for field in lists if len(columns[field]) > 1),
        )

    # --- Decisions ------------------------------------------------------------------------------

    def _decisions(self, name: str, field: str) -> dict[str, bool | None]:
        """Value as the file spells it -> whether a row with it may be published."""
        column = self.profile.columns[name]
        answers = _folded(self.options.decisions, name)
        known = {
            **self.format.decides.get(name, {}),
            **self.format.reply_decides.get(name, {}),
            **_folded(self.stored.decisions, name),
            **answers,
        }
        is_confirmed = name in self.confirmed or name in self.format.decides
        values = self._values(column)
        found: dict[str, bool | None] = {}
        for value in values:
            folded = fold_value(value)
            if folded in known:
                found[value] = known[folded]
            elif name in self.format.decides or name in self.format.reply_decides:
                found[value] = None
            else:
                found[value] = proposals.proposed_decision(field, folded)
        is_answered = bool(answers) or is_confirmed
        blank_matters = field == "withheld" and BLANK in values and fold_value(BLANK) not in known
        is_unclear = None in found.values() and True not in found.values()
        if field in DECIDING_FIELDS and not is_answered and (blank_matters or is_unclear):
            self._ask("It is not known which values permit publication", [name])
        return found

    def _values(self, column: ColumnProfile) -> dict[str, int]:
        """The values of a deciding column, all days as one, with the number of their rows."""
        values: dict[str, int] = {}
        spelt: dict[str, str] = {}
        counted = column.values or Counter(map(str, column.sampled))
        for value, count in counted.items():
            text = proposals.A_DAY if proposals.is_day(value) else str(value)
            text = spelt.setdefault(fold_value(text), text)
            values[text] = values.get(text, 0) + count
        blank = self.profile.rows - sum(values.values())
        if blank > 0 and not column.has_many:
            values[BLANK] = blank
        return values

    def _deciding(
        self,
        fields: Mapping[str, str],
        decisions: Mapping[str, Mapping[str, bool | None]],
        kinds: tuple[str, ...],
    ) -> tuple[DecidingColumn, ...]:
        columns = []
        for name, field in {**self.confirmed, **fields}.items():
            if field not in kinds:
                continue
            values = {
                **self.format.decides.get(name, {}),
                **self.format.reply_decides.get(name, {}),
                **_folded(self.stored.decisions, name),
                **{fold_value(k): v for k, v in decisions.get(name, {}).items() if v is not None},
                **_folded(self.options.decisions, name),
            }
            columns.append(DecidingColumn(_field_of(name), self.names.get(name, name), values))
        return tuple(columns)

    # --- Scale, dates, places -------------------------------------------------------------------

    def _scale(self, fields: Mapping[str, str]) -> tuple[Scale, dict[str, int]]:
        stars = {**self.stored.stars, **self.options.stars}
        ratings = self._ratings(fields)
        headings = (self.names[name] for name, field in fields.items() if field == "rating")
        named = next(filter(None, (named_scale(heading)[1] for heading in headings)), None)
        scale = scale_of(
            ratings,
            answer=(self.options.worst_rating, self.options.best_rating),
            confirmed=(self.stored.worst_rating, self.stored.best_rating),
            named=named or self.format.best_rating,
            is_known=self.format.is_literal or "best_rating" in fields.values(),
        )
        question = scale.question or (
            None if self.is_shipped else stars_in_words(ratings, stars, scale.best)
        )
        if question:
            self.questions.append(question)
        return scale, stars

    def _ratings(self, fields: Mapping[str, str]) -> dict[Any, int]:
        """The different ratings of the file with the number of their rows."""
        ratings: dict[Any, int] = {}
        for name, field in fields.items():
            if field in {"rating", "stars"}:
                column = self.profile.columns[name]
                for value, count in (column.values or Counter(map(str, column.sampled))).items():
                    ratings[value] = ratings.get(value, 0) + count
        return ratings

    def _shown_stars(
        self, fields: Mapping[str, str], scale: Scale, stars: Mapping[str, int]
    ) -> Iterator[tuple[str, int | None]]:
        for value in [*self._ratings(fields)][:_STARS_SHOWN]:
            try:
                yield (
                    shown(value),
                    stars.get(str(value))
                    or read_rating(value, best=scale.best, worst=scale.worst, round_half_up=True),
                )
            except ValueRefused:
                yield shown(value), None

    def _orders(self, rows: Rows) -> DateOrders:
        is_open = any(
            numbers_of(value)
            for field in _DATES
            for value in self.profile.values(rows_columns(rows, field))
        )
        dates = {field: rows.values(field) for field in _DATES} if is_open else {}
        orders = DateOrders(
            {} if self.format.is_literal else dates,
            answer=self.options.date_order,
            confirmed=self.stored.date_order,
            usual=self.format.date_order,
            today=self.options.today,
        )
        if orders.question:
            self.questions.append(orders.question)
        return orders

    def _shown_days(self, rows: Rows, orders: DateOrders) -> Iterator[tuple[str, str]]:
        def order(field: str, numbers: Numbers) -> Any:
            return orders.order(field, numbers)

        reader = DateReader(time_zone=self.options.time_zone, today=self.options.today, order=order)
        found = 0
        for value in self.profile.values(rows_columns(rows, "date")):
            if found == _DAYS_SHOWN:
                return
            try:
                day = reader.read(value, "date").date
            except ValueRefused:
                continue
            found += 1
            yield shown(value), day.isoformat()

    def _places(self, rows: Rows) -> list[tuple[str, int, bool | None]]:
        """The places of the file with the number of their rows, and whether each is ours."""
        self._place_decisions: dict[str, bool] = {}
        if not any(name in rows_fields(rows) for name in ("_place", "_place_id", "_resource")):
            return []
        counted = Counter(
            tuple(names)
            for _, fields, _ in rows
            if isinstance(fields, dict) and (names := place_names(fields))
        )
        ours = {fold_name(name): True for name in self.options.business_names if name}
        for confirmation in (*self.options.confirmations.values(), self.stored):
            ours |= {fold_name(name): is_ours for name, is_ours in confirmation.places.items()}
        answers = {fold_name(name): is_ours for name, is_ours in self.options.places.items()}
        others = False if True in answers.values() else None
        has_name = bool(ours) or len({names[-1] for names in counted}) > 1
        found: list[tuple[str, int, bool | None]] = []
        for names, count in counted.most_common():
            tokens = [*map(fold_name, names)]
            said = next((answers[one] for one in tokens if one in answers), others)
            if said is None:
                said = next((ours[one] for one in tokens if one in ours), None)
            if said is None and not has_name:
                said = True  # The only place of the file, and no other name is known.
            found.append((names[0], count, said))
            self._place_decisions |= {one: said for one in tokens if said is not None}
        if undecided := {name: count for name, count, said in found if said is None}:
            places = ", ".join(f"{shown(name)} ({count:,})" for name, count in undecided.items())
            self.questions.append(
                Question(
                    kind="place",
                    message="These reviews are of a place whose name is not that of the business: "
                    f"{places}. Say which are yours; reviews of the others are left out.",
                    option="places",
                    names=undecided,
                )
            )
        return found

    # --- The shape ------------------------------------------------------------------------------

    def _column(
        self,
        name: str,
        fields: Mapping[str, str],
        decisions: Mapping[str, Mapping[str, bool | None]],
    ) -> ShapeColumn:
        profile = self.profile.columns[name]
        field = fields.get(name, NOT_READ)
        found = decisions.get(name, {})
        values = self._values(profile) if field in _DECIDING else profile.shown_values()
        is_known = name in self.confirmed or (
            self.is_shipped and not self._is_new_suspect(name, fields)
        )
        return ShapeColumn(
            name=profile.name,
            field=field,
            samples=profile.samples(),
            values=values,
            decisions=found,
            is_new=not is_known or self._has_new_value(name, found),
            may_decide=not field and bool(values),
            is_open=name in self.open,
        )

    def _is_new_suspect(self, name: str, fields: Mapping[str, str]) -> bool:
        is_read = any(name in names for names in self.format.columns.values())
        is_described = name in self.format.decides or name in self.format.reply_decides
        return not (is_read or is_described) and (name in self.open or name in fields)

    def _has_new_value(self, name: str, found: Mapping[str, bool | None]) -> bool:
        known = {
            *self.format.decides.get(name, {}),
            *self.format.reply_decides.get(name, {}),
            *_folded(self.stored.decisions, name),
        }
        return any(fold_value(value) not in known and value != BLANK for value in found)

    def _confirmation(
        self,
        fields: Mapping[str, str],
        decisions: Mapping[str, Mapping[str, bool | None]],
        scale: Scale,
        stars: Mapping[str, int],
        orders: DateOrders,
        places: list[tuple[str, int, bool | None]],
    ) -> Confirmation:
        names = self.names
        if self.is_shipped:
            names = {one: names[one] for one in names if self._is_new_suspect(one, fields)}
        own_scale = (scale.worst, scale.best) != (1, self.format.best_rating or 5)
        return Confirmation(
            columns={name: fields.get(one, NOT_READ) for one, name in names.items()},
            decisions={
                self.names[one]: {fold_value(value): said is True for value, said in found.items()}
                for one, found in decisions.items()
                if one in names or self._has_new_value(one, found)
            },
            stars=stars,
            worst_rating=scale.worst if own_scale or not self.is_shipped else None,
            best_rating=scale.best if own_scale or not self.is_shipped else None,
            date_order=orders.chosen,
            places={name: said for name, _, said in places if said is not None},
        )


def rows_columns(rows: Rows, field: str) -> tuple[str, ...]:
    """The folded names from which a field is read."""
    return rows.format.columns.get(field, ())


def rows_fields(rows: Rows) -> set[str]:
    """The fields for which the file has a column."""
    return rows.provided_fields()


def _field_of(name: str) -> str:
    """The field under which rows have the values of a deciding column."""
    return f"_decides:{name}"


def _members(path: str, folded: str) -> tuple[str, ...]:
    """The folded names of a column, or of all members of a list that it stands for."""
    if ".0" not in path:
        return (folded,)
    return tuple(fold_name(path.replace(".0", f".{number}")) for number in range(_LIST_MAX))


def _folded(decisions: Mapping[str, Mapping[str, bool]], name: str) -> dict[str, bool]:
    """The decisions of the column of a folded name, by folded values."""
    return {
        fold_value(value): said
        for heading, values in decisions.items()
        if fold_name(heading) == name
        for value, said in values.items()
    }
