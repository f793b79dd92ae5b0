"""Bodies of makers' webhooks and APIs, saved as files."""

import datetime as dt
import functools
import json
from pathlib import Path

import pytest

from tests.review_exports.exports import read as read_on
from tests.review_exports.exports import refused, summary

read = functools.partial(read_on, today=dt.date(2026, 12, 1))
BODIES = Path(__file__).parents[1] / "bodies"
GOOGLE = [("google", "Inv Person", 5, "2026-05-20", "Invented", "")]


def body(name):
    return json.loads((BODIES / f"{name}.json").read_text())


@pytest.mark.parametrize(
    ("name", "ids", "expected"),
    [
        ("dataforseo_postback", ["ChdINVENTED1", "ChdINVENTED2"],
         [("google", "Inv Person", 5, "2026-05-20", "Invented text", "Thanks"),
          ("google", "Second Person", 4, "2026-05-19", "", "")]),
        ("gbp_batch", ["locations/2/reviews/AbINV"],
         [("google", "Inv Person", 4, "2026-05-20", "Invented", "")]),
        ("ifttt_google", ["AbFvOqkINVENTED1"],
         [("google", "Inv Person", 5, "2026-05-20", "Invented comment", "")]),
        ("judgeme_webhook", ["434"],
         [("judge-me", "Inv P.", 5, "2026-05-02", "Invented body", "")]),
        ("partoo_webhook", ["34"],
         [("google", "Inv Person", 3, "2026-05-01", "Invented content", "")]),
        ("serpapi", ["ChZINVENTED3"],
         [("google", "Inv Person", 5, "2026-05-20", "Invented snippet", "Thanks")]),
        ("trustpilot_webhook", ["aaaaaaaaaaaaaaaaaaaaaaa1"],
         [("trustpilot", "Invented Person", 5, "2026-05-20",
           "Quick visit\n\nInvented text about a quick visit.", "")]),
        ("yext_webhook", ["77"],
         [("google", "Inv Person", 4, "2026-05-20", "Invented content", "Thanks")]),
        ("zapier_form", ["z1"], GOOGLE),
    ],
)  # fmt: skip
def test_body_gives_its_reviews(name, ids, expected):
    reading = read(body(name))

    assert summary(reading) == expected
    assert [record.external_id for record in reading.records] == ids
    assert not reading.errors
    assert "mail.example" not in repr(reading.outcomes)


@pytest.mark.parametrize(
    ("name", "where"),
    [("apify_webhook", "dataset d1"), ("outscraper_webhook", "/requests/your-request-id")],
)
def test_notice_of_a_result_says_where_the_result_is(name, where):
    refusal = refused(body(name))

    assert refusal.code == "no_reviews_found"
    assert "only the notice that a result is ready" in refusal.message
    assert where in refusal.message


def changed_body(name, change):
    document = body(name)
    change(document)
    return document


def hide(document):
    document["review"]["hidden"] = True


def delete_at_partoo(document):
    document["payload"]["review"]["delete_date"] = "2026-06-01T00:00:00Z"


def delete_at_trustpilot(document):
    document["events"][0]["eventName"] = "service-review-deleted"


def delete_at_yext(document):
    document["meta"]["eventType"] = "REVIEW_DELETED"


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("judgeme_webhook", hide),
        ("partoo_webhook", delete_at_partoo),
        ("trustpilot_webhook", delete_at_trustpilot),
        ("yext_webhook", delete_at_yext),
    ],
)
def test_body_about_a_review_that_is_gone_gives_none(name, change):
    reading = read(changed_body(name, change))

    assert not reading.records
    assert [skipped.code for skipped in reading.skipped] == ["not_published"]


def comment(role="BUSINESS_OWNER", visibility="PUBLIC", content="Thanks"):
    return {
        "publisherDate": 1779369684000,
        "authorRole": role,
        "content": content,
        "visibility": visibility,
    }


