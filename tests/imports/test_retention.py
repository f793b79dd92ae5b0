"""Values that an import replaced are kept for a while; then it cannot be undone, and says so."""

import datetime as dt

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from imports import revert, services
from imports.models import ImportBatch
from tests.reviews.loading import ROWS, load, table

pytestmark = pytest.mark.django_db


@pytest.fixture
def batch():
    """An import that has changed a review."""
    load(table(*ROWS))
    return ImportBatch.objects.get(pk=load(table(ROWS[1].replace("Good", "Bad"))).batch_id)


def after(days):
    return time_machine.travel(timezone.now() + dt.timedelta(days=days), tick=False)


def test_undo_that_waits_for_a_worker_keeps_its_changes(batch):
    ImportBatch.objects.filter(pk=batch.pk).update(state=ImportBatch.State.UNDOING)

    with after(days=91):
        assert revert.forget_changes() == 0


def test_setting_says_how_long(batch, settings):
    settings.IMPORT_UNDO_DAYS = 10

    with after(days=11):
        with pytest.raises(services.BatchNotReady, match="This import is more than 10 days old"):
            services.undo(batch)
        assert revert.forget_changes() == 1


def test_page_offers_no_undo_where_there_is_none(batch, client, admin_user):
    with after(days=91):
        client.force_login(admin_user)
        undo_page = reverse("admin:imports_importbatch_undo", args=[batch.pk])

        page_text = client.get(undo_page, follow=True).content.decode()

    assert "This import is more than 90 days old" in page_text
    assert "Undo this import" not in page_text
