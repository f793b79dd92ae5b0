"""Backups and copies of sources: restored paused, with readable secrets."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command

from config import backup
from reviews.models import Review
from sources import runs, services
from sources.models import SECRETS, SourceConnection, SourceRun
from sources.selectors import push_address
from tests.sources.rows import entries, make_connection, make_url_connection, post
from tests.sources.servers import Reply

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def backed_up(tmp_path) -> Callable[[], Path]:
    def write() -> Path:
        backup.write(tmp_path / "backup")
        return tmp_path / "backup"

    return write


def restore(file: Path) -> None:
    backup.restore(file, replace=True)


def test_only_one_installation_of_a_backup_fetches(maker, fetch_due, backed_up):
    make_url_connection(maker)
    maker.reply = Reply(entries(3))
    SourceConnection.objects.update(claimed_until="2999-01-01T00:00Z", claim_token="dead worker")
    data = backed_up()

    for _ in range(2):  # The second installation is the copy.
        restore(data)
        fetch_due()
        connection = SourceConnection.objects.get()
        assert (connection.state, connection.claim_token) == ("paused", "")

    assert maker.requests == []
    services.resume(connection)
    fetch_due()
    assert Review.objects.count() == 3


def test_unimported_push_is_restored_from_backup(allow_local_sources, client, backed_up):
    connection = make_connection("push")
    path = push_address(connection).removeprefix("https://reviews.example")
    post(client, connection, entries(2))

    restore(backed_up())

    assert SECRETS.decrypt(bytes(SourceRun.objects.get().content)) == entries(2)
    assert push_address(SourceConnection.objects.get()).endswith(path)
    services.resume(SourceConnection.objects.get())
    runs.import_stored()
    assert Review.objects.count() == 2


def test_backup_holds_no_secret_in_plain_text(maker, backed_up):
    make_url_connection(maker, "/r?key=t0psecret", header_name="X-Key", header_value="s3cret")
    token = push_address(make_connection("push")).rpartition("/")[2]

    content = backed_up().read_bytes()

    assert [words for words in ("t0psecret", "s3cret", token) if words.encode() in content] == []


def test_reencrypt_secrets_covers_sources(maker, settings, fetch_due):
    connection = make_url_connection(maker)
    maker.reply = Reply(entries(1))
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "the next key"

    call_command("reencrypt_secrets")
    settings.SECRET_KEY_FALLBACKS = []
    fetch_due()

    connection.refresh_from_db()
    assert connection.last_error == ""
    assert Review.objects.count() == 1
