"""Rows by customers, by the business itself, and about other places."""

import pytest

from tests.review_exports.exports import read, refused, zipped

ROW = {"date": "2025-01-02", "rating": 5, "name": "Ada", "text": "Fine"}


@pytest.mark.parametrize(
    ("member", "ours", "theirs"),
    [
        ("type", "guest-to-host", "host-to-guest"),
        ("type", "guest_to_host", "hostToGuest"),
        ("reviewType", "buyer to seller", "SELLER_TO_BUYER"),
        ("direction", "tenant-to-landlord", "landlord-to-tenant"),
        ("type", "guest", "host"),
        ("role", "customer", "supplier"),
        ("author.role", "client", "freelancer"),
        ("Reviewer Type", "rider", "driver"),
        ("Rolle", "Kunde", "Anbieter"),
        ("revieweeRole", "host", "guest"),
        ("isHostReview", False, True),
        ("written by", "by guest", "by host"),
        ("userType", "verified_buyer", "store owner"),
        ("Direction", "Received", "Given"),
        ("Richtung", "erhalten", "abgegeben"),
    ],
)
def test_what_the_business_wrote_about_a_customer_is_left_out(member, ours, theirs):
    if member == "written by":
        member = "perspective"
    items = [{**ROW, member: ours}, {**ROW, "name": "Bo", member: theirs}]
    reading = read(items)

    assert [record.author for record in reading.records] == ["Ada"]
    assert [skip.code for skip in reading.skipped] == ["written_by_business"]
    (warning,) = (w for w in reading.export.warnings if w.code == "written_by_business")
    assert "left out: 1 (" in warning.message


@pytest.mark.parametrize("value", ["service", "business review", "verified_buyer", "Google", "1"])
def test_other_types_leave_a_review_in(value):
    assert read({"reviews": [{**ROW, "type": value}]}).record.author == "Ada"


def test_owner_of_a_house_is_a_customer_where_no_other_role_says_otherwise():
    assert read([{**ROW, "reviewer type": "Owner"}]).record.author == "Ada"


@pytest.mark.parametrize(
    "heading", ["Consumer Name", "Customer Name", "Reviewer", "Reviewer Name", "Guest", "Client"]
)
def test_customer_comes_before_a_mere_name(heading):
    content = f"Name,{heading},Stars,Date\nTern Hollow,Ada,5,2025-01-02\n"

    assert read(content).record.author == "Ada"


def test_name_that_all_rows_share_gives_way_to_one_that_differs():
    names = ["Ada", "Bo", "Cy"]
    lines = [f"Tern Hollow,{name},5,2025-01-0{day}" for day, name in enumerate(names, 1)]
    items = [
        {"name": "Tern Hollow", "user": name, "rating": 5, "date": f"2025-01-0{day}"}
        for day, name in enumerate(names, 1)
    ]
    for content in ("\n".join(["name,user,stars,date", *lines]), items):
        assert [record.author for record in read(content).records] == names


def test_mere_name_that_all_rows_share_is_left_out_and_told():
    lines = [f"Tern Hollow,5,2025-01-0{day},words {day}" for day in range(1, 5)]
    content = "\n".join(["Name,Stars,Date,Text", *lines])
    reading = read(content)

    assert {record.author for record in reading.records} == {"Anonymous"}
    assert "author_shared" in reading.warnings
    assert {record.author for record in read(content, columns={"Name": "author"}).records} == {
        "Tern Hollow"
    }


@pytest.mark.parametrize(
    ("code", "line", "rows"),
    [
        ("author_shared", "Tern Hollow,{at},2025-01-0{at},t{at},r{at}", 4),
        ("date_shared", "Ada {at},{at},2025-01-01,t{at},r{at}", 5),
        ("rating_shared", "Ada {at},5,2025-01-{at:02},t{at},r{at}", 12),
        ("reply_text_shared", "Ada {at},{stars},2025-01-{at:02},t{at},Thanks", 12),
    ],
)
def test_what_all_rows_share_is_told(code, line, rows):
    def content(count):
        lines = [line.format(at=at, stars=1 + at % 5) for at in range(1, count + 1)]
        return "\n".join(["Reviewer,Stars,Date,Text,Reply", *lines]) + "\n"

    (warning,) = (one for one in read(content(rows)).export.warnings if one.code == code)
    assert f"All {rows} reviews" in warning.message
    assert code not in read(content(2)).warnings
    assert code not in read(content(rows) + "Zoe,2,2024-12-31,x,Sorry\n").warnings


# --- Places ---------------------------------------------------------------------------------------

