"""Proposals for fields and decisions of columns, which a person confirms."""

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from review_exports.formats.base import fold_name, fold_names, fold_value
from review_exports.profile import ColumnProfile, Profile
from review_exports.readers.json_items import PLACE_ID_MEMBER, PLACE_MEMBER
from review_exports.values import ValueRefused
from review_exports.values.dates import DateReader, is_relative
from review_exports.values.flags import read_yes_no
from review_exports.values.people import is_contact, is_phone
from review_exports.values.ratings import named_scale, plain_number, read_rating
from review_exports.vocabulary import load

_HEADINGS = load("vocabulary/headings.toml")
NAMES: Mapping[str, tuple[str, ...]] = {
    field: fold_names(text) for field, text in _HEADINGS["fields"].items()
}
_PLACES = load("vocabulary/places.toml")
_PLACE_NAMES = fold_names(f"{PLACE_MEMBER},{_PLACES['names']}")
_PLACE_IDS = fold_names(f"{PLACE_ID_MEMBER},{_PLACES['ids']}")
_WEAK_PLACES = frozenset(fold_names(_PLACES["weak"]))
_WORD_PAIRS = tuple(map(fold_names, _HEADINGS["word_pairs"]))
_SURNAMES = tuple(map(fold_names, _HEADINGS["surnames"]))
_MERE_NAMES = frozenset(fold_names(_HEADINGS["mere_names"]))
_ANSWERS = frozenset(fold_names(_HEADINGS["answers"]))
_ROWS_THAT_SHOW = 3
OBJECTS = {key: frozenset(text.split()) for key, text in _HEADINGS["objects"].items()}
_MEMBERS = {
    key: {fold_name(name): rank for rank, name in enumerate(text.split())}
    for key, text in _HEADINGS["members"].items()
}
_PROPOSALS = load("vocabulary/proposals.toml")
WORDS = {key: frozenset(text.split()) for key, text in _PROPOSALS.items()}
_AT_WORK = frozenset(_PROPOSALS["at_work"].split("|"))
_ASIDE = re.compile(r"^(?:your|the|public)\b|[(\[](?:optional|required|utc)[)\]]", re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z0-9à-ÿ])(?=[A-Z])")
_PART = re.compile(r"[^\W_]+", re.UNICODE)
# What a program that makes a table of objects writes between the parts of a path.
_PATH = re.compile(r"[\w$@-]+(?:\[\d+\]|(?:__|[./])[\w$@-]+)*")
_SEPARATORS = re.compile(r"__|[./]|\[|\]")
_BEHIND = 1_000  # Added to the rank of a name that means a field less surely.
_TIMES = frozenset({"date", "time", "at", "on", "timestamp"})
_SHOWN_NAMES = frozenset({"display", "public", "nickname"})  # By which customers want to be known.
_ESSENTIAL = ("rating", "date")
OTHER = "_"  # The field of what is known to be none.
_FIELDS_OF_OBJECTS = {
    "replies": {"reply_text": "owner_reply", "reply_date": "owner_reply_date"},
    "authors": {
        "author": "author",
        "first_name": "first_name",
        "last_name": "last_name",
        "avatar": "author_avatar_url",
    },
    "ratings": {"rating": "rating", "best_rating": "best_rating"},
}
_GENERAL_MEMBERS = {
    "date": "date",
    "text": "text",
    "title": "text",
    **dict.fromkeys(("source", "technician", "service", "language", "review_id"), "name"),
}
_IN_LISTS = frozenset(
    {"owner_reply", "owner_reply_date", "recommendation", "technician", "service"}
)
_QUESTION_WORDS = 3  # Words of a heading that asks.
_LONG = 25  # Characters that words of a review have on an average.
_LONG_NUMBER = re.compile(r"[0-9]{5,}(?:\.0)?")
_INDEX = "Unnamed: 0"  # As data frames write the numbers of their rows.
A_DAY = "a day"  # Stands for all days in a deciding column.
A_TEXT = "a text"  # Stands for all values of one that has many, or private ones.


def words_of(name: str) -> list[str]:
    """The words of a heading or member in lower case: `isPublished` has two."""
    return [word.casefold() for word in _PART.findall(_CAMEL.sub(" ", name[:200]))]


def parts_of(name: str) -> list[str]:
    """The parts of a path like `author.name`, `author/name` or `author[0]`; else the name alone."""
    return [*filter(None, _SEPARATORS.split(name))] if _PATH.fullmatch(name) else [name]


# --- Fields ---------------------------------------------------------------------------------------


