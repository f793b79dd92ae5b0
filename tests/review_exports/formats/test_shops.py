"""Exports of what shops collect reviews with."""

from tests.review_exports.exports import read, summary


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
        "4;;Ok;3;04/05/2025;p1;Di;d@mail.example;;Published\n"
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


def test_yotpo_may_call_the_author_by_a_longer_name():
    reading = read(
        "Product ID,Review Score,Reviewer Display Name,Review Content,Review Creation Date,"
        "Reviewer Email,Review Title\n1,3,Ada,Fine,2025-03-02,a@mail.example,Good\n"
    )

    assert summary(reading) == [("yotpo", "Ada", 3, "2025-03-02", "Good\n\nFine", "")]


def test_content_and_score_alone_are_not_taken_for_yotpo():
    reading = read(
        "id,review_content,review_score,date,product_id,display_name,email,order_id,media\n"
        "7,Fine,5,2025-03-02 10:11:12,-1,Ada,a@mail.example,77,\n"
    )

    assert reading.export.format == "generic"
    assert summary(reading) == [("import", "Ada", 5, "2025-03-02", "Fine", "")]
    assert reading.record.external_id == "7"


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


def test_judge_me_api_leaves_out_what_is_hidden_or_spam():
    item = {
        "id": 901,
        "title": "Good",
        "body": "Again",
        "rating": 5,
        "reviewer": {"name": "Ada", "email": "a@mail.example"},
        "source": "email",
        "curated": "ok",
        "hidden": False,
        "verified": "buyer",
        "created_at": "2025-05-01T02:00:00+00:00",
        "ip_address": "203.0.113.9",
    }
    hidden, spam = {**item, "id": 902, "hidden": True}, {**item, "id": 903, "curated": "spam"}
    reading = read({"current_page": 1, "reviews": [item, hidden, spam]})

    assert summary(reading) == [("judge-me", "Ada", 5, "2025-04-30", "Good\n\nAgain", "")]
    assert (reading.record.external_id, reading.record.verified) == ("901", True)
    assert [skip.row for skip in reading.skipped] == [2, 3]
    assert "mail.example" not in repr(reading.outcomes)


def test_yotpo_api_is_read_with_the_comment_of_the_shop():
    item = {
        "id": 301,
        "score": 4,
        "votes_up": 0,
        "content": "Fine",
        "title": "Okay",
        "created_at": "2025-02-01T20:00:00.000Z",
        "verified_buyer": True,
        "user": {"display_name": "Ada"},
        "comment": {"content": "Thanks", "created_at": "2025-02-03T20:00:00.000Z"},
    }
    reading = read({"response": {"reviews": [item, {**item, "id": 302, "deleted": True}]}})

    assert summary(reading) == [("yotpo", "Ada", 4, "2025-02-01", "Okay\n\nFine", "Thanks")]
    assert (reading.record.verified, str(reading.record.reply_date)) == (True, "2025-02-03")
    assert [skip.row for skip in reading.skipped] == [2]
