"""The administration's front page: first steps, waiting work, counts of reviews."""

import datetime as dt
import re

import pytest
import time_machine
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from PIL import Image

from core.images import encode_png
from imports import services as import_services
from imports.models import ImportOptions
from reviews import services
from reviews.models import Business
from tests.administration import change_url, page_html
from tests.factories import make_business, make_review

pytestmark = pytest.mark.django_db

NOW = dt.datetime(2026, 5, 20, 12, tzinfo=dt.UTC)
STEPS = (
    "Name and kind",
    "Address and hours",
    "Logo",
    "Import your reviews",
    "Put them on your site",
)
FINISH = "/admin/reviews/business/first-steps/"
COMPLETE = {"country": "US", "city": "Tern Hollow", "phone": "+1 555-0142"}


def front_page(client):
    return page_html(client.get("/admin/"))


def open_steps(page):
    """Return titles and URLs of the listed steps that are not done."""
    listed = re.findall(r'<li>\s*<a href="([^"]+)">([^<]+)</a>\s*<br>', page)
    return {title: url for url, title in listed}


@pytest.fixture
def user_with(client):
    """Sign in a user with exactly these permissions."""

    def sign_in(*names):
        user = User.objects.create_user("clerk", is_staff=True)
        user.user_permissions.set(Permission.objects.filter(codename__in=names))
        client.force_login(user)
        return client

    return sign_in


def test_new_installation_lists_setup_steps(admin_client, user_with):
    steps = open_steps(front_page(admin_client))

    assert tuple(steps) == STEPS
    assert [url.split("/")[3] for url in steps.values()] == [
        *("name", "place", "logo", "reviews", "website")
    ]
    assert FINISH in front_page(admin_client)
    assert open_steps(front_page(user_with("view_business"))) == {}


def test_steps_are_hidden_when_marked_done(admin_client, user_with):
    services.set_logo(make_business(**COMPLETE), encode_png(Image.new("RGB", (8, 8))))
    make_review()
    assert tuple(open_steps(front_page(admin_client))) == STEPS[4:]

    assert user_with("view_business").post(FINISH).status_code == 403
    admin_client.force_login(User.objects.get(username="admin"))
    assert admin_client.get(FINISH).status_code == 405
    assert admin_client.post(FINISH).status_code == 302

    assert "Setup in five steps" not in front_page(admin_client)
    assert Business.objects.get().first_steps_done_at is not None


def test_waiting_import_is_listed(admin_client, admin_user, user_with):
    make_business()
    table = b"author,rating,date,text,source,id\nDana,5,2026-05-01,Good work,google,a-1\n"
    batch = import_services.upload(
        table, file_name="may.csv", options=ImportOptions(accept=True), by=admin_user
    )
    import_services.preview(batch)

    page = front_page(admin_client)
    assert "The import may.csv needs your decision" in page
    assert "1 new, 0 changed, 0 rejected." in page
    assert change_url(batch) in page
    assert "may.csv" not in front_page(user_with("view_importbatch"))

    batch.refresh_from_db()
    import_services.cancel(batch)
    admin_client.force_login(admin_user)
    assert "may.csv waits" not in front_page(admin_client)


@pytest.fixture
def in_may(admin_client, admin_user):
    make_business(time_zone="UTC", **COMPLETE)
    with time_machine.travel(NOW, tick=False):
        admin_client.force_login(admin_user)
        yield admin_client


def test_new_reviews_are_counted_since_last_visit(in_may):
    make_review(date=dt.date(2026, 5, 18), reply_text="Thank you.")
    make_review(date=dt.date(2026, 5, 19), hidden=True)
    assert "1 in the last 7 days." in front_page(in_may)
    with time_machine.travel(NOW + dt.timedelta(minutes=50), tick=False):
        assert "1 in the last 7 days." in front_page(in_may)

    with time_machine.travel(NOW + dt.timedelta(days=5), tick=False):
        in_may.force_login(User.objects.get(username="admin"))
        make_review(date=dt.date(2026, 5, 25), reply_text="Thank you.")
        pages = [front_page(in_may) for _ in range(2)]

    for page in pages:
        assert "1 since your last visit on 20 May 2026, 12:50 UTC." in page


def test_reviews_without_reply_are_counted_and_link_to_inbox(in_may):
    for day in (dt.date(2026, 5, 1), dt.date(2026, 5, 2), dt.date(2025, 5, 2)):
        make_review(date=day)
    make_review(date=dt.date(2026, 5, 2), reply_text="Thank you.")

    page = front_page(in_may)

    assert "2 of the 3 public reviews of the last 90 days." in page
    link = re.search(r'"(/admin/inbox/unanswered/)">All of them', page)[1]
    assert in_may.get(link).status_code == 200


def test_query_count_does_not_grow_with_reviews(in_may):
    def fill(count):
        for number in range(count):
            make_review(rating=1 + number % 5, date=NOW.date() - dt.timedelta(days=number))

    fill(10)
    with CaptureQueriesContext(connection) as few:
        front_page(in_may)
    fill(60)
    with CaptureQueriesContext(connection) as many:
        front_page(in_may)

    assert len(many) <= len(few)
