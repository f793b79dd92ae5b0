"""Limits of the hub's endpoint: requests per client, hosts, pending verifications."""

import pytest
from django.db import OperationalError

from tests.websub.conftest import CALLBACK, FORM, refused, send
from tests.websub.rows import make_subscription, make_verification
from websub import services
from websub.models import Verification

pytestmark = pytest.mark.django_db


def test_rate_limited_request_has_retry_after(client, settings):
    settings.RATE_LIMITS = {"hub": (1, 3600)}
    assert send(client, FORM).status_code == 202
    Verification.objects.all().delete()

    answer = send(client, FORM)

    sentence = refused(answer, 429)
    assert f"try again in {answer['Retry-After']} seconds." in sentence


def test_unreachable_database_is_an_explained_503(client, monkeypatch):
    def fail(request):
        raise OperationalError("gone")

    monkeypatch.setattr(services, "request_subscription", fail)

    answer = send(client, FORM)

    assert "cannot be taken at the moment" in refused(answer, 503)


def test_subscriptions_of_host_are_limited(client, settings):
    settings.WEBSUB_MAX_PER_HOST = 2
    for number in range(2):
        make_subscription(callback=f"https://hooks.example.com/{number}")

    answer = send(client, FORM)

    assert "2 active subscriptions already" in refused(answer, 429)
    assert answer["Retry-After"] == "3600"
    # Existing ones may be renewed and ended, and other hosts are not affected.
    assert send(client, FORM | {"hub.callback": "https://hooks.example.com/1"}).status_code == 202
    assert send(client, FORM | {"hub.callback": "https://other.example.com/1"}).status_code == 202
    make_verification(callback=CALLBACK)
    assert send(client, FORM | {"hub.mode": "unsubscribe"}).status_code == 202


def test_pending_verifications_are_limited(client, monkeypatch):
    monkeypatch.setattr(services, "MAX_PENDING", 2)
    callbacks = [f"https://{name}.example.com/cb" for name in ("first", "second", "third")]

    answers = [send(client, FORM | {"hub.callback": callback}) for callback in callbacks]

    assert [answer.status_code for answer in answers] == [202, 202, 429]
    assert answers[2].content.decode() == (
        "Too many requests wait for verification. Send this one again in a minute.\n"
    )
    assert answers[2]["Retry-After"] == "60"
    # A pending request may be repeated.
    assert send(client, FORM | {"hub.callback": callbacks[0]}).status_code == 202
    Verification.objects.filter(callback=callbacks[1]).update(state="confirmed")
    assert send(client, FORM | {"hub.callback": callbacks[2]}).status_code == 202
