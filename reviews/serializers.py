"""A review as the world reads it, rendered once when the review is written.

The fragment is the exact JSON text of the published review. Documents and search answers join
fragments instead of serialising rows, and `reviews.api.serializers` describes the same shape.
"""

import datetime as dt
import re
from typing import Any, Protocol

import orjson

from reviews.author_names import FULL, public_name


class Publishable(Protocol):
    """Protocol of values that become a fragment, such as `Review`."""

    ulid: str
    author: str
    author_avatar_url: str
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


def serialize_review(review: Publishable, names: str = FULL) -> dict[str, Any]:
    """The published members of a review in their fixed order; every key is always present.

    Beside these a review that the business altered has the member that says so. Of the author as
    much is shown as `names` says.
    """
    shown = {
        "id": review.ulid,
        "author": public_name(review.author, names),
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
    return shown


def fragment(review: Publishable, names: str = FULL) -> str:
    """The published review as JSON text: UTF-8 characters as they are, no white space."""
    return orjson.dumps(serialize_review(review, names)).decode()


_AUTHOR = re.compile(r'(?<=^{"id":".{26}","author":)"(?:[^"\\]|\\.)*"')


def with_author(fragment: str, author: str) -> str:
    """The same published review with another name of its author."""
    return _AUTHOR.sub(lambda _: orjson.dumps(author).decode(), fragment, count=1)
