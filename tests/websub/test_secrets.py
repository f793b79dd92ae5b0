import pytest
from hypothesis import given
from hypothesis import strategies as st

from websub import secrets

OLD, NEW = "old-" + "k" * 50, "new-" + "k" * 50


@given(st.text(min_size=1, max_size=199))
def test_a_secret_comes_back_as_it_was(secret):
    assert secrets.decrypt(secrets.encrypt(secret)) == secret


def test_new_secrets_are_stored_under_the_current_key_alone(settings):
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = NEW, [OLD]
    stored = secrets.encrypt("open sesame")

    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = OLD, []
    with pytest.raises(secrets.SecretLost):
        secrets.decrypt(stored)

    settings.SECRET_KEY = NEW
    assert secrets.decrypt(stored) == "open sesame"


@pytest.mark.parametrize("stored", ["rubbish", "gAAAAA", "\u00e9", "=" * 100, "open sesame"])
def test_anything_else_in_the_column_is_a_lost_secret_and_not_a_crash(stored):
    with pytest.raises(secrets.SecretLost):
        secrets.decrypt(stored)
