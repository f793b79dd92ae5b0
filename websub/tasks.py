"""Celery tasks: each does whatever is due, and may run twice or never.

Schedule `websub.tasks.sweep_up` every `WEBSUB_SWEEP_SECONDS`. Needs Celery; without it run
`manage.py websub_worker`.
"""

from typing import Any

from celery import shared_task
from celery.signals import worker_shutting_down

from websub import cleanup, conf, delivery, verification
from websub.claims import FAST, SLOW, QueueConfig
from websub.concurrency import request_shutdown
from websub.enqueue import TaskName, enqueue, enqueue_in


@shared_task(ignore_result=True)
def verify_due() -> None:
    """Verify the intent of requests that are due."""
    run = verification.verify()
    if run.processed:
        enqueue("deliver_due")  # A new subscription is sent what has changed since its request.
    if run.is_cut_short:
        enqueue("verify_due")
    elif (seconds := verification.seconds_to_next(conf.get("WEBSUB_SWEEP_SECONDS"))) is not None:
        enqueue_in(seconds, "verify_due")


@shared_task(ignore_result=True)
def deliver_due() -> None:
    """Deliver to subscriptions of the fast queue that are due."""
    _deliver(FAST, "deliver_due")


@shared_task(ignore_result=True)
def deliver_slow_due() -> None:
    """Deliver to subscriptions of the slow queue that are due."""
    _deliver(SLOW, "deliver_slow_due")


def _deliver(config: QueueConfig, name: TaskName) -> None:
    if delivery.deliver(config).is_cut_short:
        enqueue(name)
    elif (seconds := delivery.seconds_to_next(conf.get("WEBSUB_SWEEP_SECONDS"))) is not None:
        # Both queues: a subscription may be in either by then.
        enqueue_in(seconds, "deliver_due", "deliver_slow_due")


@shared_task(ignore_result=True)
def sweep_up() -> None:
    """End what is over, and enqueue tasks for everything whose own message was lost."""
    cleanup.sweep()
    enqueue("verify_due", "deliver_due", "deliver_slow_due")


@worker_shutting_down.connect
def _end_runs(**kwargs: Any) -> None:
    request_shutdown()
