"""What an administrator may do to subscriptions; each returns how many it was done to."""

from django.db import transaction
from django.db.models import Q, Value
from django.db.models.functions import Least

from websub import clock, conf, denials, tasks
from websub.content import published_versions
from websub.models import SUSPENDED, Subscription, SubscriptionQuerySet, Verification, lock_rows

REMOVED_AT_ONCE = 1_000
REMOVED = "An administrator of this hub removed the subscription."


@transaction.atomic
def retry_now(subscriptions: SubscriptionQuerySet) -> int:
    """Let what is due be tried at once, also where a fault of ours held it back.

    Misses stay counted: a try that fails once more is a miss like any other. Subscriptions that
    have the newest content are left alone, and not counted.
    """
    is_due = SUSPENDED
    for topic, version in published_versions().items():
        is_due |= Q(topic=topic, acknowledged_version__lt=version)
    ready = (
        _served(subscriptions)
        .filter(is_due)
        .update(next_attempt_at=clock.now(), suspended_reason="", hub_errors=0)
    )
    _ring_deliveries()
    return ready


@transaction.atomic
def resend_newest(subscriptions: SubscriptionQuerySet) -> int:
    """Have the newest content delivered once more, whether or not it was acknowledged.

    It is a delivery like any other, with its retries and its failures.
    """
    rows, resent = _served(subscriptions), 0
    for topic, version in published_versions().items():
        resent += rows.filter(topic=topic).update(
            acknowledged_version=Least("acknowledged_version", Value(version - 1)),
            next_attempt_at=clock.now(),
            suspended_reason="",
            hub_errors=0,
        )
    _ring_deliveries()
    return resent


@transaction.atomic
def send_test(subscriptions: SubscriptionQuerySet) -> int:
    """Have the newest content sent once; a failure counts for nothing.

    An acknowledgement counts like that of any delivery.
    """
    rows = _served(subscriptions).filter(topic__in=published_versions())
    asked = rows.update(test_requested_at=clock.now())
    transaction.on_commit(tasks.deliver_slow_due.nudge, robust=True)
    return asked


@transaction.atomic
def set_signature_method(subscriptions: SubscriptionQuerySet, method: str) -> int:
    """Sign deliveries by this method from now on; an empty one means the installation's."""
    lock_rows(subscriptions)
    return subscriptions.update(signature_method=method)


def _served(subscriptions: SubscriptionQuerySet) -> SubscriptionQuerySet:
    """The active ones among them whose topic is served, locked until the transaction ends."""
    rows = subscriptions.active().filter(topic__in=conf.topics())
    lock_rows(rows)
    return rows


def _ring_deliveries() -> None:
    transaction.on_commit(tasks.deliver_due.nudge, robust=True)
    transaction.on_commit(tasks.deliver_slow_due.nudge, robust=True)


@transaction.atomic
def verify_again(subscriptions: SubscriptionQuerySet) -> int:
    """Ask the callbacks whether they still want it, as if they had asked to renew.

    A yes begins the lease anew, anything else leaves the subscription as it is; the log of
    verifications tells. Where a request of the subscriber's own waits, that one is asked about.
    Topics that are not served any more are not asked about.
    """
    now = clock.now()
    waiting = Verification.objects.filter(state=Verification.State.PENDING)
    asked = [
        Verification.of(
            live,
            Verification.Mode.SUBSCRIBE,
            at=now,
            encrypted_secret=live.encrypted_secret,
            lease_seconds=live.lease_seconds,
            published_version=live.acknowledged_version,
        )
        for live in subscriptions.active()
        .filter(topic__in=conf.topics())
        .exclude(key__in=waiting.values("key"))
    ]
    # A request that came in at this very moment keeps its place.
    Verification.objects.bulk_create(asked, ignore_conflicts=True)
    transaction.on_commit(tasks.verify_due.nudge, robust=True)
    return len(asked)


@transaction.atomic
def remove(subscriptions: SubscriptionQuerySet) -> int:
    """End them at once, and have the callbacks told so (WebSub 5.2)."""
    held = Subscription.objects.filter(pk__in=lock_rows(subscriptions))
    ended = list(held)
    held.delete()
    topics = conf.topics()
    denials.queue_denials((pair for pair in ended if pair.topic in topics), REMOVED)
    denials.queue_denials((pair for pair in ended if pair.topic not in topics), conf.moved_reason())
    transaction.on_commit(tasks.verify_due.nudge, robust=True)
    return len(ended)


def remove_orphaned() -> int:
    """End all subscriptions to topics that are not served any more; see `remove`."""
    removed = 0
    orphaned = Subscription.objects.orphaned(conf.topics())
    while keys := list(orphaned.values_list("pk", flat=True)[:REMOVED_AT_ONCE]):
        removed += remove(Subscription.objects.filter(pk__in=keys))
    return removed