def proposed_fields(profile: Profile, taken: Mapping[str, str]) -> dict[str, str]:
    """Folded name -> field for the columns that are not `taken`, which has the fields of others.

    Of several columns of one meaning the best is read; of replies and their dates each, since every
    review has one of them at most.
    """
    free = {name: one for name, one in profile.columns.items() if name not in taken}
    ranks: dict[str, list[tuple[int, str]]] = {}
    for name, column in free.items():
        for field, rank in meanings(column.name):
            ranks.setdefault(field, []).append((rank, name))
    fields: dict[str, str] = {}
    known = set(taken.values())
    for field in NAMES:
        if field in known:
            continue
        found = [name for _, name in sorted(ranks.get(field, ())) if name not in fields]
        fitting = [name for name in found if _fits(field, free[name], profile)]
        chosen = fitting[:1]
        if field in {"owner_reply", "owner_reply_date"}:
            chosen += [name for name in fitting[1:] if "." in free[name].name]
        if not chosen and field in {"rating", "date"}:
            chosen = found[:1]  # Its rows say themselves what is wrong with each.
        if not chosen and field == "author":  # A mere name that all rows share is the place's.
            few = profile.rows < _ROWS_THAT_SHOW
            chosen = [name for name in found if few or name not in _MERE_NAMES][:1]
        fields |= dict.fromkeys(chosen, field)
    return _corrected(fields, free, known, profile)


def _corrected(
    fields: dict[str, str],
    free: Mapping[str, ColumnProfile],
    known: set[str],
    profile: Profile,
) -> dict[str, str]:
    given = known | {*fields.values()}
    for first, last in _SURNAMES:
        if first in free and fields.get(last) == "author":
            fields[last] = "last_name"
    # An answer where nobody has said anything may be that of a customer who was asked.
    is_answer = given.isdisjoint(("text", "title", "owner_reply_date"))
    left = {"owner_reply": is_answer, "owner_reply_date": "owner_reply" not in given}
    fields = {
        name: field
        for name, field in fields.items()
        if not left.get(field) or (field == "owner_reply" and name not in _ANSWERS)
    }
    if "text" not in given:
        unread = free.keys() - fields.keys()
        fields |= dict.fromkeys(
            next((pair for pair in _WORD_PAIRS if unread >= {*pair}), ()), "text"
        )
    if "place" not in known:
        for field, names in (("place", _PLACE_NAMES), ("place_id", _PLACE_IDS)):
            found = (one for one in names if one in free and one not in fields)
            name = next((one for one in found if _is_place(one, free[one], profile)), None)
            if name:
                fields[name] = field
    return fields


def _is_place(name: str, column: ColumnProfile, profile: Profile) -> bool:
    """Whether a column is one of places, rather than of the customers' own companies."""
    if not column.filled or column.has_many:
        return False
    return name not in _WEAK_PLACES or 2 * len(column.values) <= profile.rows


def meanings(name: str) -> Iterator[tuple[str, int]]:
    """The fields that a name may mean, with a rank; the lowest is the best."""
    parts = parts_of(name)
    names = [part for part in parts if not part.isdigit()] or [name]
    found = [*_members(names)] or [*_plain(names)]
    in_list = any(part.isdigit() for part in parts)
    # What stands in a list beside a review is not of the review as a whole.
    yield from ((field, rank) for field, rank in found if not in_list or field in _IN_LISTS)


def _head(name: str) -> str:
    """The last word of a name, which says what it is: that of `hotelResponse` is `response`."""
    words = words_of(name)
    return words[-1] if words else ""


def _members(names: list[str]) -> Iterator[tuple[str, int]]:
    """The fields that a member of objects, given by the parts of its path, may mean."""
    for number, outer in enumerate(names[:-1], start=1):
        last = fold_name("".join(names[number:]))
        for kind, fields in _FIELDS_OF_OBJECTS.items():
            if _head(outer) in OBJECTS[kind] or fold_name(outer) in OBJECTS[kind]:
                for members, field in fields.items():
                    if (rank := _MEMBERS[members].get(last)) is not None:
                        yield field, rank
                if kind == "replies" and not _TIMES.isdisjoint(words_of(names[-1])):
                    yield "owner_reply_date", _BEHIND
                return
        for field, members in _GENERAL_MEMBERS.items():
            if fold_name(outer) in NAMES[field]:
                rank = _MEMBERS[members].get(last)
                if rank is not None:
                    yield field, rank + _BEHIND


