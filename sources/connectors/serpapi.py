"""SerpApi: all pages of a place's reviews on Google Maps, newest first.

Only the order “newest first” gives all reviews. A look ends at the first page that brings nothing
the last look had not seen; every 30 days it goes through all pages, to find changed reviews.
"""

from typing import Any, ClassVar
from urllib.parse import urlencode

import orjson
from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from sources.connectors.protocol import (
    Connector,
    ConnectorForm,
    Fetched,
    Look,
    SecretField,
    Unchanged,
    place_id_field,
)
from sources.failures import SourceFailure, shown

API = "https://serpapi.com"
FIRST_PAGE, PAGE = 8, 20  # Google gives eight with the place, then as many as asked for.
MOST_PAGES = 260  # SerpApi gives about 5,000 reviews.
WHOLE_SECONDS = 30 * 24 * 3600
NEWEST_KEPT = 40  # Ids, by which the next look finds where it may end.


class SerpApiForm(ConnectorForm):
    """A place, and a key of the account."""

    secret_fields: ClassVar[tuple[str, ...]] = ("key",)

    place_id = place_id_field()
    data_id = forms.CharField(
        label="Or data id",
        max_length=100,
        required=False,
        help_text="As SerpApi shows it: “0x89c259af336b3341:0xa4969e07ce3108de”.",
    )
    language = forms.CharField(label="Language code", max_length=10, initial="en")
    key = SecretField(label="API key", help_text="At serpapi.com/manage-api-key.")

    def clean(self) -> dict[str, Any]:
        """One of place id and data id."""
        cleaned = super().clean() or {}
        if not (cleaned.get("place_id") or cleaned.get("data_id")):
            raise ValidationError({"place_id": "Enter the place id or the data id."})
        return cleaned


def fetch(look: Look) -> Fetched | Unchanged:
    """The newest pages, or all of them at times."""
    now = timezone.now().timestamp()
    known = set(look.state.get("newest", []))
    is_whole = not known or now - look.state.get("whole_at", 0.0) > WHOLE_SECONDS
    reviews: list[dict[str, Any]] = []
    page: dict[str, Any] = {}
    first: dict[str, Any] = {}
    for number in range(MOST_PAGES):
        page = _page(look, str(page.get("next_page_token", "")), is_first=number == 0)
        first = first or page
        fresh = [each for each in page["reviews"] if each.get("review_id") not in known]
        reviews += page["reviews"]
        if not page["next_page_token"] or (not fresh and not is_whole):
            break
    if not reviews:
        return Unchanged()
    ids = [each["review_id"] for each in reviews if isinstance(each.get("review_id"), str)]
    return Fetched(
        orjson.dumps({"place_info": first["place_info"], "reviews": reviews}),
        file_name="serpapi.json",
        state={
            "newest": ids[:NEWEST_KEPT],
            "whole_at": now if is_whole else look.state["whole_at"],
        },
        expected_rows=_total(first["place_info"]),
    )


def _page(look: Look, token: str, *, is_first: bool) -> dict[str, Any]:
    """One page: reviews, place_info, next_page_token."""
    place = look.settings.get("place_id")
    query = {
        "engine": "google_maps_reviews",
        **({"place_id": place} if place else {"data_id": look.settings["data_id"]}),
        "hl": look.settings["language"],
        "sort_by": "newestFirst",
        **({} if is_first else {"num": PAGE, "next_page_token": token}),
        "api_key": look.secrets["key"],  # SerpApi takes it nowhere else; no log has the query.
    }
    body = look.client.get(f"{API}/search.json?{urlencode(query)}").json()
    if not isinstance(body, dict):
        raise SourceFailure("SerpApi answered with something else than an object.")
    reviews = body.get("reviews")
    if not isinstance(reviews, list) or not all(isinstance(each, dict) for each in reviews):
        if body.get("error") and not _is_empty(body):
            raise SourceFailure(f"SerpApi says: {shown(body['error'])}. Check the place.")
        reviews = []
    place_info = body.get("place_info")
    pagination = body.get("serpapi_pagination")
    return {
        "reviews": reviews,
        "place_info": place_info if isinstance(place_info, dict) else {},
        "next_page_token": pagination.get("next_page_token", "")
        if isinstance(pagination, dict)
        else "",
    }


def _is_empty(body: dict[str, Any]) -> bool:
    """Whether the search succeeded and found nothing, which SerpApi also calls an error."""
    metadata = body.get("search_metadata")
    return isinstance(metadata, dict) and metadata.get("status") == "Success"


def _total(place: dict[str, Any]) -> int | None:
    total = place.get("reviews")
    return total if isinstance(total, int) else None


CONNECTOR = Connector(
    name="serpapi",
    label="SerpApi",
    form=SerpApiForm,
    terms="SerpApi sells what it collects from Google Maps; whether Google allows you to show it "
    "is between you and Google.",
    help="You need an account at serpapi.com. Each page of 20 reviews counts as one search; a look "
    "without news takes one or two.",
    interval_seconds=24 * 3600,
    fetch=fetch,
)
