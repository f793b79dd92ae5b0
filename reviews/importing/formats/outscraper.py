"""Outscraper's Google reviews as JSON, CSV or Excel, the old spelling `autor_*` included."""

import re

from reviews.importing.formats.base import Fields, Format, columns, is_blank, signature

# A link of Google Maps carries the id in its data part; otherwise it is the link's last part.
_MAPS_ID = re.compile(r"!1s(C[A-Za-z0-9_-]{8,}(?:%3D|=)*)")
_LAST_PART = re.compile(r"/([A-Za-z0-9_-]*[0-9][A-Za-z0-9_-]*)/?(?:[?#].*)?$")


def _adjust(fields: Fields) -> None:
    if is_blank(fields["review_id"]) and isinstance(link := fields["source_url"], str):
        found = _MAPS_ID.search(link) or _LAST_PART.search(link.partition("://")[2])
        if found and len(found[1]) >= 6:
            fields["review_id"] = found[1]


OUTSCRAPER = Format(
    name="outscraper",
    label="Outscraper",
    signatures=(
        signature("review_rating", "review_datetime_utc"),
        signature("review_rating", "review_timestamp"),
    ),
    columns=columns(
        review_id="review_id",
        author="author_title,autor_name,author_name,autor_title",
        author_avatar_url="author_image,autor_image",
        rating="review_rating",
        date="review_timestamp,review_datetime_utc",
        text="review_text",
        language="review_lang",
        source_url="review_link",
        owner_reply="owner_answer",
        owner_reply_date="owner_answer_timestamp,owner_answer_timestamp_datetime_utc",
    ),
    source="google",
    date_order="mdy",
    adjust=_adjust,
)
