"""The count of changes, when several are made at once."""

import pytest
from django.db import connection, transaction

from reviews import services
from reviews.models import Review
from tests.factories import make_review
from tests.threads import elsewhere


def hide(admin_client):
    services.hide(Review.objects.all())


def join_the_roster(admin_client):
    admin_client.post("/admin/reviews/technician/add/", {"name": "Maren Holt"})


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("change", [hide, join_the_roster])
def test_who_changes_several_reviews_holds_them_before_the_change_is_counted(admin_client, change):
    """An editor holds a review while waiting for the count; the two would wait for each other."""
    make_review(text="Maren was kind.")
    make_review(text="Maren was late.", edited_fields=["text"])
    unheld = []

    @transaction.atomic
    def note_unheld():
        rows = Review.objects.select_for_update(skip_locked=True)
        unheld.append(list(rows.values_list("text", flat=True)))

    def look(execute, sql, params, many, context):
        if sql.startswith('UPDATE "reviews_revision" SET "number"'):
            elsewhere(note_unheld)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(look):
        change(admin_client)

    assert unheld
    assert not any(unheld)
