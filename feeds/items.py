"""Feed items, for both formats."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.conf import settings

from reviews.models import Business, Mention, Review, Service
from reviews.selectors import get_business, newest_reviews
from reviews.timestamps import in_zone

ITEMS = 50


@dataclass(frozen=True, slots=True)
class Item:
    url: str  # Permalink, and id in both formats.
    title: str
    content: str  # Plain text, never empty.
    published_at: dt.datetime  # In the business's time zone; unique.
    modified_at: dt.datetime
    services: tuple[Service, ...]
    review: Review


@dataclass(frozen=True, slots=True)
class Feed:
    title: str
    description: str
    author: str
    language: str
    icon: str
    home_page_url: str
    items: tuple[Item, ...]


def newest_feed() -> Feed:
    """Select the newest visible reviews as feed items."""
    reviews = newest_reviews(ITEMS)
    services = _services_of(reviews)
    business = get_business() or Business()
    return feed_of(business, [(review, services[review.pk]) for review in reviews])


def feed_of(business: Business, mentioning: Iterable[tuple[Review, tuple[Service, ...]]]) -> Feed:
    """Build the feed of reviews with the services that they mention, without a query."""
    time_zone = ZoneInfo(business.time_zone)
    return Feed(
        title=f"Reviews of {business.name}" if business.name else "Reviews",
        description=f"The {ITEMS} newest customer reviews.",
        author=business.name or "Reviews",
        language=business.language,
        icon=business.logo_url,
        home_page_url=f"{settings.BASE_URL}/",
        items=tuple(_item(review, services, time_zone) for review, services in mentioning),
    )


def _services_of(reviews: list[Review]) -> dict[int, tuple[Service, ...]]:
    services = Service.objects.in_bulk(field_name="slug")
    found: dict[int, tuple[Service, ...]] = defaultdict(tuple)
    mentions = Mention.objects.filter(kind=Mention.Kind.SERVICE, review__in=reviews)
    for review_id, slug in mentions.order_by("subject").values_list("review_id", "subject"):
        if slug in services:
            found[review_id] += (services[slug],)
    return found


def _item(review: Review, services: tuple[Service, ...], time_zone: ZoneInfo) -> Item:
    stars = "1 star" if review.rating == 1 else f"{review.rating} stars"
    # The previous version, which may run during an upgrade, does not store `published_at`.
    published_at = review.published_at or review.created_at
    return Item(
        url=f"{settings.BASE_URL}/reviews/{review.ulid}",
        title=f"{stars} from {review.public_author}",
        content=review.text or f"{review.public_author} gave {stars} without words.",
        published_at=in_zone(published_at, time_zone),
        modified_at=review.modified_at or published_at,
        services=services,
        review=review,
    )
