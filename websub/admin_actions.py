"""Actions of administrators on subscriptions; each returns the number of changed rows."""

from django.db import transaction
from django.db.models import Q, Value
from django.db.models.functions import Least

from websub import clock, conf
from websub.enqueue import enqueue
from websub.models import Subscription, SubscriptionQuerySet, Verification, lock_rows
from websub.topics import topics, versions

REMOVED = "An administrator of this hub removed the subscription."


@transaction.atomic
def retry_now(subscriptions: SubscriptionQuerySet) -> int:
    """Make deliveries due now for subscriptions that lack the newest content.

    Failures stay counted.
    """
    is_due = Q(pk__in=[])
    for topic, version in versions().items():
        is_due |= Q(topic=topic, acknowledged_version__lt=version)
    return _make_due(_lock_served(subscriptions).filter(is_due))


@transaction.atomic
def resend_newest(subscriptions: SubscriptionQuerySet) -> int:
    """Deliver the newest content again, acknowledged or not."""
    rows = _lock_served(subscriptions).filter(topic__in=versions())
    for topic, version in versions().items():
        former = Least("acknowledged_version", Value(version - 1))
        rows.filter(topic=topic).update(acknowledged_version=former)
    return _make_due(rows)


@transaction.atomic
def send_test(subscriptions: SubscriptionQuerySet) -> int:
    """Send the newest content once, as a test; a failure does not count."""
    rows = _lock_served(subscriptions).filter(topic__in=versions())
    count = rows.update(test_requested_at=clock.now())
    enqueue("deliver_slow_due")
    return count


def _make_due(rows: SubscriptionQuerySet) -> int:
    enqueue("deliver_due", "deliver_slow_due")
    return rows.update(next_attempt_at=clock.now(), hub_errors=0)


def _lock_served(subscriptions: SubscriptionQuerySet) -> SubscriptionQuerySet:
    """Lock the active subscriptions whose topic is served until the transaction ends."""
    rows = subscriptions.active().filter(topic__in=topics())
    lock_rows(rows)
    return rows


@transaction.atomic
def remove(subscriptions: SubscriptionQuerySet) -> int:
    """End subscriptions now and queue denials for their callbacks (WebSub 5.2)."""
    locked = Subscription.objects.filter(pk__in=lock_rows(subscriptions))
    ended = list(locked)
    locked.end()
    served = topics()
    Verification.objects.queue_denials((pair for pair in ended if pair.topic in served), REMOVED)
    former = (pair for pair in ended if pair.topic not in served)
    Verification.objects.queue_denials(former, conf.moved_reason())
    enqueue("verify_due")
    return len(ended)
