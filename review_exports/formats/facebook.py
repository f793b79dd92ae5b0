"""Facebook page ratings: the Graph API, and what Apify gathers."""

from review_exports.formats.base import (
    Fields,
    Format,
    columns,
    rate_by_recommendation,
    signature,
)

_COMMENTS = range(5)


def _adjust(fields: Fields) -> None:
    rate_by_recommendation(fields)  # Stars ended in 2018.
    # Anybody may comment; the page's own comment is the reply. Its id begins the story's id.
    page = str(fields["review_id"] or "").partition("_")[0]
    for number in _COMMENTS:
        if page and str(fields[f"_comment_{number}_by"]) == page:
            fields["owner_reply"] = fields[f"_comment_{number}"]
            fields["owner_reply_date"] = fields[f"_comment_{number}_at"]
            break


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
        **{
            f"_comment_{number}{field}": f"open_graph_story.comments.data.{number}.{name}"
            for number in _COMMENTS
            for field, name in (("", "message"), ("_at", "created_time"), ("_by", "from.id"))
        },
    ),
    source="facebook",
    adjust=_adjust,
)
