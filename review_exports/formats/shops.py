"""Review tools of web shops: Reviews.io, Yotpo, Judge.me and Loox."""

from review_exports.formats.base import (
    Format,
    columns,
    join_name,
    signature,
)

REVIEWS_IO = Format(
    name="reviews.io",
    label="Reviews.io",
    signatures=(signature("store_review_id"),),
    columns=columns(
        review_id="store_review_id",
        author="author,reviewer.name,reviewer_name",
        rating="rating",
        date="date_created",
        title="title",
        text="comments,comment,review",
        verified="reviewer.verified_buyer,verified_buyer",
        owner_reply="replies.0.comments,reply",
        owner_reply_date="replies.0.date_created,reply_date",
        _first_name="reviewer.first_name,first_name",
        _last_name="reviewer.last_name,last_name",
    ),
    source="reviews-io",
    adjust=join_name,
)
YOTPO = Format(
    name="yotpo",
    label="Yotpo",
    signatures=(
        # Other shops have the content and the score as well.
        signature("Review Content", "Review Score", "Review Title"),
        signature("Review Content", "Review Score", "Review ID"),
        signature("content", "score", "votes_up"),  # The API.
    ),
    columns=columns(
        review_id="Review ID,id",
        author="Display Name,Reviewer Display Name,user.display_name,name",
        author_avatar_url="user.social_image",
        rating="Review Score,score",
        date="Date,Review Date,Review Creation Date,Created At",
        title="Review Title,title",
        text="Review Content,content",
        verified="Verified Purchase,Verified Buyer,reviewer_type",
        owner_reply="Comment,Comment Content,Public Comment",
        owner_reply_date="Comment Date,Comment Created At",
        _status="Review Status,Status",
        _withheld="deleted",
        _reply_published="Comment Public",
    ),
    source="yotpo",
)
JUDGE_ME = Format(
    name="judge.me",
    label="Judge.me",
    signatures=(
        signature("curated", "review_date", "body"),
        signature("curated", "created_at", "body"),  # The API.
    ),
    columns=columns(
        review_id="review_id,id",
        author="reviewer_name",
        rating="rating",
        date="review_date,created_at",
        title="title",
        text="body",
        verified="verified",
        owner_reply="reply",
        owner_reply_date="reply_date",
        _status="curated",
        _withheld="hidden",
    ),
    source="judge-me",
)


LOOX = Format(
    name="loox",
    label="Loox",
    signatures=(signature("full_name", "verified_purchase", "review"),),
    columns=columns(
        review_id="id",
        author="full_name,nickname",
        rating="rating",
        date="date",
        text="review",
        verified="verified_purchase",
        owner_reply="reply",
        owner_reply_date="reply_date",
        _status="status",
    ),
    source="loox",
)
