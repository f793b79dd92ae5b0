"""Endpoints of the hub (WebSub 5). Error responses are one sentence for the developer."""

import datetime as dt
import json
import logging
from collections.abc import Mapping
from typing import Any

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import csrf_exempt

from websub import conf, rate_limit, services, status
from websub.protocol import (
    MAX_BODY_BYTES,
    RequestRefused,
    parse_request,
    parse_status_request,
    read_body,
    read_form,
)
from websub.topics import topics

logger = logging.getLogger(__name__)

ALLOW = "POST, OPTIONS"
RETRY_AFTER_SECONDS = 5


class CannotCount(Exception):
    """The rate limiter failed; the hub accepts no uncounted request."""


@method_decorator(csrf_exempt, name="dispatch")
class SubscriberView(View):
    """Base of the endpoints for subscribers: a form POST with a rate limit per client."""

    http_method_names = ["post", "options"]
    wrong_method = "Send a POST request with a form."

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        decision = None
        if request.method != "OPTIONS":
            client = conf.imported("WEBSUB_CLIENT_KEY")(request)
            decision = rate_limit.check("hub", client)
        try:
            if decision is not None:
                _check_limit(request, decision)
            response = super().dispatch(request)
        except RequestRefused as error:
            seconds = getattr(error, "retry_after_seconds", None)
            response = _sentence(error.status, str(error), retry_after=seconds)
        except (CannotCount, OperationalError, InterfaceError) as error:
            logger.error("No subscription request can be taken: %s", error)
            sentence = (
                "Subscriptions cannot be taken at the moment. Please try again in a few seconds."
            )
            response = _sentence(503, sentence, retry_after=RETRY_AFTER_SECONDS)
        response.headers["Allow"] = ALLOW
        for name, value in decision.headers().items() if decision else ():
            response.headers[name] = value
        return response

    def fields(self) -> Mapping[str, str]:
        """Parse the request's form; raises RequestRefused."""
        headers = self.request.headers
        content_type, coding = headers.get("Content-Type", ""), headers.get("Content-Encoding", "")
        return read_form(content_type, read_body(self.request, MAX_BODY_BYTES), coding)

    def http_method_not_allowed(
        self, request: HttpRequest, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        return _sentence(405, self.wrong_method)


class HubView(SubscriberView):
    """Accept subscription requests, and verify their intent later (WebSub 5.3)."""

    wrong_method = "Send a POST request with a form; see https://www.w3.org/TR/websub/."

    def post(self, request: HttpRequest) -> HttpResponse:
        if request.headers.get("User-Agent", "").startswith(f"{conf.get('WEBSUB_PRODUCT')}/"):
            # A callback at a hub could create a loop.
            raise RequestRefused("A hub cannot subscribe at a hub.", 403)
        services.request_subscription(
            parse_request(
                self.fields(),
                topics=topics(),
                host_of=conf.callback_host,
                is_subscribed=services.is_subscribed,
            )
        )
        accepted = HttpResponse(status=202)
        del accepted.headers["Content-Type"]
        return accepted


class StatusView(SubscriberView):
    """Return a subscription's status to a subscriber that knows its secret."""

    def post(self, request: HttpRequest) -> HttpResponse:
        return JsonResponse(
            status.read_status(*parse_status_request(self.fields())),
            json_dumps_params={"separators": (",", ":"), "ensure_ascii": False},
            encoder=_Encoder,
            headers={"Cache-Control": "no-store"},
        )


class _Encoder(json.JSONEncoder):
    """Encode times in UTC, to the second."""

    def default(self, o: Any) -> Any:
        if isinstance(o, dt.datetime):
            return o.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return super().default(o)


def _check_limit(request: HttpRequest, decision: rate_limit.Decision) -> None:
    """Raise HubAtCapacity over the limit, and CannotCount for an uncounted POST."""
    if not decision.allowed:
        seconds = decision.reset_seconds
        plural = "" if seconds == 1 else "s"
        sentence = f"Too many requests from your address. Please try again in {seconds} second"
        raise services.HubAtCapacity(f"{sentence}{plural}.", seconds)
    if request.method == "POST" and not decision.counted:
        raise CannotCount("requests cannot be counted")


def _sentence(code: int, sentence: str, *, retry_after: int | None = None) -> HttpResponse:
    logger.info("Refused a request to the hub with %d: %s", code, sentence)
    answer = HttpResponse(f"{sentence}\n", status=code, content_type="text/plain; charset=utf-8")
    if retry_after is not None:
        answer.headers["Retry-After"] = str(retry_after)
    return answer
