"""Rotation of SECRET_KEY with a fallback. The former key can be removed afterwards."""

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command

from mcp_server.sessions import SignedSessions
from tests.websub.rows import make_subscription, make_verification
from websub.models import Subscription, Verification
from websub.secrets import SecretLost, decrypt

FORMER, NEW = "former-" + "k" * 50, "new-" + "k" * 50

pytestmark = pytest.mark.django_db


@pytest.fixture
def keys(settings):
    def use(key, *fallbacks):
        settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = key, list(fallbacks)

    use(FORMER)
    return use


def secrets():
    stored = [
        model.objects.values_list("encrypted_secret", flat=True)
        for model in (Subscription, Verification)
    ]
    return [decrypt(secret) for column in stored for secret in column]


def is_signed_in(client):
    return client.get("/admin/").status_code == 200


@pytest.fixture
def signed_in(keys, client):
    user = get_user_model().objects.create_superuser("root", "root@example.com", "long enough")
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_administrator_stays_signed_in_after_key_removal(keys, signed_in):
    keys(NEW, FORMER)
    assert is_signed_in(signed_in)  # This signs the session with the new key.

    keys(NEW)
    assert is_signed_in(signed_in)


def test_mcp_session_is_valid_while_fallback_is_set(keys):
    sessions = SignedSessions()
    session = sessions.open("2025-11-25")

    keys(NEW, FORMER)
    assert sessions.revision(session) == "2025-11-25"

    keys(NEW)
    assert sessions.revision(session) is None


def test_secrets_are_encrypted_with_new_key(keys, capsys):
    make_subscription(secret="open sesame")
    make_subscription()
    make_verification(encrypted_secret=Subscription.objects.first().encrypted_secret)
    keys(NEW, FORMER)

    call_command("reencrypt_secrets")

    keys(NEW)
    assert sorted(secrets()) == ["", "open sesame", "open sesame"]
    assert capsys.readouterr().out == "2 secrets are encrypted again.\n"


def test_secret_of_lost_key_is_reported_and_others_are_rotated(keys):
    make_subscription(secret="open sesame")
    keys("other-" + "k" * 50)
    make_subscription(secret="close sesame")
    keys(NEW, FORMER)

    with pytest.raises(CommandError, match=r"^1 secrets cannot be read: add the key"):
        call_command("reencrypt_secrets")

    keys(NEW)
    with pytest.raises(SecretLost):
        secrets()
    assert decrypt(Subscription.objects.order_by("pk").first().encrypted_secret) == "open sesame"