def _plain(path: list[str]) -> Iterator[tuple[str, int]]:
    """The fields that a heading, or a member by itself, may mean."""
    *outer, name = path
    if not OBJECTS["others"].isdisjoint(map(_head, outer)):
        return
    depth = len(outer)
    words = words_of(name)
    plain = _ASIDE.sub("", name)
    called = [fold_name(one) for one in ("".join(path), name, plain, named_scale(plain)[0])]
    if words[:1] == ["review"]:
        called.append("".join(words[1:]))
    called.append("review" + fold_name(name))
    bonus = depth * _BEHIND
    if "original" in words:  # Beside an original stands its translation.
        called.append("".join(word for word in words if word != "original"))
        bonus -= _BEHIND
    if "translated" in words or "translation" in words:
        yield "translated_text", 0
        return
    is_listed = any(called[0] in names for names in NAMES.values())
    if not is_listed and (reply := _reply_by_words(words)):
        yield reply, 0
        return
    is_known = False
    for field, names in NAMES.items():
        if known := next((one for one in called if one in names), None):
            is_known = True
            is_shown = field == "author" and not _SHOWN_NAMES.isdisjoint(words)
            yield field, names.index(known) + bonus - (_BEHIND if is_shown else 0)
    for field in _ESSENTIAL if not (is_known or outer) else ():
        if not {*words}.isdisjoint(NAMES[field]):  # As in "How many stars?".
            yield field, 2 * _BEHIND


def _reply_by_words(words: list[str]) -> str | None:
    """The reply, or its date, by a name like `vendorReply`, `Response text` or `reply_date`."""
    at = next((n for n, word in enumerate(words) if word in OBJECTS["replies"]), None)
    if at is None:
        return None
    rest = "".join(words[at + 1 :])
    if not rest:
        return "owner_reply"
    if rest in _MEMBERS["reply_date"] or words[-1] in _TIMES:
        return "owner_reply_date"
    return "owner_reply" if rest in _MEMBERS["reply_text"] else OTHER


# --- Values that fit ------------------------------------------------------------------------------


_ANY_DATE = DateReader(
    time_zone=dt.UTC,
    today=dt.date(9000, 1, 1),
    order=lambda _field, numbers: "dmy" if numbers.other <= 12 else "mdy",
)


def reads_as_date(value: Any) -> bool:
    """Whether a value names a day, in whichever order."""
    if isinstance(value, bool) or is_relative(value):
        return False
    try:
        _ANY_DATE.read(value, "date")
    except ValueRefused:
        return False
    return True


def _reads_as_rating(value: Any) -> bool:
    try:
        read_rating(value, best=100, round_half_up=True)
    except ValueRefused as refusal:
        return refusal.code != "rating_unreadable"
    return True


def _are_flags(column: ColumnProfile) -> bool:
    return bool(column.sampled) and all(read_yes_no(one) is not None for one in column.sampled)


def _fits(field: str, column: ColumnProfile, profile: Profile) -> bool:
    """Whether the values of a column can be those of a field; an empty column fits each."""
    if not column.filled:
        return not profile.rows
    count = len(column.values)  # 0 where there are many.
    is_shared = count == 1
    misfits = {
        "date": not any(map(reads_as_date, column.sampled)),
        "rating": not (column.has_few or any(map(_reads_as_rating, column.sampled))),
        "author": _are_flags(column) or (is_shared and column.filled > 1),
        "text": _are_flags(column) and column.filled >= _ROWS_THAT_SHOW,
        "owner_reply": _are_flags(column),
        "title": is_shared and column.filled == profile.rows > _ROWS_THAT_SHOW - 1,
        "review_id": 0 < count * 5 <= column.filled,
    }
    return not misfits.get(field, False)


def looks_like_text(column: ColumnProfile) -> bool:
    """Whether a column holds sentences, as the words of reviews are."""
    texts = [one for one in column.sampled if isinstance(one, str) and " " in one.strip()]
    # As a form asks: "What did they say?".
    is_question = len(words_of(column.name)) >= _QUESTION_WORDS
    enough = 2 * len(texts) >= max(len(column.sampled), 1)
    return bool(texts) and enough and (is_question or sum(map(len, texts)) >= _LONG * len(texts))


def kind_of(column: ColumnProfile) -> str:
    """Whether a column holds days, numbers, sentences or words, or nothing."""
    if not column.filled:
        return "nothing"
    if all(plain_number(one) is not None for one in column.sampled):
        return "numbers"
    if all(map(reads_as_date, column.sampled)):
        return "days"
    return "sentences" if looks_like_text(column) else "words"


