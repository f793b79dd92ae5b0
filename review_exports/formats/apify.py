"""Apify's Google Maps reviews as JSON, CSV or Excel, snake_case spellings included."""

from review_exports.formats.base import Fields, Format, RowSkipped, columns, is_blank, signature


def _adjust(fields: Fields) -> None:
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
    adjust=_adjust,
)
