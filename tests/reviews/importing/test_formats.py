"""The formats without a sample, and the quirks of those with one."""

import json

import pytest

from reviews.importing.records import FileRefused
from tests.reviews.importing.exports import read, workbook, zipped


def summary(reading) -> list[tuple]:
    return [
        (r.source, r.author, r.rating, str(r.date), r.text, r.reply_text) for r in reading.records
    ]


# --- Google

GOOGLE_REVIEW = {
    "name": "accounts/1/locations/2/reviews/a",
    "reviewId": "a",
    "reviewer": {"displayName": "Ada", "profilePhotoUrl": "https://img.example/a.png"},
    "starRating": "FIVE",
    "comment": "Fine",
    "createTime": "2025-03-02T12:00:00Z",
    "updateTime": "2025-03-04T12:00:00Z",
}


def test_business_profile_keeps_the_picture_and_the_id_without_the_account():
    record = read({"reviews": [GOOGLE_REVIEW]}).record

    assert record.external_id == "locations/2/reviews/a"
    assert record.author_avatar_url == "https://img.example/a.png"
    assert str(record.date) == "2025-03-02"


def test_business_profile_without_resource_name_falls_back_to_the_review_id():
    review = {key: value for key, value in GOOGLE_REVIEW.items() if key != "name"}

    assert read({"reviews": [review]}).record.external_id == "a"


@pytest.mark.parametrize(
    ("state", "reply"),
    [("APPROVED", "Thanks"), ("PENDING", ""), ("REJECTED", ""), (None, "Thanks")],
)
def test_reply_that_google_does_not_show_is_left_out(state, reply):
    given = {"comment": "Thanks", "updateTime": "2025-03-05T12:00:00Z", "reviewReplyState": state}

    assert read({"reviews": [{**GOOGLE_REVIEW, "reviewReply": given}]}).record.reply_text == reply


def test_business_profile_as_json_lines_is_recognised():
    line = json.dumps(GOOGLE_REVIEW)
    reading = read(f"{line}\n{line.replace('reviews/a', 'reviews/b')}\n")

    assert reading.export.format == "google_business_profile"
    assert [record.row for record in reading.records] == [1, 2]


def test_translation_alone_stays_the_text_and_is_marked():
    reading = read({"reviews": [{**GOOGLE_REVIEW, "comment": "(Translated by Google) Good."}]})

    assert reading.record.text == "Good."
    assert reading.record.notes == ("text_is_translation",)
    assert reading.warnings == ["text_is_translation"]


def test_translation_envelope_is_opened_in_a_pasted_table_too():
    record = read(
        'Name,Stars,Date,Text\nUwe,5,2025-01-01,"Gut.\n\n(Translated by Google)\nGood."\n'
    ).record

    assert (record.text, record.translated_text) == ("Gut.", "Good.")


def takeout_review(**changes):
    review = {key: value for key, value in GOOGLE_REVIEW.items() if key != "reviewId"}
    return {**review, **changes}


def test_takeout_file_with_two_versions_keeps_the_newer_one():
    newer = takeout_review(starRating="TWO", updateTime="2025-05-01T00:00:00Z")
    reading = read({"reviews": [newer, takeout_review()]})

    assert reading.record.rating == 2
    assert [(skip.row, skip.code) for skip in reading.skipped] == [(2, "older_version")]


def test_business_profile_of_two_accounts_keeps_the_newer_version():
    newer = {**GOOGLE_REVIEW, "starRating": "TWO", "updateTime": "2025-05-01T00:00:00Z"}
    reading = read({"reviews": [GOOGLE_REVIEW, newer]})

    assert (reading.record.rating, reading.errors) == (2, [])


def test_archive_keeps_the_newest_version_whatever_the_order_of_the_folders():
    newer = takeout_review(
        name="accounts/9/locations/2/reviews/a",
        updateTime="2025-05-01T00:00:00+02:00",
        starRating="ONE",
    )
    other = takeout_review(name="accounts/1/locations/2/reviews/b")
    pages = {
        "Takeout/Google Business Profile/account-1/location-2/reviews_001.json": {
            "reviews": [takeout_review(), other]
        },
        "Takeout/Google Business Profile/account-9/location-2/reviews.json": {"reviews": [newer]},
        "Takeout/Google Business Profile/account-1/location-2/photo.json": b"not json",
    }
    for entries in (pages, dict(reversed(pages.items()))):
        reading = read(zipped(entries))

        assert reading.export.format == "google_takeout_zip"
        assert {r.external_id: r.rating for r in reading.records} == {
            "locations/2/reviews/a": 1,
            "locations/2/reviews/b": 5,
        }
        assert [record.row for record in reading.records] == [1, 2]


