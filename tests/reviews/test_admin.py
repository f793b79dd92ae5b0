"""The administration, used as an administrator uses it."""

import datetime as dt
import html

import pytest
import time_machine
from django.contrib.auth.models import Permission, User
from django.db import IntegrityError, ProgrammingError, connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from reviews.models import (
    Business,
    ImportBatch,
    ImportChange,
    Mention,
    Review,
    Revision,
    Technician,
)
from tests.factories import (
    make_area,
    make_business,
    make_review,
    make_service,
    make_technician,
)

pytestmark = pytest.mark.django_db

REVIEWS = "/admin/reviews/review/"
PASSWORD = "correct horse battery"

BUSINESS = {
    "name": "Tern Hollow",
    "slug": "",
    "vertical": "home_services",
    "language": "en",
    "time_zone": "America/Los_Angeles",
}


@pytest.fixture
def admin(admin_client):
    return admin_client


def change_page(row):
    return reverse(f"admin:reviews_{row._meta.model_name}_change", args=[row.pk])


def shown(response):
    return html.unescape(response.content.decode())


def form_of(review, **changed):
    """What the browser sends for an unchanged form, but for `changed`."""
    values = {
        "rating": review.rating,
        "author": review.author,
        "date": review.date,
        "text": review.text.replace("\n", "\r\n"),
        "source_url": review.source_url,
        "author_avatar_url": review.author_avatar_url,
        "reply_text": review.reply_text,
        "reply_date": review.reply_date or "",
        "import_changes-TOTAL_FORMS": 0,
        "import_changes-INITIAL_FORMS": 0,
    }
    values |= {name: "on" for name in ("verified", "hidden") if getattr(review, name)}
    return values | changed


def refused(response, sentence):
    """The form came back and says this."""
    assert response.status_code == 200
    assert sentence in shown(response)


# --- The site -------------------------------------------------------------------------------------


def test_the_administration_is_called_reviews_and_lists_its_workplaces(admin):
    response = admin.get("/admin/")

    page = shown(response)
    assert "<title>Reviews | Reviews</title>" in page
    for model in ("business", "review", "technician", "service", "servicearea"):
        assert f"/admin/reviews/{model}/" in page
    assert "/admin/reviews/revision/" not in page


@pytest.mark.parametrize(
    "model",
    [
        "reviews/review",
        "reviews/technician",
        "reviews/service",
        "reviews/servicearea",
        "reviews/importbatch",
        "insights/reviewanalysis",
        "auth/user",
        "axes/accessattempt",
    ],
)
@pytest.mark.parametrize(
    "query",
    [
        "q=%00",
        "q=" + "+a" * 1_200,
        "x%00=1",
        "rating=%00",
        "source=%27%3B",
        "p=999999999999999999999",
        "o=a.b",
        "id__exact=" + "9" * 30,
        "date__year=99999",
        "date_joined__year=99999",
        "created_at__year=99999",
        "e=1",
    ],
)
def test_no_parameter_of_a_list_breaks_it(admin, model, query):
    make_review()

    response = admin.get(f"/admin/{model}/?{query}", follow=True)

    assert response.status_code == 200


def test_a_page_of_reviews_is_found_by_keys_alone(admin):
    for day in range(1, 29):
        for number in (1, 2):
            make_review(date=f"2026-02-{day:02}", author=f"Author {day}-{number}")

    with CaptureQueriesContext(connection) as queries:
        page = shown(admin.get(f"{REVIEWS}?p=2"))

    assert all(f"Author {day}-{number}" in page for day in (1, 2, 3) for number in (1, 2))
    assert "Author 4-" not in page
    assert not any("OFFSET" in q["sql"] and "fragment" in q["sql"] for q in queries)


def test_no_list_is_filtered_by_a_regular_expression(admin):
    assert admin.get(f"{REVIEWS}?text__regex=(a").status_code == 400


@pytest.mark.parametrize("query", ["", "?q=leak"])
@pytest.mark.parametrize("fault", [ValueError, OverflowError, ProgrammingError, IntegrityError])
def test_a_fault_of_a_list_itself_is_not_hidden(admin, monkeypatch, fault, query):
    def broken(*_):
        raise fault

    monkeypatch.setattr("reviews.admin.ReviewAdmin.get_queryset", broken)

    with pytest.raises(fault):
        admin.get(f"{REVIEWS}{query}")


