"""What an administrator can do to a subscription."""

import datetime as dt

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.db import OperationalError
from django.urls import reverse

from tests.websub.admin.pages import CALLBACK, NOW, SUBSCRIPTIONS, act, shown
from tests.websub.rows import TOPIC, make_attempt, make_subscription, make_verification
from websub import denials, upkeep
from websub.models import Attempt, Subscription, Verification

pytestmark = pytest.mark.django_db


@pytest.mark.django_db(transaction=True)
def test_retry_now_makes_a_waiting_delivery_due_and_rings(admin_client, rung):
    later = NOW + dt.timedelta(hours=1)
    row = make_subscription(
        misses=2, next_attempt_at=later, set_aside="A fault of ours.", own_faults=5
    )
    other = make_subscription(next_attempt_at=later)
    over = make_subscription(expires_at=NOW, next_attempt_at=later)

    page = act(admin_client, "retry_now", row, over)

    row.refresh_from_db()
    assert (row.next_attempt_at, row.set_aside, row.own_faults, row.misses) == (NOW, "", 0, 2)
    assert Subscription.objects.get(pk=other.pk).next_attempt_at == later
    assert Subscription.objects.get(pk=over.pk).next_attempt_at == later
    assert "1 subscription: what is due goes out now." in page
    assert rung == ["deliver_due", "deliver_slow_due"]


@pytest.mark.django_db(transaction=True)
def test_verify_again_asks_as_the_subscriber_had_asked(admin_client, rung):
    row = make_subscription(
        callback=CALLBACK, secret="shared secret", lease_seconds=7200, acknowledged_version=4
    )
    make_verification(callback=CALLBACK, state="confirmed")

    page = act(admin_client, "verify_again", row)

    asked = Verification.objects.get(state="pending")
    assert (asked.callback, asked.topic, asked.topic_as_sent) == (CALLBACK, TOPIC, TOPIC)
    assert (asked.mode, asked.lease_seconds) == ("subscribe", 7200)
    assert asked.encrypted_secret == row.encrypted_secret
    assert asked.published_version == 4  # Should it have ended by then, it goes on where it was.
    assert (asked.key, asked.callback_host) == (row.key, row.callback_host)
    assert "1 subscription: the callback is asked again" in page
    assert rung == ["verify_due"]


@pytest.mark.django_db(transaction=True)
def test_verify_again_leaves_a_request_of_the_subscriber_alone(admin_client, rung):
    row = make_subscription(callback=CALLBACK)
    make_verification(callback=CALLBACK, mode="unsubscribe")

    page = act(admin_client, "verify_again", row)

    assert Verification.objects.get().mode == "unsubscribe"
    assert "All of them wait for a verification already." in page


@pytest.mark.django_db(transaction=True)
def test_remove_asks_first_then_ends_the_subscription_and_has_its_callback_told(admin_client, rung):
    row, other = make_subscription(callback=CALLBACK), make_subscription()
    make_attempt(subscription=row)

    question = act(admin_client, "remove", row)
    assert "hooks.tern.example follows" in question
    assert "capability" not in question
    assert Subscription.objects.count() == 2

    page = act(admin_client, "remove", row, confirmed="yes")

    assert list(Subscription.objects.all()) == [other]
    assert Attempt.objects.get().subscription is None
    told = Verification.objects.get()
    assert (told.callback, told.topic_as_sent, told.mode) == (CALLBACK, TOPIC, "denied")
    assert told.reason == "An administrator of this hub removed the subscription."
    assert rung == ["verify_due"]
    assert "1 subscription: removed" in page
    assert "capability" not in LogEntry.objects.get().object_repr


@pytest.mark.django_db(transaction=True)
def test_removal_of_which_nobody_could_be_told_ends_nothing(monkeypatch):
    make_subscription()

    def fail(*args):
        raise OperationalError("gone")

    monkeypatch.setattr(denials, "put_down", fail)

    with pytest.raises(OperationalError):
        upkeep.remove(Subscription.objects.all())
    assert Subscription.objects.count() == 1


def test_denial_shows_what_the_callback_is_told_and_no_lease(admin_client):
    denials.put_down([make_subscription()], "No more of it.")
    row = Verification.objects.get()

    page = admin_client.get(reverse("admin:websub_verification_change", args=[row.pk]))

    text = page.content.decode()
    assert "No more of it." in text
    assert "0 ms" not in text


@pytest.mark.parametrize("action", ["remove", "verify_again"])
def test_an_action_takes_so_many_rows_and_no_more(admin_client, monkeypatch, action):
    monkeypatch.setattr("websub.admin.subscriptions.ACTED_ON", 2)
    rows = [make_subscription() for _ in range(3)]

    page = act(admin_client, action, *rows, confirmed="yes")

    assert "Choose at most 2 subscriptions at a time." in page
    assert Subscription.objects.count() == 3
    assert not Verification.objects.exists()


@pytest.mark.parametrize("key", ["abc", "1\x00", "9" * 30, "-1"])
def test_chosen_rows_that_cannot_exist_are_answered_like_a_bad_filter(admin_client, key):
    for action in ("retry_now", "verify_again", "remove"):
        answer = admin_client.post(SUBSCRIPTIONS, {"action": action, "_selected_action": key})
        assert (answer.status_code, answer["Location"]) == (302, f"{SUBSCRIPTIONS}?e=1")


def test_whoever_may_only_look_is_offered_no_action(client):
    user = User.objects.create_user("eve", password="correct horse battery", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="view_subscription"))
    client.force_login(user)
    row = make_subscription(next_attempt_at=NOW + dt.timedelta(hours=1))

    page = shown(client, SUBSCRIPTIONS)
    act(client, "retry_now", row)

    assert "Retry now" not in page
    assert Subscription.objects.get().next_attempt_at > NOW
