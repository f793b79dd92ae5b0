"""The protocol of replies that are sent to a maker, and the request that all of them make."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import orjson
from django.utils.translation import gettext as _

from guarded_http.client import retry_after_seconds
from sources.client import (
    Answer,
    CredentialsRefused,
    RequestRefused,
    SourceClient,
    SourceFailure,
    shown,
)

ERRORS = frozenset(range(400, 600))
TOO_OFTEN = 429


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyCall:
    """A reply to be sent; an earlier try may have brought it there."""

    settings: Mapping[str, Any]
    secrets: Mapping[str, str]
    client: SourceClient
    external_id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Replies:
    """How a maker takes replies.

    `reaches` tells whether a connection with these settings and secrets reaches the review of an
    id. `send` raises `SourceFailure`: a `CredentialsRefused` or `RequestRefused` is final.
    """

    source: str
    reaches: Callable[[Mapping[str, Any], Mapping[str, str], str], bool]
    send: Callable[[ReplyCall], None]
    longest: int = 0  # Bytes; 0: no limit is known.


def request(
    call: ReplyCall,
    method: str,
    url: str,
    body: Any,
    *,
    site: str,
    secret_headers: Mapping[str, str],
) -> Answer:
    """Send a JSON body; a refusal has the maker's words."""
    answer = call.client.post(
        url,
        orjson.dumps(body),
        method=method,
        secret_headers=secret_headers,
        returned=ERRORS,
    )
    if answer.status not in ERRORS:
        return answer
    names = {"site": site, "status": answer.status}
    if answer.status == 401:
        raise CredentialsRefused(
            _(
                "%(site)s does not accept the access any more. Open the source, sign in again or "
                "renew its keys, and send the reply again."
            )
            % names
        )
    if answer.status == TOO_OFTEN or answer.status >= 500:
        wait = retry_after_seconds(answer.headers.get("retry-after", ""), datetime.now(UTC))
        sentence = _("%(site)s takes no replies at this moment (HTTP %(status)d).") % names
        raise SourceFailure(sentence, retry_after_seconds=wait)
    if not (says := _words(answer)):
        raise RequestRefused(_("%(site)s refuses the reply (HTTP %(status)d).") % names)
    sentence = _("%(site)s refuses the reply: %(says)s (HTTP %(status)d).")
    raise RequestRefused(sentence % {**names, "says": says})


def _words(answer: Answer) -> str:
    """The maker's reason in the usual members of an error."""
    try:
        body = answer.json()
    except SourceFailure:
        return ""
    error = body.get("error", body) if isinstance(body, dict) else ""
    says = error.get("message", "") if isinstance(error, dict) else error
    return shown(says) if isinstance(says, str) else ""
