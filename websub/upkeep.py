"""What an administrator may do to subscriptions; each returns how many it was done to."""

from django.db import transaction

from websub import clock, denials, tasks
from websub.models import Subscription, SubscriptionQuerySet, Verification, hold

REMOVED = "An administrator of this hub removed the subscription."


@transaction.atomic
def retry_now(subscriptions: SubscriptionQuerySet) -> int:
    """Let what is due be tried at once, also where a fault of ours held it back.

    Misses stay counted: a try that fails once more is a miss like any other.
    """
    subscriptions = subscriptions.active()
    hold(subscriptions)
    ready = subscriptions.update(next_attempt_at=clock.now(), set_aside="", own_faults=0)
    transaction.on_commit(tasks.deliver_due.ring, robust=True)
    transaction.on_commit(tasks.deliver_slow_due.ring, robust=True)
    return ready


@transaction.atomic
def verify_again(subscriptions: SubscriptionQuerySet) -> int:
    """Ask the callbacks whether they still want it, as if they had asked to renew.

    A yes begins the lease anew, anything else leaves the subscription as it is; the log of
    verifications tells. Where a request of the subscriber's own waits, that one is asked about.
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
        for live in subscriptions.active().exclude(key__in=waiting.values("key"))
    ]
    # A request that came in at this very moment keeps its place.
    Verification.objects.bulk_create(asked, ignore_conflicts=True)
    transaction.on_commit(tasks.verify_due.ring, robust=True)
    return len(asked)


@transaction.atomic
def remove(subscriptions: SubscriptionQuerySet) -> int:
    """End them at once, and have the callbacks told so (WebSub 5.2)."""
    held = Subscription.objects.filter(pk__in=hold(subscriptions))
    ended = list(held)
    held.delete()
    denials.put_down(ended, REMOVED)
    transaction.on_commit(tasks.verify_due.ring, robust=True)
    return len(ended)
