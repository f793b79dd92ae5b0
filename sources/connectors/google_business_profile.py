"""Fetch an owner's reviews from Google Business Profile, by the official API and OAuth 2.

The pages list the last changed reviews first. A poll ends after two pages without news; every 30
days it reads all pages. Google says that pages after the first may miss reviews, so a missing
review counts as deleted only if a request for it gets a 404.
"""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar
from urllib.parse import quote

import orjson
from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy

from sources.client import CredentialsRefused, NotFound
from sources.connectors.protocol import (
    Connector,
    ConnectorForm,
    Fetched,
    Poll,
    SecretField,
    Unchanged,
)
from sources.connectors.replies import Replies, ReplyCall, request
from sources.google_oauth import GoogleAccount

API = "https://mybusiness.googleapis.com/v4"
PAGE = 50
MAX_PAGES = 500
PAGES_WITHOUT_NEWS = 2  # A known page, and one more as an overlap.
FULL_POLL_SECONDS = 30 * 24 * 3600
MAX_REPLY_BYTES = 4096  # Bytes.
MAX_CHECKED = 20  # Missing reviews that one poll checks.
NOT_CONNECTED = (
    "The source is not connected to Google yet. Save it, then choose “Connect with Google”."
)
NO_LOCATION = "No location is chosen. Choose “Connect with Google” again, and then your locations."


class GoogleForm(ConnectorForm):
    """The owner's own OAuth client."""

    secret_fields: ClassVar[tuple[str, ...]] = ("client_secret",)

    client_id = forms.CharField(
        label=gettext_lazy("Client id"),
        max_length=300,
        help_text=gettext_lazy(
            "In Google's Cloud console under “APIs & Services”, “Credentials”: an OAuth "
            "client of the type “Web application”. It ends with .apps.googleusercontent.com."
        ),
    )
    client_secret = SecretField(
        label=gettext_lazy("Client secret"),
        help_text=gettext_lazy("Shown once, when you create the client."),
    )


def fetch(poll: Poll) -> Fetched | Unchanged:
    """Fetch new and changed reviews, and the ids of deleted ones."""
    if "refresh_token" not in poll.secrets:
        raise CredentialsRefused(NOT_CONNECTED)
    locations = poll.settings.get("locations") or []
    if not locations:
        raise CredentialsRefused(NO_LOCATION)
    now = timezone.now().timestamp()
    walk = _Walk(poll, is_whole=now - poll.state.get("whole_at", 0.0) > FULL_POLL_SECONDS)
    entries = [entry for location in locations for entry in walk.changed(location)]
    deleted = walk.deleted()
    state = {
        "seen": walk.seen,
        "whole_at": now if walk.is_whole else poll.state.get("whole_at", 0.0),
    }
    if not entries and not deleted:
        return Unchanged(None if state == poll.state else state)
    return Fetched(
        orjson.dumps({"locationReviews": entries}) if entries else b"",
        file_name="google-business-profile.json",
        state=state,
        expected_rows=walk.total,
        deleted_ids=deleted,
        is_always_new=bool(deleted),
    )


class _Walk:
    """One walk through the pages. `seen` maps the name of each review to its last change."""

    def __init__(self, poll: Poll, *, is_whole: bool) -> None:
        self._account = GoogleAccount(poll.client, poll.settings, poll.secrets)
        self._account.sign_in()
        self._known: Mapping[str, str] = poll.state.get("seen", {})
        self._found: set[str] = set()
        self.is_whole = is_whole or not self._known
        self.seen: dict[str, str] = dict(self._known)
        self.total = 0

    def changed(self, location: str) -> Iterator[dict[str, Any]]:
        """New and changed reviews of a location, newest change first."""
        without_news, token = 0, ""
        for _ in range(MAX_PAGES):
            query: dict[str, Any] = {"pageSize": PAGE, "orderBy": "updateTime desc"}
            if token:
                query["pageToken"] = token
            page = self._account.get(_address(f"{location}/reviews"), query)
            if not token and isinstance(page.get("totalReviewCount"), int):
                self.total += page["totalReviewCount"]
            fresh = [review for review in _reviews(page) if self._is_fresh(review)]
            for review in fresh:
                yield {"name": location, "review": review}
            token = str(page.get("nextPageToken") or "")
            without_news = 0 if fresh else without_news + 1
            if not token or (without_news >= PAGES_WITHOUT_NEWS and not self.is_whole):
                return

    def _is_fresh(self, review: Mapping[str, Any]) -> bool:
        name, changed = review["name"], str(review.get("updateTime", ""))
        self._found.add(name)
        is_fresh = self._known.get(name) != changed
        self.seen[name] = changed
        return is_fresh

    def deleted(self) -> list[str]:
        """External ids of reviews that Google no longer has, after a full walk."""
        if not self.is_whole:
            return []
        missing = [name for name in self._known if name not in self._found]
        gone = []
        for name in missing[:MAX_CHECKED]:
            try:
                self._account.get(_address(name))
            except NotFound:
                gone.append(external_id(name))
                del self.seen[name]
        return gone


# --- Replies --------------------------------------------------------------------------------------


def send_reply(call: ReplyCall) -> None:
    """Set the reply of a review. Sending it again changes nothing."""
    account = GoogleAccount(call.client, call.settings, call.secrets)
    account.sign_in()
    url = f"{_address(_name(call.settings, call.external_id))}/reply"
    headers = account.secret_headers
    request(call, "PUT", url, {"comment": call.text}, site="Google", secret_headers=headers)


def _name(settings: Mapping[str, Any], review: str) -> str:
    """Return the name of a review with its account, or "" if its location is not chosen."""
    for location in settings.get("locations") or []:
        if review.startswith(f"{external_id(location)}/reviews/"):
            return f"{location}{review.removeprefix(external_id(location))}"
    return ""


def _reaches(settings: Mapping[str, Any], secrets: Mapping[str, str], review: str) -> bool:
    return "refresh_token" in secrets and bool(_name(settings, review))


def _address(name: str) -> str:
    return f"{API}/{quote(name, safe='/')}"


def _reviews(page: Mapping[str, Any]) -> list[dict[str, Any]]:
    given = page.get("reviews") or []
    return [each for each in given if isinstance(each, dict) and isinstance(each.get("name"), str)]


def external_id(name: str) -> str:
    """Return the id of a review as imports store it, its name without the account."""
    return name[name.find("locations/") :] if "locations/" in name else name


CONNECTOR = Connector(
    name="google_business_profile",
    label=gettext_lazy("Google Business Profile"),
    form=GoogleForm,
    terms=gettext_lazy(
        "Google's policies allow access to profiles that you own or manage. They neither "
        "permit nor forbid showing your own reviews on your site."
    ),
    help=gettext_lazy(
        "The official way to get all of your Google reviews. You need a Google Cloud "
        "project with access to the Business Profile APIs. Google grants it on request, "
        "which takes days. Set the consent screen to “In production”, or the access ends "
        "after seven days."
    ),
    fetch=fetch,
    replies=Replies(source="google", reaches=_reaches, send=send_reply, longest=MAX_REPLY_BYTES),
    grant_url_name="admin:sources_google_connect",
)
