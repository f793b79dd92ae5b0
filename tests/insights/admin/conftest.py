import pytest

from tests.factories import make_business


@pytest.fixture
def admin(admin_client):
    make_business()
    return admin_client