def test_archive_with_nothing_but_the_owners_own_maps_reviews_is_refused():
    trap = {"type": "FeatureCollection", "features": []}

    with pytest.raises(FileRefused) as refused:
        read(zipped({"Takeout/Maps (your places)/Reviews.json": trap}))

    assert refused.value.code == "maps_reviews_written_by_owner"
    assert "Google Business Profile" in refused.value.message


def test_older_places_api_is_read():
    review = {
        "author_name": "Ada",
        "author_url": "https://maps.example/contrib/1",
        "rating": 4,
        "relative_time_description": "a month ago",
        "text": "Fine",
        "time": 1741996800,
    }
    reading = read({"result": {"name": "Tern Hollow", "reviews": [review]}, "status": "OK"})

    assert reading.export.format == "google_places"
    assert summary(reading) == [("google", "Ada", 4, "2025-03-14", "Fine", "")]


# --- Scrapers


def test_outscraper_csv_prefers_the_epoch_and_ignores_the_rating_of_the_place():
    reading = read(
        "query,name,rating,reviews,review_id,author_title,author_id,author_image,review_text,"
        "owner_answer,owner_answer_timestamp,review_link,review_rating,review_timestamp,"
        "review_datetime_utc\n"
        'x,Tern,4.6,311,ChdA,"Keiko, T.",1001,https://img.example/1.png,"a ""b""\nc",Thanks,'
        "1754328000.0,https://maps.example/r/ChdA,5,1754300000.0,08/04/2025 09:33:20\n"
        "x,Tern,4.6,311,ChdB,Del,1002,,,,,https://maps.example/r/ChdB,3,,01/01/2025 01:00:00\n"
    )

    assert reading.export.format == "outscraper"
    assert summary(reading) == [
        ("google", "Keiko, T.", 5, "2025-08-04", 'a "b"\nc', "Thanks"),
        ("google", "Del", 3, "2024-12-31", "", ""),
    ]


def test_outscraper_flat_json_and_its_old_spelling_are_read():
    item = {
        "autor_name": "Hanna",
        "review_text": "Dear",
        "review_link": "https://www.google.com/maps/reviews/data=!4m8!14m7!1m6!2m5"
        "!1sChdDSUhNMG9nS0VJQ0FnSUQ!2m1!1s0x0:0x1?hl=en",
        "review_rating": 2,
        "review_datetime_utc": "2019-06-16T13:35:28Z",
    }
    record = read([item]).record

    assert record.external_id == "ChdDSUhNMG9nS0VJQ0FnSUQ"
    assert (record.author, str(record.date)) == ("Hanna", "2019-06-16")


def test_outscraper_link_without_an_id_gives_a_synthetic_one():
    item = {"review_rating": 2, "review_timestamp": 1560692128, "autor_name": "Hanna"}
    link = "https://www.google.com/maps/reviews?x=1"

    assert read([{**item, "review_link": link}]).record.external_id_is_synthetic


@pytest.mark.parametrize(
    "heading",
    [
        (
            "reviewId,name,stars,rating,publishedAtDate,text,textTranslated,reviewOrigin,reviewUrl,"
            "responseFromOwnerText,responseFromOwnerDate,reviewContext/Service,title"
        ),
        (
            "review_id,reviewer_name,stars,rating,published_at_date,text,text_translated,review_origin,"
            "review_url,response_from_owner_text,response_from_owner_date,review_context/service,title"
        ),
    ],
)
def test_apify_table_is_read_in_both_spellings(heading):
    reading = read(
        f"{heading}\n"
        "ChdA,Sunniva,5,,2025-08-01T19:55:25.231Z,Bra,Good,Google,https://maps.example/r/1,Thanks,"
        "2025-08-02T06:00:00.000Z,Leak detection,Tern Hollow\n"
        "ChdB,Bex,,7/10,2023-11-20T12:00:00.000Z,,,Tripadvisor,,,,,Tern Hollow\n"
    )
    first, second = reading.records

    assert reading.export.format == "apify"
    assert (first.author, first.text, first.translated_text) == ("Sunniva", "Bra", "Good")
    assert str(first.reply_date) == "2025-08-01"
    assert first.named_services == ("Leak detection",)
    assert (second.source, second.rating) == ("tripadvisor", 4)


