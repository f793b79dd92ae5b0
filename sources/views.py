"""The push address of a connection, which takes reviews and notices.

The address is not part of the public read API. Its token allows a sender to deliver to one source
only. An unknown token gets an ordinary 404.
"""

import io

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt

from core.http import problems
from core.http.rate_limit import hit
from core.http.request_body import BodyRefused, read_body
from imports import services as import_services
from review_exports.records import FileRefused, ReadWarning
from sources import runs, services
from sources.client import NOT_GZIP, gunzip_chunks
from sources.connectors import connector_of
from sources.connectors.protocol import Fetched, Ignored, PollRequested, Push, Receiver
from sources.models import SourceConnection, SourceRun

Trigger = SourceRun.Trigger
METHODS = ("GET", "HEAD", "POST")
TAKES_POST = "This address takes POST requests with reviews: JSON, JSON Lines, CSV or a form.\n"
RETRY_SECONDS = 600
GZIP = b"\x1f\x8b"  # The first bytes of gzip, since senders leave out Content-Encoding.
# A longer body is stored unchanged for every connector. Only the reader process parses it.
SHORT_BODY_MAX = 64 * 1024
COUNTED_LATER = "A long body is counted when it is read; the run says what came of it."


@csrf_exempt
def receive(request: HttpRequest, pk: int, token: str) -> HttpResponse:
    """Store a push (POST), or describe the address (GET)."""
    connection, receiver = _addressed(pk, token)
    if request.method in {"GET", "HEAD"}:
        return HttpResponse(TAKES_POST, content_type="text/plain; charset=utf-8")
    if request.method != "POST":
        return problems.method_not_allowed(request, METHODS)
    limit = hit("sources", str(connection.pk))
    if limit is not None and not limit.allowed:
        return problems.later(429, limit.reset_seconds)
    try:
        return _receive_body(request, connection, receiver)
    except BodyRefused as refused:
        return problems.problem(refused.status, str(refused))
    except services.TooManyStored:
        return problems.later(429, RETRY_SECONDS)


def _addressed(pk: int, token: str) -> tuple[SourceConnection, Receiver]:
    """Return the connection with this token.

    Raises Http404 after the same work if there is none, so that timing reveals nothing.
    """
    connection = SourceConnection.objects.filter(pk=pk).first() or SourceConnection()
    receiver = connector_of(connection).receive
    if not services.is_token(connection, token) or receiver is None:
        raise Http404
    return connection, receiver


def _receive_body(
    request: HttpRequest, connection: SourceConnection, receiver: Receiver
) -> HttpResponse:
    raw = read_body(request.META, settings.IMPORT_MAX_BYTES)
    push = Push(
        secrets=connection.secrets,
        headers={name.lower(): text for name, text in request.headers.items()},
        body=_unpacked(raw),
        raw_body=raw,
    )
    received = receiver(push)
    if isinstance(received, PollRequested):
        services.poll_soon(connection, announced=received.announced)
        return JsonResponse({"received": 0, "detail": "The source will be checked."}, status=202)
    if isinstance(received, Ignored):
        return JsonResponse({"received": 0, "detail": received.sentence}, status=202)
    if push.body is None:
        run = services.store_push(connection, received, rows=0)
        answer = {"received": None, "run": run.pk, "detail": COUNTED_LATER}
        return JsonResponse(answer, status=202)
    rows, shape_key = _checked(connection, received)
    run = services.store_push(connection, received, rows=rows, shape_key=shape_key)
    return JsonResponse({"received": rows, "run": run.pk}, status=202)


def _unpacked(raw: bytes) -> bytes | None:
    """Return the unpacked body. A long body is only checked for its size, and returns None."""
    kept, size = bytearray(), 0
    try:
        for chunk in gunzip_chunks(raw) if raw.startswith(GZIP) else [raw]:
            size += len(chunk)
            if size > settings.IMPORT_MAX_BYTES:
                most = f"{settings.IMPORT_MAX_BYTES:,}"
                raise BodyRefused(413, f"The body is longer than {most} bytes when unpacked.")
            if size <= SHORT_BODY_MAX:
                kept += chunk
    except NOT_GZIP:
        raise BodyRefused(400, "The body is not gzip that can be unpacked.") from None
    return bytes(kept) if size <= SHORT_BODY_MAX else None


def _checked(connection: SourceConnection, received: Fetched) -> tuple[int, str]:
    """Return the number of rows in a push, and the key of its confirmed shape or "".

    Raises `BodyRefused`.
    """
    deleted = len(received.deleted_ids)
    if not received.content:
        return deleted, ""
    run = SourceRun(connection=connection, trigger=Trigger.PUSH, is_whole=received.is_whole)
    try:
        report = import_services.import_file(
            io.BytesIO(received.content),
            file_name=received.file_name,
            options=runs.options_of(run),
            dry_run=True,
            in_process_if_short=True,
            explain=_explain,
        )
    except FileRefused as refused:  # The reader process was killed; a retry may succeed.
        raise BodyRefused(503, refused.message) from None
    if report.shape and report.needs_confirmation:  # An administrator is asked about its members.
        return report.shape.rows + deleted, ""
    refusals = [report.refusal] if report.refusal else report.errors if report.is_refused else []
    if refusals:
        raise BodyRefused(422, str(refusals[0]["message"]))
    is_json = received.content.lstrip()[:1] in {b"{", b"["}
    return report.rows + deleted, report.shape.key if report.shape and is_json else ""


def _explain(finding: FileRefused | ReadWarning) -> str:
    """Word a refusal for senders, who post bodies rather than export files."""
    if finding.code == "no_reviews_found" and getattr(finding, "option", "") == "columns":
        return (
            "The body holds nothing that looks like reviews. Send objects with a rating (1 to 5) "
            'and a date, such as {"rating": 5, "date": "2026-01-31", "text": "..."}.'
        )
    if finding.code == "json_invalid":
        return f"The body is not valid JSON. {finding.message}"
    return finding.message
