"""Proposed fields and decisions of columns, for a person to confirm."""

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
_ANSWERS = frozenset(fold_names(_HEADINGS["answers"]))
_ROWS_FOR_INFERENCE = 3
OBJECTS = {key: frozenset(text.split()) for key, text in _HEADINGS["objects"].items()}
_MEMBERS = {
    key: {fold_name(name): rank for rank, name in enumerate(text.split())}
    for key, text in _HEADINGS["members"].items()
}
_PROPOSALS = load("vocabulary/proposals.toml")
WORDS = {key: frozenset(text.split()) for key, text in _PROPOSALS.items()}
_WORK_STATUSES = frozenset(_PROPOSALS["work_statuses"].split("|"))
_FILLER = re.compile(r"^(?:your|the|public)\b|[(\[](?:optional|required|utc)[)\]]", re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z0-9à-ÿ])(?=[A-Z])")
_PART = re.compile(r"[^\W_]+", re.UNICODE)
# A path as programs write it when they flatten objects into a table.
_PATH = re.compile(r"[\w$@-]+(?:\[\d+\]|(?:__|[./])[\w$@-]+)*")
_SEPARATORS = re.compile(r"__|[./]|\[|\]")
_PENALTY = 1_000  # Added to the rank of a name that is a weaker match.
_TIMES = frozenset({"date", "time", "at", "on", "timestamp"})
_SHOWN_NAMES = frozenset({"display", "public", "nickname"})  # Words of names meant to be public.
_ESSENTIAL = ("rating", "date")
_UNMAPPED = "_"  # Field of a name that is known to match no field.
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
_QUESTION_WORDS = 3  # Words at least in a heading that is a question.
_LONG = 25  # Average number of characters from which texts count as sentences.
_LONG_NUMBER = re.compile(r"[0-9]{5,}(?:\.0)?")
_INDEX = "Unnamed: 0"  # Heading of the row numbers that pandas writes.
ANY_DAY = "a day"  # Stands for all days in a deciding column.
ANY_TEXT = "a text"  # Stands for all values of a deciding column with many or private ones.


def words_of(name: str) -> list[str]:
    """Words of a heading or member in lower case: `isPublished` has two."""
    return [word.casefold() for word in _PART.findall(_CAMEL.sub(" ", name[:200]))]


def parts_of(name: str) -> list[str]:
    """Split a path like `author.name`, `author/name` or `author[0]`; another name is one part."""
    return [*filter(None, _SEPARATORS.split(name))] if _PATH.fullmatch(name) else [name]


# --- Fields ---------------------------------------------------------------------------------------


