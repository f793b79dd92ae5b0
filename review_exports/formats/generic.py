"""Any table or list of objects, by what its headings or members are called."""

import itertools
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from review_exports.formats.base import (
    WRAPPINGS,
    Fields,
    Format,
    fold_name,
    is_blank,
    join_name,
    rate_by_recommendation,
)
from review_exports.formats.synonyms import (
    ANSWERS,
    MERE_NAMES,
    OBJECT_SYNONYMS,
    SALUTATIONS,
    SURNAMES,
    SYNONYMS,
    WORD_PAIRS,
)
from review_exports.readers.tables import is_private_heading
from review_exports.records import ReadWarning
from review_exports.values import shown
from review_exports.values.permissions import read_yes_no
from review_exports.values.ratings import named_scale

# A program that makes a table of objects has the paths of their members in its heading.
_PATH = re.compile(r"\w(?:[/.]|__|\[\d+\])\w")
_WRAPPING = re.compile(rf"^(?:{'|'.join(WRAPPINGS)})(?:[/.]|__)")
# What a heading says beside its name.
_ASIDE = re.compile(r"^your\b|[(\[](?:optional|required|utc)[)\]]", re.IGNORECASE)


def of_table(
    headings: Iterable[str], mapped: Container[str], is_of_use: Callable[[str, str], bool]
) -> Format:
    """Any table, by its headings or what they are called beside a scale or "(optional)"."""
    folded = {heading: fold_name(heading) for heading in headings}
    free = {heading: name for heading, name in folded.items() if name and name not in mapped}
    called = {name: name for name in free.values()}
    paths = set[str]()
    for heading, name in free.items():
        if _PATH.search(heading):
            inner = fold_name(_WRAPPING.sub("", heading))
            called.setdefault(inner, name)
            paths |= {name, inner}
        called.setdefault(fold_name(named_scale(_ASIDE.sub("", heading))[0]), name)
    matched = match_names(
        called, paths=paths, is_of_use=lambda field, name: is_of_use(field, called[name])
    )
    # An answer where nobody has said anything may be that of a customer who was asked.
    if matched.keys().isdisjoint(("text", "title", "owner_reply_date")) and ANSWERS.issuperset(
        matched.get("owner_reply", ())
    ):
        matched.pop("owner_reply", None)
    # Where nobody has answered, the day of a response is that of a survey's.
    if "date" not in matched and "owner_reply" not in matched and "owner_reply_date" in matched:
        matched["date"] = matched.pop("owner_reply_date")
    columns = {field: tuple(map(called.__getitem__, names)) for field, names in matched.items()}
    return replace(TABLE, columns=columns, joined=joined_in(matched))


def best_rating_in(headings: Iterable[str], format_: Format) -> int | None:
    """How far the stars count, as the heading of their column says; None: it does not."""
    columns = format_.columns.get("rating", ())
    scales = (named_scale(heading)[1] for heading in headings if fold_name(heading) in columns)
    return next(filter(None, scales), None)


# So many rows show whether something belongs to each of them; fewer, where all have the same.
_SHARED_MIN = {"title": 3, "review_id": 5}
_LOOKED_AT = 100


def drop_shared_columns(
    format_: Format, values: Callable[[str], Iterator[Any]], *, mapped: Mapping[str, str | None]
) -> tuple[Format, list[ReadWarning]]:
    """The format without a title or an id of something else.

    Programs write the place beside each of its reviews: its name as a title, its id as an id.
    What a person has named, in `mapped`, is as named.
    """
    dropped: list[ReadWarning] = []
    for field, least in _SHARED_MIN.items():
        if field not in format_.columns or field in mapped.values():
            continue
        looked_at = [*itertools.islice(values(field), _LOOKED_AT)]
        filled = [str(value) for value in looked_at if not is_blank(value)]
        # A place's name stands in every row.
        most = len(filled) // 5 if field == "review_id" else len(filled) == len(looked_at)
        if len(filled) < least or len(set(filled)) > most:
            continue
        name = field.replace("_", " ")
        dropped.append(
            ReadWarning(
                code=f"{field}_shared",
                message=f"Reviews share the same {name}, {shown(filled[0])}, which is left out: "
                "it seems to be that of the place. Say which column holds what if that is wrong.",
            )
        )
        columns = {name: names for name, names in format_.columns.items() if name != field}
        format_ = replace(format_, columns=columns)
    return format_, dropped


_SHARED_NAME_MIN = 3


def drop_shared_names(
    format_: Format, values: Callable[[str], Iterator[Any]], *, mapped: Mapping[str, str | None]
) -> tuple[Format, list[ReadWarning]]:
    """The format without a name of the author that is the place's, since every review has it.

    `values` gives what all rows have under a folded name.
    """
    names = format_.columns.get("author", ())
    if not names or "author" in mapped.values():
        return format_, []
    looked_at = {name: [*itertools.islice(values(name), _LOOKED_AT)] for name in names}
    shared = {
        name: str(found[0])
        for name, found in looked_at.items()
        if len(found) > 1 and not is_blank(found[0]) and all(one == found[0] for one in found)
    }
    others = [name for name in names if name not in shared]
    columns = {**format_.columns, "author": tuple(others)}
    if shared and any(not is_blank(value) for name in others for value in looked_at[name]):
        return replace(format_, columns=columns), []
    if not MERE_NAMES.issuperset(shared) or others or len(looked_at[names[0]]) < _SHARED_NAME_MIN:
        return format_, []
    del columns["author"]
    warning = ReadWarning(
        code="author_shared",
        message=f"Reviews share the same name, {shown(shared[names[0]])}, which is left out: it "
        "seems to be that of the place. Say which column holds the names of the customers if "
        "there is one.",
    )
    return replace(format_, columns=columns), [warning]


