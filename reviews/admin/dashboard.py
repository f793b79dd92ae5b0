"""Contributions of the reviews to the dashboard."""

import datetime as dt
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.admin.dashboard import Entry, Panel, Task
from reviews import inbox
from reviews.models import CUSTOMER_RATING, Reply, Review
from reviews.models.visit import previous_visit
from reviews.stars import mean_rating
from reviews.timestamps import business_time_zone

NEW_DAYS = 7
UNANSWERED_DAYS = 90
MONTHS = 12
HALF = MONTHS // 2
# Units of the chart.
COLUMN_STEP = 50
COLUMN_WIDTH = 30
COLUMNS_HEIGHT = 90


def entries(request: HttpRequest) -> Iterator[Entry]:
    """Yield unsent replies, new and unanswered reviews, and a chart."""
    if request.user.has_perm("reviews.view_review"):
        yield from _unsent_replies()
        yield from _review_panels(request)


# --- Reviews --------------------------------------------------------------------------------------


def _unsent_replies() -> Iterator[Task]:
    unsent = Reply.objects.filter(state=Reply.State.DRAFT).exclude(problem="")
    if count := unsent.count():
        first = unsent.order_by("written_at").values_list("review__ulid", "problem")[0]
        title = ngettext(
            "%(count)d reply could not be sent", "%(count)d replies could not be sent", count
        )
        page = reverse("admin:inbox_review", args=["all", first[0]])
        yield Task(title % {"count": count}, first[1], page, _("Open the review"), is_trouble=True)


def _review_panels(request: HttpRequest) -> Iterator[Panel]:
    zone = business_time_zone()
    now = timezone.now()
    today = now.astimezone(zone).date()
    visible = Review.objects.visible()
    if not visible.exists():
        return
    visited_at = previous_visit(request.user, now)
    new = visible.filter(published_at__gt=visited_at or now - dt.timedelta(days=NEW_DAYS))
    since = today - dt.timedelta(days=UNANSWERED_DAYS)
    recent = visible.filter(date__gte=since)
    yield Panel(
        "admin/reviews/dashboard/lists.html",
        {
            "new_days": NEW_DAYS,
            "visited_at": visited_at and visited_at.astimezone(zone),
            "new_count": new.count(),
            "unanswered_days": UNANSWERED_DAYS,
            "recent_count": recent.count(),
            "unanswered_count": inbox.unanswered().filter(date__gte=since).count(),
        },
    )
    yield from _months_panel(visible, today)


# --- The chart ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Month:
    """The reviews of a month, their mean rating, and the column of the chart."""

    first: dt.date
    count: int
    rating: float | None  # None without reviews.
    x: int
    y: float
    height: float


def _months_panel(reviews: QuerySet[Review], today: dt.date) -> Iterator[Panel]:
    """Chart of the last twelve months, if they have reviews."""
    newest = today.year * 12 + today.month - 1
    firsts = [dt.date(n // 12, n % 12 + 1, 1) for n in range(newest - MONTHS + 1, newest + 1)]
    within = reviews.filter(date__gte=firsts[0], date__lte=today).order_by()
    counts, stars = Counter[dt.date](), Counter[dt.date]()
    rows = within.values_list("date", CUSTOMER_RATING).annotate(count=Count("pk"))
    for day, rating, count in rows:
        first = day.replace(day=1)
        counts[first] += count
        stars[first] += count * rating
    if not counts:
        return
    most = max(counts.values())
    months = []
    for number, first in enumerate(firsts):
        height = round(COLUMNS_HEIGHT * counts[first] / most, 1)
        rating = mean_rating(stars[first], counts[first])
        x, y = number % HALF * COLUMN_STEP, COLUMNS_HEIGHT - height
        months.append(Month(first, counts[first], rating, x, y, height))
    context = {
        "reviews": counts.total(),
        "rating": mean_rating(stars.total(), counts.total()),
        "halves": [months[:HALF], months[HALF:]],
        "column_width": COLUMN_WIDTH,
        "width": HALF * COLUMN_STEP,
    }
    yield Panel("admin/reviews/dashboard/months.html", context)