@pytest.mark.parametrize("pk", ["%00", "9" * 40, "x", "-1", "%FF"])
def test_an_unknown_row_leads_back_with_a_sentence(admin, pk):
    response = admin.get(f"{REVIEWS}{pk}/change/", follow=True)

    assert response.status_code in {200, 404}


def test_staff_do_only_what_they_may(client):
    review = make_review()
    staff = User.objects.create_user("staff", password=PASSWORD, is_staff=True)
    client.force_login(staff)

    assert client.get(REVIEWS).status_code == 403

    staff.user_permissions.add(Permission.objects.get(codename="view_review"))
    assert client.get(REVIEWS).status_code == 200
    assert client.get(change_page(review)).status_code == 200
    assert client.post(change_page(review), form_of(review, rating=1)).status_code == 403
    chosen = {"action": "hide", "_selected_action": [review.pk]}
    client.post(REVIEWS, chosen)
    assert Review.objects.get() == review
    assert Review.objects.filter(hidden=False, rating=5).exists()


# --- Signing in -----------------------------------------------------------------------------------


def sign_in(client, password, address="203.0.113.7"):
    return client.post(
        "/admin/login/?next=/admin/",
        {"username": "owner", "password": password},
        REMOTE_ADDR=address,
    )


def test_five_wrong_passwords_lock_the_account_for_that_address_for_a_while(client):
    User.objects.create_superuser("owner", password=PASSWORD)
    with time_machine.travel("2026-03-14 10:00Z", tick=False) as clock:
        assert [sign_in(client, "wrong").status_code for _ in range(4)] == [200, 200, 200, 200]

        fifth = sign_in(client, "wrong")
        right = sign_in(client, PASSWORD)

        assert fifth.status_code == right.status_code == 429
        assert right["Retry-After"] == "900"
        assert "this account rests for 15 minutes" in shown(right)

        clock.shift(dt.timedelta(minutes=16))
        assert sign_in(client, PASSWORD).status_code == 302


def test_the_right_password_from_elsewhere_works_while_an_address_is_locked(client):
    User.objects.create_superuser("owner", password=PASSWORD)
    for _ in range(6):
        sign_in(client, "wrong")

    response = sign_in(client, PASSWORD, address="198.51.100.20")

    assert response.status_code == 302
    assert response["Location"] == "/admin/"


def test_nothing_sent_along_breaks_the_sign_in(client):
    response = client.post(
        "/admin/login/?next=%00&x=%00" + "y" * 5_000,
        {"username": "owner", "password": "wrong" * 2_000},
        headers={"user-agent": "x" * 5_000, "accept": "\xff" * 5_000},
    )

    assert response.status_code == 200


@pytest.mark.parametrize("name", ["\x00", "\ud800", "a" * 10_000])
def test_no_user_name_breaks_the_sign_in(client, name):
    username = name.encode("utf-8", "surrogatepass")
    body = b"password=x&username=" + b"".join(b"%%%02X" % byte for byte in username)

    response = client.generic(
        "POST", "/admin/login/", body, content_type="application/x-www-form-urlencoded"
    )

    assert response.status_code == 200


# --- Business -------------------------------------------------------------------------------------