def test_apify_places_that_hold_their_reviews_are_read():
    review = {"reviewId": "ChdA", "name": "Ada", "stars": 4, "publishedAtDate": "2025-08-01"}

    assert read([{"title": "Tern Hollow", "reviews": [review]}]).record.external_id == "ChdA"


# --- Trustpilot, Yelp, Facebook

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


# --- schema.org

REVIEW = {
    "@type": "Review",
    "author": "Ada",
    "datePublished": "2025-01-02",
    "reviewBody": "Fine",
    "reviewRating": {"ratingValue": "5"},
}


def test_saved_page_is_read_although_a_script_block_is_broken():
    page = (
        "<!DOCTYPE html><html><head><title>Reviews</title>"
        '<script type="application/ld+json">{"@context": "https://schema.org", broken</script>'
        "<script>var x = {'@type': 'Review'};</script>"
        f'<script type="application/ld+json">{json.dumps({"@type": "Plumber", "review": REVIEW})}'
        '</script><!-- <script type=\'application/ld+json\'>{"@type": "Review"}</script> -->'
        f"<SCRIPT TYPE='application/ld+json'>//<![CDATA[\n{json.dumps({**REVIEW, 'author': 'Bo'})}"
        "\n//]]></SCRIPT></head></html>"
    )
    reading = read(page)

    assert reading.export.format == "schema.org"
    assert [record.author for record in reading.records] == ["Ada", "Bo"]
    assert reading.warnings == ["script_blocks_broken"]


def test_line_breaks_inside_texts_of_a_page_are_forgiven():
    block = json.dumps({**REVIEW, "reviewBody": "one two"}).replace("one two", "one\ntwo")
    page = f'<html><script type="application/ld+json">{block}</script></html>'

    assert read(page).record.text == "one\ntwo"


@pytest.mark.parametrize(
    "author",
    ["Ada", {"@type": "Person", "name": "Ada"}, [{"name": "Ada"}], ["Ada"], {"@id": "#ada"}],
)
def test_author_may_be_a_text_a_person_a_list_or_a_reference(author):
    graph = [{**REVIEW, "author": author}, {"@id": "#ada", "@type": "Person", "name": "Ada"}]

    assert read({"@context": "https://schema.org", "@graph": graph}).record.author == "Ada"


def test_reviews_are_found_wherever_they_stand_and_whatever_their_type_is_called():
    types = ["http://schema.org/Review", "schema:Review", ["Thing", "UserReview"]]
    reviews = [{**REVIEW, "@type": kind, "author": f"A{n}"} for n, kind in enumerate(types)]
    reading = read([{"@type": "WebPage", "mainEntity": {"hasPart": [reviews]}}])

    assert [record.author for record in reading.records] == ["A0", "A1", "A2"]


def test_month_alone_is_no_date():
    assert read({**REVIEW, "datePublished": "2023-12"}).codes == [(1, "date", "date_invalid")]


def test_rating_on_another_scale_counts_on_five():
    rating = {"ratingValue": 45, "bestRating": 50, "worstRating": 0}

    assert read({**REVIEW, "reviewRating": rating}).record.rating == 5


# --- Birdeye, Podium

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


# --- Shops


def test_reviews_io_table_is_read():
    reading = read(
        "store_review_id,rating,comments,date_created,first_name,last_name,verified_buyer\n"
        "70011,5,Easy booking.,2025-03-20 08:15:00,Dorrit,Kemp,yes\n"
    )

    assert reading.export.format == "reviews.io"
    assert summary(reading) == [("reviews-io", "Dorrit Kemp", 5, "2025-03-20", "Easy booking.", "")]
    assert reading.record.verified is True


