"""The address of a connection: reviews and notices that others post.

It is no part of the public read interface: the token lets a sender deliver to one source and do
nothing else. An unknown token is a 404 like any other.
"""

import io
import zlib

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt

from core.http import problems
from core.http.rate_limit import hit
from core.http.request_body import BodyRefused, read_body
from review_exports.records import FileRefused
from reviews import services as imports
from reviews.imports.importer import TooManyToHide
from reviews.imports.report import Report
from sources import runs, services
from sources.client import bounded_gunzip
from sources.connectors import connector_of
from sources.connectors.protocol import Fetched, Ignored, PollRequested, Push, Receiver
from sources.failures import PushRefused
from sources.models import SourceConnection, SourceRun

METHODS = ("GET", "HEAD", "POST")
TAKES_POST = "This address takes POST requests with reviews: JSON, JSON Lines, CSV or a form.\n"
RETRY_SECONDS = 600


@csrf_exempt
def receive(request: HttpRequest, pk: int, token: str) -> HttpResponse:
    """Store a push, or say what the address is for."""
    connection, receiver = _addressed(pk, token)
    if request.method in {"GET", "HEAD"}:
        return HttpResponse(
            _verification(request, connection) or TAKES_POST,
            content_type="text/plain; charset=utf-8",
        )
    if request.method != "POST":
        return problems.method_not_allowed(request, METHODS)
    limit = hit("sources", str(connection.pk))
    if limit is not None and not limit.allowed:
        return problems.later(429, limit.reset_seconds)
    try:
        return _store(connection, receiver, _read_push(request, connection))
    except (BodyRefused, PushRefused) as refused:
        return problems.problem(refused.status, str(refused))
    except services.TooManyStored:
        return problems.later(429, RETRY_SECONDS)


def _addressed(pk: int, token: str) -> tuple[SourceConnection, Receiver]:
    """The connection with this token; raises Http404 after the same work where there is none."""
    connection = SourceConnection.objects.filter(pk=pk).first() or SourceConnection()
    kind = connector_of(connection)
    if not services.is_token(connection, token) or kind is None or kind.receive is None:
        raise Http404
    return connection, kind.receive


def _verification(request: HttpRequest, connection: SourceConnection) -> str | None:
    kind = connector_of(connection)
    verify = kind.verify if kind else None
    return verify(_push(request, connection, b"", b"")) if verify else None


def _read_push(request: HttpRequest, connection: SourceConnection) -> Push:
    most = settings.IMPORT_MAX_BYTES
    raw = read_body(request.META, most)
    body = raw
    if request.headers.get("Content-Encoding", "").strip().lower() in {"gzip", "x-gzip"} or (
        raw[:2] == b"\x1f\x8b"
    ):
        try:
            unpacked = bounded_gunzip(raw, most)
        except zlib.error:
            raise PushRefused(400, "The body is not gzip that can be unpacked.") from None
        if unpacked is None:
            raise PushRefused(413, f"The body is longer than {most:,} bytes when unpacked.")
        body = unpacked
    return _push(request, connection, body, raw)


def _push(request: HttpRequest, connection: SourceConnection, body: bytes, raw: bytes) -> Push:
    return Push(
        settings=connection.settings,
        secrets=connection.secrets,
        state=connection.fetch_state,
        headers={name.lower(): text for name, text in request.headers.items()},
        query=request.GET.dict(),
        body=body,
        raw_body=raw,
    )


def _store(connection: SourceConnection, receiver: Receiver, push: Push) -> HttpResponse:
    received = receiver(push)
    if isinstance(received, PollRequested):
        services.look_soon(connection, announced=received.announced)
        return JsonResponse({"received": 0, "detail": "The source will be looked at."}, status=202)
    if isinstance(received, Ignored):
        return JsonResponse({"received": 0, "detail": received.sentence}, status=202)
    rows = _checked_rows(connection, received)
    run = services.store_push(connection, received, rows=rows)
    return JsonResponse({"received": rows, "run": run.pk}, status=202)


def _checked_rows(connection: SourceConnection, received: Fetched) -> int:
    """The number of rows in what was pushed; raises `PushRefused` for what cannot be imported."""
    if not received.content:
        return len(received.deleted_ids)
    run = SourceRun(connection=connection, is_whole=received.is_whole)
    try:
        report = imports.import_file(
            io.BytesIO(received.content),
            file_name=received.file_name,
            options=runs.options_of(run),
            dry_run=True,
            short_here=True,
        )
    except TooManyToHide as error:
        raise PushRefused(422, str(error)) from None
    except FileRefused as refused:  # The reader was ended; another try may succeed.
        raise PushRefused(503, refused.message) from None
    if reason := _refusal(report):
        raise PushRefused(422, reason)
    return report.rows + len(received.deleted_ids)


def _refusal(report: Report) -> str:
    """Why nothing of a push can be imported; empty when something can, or all is left out."""
    if report.refusal:
        return str(report.refusal["message"])
    if report.is_refused and report.errors:
        return str(report.errors[0]["message"])
    return ""
