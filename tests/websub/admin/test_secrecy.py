"""Secrets and callbacks of the hub that pages hide from most users."""

import pytest

from tests.administration import change_url
from tests.websub.admin.pages import (
    ATTEMPTS,
    CALLBACK,
    LISTS,
    SUBSCRIPTIONS,
    VERIFICATIONS,
    hub_page_html,
)
from tests.websub.rows import TOPIC, make_attempt, make_subscription, make_verification
from websub.models import Attempt, Subscription, Verification

pytestmark = pytest.mark.django_db


def test_lists_show_only_host_of_callback(admin_client):
    row = make_subscription(callback=CALLBACK)
    make_attempt(subscription=row)
    make_verification(callback=CALLBACK)

    for address in LISTS:
        page = hub_page_html(admin_client, address)
        assert "hooks.tern.example" in page
        assert "capability" not in page
        assert "/receive/path" not in page


def test_only_superusers_see_callbacks_and_secrets_are_never_shown(admin_client, client, staff):
    rows = [
        make_subscription(callback=CALLBACK, secret="shared secret"),
        make_verification(callback=CALLBACK, encrypted_secret="gAAAA-stored"),
    ]

    for row in rows:
        by_staff = hub_page_html(staff, change_url(row))
        by_superuser = hub_page_html(admin_client, change_url(row))
        assert CALLBACK in by_superuser
        assert "capability" not in by_staff
        assert "hooks.tern.example" in by_staff
        for page in (by_staff, by_superuser):
            assert row.encrypted_secret not in page
            assert "shared secret" not in page


@pytest.mark.parametrize("address", LISTS)
@pytest.mark.parametrize(
    "lookup",
    ["callback__contains", "encrypted_secret__startswith", "subscription__callback", "key"],
)
def test_filters_do_not_reveal_callbacks_or_secrets(staff, address, lookup):
    make_attempt(subscription=make_subscription(callback=CALLBACK))

    assert staff.get(address, {lookup: "capability"}).status_code == 400


@pytest.mark.parametrize("address", LISTS)
def test_forms_add_change_and_delete_nothing(admin_client, address):
    make_attempt(subscription=make_subscription(callback=CALLBACK))
    make_verification(callback=CALLBACK)
    model = {SUBSCRIPTIONS: Subscription, ATTEMPTS: Attempt, VERIFICATIONS: Verification}[address]
    row = model.objects.get()

    assert admin_client.get(f"{address}add/").status_code == 403
    assert admin_client.post(change_url(row), {"topic": "x"}).status_code == 403
    assert admin_client.post(f"{address}{row.pk}/delete/", {"post": "yes"}).status_code == 403
    assert model.objects.get().topic == TOPIC
