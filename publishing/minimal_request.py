"""A request as far as it is looked at before Django is entered."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.http.request import split_domain_port, validate_host

from core.http.rate_limit import Decision
from publishing.header_cache import cached_by_header

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment


class MinimalRequest:
    """As much of a request as the throttle looks at, and where it leaves its decision."""

    __slots__ = ("META", "method", "rate_limit")

    def __init__(self, environ: "WSGIEnvironment") -> None:
        self.META = environ
        self.method = environ["REQUEST_METHOD"]
        self.rate_limit: Decision | None = None


def is_allowed_host(environ: "WSGIEnvironment") -> bool:
    """Whether the request names a host of ours; Django words the refusal of any other."""
    return _is_ours(environ.get("HTTP_HOST", ""), tuple(settings.ALLOWED_HOSTS))


@cached_by_header
def _is_ours(host: str, allowed: tuple[str, ...]) -> bool:
    return validate_host(split_domain_port(host)[0], allowed)