def test_the_business_is_made_once_and_has_a_form_for_a_list(admin):
    assert admin.get("/admin/reviews/business/")["Location"] == "/admin/reviews/business/add/"

    hours = "Monday 8:00-17:00\r\n\r\ntuesday: 08:00 \u2013 16:30"
    response = admin.post(
        "/admin/reviews/business/add/",
        BUSINESS | {"hours": hours, "same_as": " https://a.example/x \r\nhttp://b.example"},
    )

    assert response.status_code == 302
    business = Business.objects.get()
    assert business.slug == "tern-hollow"
    assert business.same_as == ["https://a.example/x", "http://b.example"]
    assert business.hours == [
        {"day": "monday", "opens": "08:00", "closes": "17:00"},
        {"day": "tuesday", "opens": "08:00", "closes": "16:30"},
    ]
    assert admin.get("/admin/reviews/business/")["Location"] == change_page(business)
    assert admin.get("/admin/reviews/business/add/").status_code == 403
    assert admin.get(f"/admin/reviews/business/{business.pk}/delete/").status_code == 403
    page = shown(admin.get(change_page(business)))
    assert "monday 08:00-17:00\ntuesday 08:00-16:30" in page


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("time_zone", "Mars/Olympus", "There is no time zone “Mars/Olympus”. Use an IANA name"),
        ("time_zone", "../../etc/passwd", "There is no time zone"),
        ("hours", "monday 08:00-17:00\nmonday 25:00-26:00", "Entry 2: “25:00” is not a time"),
        ("hours", "someday 08:00-17:00", "Entry 1: “someday” is not a day; use one of monday"),
        ("hours", "always open", "Entry 1: “always open” needs a day, an opening and a closing"),
        ("hours", "friday 08:00-08:00", "Entry 1: “08:00” is both the opening and the closing"),
        ("same_as", "https://ok.example\nfacebook/us", "Entry 2: “facebook/us” is not a complete"),
        ("same_as", "javascript:alert(1)", "Entry 1: “javascript:alert(1)” is not a complete web"),
        ("same_as", "https://x.example/\x00", "Entry 1"),
        ("url", "ftp://x.example", "Write a complete web address"),
        ("country", "Germany", "at most 2 characters"),
        ("country", "us", "Use the two capital letters, like US or DE."),
        ("language", "english please", "at most 10 characters"),
        ("language", "e_n", "Use a language tag, like en or en-GB."),
        ("latitude", "47.1", "Write the longitude too, or neither of the two."),
        ("latitude", "nan", "Enter a number."),
        ("slug", "Tern Hollow", "Use lower-case letters and digits joined by single hyphens."),
        ("name", "東京", "Write an id in lower-case letters and digits."),
        ("name", "Tern\x00Hollow", "Null characters are not allowed."),
        ("description", "Tern\x07Hollow", "Character 5 is U+0007, a control character"),
        ("description", "a\ufffe", "Character 2 is U+FFFE"),
    ],
)
def test_a_value_that_the_business_cannot_have_is_refused_with_a_sentence(
    admin, field, value, sentence
):
    refused(admin.post("/admin/reviews/business/add/", BUSINESS | {field: value}), sentence)
    assert not Business.objects.exists()


def test_the_id_of_the_business_stays(admin):
    business = make_business()

    admin.post(change_page(business), BUSINESS | {"slug": "other", "name": "Renamed"})

    business.refresh_from_db()
    assert (business.slug, business.name) == ("tern-hollow", "Renamed")


# --- Roster ---------------------------------------------------------------------------------------


def test_a_technician_added_is_found_in_the_reviews_at_once(admin):
    review = make_review(text="Maren fixed it. Thanks, Mari!")

    response = admin.post(
        "/admin/reviews/technician/add/",
        {"name": "Maren Holt", "slug": "", "aliases": "Mari\r\n\r\nMari\r\nThe Leak Lady"},
    )

    assert response.status_code == 302
    technician = Technician.objects.get()
    assert technician.slug == "maren-holt"
    assert technician.aliases == ["Mari", "The Leak Lady"]
    assert list(review.mentions.values_list("kind", "subject")) == [("technician", "maren-holt")]


def test_a_technician_renamed_or_deleted_leaves_no_stale_mentions(admin):
    technician = make_technician("Maren Holt")
    review = make_review(text="Thanks to Maren", technicians=["maren-holt"])
    other = make_review(text="Thanks to Ruben")

    admin.post(change_page(technician), {"name": "Ruben Holt", "slug": "x", "aliases": ""})
    after_rename = list(Mention.objects.values_list("review", "subject"))
    admin.post(f"/admin/reviews/technician/{technician.pk}/delete/", {"post": "yes"})

    assert after_rename == [(other.pk, "maren-holt")]
    assert not Mention.objects.exists()
    assert Review.objects.filter(pk=review.pk).exists()


