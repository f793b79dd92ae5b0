"""The newest reviews as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/)."""

import datetime as dt
from typing import Any

import orjson
from django.conf import settings

from core.http.headers import HUB_PATH
from feeds.items import Feed, Item, newest_feed
from reviews.published_json import ALTERATIONS, serialize_review

# Members of a review that the feed format lacks.
EXTENSION = ("id", "rating", "date", "source", "verified", "owner_reply")


def build(changed_at: dt.datetime) -> bytes:
    """Build `/api/feed.json`; the same rows give the same bytes."""
    return orjson.dumps(document(newest_feed()))


def document(feed: Feed) -> dict[str, Any]:
    """Return the members of the feed in a fixed order."""
    members: dict[str, Any] = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": feed.title,
        "home_page_url": feed.home_page_url,
        "feed_url": f"{settings.BASE_URL}/api/feed.json",
        "description": feed.description,
    }
    if feed.icon:
        members["icon"] = feed.icon
    members |= {
        "language": feed.language,
        "authors": [{"name": feed.author, "url": feed.home_page_url}],
        "hubs": [{"type": "WebSub", "url": f"{settings.BASE_URL}{HUB_PATH}"}],
        "items": [_item(item) for item in feed.items],
    }
    return members


def _item(item: Item) -> dict[str, Any]:
    review = serialize_review(item.review)
    author = {"name": item.review.public_author}
    if review["author_avatar_url"]:
        author["avatar"] = review["author_avatar_url"]
    return {
        "id": item.url,
        "url": item.url,
        **({"external_url": review["source_url"]} if review["source_url"] else {}),
        "title": item.title,
        "content_text": item.content,
        "date_published": item.published_at.isoformat(),
        "date_modified": item.modified_at.isoformat(),
        "authors": [author],
        "tags": [service.slug for service in item.services],
        "_review": {
            "about": f"{settings.BASE_URL}/developers",
            **{key: review[key] for key in EXTENSION},
            **{key: True for key in ALTERATIONS.values() if key in review},
        },
    }
