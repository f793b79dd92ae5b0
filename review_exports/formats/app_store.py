"""App Store Connect: reviews of an app with the developer's responses."""

from review_exports.formats.base import Fields, Format, columns, signature


def _adjust(fields: Fields) -> None:
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
    adjust=_adjust,
)
