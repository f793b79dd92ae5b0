"""Exports of Trustpilot, Yelp and Facebook."""

import pytest

from tests.review_exports.exports import read, refused, summary, workbook

TRUSTPILOT_ROW = (
    "tern.example,Tern,77,tp-1,2025-03-02 04:30:00,u1,Ada,a@mail.example,Great,Came on time.,5,"
    "Invitation,ORDER-9,Thanks!,2025-03-03 10:00:00,en\n"
)


@pytest.mark.parametrize(
    "heading",
    [
        (
            "Domain Url,Webshop Name,Business Unit Id,Review Id,Review Created (UTC),"
            "Review Consumer User Id,Review Username,Review User Email,Review Title,Review Content,"
            "Review Stars,Source Of Review,Reference Id,Company Response,Company Reply Date (UTC),"
            "Review Language"
        ),
        (
            "Domain URL,Webshop Name,Business Unit ID,Review ID,Review created (UTC),"
            "Review consumer user ID,Review username,Review user email,Review title,Review content,"
            "Review stars,Source of review,Reference ID,Business Response,Business Reply Date,"
            "Review language"
        ),
    ],
)
def test_trustpilot_export_is_read_in_every_case_of_its_headings(heading):
    reading = read(f"{heading}\n{TRUSTPILOT_ROW}")
    record = reading.record

    assert reading.export.format == "trustpilot"
    assert (record.source, record.external_id, record.author) == ("trustpilot", "tp-1", "Ada")
    assert (record.text, str(record.date)) == ("Great\n\nCame on time.", "2025-03-01")
    assert (record.reply_text, str(record.reply_date)) == ("Thanks!", "2025-03-03")
    assert record.text_language == "en"
    assert "mail.example" not in repr(reading.outcomes)
    assert "ORDER-9" not in repr(reading.outcomes)


def test_trustpilot_workbook_is_read_like_its_table():
    rows = [
        ["Review Id", "Review Created (UTC)", "Review Stars", "Review Username", "Review Content"],
        ["tp-1", "2025-03-02 04:30:00", 5, "Ada", "Fine"],
    ]
    reading = read(workbook(rows))

    assert reading.export.format == "trustpilot"
    assert summary(reading) == [("trustpilot", "Ada", 5, "2025-03-01", "Fine", "")]


def test_trustpilot_api_leaves_out_what_is_not_active():
    review = {
        "id": "tp-1",
        "stars": 4,
        "title": "Good",
        "text": "Came on time.",
        "createdAt": "2025-03-02T12:00:00Z",
        "consumer": {"displayName": "Ada"},
        "companyReply": {"text": "Thanks", "createdAt": "2025-03-03T12:00:00Z"},
        "status": "active",
    }
    reading = read({"reviews": [review, {**review, "id": "tp-2", "status": "reported"}]})

    assert reading.export.format == "trustpilot_api"
    assert summary(reading) == [
        ("trustpilot", "Ada", 4, "2025-03-02", "Good\n\nCame on time.", "Thanks")
    ]
    assert [(skip.row, skip.code) for skip in reading.skipped] == [(2, "not_published")]


YELP_HEADING = "Reviewer,Rating,Review,Review Date,Review URL,Business Response\n"


def test_yelp_table_is_read_with_its_quirks():
    reading = read(
        YELP_HEADING + 'Fitz O.,5.0 star rating,"Tom &amp; Jo<br>were great",1/5/2025,'
        "https://yelp.example/biz/tern?hrid=Yf1&x=2,Thanks!\n"
    )

    assert reading.export.format == "yelp"
    assert summary(reading) == [
        ("yelp", "Fitz O.", 5, "2025-01-05", "Tom & Jo\nwere great", "Thanks!")
    ]
    assert reading.record.external_id == "Yf1"


def test_table_in_the_shape_of_yelp_may_name_other_sources():
    reading = read("Source," + YELP_HEADING + "Google,Ada,5,Fine,1/5/2025,https://x.example/1,\n")

    assert reading.record.source == "google"


def test_table_in_the_shape_of_yelp_may_have_more_columns():
    record = read(
        "Review ID,Directory,Reviewer,Rating,Review Title,Review,Review Date,Review URL,Response,"
        "Response Date,Employee\n"
        "ChdA,Google,Ada,5,Good,Fine,1/5/2025,https://x.example/1,Thanks,1/6/2025,Maren\n"
    ).record

    assert (record.source, record.external_id, record.text) == ("google", "ChdA", "Good\n\nFine")
    assert (record.reply_text, str(record.reply_date)) == ("Thanks", "2025-01-06")
    assert record.named_technicians == ("Maren",)


