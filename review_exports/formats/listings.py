"""Tools that manage listings on several sites: Yext and Partoo."""

from review_exports.formats.base import (
    Fields,
    Format,
    columns,
    rate_by_recommendation,
    signature,
    skip_deletions,
)

_COMMENTS = range(5)  # Of a review, that are looked at.


def _comments(**members: str) -> dict[str, str]:
    """Field of each comment -> its path, as arguments of `columns`."""
    return {
        f"_comment_{number}_{field}": f"comments.{number}.{name}"
        for number in _COMMENTS
        for field, name in members.items()
    }


def _adjust_yext(fields: Fields) -> None:
    skip_deletions(fields)
    rate_by_recommendation(fields)
    for number in _COMMENTS:
        role, visibility = (
            str(fields[f"_comment_{number}_{name}"] or "").upper()
            for name in ("role", "visibility")
        )
        # One that only the business and Yext see is no reply.
        if role == "BUSINESS_OWNER" and visibility in {"", "PUBLIC"}:
            fields["owner_reply"] = fields[f"_comment_{number}_text"]
            fields["owner_reply_date"] = fields[f"_comment_{number}_date"]
            return


YEXT = Format(
    name="yext",
    label="Yext",
    signatures=(signature("publisherId", "publisherDate", "authorName"),),
    columns=columns(
        review_id="id",
        author="authorName",
        rating="rating",
        date="publisherDate",
        title="title",
        text="content",
        language="reviewLanguage",
        source="publisherId",
        source_url="url",
        owner_reply="_",
        owner_reply_date="_",
        _status="status",
        _updated="lastYextUpdateTime",
        _event="meta.eventType",
        _recommendation="recommendation",
        **_comments(
            text="content", date="publisherDate", role="authorRole", visibility="visibility"
        ),
    ),
    source="yext",
    adjust=_adjust_yext,
)


def _adjust_partoo(fields: Fields) -> None:
    skip_deletions(fields)
    rate_by_recommendation(fields)
    # On Google nobody but the owner may comment; elsewhere a comment may be anybody's.
    if str(fields["source"]).casefold().startswith("google"):
        fields["owner_reply"] = fields["_comment_0_text"]
        fields["owner_reply_date"] = fields["_comment_0_date"]
    elif fields["_comments"]:
        fields["owner_reply"] = fields["_comments"]  # Reported as left out.


PARTOO = Format(
    name="partoo",
    label="Partoo",
    signatures=(signature("partner", "partner_id", "author_name", "content"),),
    columns=columns(
        review_id="id",
        author="author_name",
        rating="rating",
        date="date",
        title="title",
        text="content",
        source="partner",
        source_url="link",
        owner_reply="_",
        owner_reply_date="_",
        _recommendation="recommended",
        _updated="update_date",
        _event="eventName",
        _comments="comments",
        **_comments(text="content", date="date"),
    ),
    source="partoo",
    adjust=_adjust_partoo,
)
