"""Query the reviews, the business and the roster."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count
from django.utils import timezone

from reviews.languages import UNDETERMINED
from reviews.models import (
    CUSTOMER_RATING,
    Business,
    Logo,
    Mention,
    Review,
    Service,
    SourceName,
    Technician,
)
from reviews.models.review import HiddenReason
from reviews.stars import STARS, mean_rating
from reviews.timestamps import business_time_zone


@dataclass(frozen=True, slots=True)
class AggregateRating:
    rating_value: float | None
    review_count: int
    distribution: dict[int, int]  # Reviews by stars, from 1 to 5.


def get_business() -> Business | None:
    """The business with its logo, without the logo's bytes; None in a new installation."""
    return Business.objects.select_related("logo").defer("logo__png").first()


def today() -> dt.date:
    """Current day in the business's time zone."""
    return timezone.localdate(timezone=business_time_zone())


def logo_of(business: Business | None) -> Logo | None:
    """Uploaded logo of a business from `get_business`; None if there is none."""
    return getattr(business, "logo", None)


def are_first_steps_open() -> bool:
    """Whether the setup is not yet marked as finished."""
    return not Business.objects.filter(first_steps_done_at__isnull=False).exists()


def aggregate_rating() -> AggregateRating:
    """Mean and distribution of the visible reviews' stars."""
    counts = dict(
        Review.objects.visible()
        .order_by()
        .values_list(CUSTOMER_RATING)
        .annotate(reviews=Count("pk"))
    )
    distribution = {stars: counts.get(stars, 0) for stars in STARS}
    count = sum(distribution.values())
    total = sum(stars * reviews for stars, reviews in distribution.items())
    return AggregateRating(mean_rating(total, count), count, distribution)


@dataclass(frozen=True, slots=True)
class Withheld:
    """Numbers of hidden reviews, by all reasons."""

    total: int
    by_reason: dict[str, int]

    @property
    def in_words(self) -> str:
        """Format the numbers, like "spam or fake (2), legal request (1)"."""
        counts = ((HiddenReason(reason), count) for reason, count in self.by_reason.items())
        return ", ".join(f"{reason.label.lower()} ({count})" for reason, count in counts if count)


def withheld() -> Withheld:
    """Count the hidden reviews by reason."""
    hidden = Review.objects.filter(hidden=True).order_by().values_list("hidden_reason")
    counts = dict(hidden.annotate(reviews=Count("pk")))
    by_reason = {reason: counts.get(reason, 0) for reason in HiddenReason.values}
    return Withheld(sum(counts.values()), by_reason)


def visible_sources() -> list[str]:
    """Sources of the visible reviews, sorted."""
    sources = Review.objects.visible().order_by("source").values_list("source", flat=True)
    return list(sources.distinct())


def source_names() -> dict[str, str]:
    """Names of sources as people typed them, for sources that the table of sites lacks."""
    return dict(SourceName.objects.values_list("source", "name"))


@dataclass(frozen=True, slots=True)
class Choices:
    """Values of filters that match at least one visible review; pairs hold an id and a name."""

    sources: list[str]
    languages: list[str]  # Primary tags of BCP 47.
    technicians: list[tuple[str, str]]
    services: list[tuple[str, str]]


def choices() -> Choices:
    """Values of filters that match at least one visible review, sorted."""
    reviews = Review.objects.visible()
    mentioned = set(Mention.objects.order_by().values_list("kind", "subject").distinct())
    languages = reviews.order_by("language").values_list("language", flat=True).distinct()
    technicians = Technician.objects.order_by("name").values_list("slug", "name")
    services = Service.objects.order_by("label").values_list("slug", "label")
    return Choices(
        visible_sources(),
        [language for language in languages if language and language != UNDETERMINED],
        [one for one in technicians if (Mention.Kind.TECHNICIAN, one[0]) in mentioned],
        [one for one in services if (Mention.Kind.SERVICE, one[0]) in mentioned],
    )


def newest_reviews(limit: int) -> list[Review]:
    """Newest visible reviews, at most `limit`."""
    return list(Review.objects.visible().newest_first()[:limit])


def reviews_of(ulids: Sequence[str]) -> list[Review]:
    """Visible reviews of these ids, in this order."""
    found = Review.objects.visible().in_bulk(ulids, field_name="ulid")
    return [found[ulid] for ulid in ulids if ulid in found]


def published_json_of(ulids: Sequence[str]) -> list[str]:
    """Published JSON of the visible reviews of these ids, in this order."""
    rows = Review.objects.visible().filter(ulid__in=ulids)
    found = dict(rows.order_by().values_list("ulid", "fragment"))
    return [found[ulid] for ulid in ulids if ulid in found]


def get_review(ulid: str) -> Review | None:
    """Visible review of this id; None if it does not exist or is hidden."""
    return Review.objects.visible().filter(ulid=ulid).first()
