"""Two-factor sign-in: authenticator apps, recovery codes, and the setting that requires it."""

import datetime as dt
import hmac
import re
import socket
import struct
import time
from base64 import b32decode

import pytest
from allauth.mfa.models import Authenticator
from axes.models import AccessFailureLog
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from tests.administration import page_html
from tests.sign_in.conftest import PASSWORD

pytestmark = pytest.mark.django_db

INDEX = "/admin/account/second-step/"
AUTHENTICATE = f"{INDEX}authenticate/"
ACTIVATE = f"{INDEX}totp/activate/"
CODES = f"{INDEX}recovery-codes/"


def code_of(secret):
    """Return the current code (RFC 6238)."""
    digest = hmac.digest(b32decode(secret), struct.pack(">Q", int(time.time()) // 30), "sha1")
    start = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[start : start + 4])[0] & 0x7FFFFFFF) % 10**6:06}"


def sign_in(client, path="/admin/", password=PASSWORD):
    return client.post(f"/admin/login/?next={path}", {"username": "owner", "password": password})


def set_up(client):
    """Set up an app and return its secret."""
    page = page_html(client.get(ACTIVATE))
    secret = re.search(r'value="([A-Z2-7]{32})"', page)[1]
    assert 'src="data:image/svg+xml;base64,' in page
    response = client.post(ACTIVATE, {"code": code_of(secret)})
    assert (response.status_code, response["Location"]) == (302, CODES)
    return secret


def recovery_codes(client):
    return re.findall(r"\b\d{8}\b", page_html(client.get(CODES)))


@pytest.fixture
def secret(client, owner, clock):
    """Set up an app for the owner, sign out, and return its secret."""
    sign_in(client)
    secret = set_up(client)
    client.logout()
    clock.shift(60)
    return secret


def test_code_is_asked_for_after_password_and_opens_page(client, secret):
    first = sign_in(client, "/admin/auth/user/")

    assert (first.status_code, first["Location"]) == (302, AUTHENTICATE)
    assert client.get("/admin/")["Location"] == "/admin/login/?next=/admin/"
    assert "Enter the code that your authenticator app shows" in page_html(client.get(AUTHENTICATE))
    second = client.post(AUTHENTICATE, {"code": code_of(secret)})
    assert (second.status_code, second["Location"]) == (302, "/admin/auth/user/")
    assert client.get("/admin/auth/user/").status_code == 200


def test_code_is_valid_once(client, secret):
    code = code_of(secret)
    sign_in(client)
    client.post(AUTHENTICATE, {"code": code})
    other = Client()
    sign_in(other)

    page = page_html(other.post(AUTHENTICATE, {"code": code}))

    assert "Incorrect code." in page
    assert other.get("/admin/").status_code == 302


@pytest.mark.django_db(transaction=True)  # The code is used up after the commit.
def test_code_used_for_set_up_does_not_sign_in(client, owner, clock):
    sign_in(client)
    secret = set_up(client)
    other = Client()
    sign_in(other)

    page = page_html(other.post(AUTHENTICATE, {"code": code_of(secret)}))

    assert "Incorrect code." in page
    assert other.get("/admin/").status_code == 302


def test_recovery_code_is_valid_once(client, owner, clock):
    sign_in(client)
    set_up(client)
    codes = recovery_codes(client)
    assert len(set(codes)) == 10
    client.logout()

    sign_in(client)
    assert client.post(AUTHENTICATE, {"code": codes[3]})["Location"] == "/admin/"
    client.logout()
    sign_in(client)
    assert "Incorrect code." in page_html(client.post(AUTHENTICATE, {"code": codes[3]}))


def test_wrong_codes_count_and_are_logged_like_wrong_passwords(client, secret, caplog):
    sign_in(client)
    statuses = [client.post(AUTHENTICATE, {"code": "000000"}).status_code for _ in range(5)]

    assert statuses == [200, 200, 200, 200, 429]
    assert sign_in(client).status_code == 429
    assert AccessFailureLog.objects.filter(username="owner").count() == 5
    lines = [record.getMessage() for record in caplog.records if record.name == "sign_in"]
    assert lines[0] == "Failed sign-in from 127.0.0.1 as 'owner': wrong code"


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"code": ""},
        {"code": "\x00"},
        {"code": "٣" * 6},
        {"credential": "{"},
        {"credential": "{}"},
        {"credential": '{"rawId": 1}'},
        {"credential": "[]"},
        {"credential": '{"id": "x", "rawId": "eA", "type": "public-key", "response": {}}'},
    ],
)
def test_second_factor_accepts_any_input(client, secret, values):
    sign_in(client)

    assert client.post(AUTHENTICATE, values).status_code == 200
    assert client.get("/admin/").status_code == 302