def test_of_an_updated_yelp_review_the_newer_version_counts():
    reading = read(
        YELP_HEADING + "Fitz,2.0 star rating,Old,1/5/2024,https://yelp.example/b?hrid=Yf1,\n"
        "Ada,4.0 star rating,Fine,2/5/2024,https://yelp.example/b?hrid=Yf2,\n"
        "Fitz,5.0 star rating,New,3/6/2025,https://yelp.example/b?hrid=Yf1,\n"
    )

    assert [(r.row, r.rating, r.text) for r in reading.records] == [(4, 5, "New"), (3, 4, "Fine")]
    assert [(skip.row, skip.code) for skip in reading.skipped] == [(2, "older_version")]


def test_naive_times_of_yelp_fusion_are_pacific():
    review = {
        "id": "y",
        "rating": 5,
        "text": "Fine",
        "time_created": "2025-01-05 22:41:13",
        "user": {"name": "Fitz"},
    }
    from zoneinfo import ZoneInfo

    reading = read({"reviews": [review]}, time_zone=ZoneInfo("Europe/Berlin"))

    assert str(reading.record.date) == "2025-01-06"
    assert reading.record.notes == ()


def test_facebook_page_of_several_says_so():
    item = {"created_time": "2025-02-14T12:00:00+0000", "recommendation_type": "positive"}
    next_page = {"paging": {"next": "https://graph.facebook.com/next"}}

    assert "page_token_left" in read({"data": [item]} | next_page).warnings
    assert "page_token_left" not in read({"data": [item], "paging": {"cursors": {}}}).warnings


def test_facebook_reply_is_the_comment_of_the_page():
    item = {
        "created_time": "2025-02-14T12:00:00+0000",
        "recommendation_type": "positive",
        "open_graph_story": {
            "id": "500_9001",
            "comments": {
                "data": [
                    {"message": "Me too", "from": {"id": "77"}},
                    {
                        "message": "Thanks",
                        "from": {"id": "500"},
                        "created_time": "2025-02-15T12:00:00+0000",
                    },
                ]
            },
        },
    }
    record = read({"data": [item]}).record

    assert (record.reply_text, str(record.reply_date)) == ("Thanks", "2025-02-15")
    assert record.author == "Anonymous"


def test_facebook_recommendations_that_apify_gathered_are_read():
    item = {
        "facebookUrl": "https://www.facebook.com/tern/reviews",
        "url": "https://www.facebook.com/ada/posts/1",
        "date": "2025-02-02T20:10:00.000Z",
        "user": {"name": "Ada", "profilePic": "https://facebook.example/ada"},
        "text": "Helpful",
        "id": "ZmV1",
    }
    reading = read([{**item, "isRecommended": True}, {**item, "id": "2", "isRecommended": False}])

    assert [record.rating for record in reading.records] == [5, 1]
    assert (reading.records[0].source, reading.records[0].external_id) == ("facebook", "ZmV1")
    assert reading.records[0].author == "Ada"


def test_trustpilot_reviews_as_its_pages_hold_them_are_read():
    item = {
        "id": "60b1",
        "rating": 4,
        "title": "Prompt",
        "text": "Good people",
        "dates": {"publishedDate": "2025-01-17T20:03:37.000Z", "updatedDate": None},
        "consumer": {"displayName": "Ada"},
        "reply": {"message": "Thanks", "publishedDate": "2025-01-18T20:03:37.000Z"},
    }
    record = read({"reviews": [item]}).record

    assert (record.author, str(record.date), record.text) == (
        "Ada",
        "2025-01-17",
        "Prompt\n\nGood people",
    )
    assert (record.reply_text, str(record.reply_date)) == ("Thanks", "2025-01-18")


def test_feefo_api_is_read():
    review = {
        "merchant": {"identifier": "tern"},
        "url": "https://feefo.example/1",
        "customer": {"display_name": "Ada P", "display_location": "Leeds"},
        "last_updated_date": "2025-04-03T10:00:00.000Z",
        "service": {
            "id": "5cb",
            "title": "Quick",
            "review": "They came at once",
            "created_at": "2025-04-02T10:00:00.000Z",
            "rating": {"min": 1.0, "max": 5.0, "rating": 4.0},
        },
        "products": [{"rating": {"rating": 1.0}, "review": "The filter leaks"}],
    }
    reading = read({"summary": {"meta": {"pages": 1}}, "reviews": [review]})

    assert summary(reading) == [
        ("feefo", "Ada P", 4, "2025-04-02", "Quick\n\nThey came at once", "")
    ]
    assert reading.record.external_id == "5cb"


def test_maker_that_hands_out_stars_of_another_scale_is_asked_about():
    heading = "author_title,review_rating,review_datetime_utc,review_link\n"
    link = "https://www.booking.com/hotel/x.html"
    content = heading + "".join(f"Ada {n},{n},01/02/2025 12:00:00,{link}\n" for n in (10, 5, 8))

    assert refused(content).code == "best_rating_unknown"
    assert [record.rating for record in read(content, best_rating=10).records] == [5, 3, 4]
