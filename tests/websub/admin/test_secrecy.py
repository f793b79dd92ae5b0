"""Secrets and callbacks of the hub that pages keep from most users."""

import pytest

from tests.administration import change_page
from tests.websub.admin.pages import (
    ATTEMPTS,
    CALLBACK,
    LISTS,
    SUBSCRIPTIONS,
    VERIFICATIONS,
    shown,
)
from tests.websub.rows import TOPIC, make_attempt, make_subscription, make_verification
from websub.models import Attempt, Subscription, Verification

pytestmark = pytest.mark.django_db


def test_lists_never_show_more_of_a_callback_than_its_host(admin_client):
    row = make_subscription(callback=CALLBACK)
    make_attempt(subscription=row)
    make_verification(callback=CALLBACK)

    for address in LISTS:
        page = shown(admin_client, address)
        assert "hooks.tern.example" in page
        assert "capability" not in page
        assert "/receive/path" not in page


def test_only_superusers_see_a_callback_and_no_page_shows_a_secret(admin_client, client, staff):
    rows = [
        make_subscription(callback=CALLBACK, secret="shared secret"),
        make_verification(callback=CALLBACK, encrypted_secret="gAAAA-stored"),
    ]

    for row in rows:
        by_staff = shown(staff, change_page(row))
        by_superuser = shown(admin_client, change_page(row))
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
def test_callbacks_and_secrets_cannot_be_guessed_by_filters(staff, address, lookup):
    make_attempt(subscription=make_subscription(callback=CALLBACK))

    assert staff.get(address, {lookup: "capability"}).status_code == 400


@pytest.mark.parametrize("address", LISTS)
def test_nothing_can_be_added_changed_or_deleted_by_a_form(admin_client, address):
    make_attempt(subscription=make_subscription(callback=CALLBACK))
    make_verification(callback=CALLBACK)
    model = {SUBSCRIPTIONS: Subscription, ATTEMPTS: Attempt, VERIFICATIONS: Verification}[address]
    row = model.objects.get()

    assert admin_client.get(f"{address}add/").status_code == 403
    assert admin_client.post(change_page(row), {"topic": "x"}).status_code == 403
    assert admin_client.post(f"{address}{row.pk}/delete/", {"post": "yes"}).status_code == 403
    assert model.objects.get().topic == TOPIC