def proposed_fields(profile: Profile, taken: Mapping[str, str]) -> dict[str, str]:
    """Map folded names of columns to proposed fields; `taken` has the fields of known columns.

    Of several candidates for one field the best match is proposed. All candidates for replies and
    their dates are proposed, since at most one of them is filled per review.
    """
    free = {name: one for name, one in profile.columns.items() if name not in taken}
    ranks: dict[str, list[tuple[int, str]]] = {}
    for name, column in free.items():
        for field, rank in candidate_fields(column.name):
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
        if not chosen and field in {"rating", "date", "author"}:
            chosen = found[:1]  # Row errors will name the faults of ratings and dates.
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
    lacks_reply = "owner_reply" not in given
    lacks_text = given.isdisjoint(("text", "title", "owner_reply_date"))
    fields = {
        name: field
        for name, field in fields.items()
        # In a file without texts, an "answer" may be a customer's answer in a survey.
        if not (field == "owner_reply" and lacks_text and name in _ANSWERS)
        and not (field == "owner_reply_date" and lacks_reply)
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
    """Whether a column names the places reviewed, rather than the customers' own companies."""
    if not column.filled or column.has_many:
        return False
    return name not in _WEAK_PLACES or 2 * len(column.values) <= profile.rows


def candidate_fields(name: str) -> Iterator[tuple[str, int]]:
    """Yield the fields that a name may stand for, with ranks; the lowest rank is the best."""
    parts = parts_of(name)
    names = [part for part in parts if not part.isdigit()] or [name]
    found = [*_members(names)] or [*_plain(names)]
    in_list = any(part.isdigit() for part in parts)
    # Most members of a list do not describe the review as a whole.
    yield from ((field, rank) for field, rank in found if not in_list or field in _IN_LISTS)


def _head(name: str) -> str:
    """The last word of a name, such as `response` in `hotelResponse`."""
    words = words_of(name)
    return words[-1] if words else ""


def _members(names: list[str]) -> Iterator[tuple[str, int]]:
    """Candidate fields of a nested member, given by the parts of its path."""
    for number, outer in enumerate(names[:-1], start=1):
        last = fold_name("".join(names[number:]))
        for kind, fields in _FIELDS_OF_OBJECTS.items():
            if _head(outer) in OBJECTS[kind] or fold_name(outer) in OBJECTS[kind]:
                for members, field in fields.items():
                    if (rank := _MEMBERS[members].get(last)) is not None:
                        yield field, rank
                return
        for field, members in _GENERAL_MEMBERS.items():
            if fold_name(outer) in NAMES[field]:
                rank = _MEMBERS[members].get(last)
                if rank is not None:
                    yield field, rank + _PENALTY


def _plain(path: list[str]) -> Iterator[tuple[str, int]]:
    """Candidate fields of a heading, or of a member by its own name."""
    *outer, name = path
    if not OBJECTS["others"].isdisjoint(map(_head, outer)):
        return
    depth = len(outer)
    words = words_of(name)
    plain = _FILLER.sub("", name)
    spellings = [fold_name(one) for one in ("".join(path), name, plain, named_scale(plain)[0])]
    if words[:1] == ["review"]:
        spellings.append("".join(words[1:]))
    penalty = depth * _PENALTY
    if "original" in words:  # Preferred to its translation.
        spellings.append("".join(word for word in words if word != "original"))
        penalty -= _PENALTY
    if "translated" in words or "translation" in words:
        yield "translated_text", 0
        return
    is_listed = any(spellings[0] in names for names in NAMES.values())
    if not is_listed and (reply := _reply_by_words(words)):
        yield reply, 0
        return
    is_known = False
    for field, names in NAMES.items():
        if known := next((one for one in spellings if one in names), None):
            is_known = True
            is_shown = field == "author" and not _SHOWN_NAMES.isdisjoint(words)
            yield field, names.index(known) + penalty - (_PENALTY if is_shown else 0)
    for field in _ESSENTIAL if not (is_known or outer) else ():
        if not {*words}.isdisjoint(NAMES[field]):  # Such as "How many stars?".
            yield field, 2 * _PENALTY


def _reply_by_words(words: list[str]) -> str | None:
    """Field of a reply or its date, by a name like `vendorReply` or `reply_date`."""
    at = next((n for n, word in enumerate(words) if word in OBJECTS["replies"]), None)
    if at is None:
        return None
    rest = "".join(words[at + 1 :])
    if not rest:
        return "owner_reply"
    if rest in _MEMBERS["reply_date"] or words[-1] in _TIMES:
        return "owner_reply_date"
    return "owner_reply" if rest in _MEMBERS["reply_text"] else _UNMAPPED


# --- Values ---------------------------------------------------------------------------------------


_ANY_DATE = DateReader(
    time_zone=dt.UTC,
    today=dt.date(9000, 1, 1),
    order=lambda _field, numbers: "dmy" if numbers.other <= 12 else "mdy",
)


def reads_as_date(value: Any) -> bool:
    """Whether a value is a date in any order of its numbers."""
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
    """Whether the values of a column fit a field."""
    if not column.filled:
        return not profile.rows
    count = len(column.values)  # 0 where there are many.
    is_shared = count == 1
    misfits = {
        "date": not any(map(reads_as_date, column.sampled)),
        "rating": not (column.has_few or any(map(_reads_as_rating, column.sampled))),
        "author": _are_flags(column) or (is_shared and column.filled > 1),
        "text": _are_flags(column) and column.filled >= _ROWS_FOR_INFERENCE,
        "owner_reply": _are_flags(column),
        "title": is_shared and column.filled == profile.rows >= _ROWS_FOR_INFERENCE,
        "review_id": 0 < count * 5 <= column.filled,
        **dict.fromkeys(("technician", "service"), kind_of(column) == "numbers"),
    }
    return not misfits.get(field, False)


def looks_like_text(column: ColumnProfile) -> bool:
    """Whether a column holds sentences, as texts of reviews are."""
    texts = [one for one in column.sampled if isinstance(one, str) and " " in one.strip()]
    # A question of a form, such as "What did they say?".
    is_question = len(words_of(column.name)) >= _QUESTION_WORDS
    enough = 2 * len(texts) >= max(len(column.sampled), 1)
    return bool(texts) and enough and (is_question or sum(map(len, texts)) >= _LONG * len(texts))


def kind_of(column: ColumnProfile) -> str:
    """Classify the content of a column: nothing, numbers, days, sentences or words."""
    if not column.filled:
        return "nothing"
    if all(plain_number(one) is not None for one in column.sampled):
        return "numbers"
    if all(map(reads_as_date, column.sampled)):
        return "days"
    return "sentences" if looks_like_text(column) else "words"


def may_be_reply(column: ColumnProfile) -> bool:
    """Whether a column may hold the texts of replies."""
    is_reply = any(_head(part) in OBJECTS["replies"] for part in parts_of(column.name)[:-1])
    return is_reply and any(isinstance(one, str) and " " in one for one in column.sampled)


def looks_like_names(column: ColumnProfile) -> bool:
    """Whether a column holds varied short capitalised texts, as names of people are."""
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
    if in_list or any(field != "author" for field, _ in candidate_fields(column.name)):
        return False
    different = column.filled if column.has_many else len(column.values)
    is_repeated = 2 * different < column.filled or different < 2 <= column.filled
    return len(names) == len(column.sampled) > 0 and not is_repeated


def looks_like_roles(column: ColumnProfile) -> bool:
    """Whether a column of authors seems to hold roles: few lower-case values that repeat."""
    values = [*map(str, column.values)]
    is_repeated = column.has_few and 1 < len(values) < column.filled
    return is_repeated and all(value[:1].islower() for value in values)


def is_total(cells: Iterable[Any]) -> bool:
    """Whether the first filled cell says that the row holds totals."""
    first = next((cell for cell in cells if isinstance(cell, str) and cell.strip()), "")
    words = words_of(first)
    return bool(words) and len(words) <= 3 and words[0] in WORDS["totals"] | {"grand"}


# --- Decisions ------------------------------------------------------------------------------------


def deciding_field(column: ColumnProfile) -> str | None:
    """Return the deciding field that the name of a column suggests."""
    *outer, last = parts_of(column.name)
    words = words_of(last)
    if outer and WORDS["general"].issuperset(words):
        words = words_of(outer[-1])
    if not column.filled:
        return None
    kinds = ("withheld", "status", "published")
    kind = next((kind for kind in kinds if not WORDS[kind].isdisjoint(words)), None)
    if kind and not WORDS["other"].isdisjoint(words):
        values = column.values or dict.fromkeys(map(str, column.sampled))
        understood = (is_day(one) or proposed_decision(kind, fold_value(one)) for one in values)
        return kind if any(one is not None for one in understood) else None
    return kind


def distinguishes_rows(column: ColumnProfile, rows: int) -> bool:
    """Whether a column of any name may decide: it is partly blank or has few values.

    Contact data never decide, nor do values that identify rows, such as times and long numbers.
    """
    texts = [*map(str, column.sampled)]
    if not texts or all(is_contact(text) or is_phone(text) for text in texts):
        return 0 < column.filled < rows and any(map(is_day, texts))  # Some dates look like phones.
    if column.filled < rows or not column.has_few:
        return column.filled < rows
    has_own = len(column.values) == rows and all(
        is_day(one) or _LONG_NUMBER.fullmatch(str(one)) for one in column.values
    )
    is_index = column.name == _INDEX and texts == [*map(str, range(rows))]
    return len(column.values) > 1 and not (has_own or is_index)


def starts_alike(column: ColumnProfile, other: ColumnProfile, rows: int) -> bool:
    """Whether two columns begin alike in each row, like a name and its short form."""
    starts = [[words_of(str(value))[:1] for value in one.sampled] for one in (column, other)]
    return column.filled == other.filled == rows and starts[0] == starts[1] and [] not in starts[0]


def refers_to_reply(column: ColumnProfile) -> bool:
    """Whether the name of a column refers to the reply."""
    return not OBJECTS["replies"].isdisjoint(words_of(column.name))


def is_day(value: Any) -> bool:
    """Whether a value of a deciding column is a date, rather than a flag or a word."""
    return read_yes_no(value) is None and reads_as_date(value)


def proposed_decision(field: str, value: str) -> bool | None:
    """Whether a folded value of a deciding column permits publication.

    A blank value never does. None means that the value is not understood.
    """
    if not value:
        return False
    flag = True if value == ANY_DAY else read_yes_no(value)
    if flag is not None:
        return flag is (field != "withheld")
    if value in WORDS["public"] or (field == "status" and value in _WORK_STATUSES):
        return True
    if value not in _WORK_STATUSES and not WORDS["hidden"].isdisjoint(value.split()):
        return False
    return None
