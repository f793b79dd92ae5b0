"""JSON of no known format, read by the names of its members."""

import json

import pytest

from tests.review_exports.exports import SCHEMA_ORG_REVIEW, read, refused, summary


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


def test_object_whose_members_are_empty_says_nothing():
    author, reply = {"name": ""}, {"text": "", "date": None}
    reading = read([{"rating": 5, "date": "2025-01-02", "author": author, "reply": reply}])

    assert summary(reading) == [("import", "Anonymous", 5, "2025-01-02", "", "")]


def test_object_whose_words_are_empty_is_no_text():
    text = {"full": "", "language": "en"}

    assert read([{"rating": 5, "date": "2025-01-02", "text": text}]).record.text == ""


def test_members_may_say_that_they_are_of_the_review():
    item = {
        "overallRating": 4.9,
        "reviewAuthorName": "Ada",
        "reviewBody": "Fine",
        "reviewTime": "2022-02-14T15:20:56",
        "reviewResponseBody": "Thanks",
        "reviewResponseCreatedDateTime": "2022-02-16T15:20:56",
        "reviewStarRating": 5,
        "reviewSourceType": "Google",
    }
    reading = read({"report_data": {"details": [item]}})

    assert summary(reading) == [("google", "Ada", 5, "2022-02-14", "Fine", "Thanks")]
    assert str(reading.record.reply_date) == "2022-02-16"


def test_thread_of_comments_is_no_text():
    item = {"rating": 5, "date": "2025-01-02", "content": None, "comments": [{"content": "Thanks"}]}

    assert read([item]).record.text == ""


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
        (json.dumps(SCHEMA_ORG_REVIEW), "schema.org JSON-LD, file or saved page"),
        (json.dumps([{"rating": 5, "date": "2025-01-02"}]), "Any JSON"),
    ],
)
def test_label_says_what_was_recognised(content, label):
    assert read(content).export.label == label


def test_iterating_leaves_the_file_open_for_its_owner():
    import io

    from review_exports.opening import read
    from tests.review_exports.exports import options

    file = io.BytesIO(b"Name,Stars,Date\nAda,5,2025-01-01\n")
    export = read(file, options=options())
    iterator = iter(export)
    next(iterator)
    del iterator, export

    file.seek(0)
    assert file.read(4) == b"Name"


@pytest.mark.parametrize(
    "headings",
    [
        "Name,Star Rating,Date,Text",
        "Customer,Star Rating,Review Date,Text,Review ID",
        "Name,Review Score,Date Posted,Review Content",
        "Full Name,Stars,Review Date,Review,Verified Purchase",
    ],
)
def test_table_with_some_headings_of_a_maker_is_read_by_all_of_its_own(headings):
    reading = read(f"{headings}\nAda,5,2025-01-01,Fine{',r-1' * (headings.count(',') - 3)}\n")

    assert reading.export.format == "generic"
    assert (reading.record.author, str(reading.record.date)) == ("Ada", "2025-01-01")
    assert (reading.record.rating, reading.record.text) == (5, "Fine")


def test_objects_with_some_names_of_a_maker_are_read_by_all_of_their_own():
    reading = read([{"name": "Ada", "starRating": 5, "date": "2025-01-01", "text": "Fine"}])

    assert (reading.record.source, reading.record.author) == ("import", "Ada")


REVIEW = {"author": {"name": "Ada"}, "rating": 5, "date": "2025-01-01"}


@pytest.mark.parametrize(
    "document",
    [
        {"-Nab": REVIEW},
        {"reviews": {"-Nab": REVIEW}},
        {"status": {"code": 200}, "response": {"page": {"reviews": [REVIEW], "number": 1}}},
    ],
)
def test_reviews_are_found_by_their_ids_and_in_any_wrapping(document):
    assert read(document).record.author == "Ada"


@pytest.mark.parametrize(
    "document",
    [
        {"error": {"code": 401, "message": "Token expired"}},
        {"errors": [{"message": "Token expired"}], "data": None},
        {"message": "Token expired"},
        {"error": "Token expired"},
    ],
)
def test_answer_that_a_program_failed_is_told(document):
    assert 'the answer of a program that failed: "Token expired". ' in refused(document).message