@pytest.mark.parametrize(
    ("comments", "reply"),
    [
        ([comment("CONSUMER", content="Me too"), comment()], "Thanks"),
        ([comment(visibility="PRIVATE", content="Call them"), comment()], "Thanks"),
        ([comment(visibility="PRIVATE", content="Call them")], ""),
        ([comment("CONSUMER", content="Me too")], ""),
        ([], ""),
    ],
)
def test_reply_of_yext_is_the_public_one_of_the_owner(comments, reply):
    document = body("yext_webhook")
    document["review"]["comments"] = comments

    assert read(document).record.reply_text == reply


def test_comment_of_partoo_is_a_reply_where_only_the_owner_may_comment():
    document = body("partoo_webhook")
    review = document["payload"]["review"]
    review["comments"] = [{"content": "Thanks", "date": "2026-05-03T00:00:00Z"}]
    assert read(document).record.reply_text == "Thanks"

    review["partner"] = "facebook"
    reading = read(document)
    assert reading.record.reply_text == ""
    assert reading.warnings == ["owner_reply_dropped"]


@pytest.mark.parametrize(
    ("name", "member", "value", "stars"),
    [
        ("partoo_webhook", "recommended", True, 5),
        ("partoo_webhook", "recommended", False, 1),
        ("yext_webhook", "recommendation", "RECOMMENDED", 5),
        ("yext_webhook", "recommendation", "NOT_RECOMMENDED", 1),
    ],
)
def test_recommendation_without_stars_is_taken_for_some(name, member, value, stars):
    document = body(name)
    review = document.get("review") or document["payload"]["review"]
    review |= {member: value, "rating": None}

    assert read(document).record.rating == stars


def test_several_events_of_one_body_are_several_reviews():
    document = body("trustpilot_webhook")
    (event,) = document["events"]
    second = {**event, "eventData": {**event["eventData"], "id": "b", "stars": 1}}
    document["events"].append(second)

    assert [record.rating for record in read(document).records] == [5, 1]


@pytest.mark.parametrize(
    "document",
    [
        {"tasks": [{"status_code": 40501, "status_message": "Invalid Field", "result": None}]},
        {"error": True, "errorMessage": "Invalid Field"},
    ],
)
def test_answer_that_tells_of_an_error_is_no_export(document):
    assert '"Invalid Field"' in refused(document).message


# --- gosom's scraper ------------------------------------------------------------------------------


def gosom(name, **more):
    return {"Name": name, "ProfilePicture": "", "Rating": 5, "Description": "Good", "Images": None,
            "When": "2024-5-3", **more}  # fmt: skip


def place(**more):
    return {"title": "Tern Hollow", "review_count": 12, "review_rating": 4.6, **more}


@pytest.mark.parametrize(
    "content",
    [
        [place(user_reviews=[gosom("Ann")], user_reviews_extended=[gosom("Ben")])],
        place(user_reviews=[gosom("Ann"), gosom("Ben")], user_reviews_extended=None),
        "\n".join([json.dumps(place(user_reviews=[gosom("Ann"), gosom("Ben")]))] * 2),
        "title,reviews_per_rating,user_reviews\n"
        + '"Tern Hollow","{}","{}"'.format(
            '{""5"":9}', json.dumps([gosom("Ann"), gosom("Ben")]).replace('"', '""')
        ),
    ],
)  # fmt: skip
def test_reviews_of_gosom_are_those_of_google(content):
    assert summary(read(content)) == [
        ("google", name, 5, "2024-05-03", "Good", "") for name in ("Ann", "Ben")
    ]


def test_cell_with_broken_json_is_named():
    broken = json.dumps([gosom("Ann")])[:-5].replace('"', '""')
    whole = json.dumps([gosom("Ben")]).replace('"', '""')

    reading = read(f'title,user_reviews\nA,"{broken}"\nB,"{whole}"\n')

    assert [record.author for record in reading.records] == ["Ben"]
    assert "row 2, column B" in reading.errors[0].message
    assert "reviews_in_cells" in reading.warnings


def test_number_of_reviews_in_a_table_is_no_list_of_them():
    reading = read("Name,Rating,Date,Reviews\nAnn,5,2024-01-02,12\n")

    assert reading.record.author == "Ann"
    assert "reviews_in_cells" not in reading.warnings


