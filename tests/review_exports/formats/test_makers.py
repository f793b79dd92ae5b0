"""One review, and one that is not public, of makers whose files need no question."""

import pytest

from tests.review_exports.exports import read, summary

WHEN, DAY = "2025-01-02T20:00:00Z", "2025-01-02"
LATER = "2025-01-03T20:00:00Z"
# Name of the format -> a review, what its maker hides by, and the values of the record.
MAKERS = {
    "airbnb": (
        {"id": "a1", "reviewer_role": "guest", "reviewee_role": "host", "overall_rating": 4,
         "public_review": "Calm", "private_feedback": "Mend the tap", "submitted_at": WHEN,
         "submitted": True, "hidden": False, "reviewee_response": "Thanks"},
        {"reviewer_role": "host", "reviewee_role": "guest"},
        ("airbnb", "Anonymous", 4, DAY, "Calm", "Thanks"),
    ),
    "bazaarvoice": (
        {"Id": "b1", "UserNickname": "Ada", "Rating": 3, "Title": "So so", "ReviewText": "Slow",
         "SubmissionTime": "2025-01-02T20:00:00.000+00:00", "ModerationStatus": "APPROVED",
         "ClientResponses": [{"Response": "Sorry", "Name": "Tern", "Date": LATER}]},
        {"ModerationStatus": "REJECTED"},
        ("bazaarvoice", "Ada", 3, DAY, "So so\n\nSlow", "Sorry"),
    ),
    "booking_api": (
        {"review_id": "k1", "created_timestamp": "2025-01-02 20:00:00",
         "scoring": {"review_score": 8, "staff": 5, "value": 2.5}, "reviewer": {"name": "Ada"},
         "content": {"headline": "Good", "positive": "Calm", "negative": "Cold"},
         "reply": {"text": "Thanks", "last_change_timestamp": "2025-01-03 20:00:00"}},
        None,
        ("booking-com", "Ada", 4, DAY, "Good\n\nCalm\n\nCold", "Thanks"),
    ),
    "booking_gathered": (
        {"id": "g1", "userName": "Ada", "reviewDate": DAY, "reviewTitle": "Good", "rating": 10,
         "likedText": "Calm", "dislikedText": "Cold", "propertyResponse": "Thanks"},
        None,
        ("booking-com", "Ada", 5, DAY, "Good\n\nCalm\n\nCold", "Thanks"),
    ),
    "etrusted": (
        {"id": "e1", "channel": {"id": "c", "name": "Tern"}, "status": "APPROVED", "rating": 5,
         "title": "Good", "comment": "Calm", "submittedAt": WHEN, "type": "SERVICE_REVIEW",
         "transaction": {"reference": "R-1"}, "reply": {"comment": "Thanks", "createdAt": LATER}},
        {"status": "MODERATION"},
        ("trusted-shops", "Anonymous", 5, DAY, "Good\n\nCalm", "Thanks"),
    ),
    "hostaway": (
        {"id": 1, "type": "guest-to-host", "status": "published", "rating": 9, "guestName": "Ada",
         "publicReview": "Calm", "privateFeedback": "Mend the tap", "listingName": "Flat 2",
         "reviewCategory": [{"category": "cleanliness", "rating": 2}],
         "submittedAt": "2025-01-02 20:00:00", "revieweeResponse": "Thanks"},
        {"type": "host-to-guest"},
        ("hostaway", "Ada", 5, DAY, "Calm", "Thanks"),
    ),
    "meta": (
        {"aggregator": "Tern", "reviewID": "m1", "rating": 5, "title": "Good", "content": "Calm",
         "createdAt": WHEN, "reviewer": {"name": "Ada", "isVerified": True}},
        None,
        ("facebook", "Ada", 5, DAY, "Good\n\nCalm", ""),
    ),
    "okendo": (
        {"reviewId": "o1", "productId": "p", "rating": 5, "title": "Good", "body": "Calm",
         "dateCreated": WHEN, "status": "approved", "isIncentivized": False,
         "reviewer": {"displayName": "Ada", "isVerified": True},
         "reply": {"body": "Thanks", "dateCreated": LATER}},
        {"status": "pending"},
        ("okendo", "Ada", 5, DAY, "Good\n\nCalm", "Thanks"),
    ),
    "powerreviews": (
        {"Review Id": 1, "Page Id": "p", "Review Title": "Good", "Review Date": DAY,
         "Review Text": "Calm", "Rating": 5, "Nickname": "Ada", "Review Status": "Approved"},
        {"Review Status": "Denied"},
        ("powerreviews", "Ada", 5, DAY, "Good\n\nCalm", ""),
    ),
    "shopify": (
        {"product_handle": "x", "state": "published", "rating": 5, "title": "Good",
         "author": "Ada", "email": "a@mail.example", "location": "Reno", "body": "Calm",
         "reply": "Thanks", "created_at": WHEN, "replied_at": LATER},
        {"state": "unpublished"},
        ("shopify", "Ada", 5, DAY, "Good\n\nCalm", "Thanks"),
    ),
    "stamped": (
        {"id": 1, "author": "Ada", "reviewTitle": "Good", "reviewMessage": "Calm",
         "reviewRating": 5, "reviewDate": "01/02/2025", "reviewReply": "Thanks",
         "reviewState": "statePublished", "dateCreated": WHEN},
        {"reviewState": "stateSpam"},
        ("stamped-io", "Ada", 5, DAY, "Good\n\nCalm", "Thanks"),
    ),
    "tripadvisor": (
        {"id": "t1", "title": "Good", "rating": 4, "text": "Calm", "publishedDate": DAY,
         "publishedPlatform": "Desktop", "lang": "en", "user": {"name": "Ada"},
         "placeInfo": {"id": "7", "name": "Tern"},
         "ownerResponse": {"text": "Thanks", "publishedDate": "2025-01-03"}},
        None,
        ("tripadvisor", "Ada", 4, DAY, "Good\n\nCalm", "Thanks"),
    ),
    "venue": (
        {"id": "v1", "author": "Ada", "date": DAY, "text": "Calm",
         "rating": {"overall": 5, "food": 5, "service": 4, "value": 3},
         "restaurantReply": {"text": "Thanks", "date": "2025-01-03"}},
        None,
        ("import", "Ada", 5, DAY, "Calm", "Thanks"),
    ),
    "wordpress": (
        {"comment_ID": 101, "comment_author": "Ada", "comment_author_email": "a@mail.example",
         "comment_date_gmt": "2025-01-02 20:00:00", "comment_content": "Calm", "rating": 5,
         "comment_approved": 1, "comment_parent": 0, "verified": 1},
        {"comment_approved": "post-trashed"},
        ("website", "Ada", 5, DAY, "Calm", ""),
    ),
}  # fmt: skip