def test_a_document_of_objects_names_the_list_of_its_reviews_as_it_likes():
    assert read({"shop": "Tern", "testimonials": [REVIEW]}).record.author == "Ada"
    edges = [{"cursor": "x", "node": REVIEW}]
    assert read({"data": {"reviews": {"edges": edges, "pageInfo": {}}}}).record.author == "Ada"
    assert len(read({"testimonials": [{**REVIEW, "id": n} for n in range(1_500)]}).records) == 1_500


def test_one_review_with_pictures_is_one_review():
    assert read({**REVIEW, "photos": [{"url": "https://shop.example/1"}]}).record.author == "Ada"


def test_two_lists_of_unknown_names_are_not_chosen_between():
    assert refused({"here": [REVIEW], "there": [REVIEW]}).code == "no_reviews_found"


@pytest.mark.parametrize("wrapping", ["attributes", "fields", "node", "review"])
def test_review_may_be_an_object_inside_its_item(wrapping):
    item = {"id": 7, "type": "reviews", wrapping: {**REVIEW, "title": "Good"}}
    record = read({"data": [item]}).record

    assert (record.external_id, record.author, record.text) == ("7", "Ada", "Good")


@pytest.mark.parametrize(
    "members",
    [
        {"reviewer": {"displayName": "Ada", "avatarUrl": "https://shop.example/ada"}},
        {"consumer": {"displayName": "Ada", "imageUrl": "https://shop.example/ada"}},
        {"user": {"id": 7, "name": "Ada", "thumbnail": "https://shop.example/ada"}},
        {"author": {"username": "Ada"}, "avatar": "https://shop.example/ada"},
        {"name": "Tern Hollow", "authorName": "Ada", "user_image": "https://shop.example/ada"},
        {"user": {"name": "Ada", "avatar": {"image": "https://shop.example/ada"}}},
        {"reviewer": {"name": "Ada", "photoUrl": "https://shop.example/ada"}},
        {"author_name": "Ada", "author_avatar": "https://shop.example/ada"},
    ],
)
def test_person_is_found_in_an_object_of_its_own(members):
    record = read([{"rating": 5, "date": "2025-01-01", **members}]).record

    assert (record.author, record.author_avatar_url) == ("Ada", "https://shop.example/ada")


@pytest.mark.parametrize(
    "members",
    [
        {"reply": {"message": "Thanks", "publishedDate": "2025-01-03"}},
        {"ownerResponse": {"text": "Thanks", "date": "2025-01-03"}},
        {"owner_response": {"title": "x", "body": "Thanks", "published_date": "2025-01-03"}},
        {"owner_replies": [{"comment": "Thanks", "date": "2025-01-03"}]},
        {"ownerReply": "Thanks", "ownerReplyDate": "2025-01-03"},
        {"responses": [{"responseID": "1", "body": "Thanks", "datePosted": "2025-01-03"}]},
    ],
)
def test_reply_is_found_with_its_date(members):
    record = read([{**REVIEW, **members}]).record

    assert (record.reply_text, str(record.reply_date)) == ("Thanks", "2025-01-03")


def test_stars_day_and_words_may_be_objects():
    item = {
        "_id": {"$oid": "64f1"},
        "rating": {"value": 4, "max": 5},
        "createdAt": {"$date": "2025-01-01T20:00:00Z"},
        "comment": {"text": "Fine", "language": "en"},
    }
    record = read([item]).record

    assert (record.external_id, record.rating, str(record.date)) == ("64f1", 4, "2025-01-01")
    assert (record.text, record.text_language) == ("Fine", "en")


def test_account_that_is_a_mere_number_is_no_name():
    assert read([{"rating": 5, "date": "2025-01-01", "user": 7}]).record.author == "Anonymous"


def test_testimonials_that_wordpress_serves_are_read():
    item = {
        "id": 12,
        "date": "2025-02-14T20:30:00",
        "date_gmt": "2025-02-15T04:30:00",
        "status": "publish",
        "link": "https://tern.example/testimonials/a",
        "title": {"rendered": "Great"},
        "content": {"rendered": "<p>Fine &#8217;work&#8217;</p>\n", "protected": False},
        "acf": {"rating": "5", "author": "Ada"},
    }
    record = read([item]).record

    assert (record.author, record.rating, str(record.date)) == ("Ada", 5, "2025-02-14")
    assert record.text == "Great\n\nFine \u2019work\u2019"
    assert record.source_url == "https://tern.example/testimonials/a"


