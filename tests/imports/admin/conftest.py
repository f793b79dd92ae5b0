import pytest
from django.contrib.auth.models import User
from django.test import Client


@pytest.fixture
def admin(db) -> Client:
    client = Client(enforce_csrf_checks=False)
    client.force_login(User.objects.create_superuser("root", password="x"))
    return client