def test_yotpo_table_with_semicolons_and_mixed_dates_is_read():
    reading = read(
        "Review ID;Review Title;Review Content;Review Score;Date;Product ID;Display Name;Email;"
        "Verified Purchase;Review Status\n"
        "1;Top;Sehr gut;5;15/03/2025;yotpo_site_reviews;Ada;a@mail.example;true;Published\n"
        "2;;Gut;4;2025-03-16;p1;Bo;b@mail.example;false;published\n"
        "3;;Naja;2;04/05/2025;p1;Cy;c@mail.example;;Rejected\n"
        "4;;Ok;3;04/05/2025;p1;Di;d@mail.example;;\n"
    )

    assert reading.export.format == "yotpo"
    assert [(r.external_id, r.author, str(r.date), r.text) for r in reading.records] == [
        ("1", "Ada", "2025-03-15", "Top\n\nSehr gut"),
        ("2", "Bo", "2025-03-16", "Gut"),
        ("4", "Di", "2025-05-04", "Ok"),
    ]
    assert [record.verified for record in reading.records] == [True, False, None]
    assert [(skip.row, skip.code) for skip in reading.skipped] == [(4, "not_published")]
    assert "mail.example" not in repr(reading.outcomes)


def test_loox_table_leaves_out_hidden_reviews():
    reading = read(
        "id,status,rating,email,nickname,full_name,review,date,productId,handle,img,variant,"
        "verified_purchase\n"
        "l1,Active,5,a@mail.example,ada,Ada W.,Fine,2025-03-02T12:00:00Z,1,x,http://i.example/1,,true\n"
        "l2,Hidden,1,b@mail.example,bo,Bo,Bad,2025-03-02T12:00:00Z,1,x,,,false\n"
        "l3,Active,4,c@mail.example,cy,,Ok,2025-03-02T12:00:00Z,1,x,,,\n"
    )

    assert reading.export.format == "loox"
    assert summary(reading) == [
        ("loox", "Ada W.", 5, "2025-03-02", "Fine", ""),
        ("loox", "cy", 4, "2025-03-02", "Ok", ""),
    ]
    assert [(skip.row, skip.code) for skip in reading.skipped] == [(3, "not_published")]
    assert "mail.example" not in repr(reading.outcomes)


# --- Our own

OWN = {
    "id": "01JWN0000000000000000000AA",
    "author": "A &amp; B <b>x</b>  y",
    "author_avatar_url": "https://img.example/a.png",
    "rating": 4,
    "date": "2025-07-07",
    "text": " one&lt;br&gt;<br>\r\n(Translated by Google) two ",
    "source": "judge-me",
    "source_url": "https://x.example/r/1",
    "owner_reply": {"text": "Thanks &amp; bye", "date": "2025-07-08"},
    "verified": False,
}


@pytest.mark.parametrize(
    ("content", "format_name"),
    [
        ({"version": 1, "business": {"name": "Tern"}, "reviews": [OWN]}, "own_or_generic_json"),
        ([OWN], "own_or_generic_json"),
        (f"{json.dumps(OWN)}\n\n{json.dumps(OWN)}\n", "jsonl"),
    ],
)
def test_own_export_comes_back_unaltered(content, format_name):
    reading = read(content)
    record = reading.record

    assert reading.export.format == format_name
    assert record.ulid == record.external_id == OWN["id"]
    assert record.author == OWN["author"]
    assert record.text == OWN["text"]
    assert record.author_avatar_url == OWN["author_avatar_url"]
    assert (record.source, record.source_url) == (OWN["source"], OWN["source_url"])
    assert record.reply_text == "Thanks &amp; bye"
    assert str(record.reply_date) == "2025-07-08"
    assert record.verified is False
    assert not record.external_id_is_synthetic


def test_own_table_comes_back_unaltered():
    reading = read(
        "id,author,author_avatar_url,rating,date,text,source,source_url,owner_reply,"
        "owner_reply_date,verified\n"
        "01JWN0000000000000000000AA,'=Ada,,5,2025-07-07,'-&amp;<b>,google,,Thanks,2025-07-08,true\n"
    )
    record = reading.record

    assert reading.export.format == "own_table"
    assert (record.author, record.text, record.verified) == ("=Ada", "-&amp;<b>", True)
    assert record.ulid == "01JWN0000000000000000000AA"


def test_own_export_with_an_id_that_is_no_ulid_keeps_it_as_the_vendor_id():
    record = read([{**OWN, "id": "not-a-ulid"}]).record

    assert (record.ulid, record.external_id) == ("", "not-a-ulid")


def test_own_export_without_reviews_is_an_empty_export():
    reading = read({"version": 1, "business": None, "reviews": []})

    assert reading.export.format == "own_or_generic_json"
    assert reading.outcomes == []


def test_a_foreign_object_with_a_ulid_does_not_choose_our_id():
    record = read([{"id": OWN["id"], "rating": 5, "date": "2025-01-01", "author": "Ada"}]).record

    assert (record.ulid, record.external_id) == ("", OWN["id"])


