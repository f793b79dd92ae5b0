"""Messages to Celery: after the commit, one delayed message at a time, without errors."""

import pytest
from django.test import Client

import websub
from tests.websub.conftest import FORM, send
from websub import enqueue, tasks


def test_earlier_delayed_message_replaces_later_one(enqueued_tasks):
    for wait in (60.0, 60.5, 30.0, 90.0, 30.5):
        enqueue.enqueue_in(wait, "deliver_due")
    assert enqueued_tasks == [("deliver_due", 60), ("deliver_due", 30)]


@pytest.mark.django_db(transaction=True)
def test_unreachable_broker_does_not_fail_request(monkeypatch, caplog):
    def fail(*args, **options):
        raise ConnectionError("refused")

    monkeypatch.setattr(tasks.verify_due, "apply_async", fail, raising=False)

    answer = send(Client(), FORM)

    assert answer.status_code == 202
    assert "No worker was told of verify_due: refused. The next sweep takes it up." in caplog.text


def test_unknown_topic_url_is_logged(caplog):
    websub.notify("https://reviews.example/other")
    assert "https://reviews.example/other is no topic of this hub" in caplog.text
