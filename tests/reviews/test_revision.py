"""The revision counter under concurrent changes."""

import pytest
from django.db import connection, transaction

from reviews import services
from reviews.models import Review
from tests.factories import make_review
from tests.threads import run_in_thread


def hide(admin_client):
    services.hide(Review.objects.all())


def add_technician(admin_client):
    admin_client.post("/admin/reviews/technician/add/", {"name": "Maren Holt"})


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("change", [hide, add_technician])
def test_change_of_several_reviews_locks_them_before_revision(admin_client, change):
    """An editor locks a review while waiting for the counter, so the order matters."""
    make_review(text="Maren was kind.")
    make_review(text="Maren was late.", edited_fields=["text"])
    unheld = []

    @transaction.atomic
    def note_unheld():
        rows = Review.objects.select_for_update(skip_locked=True)
        unheld.append(list(rows.values_list("text", flat=True)))

    def look(execute, sql, params, many, context):
        if sql.startswith('UPDATE "reviews_revision" SET "number"'):
            run_in_thread(note_unheld)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(look):
        change(admin_client)

    assert unheld
    assert not any(unheld)
