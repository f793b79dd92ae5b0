"""Google: the Business Profile API, Takeout, and the few reviews of the Places API."""

import re
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from review_exports.formats.base import (
    Fields,
    Format,
    columns,
    flatten,
    fold_name,
    signature,
)
from review_exports.records import ReadWarning
from review_exports.values import shown

_RESOURCE = re.compile(r"(?:accounts/[^/]+/)?(locations/[^/]+/reviews/[^/]+)")


def _adjust_profile(fields: Fields) -> None:
    # The account part of the resource name differs from owner to owner of the same location.
    name = fields["_resource"]
    if isinstance(name, str) and (found := _RESOURCE.fullmatch(name.strip())):
        fields["review_id"] = found[1]
    # Google itself does not show a reply that waits for its approval or was rejected.
    if fields["_reply_state"] in {"PENDING", "REJECTED"}:
        fields["owner_reply"] = None
    for field in ("author", "owner_reply"):
        if isinstance(fields[field], dict):
            fields[field] = None


def _adjust_place(fields: Fields) -> None:
    name = fields["_resource"]
    if isinstance(name, str) and "/reviews/" in name:
        fields["review_id"] = name.rpartition("/")[2]


BUSINESS_PROFILE = Format(
    name="google_business_profile",
    label="Google Business Profile API",
    signatures=(signature("starRating", "reviewId"),),
    columns=columns(
        _resource="review.name,name",
        review_id="reviewId,name",
        author="reviewer.displayName,reviewerName,reviewer",  # The others in sheets made by hand.
        author_avatar_url="reviewer.profilePhotoUrl",
        rating="starRating",
        date="createTime,updateTime",
        text="comment",
        owner_reply="reviewReply.comment,reviewReply,reply",
        owner_reply_date="reviewReply.updateTime",
        _reply_state="reviewReply.reviewReplyState,reviewReply.state",
        _updated="updateTime,createTime",
    ),
    source="google",
    adjust=_adjust_profile,
    newest_wins=True,
)
TAKEOUT = replace(
    BUSINESS_PROFILE,
    name="google_takeout",
    label="Google Takeout, one file",
    signatures=(
        signature("starRating", "createTime", "reviewer.displayName"),
        signature("starRating", "createTime", "reviewer.isAnonymous"),
    ),
)
TAKEOUT_ZIP = replace(
    TAKEOUT,
    name="google_takeout_zip",
    label="Google Takeout, the whole archive",
    signatures=(),  # What is inside tells.
    has_row_numbers=False,
)
PLACES = Format(
    name="google_places",
    label="Google Places API",
    signatures=(
        signature("publishTime", "authorAttribution.displayName"),
        signature("publishTime", "relativePublishTimeDescription"),
        signature("author_name", "relative_time_description", "time"),
    ),
    columns=columns(
        _resource="name",
        review_id="_",
        author="authorAttribution.displayName,author_name",
        author_avatar_url="authorAttribution.photoUri,profile_photo_url",
        rating="rating",
        date="publishTime,time",
        text="originalText.text,text.text,text",
        translated_text="text.text",
        language="originalText.languageCode,text.languageCode,original_language,language",
        source_url="authorAttribution.uri,author_url",
    ),
    source="google",
    adjust=_adjust_place,
    warnings=(
        ReadWarning(
            code="sample_only",
            message="The Places API hands out five reviews at most: this is a sample, not all of "
            "your reviews.",
        ),
        ReadWarning(
            code="terms_forbid_storing",
            message="Google's terms do not allow reviews of the Places API to be stored or "
            "published elsewhere; import those of your Business Profile instead "
            "(takeout.google.com).",
        ),
    ),
)


GATHERED = Format(
    name="google_gathered",
    label="Google reviews gathered by SerpApi, Bright Data or DataForSEO",
    signatures=(
        signature("iso_date", "snippet"),
        signature("review_rating", "response_of_owner"),
        signature("profile_name", "time_ago", "timestamp"),
    ),
    columns=columns(
        review_id="review_id,id",
        author="user.name,reviewer_name,profile_name",
        author_avatar_url="user.thumbnail,profile_pic_url,profile_image_url",
        rating="review_rating,rating.value,rating",
        date="iso_date,review_date,timestamp",
        text="extracted_snippet.original,snippet,review,original_review_text,review_text",
        translated_text="extracted_snippet.translated,review_text",
        language="original_language",
        source_url="link,review_url,url",
        owner_reply="response.extracted_snippet.original,response.snippet,response_of_owner,"
        "original_owner_answer,owner_answer",
        owner_reply_date="response.iso_date,response_date,owner_timestamp",
    ),
    source="google",
)


GOSOM = Format(
    name="gosom",
    label="Google reviews gathered by gosom's scraper",
    signatures=(signature("Name", "ProfilePicture", "Rating", "Description", "When"),),
    columns=columns(
        author="reviewer_name,Name",
        author_avatar_url="ProfilePicture",
        rating="Rating",
        date="When",
        text="text_original,Description",
    ),
    source="google",
)


_REVIEW_IN_LINK = re.compile(r"[?&#:]reviewid=([^&#\s]+)", re.IGNORECASE)


def _adjust_play_console(fields: Fields) -> None:
    # The only id that an edited review keeps; stars without words have no link.
    link = fields["source_url"]
    if isinstance(link, str) and (found := _REVIEW_IN_LINK.search(link)):
        fields["review_id"] = unquote(found[1])
    fields["source_url"] = None  # A page that only the developer can open.


PLAY_CONSOLE = Format(
    name="google_play_console",
    label="Google Play Console",
    signatures=(signature("Review Submit Date and Time", "Star Rating", "Review Link"),),
    columns=columns(
        review_id="_",
        author="_",
        rating="Star Rating",
        date="Review Submit Date and Time",
        title="Review Title",
        text="Review Text",
        language="Reviewer Language",
        source_url="Review Link",
        owner_reply="Developer Reply Text",
        owner_reply_date="Developer Reply Date and Time",
        _updated="Review Last Update Date and Time,Review Submit Date and Time",
    ),
    source="google-play",
    adjust=_adjust_play_console,
    newest_wins=True,
)


def listing_names(document: Any) -> list[str]:
    """The names in Takeout's additionalData.json of a listing."""
    attributes = document.get("attributes") if isinstance(document, dict) else None
    names = []
    for attribute in attributes if isinstance(attributes, list) else ():
        flat = flatten(attribute) if isinstance(attribute, dict) else {}
        name = flat.get(fold_name("values.0.datum.listingName.text"))
        if isinstance(name, str) and name.strip():
            names.append(shown(name))
    return names