def may_be_reply(column: ColumnProfile) -> bool:
    """Whether a column may hold the words of replies."""
    is_reply = any(_head(part) in OBJECTS["replies"] for part in parts_of(column.name)[:-1])
    return is_reply and any(isinstance(one, str) and " " in one for one in column.sampled)


def looks_like_names(column: ColumnProfile) -> bool:
    """Whether a column holds different short texts of letters, as the names of people are."""
    names = [
        one
        for one in column.sampled
        if isinstance(one, str)
        and 1 <= len(one.split()) <= 4
        and any(map(str.isalpha, one))
        and not any(map(str.isdigit, one))
        and one[:1].upper() == one[:1]
        and len(one) <= 40
    ]
    in_list = any(part.isdigit() for part in column.name.split("."))
    if in_list or any(field != "author" for field, _ in meanings(column.name)):
        return False
    different = column.filled if column.has_many else len(column.values)
    is_repeated = 2 * different < column.filled or different < 2 <= column.filled
    return len(names) == len(column.sampled) > 0 and not is_repeated


def names_roles(column: ColumnProfile) -> bool:
    """Whether a column of authors seems to hold roles: few words in small letters, repeated."""
    values = [*map(str, column.values)]
    is_repeated = column.has_few and 1 < len(values) < column.filled
    return is_repeated and all(value[:1].islower() for value in values)


def is_total(cells: Iterable[Any]) -> bool:
    """Whether a row holds totals: its first cell says so."""
    first = next((cell for cell in cells if isinstance(cell, str) and cell.strip()), "")
    words = words_of(first)
    return bool(words) and len(words) <= 3 and words[0] in WORDS["totals"] | {"grand"}


# --- Decisions ------------------------------------------------------------------------------------


def deciding_field(column: ColumnProfile) -> str | None:
    """The field by which a column's name says that it decides."""
    *outer, last = parts_of(column.name)
    words = words_of(last)
    if outer and WORDS["general"].issuperset(words):
        words = words_of(outer[-1])
    if not column.filled or any(map(is_relative, column.sampled)):
        return None
    kinds = ("withheld", "status", "published")
    kind = next((kind for kind in kinds if not WORDS[kind].isdisjoint(words)), None)
    if kind and not WORDS["other"].isdisjoint(words):
        values = column.values or dict.fromkeys(map(str, column.sampled))
        understood = (is_day(one) or proposed_decision(kind, fold_value(one)) for one in values)
        return kind if any(one is not None for one in understood) else None
    return kind


def tells_rows_apart(column: ColumnProfile, rows: int) -> bool:
    """Whether a column may decide, whatever its name: some rows fill it, or its values are few.

    Contact data never do, nor what names each row by itself: a moment, or a long number.
    """
    texts = [*map(str, column.sampled)]
    if not texts or all(is_contact(text) or is_phone(text) for text in texts):
        return 0 < column.filled < rows and any(map(is_day, texts))  # Days pass as numbers.
    if column.filled < rows or not column.has_few:
        return column.filled < rows
    has_own = len(column.values) == rows and all(
        is_day(one) or _LONG_NUMBER.fullmatch(str(one)) for one in column.values
    )
    is_index = column.name == _INDEX and texts == [*map(str, range(rows))]
    return len(column.values) > 1 and not (has_own or is_index)


def repeats(column: ColumnProfile, other: ColumnProfile, rows: int) -> bool:
    """Whether a column begins in each row as another one, like a name beside its short form."""
    starts = [[words_of(str(value))[:1] for value in one.sampled] for one in (column, other)]
    return column.filled == other.filled == rows and starts[0] == starts[1] and [] not in starts[0]


def is_of_reply(column: ColumnProfile) -> bool:
    """Whether the name of a column speaks of the reply."""
    return not OBJECTS["replies"].isdisjoint(
        [*words_of(column.name), "comment" if words_of(column.name)[:1] == ["comment"] else ""]
    )


def is_day(value: Any) -> bool:
    """Whether a value of a deciding column is a day, rather than a flag or a word."""
    return read_yes_no(value) is None and reads_as_date(value)


def proposed_decision(field: str, value: str) -> bool | None:
    """Whether a folded value of a deciding column permits publication; None: not understood.

    Blank never does.
    """
    if not value:
        return False
    flag = True if value == A_DAY else read_yes_no(value)
    if flag is not None:
        return flag is (field != "withheld")
    if value in WORDS["public"] or (field == "status" and value in _AT_WORK):
        return True
    words = value.split()
    is_hidden = value not in _AT_WORK and not WORDS["hidden"].isdisjoint(words)
    return False if is_hidden or not WORDS["negations"].isdisjoint(words[:1]) else None
