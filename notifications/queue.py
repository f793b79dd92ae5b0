"""Deliver queued messages: claim a row, send it, record the result, retry for three days."""

import datetime as dt
import logging
import time
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from core.celery import checkpoint
from core.claims import RELEASED, Claim, ClaimLost, claim_first
from core.secrets import SecretLost
from guarded_http import Outcome, retry_after_seconds
from guarded_http.connect import Fault
from notifications import mail, webhooks
from notifications.models import (
    RETRIED_FOR,
    DeliveryAttempt,
    Endpoint,
    Event,
    EventType,
    Message,
    Recipient,
)
from notifications.record import record_once

logger = logging.getLogger(__name__)

CLAIM_SECONDS = 60.0
RUN_SECONDS = 60.0
AT_ONCE = 3  # Threads of workers that may wait for receivers at the same time.
# The last wait is repeated until the retries end.
RETRY_SECONDS = (5, 300, 1_800, 7_200, 18_000, 36_000)
BREAK_AFTER = 3  # Consecutive failures before an endpoint is paused.
BREAK_SECONDS = (30, 60, 120, 300, 600)


@dataclass(frozen=True, slots=True)
class Result:
    """Result of one delivery attempt.

    If `is_final`, a retry does not help. If `is_ours`, this installation caused the failure.
    """

    is_success: bool
    error: str = ""
    status: int | None = None
    body: str = ""
    answer: str = ""
    seconds: float = 0.0
    wait_seconds: float = 0.0
    is_final: bool = False
    is_gone: bool = False
    is_ours: bool = False


def deliver_due() -> int:
    """Deliver due messages one after another. Return the number of attempts."""
    mail.queue_due()
    until, attempts = time.monotonic() + RUN_SECONDS, 0
    while time.monotonic() < until:
        checkpoint()
        now = timezone.now()
        if Message.objects.waiting().filter(claimed_until__gt=now).count() >= AT_ONCE:
            break
        due = Message.objects.due(now).exclude(
            kind__in=mail.CHOSEN, recipient__in=mail.quiet_recipients()
        )
        claim = claim_first(due, CLAIM_SECONDS)
        if claim is None:
            break
        deliver(claim)
        attempts += 1
    return attempts


def deliver(claim: Claim) -> None:
    """Send a claimed message, and record the attempt."""
    message = claim.rows().select_related("endpoint", "event", "recipient__user").first()
    if message is None:
        return
    if message.recipient and not message.recipient.reserve_minute():
        claim.release()  # Another worker sends to this recipient.
        return
    try:
        result = _send(message)
    except SecretLost as lost:
        result = Result(is_success=False, error=str(lost), is_ours=True)
    except Exception:
        logger.exception("Message %s cannot be sent", message.uid)
        error = _(
            "An internal error prevented the message from being sent. The log has the details."
        )
        result = Result(is_success=False, error=error, is_ours=True)
    try:
        _record(claim, message, result)
    except ClaimLost:
        logger.warning("Message %s took longer than its claim, and is sent again", message.uid)


def _send(message: Message) -> Result:
    if message.recipient:
        return _send_mail(message, message.recipient)
    endpoint, event = message.endpoint, message.event
    if endpoint is None or event is None:
        raise ValueError("A message without an address.")
    outcome, body = webhooks.send(message, endpoint, event)
    return _webhook_result(outcome, body)


def _send_mail(message: Message, recipient: Recipient) -> Result:
    started = time.monotonic()
    try:
        mail.send(message, recipient)
    except (OSError, mail.MailRefused) as error:
        sentence, is_final = mail.describe(error)
        return Result(is_success=False, error=sentence, is_final=is_final)
    return Result(is_success=True, seconds=time.monotonic() - started)


def _webhook_result(outcome: Outcome, body: bytes) -> Result:
    error = outcome.error
    if outcome.status is not None and not outcome.is_success:
        error = _("The receiver answered with HTTP %(status)d.") % {"status": outcome.status}
    retry_after = outcome.headers.get("retry-after", "") if outcome.status in {429, 503} else ""
    return Result(
        is_success=outcome.is_success,
        error=error,
        status=outcome.status,
        body=body.decode(),
        answer=_printable(outcome.body),
        seconds=outcome.seconds,
        wait_seconds=retry_after_seconds(retry_after, timezone.now()) if retry_after else 0.0,
        is_gone=outcome.status == 410,
        is_ours=outcome.fault is Fault.OURS,
    )


def _printable(answer: bytes) -> str:
    text = answer.decode("utf-8", "replace")[:500]
    return "".join(letter if letter.isprintable() else " " for letter in text).strip()


# --- Records --------------------------------------------------------------------------------------


@transaction.atomic
def _record(claim: Claim, message: Message, result: Result) -> None:
    now = timezone.now()
    DeliveryAttempt.objects.create(
        message=message,
        at=now,
        is_success=result.is_success,
        status=result.status,
        error=result.error[:300],
        body=result.body,
        answer=result.answer,
        seconds=result.seconds,
    )
    values: dict[str, Any] = {
        "attempts": message.attempts + 1,
        "last_error": result.error[:300],
        **RELEASED,
    }
    if result.is_success:
        values |= {"state": Message.State.DELIVERED, "finished_at": now}
    else:
        logger.warning("Message %s: %s", message.uid, result.error)
        retry_at = now + dt.timedelta(seconds=_wait(message.attempts, result))
        if result.is_final or (retry_at > message.retried_until and not result.is_ours):
            values |= {"state": Message.State.FAILED, "finished_at": now}
        else:
            values["next_attempt_at"] = retry_at
    claim.store(**values)
    if message.endpoint_id and not result.is_ours:
        _record_endpoint(message.endpoint_id, result, now)


def _wait(attempts: int, result: Result) -> float:
    planned = RETRY_SECONDS[min(attempts, len(RETRY_SECONDS) - 1)]
    return min(max(planned, result.wait_seconds), RETRY_SECONDS[-1])


def _record_endpoint(pk: int, result: Result, now: dt.datetime) -> None:
    """Record the result at the endpoint. Pause it after failures in a row, or disable it."""
    endpoint = Endpoint.objects.select_for_update().get(pk=pk)
    if result.is_success:
        endpoint.last_success_at, endpoint.failing_since = now, None
        endpoint.consecutive_failures, endpoint.last_error = 0, ""
        endpoint.save()
        return
    endpoint.failing_since = endpoint.failing_since or now
    endpoint.consecutive_failures += 1
    endpoint.last_error = result.error[:300]
    if (beyond := endpoint.consecutive_failures - BREAK_AFTER) >= 0:
        pause = BREAK_SECONDS[min(beyond, len(BREAK_SECONDS) - 1)]
        endpoint.next_attempt_at = now + dt.timedelta(seconds=max(pause, result.wait_seconds))
    if result.is_gone:
        disable(endpoint, _("The receiver answered with HTTP 410: it wants no more messages."))
    elif now - endpoint.failing_since >= RETRIED_FOR:
        reason = _("No message was accepted for three days.")
        disable(endpoint, f"{reason} {endpoint.last_error}")
    endpoint.save()


def disable(endpoint: Endpoint, reason: str) -> None:
    """Disable an endpoint, and record an event of it. The caller saves the endpoint."""
    if endpoint.is_enabled:
        endpoint.is_enabled, endpoint.disabled_reason = False, reason[:300]
        data = {"id": endpoint.pk, "name": endpoint.name, "reason": reason}
        key = f"{endpoint.pk} {timezone.now().isoformat()}"
        record_once(Event(type=EventType.WEBHOOK_DISABLED, key=key, data=data))
