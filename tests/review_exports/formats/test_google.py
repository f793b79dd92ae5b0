"""Exports of Google, and of those who scrape it."""

import json

import pytest

from review_exports.records import FileRefused
from tests.review_exports.exports import read, summary, zipped

GOOGLE_REVIEW = {
    "name": "accounts/1/locations/2/reviews/a",
    "reviewId": "a",
    "reviewer": {"displayName": "Ada", "profilePhotoUrl": "https://img.example/a.png"},
    "starRating": "FIVE",
    "comment": "Fine",
    "createTime": "2025-03-02T12:00:00Z",
    "updateTime": "2025-03-04T12:00:00Z",
}


# --- Google ---------------------------------------------------------------------------------------


def test_business_profile_keeps_the_picture_and_the_id_without_the_account():
    record = read({"reviews": [GOOGLE_REVIEW]}).record

    assert record.external_id == "locations/2/reviews/a"
    assert record.author_avatar_url == "https://img.example/a.png"
    assert str(record.date) == "2025-03-02"


def test_business_profile_without_a_name_is_anonymous():
    nameless = GOOGLE_REVIEW | {"reviewer": {"isAnonymous": True}}

    assert read({"reviews": [nameless]}).record.author == "Anonymous"


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


@pytest.mark.parametrize(("original", "translated"), [("Gut.", "Good."), ("Good.", "")])
def test_newer_places_api_has_a_translation_only_where_it_differs(original, translated):
    review = {
        "name": "places/p/reviews/a",
        "rating": 4,
        "publishTime": "2025-03-14T12:00:00Z",
        "originalText": {"text": original, "languageCode": "de"},
        "text": {"text": "Good.", "languageCode": "en"},
        "authorAttribution": {"displayName": "Ada"},
    }

    record = read({"reviews": [review]}).record

    assert (record.text, record.translated_text) == (original, translated)


# --- Scrapers -------------------------------------------------------------------------------------


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


def test_business_profile_of_all_locations_at_once_is_read():
    review = {
        "name": "accounts/1/locations/2/reviews/AbG",
        "reviewId": "AbG",
        "reviewer": {"displayName": "Ada"},
        "starRating": "THREE",
        "createTime": "2025-03-02T20:00:00Z",
        "updateTime": "2025-03-02T20:00:00Z",
    }
    reading = read({"locationReviews": [{"name": "accounts/1/locations/2", "review": review}]})

    assert reading.export.format == "google_business_profile"
    assert summary(reading) == [("google", "Ada", 3, "2025-03-02", "", "")]
    assert reading.record.external_id == "locations/2/reviews/AbG"


def test_google_reviews_gathered_by_serpapi_have_their_day_and_reply():
    review = {
        "link": "https://maps.example/r/1",
        "rating": 5.0,
        "date": "2 weeks ago",
        "iso_date": "2025-03-15T03:10:20Z",
        "review_id": "ChdA",
        "user": {"name": "Ada", "thumbnail": "https://maps.example/ada"},
        "snippet": "Good (translated)",
        "extracted_snippet": {"original": "Bra", "translated": "Good"},
        "response": {
            "date": "a week ago",
            "iso_date": "2025-03-20T18:00:00Z",
            "snippet": "Thanks",
        },
    }
    bare = {"rating": 4, "iso_date": "2025-03-14T20:00:00Z", "review_id": "ChdB"}
    pages = {"next_page_token": "CAESB"}
    reading = read(
        {"place_info": {"rating": 4.7}, "reviews": [review, bare], "serpapi_pagination": pages}
    )
    record = reading.records[0]

    assert summary(reading) == [
        ("google", "Ada", 5, "2025-03-14", "Bra", "Thanks"),
        ("google", "Anonymous", 4, "2025-03-14", "", ""),
    ]
    assert (record.translated_text, str(record.reply_date)) == ("Good", "2025-03-20")
    assert (record.external_id, record.source_url) == ("ChdA", "https://maps.example/r/1")
    assert reading.warnings == ["page_token_left"]


def test_google_reviews_gathered_by_bright_data_have_the_stars_of_the_review():
    reading = read(
        "url,review_id,reviewer_name,review_rating,review,review_date,response_of_owner,"
        "response_date,timestamp,place_general_rating\n"
        "https://maps.example/p,ChdA,Ada,2,Late,2024-11-09T22:18:01.713Z,Sorry,"
        "2024-11-10T22:18:01.713Z,2025-11-10T07:37:58.326Z,4.7\n"
    )

    assert summary(reading) == [("google", "Ada", 2, "2024-11-09", "Late", "Sorry")]
    assert str(reading.record.reply_date) == "2024-11-10"


def test_google_reviews_gathered_by_dataforseo_are_read():
    review = {
        "type": "google_reviews_search",
        "review_id": "a1",
        "profile_name": "Uwe K.",
        "rating": {"rating_type": "Max5", "value": 4, "votes_count": None, "rating_max": 5},
        "timestamp": "2025-09-06 10:11:12 +00:00",
        "time_ago": "2 months ago",
        "review_text": "Very good",
        "original_review_text": "Sehr gut",
        "original_language": "de",
        "owner_answer": "Danke",
        "owner_timestamp": "2025-10-01 10:00:00 +00:00",
        "owner_time_ago": "a month ago",
        "review_url": "https://maps.example/a1",
    }
    place = {"title": "Tern", "rating": {"value": 4.7}, "items_count": 1, "items": [review]}
    task = {"id": "7", "data": {"api": "business_data"}, "result": [place]}
    reading = read({"status_code": 20000, "tasks_count": 1, "tasks": [task]})

    assert summary(reading) == [("google", "Uwe K.", 4, "2025-09-06", "Sehr gut", "Danke")]
    assert reading.record.translated_text == "Very good"
    assert str(reading.record.reply_date) == "2025-10-01"


@pytest.mark.parametrize(
    ("link", "source"),
    [
        ("https://www.tripadvisor.com/ShowUserReviews-1", "tripadvisor"),
        ("https://www.google.com/maps/reviews/a1?x=yelp.com", "google"),
        ("", "google"),
    ],
)
def test_outscraper_names_the_site_of_the_link(link, source):
    item = {"review_rating": 5, "review_timestamp": 1735819200, "review_link": link}

    assert read([item]).record.source == source


@pytest.mark.parametrize("beside", ["Reviewer,Review Id", "Reviewer Name,Review Id", "Name,Likes"])
def test_sheets_with_names_of_the_api_keep_those_of_people(beside):
    content = f"{beside},Star Rating,Comment,Create Time,Reply\nAda,7,FIVE,Fine,2025-01-02,Thanks\n"
    record = read(content).record

    assert (record.author, record.rating, record.text) == ("Ada", 5, "Fine")
    assert record.reply_text == "Thanks"
