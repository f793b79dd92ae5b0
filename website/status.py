"""Status of publishing and delivery: `/status` for people, `/status.json` for programs.

Both are public, so they contain only counts and times, no addresses or errors.
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

MAX_AGE_SECONDS = 5.0

Heartbeats = Callable[[], Mapping[Any, str]]


@dataclass(frozen=True, slots=True)
class Status:
    documents: tuple[Document, ...]
    hub: HubStatistics
    sources: dict[str, Any]
    heartbeats: Mapping[Any, str]  # `ok`, `stale` or `absent`, by role.


class StatusCache:
    """Cache of the last status in this process.

    While one request refreshes the status, other requests get the last one. So a slow database
    blocks one thread.
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
            self._expires_at = time.monotonic() + MAX_AGE_SECONDS
        self._status = status = take_status(heartbeats)
        return status


status_cache = StatusCache()


def take_status(heartbeats: Heartbeats) -> Status:
    documents = Document.objects.published().without_bodies().order_by("path")
    return Status(tuple(documents), hub_statistics(), sources_status(), heartbeats())


def render_status(status: Status) -> dict[str, Any]:
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
    """Serve the status, at most `MAX_AGE_SECONDS` old."""
    body = orjson.dumps(render_status(status_cache.get(heartbeats)), option=orjson.OPT_UTC_Z)
    return _limit_caching(HttpResponse(body, content_type="application/json"))


class StatusView(Page):
    template_name = "website/status.html"
    heartbeats: Heartbeats = dict  # The URL configuration of the project sets it.

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return _limit_caching(super().dispatch(request, *args, **kwargs))

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        status = status_cache.get(self.heartbeats)
        context = super().get_context_data(
            status=status, now=timezone.now(), window_hours=WINDOW_HOURS, **kwargs
        )
        business = context["business"]
        return context | {"zone": business.zone if business else dt.UTC}


R = TypeVar("R", bound=HttpResponseBase)


def _limit_caching(response: R) -> R:
    response["Cache-Control"] = f"public, max-age={MAX_AGE_SECONDS:.0f}"
    return response
