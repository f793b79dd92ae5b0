"""Serve `/metrics` to a scraper with METRICS_TOKEN: meters, and figures of the database."""

import logging
import threading
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, ThreadingWSGIServer
from prometheus_client.registry import Collector

from metrics.meters import collect_processes
from reviews.models import Revision
from website.status import Heartbeats, Status, status_cache

if TYPE_CHECKING:
    from collections.abc import Iterable
    from wsgiref.types import StartResponse, WSGIEnvironment

logger = logging.getLogger(__name__)

CHALLENGE = {"WWW-Authenticate": 'Bearer realm="metrics"'}
REFUSAL = b"Send the value of METRICS_TOKEN as a bearer token.\n"


def is_scraper(authorization: str) -> bool:
    """Whether an `Authorization` header holds METRICS_TOKEN (RFC 6750 2.1)."""
    scheme, _, token = authorization.partition(" ")
    is_ours = constant_time_compare(token.strip(), settings.METRICS_TOKEN)
    return scheme.lower() == "bearer" and is_ours


@never_cache
@require_safe
def metrics(request: HttpRequest, heartbeats: Heartbeats) -> HttpResponse:
    """Serve the meters of all processes of this machine, and figures of the database."""
    if not is_scraper(request.headers.get("Authorization", "")):
        return HttpResponse(REFUSAL, status=401, headers=CHALLENGE, content_type="text/plain")
    registry = collect_processes()
    registry.register(StateCollector(heartbeats))
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_PLAIN_0_0_4)


# --- For machines that only run workers -----------------------------------------------------------


def listen(host: str, port: int) -> None:
    """Serve the meters at another address, from a thread."""
    try:
        server = make_server(host, port, _answer, _Listener, _Handler)
    except OSError as error:
        logger.warning(
            "METRICS_LISTEN is %s:%d, which cannot be opened (%s). Its worker runs without it; "
            "set it to a free port.",
            host,
            port,
            error.strerror,
        )
        return
    logger.info("Metrics of this machine's workers are served at http://%s:%d/metrics", host, port)
    threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()


def _answer(environ: "WSGIEnvironment", start_response: "StartResponse") -> "Iterable[bytes]":
    if not is_scraper(environ.get("HTTP_AUTHORIZATION", "")):
        start_response("401 Unauthorized", [*CHALLENGE.items(), ("Content-Type", "text/plain")])
        return [REFUSAL]
    start_response("200 OK", [("Content-Type", CONTENT_TYPE_PLAIN_0_0_4)])
    return [generate_latest(collect_processes())]


class _Listener(ThreadingWSGIServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        logger.debug("A connection from %s to the metrics broke off", client_address)


class _Handler(WSGIRequestHandler):
    timeout = 5.0  # Seconds until a silent connection is closed.

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the library's name)
        logger.debug(format, *args)


# --- Figures of the database ----------------------------------------------------------------------


class StateCollector(Collector):
    """Collector of the figures of `/status`, the revisions, and whether the database responds."""

    def __init__(self, heartbeats: Heartbeats) -> None:
        self._heartbeats = heartbeats

    def collect(self) -> Iterator[GaugeMetricFamily]:
        gauges: list[GaugeMetricFamily] = []
        try:
            revisions = dict(Revision.objects.values_list("name", "number"))
            gauges += _gauges(status_cache.get(self._heartbeats), revisions)
        except DatabaseError as error:
            logger.warning("The figures of the database cannot be read: %s", error)
        yield _gauge("database_up", "1 when the database answers.", int(bool(gauges)))
        yield from gauges


def _gauges(status: Status, revisions: dict[str, int]) -> Iterator[GaugeMetricFamily]:
    documents, hub, sources = status.documents, status.hub, status.sources
    versions = {document.path: document.version for document in documents}
    changes = {each.path: each.changed_at.timestamp() for each in documents if each.changed_at}
    seen = {name: revisions.get(name, 0) for name in (Revision.REVIEWS, Revision.INSIGHTS)}
    subscriptions = {"active": hub.active, "failing": hub.failing}
    states = {name: sources[name] for name in ("active", "failing")}
    states["alarming"] = sources["alarms"]
    roles = {role: int(state == "ok") for role, state in status.heartbeats.items()}
    waited = (
        "How long the delivery that waits the longest could have been tried; 0 when none waits."
    )
    changed = "When its bytes last changed."
    yield _gauge("document_version", "Version of a published document.", versions, "path")
    yield _gauge("document_changed_timestamp_seconds", changed, changes, "path")
    yield _gauge("revision", "Changes of the data, and how many insights saw.", seen, "data")
    yield _gauge("subscriptions", "Living subscriptions.", subscriptions, "state")
    yield _gauge("oldest_due_delivery_seconds", waited, hub.oldest_due_seconds or 0)
    yield _gauge("sources", "Sources that are not paused.", states, "state")
    waiting = "Runs of sources that wait for approval."
    yield _gauge("source_runs_waiting", waiting, sources["waiting_for_approval"])
    if (age := sources["newest_look_seconds"]) is not None:
        yield _gauge("source_newest_look_seconds", "The age of the newest check of a source.", age)
    yield _gauge("role_up", "1 when the role left a sign of life lately.", roles, "role")


def _gauge(
    name: str, description: str, value: float | Mapping[str, float], label: str = ""
) -> GaugeMetricFamily:
    """Gauge with one value, or with one for each value of a label."""
    family = GaugeMetricFamily(f"reviews_{name}", description, labels=[label] if label else [])
    values = value if isinstance(value, Mapping) else {"": value}
    for value_of_label, number in values.items():
        family.add_metric([value_of_label] if label else [], number)
    return family
