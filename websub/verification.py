"""Verification of intent (WebSub 5.3): does the callback want what was asked in its name?

What was asked waits in a row of its own. The live subscription is touched by one transaction alone,
after the callback has repeated a random challenge, which is made for one question and never stored.
"""

import datetime as dt
import hmac
import logging
import secrets
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from publishing.models import Document
from reviews.rates import spend
from websub import hub, lanes
from websub.client import Blame, Limits, Outcome
from websub.delivery import DENIAL_LIMITS, deny
from websub.exchange import verification_parameters, with_query
from websub.models import Subscription, Verification

logger = logging.getLogger(__name__)

LIMITS = Limits(connect_seconds=5, total_seconds=10, read_bytes=1024)
THREADS = 16
RUN_SECONDS = 60.0
# For waiting behind others of one host, and for one exchange.
CLAIM = dt.timedelta(seconds=20)
OWN_FAULT_PAUSE = dt.timedelta(seconds=5)
CHALLENGE_BYTES = 32

FULL_HOST = "The host of the callback has as many active subscriptions as this hub keeps for one."


@dataclass(frozen=True, slots=True)
class Asked:
    """A verification that was made, and when the callback was asked: its lease begins then."""

    verification: Verification
    outcome: Outcome
    asked_at: dt.datetime
    is_confirmed: bool


def verify() -> lanes.Run:
    """Ask the callbacks of all requests that are due."""
    lane = lanes.Lane("verify", THREADS, THREADS, RUN_SECONDS, is_single=True)
    announcements: list[Future[Outcome]] = []

    def settle_and_tell(results: Sequence[Asked]) -> None:
        for denied in settle(results):
            telling = lane.pool().submit(
                deny, denied.callback, denied.topic_as_sent, denied.last_error
            )
            announcements.append(telling)

    ended = lanes.run(lane, lanes.Work(claim, _ask_all, settle_and_tell))
    wait(announcements, timeout=DENIAL_LIMITS.total_seconds)
    return ended


def seconds_to_next(within: float) -> float | None:
    """How long until a verification falls due that is not yet, if sooner than `within`."""
    now = timezone.now()
    first = (
        Verification.objects.filter(
            state=Verification.State.PENDING,
            next_attempt_at__gt=now,
            next_attempt_at__lt=now + dt.timedelta(seconds=within),
        )
        .order_by("next_attempt_at")
        .values_list("next_attempt_at", flat=True)
        .first()
    )
    return max(0.0, (first - timezone.now()).total_seconds()) if first else None


def claim(limit: int, passed_over: Collection[str] = ()) -> list[Verification]:
    """At most so many due requests, ours for a while; those over their host's rate have to wait.

    None of hosts that are `passed_over`.
    """
    token = secrets.token_hex(16)
    with transaction.atomic():
        rows = list(
            Verification.objects.due()
            .exclude(callback_host__in=passed_over)
            .select_for_update(skip_locked=True)
            .order_by("next_attempt_at")[:limit]
        )
        Verification.objects.filter(pk__in=[row.pk for row in rows]).update(
            claimed_until=timezone.now() + CLAIM, claim_token=token
        )
    for row in rows:
        row.claim_token = token
    return [row for row in rows if not _is_postponed(row)]


def _is_postponed(verification: Verification) -> bool:
    """Nobody can use the hub to flood a host with questions, however many ask it to."""
    decision = spend("verify", verification.callback_host)
    if decision is None or (decision.allowed and decision.counted):
        return False
    seconds = decision.reset_seconds if decision.counted else OWN_FAULT_PAUSE.total_seconds()
    _ours(verification).update(
        next_attempt_at=timezone.now() + dt.timedelta(seconds=seconds), **FREE
    )
    return True


FREE = {"claimed_until": None, "claim_token": ""}


def _ours(verification: Verification) -> QuerySet[Verification]:
    """The row, unless our claim has ended or a newer request has replaced what we claimed."""
    return Verification.objects.filter(
        pk=verification.pk, claim_token=verification.claim_token, state=Verification.State.PENDING
    )


# --- Asking ---------------------------------------------------------------------------------------


def _ask_all(verifications: Iterator[Verification]) -> Iterator[Asked]:
    return map(_ask_safely, verifications)


def _ask_safely(verification: Verification) -> Asked:
    try:
        return ask(verification)
    except Exception:
        logger.exception("Verification %s could not be made", verification.pk)
        outcome = Outcome(None, "A fault of ours; the log has the details.", Blame.OURS)
        return Asked(verification, outcome, timezone.now(), is_confirmed=False)


