"""Announce the hub in `Link` headers (WebSub 4)."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import decorator_from_middleware
from django.utils.deprecation import MiddlewareMixin

from websub import conf
from websub.protocol import decode_unreserved, link_header
from websub.topics import topics


class HubLinkMiddleware(MiddlewareMixin):
    """Add `rel="hub"` and `rel="self"` links to responses at URLs of topics."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        url = decode_unreserved(f"{conf.get('WEBSUB_BASE_URL')}{request.get_full_path()}")
        if response.status_code in {200, 304} and url in topics():
            links = [response.headers.get("Link"), link_header(conf.hub_url(), url)]
            response.headers["Link"] = ", ".join(filter(None, links))
        return response


hub_links = decorator_from_middleware(HubLinkMiddleware)  # For single views.
