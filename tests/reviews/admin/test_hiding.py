"""Hiding of reviews with a reason, and the public counts of hidden reviews."""

import json

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.test import Client

from reviews.documents import build
from reviews.models import Review
from reviews.models.review import HiddenReason
from reviews.services import hide
from tests.administration import assert_refused, change_url, form_fields, page_html
from tests.factories import make_business, make_review

pytestmark = pytest.mark.django_db

REVIEWS = "/admin/reviews/review/"


def act(client, reviews, **values):
    chosen = {"action": "hide", "_selected_action": [review.pk for review in reviews]}
    return client.post(REVIEWS, chosen | values, follow=True)


def test_bulk_hiding_asks_for_one_reason_and_is_logged(admin_client, admin_user):
    reviews = [make_review(), make_review()]

    page = page_html(act(admin_client, reviews))
    assert "Hide 2 reviews" in page
    assert not Review.objects.filter(hidden=True).exists()

    assert "Say why these reviews are hidden." in page_html(act(admin_client, reviews, post="yes"))
    done = act(admin_client, reviews, post="yes", reason="legal_request")

    assert "2 reviews are hidden now." in page_html(done)
    for review in Review.objects.all():
        assert (review.hidden_reason, review.hidden_by) == ("legal_request", admin_user)
        assert review.hidden_at
    messages = LogEntry.objects.values_list("change_message", flat=True)
    assert [*messages] == ["Hidden: legal request."] * 2


def test_review_form_asks_for_reason(admin_client, admin_user):
    review = make_review()
    form = form_fields(admin_client.get(change_url(review)))

    assert_refused(
        admin_client.post(change_url(review), form | {"hidden": "on"}),
        "Say why this review is hidden.",
    )
    admin_client.post(change_url(review), form | {"hidden": "on", "hidden_reason": "spam"})

    review.refresh_from_db()
    assert (review.hidden, review.hidden_reason) == (True, "spam")
    assert review.hidden_by == admin_user
    assert "by admin" in page_html(admin_client.get(change_url(review)))

    form = form_fields(admin_client.get(change_url(review)))
    admin_client.post(change_url(review), form | {"hidden_reason": "duplicate"})
    review.refresh_from_db()
    assert review.hidden_reason == "duplicate"

    form = form_fields(admin_client.get(change_url(review)))
    admin_client.post(change_url(review), {k: v for k, v in form.items() if k != "hidden"})
    review.refresh_from_db()
    assert (review.hidden, review.hidden_reason, review.hidden_at) == (False, None, None)


def test_hiding_requires_separate_permission():
    review = make_review()
    staff = User.objects.create_user("staff", is_staff=True)
    for name in ("view_review", "change_review"):
        staff.user_permissions.add(Permission.objects.get(codename=name))
    client = Client()
    client.force_login(staff)

    act(client, [review], post="yes", reason="spam")
    form = form_fields(client.get(change_url(review)))
    client.post(change_url(review), form | {"hidden": "on", "hidden_reason": "spam"})
    assert not Review.objects.filter(hidden=True).exists()

    staff.user_permissions.add(Permission.objects.get(codename="hide_review"))
    act(client, [review], post="yes", reason="spam")
    assert Review.objects.get().hidden_by == staff


def test_withheld_reviews_are_counted_by_reason(admin_client):
    make_business()
    first, second, third, _ = (make_review() for _ in range(4))
    hide(Review.objects.filter(pk__in=[first.pk, second.pk]), reason="spam")
    hide(Review.objects.filter(pk=third.pk), reason="personal_data")

    counted = json.loads(build(first.created_at))["business"]["withheld"]

    assert counted["total"] == 3
    assert list(counted["by_reason"]) == HiddenReason.values
    assert {k: v for k, v in counted["by_reason"].items() if v} == {"spam": 2, "personal_data": 1}


@pytest.mark.parametrize("address", ["/reviews", "/", "/llms.txt"])
def test_pages_show_counts_of_withheld_reviews_by_reason(client, address):
    make_business()
    first, second, third = (make_review() for _ in range(3))
    assert "withheld" not in page_html(client.get(address))

    hide(Review.objects.filter(pk=first.pk), reason="spam")
    assert "withheld: spam or fake (1)." in page_html(client.get(address))
    hide(Review.objects.filter(pk=second.pk), reason="spam")
    hide(Review.objects.filter(pk=third.pk), reason="legal_request")
    assert "withheld: spam or fake (2), legal request (1)." in page_html(client.get(address))
