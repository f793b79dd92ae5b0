"""Sources in the administration: adding, checking, deciding, and the front page."""

import pytest
from django.contrib.auth.models import Permission, User
from django.urls import reverse

from reviews.models import Review
from sources import polling, runs, selectors
from sources.models import SourceConnection, SourceRun
from tests.sources.rows import confirm_entries, entries, make_connection, make_url_connection
from tests.sources.servers import Reply

LIST = reverse("admin:sources_sourceconnection_changelist")
ADD = reverse("admin:sources_sourceconnection_add")


def text_of(answer) -> str:
    return answer.content.decode()


def form(maker, **values) -> dict:
    return {
        "name": "Our sheet",
        "address": maker.url("/r.json"),
        "header_name": "Authorization",
        "header_value": "Bearer secret-of-sheet",
        "source": "google",
        "interval_seconds": 3600,
    } | values


def test_added_source_is_imported(admin_client, maker, transactional_db):
    confirm_entries()
    maker.reply = Reply(entries(3))

    answer = admin_client.post(f"{ADD}?kind=url", form(maker))
    polling.poll_due()

    connection = SourceConnection.objects.get()
    assert answer["Location"] == reverse(
        "admin:sources_sourceconnection_change", args=[connection.pk]
    )
    assert maker.requests[0].headers["Authorization"] == "Bearer secret-of-sheet"
    assert Review.objects.count() == 3


def test_check_of_source_writes_nothing(admin_client, maker, transactional_db):
    confirm_entries()
    maker.reply = Reply(entries(3))

    answer = admin_client.post(f"{ADD}?kind=url", form(maker, _check="1"))
    check = answer["Location"]
    assert "refreshes automatically" in text_of(admin_client.get(check))
    polling.poll_due()
    page = text_of(admin_client.get(check))

    assert Review.objects.count() == 0
    assert "3 rows, 3 new" in page
    assert "Author 1" in page
    assert SourceConnection.objects.get().state == "paused"


@pytest.mark.parametrize(
    ("button", "outcome"),
    [("approve", (3, "active", "imported")), ("reject", (0, "paused", "rejected"))],
)
@pytest.mark.django_db(transaction=True)
def test_checked_source_is_started_or_discarded_by_one_button(admin_client, maker, button, outcome):
    confirm_entries()
    maker.reply = Reply(entries(3))
    admin_client.post(f"{ADD}?kind=url", form(maker, _check="1"))
    polling.poll_due()
    connection = SourceConnection.objects.get()

    admin_client.post(reverse("admin:sources_do", args=[connection.pk]), {"do": button})
    runs.import_stored()

    connection.refresh_from_db()
    state = SourceRun.objects.get().state
    assert (Review.objects.count(), connection.state, state) == outcome


def test_secret_is_hidden_and_kept_when_left_empty(admin_client, maker, transactional_db):
    maker.reply = Reply(entries(1))
    admin_client.post(f"{ADD}?kind=url", form(maker))
    connection = SourceConnection.objects.get()
    change = reverse("admin:sources_sourceconnection_change", args=[connection.pk])

    assert "secret-of-sheet" not in text_of(admin_client.get(change))
    admin_client.post(change, form(maker, name="Renamed", address="", header_value=""))

    connection.refresh_from_db()
    assert connection.name == "Renamed"
    assert connection.secrets["header_value"] == "Bearer secret-of-sheet"


def test_push_url_is_shown_and_replaced(admin_client, transactional_db):
    connection = make_connection("push")
    before = selectors.push_address(connection)
    change = reverse("admin:sources_sourceconnection_change", args=[connection.pk])
    assert before in text_of(admin_client.get(change))

    admin_client.post(reverse("admin:sources_do", args=[connection.pk]), {"do": "rotate"})

    connection.refresh_from_db()
    assert selectors.push_address(connection) not in {"", before}
    assert admin_client.get(before[before.index("/api/") :]).status_code == 404


def test_front_page_lists_waiting_and_failing_sources(admin_client, admin_user, maker, fetch_due):
    connection = make_url_connection(maker, name="Sheet of the office")
    maker.reply = Reply(entries(30))
    fetch_due()
    maker.reply = Reply(entries(30, rating=1, author="Other", text="Other words altogether."))
    fetch_due()
    make_url_connection(maker, "/other", name="Locked")
    maker.reply = Reply(status=401)
    fetch_due()

    admin_client.force_login(admin_user)  # The session expired meanwhile.
    page = text_of(admin_client.get(reverse("admin:index")))

    assert "Sheet of the office needs your approval" in page
    assert reverse("admin:sources_check", args=[connection.pk]) in page
    assert "<strong>Locked</strong>" in page
    assert "Renew the key" in page


@pytest.fixture
def reader(client, db):
    """Sign in a user who may view sources and change nothing."""
    user = User.objects.create_user("reader", password="a long password", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_sourceconnection"))
    client.force_login(user)
    return client


def test_viewer_may_not_press_buttons(reader, maker, fetch_due):
    connection = make_url_connection(maker)

    answer = reader.post(reverse("admin:sources_do", args=[connection.pk]), {"do": "rotate"})

    assert answer.status_code == 403
    assert reader.get(reverse("admin:sources_check", args=[connection.pk])).status_code == 403
    assert reader.get(LIST).status_code == 200


def test_status_has_ages_and_no_url(client, maker, fetch_due):
    make_url_connection(maker, name="Secret name")
    maker.reply = Reply(entries(3))
    fetch_due()

    status = client.get("/status.json").json()["sources"]
    page = text_of(client.get("/status"))

    assert (status["active"], status["failing"]) == (1, 0)
    assert status["newest_look_seconds"] < 60
    assert "1 source imports reviews automatically" in page
    assert "Secret name" not in page
    assert "127.0.0.1" not in page
