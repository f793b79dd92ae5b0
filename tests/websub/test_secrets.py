import pytest

from websub import secrets

OLD, NEW = "old-" + "k" * 50, "new-" + "k" * 50


def test_new_secrets_are_stored_under_the_current_key_alone(settings):
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = NEW, [OLD]
    stored = secrets.encrypt("open sesame")

    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = OLD, []
    with pytest.raises(secrets.SecretLost):
        secrets.decrypt(stored)

    settings.SECRET_KEY = NEW
    assert secrets.decrypt(stored) == "open sesame"