# --- Any JSON


def test_objects_of_any_maker_are_read_by_the_names_of_their_members():
    item = {
        "reviewer": {"name": "Ada"},
        "Score": "4/5",
        "Created At": "2025-01-02T12:00:00Z",
        "content": "Fine &amp; dandy",
        "reply": {"text": "Thanks", "date": "2025-01-03"},
    }
    reading = read({"results": [item, "no review"]})

    assert reading.export.format == "own_or_generic_json"
    assert summary(reading) == [("import", "Ada", 4, "2025-01-02", "Fine & dandy", "Thanks")]
    assert [(skip.row, skip.code) for skip in reading.skipped] == [(2, "not_a_review")]


def test_members_are_mapped_as_the_administrator_says():
    reading = read(
        [{"who": "Ada", "n": 5, "when": "2025-01-02"}],
        columns={"who": "author", "n": "rating", "when": "date"},
    )

    assert summary(reading) == [("import", "Ada", 5, "2025-01-02", "", "")]


def test_values_of_the_wrong_type_are_row_errors():
    items = [
        {"rating": 5, "date": "2025-01-02", "author": ["Ada"]},
        {"rating": {"stars": {"of": 5}}, "date": "2025-01-02"},
        {"rating": 5, "date": {"day": 2}},
        {"rating": 5, "date": "2025-01-02", "text": True},
        {"rating": 5, "date": "2025-01-02", "id": [1]},
        {"rating": 5, "date": "2025-01-02", "source_url": 7},
    ]

    assert read(items).codes == [
        (1, "author", "wrong_type"),
        (2, "rating", "rating_unreadable"),
        (3, "date", "date_invalid"),
        (4, "text", "wrong_type"),
        (5, "review_id", "wrong_type"),
        (6, "source_url", "url_scheme"),
    ]


def test_half_an_emoji_is_dropped_from_a_text():
    assert read(b'[{"rating": 5, "date": "2025-01-02", "text": "ok \\ud83d"}]').record.text == "ok"


def test_lines_that_are_no_objects_are_errors_or_skipped():
    good = json.dumps({"rating": 5, "date": "2025-01-02", "author": "Ada"})
    reading = read(f"{good}\nnot json\n[1]\n{good.replace('Ada', 'Bo')}\n")

    assert [record.row for record in reading.records] == [1, 4]
    assert reading.codes == [(2, None, "json_line_invalid")]
    assert [(skip.row, skip.code) for skip in reading.skipped] == [(3, "not_a_review")]


def test_lines_whose_first_is_cut_off_are_still_lines():
    good = json.dumps({"rating": 5, "date": "2025-01-02", "author": "Ada"})
    reading = read(f'{{"rating": 5, "da\n{good}\n')

    assert reading.record.row == 2
    assert reading.codes == [(1, None, "json_line_invalid")]


def test_document_with_one_item_on_a_line_of_its_own_is_no_json_lines():
    item = json.dumps({"rating": 5, "date": "2025-01-02", "author": "Ada"})

    for content in (f"[\n{item}\n]", f'{{"reviews":\n[{item}]\n}}', f'{{"data":\n{item}\n}}'):
        assert not read(content).errors


@pytest.mark.parametrize(
    ("content", "label"),
    [
        ("Name,Stars,Date\n", "Table, CSV"),
        ("Name\tStars\tDate\n", "Table, TSV"),
        ("review_rating,review_timestamp\n", "Outscraper, CSV"),
        (json.dumps([{"review_rating": 5, "review_timestamp": 1754300000}]), "Outscraper, JSON"),
        (json.dumps(REVIEW), "schema.org JSON-LD, file or saved page"),
        (json.dumps([{"rating": 5, "date": "2025-01-02"}]), "Any JSON"),
    ],
)
def test_label_says_what_was_recognised(content, label):
    assert read(content).export.label == label


def test_iterating_leaves_the_file_open_for_its_owner():
    import io

    from reviews.importing.reading import open_export
    from tests.reviews.importing.exports import options

    file = io.BytesIO(b"Name,Stars,Date\nAda,5,2025-01-01\n")
    export = open_export(file, options=options())
    iterator = iter(export)
    next(iterator)
    del iterator, export

    file.seek(0)
    assert file.read(4) == b"Name"
