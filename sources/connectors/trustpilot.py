"""Trustpilot: service reviews by the API with a key, and webhooks.

A webhook's body holds several events. A deletion is told outright, and is acted on.
"""

import re
from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import quote, urlencode

import orjson
from django import forms
from django.utils import timezone

from sources.connectors.protocol import (
    Connector,
    ConnectorForm,
    Fetched,
    Ignored,
    Look,
    Push,
    SecretField,
    Unchanged,
)
from sources.failures import PushRefused, SourceFailure

API = "https://api.trustpilot.com/v1"
PAGE = 100
MOST_PAGES = 300
WHOLE_SECONDS = 30 * 24 * 3600
NEWEST_KEPT = 200
_UNIT_ID = re.compile(r"[0-9a-f]{24}")
_CHANGE = re.compile(r"(?:service|product)-review-(?:created|updated)")
_DELETION = re.compile(r"(?:service|product)-review-deleted")


class TrustpilotForm(ConnectorForm):
    """The business and a key of the API; without a key, webhooks alone."""

    secret_fields: ClassVar[tuple[str, ...]] = ("key",)

    business = forms.CharField(
        label="Your domain on Trustpilot",
        max_length=200,
        help_text="As in the address of your page: www.example.com.",
    )
    key = SecretField(
        label="API key",
        required=False,
        help_text="Under “Integrations”, “Developers”, “APIs”; part of paid plans. Without it only "
        "what webhooks bring is imported.",
    )

    def clean_business(self) -> str:
        """The domain in an address that was pasted."""
        given: str = self.cleaned_data["business"].strip()
        return re.sub(r"^(?:https?://)?(?:[\w.-]+/review/)?|[/?#].*$", "", given)


def fetch(look: Look) -> Fetched | Unchanged:
    """The newest pages, or all of them at times."""
    if not look.secrets.get("key"):
        return Unchanged()
    now = timezone.now().timestamp()
    unit = look.state.get("unit") or _find_unit(look)
    known: Mapping[str, Any] = look.state.get("newest", {})
    is_whole = not known or now - look.state.get("whole_at", 0.0) > WHOLE_SECONDS
    reviews: list[dict[str, Any]] = []
    has_news = False
    for number in range(1, MOST_PAGES + 1):
        query = urlencode({"perPage": PAGE, "page": number, "orderBy": "createdat.desc"})
        page = _reviews(_get(look, f"business-units/{quote(unit)}/reviews?{query}"))
        fresh = [each for each in page if known.get(each["id"]) != _version(each)]
        reviews += page
        has_news = has_news or bool(fresh)
        if len(page) < PAGE or (not fresh and not is_whole):
            break
    state = {
        "unit": unit,
        "newest": {each["id"]: _version(each) for each in reviews[:NEWEST_KEPT]},
        "whole_at": now if is_whole else look.state["whole_at"],
    }
    if not has_news:
        return Unchanged(state if is_whole else None)
    return Fetched(orjson.dumps({"reviews": reviews}), file_name="trustpilot.json", state=state)


def _find_unit(look: Look) -> str:
    query = urlencode({"name": look.settings["business"]})
    unit = _get(look, f"business-units/find?{query}").get("id")
    if not isinstance(unit, str) or not _UNIT_ID.fullmatch(unit):
        raise SourceFailure("Trustpilot does not know this domain. Copy it from your page there.")
    return unit


def _get(look: Look, path: str) -> dict[str, Any]:
    body = look.client.get(f"{API}/{path}", secret_headers={"apikey": look.secrets["key"]}).json()
    if not isinstance(body, dict):
        raise SourceFailure("Trustpilot answered with something else than an object.")
    return body


def _reviews(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    given = body.get("reviews") or []
    return [each for each in given if isinstance(each, dict) and isinstance(each.get("id"), str)]


def _version(review: Mapping[str, Any]) -> list[Any]:
    """The last changes of a review and of its reply."""
    reply = review.get("companyReply")
    replied = reply.get("updatedAt") or reply.get("createdAt") if isinstance(reply, dict) else None
    return [review.get("updatedAt"), replied]


def receive(push: Push) -> Fetched | Ignored:
    """The events of a webhook; those that are no review's, like a test, are passed over."""
    changes, deleted = split_events(push.body)
    if not changes and not deleted:
        return Ignored("No event of a review: nothing to import.")
    content = orjson.dumps({"events": changes}) if changes else b""
    return Fetched(content, "trustpilot.json", deleted_ids=deleted, is_always_new=True)


def split_events(body: bytes) -> tuple[list[Any], list[str]]:
    """Events of new and changed reviews, and ids of deleted ones; raises `PushRefused`."""
    try:
        events = orjson.loads(body)["events"]
    except (ValueError, KeyError, TypeError):
        events = None
    if not isinstance(events, list):
        raise PushRefused(422, "This is no webhook of Trustpilot: the list “events” is missing.")
    named = [(str(each.get("eventName", "")), each) for each in events if isinstance(each, dict)]
    deletions = [each.get("eventData") for name, each in named if _DELETION.fullmatch(name)]
    deleted = [data["id"] for data in deletions if isinstance(data, dict) and data.get("id")]
    changes = [each for name, each in named if _CHANGE.fullmatch(name)]
    return changes, [str(each) for each in deleted]


CONNECTOR = Connector(
    name="trustpilot",
    label="Trustpilot",
    form=TrustpilotForm,
    terms="Trustpilot's terms say how its reviews may be shown; read them before you publish.",
    help="Webhooks bring each new, changed and deleted review at once: in Trustpilot Business "
    "under “Integrations”, “Developers”, “Webhooks” enter this source's address. With a key of the "
    "API the reviews of before are fetched as well.",
    interval_seconds=6 * 3600,
    fetch=fetch,
    receive=receive,
)
