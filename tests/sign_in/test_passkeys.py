"""Passkeys in a real browser, with a virtual authenticator."""

import re
from urllib.parse import urlsplit

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User

from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

PASSWORD = "moss under nine lanterns"
INDEX = "/admin/account/second-step/"


@pytest.fixture(scope="module")
def chromium(chromium):
    chromium.send("WebAuthn.enable")
    chromium.send(
        "WebAuthn.addVirtualAuthenticator",
        options={
            "protocol": "ctap2",
            "transport": "internal",
            "hasResidentKey": True,
            "hasUserVerification": True,
            "isUserVerified": True,
        },
    )
    return chromium


@pytest.fixture
def site(live_server, settings):
    """Start a server at http://localhost, where browsers support passkeys."""
    settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME = "sessionid", "csrftoken"
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = False
    User.objects.create_superuser("owner", password=PASSWORD)
    return live_server.url


def path(chromium):
    return urlsplit(chromium.ask("location.href")).path


def wait_for(chromium, wanted):
    wait_until(
        lambda: path(chromium) == wanted and chromium.ask("document.readyState") == "complete"
    )


def sign_in(chromium, site):
    chromium.open(f"{site}/admin/login/?next=/admin/auth/user/", 1280)
    fill = f"id_username.value = 'owner'; id_password.value = '{PASSWORD}'; "
    chromium.ask(f"{fill} document.querySelector('#login-form').submit()")


def test_passkey_is_added_and_signs_in(chromium, site):
    sign_in(chromium, site)
    wait_for(chromium, "/admin/auth/user/")
    chromium.open(f"{site}{INDEX}webauthn/add/", 1280)
    chromium.ask("id_name.value = 'My phone'; mfa_webauthn_add.click()")
    wait_for(chromium, f"{INDEX}recovery-codes/")
    assert (
        len(
            re.findall(r"\b\d{8}\b", chromium.ask("document.body.innerText + recovery_codes.value"))
        )
        == 10
    )
    factors = Authenticator.objects.filter(type=Authenticator.Type.WEBAUTHN)
    assert [factor.wrap().name for factor in factors] == ["My phone"]

    chromium.send("Network.clearBrowserCookies")
    sign_in(chromium, site)
    wait_for(chromium, f"{INDEX}authenticate/")
    chromium.ask("mfa_webauthn_authenticate.click()")
    wait_for(chromium, "/admin/auth/user/")

    assert factors.get().last_used_at is not None
    key = factors.get().pk
    for page in ("", f"keys/{key}/edit/", f"keys/{key}/remove/"):
        chromium.open(f"{site}{INDEX}webauthn/{page}", 390)
        assert "My phone" in chromium.ask("document.body.innerText + (window.id_name?.value ?? '')")
        assert chromium.ask("document.documentElement.scrollWidth - innerWidth") <= 0, page
    chromium.ask("document.querySelector('.sign-in-form').submit()")
    wait_for(chromium, f"{INDEX}webauthn/")
    assert not Authenticator.objects.exists()
