"""The hub at a fixed time, and its administrators."""

import pytest
import time_machine
from django.contrib.auth.models import Permission, User

from tests.websub.admin.pages import NOW


@pytest.fixture(autouse=True)
def noon():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def staff(client):
    """Sign in a user with all permissions on the hub, but not a superuser."""
    user = User.objects.create_user("dana", password="correct horse battery", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(content_type__app_label="websub"))
    client.force_login(user)
    return client
