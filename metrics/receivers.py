"""Count the signals of the other apps and of the worker."""

import threading
import time
from typing import Any

from celery import Task
from celery.signals import task_failure, task_postrun, task_prerun, worker_ready
from django.conf import settings
from django.dispatch import receiver

from metrics import exposition, meters
from publishing.signals import document_published
from websub.signals import deliveries_attempted

_started = threading.local()


@receiver(document_published)
def count_version(*, path: str, **kwargs: Any) -> None:
    meters.documents_published.labels(path).inc()


@receiver(deliveries_attempted)
def count_deliveries(*, attempts: list[tuple[str, float]], **kwargs: Any) -> None:
    for result, seconds in attempts:
        meters.deliveries.labels(result).inc()
        meters.delivery_seconds.labels(result).observe(seconds)


@task_prerun.connect
def start_clock(**kwargs: Any) -> None:
    _started.at = time.perf_counter()


@task_postrun.connect
def stop_clock(*, task: Task[Any, Any], **kwargs: Any) -> None:
    meters.task_seconds.labels(task.name).observe(time.perf_counter() - _started.at)


@task_failure.connect
def count_failure(*, sender: Task[Any, Any], **kwargs: Any) -> None:
    meters.task_failures.labels(sender.name).inc()


@worker_ready.connect
def listen(**kwargs: Any) -> None:
    if settings.METRICS_LISTEN:
        exposition.listen(*settings.METRICS_LISTEN)
