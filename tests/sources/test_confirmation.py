"""Runs with a new layout wait until its members are confirmed once."""

import orjson
import pytest

from imports.models import ConfirmedShape, ImportBatch, ImportUpload
from reviews.models import Review
from sources import services, tasks
from sources.models import SourceRun
from sources.selectors import push_address, waiting_runs
from tests.imports.admin.import_pages import confirm, latest, press
from tests.sources.rows import entries, entry, make_connection, make_url_connection
from tests.sources.servers import Reply

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def held(maker, fetch_due):
    """Return the waiting run of a source with an unconfirmed layout."""
    make_url_connection(maker, accept=False)
    maker.reply = Reply(entries(3))
    fetch_due()
    return waiting_runs().get()


def test_new_layout_waits_and_imports_nothing(held, admin_client):
    assert held.reasons[0].startswith("The layout of the file is new.")
    assert held.batch.state == ImportBatch.State.CONFIRMING
    assert ImportUpload.objects.filter(batch=held.batch).exists()
    assert not Review.objects.exists()

    listed = admin_client.get("/admin/sources/sourcerun/").content.decode()
    assert f"/admin/imports/importbatch/{held.batch.pk}/change/" in listed

    front_page = admin_client.get("/admin/").content.decode()
    assert f"{held.connection} needs your answers" in front_page
    assert f"/admin/imports/importbatch/{held.batch.pk}/change/" in front_page


def test_confirmed_layout_continues_run_and_is_not_asked_about_again(
    held, admin_client, maker, fetch_due
):
    confirm(admin_client)
    tasks.process_due()

    held.refresh_from_db()
    assert held.state == SourceRun.State.IMPORTED
    assert Review.objects.count() == 3
    maker.reply = Reply(entries(4))
    fetch_due()
    assert not waiting_runs().exists()
    assert Review.objects.count() == 4


def test_approval_without_confirmation_imports_nothing(held):
    services.approve(held, by=None)
    tasks.process_due()

    held.refresh_from_db()
    assert held.state == SourceRun.State.WAITING
    assert not Review.objects.exists()


def test_cancelled_confirmation_rejects_the_run(held, admin_client):
    press(admin_client, "cancel")
    tasks.process_due()

    held.refresh_from_db()
    assert (held.state, held.content) == (SourceRun.State.REJECTED, None)
    assert not ImportUpload.objects.exists()
    assert not ConfirmedShape.objects.exists()


def test_confirmed_run_is_still_held_for_other_reasons(admin_client, maker, fetch_due):
    make_url_connection(maker, accept=False)
    rows = [entry(number, rating="eleven" if number < 3 else 5) for number in range(9)]
    maker.reply = Reply(orjson.dumps(rows))
    fetch_due()

    confirm(admin_client)
    tasks.process_due()

    assert waiting_runs().get().reasons == ["3 of 9 rows cannot be read, more than 10 %."]
    assert not Review.objects.exists()


def test_new_member_of_push_is_asked_about(client, admin_client, allow_local_sources):
    connection = make_connection("push", accept=False)
    address = push_address(connection)

    def push(**values):
        body = orjson.dumps([entry(SourceRun.objects.count(), **values)])
        return client.post(address, body, content_type="application/json")

    assert push().status_code == 202
    tasks.process_due()
    assert latest().state == ImportBatch.State.CONFIRMING
    confirm(admin_client)
    tasks.process_due()
    assert Review.objects.count() == 1

    assert push().status_code == 202
    tasks.process_due()
    assert Review.objects.count() == 2
    assert push(consent="no").status_code == 202
    tasks.process_due()
    assert latest().state == ImportBatch.State.CONFIRMING
    assert Review.objects.count() == 2