TWO = (
    "Business,Date,Reviewer,Stars,Review\n"
    "Tern Hollow,2024-05-01,Ana,5,Great\nTern Hollow,2024-05-02,Ben,4,Good\n"
    "Rival,2024-05-03,Cal,1,Flooded\n"
)


def test_second_place_is_asked_about_by_name_and_count():
    refusal = refused(TWO)

    assert refusal.code == "place_unclear"
    assert "Tern Hollow (2), Rival (1)" in refusal.message
    assert [(one.name, one.count) for one in refusal.question.subjects] == [
        ("Tern Hollow", 2),
        ("Rival", 1),
    ]


def test_places_that_are_ours_are_taken_and_the_others_told():
    reading = read(TWO, places=["tern hollow"])

    assert [record.author for record in reading.records] == ["Ana", "Ben"]
    assert [skip.code for skip in reading.skipped] == ["other_place"]
    assert "other_places_left_out" in reading.warnings
    assert reading.export.place_answers == {"Tern Hollow": "ours", "Rival": "other"}
    assert len(read(TWO, places=["Rival", "Tern Hollow"]).records) == 3


def test_place_that_the_file_does_not_have_is_refused_with_those_that_it_has():
    refusal = refused(TWO, places=["Tern"])

    assert refusal.code == "place_unknown"
    assert "Tern Hollow (2), Rival (1)" in refusal.message
    assert refused("Date,Stars,Name\n2025-01-02,5,Ada\n", places=["Tern"]).code == "place_unknown"


def test_places_known_from_earlier_files_are_not_asked_about():
    known = {"ternhollow": "ours", "rival": "other"}

    assert len(read(TWO, known_places=known).records) == 2
    assert refused(TWO, known_places={"ternhollow": "ours"}).code == "place_unclear"
    assert refused(TWO, known_places={"rival": "other"}).code == "place_unclear"


def test_file_of_one_place_is_not_asked_about_unless_it_is_known_as_another():
    one = TWO.replace("Rival", "Tern Hollow")

    assert len(read(one).records) == 3
    assert read(one, known_places={"ternhollow": "other"}).records == []


@pytest.mark.parametrize(
    "items",
    [
        [
            {**ROW, "placeId": "p1", "business": {"name": "Tern Hollow"}},
            {**ROW, "placeId": "p2", "business": {"name": "Rival"}},
        ],
        [
            {"title": "Tern Hollow", "reviews": [ROW, {**ROW, "name": "Bo"}]},
            {"title": "Rival", "reviews": [ROW]},
        ],
        {
            "data": [
                [
                    {"name": "Tern Hollow", "place_id": "p1", "reviews_data": [ROW]},
                    {"name": "Rival", "place_id": "p2", "reviews_data": [ROW]},
                ]
            ]
        },
        {
            "locationReviews": [
                {
                    "name": f"accounts/1/locations/{place}",
                    "review": {
                        "name": f"accounts/1/locations/{place}/reviews/a",
                        "reviewId": "a",
                        "reviewer": {"displayName": "Ada"},
                        "starRating": "FIVE",
                        "createTime": "2025-01-02T10:00:00Z",
                    },
                }
                for place in (2, 3)
            ]
        },
    ],
)
def test_places_are_found_in_the_objects_of_programs(items):
    assert refused(items).code == "place_unclear"


def test_places_of_one_name_are_told_apart_by_their_ids():
    items = [{**ROW, "business_name": "Grill", "place_id": one} for one in ("p1", "p2")]

    assert "Grill (p1) (1), Grill (p2) (1)" in refused(items).message
    assert len(read(items, places=["Grill (p2)"]).records) == 1
    assert len(read(items, places=["p1"]).records) == 1


def test_companies_of_customers_are_no_places():
    lines = [f"Ada {at},Company {at},5,2025-01-0{at}" for at in range(1, 6)]
    content = "\n".join(["Customer,Company name,Stars,Date", *lines])

    assert len(read(content).records) == 5


def test_listings_of_an_archive_are_asked_about():
    review = {
        "reviewer": {"displayName": "Ada"},
        "starRating": "FIVE",
        "createTime": "2025-01-02T10:00:00Z",
    }
    entries = {}
    for place in ("1", "2"):
        folder = f"Takeout/Google Business Profile/account-9/location-{place}"
        name = f"accounts/9/locations/{place}/reviews/a{place}"
        entries[f"{folder}/reviews.json"] = {"reviews": [{**review, "name": name}]}

    assert refused(zipped(entries)).code == "place_unclear"
    assert len(read(zipped(entries), places=["locations/2"]).records) == 1


# --- Rows that answer others ----------------------------------------------------------------------

