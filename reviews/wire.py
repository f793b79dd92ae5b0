"""Pure: a review as the world reads it, rendered once when the review is written.

The fragment is the exact JSON text of the published review. Documents and search answers join
fragments instead of serialising rows, and `reviews.schemas` describes the same shape.
"""

import datetime as dt
from typing import Any, Protocol

import orjson


class Publishable(Protocol):
    """What a fragment is made of; `Review` is one."""

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


def published(review: Publishable) -> dict[str, Any]:
    """The published members of a review in their fixed order; every key is always present."""
    return {
        "id": review.ulid,
        "author": review.author,
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


def fragment(review: Publishable) -> str:
    """The published review as JSON text: UTF-8 characters as they are, no white space."""
    return orjson.dumps(published(review)).decode()
