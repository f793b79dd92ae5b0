"""Names of the fields of a review in headings and as members of objects."""

import itertools
from collections.abc import Iterable, Iterator, Mapping

from review_exports.formats.base import fold_name, fold_names
from review_exports.vocabulary import load

_HEADINGS = load("vocabulary/headings.toml")


def _replies(field: str) -> Iterator[str]:
    """Names of a reply, or of its date, made of their parts."""
    parts: dict[str, list[str]] = _HEADINGS["replies"]
    for who, what in itertools.product(parts["given_by"], parts["called"]):
        yield from (fold_name(who + what + ending) for ending in parts[field])


SYNONYMS: Mapping[str, tuple[str, ...]] = {
    field: (*(_replies(field) if field in _HEADINGS["replies"] else ()), *fold_names(text))
    for field, text in _HEADINGS["fields"].items()
}
WORD_PAIRS = tuple(map(fold_names, _HEADINGS["word_pairs"]))
SURNAMES = tuple(map(fold_names, _HEADINGS["surnames"]))
ANSWERS = frozenset(fold_names(_HEADINGS["answers"]))
MERE_NAMES = frozenset(fold_names(_HEADINGS["mere_names"]))
SALUTATIONS = frozenset(_HEADINGS["salutations"].split(", "))


def _inside(outer: Iterable[str], inner: str) -> tuple[str, ...]:
    """The paths to what an object by one of the outer names may hold."""
    return tuple(name + path for name in outer for path in fold_names(inner))


def _or_inside(outer: Iterable[str], inner: str) -> tuple[str, ...]:
    """Each name, followed by the paths to what an object by that name may hold."""
    return tuple(path for name in outer for path in (name, *_inside([name], inner)))


# Objects keep a person, a reply and more in objects of their own, like `author.name`. A mere
# `name` may be that of the place.
_NAMES_ALONE = SYNONYMS["author"].index(fold_name("user name"))
_AUTHORS = SYNONYMS["author"][:_NAMES_ALONE]
_ACCOUNTS = ("user", "consumer", "userprofile")
_REPLIED = (
    *SYNONYMS["owner_reply"],
    *fold_names("owner_replies.0,replies.0,review_replies.0,responses.0,resp"),
)
OBJECT_SYNONYMS: Mapping[str, tuple[str, ...]] = {
    **SYNONYMS,
    "review_id": _or_inside(SYNONYMS["review_id"], "$oid"),
    "rating": _or_inside(SYNONYMS["rating"], "value,rating,overall"),
    "_best_rating": (
        *SYNONYMS["_best_rating"],
        *_inside(SYNONYMS["rating"], "best,max,rating_max,scale"),
    ),
    "owner_reply_date": (
        *SYNONYMS["owner_reply_date"],
        *_inside(
            _REPLIED,
            "iso_date,date_utc,date,created,created_at,created_date,date_created,date_posted,"
            "posted_at,responded_at,replied_at,published_date,published_at,timestamp,time,"
            "updated_at,updated",
        ),
    ),
    "owner_reply": _or_inside(_REPLIED, "text,comment,content,message,body"),
    "date": _or_inside([*SYNONYMS["date"], "dates"], "$date,_seconds,published_date,utc_date_time"),
    # Beside an original stands its translation.
    "text": (
        *fold_names("original_text,original_review_text,text_original"),
        *_or_inside(SYNONYMS["text"], "text,rendered,full"),
    ),
    "title": _or_inside(SYNONYMS["title"], "rendered"),
    "_first_name": (
        *SYNONYMS["_first_name"],
        *_inside((*_AUTHORS, *_ACCOUNTS), "first_name,given_name"),
    ),
    "_last_name": (
        *SYNONYMS["_last_name"],
        *_inside((*_AUTHORS, *_ACCOUNTS), "last_name,family_name"),
    ),
    "author": (
        *_or_inside(_AUTHORS, "name,display_name,nickname,username,author_name,screen_name"),
        *_inside(_ACCOUNTS, "name,display_name,nickname,username"),
        *SYNONYMS["author"][_NAMES_ALONE:],
    ),
    "author_avatar_url": (
        *SYNONYMS["author_avatar_url"],
        *_inside(
            (*_AUTHORS, *_ACCOUNTS),
            "avatar_url,image_url,photo_url,picture_url,profile_photo_url,thumbnail,avatar,"
            "avatar.image,avatar.url,image,photo,picture,profile_photo",
        ),
    ),
    "source": _or_inside(SYNONYMS["source"], "name"),
    "technician": _or_inside(SYNONYMS["technician"], "name"),
    "service": _or_inside(SYNONYMS["service"], "name,label"),
    "verified": (*SYNONYMS["verified"], *fold_names("labels.verification.is_verified")),
    "language": (*SYNONYMS["language"], *_inside(SYNONYMS["text"], "language")),
}