# --- Google Play Console --------------------------------------------------------------------------

PLAY = (
    "Package Name,App Version Code,App Version Name,Reviewer Language,Device,"
    "Review Submit Date and Time,Review Submit Millis Since Epoch,Review Last Update Date and Time,"
    "Review Last Update Millis Since Epoch,Star Rating,Review Title,Review Text,"
    "Developer Reply Date and Time,Developer Reply Millis Since Epoch,Developer Reply Text,"
    "Review Link\n"
)
LINKS = (
    (
        "https://play.google.com/console/developers/1/app/2/user-feedback/review-details?reviewId="
        "gp%3AAOqpTO1&corpus=PUBLIC_REVIEWS"
    ),
    "https://play.google.com/apps/publish?account=1#ReviewDetailsPlace:p=com.x&reviewid=gp:AOqpTO1",
)


def play(text, updated, link, stars=5):
    return (
        f"com.x,1,1.0,en,a06,2026-01-05T14:40:32Z,1,{updated},2,{stars},,{text},"
        f"2026-01-13T13:02:47Z,3,Thanks,{link}\n"
    )


@pytest.mark.parametrize("link", LINKS)
def test_review_of_play_console_is_known_by_the_id_in_its_link(link):
    content = (PLAY + play("Good", "2026-01-05T14:40:32Z", link)).encode("utf-16")
    record = read(content).record

    assert (record.source, record.external_id) == ("google-play", "gp:AOqpTO1")
    assert (record.author, record.reply_text, record.source_url) == ("Anonymous", "Thanks", "")


def test_newest_edit_of_play_console_counts_wherever_it_stands():
    new, old = (
        play("Edited", "2026-02-05T14:40:32Z", LINKS[0], stars=1),
        play("Good", "2026-01-05T14:40:32Z", LINKS[1]),
    )
    for rows in (new + old, old + new):
        reading = read(PLAY + rows)
        assert [(r.text, r.rating) for r in reading.records] == [("Edited", 1)]
        assert [skipped.code for skipped in reading.skipped] == ["older_version"]


# --- Words for and against ------------------------------------------------------------------------

BOOKING = (
    "Review date,Guest name,Reservation number,Review title,Positive review,Negative review,"
    "Review score,Staff,Cleanliness,Property reply\n"
    "2024-05-01 12:03:44,Marta,4001002003,Superb,Lovely breakfast,No parking,9.0,10,10,Thanks\n"
    "2024-05-03 08:00:00,Pim,4001002004,,,Noisy fan,4.0,5,2.5,\n"
)


def test_words_for_and_against_of_booking_are_one_text():
    reading = read(BOOKING)

    assert summary(reading) == [
        ("booking-com", "Marta", 5, "2024-05-01", "Superb\n\nLovely breakfast\n\nNo parking",
         "Thanks"),
        ("booking-com", "Pim", 2, "2024-05-03", "Noisy fan", ""),
    ]  # fmt: skip
    assert "400100200" not in repr(reading.outcomes)
    assert all(not record.named_technicians for record in reading.records)


@pytest.mark.parametrize(
    ("pro", "con"),
    [
        ("Pros", "Cons"),
        ("What did you like?", "What did you dislike?"),
        ("likedText", "dislikedText"),
        ("Vorteile", "Nachteile"),
        ("Points positifs", "Points négatifs"),
    ],
)
def test_words_for_and_against_are_one_text_under_any_name(pro, con):
    table = read(f"Name,Rating,Date,{pro},{con}\nAnn,4,2024-01-02,Fast,Loud\n")
    objects = read([{"name": "Ann", "rating": 4, "date": "2024-01-02", pro: "Fast", con: "Loud"}])

    assert table.record.text == objects.record.text == "Fast\n\nLoud"


def test_words_of_the_review_come_before_words_for_and_against():
    assert (
        read("Name,Rating,Date,Review,Pros,Cons\nAnn,4,2024-01-02,Fine,Fast,Loud\n").record.text
        == "Fine"
    )
