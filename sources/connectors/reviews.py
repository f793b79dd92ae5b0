"""Another installation of this project: `/reviews.json` by conditional requests, and by WebSub.

Where this installation can be reached by https, it subscribes at the other one's hub; a change then
arrives, signed, within seconds. The regular look goes on beside it, and renews the subscription.
"""

import hashlib
import hmac
import logging
import re
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import timezone

from sources.client import Answer
from sources.connectors.protocol import Connector, ConnectorForm, Fetched, Look, Push, Unchanged
from sources.failures import PushRefused, SourceFailure
from websub.protocol import signature

logger = logging.getLogger(__name__)

PATH = "/reviews.json"
LEASE_SECONDS = 7 * 24 * 3600
RETRY_SECONDS = 3600.0
METHODS = ("sha512", "sha384", "sha256")  # RFC 2104 with SHA-1 is not taken.
_LINK = re.compile(r"<([^<>]+)>\s*;[^,]*?\brel=\"?(hub|self)\"?")


class ReviewsForm(ConnectorForm):
    """The address of the other installation."""

    address = forms.URLField(
        label="Address of the other installation",
        assume_scheme="https",
        help_text="Its front page, like https://reviews.example.com.",
    )

    def clean_address(self) -> str:
        """The address without a path of one of its documents."""
        parts = urlsplit(self.cleaned_data["address"])
        if parts.username is not None:
            raise ValidationError("Enter the address without a user name.")
        path = parts.path.removesuffix(PATH).rstrip("/")
        return str(parts._replace(path=path, query="", fragment="").geturl())


def fetch(look: Look) -> Fetched | Unchanged:
    """The reviews, if they changed; the subscription is renewed beside."""
    answer = look.client.get(f"{look.settings['address']}{PATH}", etag=look.state.get("etag", ""))
    state = {**look.state, **_subscribed(look, answer)}
    if answer.is_unchanged:
        return Unchanged(None if state == look.state else state)
    if answer.is_page:
        raise SourceFailure(
            "The address answers with a web page instead of reviews. Enter the front page of an "
            "installation of Reviews."
        )
    return Fetched(
        answer.content,
        file_name="reviews.json",
        state={**state, "etag": answer.etag},
        is_whole=True,
    )


# --- WebSub ---------------------------------------------------------------------------------------


def _subscribed(look: Look, answer: Answer) -> dict[str, Any]:
    """Ask the hub for a subscription when it is due (WebSub 5.1); what to remember of it."""
    now = timezone.now().timestamp()
    found = {relation: url for url, relation in _LINK.findall(answer.headers.get("link", ""))}
    is_reachable = settings.BASE_URL.startswith("https://") and look.push_address
    if not is_reachable or "hub" not in found or now < look.state.get("subscribe_at", 0.0):
        return {}
    topic = urljoin(answer.url, found.get("self", answer.url))
    form = {
        "hub.mode": "subscribe",
        "hub.topic": topic,
        "hub.callback": look.push_address,
        "hub.secret": _secret(look.secrets["token"]),
        "hub.lease_seconds": LEASE_SECONDS,
    }
    try:
        look.client.post(
            urljoin(answer.url, found["hub"]),
            urlencode(form).encode(),
            content_type="application/x-www-form-urlencoded",
        )
    except SourceFailure as failure:
        # The regular look brings the same, only later.
        logger.info("Source %d has no subscription: %s", look.connection_id, failure)
        return {"topic": topic, "subscribe_at": now + RETRY_SECONDS}
    return {"topic": topic, "subscribe_at": now + LEASE_SECONDS / 2}


def _secret(token: str) -> str:
    """The secret of the subscription, which follows from the token of the address."""
    return hmac.new(token.encode(), b"websub", hashlib.sha256).hexdigest()


def verify(push: Push) -> str | None:
    """The challenge of a subscription that we asked for (WebSub 5.3)."""
    if push.query.get("hub.mode") != "subscribe" or not push.state.get("topic"):
        return None
    if push.query.get("hub.topic") != push.state["topic"]:
        return None
    return push.query.get("hub.challenge")


def receive(push: Push) -> Fetched:
    """A signed delivery of all reviews (WebSub 7.1)."""
    method, _, given = push.headers.get("x-hub-signature", "").partition("=")
    secret = _secret(push.secrets["token"])
    expected = signature(secret, push.raw_body, method) if method in METHODS else ""
    if not expected or not hmac.compare_digest(expected.partition("=")[2], given.lower()):
        raise PushRefused(403, "The signature does not match that of the subscription.")
    return Fetched(push.body, file_name="reviews.json", is_whole=True)


CONNECTOR = Connector(
    name="reviews",
    label="Another installation of Reviews",
    form=ReviewsForm,
    terms="Its owner decides what may be shown elsewhere.",
    help="A mirror, a staging copy, or an overview of several businesses. All that the other "
    "installation publishes is taken over, and changes arrive within seconds where both can be "
    "reached by https.",
    interval_seconds=3600,
    fetch=fetch,
    receive=receive,
    verify=verify,
)
