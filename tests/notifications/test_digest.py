"""The digest: numbers equal the dataset's, and it is sent once, in the morning."""

import datetime as dt
import io

import orjson
import pytest
from django.contrib.auth.models import User
from django.core import mail
from PIL import Image, ImageDraw

from insights import dataset
from insights.refresh import refresh
from notifications.digest import digest_of
from notifications.models import Recipient
from publishing import publisher
from tests.administration import page_html
from tests.factories import make_business, make_review, make_technician

pytestmark = pytest.mark.django_db


@pytest.fixture
def analysed():
    """Create a business with analysed and published reviews of two weeks."""
    make_business()
    make_technician("Maren Holt")
    for day, rating, text in (
        (1, 5, "Very friendly technicians and excellent work."),
        (2, 2, "They came three hours late and the price was far too high."),
        (9, 5, "Excellent work, fair price."),
        (10, 1, "Terrible work, and they were rude."),
        (12, 4, "Friendly and on time."),
    ):
        make_review(date=dt.date(2026, 3, day), rating=rating, text=text)
    refresh()
    publisher.publish_due()


def test_numbers_equal_dataset(analysed):
    known = orjson.loads(dataset.build(dt.datetime.now(dt.UTC)))

    digest = digest_of(dt.date(2026, 4, 1), days=31)

    [month] = known["temporal"]["monthly"]
    assert digest.numbers.reviews == known["review_count"] == month["review_count"] == 5
    assert digest.numbers.average == month["average_rating"] == 3.4
    assert digest.numbers.low == known["complaints"]["unhappy_count"] == 2
    for point in digest.praised + digest.criticised:
        kind = "positive_count" if point in digest.praised else "negative_count"
        counts = {each["label"]: each[kind] for each in known["aspects"]}
        assert counts[point.label] == point.count
    assert digest.praised
    assert digest.criticised


def test_period_is_compared_with_previous_one(analysed):
    digest = digest_of(dt.date(2026, 3, 15), days=7)

    assert (digest.first, digest.last) == (dt.date(2026, 3, 8), dt.date(2026, 3, 14))
    assert (digest.numbers.reviews, digest.before.reviews) == (3, 2)
    assert (digest.numbers.average, digest.before.average) == (3.33, 3.5)


def test_daily_digest_is_sent_once_in_morning_of_business(analysed, person, time_machine, work):
    Recipient.objects.update(most_stars=0, digest="daily")
    time_machine.move_to("2026-03-13T14:59:00Z")  # 07:59 in Los Angeles.
    work()
    assert mail.outbox == []

    work(120)
    work(3600)

    [message] = mail.outbox
    assert message.subject == "Tern Hollow Home Services: reviews from yesterday"
    assert "1 review (before: 0)" in message.body
    assert "Unanswered reviews of the last 30 days: 5" in message.body
    work(24 * 3600)
    assert len(mail.outbox) == 2


def test_weekly_digest_is_sent_on_monday(analysed, person, time_machine, work):
    Recipient.objects.update(most_stars=0, digest="weekly")
    time_machine.move_to("2026-03-15T20:00:00Z")  # Sunday.
    work()
    assert mail.outbox == []

    work(24 * 3600)

    [message] = mail.outbox
    assert "3 reviews (before: 1)" in message.body


def test_digest_page_shows_evidence_and_links(analysed, admin_client, time_machine):
    time_machine.move_to("2026-03-15T20:00:00Z")

    page = page_html(admin_client.get("/admin/notifications/digest/?days=30"))

    assert "Praised" in page
    assert "https://reviews.example/reviews/" in page
    assert "5 stars by Dana R. on Google" in page
    assert "https://reviews.example/admin/inbox/unanswered/" in page
    assert 'href="/admin/notifications/digest.png?days=30">Picture</a>' in page


@pytest.fixture
def drawn(monkeypatch):
    """Return the lines of a picture as drawn."""
    lines = []
    draw = ImageDraw.ImageDraw.text
    monkeypatch.setattr(
        ImageDraw.ImageDraw,
        "text",
        lambda self, at, text, **style: (lines.append(text), draw(self, at, text, **style)),
    )
    return lines


def test_digest_picture_has_numbers_and_points(analysed, admin_client, time_machine, drawn):
    time_machine.move_to("2026-03-15T20:00:00Z")
    digest = digest_of(dt.date(2026, 3, 15), days=30)

    response = admin_client.get("/admin/notifications/digest.png?days=30")

    assert response["Content-Type"] == "image/png"
    assert "no-store" in response["Cache-Control"]
    with Image.open(io.BytesIO(response.content)) as picture:
        assert (picture.format, picture.width) == ("PNG", 1200)
    assert drawn[:2] == ["Tern Hollow Home Services", "13 Feb 2026 to 14 Mar 2026"]
    assert drawn[2:11] == [
        *("5", "3.4", "2"),
        *("reviews", "stars on average", "with two stars or fewer"),
        *("before: 0", "before: \u2013", "before: 0"),
    ]
    for point in digest.praised + digest.criticised:
        assert f"{point.label} ({point.count})" in drawn
    assert drawn[-1] == "Unanswered reviews of the last 30 days: 5"


def test_digest_requires_permission_to_view_reviews(client, person):
    User.objects.update(is_superuser=False)
    client.force_login(person.user)

    for path in ("digest/", "digest.png"):
        assert client.get(f"/admin/notifications/{path}").status_code == 403
