"""Sites that hold reviews: App Store, Booking.com, Facebook, Feefo, Trustpilot and Yelp."""

from urllib.parse import parse_qs, urlsplit

from review_exports.formats.base import (
    COMMENTS,
    Fields,
    Format,
    columns,
    comment_columns,
    is_blank,
    rate_by_recommendation,
    reply_by_comment,
    signature,
    skip_deletions,
)
from review_exports.records import ReadWarning


def _adjust_app_store(fields: Fields) -> None:
    if fields["_reply_state"] == "PENDING_PUBLISH":
        fields["owner_reply"] = None


APP_STORE = Format(
    name="app_store",
    label="App Store Connect",
    signatures=(signature("reviewerNickname", "createdDate"),),
    columns=columns(
        review_id="id",
        author="reviewerNickname",
        rating="rating",
        date="createdDate",
        title="title",
        text="body",
        owner_reply="response.responseBody",
        owner_reply_date="response.lastModifiedDate",
        _reply_state="response.state",
    ),
    source="app-store",
    adjust=_adjust_app_store,
)


BOOKING = Format(
    name="booking",
    label="Booking.com",
    signatures=(signature("Guest name", "Positive review", "Negative review", "Review score"),),
    columns=columns(
        author="Guest name",
        rating="Review score",
        date="Review date",
        title="Review title",
        text="Positive review,Negative review",
        owner_reply="Property reply",
        owner_reply_date="Property reply date",
    ),
    source="booking-com",
    best_rating=10,
    joined=frozenset({"text"}),
)


def _adjust_facebook(fields: Fields) -> None:
    rate_by_recommendation(fields)  # Stars ended in 2018.
    # Anybody may comment; the page's own comment is the reply. Its id begins the story's id.
    page = str(fields["review_id"] or "").partition("_")[0]
    for number in COMMENTS:
        if page and str(fields[f"_comment_{number}_by"]) == page:
            reply_by_comment(fields, number)
            return


FACEBOOK = Format(
    name="facebook",
    label="Facebook page ratings",
    signatures=(
        signature("recommendation_type", "created_time"),
        signature("created_time", "review_text"),
        signature("created_time", "has_review"),
        signature("facebookUrl", "isRecommended"),
    ),
    columns=columns(
        review_id="open_graph_story.id,id",
        author="reviewer.name,user.name",
        author_avatar_url="user.profilePic",
        rating="rating",
        date="created_time,date",
        text="review_text,text",
        source_url="url",
        owner_reply="_",
        owner_reply_date="_",
        _recommendation="recommendation_type,isRecommended",
        **comment_columns(
            "open_graph_story.comments.data", text="message", date="created_time", by="from.id"
        ),
    ),
    source="facebook",
    adjust=_adjust_facebook,
)


FEEFO = Format(
    name="feefo",
    label="Feefo",
    signatures=(signature("merchant.identifier", "service.rating.rating"),),
    columns=columns(
        review_id="service.id",
        author="customer.display_name",
        rating="service.rating.rating",
        _best_rating="service.rating.max",
        date="service.created_at",
        title="service.title",
        text="service.review",
        source_url="url",
    ),
    source="feefo",
)


TRUSTPILOT_PORTAL = Format(
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
TRUSTPILOT_API = Format(
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


def _adjust_yelp_table(fields: Fields) -> None:
    # Yelp's only id is the `hrid` of the link; a pair of "Updated review" rows shares it.
    if isinstance(link := fields["source_url"], str) and "hrid=" in link:
        try:
            ids = parse_qs(urlsplit(link).query, max_num_fields=50).get("hrid")
        except ValueError:
            return
        if ids:
            fields["review_id"] = ids[0]


def _adjust_yelp_fusion(fields: Fields) -> None:
    text = fields["text"]
    if not is_blank(text) and isinstance(text, str) and text.rstrip().endswith(("...", "…")):
        fields["_notes"] = ("text_is_excerpt",)


YELP_TABLE = Format(
    name="yelp",
    label="Yelp reviews, table",
    signatures=(signature("Reviewer", "Review Date", "Review URL"),),
    columns=columns(
        review_id="Review ID",
        author="Reviewer",
        rating="Rating",
        date="Review Date",
        title="Review Title,Title",
        text="Review",
        source="Source,Platform,Site,Directory,Network",
        source_url="Review URL",
        owner_reply="Business Response,Owner Response,Response,Reply",
        owner_reply_date="Business Response Date,Owner Response Date,Response Date,Reply Date",
        technician="Technician,Employee",
        _updated="Review Date",
    ),
    source="yelp",
    date_order="mdy",
    adjust=_adjust_yelp_table,
    newest_wins=True,
)


YELP_FUSION = Format(
    name="yelp_fusion",
    label="Yelp Fusion API",
    signatures=(signature("time_created", "user.name"), signature("time_created", "user")),
    columns=columns(
        review_id="id",
        author="user.name",
        author_avatar_url="user.image_url",
        rating="rating",
        date="time_created",
        text="text",
        source_url="url",
    ),
    source="yelp",
    naive_zone="America/Los_Angeles",
    adjust=_adjust_yelp_fusion,
    warnings=(
        ReadWarning(
            code="terms_forbid_storing",
            message="Yelp's terms do not allow what its API answers to be stored for more than a "
            "day; ask Yelp before you publish these reviews elsewhere.",
        ),
    ),
)
