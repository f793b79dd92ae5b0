"""Store subscription requests and queue them for verification, within limits."""

from django.db import transaction

from guarded_http.addresses import is_reserved_name
from guarded_http.urls import NOT_ENCRYPTED, RESERVED
from websub import clock, conf
from websub.enqueue import enqueue
from websub.models import RELEASED_CLAIM, Subscription, Verification, pair_key
from websub.protocol import RequestRefused, SubscriptionRequest
from websub.secrets import SecretLost, encrypt, reencrypt
from websub.topics import topics, versions

CHUNK_ROWS = 500
RESOLVE_SECONDS = 2.0  # Timeout of a request to resolve a name in a private network.
MAX_PENDING = 100_000


class HubAtCapacity(RequestRefused):
    """A limit of the hub is reached; it may be lower in `retry_after_seconds`."""

    def __init__(self, sentence: str, retry_after_seconds: int) -> None:
        super().__init__(sentence, 429)
        self.retry_after_seconds = retry_after_seconds


def request_subscription(request: SubscriptionRequest) -> None:
    """Store a request and queue its verification; until then the subscription stays unchanged.

    A request replaces a pending one of the same pair. An unsubscription is ignored if the pair has
    neither a subscription nor a pending request. Raises RequestRefused if the callback needs an
    allowed network and is in none. Raises HubAtCapacity if the host has reached
    `WEBSUB_MAX_PER_HOST`, or if `MAX_PENDING` requests are pending.
    """
    is_http = request.callback[:5].lower() == "http:"
    needs_network = is_http or is_reserved_name(request.callback_host)
    client = conf.client()
    if needs_network and not client.is_in_allowed_nets(request.callback, RESOLVE_SECONDS):
        raise RequestRefused(f"hub.callback {NOT_ENCRYPTED if is_http else RESERVED}")
    with transaction.atomic():
        _store(request, pair_key(request.callback, request.topic))


def _store(request: SubscriptionRequest, key: str) -> None:
    is_live = Subscription.objects.active().filter(key=key).exists()
    is_waiting = Verification.objects.pending().filter(key=key).exists()
    if request.mode == "unsubscribe" and not is_live and not is_waiting:
        return
    is_new = request.mode == "subscribe" and not is_live
    if is_new and Subscription.objects.is_host_full(request.callback_host, topics()):
        raise HubAtCapacity(
            f"The host of hub.callback has {conf.get('WEBSUB_MAX_PER_HOST')} active subscriptions "
            "already, which is the most that this hub keeps for one host. Unsubscribe some of them "
            "first.",
            retry_after_seconds=3600,
        )
    if not is_waiting and Verification.objects.is_full(MAX_PENDING):
        raise HubAtCapacity(
            "Too many requests wait for verification. Send this one again in a minute.",
            retry_after_seconds=60,
        )
    now = clock.now()
    values = {
        "callback": request.callback,
        "callback_host": request.callback_host,
        "topic": request.topic,
        "topic_as_sent": request.topic_as_sent,
        "mode": request.mode,
        "encrypted_secret": encrypt(request.secret),
        "lease_seconds": _granted_lease(request.lease_seconds),
        "published_version": versions().get(request.topic, 0),
        "requested_at": now,
        "next_attempt_at": now,
        "reason": "",
        "attempts": 0,
        "last_status": None,
        "last_error": "",
        **RELEASED_CLAIM,  # A verification in flight belongs to the replaced request.
    }
    pending = Verification.State.PENDING
    Verification.objects.update_or_create(key=key, state=pending, defaults=values)
    enqueue("verify_due")


def _granted_lease(requested: int | None) -> int:
    """Return the granted lease (WebSub 5.1): the requested one, within bounds."""
    lease: int = conf.get("WEBSUB_LEASE_DEFAULT_SECONDS") if requested is None else requested
    least: int = conf.get("WEBSUB_LEASE_MIN_SECONDS")
    return max(least, min(int(conf.get("WEBSUB_LEASE_MAX_SECONDS")), lease))


def is_subscribed(callback: str, topic: str) -> bool:
    """Whether a subscription exists, even to a topic that is no longer served."""
    return Subscription.objects.filter(key=pair_key(callback, topic)).exists()


def reencrypt_secrets() -> tuple[int, int]:
    """Encrypt secrets with the current `SECRET_KEY`; return the numbers of done and lost ones."""
    done = lost = 0
    for model in (Subscription, Verification):
        rows = model._default_manager.exclude(encrypted_secret="").order_by("pk")
        for pk, stored in rows.values_list("pk", "encrypted_secret").iterator(CHUNK_ROWS):
            try:
                new = reencrypt(stored)
            except SecretLost:
                lost += 1
                continue
            if new:
                # Only if no request has replaced the secret meanwhile.
                same = model._default_manager.filter(pk=pk, encrypted_secret=stored)
                done += same.update(encrypted_secret=new)
    return done, lost
