"""Health checks for supervisors, load balancers and people."""

import logging
import shutil
from pathlib import Path

import orjson
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config import scheduled_backups
from core import heartbeat
from core.db.errors import (
    FULL,
    NOT_MIGRATED,
    RETRY_AFTER_SECONDS,
    UNREACHABLE,
    hint_for,
)
from core.http.problems import problem
from publishing import publisher

logger = logging.getLogger(__name__)

OK = "ok"
UNKNOWN = "unknown"
MISSING = (
    "Documents are not published yet. If that lasts, run `manage.py publish_documents` and read "
    "its log."
)
FULL_BYTES = 16 * 1024 * 1024  # With less free space an edit cannot be published.


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer 200 as long as the process runs."""
    return HttpResponse(b'{"status":"ok"}', content_type="application/json")


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Answer 200 if every document can be served, else 503 with the remedy.

    A failure of disk, worker or scheduler stays a 200, since reading works without them.
    """
    states, advice = _check_documents()
    states["disk"] = FULL if _is_disk_full() else OK
    states.update(heartbeat.states().items())
    for name in ("database", "documents"):
        if states[name] != OK:
            return problem(
                503,
                f"{name}: {states[name]}. {advice}",
                members=states,
                headers={"Retry-After": str(RETRY_AFTER_SECONDS)},
            )
    return HttpResponse(orjson.dumps({"status": OK, **states}), content_type="application/json")


def component_states() -> dict[str, str]:
    """States of worker and scheduler, and of backups if they are scheduled."""
    found = {str(role): str(state) for role, state in heartbeat.states().items()}
    if state := scheduled_backups.state():
        found["backups"] = state
    return found


def _check_documents() -> tuple[dict[str, str], str]:
    """Return the states of database and documents, and the remedy if one is not ready."""
    states = {"database": "unreachable", "documents": UNKNOWN}
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        logger.warning("The database does not answer: %s", error)
        return states, hint_for(error) or UNREACHABLE
    try:
        are_published = _are_all_published()
    except DatabaseError as error:
        logger.warning("The database cannot be read: %s", error)
        advice = hint_for(error) or NOT_MIGRATED
        states["database"] = "not migrated" if advice == NOT_MIGRATED else "unreadable"
        return states, advice
    return states | {"database": OK, "documents": OK if are_published else "missing"}, MISSING


def _are_all_published() -> bool:
    return all(state.document and state.document.version for state in publisher.states())


def _is_disk_full() -> bool:
    """Whether the disk of STATE_DIR or of SQLite is full."""
    folders = {settings.STATE_DIR}
    if settings.USES_SQLITE:
        folders.add(Path(settings.DATABASES["default"]["NAME"]).parent)
    try:
        free = min(shutil.disk_usage(folder).free for folder in folders)
    except OSError as error:
        logger.warning("The room on the disk cannot be measured: %s", error)
        return False
    return free < FULL_BYTES
