"""Values that an import replaced are kept for a while; then it cannot be undone, and says so."""

import datetime as dt
import io

import pytest
import time_machine
from django.contrib.auth import get_user_model
from django.urls import reverse
from django.utils import timezone

from imports import revert, services
from imports.models import ImportBatch, ImportChange, ImportOptions
from reviews.models import Review

pytestmark = pytest.mark.django_db

HEADING = b"source,id,rating,date,text\n"
SENTENCE = "This import is more than 90 days old"


def load(text):
    rows = HEADING + f"google,g-1,5,2026-03-01,{text}\n".encode()
    report = services.import_file(
        io.BytesIO(rows), file_name="reviews.csv", options=ImportOptions(accept=True)
    )
    return ImportBatch.objects.get(pk=report.batch_id)


@pytest.fixture
def batches():
    return load("Quick work."), load("Quick and tidy work.")


def after(days):
    return time_machine.travel(timezone.now() + dt.timedelta(days=days), tick=False)


def test_changes_are_kept_as_long_as_an_import_can_be_undone(batches):
    with after(days=89):
        assert revert.forget_changes() == 0
        services.undo(batches[1])

    assert Review.objects.get().text == "Quick work."


def test_old_changes_are_forgotten_once_and_the_reviews_stay(batches):
    with after(days=91):
        assert revert.forget_changes() == 1
        assert revert.forget_changes() == 0

    assert not ImportChange.objects.exists()
    assert Review.objects.get().text == "Quick and tidy work."


def test_old_import_is_not_undone_and_says_why(batches):
    with (
        after(days=91),
        pytest.raises(services.BatchNotReady, match=rf"^{SENTENCE}.*IMPORT_UNDO_DAYS"),
    ):
        services.undo(batches[1])

    batches[1].refresh_from_db()
    assert batches[1].state == ImportBatch.State.APPLIED


def test_undo_that_waits_for_a_worker_keeps_its_changes(batches):
    ImportBatch.objects.filter(pk=batches[1].pk).update(state=ImportBatch.State.UNDOING)

    with after(days=91):
        assert revert.forget_changes() == 0


def test_setting_says_how_long(batches, settings):
    settings.IMPORT_UNDO_DAYS = 10

    with after(days=11):
        assert "more than 10 days old" in revert.blocked_reason(batches[1])
        assert revert.forget_changes() == 1


def test_page_offers_no_undo_where_there_is_none(batches, client):
    with after(days=91):
        root = get_user_model().objects.create_superuser("root", password="long enough")
        client.force_login(root, backend="django.contrib.auth.backends.ModelBackend")
        undo_page = reverse("admin:imports_importbatch_undo", args=[batches[1].pk])

        page_text = client.get(undo_page, follow=True).content.decode()

    assert SENTENCE in page_text
    assert "Undo this import" not in page_text