def test_day_may_be_an_object_of_its_parts():
    parts = {"year": "2025", "month": "01", "day": 2}

    assert str(read([{"rating": 5, "date": parts}]).record.date) == "2025-01-02"
    assert read([{"rating": 5, "date": {**parts, "day": 32}}]).codes == [
        (1, "date", "date_invalid")
    ]


def test_absolute_date_counts_beside_a_relative_one():
    item = {"rating": 5, "date": "2 weeks ago", "timestamp": 1735819200}

    assert str(read([item]).record.date) == "2025-01-02"
    assert read([{"rating": 5, "date": "2 weeks ago"}]).codes == [(1, "date", "date_relative")]


def test_person_may_have_a_first_and_a_last_name():
    person = {"firstName": "Ada", "lastName": "P.", "pictureUrl": "x"}
    reading = read([{"rating": 5, "date": "2025-01-02", "reviewer": person}])

    assert reading.record.author == "Ada P."


def test_reviews_of_wix_are_read_and_rejected_ones_left_out():
    review = {
        "id": "1",
        "content": {"title": "Quick", "body": "Came at once", "rating": 5},
        "author": {"authorName": "Ada", "contactId": "7"},
        "createdDate": "2025-01-02T12:00:00Z",
        "moderation": {"moderationStatus": "APPROVED"},
        "reply": {"message": "Thanks", "createdDate": "2025-01-03T12:00:00Z"},
    }
    rejected = {**review, "id": "2", "moderation": {"moderationStatus": "REJECTED"}}
    reading = read({"reviews": [review, rejected]})

    assert summary(reading) == [
        ("import", "Ada", 5, "2025-01-02", "Quick\n\nCame at once", "Thanks")
    ]
    assert str(reading.record.reply_date) == "2025-01-03"
    assert [skip.code for skip in reading.skipped] == ["not_published"]


@pytest.mark.parametrize("name", ["iso_date", "date_utc", "timestamp"])
def test_absolute_date_of_a_reply_counts_beside_a_relative_one(name):
    reply = {"text": "Thanks", "date": "2 weeks ago", name: "2025-01-05"}
    item = {"rating": 5, "date": "2025-01-02", "author": "Ada", "response": reply}

    assert str(read([item]).record.reply_date) == "2025-01-05"


def test_what_stands_beside_a_review_may_be_an_object():
    beside = {
        "source": {"id": 1, "name": "Yelp"},
        "technicians": ["Maren", "Jonah"],
        "service": {"label": "Drains"},
    }
    record = read([{"rating": 5, "date": "2025-01-02", **beside}]).record

    assert (record.source, record.named_technicians) == ("yelp", ("Maren", "Jonah"))
    assert record.named_services == ("Drains",)


def test_status_may_be_an_object():
    item = {"rating": 5, "created": "2025-01-02", "author": "Ada"}
    reply = {"content": "Thanks", "updated": "2025-01-04"}
    reading = read(
        [
            {**item, "status": {"value": "published"}, "public_reply": reply},
            {**item, "status": {"value": "rejected", "rejection_reason": {"reason": "other"}}},
        ]
    )

    assert (reading.record.reply_text, str(reading.record.reply_date)) == ("Thanks", "2025-01-04")
    assert [skip.row for skip in reading.skipped] == [2]


def test_reviews_that_a_portal_holds_back_are_left_out():
    item = {"rating": 5, "publisherDate": 1735819200000, "publisherId": "FACEBOOK"}
    reading = read([{**item, "status": "LIVE"}, {**item, "status": "QUARANTINED"}])

    assert reading.record.source == "facebook"
    assert [skip.row for skip in reading.skipped] == [2]


def test_original_comes_before_its_translation():
    item = {"rating": 5, "date": "2025-01-02", "text": "Good", "original_text": "Gut"}

    assert read([item]).record.text == "Gut"
    assert read([{**item, "original_text": None}]).record.text == "Good"
