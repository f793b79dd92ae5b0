"""The count of changes, when two are the first of all."""

import pytest
from django.db import connection

from reviews.models import Revision, Technician
from tests.threads import elsewhere


def add(name):
    Technician.objects.create(slug=name, name=name)


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
@pytest.mark.django_db(transaction=True)
def test_neither_of_two_first_changes_at_once_is_lost():
    def meanwhile(execute, sql, params, many, context):
        if sql.startswith('INSERT INTO "reviews_revision"'):
            elsewhere(lambda: add("quicker"))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(meanwhile):
        add("slower")

    assert set(Technician.objects.values_list("slug", flat=True)) == {"quicker", "slower"}
    assert Revision.objects.current(Revision.REVIEWS) == 2
