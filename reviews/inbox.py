"""Tabs of the inbox: the reviews that each lists, and their order.

“New” lists the public reviews of the last 30 days, “Unanswered” and “Low” public reviews of any
age, and “Withheld” all hidden reviews.
"""

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.core.paginator import Page
from django.db.models import Exists, OuterRef, Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from core.admin.base import KeyPaginator
from reviews.models import CUSTOMER_RATING, Reply, Review, ReviewQuerySet
from reviews.selectors import today
from reviews.stars import LEAST_POSITIVE

NEW_DAYS = 30
PAGE_SIZE = 25
LIST_FIELDS = (
    *("ulid", "author", "rating", "source_rating", "date", "source", "text", "alteration"),
    *("hidden", "hidden_reason", "hidden_by", "created_by_batch", "has_reply", "published_at"),
)


def _new() -> ReviewQuerySet:
    since = today() - dt.timedelta(days=NEW_DAYS)
    return Review.objects.visible().filter(date__gte=since)


def unanswered() -> ReviewQuerySet:
    """Public reviews without a published reply, a queued one or one at another site."""
    answered = Reply.objects.filter(review=OuterRef("pk")).exclude(state=Reply.State.DRAFT)
    return Review.objects.visible().filter(~Exists(answered), has_reply=False)


def _low() -> ReviewQuerySet:
    visible = Review.objects.visible().alias(stars=CUSTOMER_RATING)
    return visible.filter(stars__lt=LEAST_POSITIVE)


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab of the inbox."""

    label: str | Promise
    reviews: Callable[[], ReviewQuerySet]
    nothing: str | Promise  # Shown if the tab is empty.


TABS: Mapping[str, Tab] = {
    "new": Tab(_("New"), _new, _("No review is from the last 30 days.")),
    "unanswered": Tab(_("Unanswered"), unanswered, _("Every public review is answered.")),
    "low": Tab(_("Low"), _low, _("No public review has one to three stars.")),
    "withheld": Tab(
        _("Withheld"), lambda: Review.objects.filter(hidden=True), _("No review is withheld.")
    ),
    "all": Tab(_("All"), Review.objects.all, _("There are no reviews yet.")),
}


def counts() -> dict[str, int]:
    """Number of reviews in each tab."""
    return {name: tab.reviews().count() for name, tab in TABS.items()}


def listed(reviews: ReviewQuerySet, page: str | int) -> Page[Review]:
    """Page of a tab's list, newest first; the nearest one if `page` does not exist."""
    fields = (*LIST_FIELDS, "answer__state", "answer__problem")
    rows = reviews.newest_first().select_related("answer").only(*fields)
    return KeyPaginator(rows, PAGE_SIZE).get_page(page)


@dataclass(frozen=True, slots=True)
class Position:
    """Position of a review in a tab, even if the review does not belong there any more."""

    page: int
    newer: str  # Ids of the neighbours, empty at the ends.
    older: str


def find_position(review: Review, reviews: ReviewQuerySet) -> Position:
    """Find the position of a review among others."""
    newer = reviews.filter(Q(date__gt=review.date) | Q(date=review.date, ulid__gt=review.ulid))
    older = reviews.filter(Q(date__lt=review.date) | Q(date=review.date, ulid__lt=review.ulid))
    ids = [
        rows.values_list("ulid", flat=True).first() or ""
        for rows in (newer.order_by("date", "ulid"), older.newest_first())
    ]
    return Position(newer.count() // PAGE_SIZE + 1, *ids)
