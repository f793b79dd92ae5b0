import datetime as dt

import pytest

from reviews.models import Review
from tests.factories import build_review, make_business, make_review
from tests.website.pages import read

pytestmark = pytest.mark.django_db


def test_home_shows_rating_with_distribution(client):
    make_business()
    for rating in (5, 5, 4):
        make_review(rating=rating)
    make_review(rating=1, hidden=True)

    document = read(client, "/")

    assert "4.67" in document.text
    assert document.all("svg", **{"aria-label": "4.67 out of 5 stars"})
    bars = [rect["width"] for rect in document.all("rect", **{"class": "bar-fill"})]
    assert bars == ["66.7%", "33.3%", "0.0%", "0.0%", "0.0%"]


def test_home_shows_ten_newest_visible_reviews(client):
    for day in range(1, 13):
        make_review(date=dt.date(2026, 3, day), author=f"Author {day:02}")
    make_review(date=dt.date(2026, 3, 31), author="Hidden Hand", hidden=True)

    html = client.get("/").content.decode()

    shown = [day for day in range(1, 13) if f"Author {day:02}" in html]
    assert shown == list(range(3, 13))
    assert html.index("Author 12") < html.index("Author 03")
    assert "Hidden Hand" not in html


def test_review_is_shown_with_all_public_members(client):
    review = make_review(
        author="Maya Okafor",
        rating=4,
        source="judge-me",
        source_url="https://judge.example/r/1",
        text="Came on time.",
        reply_text="Thank you!",
        verified=True,
    )

    document = read(client, "/")

    for words in ("Maya Okafor", "14 March 2026", "Came on time.", "Thank you!", "15 March 2026"):
        assert words in document.text
    assert "Judge.me" in document.text
    assert "Verified" in document.text
    assert document.all("svg", **{"aria-label": "4 out of 5 stars"})
    assert document.all("a", href=f"/reviews/{review.ulid}")
    [source] = document.all("a", href="https://judge.example/r/1")
    assert source["rel"] == "nofollow ugc noopener"


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "//x.example", "http://["]
)
def test_url_that_is_not_http_is_not_a_link(client, url):
    review = build_review()
    review.save()
    Review.objects.filter(pk=review.pk).update(source_url=url)
    make_business(url=url)

    document = read(client, "/")

    assert not document.all("a", href=url)
    assert "Google" in document.text
