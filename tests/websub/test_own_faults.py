"""Errors of the hub affect neither subscribers nor other rows."""

import logging

import pytest
from django.test import override_settings

from guarded_http.connect import NOT_PUBLIC
from tests.websub.deliveries import deliver_all
from tests.websub.rows import make_subscription
from websub import delivery
from websub.models import Attempt, Subscription

pytestmark = pytest.mark.django_db


def test_unreadable_secret_is_a_hub_error_and_does_not_stop_others(sink, publish, settings):
    publish()
    broken = make_subscription(callback=sink.url())
    Subscription.objects.update(encrypted_secret="rubbish")
    fine = make_subscription(callback=sink.url())

    deliver_all()

    row = Subscription.objects.get(pk=broken.pk)
    assert (row.consecutive_failures, row.hub_errors, row.in_slow_queue) == (0, 1, False)
    assert "SECRET_KEY_FALLBACKS" in row.last_error
    assert Subscription.objects.get(pk=fine.pk).acknowledged_version == 1
    assert Attempt.objects.filter(result="hub_error").count() == 1


def test_exception_in_hub_counts_against_no_subscriber(sink, publish, monkeypatch, caplog):
    publish()
    first, second = (make_subscription(callback=sink.url()) for _ in range(2))
    real = delivery.attempt

    def fail(connection, row):
        if row.subscription.pk == first.pk:
            raise RuntimeError("bug")
        return real(connection, row)

    monkeypatch.setattr(delivery, "attempt", fail)
    with caplog.at_level(logging.ERROR):
        deliver_all()

    row = Subscription.objects.get(pk=first.pk)
    assert (row.consecutive_failures, row.hub_errors, row.last_error) == (0, 1, delivery.HUB_ERROR)
    assert Subscription.objects.get(pk=second.pk).acknowledged_version == 1
    assert first.callback not in caplog.text


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"WEBSUB_ALLOWED_NETWORKS": []}, NOT_PUBLIC.replace("server", "callback")),
        ({"WEBSUB_ALLOWED_PORTS": "443"}, "Port {port} is not contacted."),
    ],
)
def test_forbidden_callback_is_not_contacted(sink, publish, changed, error):
    publish()
    make_subscription(callback=sink.url())
    with override_settings(**changed):
        deliver_all()

    assert sink.received == []
    row = Subscription.objects.get()
    assert (row.consecutive_failures, row.last_error) == (1, error.format(port=sink.port))
