"""Statuses and flags of the makers: what hides a review, what leaves it public."""

import pytest

from tests.review_exports.exports import read

WHEN, NAME = "2025-01-02T10:00:00Z", "Ada"
ANY = {"id": 1, "rating": 5, "created_at": WHEN, "author": NAME, "text": "Fine"}

MAKERS = {
    "bazaarvoice": ({**ANY, "ModerationStatus": "APPROVED"}, {"ModerationStatus": "REJECTED"}),
    "birdeye": (
        {"sourceType": "Google", "comments": "a", "reviewDate": "Jul 04, 2025", "rating": 5}
        | {"status": "published", "reviewer": {"nickName": NAME}},
        {"status": "unpublished"},
    ),
    "fera": ({**ANY, "state": "approved"}, {"state": "pending"}),
    "hostaway": (
        {"id": 1, "type": "guest-to-host", "status": "published", "rating": 5, "guestName": NAME}
        | {"publicReview": "Fine", "submittedAt": "2025-01-02 10:00:00"},
        {"status": "awaiting"},
    ),
    "judge.me": (
        {"curated": "ok", "created_at": WHEN, "body": "a", "rating": 5, "hidden": False}
        | {"reviewer": {"name": NAME}},
        {"hidden": True},
    ),
    "judge.me, not yet curated": (
        {"curated": "ok", "created_at": WHEN, "body": "a", "rating": 5},
        {"curated": "not-yet"},
    ),
    "junip": ({**ANY, "status": "approved"}, {"status": "hidden"}),
    "loox": (
        {"full_name": NAME, "verified_purchase": True, "review": "a", "rating": 5, "date": WHEN}
        | {"status": "Published"},
        {"status": "Pending"},
    ),
    "okendo": (
        {**ANY, "status": "approved", "isIncentivized": False},
        {"status": "flagged"},
    ),
    "partoo": ({**ANY, "state": "treated", "delete_date": None}, {"delete_date": WHEN}),
    "powerreviews": ({**ANY, "Review Status": "Approved"}, {"Review Status": "Denied"}),
    "shopify": (
        {**ANY, "state": "published", "product_handle": "x", "location": "Reno"},
        {"state": "unpublished"},
    ),
    "stamped": ({**ANY, "reviewState": "statePublished"}, {"reviewState": "stateSpam"}),
    "strapi": ({**ANY, "publishedAt": WHEN}, {"publishedAt": None}),
    "trustpilot": (
        {"createdAt": WHEN, "stars": 5, "consumer": {"displayName": NAME}, "status": "active"},
        {"status": "reported"},
    ),
    "wordpress": (
        {**ANY, "post_status": "publish", "post_type": "review"},
        {"post_status": "private"},
    ),
    "wordpress, waiting": ({**ANY, "post_status": "publish"}, {"post_status": "future"}),
    "wordpress, comments": ({**ANY, "comment_approved": "1"}, {"comment_approved": "post-trashed"}),
    "yext": (
        {**ANY, "status": "LIVE", "publisherId": "FACEBOOK"},
        {"status": "QUARANTINED"},
    ),
    "yotpo": (
        {"content": "a", "score": 5, "votes_up": 0, "created_at": WHEN, "deleted": False},
        {"deleted": True},
    ),
    "a database": ({**ANY, "is_published": "t", "deleted_at": None}, {"is_published": "f"}),
    "a list of flags": ({**ANY, "status": ["published"]}, {"status": ["published", "spam"]}),
}


@pytest.mark.parametrize("maker", MAKERS)
def test_review_that_its_maker_hides_is_left_out(maker):
    public, change = MAKERS[maker]
    reading = read([public, {**public, **change, "id": 2}])

    assert len(reading.records) == 1, reading.outcomes
    assert [skip.code for skip in reading.skipped] == ["not_published"]


@pytest.mark.parametrize("maker", MAKERS)
def test_unknown_status_is_never_published(maker):
    public, change = MAKERS[maker]
    (name,) = change
    reading = read([{**public, name: "Xyzzy"}])

    assert reading.records == []
    assert {error.code for error in reading.errors} <= {"status_unclear", "publication_unclear"}


def test_member_that_comes_late_in_a_file_is_judged_too():
    items = [{**ANY, "id": number} for number in range(60)]
    items[55] = {**items[55], "hidden": True}
    items[56] = {**items[56], "consent": "perhaps"}
    reading = read(items)

    assert [skip.row for skip in reading.skipped] == [56]
    assert reading.codes == [(57, "published", "publication_unclear")]
    assert len(reading.records) == 58


def test_reply_that_waits_for_approval_is_left_out_without_the_review():
    review = {**ANY, "reply": {"text": "Thanks", "status": "PENDING"}}

    assert read([review]).record.reply_text == ""
    review["reply"]["status"] = "who knows"
    assert read([review]).record.reply_text == ""
    review["reply"]["status"] = "APPROVED"
    assert read([review]).record.reply_text == "Thanks"
