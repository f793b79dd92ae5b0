"""Concurrent changes of many reviews and an import, without deadlocks."""

import threading

import pytest
from django.db import connection, connections, transaction

from imports import importer
from insights import selectors
from insights.models import ReviewAnalysis
from insights.store_findings import analyse_reviews
from reviews import services
from reviews.models import Review, Technician, lock_rows
from reviews.roster import rematch_all
from tests.reviews.imports import ROWS, load, table
from tests.threads import run_in_thread
from tests.waiting import wait_until

pytestmark = [
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time"),
    pytest.mark.django_db(transaction=True),
]

WAITERS = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = %s"


def is_somebody_waiting():
    with connection.cursor() as cursor:
        # A transaction caches its first result.
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(WAITERS, [connection.settings_dict["NAME"]])
        return cursor.fetchone()[0]


@pytest.fixture
def import_meanwhile(monkeypatch):
    """Import changes of all reviews, newest first, while `change` waits after one."""
    monkeypatch.setattr(importer, "CHUNK", 1)

    def run(change):
        failures = []

        def work():
            try:
                change()
            except Exception as error:  # noqa: BLE001  (whatever it is fails the test)
                failures.append(error)
            finally:
                connections.close_all()

        thread = threading.Thread(target=work)

        def begin(done):
            if done == 1:
                thread.start()
                wait_until(is_somebody_waiting)

        report = load(
            table(*(row.replace(",,,", ",,Thanks!,2026-03-20") for row in reversed(ROWS))),
            on_progress=begin,
        )
        thread.join()
        return report, failures

    load(table(*ROWS))
    return run


def hide():
    services.hide(Review.objects.all())


def delete():
    services.delete(Review.objects.all())


def release():
    services.release_edits(Review.objects.all())


@pytest.mark.parametrize("change", [hide, delete, release, rematch_all])
def test_change_during_import_waits_for_its_end(import_meanwhile, change):
    Technician.objects.create(slug="maren", name="Maren")
    Review.objects.update(edited_fields=["author"])

    report, failures = import_meanwhile(change)

    assert (report.changed, failures) == (2, [])
    assert Review.objects.filter(hidden=True).count() == (3 if change is hide else 0)
    assert Review.objects.count() == (0 if change is delete else 3)
    assert Review.objects.exclude(edited_fields=[]).count() == (
        3 if change in (hide, rematch_all) else 0
    )


def test_reviews_are_analysed_while_an_import_changes_them():
    load(table(*ROWS))
    reviews = list(Review.objects.all())

    with transaction.atomic():
        Review.objects.select_for_update(no_key=True).get(external_id="g-2")
        run_in_thread(lambda: analyse_reviews(reviews, selectors.current_inputs()))

    assert ReviewAnalysis.objects.count() == 3


def test_review_being_deleted_takes_no_new_rows():
    load(table(*ROWS))
    reviews = list(Review.objects.all())
    analysing = threading.Thread(
        target=run_in_thread, args=[lambda: analyse_reviews(reviews, selectors.current_inputs())]
    )

    with transaction.atomic():
        lock_rows(Review.objects.all(), for_deletion=True)
        analysing.start()
        wait_until(is_somebody_waiting)
        Review.objects.all().delete()
    analysing.join()

    assert not ReviewAnalysis.objects.exists()
