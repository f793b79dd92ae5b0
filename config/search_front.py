"""The WSGI short-circuit: a search is answered before Django is entered.

Written for the machine: routing, middleware and the request object took a quarter of the CPU of a
search that has to be looked up (`python -m benchmarks.run search`). The view gives the same
answers, which tests show.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import connection

from config.logs import request_id
from config.throttling import COUNTED, ClientThrottle
from publishing.asked import Asked, names_our_host
from publishing.request_ids import RequestIds
from reviews.answers import SearchAnswer, search_reviews
from reviews.connections import close_old_connections
from reviews.public_headers import CORS_HEADERS, security_headers
from reviews.views import PATH, SearchReviewsView, asked_search, headers_of, is_held

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

METHODS = frozenset({"GET", "HEAD"})


class SearchFront:
    """Answers a search that can be answered; hands everything else to Django."""

    throttle_scope = SearchReviewsView.throttle_scope

    def __init__(self, django: "WSGIApplication") -> None:
        self._django = django
        self._request_ids = RequestIds()

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        if (
            environ["PATH_INFO"] != PATH
            or environ["REQUEST_METHOD"] not in METHODS
            or not names_our_host(environ)
        ):
            return self._django(environ, start_response)
        chosen = self._request_ids.assign(environ)
        request_id.set(chosen)
        asked = Asked(environ)
        # No question to PostgreSQL whether it is there: who finds it gone is answered by the view,
        # by a new connection. The question took as long as the search.
        connection.health_check_done = True  # type: ignore[attr-defined]
        try:
            answer = self._answer(asked)
        except Exception:  # noqa: BLE001  The view meets whatever is wrong again, and words it.
            answer = None
        finally:
            close_old_connections()
        if answer is None:
            environ[COUNTED] = asked.rate_limit
            return self._django(environ, start_response)
        headers = [*headers_of(answer), *CORS_HEADERS, ("X-Request-Id", chosen)]
        if asked.rate_limit is not None:
            headers += asked.rate_limit.headers().items()
        if is_held(answer, environ):
            start_response("304 Not Modified", headers)
            return []
        headers += [
            ("Content-Type", "application/json"),
            ("Content-Length", str(len(answer.body))),
            *security_headers(is_https=settings.IS_HTTPS),
        ]
        start_response("200 OK", headers)
        # A list goes out at once; granian streams anything else.
        return [] if asked.method == "HEAD" else [answer.body]

    def _answer(self, asked: Asked) -> SearchAnswer | None:
        """The answer, or None when the client has used up its budget."""
        search = asked_search(asked.META)
        if not ClientThrottle().allow_request(asked, self):
            return None
        return search_reviews(search)