def test_many_reviews_are_matched_anew_by_a_worker(
    admin, monkeypatch, django_capture_on_commit_callbacks
):
    rung = []
    monkeypatch.setattr("reviews.services.IN_REQUEST_ROWS", 0)
    monkeypatch.setattr("reviews.tasks.match_mentions.ring", lambda *_: rung.append(True))
    make_review(text="Maren came")

    with django_capture_on_commit_callbacks(execute=True):
        admin.post("/admin/reviews/technician/add/", {"name": "Maren Holt"})

    assert rung == [True]
    assert not Mention.objects.exists()


@pytest.mark.parametrize(
    ("model", "values", "sentence"),
    [
        ("technician", {"name": "A", "aliases": "ok\n" + "x" * 201}, "Entry 2: “xxx"),
        ("technician", {"name": "A", "aliases": "a\x00b"}, "holds a control character; remove it"),
        (
            "technician",
            {"name": "A", "active_from": "2026-02-01", "active_to": "2026-01-01"},
            "The last day is before the first one.",
        ),
        ("service", {"label": "A", "keywords": "leak*\n*"}, "Entry 2: “*” has no letters"),
        ("service", {"label": "A", "keywords": "\n".join(map(str, range(201)))}, "At most 200"),
        ("service", {"label": "A\x08"}, "Character 2 is U+0008"),
        ("servicearea", {"name": "A", "slug": "a--b"}, "joined by single hyphens"),
        ("servicearea", {"name": ""}, "This field is required."),
    ],
)
def test_an_entry_that_cannot_be_kept_is_refused_with_a_sentence(admin, model, values, sentence):
    refused(admin.post(f"/admin/reviews/{model}/add/", values), sentence)


def test_an_id_is_given_once(admin):
    make_service("Leak detection")

    refused(
        admin.post("/admin/reviews/service/add/", {"label": "Leak detection", "keywords": ""}),
        "with this Id already exists",
    )


def test_the_roster_tells_how_often_each_is_mentioned(admin, django_assert_max_num_queries):
    for number in range(12):
        make_technician(f"Person Number{number}")
    make_service("Leak detection")
    make_area("North Quay")
    for _ in range(3):
        make_review(technicians=["person-number1"], services=["leak-detection"])
    make_review(technicians=["person-number2"], areas=["north-quay"])
    make_review(technicians=["person-number2"], hidden=True)

    with django_assert_max_num_queries(6):
        page = shown(admin.get("/admin/reviews/technician/"))

    assert page.count("in 3 reviews") == 1
    assert page.count("in 1 review<") == 1
    assert page.count("in 0 reviews") == 10
    assert "?mentions=technician:person-number1" in page
    assert "in 3 reviews" in shown(admin.get("/admin/reviews/service/"))
    assert "in 1 review<" in shown(admin.get("/admin/reviews/servicearea/"))
    listed = admin.get(f"{REVIEWS}?mentions=technician:person-number1")
    assert listed.context["cl"].result_count == 3


# --- Reviews: the list ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "authors"),
    [
        ("", {"Ann", "Bob", "Cleo"}),
        ("state=hidden", {"Cleo"}),
        ("state=public", {"Ann", "Bob"}),
        ("rating=2", {"Bob"}),
        ("source=yelp", {"Cleo"}),
        ("source=nowhere", {"Ann", "Bob", "Cleo"}),
        ("edited=yes", {"Bob"}),
        ("edited=no", {"Ann", "Cleo"}),
        ("date__gte=2026-03-14&date__lt=2026-03-15", {"Ann", "Cleo"}),
        ("mentions=service:leak-detection", {"Ann"}),
        ("mentions=rubbish", {"Ann", "Bob", "Cleo"}),
        ("q=CAF%C3%89", {"Ann"}),
        ("q=bob", {"Bob"}),
        ("q=100%25", {"Cleo"}),
        ("q=ext-9", {"Cleo"}),
    ],
)
def test_reviews_are_found_by_filter_and_words(admin, query, authors):
    make_review(author="Ann", text="The café leak", services=["leak-detection"])
    make_review(author="Bob", rating=2, edited_fields=["text"], date=dt.date(2026, 1, 1))
    make_review(author="Cleo", source="yelp", hidden=True, text="100% ok", external_id="ext-9")

    response = admin.get(f"{REVIEWS}?{query}")

    assert {review.author for review in response.context["cl"].result_list} == authors


