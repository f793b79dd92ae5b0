"""Actions of administrators on subscriptions; each returns the number of rows it changed."""

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
    """Let due deliveries be tried at once.

    Failures stay counted. Subscriptions that have the newest content are left alone, and are not in
    the number.
    """
    is_due = Q(pk__in=[])
    for topic, version in versions().items():
        is_due |= Q(topic=topic, acknowledged_version__lt=version)
    return _deliver(_served(subscriptions).filter(is_due))


@transaction.atomic
def resend_newest(subscriptions: SubscriptionQuerySet) -> int:
    """Have the newest content delivered once more, whether or not it was acknowledged."""
    rows = _served(subscriptions).filter(topic__in=versions())
    for topic, version in versions().items():
        former = Least("acknowledged_version", Value(version - 1))
        rows.filter(topic=topic).update(acknowledged_version=former)
    return _deliver(rows)


@transaction.atomic
def send_test(subscriptions: SubscriptionQuerySet) -> int:
    """Have the newest content sent once; a failure counts for nothing."""
    rows = _served(subscriptions).filter(topic__in=versions())
    count = rows.update(test_requested_at=clock.now())
    enqueue("deliver_slow_due")
    return count


def _deliver(rows: SubscriptionQuerySet) -> int:
    enqueue("deliver_due", "deliver_slow_due")
    return rows.update(next_attempt_at=clock.now(), hub_errors=0)


def _served(subscriptions: SubscriptionQuerySet) -> SubscriptionQuerySet:
    """The active ones among them whose topic is served, locked until the transaction ends."""
    rows = subscriptions.active().filter(topic__in=topics())
    lock_rows(rows)
    return rows


@transaction.atomic
def remove(subscriptions: SubscriptionQuerySet) -> int:
    """End them at once, and have the callbacks told so (WebSub 5.2)."""
    held = Subscription.objects.filter(pk__in=lock_rows(subscriptions))
    ended = list(held)
    held.end()
    served = topics()
    Verification.objects.queue_denials((pair for pair in ended if pair.topic in served), REMOVED)
    former = (pair for pair in ended if pair.topic not in served)
    Verification.objects.queue_denials(former, conf.moved_reason())
    enqueue("verify_due")
    return len(ended)
