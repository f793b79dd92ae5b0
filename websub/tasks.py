"""Celery tasks. Each processes all due rows, so it may run twice or be lost."""

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
    run = verification.verify()
    if run.processed:
        enqueue("deliver_due")  # New subscriptions get what has changed since their request.
    _enqueue_next(run, Verification.objects.pending().seconds_to_next, "verify_due")


@shared_task(ignore_result=True)
def deliver_due() -> None:
    """Deliver to due subscriptions of the fast queue."""
    _enqueue_next(
        delivery.deliver(FAST), delivery.seconds_to_next, "deliver_due", "deliver_slow_due"
    )


@shared_task(ignore_result=True)
def deliver_slow_due() -> None:
    """Deliver to due subscriptions of the slow queue."""
    _enqueue_next(
        delivery.deliver(SLOW), delivery.seconds_to_next, "deliver_slow_due", "deliver_due"
    )


def _enqueue_next(
    run: RunResult, seconds_to_next: Callable[[float], float | None], *names: TaskName
) -> None:
    """Enqueue the first task again if more is due, else all of them for rows due soon."""
    if run.is_cut_short:
        enqueue(names[0])
    elif (seconds := seconds_to_next(conf.get("WEBSUB_SWEEP_SECONDS"))) is not None:
        enqueue_in(seconds, *names)


@shared_task(ignore_result=True)
def sweep_up() -> None:
    """Clean up, and enqueue all tasks to make up for lost messages."""
    cleanup.run_cleanup()
    enqueue("verify_due", "deliver_due", "deliver_slow_due")


@worker_shutting_down.connect
def _end_runs(**kwargs: Any) -> None:
    request_shutdown()
