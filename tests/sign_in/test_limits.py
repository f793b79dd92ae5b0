"""Limits of sign-ins per network and account, recorded failures, and new passwords."""

import datetime as dt

import pytest
import time_machine
from axes.models import AccessAttempt, AccessFailureLog
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.test import Client

from sign_in import tasks
from tests.administration import page_html
from tests.factories import make_business
from tests.sign_in.conftest import PASSWORD

pytestmark = pytest.mark.django_db

NEW = "four words nobody guesses"
NOON = "2026-03-14T12:00:18Z"  # 42 seconds before the minute ends.


def sign_in(client, password="wrong", address="203.0.113.7", name="owner", **headers):
    return client.post(
        "/admin/login/?next=/admin/",
        {"username": name, "password": password},
        REMOTE_ADDR=address,
        headers=headers,
    )


def guess_from_many_networks(client, times, name="owner"):
    return [
        sign_in(client, address=f"198.51.{number // 250}.{number % 250 + 1}", name=name).status_code
        for number in range(times)
    ]


def test_network_is_limited_for_all_user_names(client, settings, monkeypatch):
    settings.RATE_LIMITS = {"sign_in": (3, 60)}
    with time_machine.travel(NOON, tick=False):
        statuses = [
            sign_in(client, name=f"name-{n}", address=f"2001:db8:1:2::{n + 1}").status_code
            for n in range(4)
        ]
        refused = sign_in(client, name="another", address="2001:db8:1:2:ffff::1")
        elsewhere = sign_in(client, name="another", address="2001:db8:1:3::1")

    assert statuses == [200, 200, 200, 429]
    assert "Too many sign-ins from your network. Please try again in 42 seconds." in page_html(
        refused, 429
    )
    assert refused["Retry-After"] == "42"
    assert elsewhere.status_code == 200


def test_refused_sign_in_checks_no_password(client, settings, monkeypatch):
    def check(*_):
        raise AssertionError("The password was hashed.")

    settings.RATE_LIMITS = {"sign_in": (1, 60)}
    with time_machine.travel(NOON, tick=False):
        sign_in(client)
        monkeypatch.setattr("django.contrib.auth.backends.ModelBackend.authenticate", check)
        assert sign_in(client).status_code == 429


@pytest.mark.parametrize("network", ["203.0.113.7", "2001:db8:1:2:{}"])
def test_five_wrong_passwords_lock_account_for_network(client, owner, network):
    with time_machine.travel(NOON, tick=False) as clock:
        wrong = [sign_in(client, address=network.format(f":{n}")).status_code for n in range(1, 6)]
        assert wrong == [200, 200, 200, 200, 429]

        right = sign_in(client, PASSWORD, address=network.format("abcd::9"))
        assert right["Retry-After"] == "900"
        assert "this account is locked for 15 minutes" in page_html(right, 429)
        elsewhere = sign_in(Client(), PASSWORD, address="2001:db8:1:3::9")
        assert (elsewhere.status_code, elsewhere["Location"]) == (302, "/admin/")

        clock.shift(dt.timedelta(minutes=16))
        assert sign_in(client, PASSWORD, address=network.format("abcd::9")).status_code == 302


def change_password(client, old):
    form = {"old_password": old, "new_password1": NEW, "new_password2": NEW}
    return client.post("/admin/password_change/", form, REMOTE_ADDR="203.0.113.7")


def test_wrong_old_passwords_count_as_failed_sign_ins(client, owner, caplog):
    client.force_login(owner)
    for _ in range(4):
        assert "entered incorrectly" in page_html(change_password(client, "wrong"))

    assert AccessFailureLog.objects.filter(username="owner").count() == 4
    assert caplog.text.count("Failed sign-in from 203.0.113.7 as 'owner': wrong password") == 4
    assert NEW not in "".join(map(str, AccessAttempt.objects.values_list()))
    assert change_password(client, "wrong").status_code == 429
    assert change_password(client, PASSWORD).status_code == 429
    assert sign_in(client, PASSWORD).status_code == 429
    owner.refresh_from_db()
    assert owner.check_password(PASSWORD)


