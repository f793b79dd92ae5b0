"""Tools that gather or manage reviews of several sites, from Birdeye to Partoo."""

from review_exports.formats.base import (
    COMMENTS,
    NO_STARS,
    Fields,
    Format,
    columns,
    comment_columns,
    is_blank,
    join_name,
    rate_by_recommendation,
    reply_by_comment,
    signature,
    skip_deletions,
)


def _adjust_birdeye(fields: Fields) -> None:
    join_name(fields)
    if is_blank(fields["author"]) or isinstance(fields["author"], dict):
        fields["author"] = fields["_nickname"]
    # A recommendation on Facebook has no stars, which Birdeye writes as 0.
    rate_by_recommendation(fields)
    if fields["rating"] in NO_STARS:
        fields["rating"] = None


BIRDEYE = Format(
    name="birdeye",
    label="Birdeye",
    signatures=(
        signature("sourceType", "comments", "reviewDate"),
        signature("Source Type", "Rating", "Review Date"),
    ),
    columns=columns(
        review_id="reviewId",
        author="reviewerName,Reviewer",
        author_avatar_url="reviewer.thumbnailUrl",
        rating="rating",
        date="reviewDate",
        title="title",
        text="comments,comment,review,review text",
        source="sourceType",
        source_url="uniqueReviewUrl,reviewUrl",
        owner_reply="response",
        owner_reply_date="responseDate",
        _status="status",
        _first_name="reviewer.firstName,firstName",
        _last_name="reviewer.lastName,lastName",
        _nickname="reviewer.nickName,nickName",
        _recommendation="recommendationType,recommendation",
    ),
    source="birdeye",
    date_order="mdy",
    adjust=_adjust_birdeye,
)


def _adjust_podium(fields: Fields) -> None:
    # The API names the technicians in a list; a spreadsheet has one cell for them.
    if is_blank(fields["technician"]):
        fields["technician"] = ";".join(
            name
            for name in (fields["_first_attribution"], fields["_second_attribution"])
            if isinstance(name, str)
        )


PODIUM = Format(
    name="podium",
    label="Podium",
    signatures=(
        signature("Site", "Customer Name", "Stars", "Date Posted"),
        signature("review.rating", "review.siteName"),
        signature("review.rating", "review.siteReviewId"),
    ),
    columns=columns(
        review_id="review.siteReviewId,Review Id",
        author="Customer Name,author.name",
        rating="Stars,review.rating",
        date="Date Posted,review.createdAt,createdAt",
        text="Comment,review.body",
        source="Site,review.siteName",
        source_url="Review URL,review.url",
        owner_reply="Response,responses.0.body,review.responses.0.body",
        owner_reply_date="Response Date,responses.0.createdAt,review.responses.0.createdAt",
        technician="Technician",
        _first_attribution="attributions.0.name,attributions.0.userName,attributions.0.user.name",
        _second_attribution="attributions.1.name,attributions.1.userName,attributions.1.user.name",
    ),
    source="podium",
    date_order="mdy",
    adjust=_adjust_podium,
)


WP_REVIEW_SLIDER = Format(
    name="wp_review_slider",
    label="WP Review Slider",
    signatures=(signature("created_time_stamp", "reviewer_name", "review_text", "type"),),
    columns=columns(
        review_id="unique_id,id",
        author="reviewer_name",
        author_avatar_url="userpic",
        rating="rating",
        date="created_time_stamp,created_time",
        title="review_title",
        text="review_text",
        language="language_code",
        source="type",
        source_url="from_url_review",
        _recommendation="recommendation_type",
        _withheld="hide",
    ),
    source="website",
    adjust=rate_by_recommendation,
)


def _adjust_yext(fields: Fields) -> None:
    skip_deletions(fields)
    rate_by_recommendation(fields)
    for number in COMMENTS:
        role, visibility = (
            str(fields[f"_comment_{number}_{name}"] or "").upper()
            for name in ("role", "visibility")
        )
        # One that only the business and Yext see is no reply.
        if role == "BUSINESS_OWNER" and visibility in {"", "PUBLIC"}:
            reply_by_comment(fields, number)
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
        **comment_columns(
            "comments",
            text="content",
            date="publisherDate",
            role="authorRole",
            visibility="visibility",
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
        reply_by_comment(fields, 0)
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
        **comment_columns("comments", text="content", date="date"),
    ),
    source="partoo",
    adjust=_adjust_partoo,
)
