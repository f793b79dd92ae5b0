"""Values replaced by an import are kept for a while. Afterwards it cannot be undone."""

import datetime as dt

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from imports import revert, services
from imports.models import ImportBatch
from tests.reviews.imports import ROWS, load, table

pytestmark = pytest.mark.django_db


@pytest.fixture
def batch():
    """Import a file that changes a review."""
    load(table(*ROWS))
    return ImportBatch.objects.get(pk=load(table(ROWS[1].replace("Good", "Bad"))).batch_id)


def after(days):
    return time_machine.travel(timezone.now() + dt.timedelta(days=days), tick=False)


def test_changes_of_waiting_undo_are_kept(batch):
    ImportBatch.objects.filter(pk=batch.pk).update(state=ImportBatch.State.UNDOING)

    with after(days=91):
        assert revert.forget_changes() == 0


def test_retention_period_is_a_setting(batch, settings):
    settings.IMPORT_UNDO_DAYS = 10

    with after(days=11):
        with pytest.raises(services.BatchNotReady, match="This import is more than 10 days old"):
            services.undo(batch)
        assert revert.forget_changes() == 1


def test_page_offers_no_undo_after_retention(batch, client, admin_user):
    with after(days=91):
        client.force_login(admin_user)
        undo_page = reverse("admin:imports_importbatch_undo", args=[batch.pk])

        page_text = client.get(undo_page, follow=True).content.decode()

    assert "This import is more than 90 days old" in page_text
    assert "Undo this import" not in page_text
