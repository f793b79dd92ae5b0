"""Outscraper: reviews of a place on Google Maps, by a request that is answered later.

A request costs money, so its id is stored before the results are asked for: a worker that is killed
meanwhile, or a look that comes too early, costs no second one. Results are kept for two hours.
"""

import hashlib
import hmac
import re
from typing import Any, ClassVar
from urllib.parse import quote, urlencode, urlsplit

import orjson
from django import forms

from sources.connectors.protocol import (
    Connector,
    ConnectorForm,
    Fetched,
    Ignored,
    Look,
    PollRequested,
    Push,
    SecretField,
    Unchanged,
    ordered,
)
from sources.failures import NotThere, PushRefused, SourceFailure, shown

API = "https://api.app.outscraper.com"
HOSTS = re.compile(r"(?:[a-z0-9-]+\.)*outscraper\.(?:com|cloud)")
REQUEST_ID = re.compile(r"[\w.-]{1,100}")
POLL_SECONDS = 30
PENDING_SECONDS = 2 * 3600  # Longer than any answer took; results are gone then anyhow.
PENDING = {"Pending", "In Progress"}


class OutscraperForm(ConnectorForm):
    """A place, and a key of the account."""

    secret_fields: ClassVar[tuple[str, ...]] = ("key",)

    place = forms.CharField(
        label="Place",
        max_length=300,
        help_text="The place id of your business on Google Maps (it begins with “ChIJ”), or its "
        "address on Google Maps.",
    )
    most = forms.IntegerField(
        label="Newest reviews to fetch",
        min_value=1,
        max_value=100_000,
        initial=200,
        help_text="Each one is billed by Outscraper, at every look.",
    )
    language = forms.CharField(label="Language", max_length=10, initial="en", required=False)
    key = SecretField(label="API key", help_text="In Outscraper's app under “Profile”, “API key”.")


def fetch(look: Look) -> Fetched | Unchanged:
    """The results of the request that is under way; without one, a new request."""
    own = look.state.get("request", "")
    request = look.announced or own
    if not request:
        return _order(look)
    # Results of a request that was ordered elsewhere leave the own one under way.
    state = {} if request == own else look.state
    try:
        answer = look.client.get(f"{API}/requests/{quote(request)}", secret_headers=_key(look))
    except NotThere:
        return Unchanged(state)
    body = _body(answer.json())
    if body.get("status") in PENDING:
        if request != own:
            raise SourceFailure("Outscraper announced results that are not ready yet.")
        return _wait(look, request)
    if not _has_reviews(body.get("data")):
        return Unchanged(state)
    return Fetched(answer.content, file_name="outscraper.json", state=state)


def _order(look: Look) -> Unchanged:
    query = urlencode(
        {
            "query": look.settings["place"],
            "reviewsLimit": look.settings["most"],
            "limit": 1,
            "sort": "newest",
            "language": look.settings.get("language") or "en",
            "async": "true",
        }
    )
    body = _body(
        look.client.get(f"{API}/maps/reviews-v3?{query}", secret_headers=_key(look)).json()
    )
    request = str(body.get("id", ""))
    if not REQUEST_ID.fullmatch(request):
        raise SourceFailure("Outscraper took the request, but gave it no id. The next look asks.")
    return _wait(look, request)


def _wait(look: Look, request: str) -> Unchanged:
    return ordered(
        look,
        "request",
        request,
        poll_seconds=POLL_SECONDS,
        longest_seconds=PENDING_SECONDS,
        late="Outscraper has not finished a request within two hours. The next look asks anew.",
    )


def _body(body: Any) -> dict[str, Any]:
    """The body of an answer; raises for an error inside a 200."""
    if not isinstance(body, dict):
        raise SourceFailure("Outscraper answered with something else than an object.", state={})
    if body.get("error"):
        reason = shown(body.get("errorMessage") or body["error"])
        raise SourceFailure(
            f"Outscraper says: {reason}. Check the place and the account.", state={}
        )
    return body


def _has_reviews(data: Any) -> bool:
    """Whether any place of the results has reviews."""
    if isinstance(data, list):
        return any(_has_reviews(each) for each in data)
    return isinstance(data, dict) and bool(data.get("reviews_data") or data.get("review_id"))


def _key(look: Look) -> dict[str, str]:
    return {"X-API-KEY": look.secrets["key"]}


def receive(push: Push) -> PollRequested | Ignored:
    """The end of a request, signed with the account's key over the bytes as they came."""
    signature = hmac.new(push.secrets["key"].encode(), push.raw_body, hashlib.sha256).hexdigest()
    given = push.headers.get("x-hub-signature-256", "").removeprefix("sha256=")
    if not hmac.compare_digest(signature.encode(), given.encode()):
        raise PushRefused(
            403, "The signature does not match. Enter the API key of the account that sends this."
        )
    try:
        event = orjson.loads(push.body)
        request, status = str(event["id"]), event["status"]
        results = urlsplit(str(event.get("results_location", "")))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise PushRefused(
            422, "This is no webhook of Outscraper: “id” or “status” is missing."
        ) from None
    if results.hostname and not HOSTS.fullmatch(results.hostname):
        raise PushRefused(
            422, "The results are not at outscraper.com. Nothing is fetched from there."
        )
    if not REQUEST_ID.fullmatch(request):
        raise PushRefused(422, "The id of the request is not one of Outscraper's.")
    if str(status).upper() != "SUCCESS":
        return Ignored("Only requests that succeeded are fetched.")
    return PollRequested(announced=request)


CONNECTOR = Connector(
    name="outscraper",
    label="Outscraper",
    form=OutscraperForm,
    terms="Outscraper sells what it collects from Google Maps; whether Google allows you to show "
    "it is between you and Google.",
    help="You need an account at outscraper.com with credit. Each look orders the newest reviews "
    "of the place and fetches them when they are ready. Results of requests that you order "
    "elsewhere arrive too, if you enter this source's address as the webhook of your account.",
    interval_seconds=24 * 3600,
    fetch=fetch,
    receive=receive,
)
