"""A review as the world reads it, rendered once when the review is written.

The exact JSON text of the published review is stored with it. Documents and search answers join
these texts instead of serialising rows, and `reviews.api.serializers` describes the same shape.

Of the author's name the public reads all, a first name and initial, or initials. Spelled names of
all scripts are shortened alike; names written without spaces count as one word.
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
# Scripts that put no space between a family name and a given name.
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")


class PublicForm(NamedTuple):
    """How much of a review the business publishes: of the author's name, and photos or none."""

    names: str = FULL
    photos: bool = False


DEFAULT_FORM = PublicForm()


class Publishable(Protocol):
    """Protocol of values that become a published review, such as `Review`."""

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
    alteration: str | None  # By the business, of what the source has; see `ALTERATIONS`.


EDITED, REDACTED = "edited", "redacted"
# The member that tells the public; a review without alteration has neither.
ALTERATIONS = {EDITED: "edited_by_business", REDACTED: "redacted_by_business"}


def serialize_review(review: Publishable, form: PublicForm = DEFAULT_FORM) -> dict[str, Any]:
    """The published members of a review in their fixed order; every key is always present.

    Beside these a review that the business altered has the member that says so, and one with photos
    has these where `form` publishes them.
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
    """The published review as JSON text: UTF-8 characters as they are, no white space."""
    return orjson.dumps(serialize_review(review, form)).decode()


# --- Names of authors -----------------------------------------------------------------------------


def public_name(author: str, style: str) -> str:
    """The author's name as the public reads it.

    "Dana Reyes" is "Dana R." by first name and "D. R." by initials; "Dana" is "Dana" and "D.".
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
    """The words of a name that hold a letter or digit, without titles; the family name is last."""
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