def test_correct_old_password_changes_it_and_keeps_session(client, owner):
    client.force_login(owner)
    page = page_html(client.get("/admin/password_change/"))
    assert "Old password" in page
    assert "Log out" in page

    changed = change_password(client, PASSWORD)

    assert (changed.status_code, changed.url) == (302, "/admin/password_change/done/")
    owner.refresh_from_db()
    assert owner.check_password(NEW)
    assert client.get("/admin/").status_code == 200


@pytest.mark.slow
def test_hundred_failures_an_hour_lock_account_for_unknown_networks(client, owner):
    with time_machine.travel(NOON, tick=False) as clock:
        assert guess_from_many_networks(client, 100) == [200] * 100

        refused = sign_in(client, PASSWORD, address="192.0.2.200")
        assert "There were 100 wrong passwords for this account" in page_html(refused, 429)
        assert refused["Retry-After"] == "3600"
        assert sign_in(client, name="another", address="192.0.2.201").status_code == 200
        assert AccessFailureLog.objects.filter(username="owner").count() == 100

        clock.shift(dt.timedelta(minutes=61))
        assert sign_in(client, PASSWORD, address="192.0.2.200").status_code == 302


@pytest.mark.slow
def test_owner_signs_in_from_known_network_during_attack(client, owner):
    with time_machine.travel(NOON, tick=False) as clock:
        assert sign_in(client, PASSWORD, address="2001:db8:7:7::1").status_code == 302
        clock.shift(dt.timedelta(days=29))
        guess_from_many_networks(client, 101)

        assert sign_in(client, PASSWORD, address="2001:db8:7:7::2").status_code == 302


def test_front_page_shows_failed_sign_ins(client, owner):
    User.objects.create_user("viewer", is_staff=True)
    guess_from_many_networks(client, 23)
    guess_from_many_networks(client, 30, name="nobody-here")

    client.force_login(owner)
    page = page_html(client.get("/admin/"))
    assert "23 sign-ins as owner failed in the last 7 days" in page
    link = '<a href="/admin/axes/accessfailurelog/?q=owner">See the failed sign-ins</a>'
    assert link in page
    assert "23 access failures" in page_html(client.get("/admin/axes/accessfailurelog/?q=owner"))
    assert "nobody-here" not in page
    client.force_login(User.objects.get(username="viewer"))
    assert "failed in the last 7 days" not in page_html(client.get("/admin/"))


def test_only_newest_failures_are_kept(monkeypatch):
    monkeypatch.setattr(tasks, "FAILURES_KEPT", 3)
    for number in range(5):
        AccessFailureLog.objects.create(username=f"name-{number}", ip_address="192.0.2.1")

    tasks.purge_logins()

    names = AccessFailureLog.objects.order_by("pk").values_list("username", flat=True)
    assert list(names) == ["name-2", "name-3", "name-4"]


@pytest.mark.parametrize(
    ("password", "reason"),
    [
        ("elevenchars", "too short. It must contain at least 12 characters"),
        ("928374651029", "entirely numeric"),
        ("qwerty123456", "too common"),
        ("Password2026!", "too common"),
        ("!!P@ssw0rd!!!2", "too common"),
        ("monkeymonkey", "repeats the same few characters|too common"),
        ("footballfootball", "too common"),
        ("qwertyuiopas", "too common"),
        ("password1word", "too common"),
        ("mypassword12ab", "too common"),
        ("xyPassw0rd7q", "too common"),
        ("abababababab", "repeats the same few characters"),
    ],
)
def test_short_and_common_passwords_are_refused(password, reason):
    with pytest.raises(ValidationError, match=reason):
        validate_password(password)


@pytest.mark.parametrize(
    "password", ["Alder & Oak Plumbing 24", "alder&oakplumbing", "xAlder&OakPlumbing!"]
)
def test_name_of_business_is_refused_as_password(password):
    make_business(name="Alder & Oak Plumbing")

    with pytest.raises(ValidationError, match="the name of the business"):
        validate_password(password)
