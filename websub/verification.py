"""Verification of intent (WebSub 5.3): the callback confirms a request made in its name."""

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
WAITING_SECONDS = 8.0  # How long a claimed row may wait behind others of one host.
CLAIM_SECONDS = 20.0  # For such a wait and one exchange.
HUB_ERROR_PAUSE_SECONDS = 5.0
CHALLENGE_BYTES = 32

THROTTLED_REASON = "Others have its host or address asked often at the moment."
THROTTLED = Outcome(None, THROTTLED_REASON, Fault.OURS)
FULL_HOST = "The host of the callback has as many active subscriptions as this hub keeps for one."


@dataclass(frozen=True, slots=True)
class VerificationResult:
    """The result of a verification request, and its time: the lease begins then."""

    verification: Verification
    outcome: Outcome
    requested_at: float  # On the monotonic clock.
    is_confirmed: bool = False
    refusal: str = ""  # What is wrong with an answer that confirms nothing.
    pause_seconds: float = HUB_ERROR_PAUSE_SECONDS  # After a fault of ours.
    is_host_throttled: bool = False  # Then all its verifications have to wait.


def verify() -> dispatcher.RunResult:
    """Verify all requests that are due, and send due denials."""
    settings = ("verify", THREADS, THREADS, RUN_SECONDS, True)
    return dispatcher.run(dispatcher.Queue(*settings, claim, _verify_all, record_verifications))


def claim(limit: int, exclude_hosts: Collection[str] = ()) -> list[Verification]:
    """Claim at most `limit` due requests, none of `exclude_hosts`."""
    start_before = time.monotonic() + WAITING_SECONDS
    with transaction.atomic():
        now = clock.now()
        due = Verification.objects.due(now).order_by("next_attempt_at")
        rows = due.claim(limit, exclude_hosts, now, CLAIM_SECONDS)
    for row in rows:
        row.start_before = start_before
    return rows


def _ours(verification: Verification) -> QuerySet[Verification]:
    """The row, unless our claim has ended or a newer request has replaced what we claimed."""
    return Verification.objects.pending().filter(
        pk=verification.pk, claim_token=verification.claim_token
    )


# --- Requests -------------------------------------------------------------------------------------


def _verify_all(verifications: Iterator[Verification]) -> Iterator[VerificationResult]:
    try:
        yield from map(_verify_safely, verifications)
    finally:
        connections.close_all()  # Counting may have opened one: the cache can be a table.


def _verify_safely(verification: Verification) -> VerificationResult:
    if time.monotonic() >= verification.start_before:
        # Its claim may end before an answer comes, so it is claimed once more.
        return VerificationResult(verification, THROTTLED, time.monotonic(), pause_seconds=0)
    try:
        return verify_intent(verification)
    except Exception:
        logger.exception("Verification %s could not be made", verification.pk)
        outcome = Outcome(None, "A fault of ours; the log has the details.", Fault.OURS)
        return VerificationResult(verification, outcome, time.monotonic())


class HostThrottled(Exception):
    """A host or address without verifications for so many seconds."""

    def __init__(self, key: str, seconds: float) -> None:
        super().__init__(key, seconds)
        self.key = key
        self.seconds = seconds


def verify_intent(verification: Verification) -> VerificationResult:
    """One GET to the callback, which has to repeat the challenge byte for byte.

    Postponed while its host or its address is over the rate limit: so the hub cannot be used to
    flood a server with requests, not by giving an address many names either.
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
        seconds, is_host = throttled.seconds, throttled.key == host
        return VerificationResult(
            verification, THROTTLED, requested_at, False, "", seconds, is_host_throttled=is_host
        )
    is_confirmed = outcome.is_success and hmac.compare_digest(outcome.body, challenge.encode())
    refusal = "" if is_confirmed else _refusal(challenge.encode(), outcome)
    return VerificationResult(verification, outcome, requested_at, is_confirmed, refusal)


def _refusal(challenge: bytes, answer: Outcome) -> str:
    """The usual mistakes in words, with neither the challenge nor anything of the answer."""
    if not answer.is_success:
        return describe_status(answer.status) if answer.status else ""
    body = answer.body  # Perhaps cut off.
    found = (
        (not body, "an empty body"),
        (challenge not in body, "another text than the challenge"),
        (not body.replace(challenge, b"").strip(), "white space around the challenge"),
    )
    words = next((words for is_so, words in found if is_so), "more than the challenge")
    must = "It must be the value of hub.challenge and nothing else, as plain text."
    return f"The callback answered with {words}. {must}"


def _count(key: str) -> None:
    """Raise HostThrottled over the limit, and while requests cannot be counted."""
    decision = check("verify", key)
    if decision is not None and not (decision.allowed and decision.counted):
        seconds = decision.reset_seconds if decision.counted else HUB_ERROR_PAUSE_SECONDS
        raise HostThrottled(key, seconds)


def _count_address(address: str) -> None:
    _count(f"address-{network_prefix(address)}")


def _parameters(verification: Verification, challenge: str) -> Mapping[str, str]:
    """The query of a verification (WebSub 5.3) or a denial (WebSub 5.2)."""
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
    """Store a result if its request still stands."""
    outcome, attempts = result.outcome, result.verification.attempts + 1
    if outcome.fault is Fault.OURS:
        _retry_later(result, result.pause_seconds, attempts - 1)
        if result.is_host_throttled:
            _postpone_host(result.verification.callback_host, result.pause_seconds)
    elif outcome.fault is Fault.POLICY:
        # Telling the callback would be the very request that is refused.
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
    """Whether it was still ours to end. The secret has been handed over or is not needed."""
    verification = result.verification
    is_ended = bool(
        _ours(verification).update(
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
        logger.info("The request to %s %s at %s came to nothing: %s", *of, error)
    return is_ended


def _retry_later(result: VerificationResult, seconds: float, attempts: int) -> None:
    _ours(result.verification).update(
        attempts=attempts,
        last_status=None,
        last_error=result.outcome.error[:300],
        next_attempt_at=clock.now() + dt.timedelta(seconds=seconds),
        **RELEASED_CLAIM,
    )


def _postpone_host(host: str, seconds: float) -> None:
    """Postpone them together: one by one, many of them would delay other hosts."""
    now = clock.now()
    waiting = Verification.objects.due(now).filter(callback_host=host)
    with transaction.atomic():
        lock_rows(waiting)
        waiting.update(next_attempt_at=now + dt.timedelta(seconds=seconds))


@transaction.atomic
def _confirm(result: VerificationResult) -> None:
    """Carry out the request, or deny it after all, in one transaction."""
    verification = result.verification
    elapsed = dt.timedelta(seconds=time.monotonic() - result.requested_at)
    now = clock.now()
    live = Subscription.objects.select_for_update().filter(key=verification.key).first()
    claimed_until = None
    if live and live.expires_at <= now:
        # It has ended. The next one begins without its state, but waits for a request under way.
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
    """Begin or renew the subscription (WebSub 5.1) with the secret and lease of this request.

    A new one is sent what has changed since it was requested. A renewed one keeps its acknowledged
    version and its failures: a verification does not show that deliveries are accepted.
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
