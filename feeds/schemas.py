"""The shape of our JSON Feed in JSON Schema (2020-12)."""

from feeds.items import ITEMS
from reviews.schemas import (
    REVIEW,
    SLUG,
    STRING,
    URL,
    Schema,
    Schemas,
    described,
    list_of,
    record,
    ref,
)
from reviews.serializers import ALTERATIONS

# Of a review, what the feed format has no word for.
EXTENSION = ("id", "rating", "date", "source", "verified", "owner_reply")
INSTANT_WITH_OFFSET: Schema = {"type": "string", "format": "date-time"}

FEED_PERSON = record("The author of a review.", {"name": STRING}, {"avatar": URL})
FEED_REVIEW = record(
    "Our extension: members of a review that the feed format has no word for.",
    {
        "about": URL,
        **{key: REVIEW["properties"][key] for key in EXTENSION},
    },
    {key: REVIEW["properties"][key] for key in ALTERATIONS.values()},
)
FEED_PUBLISHER = record("The business.", {"name": STRING, "url": URL})
FEED_HUB = record("The WebSub hub.", {"type": {"type": "string", "const": "WebSub"}, "url": URL})

FEED_ITEM = record(
    "A review as a feed item.",
    {
        "id": URL,
        "url": URL,
        "title": STRING,
        "content_text": STRING,
        "date_published": INSTANT_WITH_OFFSET
        | described("When it appeared here, or a time of its day if that was long ago; unique."),
        "date_modified": INSTANT_WITH_OFFSET | described("When this last changed here."),
        "authors": list_of(ref("FeedPerson")),
        "tags": list_of(SLUG, "Services that the review mentions."),
        "_review": ref("FeedReview"),
    },
    {"external_url": URL},
)

JSON_FEED = record(
    "The newest reviews as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).",
    {
        "version": {"type": "string", "const": "https://jsonfeed.org/version/1.1"},
        "title": STRING,
        "home_page_url": URL,
        "feed_url": URL,
        "description": STRING,
        "language": STRING,
        "authors": list_of(ref("FeedPublisher")),
        "hubs": list_of(ref("FeedHub"), minItems=1),
        "items": list_of(ref("FeedItem"), "Newest first.", maxItems=ITEMS),
    },
    {"icon": URL},
)

SCHEMAS: Schemas = {
    "JsonFeed": JSON_FEED,
    "FeedItem": FEED_ITEM,
    "FeedPerson": FEED_PERSON,
    "FeedReview": FEED_REVIEW,
    "FeedPublisher": FEED_PUBLISHER,
    "FeedHub": FEED_HUB,
}
