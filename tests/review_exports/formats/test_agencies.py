"""Exports of Birdeye and Podium."""

from tests.review_exports.exports import read, summary, workbook

BIRDEYE = {
    "businessId": 1,
    "reviewId": 901,
    "rating": 5,
    "title": "Good",
    "comments": "Came on time.",
    "status": "published",
    "reviewDate": "Jul 04, 2025",
    "uniqueReviewUrl": "https://birdeye.example/r/901",
    "reviewer": {"firstName": "Ada", "lastName": "Wynn", "thumbnailUrl": None},
    "sourceType": "Google",
    "response": "Thanks",
    "responseDate": "Jul 05, 2025 09:30 AM",
}


def test_birdeye_api_is_read():
    reading = read([BIRDEYE])
    record = reading.record

    assert reading.export.format == "birdeye"
    assert summary(reading) == [
        ("google", "Ada Wynn", 5, "2025-07-04", "Good\n\nCame on time.", "Thanks")
    ]
    assert (record.external_id, str(record.reply_date)) == ("901", "2025-07-05")


def test_birdeye_leaves_out_unpublished_reviews():
    reading = read([{**BIRDEYE, "status": "unpublished"}])

    assert [skip.code for skip in reading.skipped] == ["not_published"]


def test_birdeye_recommendation_without_stars_is_none_unless_the_file_says_which():
    recommendation = {**BIRDEYE, "rating": 0, "sourceType": "Facebook"}

    assert read([recommendation]).codes == [(1, "rating", "rating_missing")]
    assert read([{**recommendation, "recommendationType": "negative"}]).record.rating == 1


def test_birdeye_workbook_is_read():
    reading = read(
        workbook(
            [
                ["Review ID", "Source Type", "Rating", "Review Date", "Comments", "First Name"],
                [901, "Google", 4, "Jul 04, 2025", "Fine", "Ada"],
            ]
        )
    )

    assert reading.export.format == "birdeye"
    assert summary(reading) == [("google", "Ada", 4, "2025-07-04", "Fine", "")]


def test_podium_api_names_the_technicians():
    item = {
        "review": {
            "rating": 5,
            "body": "Early!",
            "siteName": "Google",
            "siteReviewId": "g-1",
            "url": "https://podium.example/r/1",
        },
        "author": {"name": "Lars"},
        "createdAt": "2025-09-01T14:00:00Z",
        "responses": [{"body": "Thanks", "createdAt": "2025-09-02T14:00:00Z"}],
        "attributions": [{"name": "Maren"}, {"name": "Jonah"}],
    }
    reading = read({"data": [item]})

    assert reading.export.format == "podium"
    assert summary(reading) == [("google", "Lars", 5, "2025-09-01", "Early!", "Thanks")]
    assert reading.record.external_id == "g-1"
    assert reading.record.named_technicians == ("Maren", "Jonah")


def test_birdeye_with_a_link_is_not_taken_for_yelp():
    reading = read([{**BIRDEYE, "reviewUrl": "https://maps.example/r/901"}])

    assert (reading.export.format, reading.record.author) == ("birdeye", "Ada Wynn")


def test_wp_review_slider_table_names_its_sites_and_leaves_out_hidden_reviews():
    reading = read(
        "id,pagename,created_time,created_time_stamp,reviewer_name,reviewer_email,rating,"
        "recommendation_type,review_text,hide,type,userpic\n"
        "9,Tern,2025-02-01 20:00:00,1738440000,Ada,a@mail.example,5,,Fine,no,Google,\n"
        "10,Tern,2025-02-02 20:00:00,1738526400,Bo,,0,negative,Late,no,Facebook,\n"
        "11,Tern,2025-02-02 20:00:00,1738526400,Cy,,1,,Bad,yes,Google,\n"
    )

    assert reading.export.format == "wp_review_slider"
    assert summary(reading) == [
        ("google", "Ada", 5, "2025-02-01", "Fine", ""),
        ("facebook", "Bo", 1, "2025-02-02", "Late", ""),
    ]
    assert [(skip.row, skip.code) for skip in reading.skipped] == [(4, "not_published")]
    assert "mail.example" not in repr(reading.outcomes)
