"""What callbacks are to be told: that this hub ended or denied their subscription (WebSub 5.2)."""

from collections.abc import Iterable

from websub import clock
from websub.models import Pair, Verification


def put_down(pairs: Iterable[Pair], reason: str) -> None:
    """Have the callbacks told, in the transaction that ends or denies what they had or asked for.

    The rows wait among those that are to be verified, with their retries and their limits. Nobody
    is told who has asked anew meanwhile: the answer to that is the newer word.
    """
    now = clock.now()
    Verification.objects.bulk_create(
        [
            Verification(
                key=pair.key,
                callback=pair.callback,
                callback_host=pair.callback_host,
                topic=pair.topic,
                topic_as_sent=getattr(pair, "topic_as_sent", pair.topic),
                mode=Verification.Mode.DENIED,
                lease_seconds=0,
                reason=reason,
                requested_at=now,
                next_attempt_at=now,
            )
            for pair in pairs
        ],
        ignore_conflicts=True,
    )
