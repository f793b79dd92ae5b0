"""Parse and build messages of WebSub (W3C Recommendation, January 2018)."""

import hashlib
import hmac
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, quote

from guarded_http.urls import UrlRefused

MODES = ("subscribe", "unsubscribe")
KNOWN = frozenset({"hub.mode", "hub.callback", "hub.topic", "hub.secret", "hub.lease_seconds"})

FORM = "application/x-www-form-urlencoded"
MAX_BODY_BYTES = 64 * 1024
MAX_FIELDS = 100
CUT_OFF = "The body could not be read to its end."
MAX_SECRET_BYTES = 199  # WebSub 5.1: less than 200 bytes.
MAX_LEASE_SECONDS = 10**18  # More than any hub grants, and less than a column holds.
SIGNATURE_METHODS = ("sha1", "sha256", "sha384", "sha512")  # WebSub 7.1.


class RequestRefused(Exception):
    """The hub rejects a request; the message tells the developer why."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionRequest:
    """A validated request of a subscriber."""

    mode: str  # One of MODES.
    callback: str
    callback_host: str
    topic: str
    topic_as_sent: str
    secret: str = ""
    lease_seconds: int | None = None

    def __repr__(self) -> str:  # The secret must not reach a log, and the callback is a capability.
        return f"SubscriptionRequest({self.mode}, {self.topic})"


# --- The request ----------------------------------------------------------------------------------


def parse_request(
    fields: Mapping[str, str],
    *,
    topics: Collection[str],
    host_of: Callable[[str], str],
    is_subscribed: Callable[[str, str], bool] | None = None,
) -> SubscriptionRequest:
    """Validate the fields of a subscription request (WebSub 5.1); raises RequestRefused.

    `host_of` returns the host of a callback, or raises UrlRefused if the hub must not contact it.
    `is_subscribed` takes a callback and a topic. It permits unsubscribing from topics that are no
    longer served. Empty optional fields count as absent.
    """
    mode = _required(fields, "hub.mode")
    if mode == "publish":
        raise RequestRefused(
            "hub.mode=publish is not served: this hub publishes its own topics alone, "
            "and sees their changes by itself."
        )
    if mode not in MODES:
        raise RequestRefused("hub.mode must be subscribe or unsubscribe.")
    callback = _required(fields, "hub.callback")
    try:
        callback_host = host_of(callback)
    except UrlRefused as refused:
        raise RequestRefused(f"hub.callback {refused.reason}") from None
    topic_as_sent = _required(fields, "hub.topic")
    topic = decode_unreserved(topic_as_sent)
    may_end = is_subscribed if mode == "unsubscribe" else None
    if topic not in topics and not (may_end and may_end(callback, topic)):
        raise RequestRefused(f"hub.topic must be one of {', '.join(sorted(topics))}.")
    # Lease and secret of an unsubscription are ignored, even if they are invalid.
    subscribes = mode == "subscribe"
    return SubscriptionRequest(
        mode=mode,
        callback=callback,
        callback_host=callback_host,
        topic=topic,
        topic_as_sent=topic_as_sent,
        secret=_secret(fields) if subscribes else "",
        lease_seconds=_lease_seconds(fields) if subscribes else None,
    )


def parse_status_request(fields: Mapping[str, str]) -> tuple[str, str, str]:
    """Return callback, topic and secret of a status request; raises RequestRefused."""
    callback, topic = _required(fields, "hub.callback"), _required(fields, "hub.topic")
    _required(fields, "hub.secret")
    return callback, decode_unreserved(topic), _secret(fields)


def read_form(content_type: str, body: bytes, content_encoding: str = "") -> Mapping[str, str]:
    """Parse the known fields of a form body and ignore the rest; raises RequestRefused."""
    _check_type(content_type, content_encoding)
    if len(body) > MAX_BODY_BYTES:
        raise RequestRefused(f"The body is longer than {MAX_BODY_BYTES} bytes.", 413)
    # Latin-1 keeps bytes as they are, since ignored fields need not be UTF-8.
    pairs = parse_qsl(body.decode("latin-1"), keep_blank_values=True, encoding="latin-1")
    if len(pairs) > MAX_FIELDS:
        raise RequestRefused(f"The body has more than {MAX_FIELDS} fields.", 413)
    fields: dict[str, str] = {}
    for name, raw in pairs:
        if name not in KNOWN:
            continue
        if name in fields:
            raise RequestRefused(f"{name} is given more than once.")
        try:
            fields[name] = raw.encode("latin-1").decode()
        except UnicodeDecodeError:
            raise RequestRefused(f"{name} is not valid UTF-8.") from None
        if "\0" in fields[name]:
            raise RequestRefused(f"{name} holds a NUL character.")
    return fields


def read_body(request: Any, limit: int) -> bytes:
    """Read the body of a Django request, chunked or not; raises RequestRefused."""
    environ, stream = request.META, request
    given = environ.get("CONTENT_LENGTH") or ""
    expected = int(given[:19]) if given.isdecimal() else 0  # 19 digits exceed any limit.
    if not given and environ.get("HTTP_TRANSFER_ENCODING") and "wsgi.input" in environ:
        # Django does not read chunked bodies; servers that do set `wsgi.input_terminated`.
        if not environ.get("wsgi.input_terminated"):
            raise RequestRefused("The body must come with a Content-Length.", 411)
        stream = environ["wsgi.input"]
    try:
        body: bytes = stream.read(limit + 1) if expected <= limit else b""
    except OSError:
        raise RequestRefused(CUT_OFF) from None
    if max(expected, len(body)) > limit:
        raise RequestRefused(f"The body is longer than {limit} bytes.", 413)
    if len(body) < expected:
        raise RequestRefused(CUT_OFF)
    return body


def _check_type(content_type: str, content_encoding: str) -> None:
    if content_encoding.strip().lower() not in {"", "identity"}:
        raise RequestRefused(
            "The body must not be compressed: send it without Content-Encoding.", 415
        )
    media_type, _, parameters = content_type.partition(";")
    if media_type.strip().lower() != FORM:
        raise RequestRefused(f"The body must be sent as {FORM}.", 415)
    charset = _CHARSET.search(parameters)
    if charset and charset[1].lower() not in {"utf-8", "utf8", "us-ascii"}:
        raise RequestRefused("The body must be sent as UTF-8.", 415)


def _required(fields: Mapping[str, str], name: str) -> str:
    if not (value := fields.get(name, "")):
        raise RequestRefused(f"{name} is missing or empty.")
    return value


def _secret(fields: Mapping[str, str]) -> str:
    secret = fields.get("hub.secret", "")
    if len(secret.encode()) > MAX_SECRET_BYTES:
        raise RequestRefused(
            f"hub.secret must be 1 to {MAX_SECRET_BYTES} bytes long; leave it out for none."
        )
    return secret


def _lease_seconds(fields: Mapping[str, str]) -> int | None:
    text = fields.get("hub.lease_seconds", "")
    if not text:
        return None
    digits = text.lstrip("0")
    if not re.fullmatch(r"[0-9]+", digits):
        raise RequestRefused("hub.lease_seconds must be a positive whole number of seconds.")
    # Python refuses to parse thousands of digits. The granted lease is bounded anyway.
    return min(int(digits[:19]), MAX_LEASE_SECONDS)


_CHARSET = re.compile(r"(?:^|;)\s*charset\s*=\s*\"?([^\s\";]*)", re.IGNORECASE)
_ESCAPE = re.compile("%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def decode_unreserved(url: str) -> str:
    """Decode percent-encoded unreserved characters (RFC 3986 6.2.2.2)."""

    def decoded(escape: re.Match[str]) -> str:
        character = chr(int(escape[1], 16))
        return character if character in _UNRESERVED else escape[0]

    return _ESCAPE.sub(decoded, url)


# --- Messages of the hub --------------------------------------------------------------------------


def with_query(callback: str, parameters: Mapping[str, str]) -> str:
    """Append parameters to the query of a callback (WebSub 5.3).

    The rest of the callback stays unchanged, byte for byte, since it is a capability.
    """
    query = "&".join(f"{name}={quote(value, safe='')}" for name, value in parameters.items())
    _, mark, existing = callback.partition("?")
    if not mark:
        return f"{callback}?{query}"
    # A later question mark belongs to a value (RFC 3986 3.4).
    return f"{callback}{query}" if existing.endswith("&") or not existing else f"{callback}&{query}"


def link_header(hub: str, topic: str) -> str:
    """Return the `Link` header of a delivery (WebSub 7)."""
    return f'<{hub}>; rel="hub", <{topic}>; rel="self"'


def signature(secret: str, body: bytes, method: str) -> str:
    """Return the value of `X-Hub-Signature` (WebSub 7.1): `method=` and the HMAC in hex."""
    return f"{method}={hmac.new(secret.encode(), body, getattr(hashlib, method)).hexdigest()}"