@pytest.mark.parametrize("maker", MAKERS)
def test_review_of_a_known_maker_is_read_without_a_question(maker):
    review, hides, expected = MAKERS[maker]
    reading = read([review] if hides is None else [review, {**review, **hides}], accept=False)

    assert reading.export.format == maker
    assert summary(reading) == [expected]
    assert [skip.code for skip in reading.skipped] == ["not_published"] * (hides is not None)
    assert not reading.errors
    assert "mail.example" not in repr(reading.outcomes)
    assert "Mend the tap" not in repr(reading.outcomes)


def test_guesty_wraps_what_airbnb_answers():
    review = {key: value for key, value in MAKERS["airbnb"][0].items() if key != "id"}
    wrapped = {"_id": "x", "externalReviewId": "a1", "createdAt": LATER, "rawReview": review}
    hidden = {**wrapped, "rawReview": {**review, "hidden": True}}
    reading = read({"data": [wrapped, hidden]}, accept=False)

    assert summary(reading) == [MAKERS["airbnb"][2]]
    assert reading.record.external_id == "a1"


def test_comment_that_answers_another_one_is_no_review():
    review = MAKERS["wordpress"][0]
    reply = {**review, "comment_ID": 102, "comment_parent": 101, "rating": None}
    reading = read([review, {**reply, "user_id": 7}], accept=False)

    assert [skip.code for skip in reading.skipped] == ["reply_row"]
    assert not reading.record.reply_text
    assert not reading.errors


def test_comment_of_the_first_user_is_the_reply_of_the_business():
    review = MAKERS["wordpress"][0]
    reply = {**review, "comment_ID": 102, "comment_parent": 101, "rating": None, "user_id": 1}
    reply["comment_content"] = "Thank you"

    assert read([review, reply], accept=False).record.reply_text == "Thank you"
    withheld = {**reply, "comment_approved": "trash"}
    assert not read([review, withheld], accept=False).record.reply_text


def test_original_counts_beside_its_translation():
    review = {"id": 9, "author": "Ada", "rating": 5, "createdAt": WHEN, "comments": "Spotless"}
    record = read([{**review, "originalComments": "Impeccable"}], accept=False).record

    assert (record.text, record.translated_text) == ("Impeccable", "Spotless")


@pytest.mark.parametrize("ours", ["Tern", "7"])
def test_place_of_a_known_shape_is_compared_with_the_business(ours):
    competitor = {**MAKERS["tripadvisor"][0], "id": "t2", "placeInfo": {"id": "8", "name": "Gull"}}
    reading = read([MAKERS["tripadvisor"][0], competitor], places={ours: True})

    assert [skip.code for skip in reading.skipped] == ["other_place"]


def test_place_above_the_list_of_reviews_is_asked_about():
    review = {"author_title": "Ada", "review_rating": 1, "review_timestamp": 1735848000}
    competitor = {"name": "Gull", "place_id": "P", "reviews_data": [review]}
    reading = read(
        [competitor, {**competitor, "name": "Tern", "place_id": "Q"}], places={"Tern": True}
    )

    assert (len(reading.records), [skip.code for skip in reading.skipped]) == (1, ["other_place"])
