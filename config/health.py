"""Is this process alive, and can it do its work? For supervisors, proxies and people."""

import logging

import orjson
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config import heartbeat
from config.api import RETRY_AFTER_SECONDS, problem
from publishing import publisher

logger = logging.getLogger(__name__)

OK = "ok"
REMEDIES = {
    "unreachable": "The database does not answer. Check that it runs and what DATABASE_URL says.",
    "not migrated": "The database lacks tables of this version. Run `manage.py migrate`.",
    "missing": "Documents cannot be published. Run `manage.py publish_documents` and read its log.",
}


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
    database, documents = _look()
    checks = {"database": database, "documents": documents}
    checks |= dict(heartbeat.states().items())
    for check, state in (("database", database), ("documents", documents)):
        if state != OK:
            remedy = f"{check}: {state}. {REMEDIES[state]}"
            return problem(
                503, remedy, members=checks, headers={"Retry-After": str(RETRY_AFTER_SECONDS)}
            )
    return HttpResponse(orjson.dumps({"status": OK, **checks}), content_type="application/json")


def _look() -> tuple[str, str]:
    """The states of the database and of the documents."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        logger.warning("The database does not answer: %s", error)
        return "unreachable", "unknown"
    try:
        are_published = _are_all_published()
    except DatabaseError as error:
        logger.warning("The database cannot be read: %s", error)
        return "not migrated", "unknown"
    return OK, OK if are_published or _publish() else "missing"


def _are_all_published() -> bool:
    return all(state.document and state.document.version for state in publisher.states())


def _publish() -> bool:
    try:
        publisher.publish_due()
        return _are_all_published()
    except DatabaseError as error:
        logger.warning("The documents cannot be published: %s", error)
        return False
