"""Trustpilot: the Business portal's CSV and Excel, and the API."""

from review_exports.formats.base import Format, columns, signature, skip_deletions

PORTAL = Format(
    name="trustpilot",
    label="Trustpilot Business export",
    signatures=(
        signature("Review Id", "Review Created (UTC)", "Review Stars"),
        signature("Review Id", "Review Created", "Review Stars"),
    ),
    columns=columns(
        review_id="Review Id",
        author="Review Username,Review Consumer Name",
        rating="Review Stars",
        date="Review Created (UTC),Review Created",
        title="Review Title",
        text="Review Content",
        language="Review Language",
        owner_reply="Company Response,Company Reply,Business Response,Business Reply",
        owner_reply_date="Company Reply Date (UTC),Company Reply Date,Business Reply Date (UTC),"
        "Business Reply Date,Company Response Date,Business Response Date",
    ),
    source="trustpilot",
)
API = Format(
    name="trustpilot_api",
    label="Trustpilot API",
    signatures=(
        signature("createdAt", "stars", "consumer.displayName"),
        signature("createdAt", "stars", "consumer"),
    ),
    columns=columns(
        review_id="id",
        author="consumer.displayName,consumer.name",
        rating="stars",
        date="createdAt",
        title="title",
        text="text,content",  # The latter of products.
        language="language",
        verified="isVerified",
        owner_reply="companyReply.text",
        owner_reply_date="companyReply.createdAt",
        _updated="updatedAt,createdAt",
        _status="status",
        _event="eventName",
    ),
    source="trustpilot",
    adjust=skip_deletions,
)
