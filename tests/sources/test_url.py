"""Fetches of a URL, from the connection to the reviews."""

import pytest
from django.utils import timezone

from imports.models import ImportBatch
from reviews.documents import build
from reviews.models import Review
from sources.models import SourceRun
from tests.factories import make_review
from tests.sources.rows import entries, make_connection, make_url_connection
from tests.sources.servers import Reply, conditional, in_sequence


def test_new_reviews_at_url_are_imported(maker, fetch_due):
    connection = make_url_connection(maker)
    maker.reply = Reply(entries(3))

    fetch_due()

    connection.refresh_from_db()
    run, batch = SourceRun.objects.get(), ImportBatch.objects.get()
    assert Review.objects.count() == 3
    assert (run.state, run.new, run.batch) == ("imported", 3, batch)
    assert (batch.state, batch.new) == ("applied", 3)
    assert (connection.state, connection.last_error, connection.last_rows) == ("active", "", 3)
    assert connection.last_change_at
    assert run.content is None


@pytest.mark.parametrize(
    "script",
    [
        conditional(entries(3)),
        in_sequence(Reply(entries(3))),
        in_sequence(Reply(entries(3)), Reply(entries(3) + b"\n\n")),
    ],
    ids=["304", "same bytes", "other bytes of the same reviews"],
)
def test_fetch_without_new_reviews_makes_no_batch(maker, fetch_due, script):
    connection = make_url_connection(maker)
    maker.reply = script
    fetch_due()

    fetch_due()
    fetch_due()

    connection.refresh_from_db()
    assert len(maker.requests) == 3
    assert ImportBatch.objects.count() == SourceRun.objects.count() == 1
    assert (connection.looks, connection.looks_without_change) == (3, 2)


def test_reviews_of_other_installation_are_imported_once(maker, fetch_due):
    for number in range(2):
        make_review(external_id=f"other-{number}")
    maker.reply = conditional(build(timezone.now()))
    Review.objects.all().delete()
    connection = make_connection("reviews", address=maker.url("/"), source="")

    fetch_due()
    fetch_due()

    assert Review.objects.count() == 2
    assert [each.target for each in maker.requests] == ["/reviews.json"] * 2
    connection.refresh_from_db()
    assert connection.looks_without_change == 1
