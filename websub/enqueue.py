"""Enqueue tasks that process due rows now; messages carry no data and may be lost."""

import logging
import time
from functools import partial
from typing import Literal

from django.db import transaction

from websub import conf
from websub.topics import refresh, topics

logger = logging.getLogger(__name__)

TaskName = Literal["verify_due", "deliver_due", "deliver_slow_due"]

_delayed_until: dict[str, float] = {}  # By task, on the monotonic clock.


def enqueue(*names: TaskName) -> None:
    """Enqueue tasks after the commit."""
    if conf.get("WEBSUB_USE_CELERY"):
        for name in names:
            # `robust`: the work is stored already, so a broker failure must not fail the request.
            transaction.on_commit(partial(_send, name), robust=True)


def enqueue_in(seconds: float, *names: TaskName) -> None:
    """Enqueue tasks with a delay, unless an earlier message is still pending."""
    if not conf.get("WEBSUB_USE_CELERY"):
        return
    now = time.monotonic()
    for name in names:
        if not now <= _delayed_until.get(name, 0.0) <= now + seconds:
            _delayed_until[name] = now + seconds
            _send(name, countdown=seconds)


def deliver_topic(url: str) -> None:
    """Refresh a topic and enqueue its deliveries after the commit."""
    if url in topics():
        transaction.on_commit(partial(refresh, url), robust=True)
        enqueue("deliver_due", "deliver_slow_due")
    else:
        logger.warning("%s is no topic of this hub, so nothing is delivered for it.", url)


def _send(name: TaskName, countdown: float = 0.0) -> None:
    from celery import current_app  # noqa: PLC0415  (optional)

    try:
        current_app.signature(f"websub.tasks.{name}").apply_async(countdown=countdown)
    except Exception as error:  # noqa: BLE001  (each broker's library has errors of its own)
        logger.warning("No worker was told of %s: %s. The next sweep takes it up.", name, error)
