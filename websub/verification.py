"""Verify intent (WebSub 5.3): a callback confirms a request made in its name."""

import datetime as dt
import hmac
import logging
import secrets
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db import connections, transaction
from django.db.models import QuerySet

from guarded_http.addresses import network_prefix
from guarded_http.client import Limits, Outcome
from guarded_http.connect import Fault
from websub import clock, conf, dispatcher
from websub.formatting import describe_status
from websub.models import RELEASED_CLAIM, Subscription, Verification, lock_rows
from websub.protocol import with_query
from websub.rate_limit import check
from websub.topics import topics

logger = logging.getLogger(__name__)

LIMITS = Limits(connect_seconds=5, total_seconds=10, read_bytes=1024)
THREADS = 16
RUN_SECONDS = 60.0
WAITING_SECONDS = 8.0  # How long a claimed row may wait for other rows of its host.
CLAIM_SECONDS = 20.0  # Covers such a wait and one request.
HUB_ERROR_PAUSE_SECONDS = 5.0
CHALLENGE_BYTES = 32

THROTTLED = Outcome(None, "The rate limit of its host or address is reached.", Fault.OURS)
FULL_HOST = "The host of the callback has as many active subscriptions as this hub keeps for one."


@dataclass(frozen=True, slots=True)
class VerificationResult:
    """Result of a verification request; the lease begins at `requested_at`."""

    verification: Verification
    outcome: Outcome
    requested_at: float  # On the monotonic clock.
    is_confirmed: bool = False
    refusal: str = ""  # Why the callback's answer does not confirm the request.
    pause_seconds: float = HUB_ERROR_PAUSE_SECONDS  # After an error of the hub.
    is_host_throttled: bool = False  # Postpones all verifications of the host.


def verify() -> dispatcher.RunResult:
    """Verify due requests, and send due denials."""
    queue = dispatcher.Queue(
        name="verify",
        threads=THREADS,
        batch=THREADS,
        run_seconds=RUN_SECONDS,
        is_single=True,
        claim=claim,
        attempt=_verify_all,
        record=record_verifications,
    )
    return dispatcher.run(queue)


def claim(limit: int, exclude_hosts: Collection[str] = ()) -> list[Verification]:
    start_before = time.monotonic() + WAITING_SECONDS
    with transaction.atomic():
        now = clock.now()
        due = Verification.objects.due(now).order_by("next_attempt_at")
        rows = due.claim(limit, exclude_hosts, now, CLAIM_SECONDS)
    for row in rows:
        row.start_before = start_before
    return rows


def _claimed_row(verification: Verification) -> QuerySet[Verification]:
    """Select the row, unless the claim was lost or a newer request has replaced it."""
    return Verification.objects.pending().filter(
        pk=verification.pk, claim_token=verification.claim_token
    )


# --- Requests -------------------------------------------------------------------------------------


def _verify_all(verifications: Iterator[Verification]) -> Iterator[VerificationResult]:
    try:
        yield from map(_verify_safely, verifications)
    finally:
        connections.close_all()  # The rate limiter's cache may be a database table.


def _verify_safely(verification: Verification) -> VerificationResult:
    if time.monotonic() >= verification.start_before:
        # The claim might end before the response; the row will be claimed again.
        return VerificationResult(verification, THROTTLED, time.monotonic(), pause_seconds=0)
    try:
        return verify_intent(verification)
    except Exception:
        logger.exception("Verification %s could not be made", verification.pk)
        outcome = Outcome(None, "An error of the hub; its log has the details.", Fault.OURS)
        return VerificationResult(verification, outcome, time.monotonic())


class HostThrottled(Exception):
    """A host or address must not be contacted for some seconds."""

    def __init__(self, key: str, seconds: float) -> None:
        super().__init__(key, seconds)
        self.key = key
        self.seconds = seconds


def verify_intent(verification: Verification) -> VerificationResult:
    """Send one GET to the callback, which must echo the challenge byte for byte.

    The rate limits per host and per address postpone the request. They keep attackers from flooding
    a server through the hub, even under many host names.
    """
    challenge = secrets.token_urlsafe(CHALLENGE_BYTES)
    url = with_query(verification.callback, _parameters(verification, challenge))
    client = replace(conf.client(), before_connecting=_count_address)
    host = verification.callback_host
    requested_at = time.monotonic()
    try:
        _count(host)
        outcome = client.request("GET", url, LIMITS)
    except HostThrottled as throttled:
        return VerificationResult(
            verification,
            THROTTLED,
            requested_at,
            pause_seconds=throttled.seconds,
            is_host_throttled=throttled.key == host,
        )
    is_confirmed = outcome.is_success and hmac.compare_digest(outcome.body, challenge.encode())
    refusal = "" if is_confirmed else _refusal(challenge.encode(), outcome)
    return VerificationResult(verification, outcome, requested_at, is_confirmed, refusal)


def _refusal(challenge: bytes, answer: Outcome) -> str:
    """Describe the mistake, without quoting challenge or response."""
    if not answer.is_success:
        return describe_status(answer.status) if answer.status else ""
    body = answer.body  # Possibly truncated.
    found = (
        (not body, "an empty body"),
        (challenge not in body, "another text than the challenge"),
        (not body.replace(challenge, b"").strip(), "white space around the challenge"),
    )
    words = next((words for is_so, words in found if is_so), "more than the challenge")
    must = "It must be the value of hub.challenge and nothing else, as plain text."
    return f"The callback answered with {words}. {must}"


