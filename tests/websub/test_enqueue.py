"""Messages to Celery: after the commit, one delayed message at a time, never an error."""

import pytest
from django.test import Client

import websub
from tests.websub.conftest import FORM, send
from websub import enqueue, tasks


def test_earlier_delayed_message_stands_for_a_later_one_and_not_the_other_way_round(enqueued):
    for wait in (60.0, 60.5, 30.0, 90.0, 30.5):
        enqueue.enqueue_in(wait, "deliver_due")
    assert enqueued == [("deliver_due", 60), ("deliver_due", 30)]


@pytest.mark.django_db(transaction=True)
def test_broker_that_is_away_fails_no_request(monkeypatch, caplog):
    def fail(*args, **options):
        raise ConnectionError("refused")

    monkeypatch.setattr(tasks.verify_due, "apply_async", fail, raising=False)

    answer = send(Client(), FORM)

    assert answer.status_code == 202
    assert "No worker was told of verify_due: refused. The next sweep takes it up." in caplog.text


def test_url_that_is_no_topic_is_logged(caplog):
    websub.notify("https://reviews.example/other")
    assert "https://reviews.example/other is no topic of this hub" in caplog.text
