"""Middleware of the sign-in."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.middleware import GetResponse
from config.sign_in.limits import is_sign_in
from core.http import problems
from core.http.rate_limit import hit, try_again
from core.http.throttling import client_key

TOO_MANY = "Too many sign-ins from your network."


class SignInThrottleMiddleware:
    """Refuses sign-ins over the limit of a network before a body is read or a password hashed."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.method == "POST" and is_sign_in(request.path):
            decision = hit("sign_in", client_key(request))
            if decision is not None and not decision.allowed:
                seconds = decision.reset_seconds
                wait = {"Retry-After": str(seconds)}
                return problems.error(request, 429, f"{TOO_MANY} {try_again(seconds)}", **wait)
        return self.get_response(request)
