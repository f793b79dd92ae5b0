"""The hub's endpoints (WebSub 5): every answer is empty or a plain sentence for the developer."""

import logging
import math
from collections.abc import Callable, Mapping
from typing import Any

import orjson
from django.http import HttpResponse
from rest_framework.exceptions import APIException, MethodNotAllowed, Throttled
from rest_framework.request import Request
from rest_framework.views import APIView

from core.db.errors import DATABASE_AWAY, RETRY_AFTER_SECONDS
from core.http.rate_limit import try_again
from core.http.request_body import BodyRefused, TooManyBodies, read_body
from websub import conf, services, status
from websub.protocol import MAX_BODY_BYTES, RequestRefused, parse_request, parse_status_request

logger = logging.getLogger(__name__)

JSON_OPTIONS = orjson.OPT_UTC_Z | orjson.OPT_OMIT_MICROSECONDS


class SubscriberView(APIView):
    """A form of subscribers, counted against one budget and refused in plain sentences."""

    http_method_names = ("post", "options")
    throttle_scope = "hub"
    schema = None  # The description lists the read side; the hub is discovered by its links.
    wrong_method = "Send a POST request with a form."

    def get_exception_handler(self) -> Callable[..., HttpResponse | None]:
        return refusal


class HubView(SubscriberView):
    """Takes subscription requests; whether they are meant is verified afterwards (WebSub 5.3)."""

    wrong_method = "Send a POST request with a form; see https://www.w3.org/TR/websub/."

    def post(self, request: Request) -> HttpResponse:
        _refuse_uncounted(request)
        _refuse_hubs(request)
        services.request_subscription(
            parse_request(
                request.headers.get("Content-Type", ""),
                read_body(request.META, MAX_BODY_BYTES),
                topics=conf.topics(),
                policy=conf.policy(),
                content_encoding=request.headers.get("Content-Encoding", ""),
                is_subscribed=services.is_subscribed,
            )
        )
        accepted = HttpResponse(status=202)
        del accepted.headers["Content-Type"]
        return accepted


class StatusView(SubscriberView):
    """Tells a subscriber that knows the secret how its subscription is doing."""

    def post(self, request: Request) -> HttpResponse:
        _refuse_uncounted(request)
        asked = parse_status_request(
            request.headers.get("Content-Type", ""),
            read_body(request.META, MAX_BODY_BYTES),
            request.headers.get("X-Hub-Signature", ""),
            content_encoding=request.headers.get("Content-Encoding", ""),
        )
        body = orjson.dumps(status.read_status(asked), option=JSON_OPTIONS)
        return HttpResponse(
            body, content_type="application/json", headers={"Cache-Control": "no-store"}
        )


def _refuse_hubs(request: Request) -> None:
    """A callback that is another hub, or leads back to this one, must not set off a loop."""
    if request.headers.get("User-Agent", "").startswith(f"{conf.PRODUCT}/"):
        raise RequestRefused("A hub cannot subscribe at a hub.", 403)


class CannotCount(APIException):
    """Strangers make this hub send requests to others: without a count it takes none."""

    status_code = 503


def _refuse_uncounted(request: Request) -> None:
    decision = getattr(request, "rate_limit", None)
    if decision is not None and not decision.counted:
        raise CannotCount


# --- Errors ---------------------------------------------------------------------------------------


def refusal(error: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """The sentence for what was raised (WebSub 5.2); None for what nobody foresaw."""
    if isinstance(error, (services.HubAtCapacity, TooManyBodies)):
        return _sentence(error.status, str(error), retry_after=error.retry_after_seconds)
    if isinstance(error, (RequestRefused, BodyRefused)):
        return _sentence(error.status, str(error))
    if isinstance(error, MethodNotAllowed):
        answer = _sentence(405, context["view"].wrong_method)
        answer.headers["Allow"] = "POST, OPTIONS"
        return answer
    if isinstance(error, Throttled):
        seconds = math.ceil(getattr(error, "wait", None) or 1)
        sentence = f"Too many requests from your address. {try_again(seconds)}"
        return _sentence(429, sentence, retry_after=seconds)
    if isinstance(error, (CannotCount, *DATABASE_AWAY)):
        logger.error("No subscription request can be taken: %s", error)
        sentence = "Subscriptions cannot be taken at the moment. Please try again in a few seconds."
        return _sentence(503, sentence, retry_after=RETRY_AFTER_SECONDS)
    return None


def _sentence(code: int, sentence: str, *, retry_after: int | None = None) -> HttpResponse:
    logger.info("Refused a request to the hub with %d: %s", code, sentence)
    answer = HttpResponse(f"{sentence}\n", status=code, content_type="text/plain; charset=utf-8")
    if retry_after is not None:
        answer.headers["Retry-After"] = str(retry_after)
    return answer