def match_names(
    names: Iterable[str],
    *,
    of_objects: bool = False,
    paths: Container[str] = (),
    is_of_use: Callable[[str, str], bool] = lambda _field, _name: True,
) -> dict[str, tuple[str, ...]]:
    """Field -> the folded name that means it, for the names of a file.

    Of several the first one counts, unless it says nothing in the whole file.
    """
    everything = frozenset(names)
    free = set(everything)
    matched: dict[str, tuple[str, ...]] = {}
    for field, synonyms in (OBJECT_SYNONYMS if of_objects else SYNONYMS).items():
        found = tuple(name for name in synonyms if name in free)
        if not found:
            longer = map("review".__add__, synonyms)
            found += tuple(name for name in longer if name in free)
            inner = (name for name in OBJECT_SYNONYMS[field] if name in paths)
            found += tuple(name for name in inner if name in free and name not in found)
        # Objects may differ in their members, so that each synonym counts where it occurs.
        if len(found) > 1 and not of_objects:
            found = (next((name for name in found if is_of_use(field, name)), found[0]),)
        if found:
            matched[field] = found
            free.difference_update(found)
    for first, last in SURNAMES:
        if first in everything and matched.get("author") == (last,):
            matched.setdefault("_last_name", matched.pop("author"))
    if "text" not in matched and (pair := next((one for one in WORD_PAIRS if free >= {*one}), ())):
        matched["text"] = pair
    return matched


def joined_in(columns: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    """The fields that are read from several columns at once: words for and words against."""
    return frozenset({"text"}) if columns.get("text") in WORD_PAIRS else frozenset()


# Where readers would miss words or see wrong ones.
_READABLE_FIELDS = ("text", "title", "owner_reply", "rating", "date", "author")
_NAMES = frozenset({"author", "_first_name", "_last_name"})
_KNOWN = frozenset().union(*SYNONYMS.values())


def unread_warnings(headings: Sequence[str], format_: Format) -> Iterator[ReadWarning]:
    """Columns that may hold what readers should see, although nothing is taken from them."""
    taken, unread = _taken_and_unread(headings, format_)
    if "text" in format_.columns:
        yield from _same_meaning(taken, unread)
        unknown = [shown(heading) for heading in unread if fold_name(heading) not in _KNOWN]
        if unknown and format_.columns.keys().isdisjoint(_NAMES):
            yield ReadWarning(
                code="no_author_column",
                message="No column was recognised as the names of the reviewers, who all become "
                f"anonymous. If one of these holds them, say so: {', '.join(unknown[:12])}.",
            )
    elif unread:
        taken_words = "stars and titles" if "title" in format_.columns else "stars"
        yield ReadWarning(
            code="no_text_column",
            message="No column was recognised as the words of the reviews, so only their "
            f"{taken_words} are taken. If one of these holds them, say so: "
            f"{', '.join(map(shown, unread[:12]))}.",
        )


def _taken_and_unread(headings: Sequence[str], format_: Format) -> tuple[dict[str, str], list[str]]:
    """Field -> the heading that it is read from; and the others that may say something."""
    read = {name: field for field, names in format_.columns.items() for name in names}
    taken: dict[str, str] = {}
    unread: list[str] = []
    for heading in headings:
        folded = fold_name(heading)
        if field := read.pop(folded, None):  # Of equal headings the first is read.
            taken[field] = heading
        elif folded and not folded.endswith("time") and not is_private_heading(folded):
            unread.append(heading)
    return taken, unread


def _same_meaning(taken: Mapping[str, str], unread: Sequence[str]) -> Iterator[ReadWarning]:
    """The unread columns that mean what another one is read for."""
    by_field: dict[str, list[str]] = {}
    for heading in unread:
        if field := next(
            (one for one in _READABLE_FIELDS if fold_name(heading) in SYNONYMS[one]), None
        ):
            by_field.setdefault(field, []).append(shown(heading))
    named = [
        f"{', '.join(others)} (the {field.replace('_', ' ')} is read from {shown(taken[field])})"
        for field, others in by_field.items()
        if field in taken
    ]
    if named:
        yield ReadWarning(
            code="columns_left_unread",
            message=f"Columns left unread, because another has their meaning: {'; '.join(named)}. "
            "Say which column holds what if that is wrong.",
        )


def _adjust(fields: Fields) -> None:
    join_name(fields)
    if str(fields.get("author")).isdecimal():
        fields["author"] = None  # The number of an account.
    if isinstance(fields.get("text"), list):
        fields["text"] = None  # What others have said beneath the review.
    if str(fields.get("title") or "").strip(". ").casefold() in SALUTATIONS:
        fields["title"] = None
    wish = fields.get("_anonymous")
    if not is_blank(wish) and read_yes_no(wish) is not False:
        fields["author"] = None
    rate_by_recommendation(fields)


TABLE = Format(name="generic", label="Table", columns=SYNONYMS, adjust=_adjust, is_typed=True)
OBJECTS = Format(
    name="own_or_generic_json", label="Any JSON", columns=OBJECT_SYNONYMS, adjust=_adjust
)
LINES = Format(name="jsonl", label="JSON Lines", columns=OBJECT_SYNONYMS, adjust=_adjust)
