"""Statistics of the hub, for the administration's front page and a status page."""

import datetime as dt
import statistics
from dataclasses import dataclass

from django.db.models import Count, Min, Q
from django.utils import timezone

from websub.models import Attempt, Subscription
from websub.topics import changed_at, topics, versions

WINDOW_HOURS = 24
SAMPLE = 1_000  # The median of the newest deliveries is as good as that of a million.


@dataclass(frozen=True, slots=True)
class HubStatistics:
    """Current counts, and counts of the last `WINDOW_HOURS` without test deliveries."""

    active: int  # Leased, and the topic is served.
    failing: int  # Active, and the last delivery failed.
    orphaned: int  # Leased, but the topic is no longer served.
    oldest_due_seconds: float | None
    acknowledged: int
    missed: int
    median_seconds: float | None  # From a request to its acknowledgement.


def hub_statistics() -> HubStatistics:
    """Compute the current statistics in a fixed number of queries per topic."""
    now = timezone.now()
    is_served = Q(topic__in=topics())
    counts = Subscription.objects.active().aggregate(
        active=Count("pk", filter=is_served),
        failing=Count("pk", filter=is_served & Q(consecutive_failures__gt=0)),
        orphaned=Count("pk", filter=~is_served),
    )
    window = Attempt.objects.filter(at__gt=now - dt.timedelta(hours=WINDOW_HOURS), is_test=False)
    tried = window.aggregate(
        acknowledged=Count("pk", filter=Q(result=Attempt.Result.ACKNOWLEDGED)),
        missed=Count("pk", filter=Q(result=Attempt.Result.FAILED)),
    )
    acknowledged = window.filter(result=Attempt.Result.ACKNOWLEDGED)
    newest = acknowledged.order_by("-at").values_list("seconds", flat=True)[:SAMPLE]
    return HubStatistics(
        **counts,
        **tried,
        oldest_due_seconds=_oldest_due_seconds(now),
        median_seconds=statistics.median(newest) if newest else None,
    )


def _oldest_due_seconds(now: dt.datetime) -> float | None:
    """Return the age of the oldest due delivery; claimed ones count, to reveal stuck workers."""
    waits = []
    served = topics()
    for url, version in versions().items():
        behind = Subscription.objects.active().behind(url, version)
        due = behind.filter(next_attempt_at__lte=now)
        first = due.aggregate(first=Min("next_attempt_at"))["first"]
        if first is not None:
            since = max(first, changed_at(served[url]) or first)
            waits.append(max(0.0, (now - since).total_seconds()))
    return max(waits, default=None)
