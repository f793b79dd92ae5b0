"""The owner who signs in, and a clock."""

import pytest
import time_machine
from django.contrib.auth.models import User

from tests.factories import make_business

PASSWORD = "moss under nine lanterns"


@pytest.fixture
def owner():
    make_business()  # Without a business the sign-in leads to the setup.
    return User.objects.create_superuser("owner", password=PASSWORD)


@pytest.fixture
def clock():
    with time_machine.travel("2026-03-14T12:00:05Z", tick=False) as clock:
        yield clock
