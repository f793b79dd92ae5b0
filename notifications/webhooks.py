"""Send webhooks, signed as Standard Webhooks 1.0 or formatted for a chat.

https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
"""

import hmac
import json
import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.utils import timezone

from guarded_http import Client, Limits, Outcome, parse_networks, parse_ports
from guarded_http.urls import check_url
from notifications.models import Endpoint, Event, Message
from notifications.texts import EventText, one_line, text_of
from reviews import VERSION

CONNECT_SECONDS = 5.0
TOTAL_SECONDS = 15.0
ANSWER_BYTES = 500
PORTS = parse_ports("443,8443,1024-65535")
JSON = "application/json"
_MARKDOWN = re.compile(r"([\\`*_~|\[\]()#>@<-])")


def check_address(url: str) -> None:
    """Raise `UrlRefused` for an address that may not be contacted."""
    check_url(url, _client(), base_url=settings.BASE_URL)


def send(message: Message, endpoint: Endpoint, event: Event) -> tuple[Outcome, bytes]:
    """Post one message. Return the outcome and the body that was sent.

    Raises `core.secrets.SecretLost`.
    """
    body, headers = render(endpoint.format, event)
    if endpoint.format == Endpoint.Format.STANDARD:
        headers |= signed_headers(message.uid, endpoint.signing_secrets(), body)
    limits = Limits(CONNECT_SECONDS, TOTAL_SECONDS, read_bytes=ANSWER_BYTES)
    outcome = _client().request("POST", endpoint.url, limits, headers=headers, body=body)
    return outcome, body


def signed_headers(uid: str, secrets: Sequence[str], body: bytes) -> dict[str, str]:
    """Return the headers of Standard Webhooks, with one signature for each secret."""
    identifier, timestamp = f"msg_{uid}", str(int(timezone.now().timestamp()))
    content = b".".join((identifier.encode(), timestamp.encode(), body))
    signatures = [signature(secret, content) for secret in secrets]
    return {
        "webhook-id": identifier,
        "webhook-timestamp": timestamp,
        "webhook-signature": " ".join(signatures),
    }


def signature(secret: str, content: bytes) -> str:
    key = b64decode(secret.removeprefix("whsec_"))
    return f"v1,{b64encode(hmac.digest(key, content, sha256)).decode()}"


# --- Bodies ---------------------------------------------------------------------------------------


def render(form: str, event: Event) -> tuple[bytes, dict[str, str]]:
    """Return body and headers of an event in a format."""
    if form == Endpoint.Format.STANDARD:
        shown = {"type": event.type, "timestamp": event.at.isoformat(), "data": event.data}
        return _json(shown), {"Content-Type": JSON}
    text = text_of(event)
    if form == Endpoint.Format.NTFY:
        headers = {"Content-Type": "text/plain; charset=utf-8", "Title": _ascii(text.title)}
        return text.body.encode(), headers | ({"Click": text.url} if text.url else {})
    return _json(_CHATS[form](text)), {"Content-Type": JSON}


def _slack(text: EventText) -> dict[str, Any]:
    plain = f"{text.title}\n{text.body}\n{text.url}".strip()
    for letter, escaped in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        plain = plain.replace(letter, escaped)
    return {"text": plain}


def _discord(text: EventText) -> dict[str, Any]:
    escaped = _MARKDOWN.sub(r"\\\1", f"{text.title}\n{text.body}")
    content = f"{escaped[:1800]}\n{text.url}".strip()
    return {"content": content, "allowed_mentions": {"parse": []}}


def _teams(text: EventText) -> dict[str, Any]:
    def block(words: str, **style: str) -> dict[str, Any]:
        # A TextRun is plain text. A TextBlock would be parsed as Markdown.
        return {"type": "RichTextBlock", "inlines": [{"type": "TextRun", "text": words, **style}]}

    card: dict[str, Any] = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "body": [block(text.title, weight="bolder"), block(text.body)],
    }
    if text.url:
        card["actions"] = [{"type": "Action.OpenUrl", "title": text.link, "url": text.url}]
    kind = "application/vnd.microsoft.card.adaptive"
    return {"type": "message", "attachments": [{"contentType": kind, "content": card}]}


_CHATS: dict[str, Callable[[EventText], dict[str, Any]]] = {
    Endpoint.Format.SLACK: _slack,
    Endpoint.Format.DISCORD: _discord,
    Endpoint.Format.TEAMS: _teams,
}


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _ascii(text: str) -> str:
    """Return the value of a header, encoded by RFC 2047 if it is not ASCII."""
    line = one_line(text)
    if line.isascii():
        return line
    return f"=?UTF-8?B?{b64encode(line.encode()).decode()}?="


def _client() -> Client:
    networks = parse_networks(settings.WEBHOOKS_ALLOWED_NETWORKS)
    return Client(
        user_agent=f"Reviews/{VERSION} (+{settings.BASE_URL})",
        ports=PORTS,
        allow_nets=networks,
        allows_http=bool(networks),
        peer="receiver",
        ca_bundle=settings.WEBSUB_CA_BUNDLE,
    )
