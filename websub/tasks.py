"""Celery tasks: each does whatever is due, and may run twice or never."""

from collections.abc import Callable
from typing import Any

from celery import shared_task
from celery.signals import worker_shutting_down

from websub import cleanup, conf, delivery, verification
from websub.claims import FAST, SLOW
from websub.dispatcher import RunResult, request_shutdown
from websub.enqueue import TaskName, enqueue, enqueue_in
from websub.models import Verification


@shared_task(ignore_result=True)
def verify_due() -> None:
    """Verify the intent of requests that are due."""
    run = verification.verify()
    if run.processed:
        enqueue("deliver_due")  # A new subscription is sent what has changed since its request.
    _go_on(run, Verification.objects.pending().seconds_to_next, "verify_due")


@shared_task(ignore_result=True)
def deliver_due() -> None:
    """Deliver to subscriptions of the fast queue that are due."""
    _go_on(delivery.deliver(FAST), delivery.seconds_to_next, "deliver_due", "deliver_slow_due")


@shared_task(ignore_result=True)
def deliver_slow_due() -> None:
    """Deliver to subscriptions of the slow queue that are due."""
    _go_on(delivery.deliver(SLOW), delivery.seconds_to_next, "deliver_slow_due", "deliver_due")


def _go_on(
    run: RunResult, seconds_to_next: Callable[[float], float | None], *names: TaskName
) -> None:
    """Enqueue the first task again where more is due, or all of them for what is soon."""
    if run.is_cut_short:
        enqueue(names[0])
    elif (seconds := seconds_to_next(conf.get("WEBSUB_SWEEP_SECONDS"))) is not None:
        enqueue_in(seconds, *names)


@shared_task(ignore_result=True)
def sweep_up() -> None:
    """End what is over, and enqueue tasks for everything whose own message was lost."""
    cleanup.sweep()
    enqueue("verify_due", "deliver_due", "deliver_slow_due")


@worker_shutting_down.connect
def _end_runs(**kwargs: Any) -> None:
    request_shutdown()