COMMENTS = (
    "comment_ID,comment_author,comment_date_gmt,comment_content,comment_approved,comment_parent,"
    "user_id,rating\n"
    "1,Ada,2025-01-02 10:00:00,Fine,1,0,0,5\n2,Bo,2025-01-03 10:00:00,Slow,1,0,7,2\n"
)


def replies(*lines: str, **options):
    reading = read(COMMENTS + "\n".join(lines) + "\n", **options)
    assert [record.author for record in reading.records] == ["Ada", "Bo"]
    assert {skip.code for skip in reading.skipped} <= {"reply_row", "not_published"}
    return [record.reply_text for record in reading.records]


def test_reply_of_the_business_is_put_with_its_review():
    by_name = "3,Tern Hollow,2025-01-04 10:00:00,Thanks,1,1,0,"

    assert replies(by_name, business_name="Tern Hollow Home Services") == ["Thanks", ""]
    assert replies(by_name.replace(",0,", ",1,")) == ["Thanks", ""]
    assert replies(by_name, "4,Tern Hollow,2025-01-05 10:00:00,Sorry,1,2,0,") == ["Thanks", "Sorry"]


def test_what_another_customer_adds_is_no_reply():
    assert replies("3,Cy,2025-01-04 10:00:00,Me too,1,1,9,") == ["", ""]
    assert replies("3,Bo,2025-01-04 10:00:00,Me too,1,1,7,", business_name="Tern Hollow") == [
        "",
        "",
    ]


def test_reply_that_is_not_approved_is_left_out():
    assert replies("3,Tern Hollow,2025-01-04 10:00:00,Thanks,trash,1,1,") == ["", ""]


def test_columns_from_which_nothing_is_taken_are_named():
    content = "Date,Stars,Name,Mood,E-Mail,Publish?\n2025-01-02,5,Ada,good,a@mail.example,yes\n"

    assert read(content).export.unread == ["Mood", "E-Mail"]
    assert read([{**ROW, "mood": 1, "published": True}]).export.unread == ["mood"]


def test_author_with_the_name_of_the_business_is_told():
    content = "Date,Stars,Name\n2025-01-02,5,Tern Hollow\n2025-01-03,4,Ada\n"

    assert "author_is_business" in read(content, business_name="Tern Hollow").warnings
    assert "author_is_business" not in read(content, business_name="Rival").warnings


def schema_org(**review):
    return {
        "@type": "Review",
        "author": {"@type": "Person", "name": "Ada"},
        "datePublished": "2025-01-02",
        "reviewBody": "Fine",
        "reviewRating": {"ratingValue": 5},
        **review,
    }


def test_places_of_a_page_are_told_apart():
    shop, competitor = (
        {"@type": "LocalBusiness", "name": name} for name in ("Tern Hollow", "Rival")
    )
    named = [schema_org(itemReviewed=shop), schema_org(itemReviewed=competitor)]
    inside = [{**shop, "review": schema_org()}, {**competitor, "review": [schema_org()]}]
    products = [schema_org(itemReviewed={"@type": "Product", "name": name}) for name in "ab"]

    assert refused({"@context": "x", "@graph": named}).code == "place_unclear"
    assert refused({"@context": "x", "@graph": inside}).code == "place_unclear"
    assert read({"@context": "x", "@graph": products}).errors == []


def test_comment_of_another_person_is_no_reply():
    def reply_of(author):
        comment = {"@type": "Comment", "text": "Thanks", "author": author}
        return read({"@context": "x", **schema_org(comment=comment)}).record.reply_text

    assert reply_of({"@type": "Organization", "name": "Tern Hollow"}) == "Thanks"
    assert reply_of({"@type": "Person", "name": "Bo"}) == ""


@pytest.mark.parametrize(
    "above", [{"id": "{}"}, {"page": "{}"}, {"title": "Tap {}", "sku": "T{}"}, {"name": "Shop"}]
)
def test_pages_and_products_are_no_places(above):
    pages = [
        {
            **{key: text.format(page) for key, text in above.items()},
            "reviews": [{**ROW, "id": page}],
        }
        for page in (1, 2)
    ]

    assert len(read(pages).records) == 2


@pytest.mark.parametrize("heading", ["Standort", "Filiale", "Branch", "Sucursal", "Sede", "Store"])
def test_branches_are_places(heading):
    content = f"{heading},Name,Stars,Date\nBerlin,Ada,5,2025-01-02\nRom,Bo,1,2025-01-03\n"

    assert refused(content).code == "place_unclear"
    assert [record.author for record in read(content, places=["Rom"]).records] == ["Bo"]