def ask(verification: Verification) -> Asked:
    """One GET to the callback, which has to repeat the challenge byte for byte."""
    challenge = secrets.token_urlsafe(CHALLENGE_BYTES)
    mode = Verification.Mode(verification.mode)
    parameters = verification_parameters(
        "subscribe" if mode is Verification.Mode.SUBSCRIBE else "unsubscribe",
        verification.topic_as_sent,
        challenge,
        verification.lease_seconds,
    )
    asked_at = timezone.now()
    url = with_query(verification.callback, parameters)
    outcome = hub.client().request("GET", url, LIMITS)
    is_confirmed = outcome.is_success and hmac.compare_digest(outcome.body, challenge.encode())
    return Asked(verification, outcome, asked_at, is_confirmed)


# --- Writing down ---------------------------------------------------------------------------------


def settle(results: Sequence[Asked]) -> list[Verification]:
    """Write results down, each if it is still asked for; the requests that we had to deny."""
    denied: list[Verification] = []
    for asked in results:
        if asked.is_confirmed:
            if not _confirm(asked):
                asked.verification.last_error = FULL_HOST
                denied.append(asked.verification)
        elif asked.outcome.status is not None:
            _end(asked, Verification.State.REFUSED, _refusal(asked.outcome))
        elif asked.outcome.blame is Blame.OURS:
            _ours(asked.verification).update(
                last_error=asked.outcome.error[:300],
                next_attempt_at=timezone.now() + OWN_FAULT_PAUSE,
                **FREE,
            )
        else:
            _note_not_reached(asked)
    return denied


def _refusal(outcome: Outcome) -> str:
    if outcome.is_success:
        return "The callback did not answer with the challenge alone."
    return f"The callback answered {outcome.status}."


def _end(asked: Asked, state: Verification.State, error: str = "") -> bool:
    """Whether it was still ours to end. The secret has been handed over or is not needed."""
    return bool(
        _ours(asked.verification).update(
            state=state,
            attempts=asked.verification.attempts + 1,
            last_status=asked.outcome.status,
            last_error=error[:300],
            finished_at=timezone.now(),
            encrypted_secret="",
            **FREE,
        )
    )


def _note_not_reached(asked: Asked) -> None:
    attempts = asked.verification.attempts + 1
    retries: Sequence[float] = settings.WEBSUB_VERIFY_RETRY_SECONDS
    if attempts > len(retries):
        _end(asked, Verification.State.FAILED, asked.outcome.error)
        return
    _ours(asked.verification).update(
        attempts=attempts,
        last_status=None,
        last_error=asked.outcome.error[:300],
        next_attempt_at=timezone.now() + dt.timedelta(seconds=retries[attempts - 1]),
        **FREE,
    )


def _confirm(asked: Asked) -> bool:
    """Do what was asked, in one transaction; False if it has to be denied after all."""
    verification = asked.verification
    with transaction.atomic():
        live = Subscription.objects.select_for_update().filter(key=verification.key).first()
        if live and live.expires_at <= timezone.now():
            live.delete()  # It has ended; what begins now owes nothing to it.
            live = None
        subscribes = verification.mode == Verification.Mode.SUBSCRIBE
        if (
            subscribes
            and live is None
            and Subscription.objects.is_host_full(verification.callback_host)
        ):
            return not _end(asked, Verification.State.DENIED, FULL_HOST)
        if _end(asked, Verification.State.CONFIRMED):
            if subscribes:
                _put_in_force(asked, live)
            elif live:
                live.delete()
        return True


def _put_in_force(asked: Asked, live: Subscription | None) -> None:
    """Begin or renew the subscription (WebSub 5.1): secret and lease are those of this request.

    A new one has what is published now and is told of the next change. A renewed one goes on where
    it was: with its acknowledged version, and with its misses, since an answer to a question shows
    nothing about taking deliveries.
    """
    verification = asked.verification
    granted = {
        "encrypted_secret": verification.encrypted_secret,
        "lease_seconds": verification.lease_seconds,
        "expires_at": asked.asked_at + dt.timedelta(seconds=verification.lease_seconds),
    }
    if live is None:
        Subscription.objects.create(
            key=verification.key,
            callback=verification.callback,
            callback_host=verification.callback_host,
            topic=verification.topic,
            acknowledged_version=_current_version(verification.topic),
            **granted,
        )
        return
    if live.set_aside:
        granted |= {"set_aside": "", "own_faults": 0, "next_attempt_at": timezone.now()}
    Subscription.objects.filter(pk=live.pk).update(**granted)


def _current_version(topic: str) -> int:
    resource = hub.topics().get(topic)
    if resource is None:  # `BASE_URL` was changed since it was asked for.
        return 0
    versions = Document.objects.filter(path=resource.path).values_list("version", flat=True)
    return versions.first() or 0
