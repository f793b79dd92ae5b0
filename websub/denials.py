"""What callbacks are to be told: that this hub ended or denied their subscription (WebSub 5.2)."""

from collections.abc import Iterable

from websub import clock
from websub.models import SubscriptionKey, Verification


def queue_denials(pairs: Iterable[SubscriptionKey], reason: str) -> None:
    """Have the callbacks told, in the transaction that ends or denies what they had or asked for.

    The rows wait among those that are to be verified, with their retries and their limits. Nobody
    is told who has asked anew meanwhile: the answer to that is the newer word.
    """
    now = clock.now()
    Verification.objects.bulk_create(
        [
            Verification.of(pair, Verification.Mode.DENIED, at=now, lease_seconds=0, reason=reason)
            for pair in pairs
        ],
        ignore_conflicts=True,
    )
