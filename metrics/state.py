"""Gauges read from the database at each scrape: queues, versions, roles that are alive."""

import logging
from collections.abc import Iterator

from django.db import DatabaseError
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from reviews.models import Revision
from website.status import SignsOfLife, Status, kept

logger = logging.getLogger(__name__)


class StateCollector(Collector):
    """The figures of `/status` and the revisions; a database that is away is a figure as well."""

    def __init__(self, signs_of_life: SignsOfLife) -> None:
        self._signs_of_life = signs_of_life

    def collect(self) -> Iterator[GaugeMetricFamily]:
        try:
            status = kept.get(self._signs_of_life)
            revisions = dict(Revision.objects.values_list("name", "number"))
        except DatabaseError as error:
            logger.warning("The figures of the database cannot be read: %s", error)
            yield gauge("reviews_database_up", "1 when the database answers.", 0)
            return
        yield gauge("reviews_database_up", "1 when the database answers.", 1)
        yield from _gauges(status, revisions)


def _gauges(status: Status, revisions: dict[str, int]) -> Iterator[GaugeMetricFamily]:
    versions = labelled("reviews_document_version", "Version of a published document.", "path")
    changed = labelled(
        "reviews_document_changed_timestamp_seconds", "When its bytes last changed.", "path"
    )
    for document in status.documents:
        versions.add_metric([document.path], document.version)
        if document.changed_at:
            changed.add_metric([document.path], document.changed_at.timestamp())
    yield versions
    yield changed

    counts = labelled("reviews_revision", "Changes of the data, and how many insights saw.", "data")
    for name in (Revision.REVIEWS, Revision.INSIGHTS):
        counts.add_metric([name], revisions.get(name, 0))
    yield counts

    hub = status.hub
    subscriptions = labelled("reviews_subscriptions", "Living subscriptions.", "state")
    for state, count in (
        ("active", hub.active),
        ("failing", hub.failing),
        ("set_aside", hub.suspended),
    ):
        subscriptions.add_metric([state], count)
    yield subscriptions
    yield gauge(
        "reviews_oldest_due_delivery_seconds",
        "How long the delivery that waits the longest could have been tried; 0 when none waits.",
        hub.oldest_due_seconds or 0,
    )

    alive = labelled("reviews_role_up", "1 when the role left a sign of life lately.", "role")
    for role, sign in status.signs_of_life.items():
        alive.add_metric([role], int(sign == "ok"))
    yield alive


def gauge(name: str, what: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, what, value=value)


def labelled(name: str, what: str, label: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, what, labels=[label])
