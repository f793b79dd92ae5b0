import datetime as dt

import pytest

from tests.websub.conftest import CALLBACK, FEED, refused, send
from tests.websub.rows import make_subscription, make_verification
from websub import secrets
from websub.models import Subscription
from websub.status import UNKNOWN

pytestmark = pytest.mark.django_db

PAIR = {"hub.callback": CALLBACK, "hub.topic": FEED}
NOW = dt.datetime(2026, 5, 1, 10, tzinfo=dt.UTC)


@pytest.fixture(autouse=True)
def noon(time_machine):
    time_machine.move_to(NOW, tick=False)


def test_status_holds_state_lease_and_last_attempt(client, publish):
    publish()
    make_subscription(
        callback=CALLBACK,
        secret="gehéim",
        consecutive_failures=1,
        lease_seconds=7200,
        expires_at=NOW + dt.timedelta(hours=1),
        next_attempt_at=NOW + dt.timedelta(minutes=5),
        last_attempt_at=NOW - dt.timedelta(seconds=3),
        last_status=500,
        last_error="The callback answered 500.",
        last_seconds=0.123456,
    )

    answer = send(client, PAIR | {"hub.secret": "gehéim"}, "status")

    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/json"
    assert answer["Cache-Control"] == "no-store"
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert answer.json() == {
        "topic": FEED,
        "state": "failing",
        "lease_seconds": 7200,
        "expires_at": "2026-05-01T11:00:00Z",
        "signature_method": "sha256",
        "is_current": False,
        "failures": 1,
        "failures_allowed": 3,
        "next_attempt_at": "2026-05-01T10:05:00Z",
        "last_attempt": {
            "at": "2026-05-01T09:59:57Z",
            "status": 500,
            "error": "The callback answered 500.",
            "seconds": 0.123,
        },
        "verification": None,
    }
    for secret in ("gehéim", CALLBACK, "hooks.example.com"):
        assert secret not in answer.content.decode()


def test_status_names_a_pending_request(client):
    make_verification(
        callback=CALLBACK,
        encrypted_secret=secrets.encrypt("s3cret"),
        lease_seconds=7200,
        attempts=1,
        last_error="The callback could not be connected to in time.",
        requested_at=NOW,
        next_attempt_at=NOW + dt.timedelta(seconds=30),
    )

    status = send(client, PAIR | {"hub.secret": "s3cret"}, "status").json()

    assert (status["state"], status["expires_at"], status["lease_seconds"]) == (
        "pending",
        None,
        7200,
    )
    assert status["signature_method"] == "sha256"
    assert status["verification"] == {
        "mode": "subscribe",
        "requested_at": "2026-05-01T10:00:00Z",
        "attempts": 1,
        "next_attempt_at": "2026-05-01T10:00:30Z",
        "error": "The callback could not be connected to in time.",
    }


def test_unknown_pairs_and_wrong_secrets_have_equal_responses(client, settings):
    make_subscription(callback=CALLBACK, secret="s3cret")
    make_subscription(callback=f"{CALLBACK}&unsigned")
    make_subscription(callback=f"{CALLBACK}&lost", secret="s3cret")
    Subscription.objects.filter(callback__endswith="lost").update(encrypted_secret="rubbish")
    forms = [
        PAIR | {"hub.secret": "s3cre"},
        PAIR | {"hub.secret": "the secret of no subscription"},
        PAIR | {"hub.secret": "s3cret", "hub.callback": "https://hooks.example.com/none"},
        PAIR | {"hub.secret": "s3cret", "hub.topic": "https://reviews.example/none"},
        PAIR | {"hub.secret": "x", "hub.callback": f"{CALLBACK}&unsigned"},
        PAIR | {"hub.secret": "s3cret", "hub.callback": f"{CALLBACK}&lost"},
    ]
    answers = [send(client, form, "status") for form in forms]
    assert {refused(answer, 403) for answer in answers} == {UNKNOWN}
    of_all = {
        tuple(sorted((k, v) for k, v in answer.headers.items() if k != "X-Request-Id"))
        for answer in answers
    }
    assert len(of_all) == 1


@pytest.mark.parametrize("is_known", [True, False])
def test_unknown_pair_takes_as_much_work_as_wrong_secret(client, monkeypatch, is_known):
    if is_known:
        make_subscription(callback=CALLBACK, secret="s3cret")
    opened = []
    real = secrets.decrypt
    monkeypatch.setattr("websub.status.decrypt", lambda text: opened.append(text) or real(text))

    assert send(client, PAIR | {"hub.secret": "wrong"}, "status").status_code == 403

    assert len(opened) == 2
    assert all(opened)
