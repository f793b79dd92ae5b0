"""The published JSON of a review, rendered when the review is written.

The text is stored with the review. Documents and search answers join these texts instead of
serialising rows. `reviews.api.serializers` describes the same shape.

The business publishes authors by full name, by first name and initial, or by initials. A name
without spaces counts as one word.
"""

import datetime as dt
import re
import unicodedata
from typing import Any, NamedTuple, Protocol

import orjson

FULL, FIRST_NAME, INITIALS = "full", "first_name", "initials"
ANONYMOUS = "Anonymous"

_TITLES = frozenset(
    "dr mr mrs ms miss mx prof sir madam rev herr frau mme mlle monsieur madame sr sra".split()
)
_SUFFIXES = frozenset("jr sr ii iii iv md phd dds esq".split())
# Scripts without a space between family name and given name.
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")


class PublicForm(NamedTuple):
    """How the business publishes names of authors, and whether it publishes photos."""

    names: str = FULL
    photos: bool = False


DEFAULT_FORM = PublicForm()


class Publishable(Protocol):
    """Protocol of the values in a published review, such as `Review`."""

    ulid: str
    author: str
    author_avatar_url: str
    photos: list[str] | None
    rating: int
    date: dt.date
    text: str
    source: str
    source_url: str
    reply_text: str
    reply_date: dt.date | None
    verified: bool
    alteration: str | None  # A key of `ALTERATIONS`.


EDITED, REDACTED = "edited", "redacted"
# How the business altered what the source has, and the published member that says so.
ALTERATIONS = {EDITED: "edited_by_business", REDACTED: "redacted_by_business"}


def serialize_review(review: Publishable, form: PublicForm = DEFAULT_FORM) -> dict[str, Any]:
    """Return the published members of a review in their fixed order.

    Optional members are the mark of an altered review, and photos if `form` publishes them.
    """
    shown: dict[str, Any] = {
        "id": review.ulid,
        "author": public_name(review.author, form.names),
        "author_avatar_url": review.author_avatar_url or None,
        "rating": review.rating,
        "date": review.date,
        "text": review.text or None,
        "source": review.source,
        "source_url": review.source_url or None,
        "owner_reply": (
            {"text": review.reply_text, "date": review.reply_date} if review.reply_text else None
        ),
        "verified": review.verified,
    }
    if review.alteration:
        shown[ALTERATIONS[review.alteration]] = True
    if form.photos and review.photos:
        shown["photos"] = review.photos
    return shown


def published_json(review: Publishable, form: PublicForm = DEFAULT_FORM) -> str:
    """Serialise a published review, with unescaped UTF-8 and without white space."""
    return orjson.dumps(serialize_review(review, form)).decode()


# --- Names of authors -----------------------------------------------------------------------------


def public_name(author: str, style: str) -> str:
    """Shorten an author's name to the published style.

    "Dana Reyes" becomes "Dana R." or "D. R."; "Dana" becomes "Dana" or "D.".
    """
    if style not in {FIRST_NAME, INITIALS} or author == ANONYMOUS:
        return author
    words = _words(author)
    if not words:
        return ANONYMOUS
    first, last = words[0], words[-1]
    if style == INITIALS:
        return f"{_initial(first)} {_initial(last)}" if len(words) > 1 else _initial(first)
    if len(words) > 1:
        return f"{first} {_initial(last)}"
    return _initial(first) if _UNSPACED.search(first) else first


def _words(author: str) -> list[str]:
    """Words of a name without titles and suffixes; the family name is last."""
    family, comma, given = unicodedata.normalize("NFC", author).partition(",")
    # "Reyes, Dana", but not "Dana Reyes, Jr."
    spelled = f"{given} {family}" if comma and _bare(given) not in _SUFFIXES else author
    words = [word.strip(",;") for word in spelled.split() if any(c.isalnum() for c in word)]
    while len(words) > 1 and _bare(words[0]) in _TITLES:
        words = words[1:]
    while len(words) > 1 and _bare(words[-1]) in _SUFFIXES:
        words = words[:-1]
    return words


def _bare(word: str) -> str:
    return word.strip().replace(".", "").casefold()


def _initial(word: str) -> str:
    letter = next(c for c in word if c.isalnum())
    capital = letter.upper()
    return f"{capital if len(capital) == 1 else letter}."