def test_the_list_takes_as_many_queries_for_fifty_as_for_one(admin, django_assert_max_num_queries):
    batch = ImportBatch.objects.create(file_name="export.csv")
    for _ in range(50):
        make_review(created_by_batch=batch)

    with django_assert_max_num_queries(7):
        page = shown(admin.get(REVIEWS))

    assert page.count("export.csv") == 50
    assert page.count("★★★★★") >= 50


def test_chosen_reviews_are_hidden_and_shown_again(admin):
    first, second, third = make_review(), make_review(hidden=True), make_review()
    chosen = [first.pk, second.pk]

    hidden = admin.post(REVIEWS, {"action": "hide", "_selected_action": chosen}, follow=True)

    assert "1 review is hidden now." in shown(hidden)
    assert set(Review.objects.visible()) == {third}

    public = admin.post(REVIEWS, {"action": "show", "_selected_action": chosen}, follow=True)
    again = admin.post(REVIEWS, {"action": "show", "_selected_action": chosen}, follow=True)

    assert "2 reviews are public now." in shown(public)
    assert "Nothing to change" in shown(again)
    assert Review.objects.visible().count() == 3


def test_edits_by_hand_can_be_released_to_imports(admin):
    review = make_review(edited_fields=["text"])

    response = admin.post(
        REVIEWS, {"action": "release", "_selected_action": [review.pk]}, follow=True
    )

    assert "1 review follows imports again." in shown(response)
    assert Review.objects.get().edited_fields == []


# --- Reviews: the form ----------------------------------------------------------------------------


def test_an_edit_is_marked_so_that_imports_keep_it(admin):
    review = make_review(text="Old\nwords", rating=3)

    response = admin.post(change_page(review), form_of(review, rating="4", author="Ann O."))

    assert response.status_code == 302
    review.refresh_from_db()
    assert (review.rating, review.author, review.text) == (4, "Ann O.", "Old\nwords")
    assert review.edited_fields == ["author", "rating"]
    assert '"rating":4' in review.fragment
    assert "author, rating; imports keep these" in shown(admin.get(change_page(review)))


@pytest.mark.django_db(transaction=True)
def test_a_form_sent_back_unchanged_changes_nothing(admin):
    review = make_review(text="Two\nlines", reply_text="Thanks", source_url="https://x.example/1")
    before = (Revision.objects.current("reviews"), review.updated_at)

    admin.post(change_page(review), form_of(review))

    review.refresh_from_db()
    assert (Revision.objects.current("reviews"), review.updated_at) == before
    assert review.edited_fields == []


def test_an_edited_text_is_matched_anew(admin):
    make_technician("Maren Holt")
    review = make_review(text="Nobody came")

    admin.post(change_page(review), form_of(review, text="Maren came"))

    assert list(review.mentions.values_list("subject", flat=True)) == ["maren-holt"]
    assert "maren-holt (technician)" in shown(admin.get(change_page(review)))


def test_what_an_import_wrote_meanwhile_is_not_lost(admin):
    review = make_review(rating=3, text="Old")
    form = form_of(review, author="Ann O.")
    Review.objects.filter(pk=review.pk).update(verified=True)

    admin.post(change_page(review), form | {"verified": "on"})

    review.refresh_from_db()
    assert (review.verified, review.author) == (True, "Ann O.")
    assert review.edited_fields == ["author"]


