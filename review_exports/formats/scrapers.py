"""Services that gather reviews of Google and other sites: Apify and Outscraper."""

import re

from review_exports.formats.base import Fields, Format, RowSkipped, columns, is_blank, signature
from review_exports.values.web_addresses import URL_MAX


def _adjust_apify(fields: Fields) -> None:
    # Runs also write items about errors and about places, which have no review in them.
    if (
        is_blank(fields["date"])
        and is_blank(fields["_stars"])
        and is_blank(fields["_other_rating"])
    ):
        raise RowSkipped("not_a_review", "This item holds no review; it is left out.")
    # Reviews that Google shows from other sites have a rating on their own scale and no stars.
    fields["rating"] = fields["_other_rating"] if is_blank(fields["_stars"]) else fields["_stars"]


APIFY = Format(
    name="apify",
    label="Apify Google Maps Reviews",
    signatures=(signature("stars", "publishedAtDate"),),
    columns=columns(
        review_id="reviewId",
        author="name,reviewerName",
        author_avatar_url="reviewerPhotoUrl",
        rating="_",
        date="publishedAtDate",
        text="text",
        translated_text="textTranslated",
        language="originalLanguage",
        source="reviewOrigin",
        source_url="reviewUrl",
        owner_reply="responseFromOwnerText",
        owner_reply_date="responseFromOwnerDate",
        service="reviewContext.Service",
        _updated="lastEditedAtDate,publishedAtDate",
        _place="title",
        _place_id="placeId",
        _stars="stars",
        _other_rating="rating",
        _total="reviewsCount",
    ),
    total_name="reviewsCount",
    source="google",
    adjust=_adjust_apify,
)


# A link of Google Maps carries the id in its data part; otherwise it is the link's last part.
_MAPS_ID = re.compile(r"!1s(C[A-Za-z0-9_-]{8,}(?:%3D|=)*)")
_PAGE_NAME = re.compile(r"[A-Za-z0-9_-]{6,200}")


# The other sites whose reviews it hands out in the same shape.
_OTHER_SITES = re.compile(
    r"https?://(?:[a-z0-9-]+\.)*(airbnb|booking|capterra|facebook|g2|glassdoor|tripadvisor|trustpilot"
    r"|yelp)\.",
    re.IGNORECASE,
)


def _adjust_outscraper(fields: Fields) -> None:
    link = fields["source_url"]
    if isinstance(link, str) and (site := _OTHER_SITES.match(link[:URL_MAX])):
        fields["source"] = site[1].lower()
    if is_blank(fields["review_id"]) and isinstance(link := fields["source_url"], str):
        fields["review_id"] = _id_in(link[:URL_MAX])


def _id_in(link: str) -> str | None:
    if found := _MAPS_ID.search(link):
        return found[1]
    path = re.split(r"[?#]", link.partition("://")[2], maxsplit=1)[0]
    _, slash, last = path.rstrip("/").rpartition("/")
    # A word without any digit is a page's name rather than an id.
    is_id = slash and _PAGE_NAME.fullmatch(last) and any(character.isdigit() for character in last)
    return last if is_id else None


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
        _place="name",
        _place_id="place_id,google_id",
        owner_reply_date="owner_answer_timestamp,owner_answer_timestamp_datetime_utc",
        _total="reviews",
    ),
    total_name="reviews",
    source="google",
    date_order="mdy",
    adjust=_adjust_outscraper,
)