def _count(key: str) -> None:
    """Count one request; raise HostThrottled over the limit, or if counting fails."""
    decision = check("verify", key)
    if decision is not None and not (decision.allowed and decision.counted):
        seconds = decision.reset_seconds if decision.counted else HUB_ERROR_PAUSE_SECONDS
        raise HostThrottled(key, seconds)


def _count_address(address: str) -> None:
    _count(f"address-{network_prefix(address)}")


def _parameters(verification: Verification, challenge: str) -> Mapping[str, str]:
    """Return the query parameters of a verification (WebSub 5.3) or denial (WebSub 5.2)."""
    common = {"hub.mode": verification.mode, "hub.topic": verification.topic_as_sent}
    if verification.mode == Verification.Mode.DENIED:
        return common | {"hub.reason": verification.reason}
    lease_seconds = str(verification.lease_seconds)
    return common | {"hub.challenge": challenge, "hub.lease_seconds": lease_seconds}


# --- Results --------------------------------------------------------------------------------------


def record_verifications(results: Iterable[VerificationResult]) -> None:
    for result in results:
        _record(result)


def _record(result: VerificationResult) -> None:
    """Store a result, unless a newer request has replaced its own."""
    outcome, attempts = result.outcome, result.verification.attempts + 1
    if outcome.fault is Fault.OURS:
        _retry_later(result, result.pause_seconds, attempts - 1)
        if result.is_host_throttled:
            _postpone_host(result.verification.callback_host, result.pause_seconds)
    elif outcome.fault is Fault.POLICY:
        # A denial would be a request to the same forbidden address.
        _end(result, Verification.State.DENIED, outcome.error)
    elif outcome.status is None:
        retries: Sequence[float] = conf.get("WEBSUB_VERIFY_RETRY_SECONDS")
        if attempts > len(retries):
            _end(result, Verification.State.FAILED, outcome.error)
        else:
            _retry_later(result, retries[attempts - 1], attempts)
    elif result.verification.mode == Verification.Mode.DENIED:
        _end(result, Verification.State.REPORTED)
    elif result.is_confirmed:
        _confirm(result)
    else:
        _end(result, Verification.State.REFUSED, result.refusal)


def _end(result: VerificationResult, state: Verification.State, error: str = "") -> bool:
    """Finish the request and delete its secret; return False if the claim was lost."""
    verification = result.verification
    is_ended = bool(
        _claimed_row(verification).update(
            state=state,
            attempts=verification.attempts + 1,
            last_status=result.outcome.status,
            last_error=error[:300],
            finished_at=clock.now(),
            encrypted_secret="",
            **RELEASED_CLAIM,
        )
    )
    if is_ended and error:
        of = verification.mode, verification.topic, verification.callback_host
        logger.info("The request to %s %s at %s failed: %s", *of, error)
    return is_ended


def _retry_later(result: VerificationResult, seconds: float, attempts: int) -> None:
    _claimed_row(result.verification).update(
        attempts=attempts,
        last_status=None,
        last_error=result.outcome.error[:300],
        next_attempt_at=clock.now() + dt.timedelta(seconds=seconds),
        **RELEASED_CLAIM,
    )


def _postpone_host(host: str, seconds: float) -> None:
    """Postpone all due requests of a host at once, as single attempts would delay other hosts."""
    now = clock.now()
    waiting = Verification.objects.due(now).filter(callback_host=host)
    with transaction.atomic():
        lock_rows(waiting)
        waiting.update(next_attempt_at=now + dt.timedelta(seconds=seconds))


@transaction.atomic
def _confirm(result: VerificationResult) -> None:
    """Carry out a confirmed request, or deny it."""
    verification = result.verification
    elapsed = dt.timedelta(seconds=time.monotonic() - result.requested_at)
    now = clock.now()
    live = Subscription.objects.select_for_update().filter(key=verification.key).first()
    claimed_until = None
    if live and live.expires_at <= now:
        # The new subscription does not inherit the ended one's state, except for its claim, since
        # a request may be in flight.
        claimed_until = live.claimed_until
        live.delete()
        live = None
    host = verification.callback_host
    if verification.mode == Verification.Mode.UNSUBSCRIBE:
        if _end(result, Verification.State.CONFIRMED) and live:
            Subscription.objects.filter(pk=live.pk).end()
    elif verification.topic not in topics():
        _deny(result, conf.moved_reason())
    elif live is None and Subscription.objects.is_host_full(host, topics()):
        _deny(result, FULL_HOST)
    elif _end(result, Verification.State.CONFIRMED):
        _activate(verification, live, now - elapsed, claimed_until)


def _deny(result: VerificationResult, reason: str) -> None:
    if _end(result, Verification.State.DENIED, reason):
        Verification.objects.queue_denials([result.verification], reason)


def _activate(
    verification: Verification,
    live: Subscription | None,
    requested_at: dt.datetime,
    claimed_until: dt.datetime | None,
) -> None:
    """Create or renew the subscription (WebSub 5.1) with the request's secret and lease.

    A new subscription gets what has changed since its request. A renewed one keeps its acknowledged
    version and failures, since a verification does not prove that deliveries are accepted.
    """
    granted = {
        "encrypted_secret": verification.encrypted_secret,
        "lease_seconds": verification.lease_seconds,
        "expires_at": requested_at + dt.timedelta(seconds=verification.lease_seconds),
    }
    if live:
        Subscription.objects.filter(pk=live.pk).update(**granted)
        return
    Subscription.objects.create(
        **verification.pair(),
        acknowledged_version=verification.published_version,
        next_attempt_at=clock.now(),
        claimed_until=claimed_until,
        **granted,
    )