def test_a_reply_taken_back_takes_its_date_along(admin):
    review = make_review(reply_text="Thanks")

    admin.post(change_page(review), form_of(review, reply_text=""))

    review.refresh_from_db()
    assert (review.reply_text, review.reply_date) == ("", None)
    assert review.edited_fields == ["reply_date", "reply_text"]


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"reply_text": "Thanks"}, "Write the day of the reply."),
        ({"rating": "6"}, "Choose 1 to 5 stars."),
        ({"rating": ""}, "This field is required."),
        ({"author": ""}, "This field is required."),
        ({"author": "dana@example.com"}, "This is a contact address, which is never published."),
        ({"author": "A\x00"}, "Null characters are not allowed."),
        ({"author": "A\x9fB"}, "Character 2 is U+009F"),
        ({"text": "Bell\x07"}, "Character 5 is U+0007"),
        ({"text": "x\x00"}, "Null characters are not allowed."),
        ({"reply_text": "\x1b[0m", "reply_date": "2026-03-15"}, "Character 1 is U+001B"),
        ({"source_url": "javascript:alert(1)"}, "Write a complete web address"),
        ({"source_url": "ftp://x.example/"}, "Write a complete web address"),
        ({"author_avatar_url": "data:image/png,x"}, "Write a complete web address"),
        ({"date": "2026-02-30"}, "Enter a valid date."),
        ({"date": "2999-01-01"}, "This day has not come yet."),
    ],
)
def test_a_value_that_a_review_cannot_have_is_refused_with_a_sentence(admin, changed, sentence):
    review = make_review()

    refused(admin.post(change_page(review), form_of(review, **changed)), sentence)
    assert Review.objects.get().updated_at == review.updated_at


def test_hostile_texts_are_escaped_everywhere(admin):
    hostile = "<script>alert(1)</script>"
    review = make_review(text=hostile, author=hostile, reply_text=hostile)

    for address in (REVIEWS, change_page(review), f"{REVIEWS}{review.pk}/delete/"):
        assert hostile not in admin.get(address).content.decode()


def test_identity_is_read_only(admin):
    review = make_review(source="google", external_id="g-1")

    admin.post(
        change_page(review),
        form_of(review, source="yelp", external_id="y", ulid="x", fragment="{}", rating="1"),
    )

    changed = Review.objects.get()
    assert (changed.source, changed.external_id, changed.ulid) == ("google", "g-1", review.ulid)
    assert changed.rating == 1


def test_a_review_tells_which_imports_made_and_changed_it(admin, django_assert_max_num_queries):
    first = ImportBatch.objects.create(file_name="first.csv")
    review = make_review(created_by_batch=first)
    for number in range(5):
        batch = ImportBatch.objects.create(file_name=f"update-{number}.csv")
        ImportChange.objects.create(
            batch=batch,
            review=review,
            row=7,
            before={"rating": 4, "edited_fields": []},
            after={"rating": 5, "edited_fields": []},
        )

    with django_assert_max_num_queries(9):
        page = shown(admin.get(change_page(review)))

    for name in ("first.csv", "update-0.csv", "update-4.csv"):
        assert name in page
    assert page.count("rating: 4 → 5") == 5
    assert "View on site" in page


def test_a_hidden_review_has_no_page_to_view(admin):
    assert "View on site" not in shown(admin.get(change_page(make_review(hidden=True))))


@pytest.mark.parametrize("external_id", ["", "g-77"])
def test_a_review_can_be_added_by_hand(admin, external_id):
    make_technician("Maren Holt")
    values = {
        "source": "google",
        "external_id": external_id,
        "rating": "5",
        "author": "Ann",
        "date": "2026-03-01",
        "text": "Maren came.\r\nGood.",
    }

    response = admin.post(f"{REVIEWS}add/", values)

    assert response.status_code == 302
    review = Review.objects.get()
    assert review.external_id == (external_id or review.ulid)
    assert review.external_id_is_synthetic == (not external_id)
    assert review.text == "Maren came.\nGood."
    assert review.mentions.get().subject == "maren-holt"
    assert review.verified is False


def test_a_review_is_not_added_twice(admin):
    make_review(source="google", external_id="g-1")

    response = admin.post(
        f"{REVIEWS}add/",
        {
            "source": "google",
            "external_id": "g-1",
            "rating": "5",
            "author": "Ann",
            "date": "2026-03-01",
        },
    )

    refused(response, "Source and External id already exists.")
    assert Review.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_deleting_reviews_raises_the_revision(admin):
    one, two = make_review(services=["leak-detection"]), make_review()
    before = Revision.objects.current("reviews")

    admin.post(f"{REVIEWS}{one.pk}/delete/", {"post": "yes"})
    after_one = Revision.objects.current("reviews")
    admin.post(REVIEWS, {"action": "delete_selected", "_selected_action": [two.pk], "post": "yes"})

    assert not Review.objects.exists()
    assert not Mention.objects.exists()
    assert before < after_one < Revision.objects.current("reviews")
