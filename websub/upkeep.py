"""What an administrator may do to subscriptions; each returns how many it was done to."""

from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial

from django.db import transaction
from django.utils import timezone

from websub import delivery, tasks
from websub.models import Subscription, SubscriptionQuerySet, Verification

REMOVED = "An administrator of this hub removed the subscription."


@transaction.atomic
def retry_now(subscriptions: SubscriptionQuerySet) -> int:
    """Let what is due be tried at once, also where a fault of ours held it back.

    Misses stay counted: a try that fails once more is a miss like any other.
    """
    ready = subscriptions.active().update(
        next_attempt_at=timezone.now(), set_aside="", own_faults=0
    )
    transaction.on_commit(tasks.deliver_due.ring, robust=True)
    transaction.on_commit(tasks.deliver_slow_due.ring, robust=True)
    return ready


@transaction.atomic
def verify_again(subscriptions: SubscriptionQuerySet) -> int:
    """Ask the callbacks whether they still want it, as if they had asked to renew.

    A yes begins the lease anew, anything else leaves the subscription as it is; the log of
    verifications tells. Where a request of the subscriber's own waits, that one is asked about.
    """
    waiting = Verification.objects.filter(state=Verification.State.PENDING)
    asked = [
        Verification(
            key=live.key,
            callback=live.callback,
            callback_host=live.callback_host,
            topic=live.topic,
            topic_as_sent=live.topic,
            mode=Verification.Mode.SUBSCRIBE,
            encrypted_secret=live.encrypted_secret,
            lease_seconds=live.lease_seconds,
        )
        for live in subscriptions.active().exclude(key__in=waiting.values("key"))
    ]
    # A request that came in at this very moment keeps its place.
    Verification.objects.bulk_create(asked, ignore_conflicts=True)
    transaction.on_commit(tasks.verify_due.ring, robust=True)
    return len(asked)


@transaction.atomic
def remove(subscriptions: SubscriptionQuerySet) -> int:
    """End them at once, and tell the callbacks so, once and as well as may be (WebSub 5.2).

    Nobody waits for the telling: it is done by threads of this process after the commit.
    """
    ended = list(subscriptions.only("callback", "topic"))
    Subscription.objects.filter(pk__in=[row.pk for row in ended]).delete()
    for row in ended:
        transaction.on_commit(
            partial(_pool().submit, delivery.deny, row.callback, row.topic, REMOVED)
        )
    return len(ended)


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(8, thread_name_prefix="denial")
