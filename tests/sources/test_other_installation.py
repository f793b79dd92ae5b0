"""Another installation: conditional requests."""

import pytest
from django.utils import timezone

from reviews.documents import build
from reviews.models import Review
from tests.factories import make_review
from tests.sources.rows import make_connection
from tests.sources.servers import Reply, conditional


@pytest.fixture
def document(transactional_db) -> bytes:
    """Two reviews as another installation publishes them."""
    for number in range(2):
        make_review(external_id=f"other-{number}", source="google")
    published = build(timezone.now())
    Review.objects.all().delete()
    return published


@pytest.fixture
def other(maker, document):
    """The other installation."""
    maker.reply = conditional(document)
    return maker


@pytest.fixture
def connection(other):
    return make_connection("reviews", address=other.url("/"), source="")


def test_reviews_are_taken_over_once(connection, other, look):
    look()
    look()

    assert Review.objects.count() == 2
    assert [each.target for each in other.requests] == ["/reviews.json"] * 2
    connection.refresh_from_db()
    assert connection.looks_without_change == 1


def test_page_instead_of_reviews_is_told(connection, maker, look):
    maker.reply = Reply(b"<!doctype html><title>Sign in</title>")

    look()

    connection.refresh_from_db()
    assert "web page instead of a file" in connection.last_error
