"""Is this process alive, and can it do its work? For supervisors, proxies and people."""

import logging
from dataclasses import dataclass

import orjson
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from core import heartbeat
from core.db.errors import NOT_MIGRATED, RETRY_AFTER_SECONDS, UNREACHABLE, hint_for
from core.http.problems import problem
from publishing import publisher

logger = logging.getLogger(__name__)

OK = "ok"
UNKNOWN = "unknown"
MISSING = "Documents cannot be published. Run `manage.py publish_documents` and read its log."


@dataclass(frozen=True, slots=True)
class Look:
    """Result of a health check; `advice` says what to do where the service is not ready."""

    database: str
    documents: str = UNKNOWN
    clock: str = UNKNOWN
    advice: str = ""


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers; nothing else is looked at."""
    return HttpResponse(b'{"status":"ok"}', content_type="application/json")


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200 when the database answers and every document can be served, else 503 with the remedy.

    Worker and scheduler are told as well, and never make it fail: reading goes on without them.
    """
    look = _look()
    checks = {"database": look.database, "documents": look.documents, "clock": look.clock}
    checks |= dict(heartbeat.states().items())
    for check in ("database", "documents"):
        if checks[check] != OK:
            return problem(
                503,
                f"{check}: {checks[check]}. {look.advice}",
                members=checks,
                headers={"Retry-After": str(RETRY_AFTER_SECONDS)},
            )
    return HttpResponse(orjson.dumps({"status": OK, **checks}), content_type="application/json")


def _look() -> Look:
    try:
        clock = heartbeat.compare_clocks()
    except DatabaseError as error:
        logger.warning("The database does not answer: %s", error)
        return Look("unreachable", advice=hint_for(error) or UNREACHABLE)
    try:
        are_published = _are_all_published()
    except DatabaseError as error:
        logger.warning("The database cannot be read: %s", error)
        advice = hint_for(error) or NOT_MIGRATED
        state = "not migrated" if advice == NOT_MIGRATED else "unreadable"
        return Look(state, clock=clock, advice=advice)
    if are_published:
        return Look(OK, OK, clock)
    try:
        publisher.publish_due()
        if _are_all_published():
            return Look(OK, OK, clock)
    except DatabaseError as error:
        logger.warning("The documents cannot be published: %s", error)
        return Look(OK, "missing", clock, hint_for(error) or MISSING)
    return Look(OK, "missing", clock, MISSING)


def _are_all_published() -> bool:
    return all(state.document and state.document.version for state in publisher.states())
