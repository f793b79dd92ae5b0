"""Status of one subscription, for a subscriber that knows its secret."""

import hashlib
import hmac
import logging
from functools import cache
from typing import Any

from django.conf import settings

from websub import clock, conf
from websub.models import Subscription, Verification, pair_key
from websub.protocol import RequestRefused
from websub.secrets import SecretLost, decrypt, encrypt
from websub.topics import topics, versions

logger = logging.getLogger(__name__)

UNKNOWN = (
    "No subscription of this callback to this topic has this secret. One without a secret cannot "
    "be asked about."
)
PENDING = "pending"
WILL_BE_SENT = {Subscription.State.ACTIVE, Subscription.State.FAILING}


def read_status(callback: str, topic: str, secret: str) -> dict[str, Any]:
    """Return state, lease, last attempt and pending verification of a subscription.

    A pending request alone has a status too. Raises RequestRefused, with the same timing and
    message whether the pair is unknown, has no secret, or has another one.
    """
    key = pair_key(callback, topic)
    live = Subscription.objects.filter(key=key).first()
    waiting = Verification.objects.pending().filter(key=key).first()
    is_live = _knows_secret(secret, live)
    is_waiting = _knows_secret(secret, waiting)
    if (live and is_live) or (waiting and is_waiting and not live):
        return _status_of(live, waiting)
    raise RequestRefused(UNKNOWN, 403)


def _knows_secret(given: str, row: Subscription | Verification | None) -> bool:
    """Whether `given` is the row's secret, in constant time even without a row."""
    stored = row.encrypted_secret if row and row.encrypted_secret else ""
    try:
        secret = decrypt(stored or _placeholder(settings.SECRET_KEY))
    except SecretLost as lost:
        logger.error("%s", lost)
        stored, secret = "", ""
    # Hashed, so that the comparison does not reveal the secret's length.
    pair = (hashlib.sha256(text.encode()).digest() for text in (secret, given))
    return hmac.compare_digest(*pair) and bool(stored)


@cache
def _placeholder(secret_key: str) -> str:
    return encrypt("the secret of no subscription")


def _status_of(live: Subscription | None, waiting: Verification | None) -> dict[str, Any]:
    row: Any = live or waiting
    state = live.state(topics(), clock.now()).value if live else PENDING
    is_current = live is not None and live.acknowledged_version >= versions().get(live.topic, 0)
    will_be_sent = live and state in WILL_BE_SENT and not is_current
    return {
        "topic": row.topic,
        "state": state,
        "lease_seconds": row.lease_seconds,
        "expires_at": live and live.expires_at,
        "signature_method": conf.get("WEBSUB_SIGNATURE_METHOD"),
        "is_current": is_current,
        "failures": live.consecutive_failures if live else 0,
        "failures_allowed": conf.get("WEBSUB_MAX_FAILURES"),
        "next_attempt_at": live.next_attempt_at if live and will_be_sent else None,
        "last_attempt": live
        and live.last_attempt_at
        and {
            "at": live.last_attempt_at,
            "status": live.last_status,
            "error": live.last_error or None,
            "seconds": live.last_seconds and round(live.last_seconds, 3),
        },
        "verification": waiting
        and {
            "mode": waiting.mode,
            "requested_at": waiting.requested_at,
            "attempts": waiting.attempts,
            "next_attempt_at": waiting.next_attempt_at,
            "error": waiting.last_error or None,
        },
    }
