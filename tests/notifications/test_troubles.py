"""Problems: one mail and one webhook for each, with explanation and link."""

import datetime as dt
import json

import orjson
import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.management import CommandError, call_command

from config import scheduled_backups
from notifications import services
from notifications.models import Endpoint, Recipient
from notifications.record import TROUBLES
from reviews import replies as written
from sources import polling, replies, runs
from sources.models import SourceConnection
from tests.factories import make_business, make_review
from tests.sign_in.test_limits import guess_from_many_networks, sign_in
from tests.sources.conftest import allow_local_sources, maker  # noqa: F401  (Fixtures.)
from tests.sources.rows import entry, make_url_connection
from tests.sources.servers import Reply
from tests.websub.conftest import allow_loopback, publish, sink, trusted  # noqa: F401  (Fixtures.)
from tests.websub.deliveries import deliver_all
from tests.websub.rows import make_subscription
from websub.record_deliveries import removal_reason

pytestmark = pytest.mark.django_db(transaction=True)
ADMIN = "https://reviews.example/admin"


@pytest.fixture
def messages(person, receiver, work):
    """Return mails and webhooks of a user and endpoint with all events."""
    make_business(time_zone="UTC")
    services.save_endpoint(Endpoint(name="CRM", url=receiver.url("/hook"), events=[*TROUBLES]))
    Recipient.objects.update(most_stars=0)

    def messages():
        for _ in range(3):
            work(61)
        return mail.outbox, [json.loads(request.body) for request in receiver.requests]

    return messages


def test_source_fails_three_times_in_a_row(messages, maker, time_machine):  # noqa: F811
    source = make_url_connection(maker, name="Sheet")
    maker.reply = Reply(status=500)
    for _ in range(2):
        time_machine.shift(8 * 3600)
        polling.poll_due()
    assert messages() == ([], [])

    for _ in range(2):
        time_machine.shift(8 * 3600)
        polling.poll_due()
        [message], [body] = messages()

    assert message.subject == "The source “Sheet” is failing"
    assert "HTTP 500" in message.body
    page = f"{ADMIN}/sources/sourceconnection/{source.pk}/change/"
    assert f"Open the source: {page}" in message.body
    assert f'href="{page}">Open the source</a>' in message.alternatives[0].content
    assert body["type"] == "source.failed"
    assert body["data"]["name"] == "Sheet"
    assert not body["data"]["is_stopped"]


def test_source_needs_a_person(messages, maker, time_machine):  # noqa: F811
    make_url_connection(maker, name="Sheet")
    maker.reply = Reply(status=401)
    time_machine.shift(8 * 3600)
    polling.poll_due()

    [message], [body] = messages()

    assert message.subject == "The source “Sheet” is failing"
    assert SourceConnection.objects.get().last_error in message.body
    assert body["data"]["is_stopped"]


def test_run_waits_for_a_person(messages, maker, time_machine):  # noqa: F811
    source = make_url_connection(maker, name="Sheet")
    unread = [entry(number, rating="eleven") for number in range(4)]
    maker.reply = Reply(orjson.dumps([*unread, *map(entry, range(4, 10))]))
    time_machine.shift(8 * 3600)
    polling.poll_due()
    runs.import_stored()

    [message], bodies = messages()

    assert message.subject == "“Sheet” needs your approval"
    assert "4 of 10 rows cannot be read" in message.body
    assert f"Open the source: {ADMIN}/sources/sourceconnection/{source.pk}/change/" in message.body
    assert bodies == []  # Programs cannot approve it.


def test_subscriber_accepts_no_deliveries(messages, sink, publish, settings, time_machine):  # noqa: F811
    settings.WEBSUB_RETRY_SECONDS = (300.0, 3600.0)
    publish()
    row = make_subscription(callback=sink.url(status=500))
    for _ in range(2):
        deliver_all()
        assert messages() == ([], [])
        time_machine.shift(4000)
    deliver_all()

    [message], [body] = messages()

    assert message.subject == "The subscriber 127.0.0.1 was removed"
    assert row.topic in message.body
    assert removal_reason() in message.body
    assert f"See the subscribers: {ADMIN}/websub/subscription/" in message.body
    assert body["type"] == "subscription.removed"
    assert body["data"] == {"host": "127.0.0.1", "topic": row.topic, "reason": removal_reason()}


def test_subscriber_is_gone(messages, sink, publish):  # noqa: F811
    publish()
    make_subscription(callback=sink.url(status=410))
    deliver_all()

    [message], [body] = messages()

    assert message.subject == "The subscriber 127.0.0.1 was removed"
    assert "410" in body["data"]["reason"]


def test_password_of_user_is_guessed(messages, client):
    for _ in range(8):
        sign_in(client, name="dana")
    sign_in(client, name="nobody")

    [message], bodies = messages()

    assert message.subject == "Too many wrong passwords for dana"
    assert "Sign-ins from the network 203.0.113.7 are blocked for a while." in message.body
    assert f"See the failed sign-ins: {ADMIN}/axes/accessfailurelog/" in message.body
    assert bodies == []


@pytest.mark.slow
def test_password_of_user_is_guessed_from_many_networks(messages, client):
    guess_from_many_networks(client, 101, name="dana")

    [message], _ = messages()

    assert message.subject == "Too many wrong passwords for dana"
    assert "networks that the user has not used lately are blocked for a while." in message.body


def test_backup_fails(messages, tmp_path):
    (tmp_path / "kept.backup").touch()
    with pytest.raises(CommandError):
        call_command("backup", str(tmp_path / "kept.backup"))

    [message], [body] = messages()

    assert message.subject == "The backup failed"
    assert "kept.backup already exists." in message.body
    assert f"Go to the administration: {ADMIN}/" in message.body
    assert body["type"] == "backup.failed"
    assert "kept.backup already exists." in body["data"]["error"]


def test_repeatedly_failing_daily_backup_is_reported_each_day(
    messages, settings, tmp_path, time_machine
):
    place = tmp_path / "place"
    place.write_text("a file in its place")
    settings.BACKUP_TO, settings.STATE_DIR = str(place), tmp_path
    time_machine.move_to(dt.datetime(2026, 5, 20, 10, tzinfo=dt.UTC))
    for _ in range(3):
        assert not scheduled_backups.back_up_if_due()
        time_machine.shift(2 * 3600)
    [message], _ = messages()
    assert "File exists" in message.body

    time_machine.shift(24 * 3600)
    scheduled_backups.back_up_if_due()

    assert [message.subject for message in messages()[0]] == ["The backup failed"] * 2


def test_reply_is_refused(messages):
    review = make_review()
    written.send(review, "Thank you!", User.objects.get())
    replies.send_due()

    [message], [body] = messages()

    assert message.subject == "A reply was refused"
    reason = "No source can reach this review any more. Copy the text and reply on its site."
    assert reason in message.body
    assert f"Open the review: {ADMIN}/inbox/all/{review.ulid}/" in message.body
    assert body["type"] == "reply.refused"
    assert body["data"] == {"id": review.ulid, "problem": reason}
    written.send(review, "Thank you!", User.objects.get())
    replies.send_due()
    assert [each.subject for each in messages()[0]] == ["A reply was refused"] * 2


def test_problems_are_not_mailed_without_permission(messages, client):
    User.objects.update(is_superuser=False)
    sign_in_times = 6
    for _ in range(sign_in_times):
        sign_in(client, name="dana")

    assert messages() == ([], [])