def test_codes_are_refused_while_cache_fails(client, secret, settings, caplog):
    sign_in(client)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"redis://127.0.0.1:{closed.getsockname()[1]}"
        backend = "django.core.cache.backends.redis.RedisCache"
        settings.CACHES = {"default": {"BACKEND": backend, "LOCATION": address}}
        response = client.post(AUTHENTICATE, {"code": code_of(secret)})

    assert "does not reach its Redis" in page_html(response, 503)
    assert response["Retry-After"] == "5"
    assert client.get("/admin/").status_code == 302
    assert "No code can be checked, since the shared cache fails" in caplog.text


def test_pending_sign_in_expires_after_quarter_of_an_hour(client, secret, clock):
    sign_in(client)
    clock.shift(dt.timedelta(minutes=16))

    assert client.post(AUTHENTICATE, {"code": code_of(secret)})["Location"] == "/admin/login/"


def test_changing_second_factor_requires_password(client, owner, clock):
    sign_in(client)
    clock.shift(dt.timedelta(minutes=6))

    first = client.get(ACTIVATE)
    assert first["Location"] == f"/admin/account/confirm/?next={ACTIVATE.replace('/', '%2F')}"
    assert "Enter your password" in page_html(client.get(first["Location"]))
    assert "Incorrect password." in page_html(client.post(first["Location"], {"password": "wrong"}))
    second = client.post(first["Location"], {"password": PASSWORD})
    assert (second.status_code, second["Location"]) == (302, ACTIVATE)
    set_up(client)


def test_removing_second_factor_ends_other_sessions(client, secret, clock):
    phone = Client()
    for each in (phone, client):
        sign_in(each)
        each.post(AUTHENTICATE, {"code": code_of(secret)})
        clock.shift(60)
    assert phone.get("/admin/").status_code == 200

    client.post(f"{INDEX}totp/deactivate/")

    assert phone.get("/admin/").status_code == 302
    assert client.get("/admin/").status_code == 200


@pytest.fixture
def demanded(settings):
    settings.ADMIN_REQUIRE_SECOND_FACTOR = True


@pytest.mark.parametrize(
    "path",
    [
        "/admin/",
        "/admin/auth/user/",
        "/admin/reviews/review/",
        "/admin/password_change/",
        "/admin/jsi18n/",
        "/admin/nothing/",
    ],
)
def test_user_without_second_factor_is_sent_to_set_up(client, owner, demanded, clock, path):
    sign_in(client)

    for response in (client.get(path), client.post(path)):
        assert (response.status_code, response["Location"]) == (302, INDEX)
    assert "Set up a second step first." in page_html(client.get(INDEX))


def test_secrets_are_encrypted_at_rest_and_reencrypted(client, secret, settings, capsys):
    stored = {row.type: row.data for row in Authenticator.objects.all()}
    assert secret not in str(stored)
    former = settings.SECRET_KEY
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another key " * 5, [former]
    call_command("reencrypt_secrets")
    assert "2 secrets are encrypted again." in capsys.readouterr().out
    settings.SECRET_KEY_FALLBACKS = []

    sign_in(client)
    assert client.post(AUTHENTICATE, {"code": code_of(secret)})["Location"] == "/admin/"


def test_lost_secret_refuses_sign_in_and_is_explained(client, secret, settings, caplog):
    settings.SECRET_KEY = "another key " * 5
    sign_in(client)

    assert "Incorrect code." in page_html(client.post(AUTHENTICATE, {"code": code_of(secret)}))
    assert "run `manage.py reset_second_factor`" in caplog.text
    with pytest.raises(CommandError, match=r"2 secrets cannot be read.*reset_second_factor"):
        call_command("reencrypt_secrets")


def test_command_removes_second_factor_and_ends_sessions(client, secret, capsys):
    sign_in(client)
    client.post(AUTHENTICATE, {"code": code_of(secret)})
    call_command("reset_second_factor", "owner")

    assert "'owner' signs in with the password alone now." in capsys.readouterr().out
    assert client.get("/admin/").status_code == 302
    assert sign_in(client)["Location"] == "/admin/"
    with pytest.raises(CommandError, match="has no second step"):
        call_command("reset_second_factor", "owner")
    with pytest.raises(CommandError, match="There is no user 'nobody'"):
        call_command("reset_second_factor", "nobody")


def test_viewer_of_users_cannot_remove_second_factor(client, secret, owner):
    from django.contrib.auth.models import Permission

    staff = User.objects.create_user("staff", is_staff=True)
    staff.user_permissions.set(Permission.objects.filter(content_type__app_label="auth"))
    client.force_login(staff)

    client.post(
        "/admin/auth/user/", {"action": "remove_second_step", "_selected_action": [owner.pk]}
    )

    assert Authenticator.objects.filter(user=owner).exists()
