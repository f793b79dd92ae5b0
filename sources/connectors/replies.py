"""Protocol of replies to a provider, and the request that all implementations share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import orjson
from django.utils.translation import gettext as _

from guarded_http.client import retry_after_seconds
from sources.client import (
    CredentialsRefused,
    RequestRefused,
    Response,
    SourceClient,
    SourceFailure,
    sanitize,
)

ERRORS = frozenset(range(400, 600))
TOO_OFTEN = 429


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyCall:
    """A reply to send. An earlier attempt may have delivered it already."""

    settings: Mapping[str, Any]
    secrets: Mapping[str, str]
    client: SourceClient
    external_id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Replies:
    """The reply API of a provider.

    `reaches` tells whether a connection with these settings and secrets covers the review with this
    id. `send` raises `SourceFailure`; a `CredentialsRefused` or `RequestRefused` is final.
    """

    source: str
    reaches: Callable[[Mapping[str, Any], Mapping[str, str], str], bool]
    send: Callable[[ReplyCall], None]
    longest: int = 0  # Maximum length in bytes, 0 if no limit is known.


def request(
    call: ReplyCall,
    method: str,
    url: str,
    body: Any,
    *,
    site: str,
    secret_headers: Mapping[str, str],
) -> Response:
    """Send a JSON body. A refusal quotes the message of the provider."""
    response = call.client.post(
        url,
        orjson.dumps(body),
        method=method,
        secret_headers=secret_headers,
        returned=ERRORS,
    )
    if response.status not in ERRORS:
        return response
    names = {"site": site, "status": response.status}
    if response.status == 401:
        raise CredentialsRefused(
            _(
                "%(site)s no longer grants access. Open the source, sign in again or renew "
                "its keys, and send the reply again."
            )
            % names
        )
    if response.status == TOO_OFTEN or response.status >= 500:
        wait = retry_after_seconds(response.headers.get("retry-after", ""), datetime.now(UTC))
        sentence = _("%(site)s accepts no replies at the moment (HTTP %(status)d).") % names
        raise SourceFailure(sentence, retry_after_seconds=wait)
    if not (says := _words(response)):
        raise RequestRefused(_("%(site)s refuses the reply (HTTP %(status)d).") % names)
    sentence = _("%(site)s refuses the reply: %(says)s (HTTP %(status)d).")
    raise RequestRefused(sentence % {**names, "says": says})


def _words(response: Response) -> str:
    """Return the error message in the usual members of the body."""
    try:
        body = response.json()
    except SourceFailure:
        return ""
    error = body.get("error", body) if isinstance(body, dict) else ""
    says = error.get("message", "") if isinstance(error, dict) else error
    return sanitize(says) if isinstance(says, str) else ""
