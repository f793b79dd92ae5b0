"""Callback of the subscriber: confirm own requests, and receive signed content."""

import datetime as dt
import hmac
from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from websub import conf
from websub.protocol import SIGNATURE_METHODS, RequestRefused, read_body, signature
from websub.subscriber import content_received
from websub.subscriber.models import Subscription

MAX_LEASE_SECONDS = 10 * 365 * 86_400


@csrf_exempt
@require_http_methods(["GET", "POST"])
def callback(request: HttpRequest, token: str) -> HttpResponse:
    row = get_object_or_404(Subscription, token=token)
    try:
        text = _confirm(row, request.GET) if request.method == "GET" else _receive(row, request)
    except RequestRefused as refused:
        Subscription.objects.filter(pk=row.pk).update(last_error=str(refused))
        return HttpResponse(f"{refused}\n", "text/plain", refused.status)
    return HttpResponse(text, "text/plain", 200 if text else 204)


def _confirm(row: Subscription, query: Mapping[str, str]) -> str:
    """Return the challenge if this site made the request (WebSub 5.3)."""
    mode, challenge, now = query.get("hub.mode"), query.get("hub.challenge"), timezone.now()
    if not row.topic or query.get("hub.topic") != row.topic:
        raise RequestRefused(
            "The hub asked about another topic than the one of this callback.", 404
        )
    if mode == "denied":
        row.last_error = f"The hub denied the subscription. {query.get('hub.reason', '')}"[:300]
        row.expires_at, row.next_request_at = None, now + dt.timedelta(days=1)
        row.save(update_fields=["expires_at", "last_error", "next_request_at"])
        return ""
    if mode != ("subscribe" if row.is_wanted else "unsubscribe") or not challenge:
        raise RequestRefused("The hub asked to confirm what this site has not requested.", 404)
    if mode == "unsubscribe":
        row.delete()
        return challenge
    # Some hubs omit the lease, although it is required.
    text = query.get("hub.lease_seconds") or str(row.lease_seconds)
    if not (text.isascii() and text.isdecimal() and int(text[:19])):
        raise RequestRefused("The hub's hub.lease_seconds is no positive whole number.")
    lease = dt.timedelta(seconds=min(int(text[:19]), MAX_LEASE_SECONDS))
    row.expires_at, row.next_request_at, row.last_error = now + lease, now + lease / 2, ""
    row.save(update_fields=["expires_at", "last_error", "next_request_at"])
    return challenge


def _receive(row: Subscription, request: HttpRequest) -> str:
    """Check the signature of content and send it to the receivers (WebSub 7)."""
    if row.expires_at is None or not row.is_wanted:
        raise RequestRefused("A delivery came for a topic that this site does not follow.", 410)
    body = read_body(request, conf.get("WEBSUB_SUBSCRIBER_MAX_BYTES"))
    given = request.headers.get("X-Hub-Signature", "").lower().encode()
    method = given.partition(b"=")[0].decode(errors="replace")
    keys = row.secrets() if method in SIGNATURE_METHODS else []
    if not any(hmac.compare_digest(signature(k, body, method).encode(), given) for k in keys):
        raise RequestRefused("The signature of a delivery does not fit content and secret.", 403)
    kind = request.headers.get("Content-Type", "")
    content_received.send(Subscription, subscription=row, body=body, content_type=kind)
    Subscription.objects.filter(pk=row.pk).update(received_at=timezone.now())
    return ""
