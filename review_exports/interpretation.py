"""Interpretation of a file: its columns, rating scale, date order and places."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from review_exports import proposals
from review_exports.columns import DECIDING, Columns
from review_exports.date_orders import DateOrders
from review_exports.formats.base import EXTRA, INTERNAL_FIELDS, Format, fold_name, is_blank
from review_exports.options import ReadOptions
from review_exports.places import Places
from review_exports.profile import Profile
from review_exports.publication import DecidingColumn, Publication
from review_exports.rows import Rows
from review_exports.scales import Scale, scale_of, stars_in_words
from review_exports.shapes import NOT_READ, Shape
from review_exports.values import ValueRefused, shown
from review_exports.values.dates import DateReader, numbers_of
from review_exports.values.ratings import named_scale, read_rating

_DATES = ("date", "owner_reply_date")
_LISTS = frozenset({"technician", "service"})  # Fields that may be lists of objects.
_LIST_MAX = 10  # Members that are read per list.
_STARS_SHOWN = 30  # Ratings that a person sees with their stars.
_DAYS_SHOWN = 2

MakeRows = Callable[[Format], Rows]


@dataclass(frozen=True, slots=True)
class Interpretation:
    """How the rows of a file are read."""

    rows: Rows
    shape: Shape
    publication: Publication
    scale: Scale
    stars: Mapping[str, int]
    orders: DateOrders


def interpret(
    format_: Format,
    make_rows: MakeRows,
    options: ReadOptions,
    *,
    is_shipped: bool,
    is_numbered: bool = False,
) -> Interpretation:
    """Interpret a file whose rows `make_rows` reads by a format.

    `is_numbered`: the columns have numbers instead of names, and are also identified by content.
    Raises `FileRefused` if options name columns that the file lacks.
    """
    make_columns = partial(
        Columns, format_, options=options, is_shipped=is_shipped, is_numbered=is_numbered
    )
    profile = make_rows(format_).profile()
    columns = make_columns(profile)
    dates = [name for name, field in columns.fields.items() if field == "date"]
    if not is_shipped and 0 < sum(profile.columns[name].filled for name in dates) < profile.rows:
        # A row without a date is not a review, such as a second row of headings.
        profile = make_rows(format_).profile(dates)
        columns = make_columns(profile)
    is_known = is_shipped or columns.is_stored
    if not is_known:
        _ask_for_fields(columns, profile, is_numbered=is_numbered)
    deciding, of_reply = (tuple(columns.deciding(of_reply=which)) for which in (False, True))
    rows = make_rows(_with_columns(format_, columns, (*deciding, *of_reply), is_shipped=is_shipped))
    ratings = _ratings(profile, columns)
    stars = {**columns.stored.stars, **options.stars}
    scale = _scale(format_, columns, ratings, options)
    orders = _orders(rows, profile, columns, options)
    places = Places(rows, options)
    in_words = None if is_known else stars_in_words(ratings, stars, scale.best)
    possible = [*columns.questions, scale.question or in_words, orders.question, places.question]
    questions = tuple(filter(None, possible))
    found = tuple(columns.shown())
    is_accepted = options.accept or bool(options.columns)
    has_own_scale = not is_shipped or (scale.worst, scale.best) != (1, format_.best_rating or 5)
    shape = Shape(
        key=columns.key,
        rows=profile.rows,
        columns=found,
        stars=tuple(_shown_stars(_rated(rows, ratings), scale, stars)),
        days=tuple(itertools.islice(_days(rows, profile, orders, options), _DAYS_SHOWN)),
        places=tuple(places.found),
        questions=questions,
        confirmation=replace(
            columns.confirmation(),
            stars=stars,
            worst_rating=scale.worst if has_own_scale else None,
            best_rating=scale.best if has_own_scale else None,
            date_order=orders.chosen,
            places={name: is_ours for name, _, is_ours in places.found if is_ours is not None},
            source=options.source or columns.stored.source,
        ),
        is_confirmed=not questions
        and (is_accepted or (is_known and not any(column.is_new for column in found))),
    )
    publication = Publication(deciding, of_reply, places.decisions)
    return Interpretation(rows, shape, publication, scale, stars, orders)


# --- Columns --------------------------------------------------------------------------------------


def _ask_for_fields(columns: Columns, profile: Profile, *, is_numbered: bool) -> None:
    """Ask for essential columns, and about unread ones that look like text or names."""
    found = {*columns.fields.values()}
    unread = [
        name
        for name in columns.names
        if not columns.fields.get(name) and name not in columns.answers
    ]
    missing = [] if found & {"rating", "recommendation"} else ["rating"]
    missing += [] if "date" in found else ["date"]
    for field in missing:
        columns.ask(field, unread, is_numbered=is_numbered and field == missing[0])
    for fields, is_candidate in (
        (("text",), proposals.looks_like_text),
        (("author", "first_name", "last_name"), proposals.looks_like_names),
        (("owner_reply",), proposals.may_be_reply),
    ):
        candidates = [name for name in unread if is_candidate(profile.columns[name])]
        if candidates and found.isdisjoint(fields):
            columns.ask(fields[0], candidates)
    roles = [
        name
        for name, field in columns.fields.items()
        if field == "author"
        and name not in columns.answers
        and proposals.looks_like_roles(profile.columns[name])
    ]
    if roles:
        columns.ask("role", roles)


def _with_columns(
    format_: Format,
    columns: Columns,
    deciding: tuple[DecidingColumn, ...],
    *,
    is_shipped: bool,
) -> Format:
    """Return the format with the columns of the fields that were found."""
    changed = {*columns.answers, *columns.confirmed} if is_shipped else {*columns.fields}
    found = {
        field: tuple(one for one in names if one not in changed)
        for field, names in format_.columns.items()
    }
    for name, field in reversed(columns.fields.items()):
        if name in changed and field not in (*DECIDING, NOT_READ):
            extra = EXTRA + columns.names[name] if field == "extra" else field
            internal = INTERNAL_FIELDS.get(field, extra)
            found[internal] = (name, *found.get(internal, ()))
    found = {"rating": (), "date": ()} | found
    for one in deciding:
        found[one.field] = _members(one.name, one.folded)
    lists = {one.field for one in deciding}
    if not is_shipped:
        for field in _LISTS & found.keys():
            lists.add(field)
            found[field] = tuple(
                one for name in found[field] for one in _members(columns.names[name], name)
            )
    several = not is_shipped and len(found.get("text", ())) > 1
    return replace(
        format_,
        columns=found,
        joined=frozenset({"text"}) if several else format_.joined,
        every=frozenset(field for field in lists if len(found[field]) > 1),
    )


def _members(path: str, folded: str) -> tuple[str, ...]:
    """Folded names of a column, or of the members of the list that it stands for."""
    if ".0" not in path:
        return (folded,)
    return tuple(fold_name(path.replace(".0", f".{number}")) for number in range(_LIST_MAX))


# --- Stars and days -------------------------------------------------------------------------------


def _ratings(profile: Profile, columns: Columns) -> dict[Any, int]:
    """Map the distinct ratings of the file to their numbers of rows."""
    ratings = Counter[Any]()
    for name, field in columns.fields.items():
        if field in {"rating", "stars"}:
            column = profile.columns[name]
            ratings.update(column.values or Counter(map(str, column.sampled)))
    return dict(ratings)


def _scale(
    format_: Format, columns: Columns, ratings: Mapping[Any, int], options: ReadOptions
) -> Scale:
    headings = (columns.names[name] for name, field in columns.fields.items() if field == "rating")
    named = next(filter(None, (named_scale(heading)[1] for heading in headings)), None)
    return scale_of(
        ratings,
        answer=(options.worst_rating, options.best_rating),
        confirmed=(columns.stored.worst_rating, columns.stored.best_rating),
        named=named or format_.best_rating,
        is_known=format_.is_literal or "best_rating" in columns.fields.values(),
    )


def _rated(rows: Rows, ratings: Mapping[Any, int]) -> Iterable[tuple[Any, Any]]:
    """Distinct ratings, each with the best rating that its row names."""
    if "_best_rating" not in rows.provided_fields():
        return ((value, None) for value in ratings)
    fields = (one for _, one, _ in rows if isinstance(one, dict))
    pairs = ((one.get("rating"), one.get("_best_rating")) for one in fields)
    return dict.fromkeys(pair for pair in pairs if not any(map(_is_nested, pair)))


def _is_nested(value: Any) -> bool:
    return isinstance(value, dict | list)


def _shown_stars(
    rated: Iterable[tuple[Any, Any]], scale: Scale, stars: Mapping[str, int]
) -> Iterator[tuple[str, int | None]]:
    for value, best in itertools.islice(rated, _STARS_SHOWN):
        count = stars.get(str(value))
        ends = (scale.best, scale.worst) if is_blank(best) else (best, 1)
        with suppress(ValueRefused):
            count = count or read_rating(value, best=ends[0], worst=ends[1], round_half_up=True)
        yield shown(value) if is_blank(best) else f"{shown(value)} / {shown(best)}", count


def _orders(rows: Rows, profile: Profile, columns: Columns, options: ReadOptions) -> DateOrders:
    is_open = any(
        numbers_of(value)
        for field in _DATES
        for value in profile.values(rows.format.columns.get(field, ()))
    )
    has_dates = is_open and not rows.format.is_literal
    return DateOrders(
        [rows.values(field) for field in _DATES] if has_dates else [],
        answer=options.date_order,
        confirmed=columns.stored.date_order,
        usual=rows.format.date_order,
        today=options.today,
    )


def _days(
    rows: Rows, profile: Profile, orders: DateOrders, options: ReadOptions
) -> Iterator[tuple[str, str]]:
    reader = DateReader(time_zone=options.zone, today=options.today, order=orders.order)
    for value in profile.values(rows.format.columns.get("date", ())):
        with suppress(ValueRefused):
            yield shown(value), reader.read(value, "date").date.isoformat()
