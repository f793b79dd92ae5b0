"""`/status` for people and `/status.json` for programs: what is published, and how delivery goes.

Both are public, so they hold counts and times alone: no address, no error.
"""

import datetime as dt
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import orjson
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_safe

from publishing.models import Document
from sources.selectors import sources_status
from website.pages import Page
from websub.statistics import WINDOW_HOURS, HubStatistics, hub_statistics

KEPT_SECONDS = 5.0

Heartbeats = Callable[[], Mapping[Any, str]]


@dataclass(frozen=True, slots=True)
class Status:
    documents: tuple[Document, ...]
    hub: HubStatistics
    sources: dict[str, Any]
    heartbeats: Mapping[Any, str]  # `ok`, `stale` or `absent` by role.


class StatusCache:
    """The last status that this process took, for a few seconds.

    While one request takes the next, others are given the last: a slow database holds no threads.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.clear()

    def clear(self) -> None:
        self._status: Status | None = None
        self.expire()

    def expire(self) -> None:
        self._expires_at = 0.0

    def get(self, heartbeats: Heartbeats) -> Status:
        with self._lock:
            if self._status is not None and time.monotonic() < self._expires_at:
                return self._status
            self._expires_at = time.monotonic() + KEPT_SECONDS
        self._status = status = take_status(heartbeats)
        return status


status_cache = StatusCache()


def take_status(heartbeats: Heartbeats) -> Status:
    documents = Document.objects.published().without_bodies().order_by("path")
    return Status(tuple(documents), hub_statistics(), sources_status(), heartbeats())


def render_status(status: Status) -> dict[str, Any]:
    """The status as `/status.json` tells it."""
    hub = status.hub
    return {
        "documents": [
            {name: getattr(document, name) for name in ("path", "version", "changed_at")}
            for document in status.documents
        ],
        "subscriptions": {"active": hub.active, "failing": hub.failing},
        "deliveries": {
            "window_hours": WINDOW_HOURS,
            "acknowledged": hub.acknowledged,
            "missed": hub.missed,
            "median_seconds": _rounded(hub.median_seconds),
            "oldest_due_seconds": _rounded(hub.oldest_due_seconds),
        },
        "sources": status.sources,
        **status.heartbeats,
    }


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 3)


@require_safe
def status_json(request: HttpRequest, heartbeats: Heartbeats) -> HttpResponse:
    """Counts and times, at most `KEPT_SECONDS` old."""
    body = orjson.dumps(render_status(status_cache.get(heartbeats)), option=orjson.OPT_UTC_Z)
    return _briefly(HttpResponse(body, content_type="application/json"))


class StatusView(Page):
    """The same for people."""

    template_name = "website/status.html"
    heartbeats: Heartbeats = dict  # Told by whoever puts the page at its address.

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return _briefly(super().dispatch(request, *args, **kwargs))

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        status = status_cache.get(self.heartbeats)
        context = super().get_context_data(
            status=status, now=timezone.now(), window_hours=WINDOW_HOURS, **kwargs
        )
        business = context["business"]
        return context | {"zone": business.zone if business else dt.UTC}


R = TypeVar("R", bound=HttpResponseBase)


def _briefly(response: R) -> R:
    """Let caches keep a response no longer than this process does."""
    response["Cache-Control"] = f"public, max-age={KEPT_SECONDS:.0f}"
    return response
