"""Count and time requests, tasks, published documents and deliveries."""

import threading
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from celery import Task
from celery.signals import task_failure, task_postrun, task_prerun, worker_ready
from django.conf import settings
from django.dispatch import receiver

from core.http.headers import HUB_PATH, HUB_STATUS_PATH
from metrics import exposition, meters
from publishing.registry import registry
from publishing.signals import document_published
from websub.signals import deliveries_attempted

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS", "DELETE"})
# Labels by prefixes of paths. Paths themselves must not be labels, since clients choose them.
RESOURCES = (
    ("/api/reviews/search", "search"),
    ("/api/reviews/since/", "since"),
    (HUB_PATH, "hub"),
    (HUB_STATUS_PATH, "hub"),
    ("/mcp", "mcp"),
    ("/admin", "admin"),
    ("/reviews/", "permalink"),
    ("/static/", "static"),
)
OTHER = "other"

_started = threading.local()


class MetricsMiddleware:
    """WSGI middleware that counts and times all requests."""

    def __init__(self, application: "WSGIApplication") -> None:
        self._application = application

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        started = time.perf_counter()
        resource = resource_of(environ["PATH_INFO"])
        method = environ["REQUEST_METHOD"]

        def counted(status: str, *args: Any) -> Any:
            label = method if method in METHODS else OTHER
            meters.requests.labels(resource, label, status[:3]).inc()
            return start_response(status, *args)

        body = self._application(environ, counted)
        meters.request_seconds.labels(resource).observe(time.perf_counter() - started)
        return body


def resource_of(path: str) -> str:
    """Label of a path: that of a published document, or one of a few names."""
    named = (name for start, name in RESOURCES if path.startswith(start))
    return path if path in registry else next(named, OTHER)


# --- Signals of the other apps and of the worker --------------------------------------------------


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
