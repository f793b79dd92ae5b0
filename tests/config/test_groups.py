"""The groups that come with an installation, as their members use the administration."""

import importlib

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, User
from django.test import Client

from reviews.models import DeletedReview, Review
from tests.administration import change_page, inputs, shown
from tests.factories import make_business, make_review, make_technician

pytestmark = pytest.mark.django_db

REVIEWS = "/admin/reviews/review/"


@pytest.fixture(autouse=True)
def groups():
    """As the migration creates them; tests of transactions empty the table."""
    Group.objects.all().delete()
    importlib.import_module("config.migrations.0001_groups").create_groups(apps, None)


def member_of(group: str) -> Client:
    user = User.objects.create_user(group.lower(), is_staff=True)
    user.groups.add(Group.objects.get(name=group))
    client = Client()
    client.force_login(user)
    return client


def act(client: Client, action: str, review: Review, **values: str):
    data = {"action": action, "_selected_action": [review.pk], "post": "yes"}
    return client.post(REVIEWS, data | values, follow=True)


def test_editor_does_the_daily_work():
    make_business()
    review = make_review()
    editor = member_of("Editor")

    form = inputs(editor.get(change_page(review)))
    editor.post(change_page(review), form | {"reply_text": "Thanks!", "reply_date": "2026-03-15"})
    act(editor, "hide", review, reason="spam")

    review.refresh_from_db()
    assert (review.reply_text, review.hidden_reason) == ("Thanks!", "spam")
    assert "Import reviews" in shown(editor.get("/admin/reviews/importbatch/add/"))
    assert editor.get("/admin/reviews/technician/add/").status_code == 200
    assert "Save" in shown(editor.get("/admin/reviews/business/1/change/"))
    assert editor.get("/admin/websub/subscription/").status_code == 200


def test_editor_neither_deletes_nor_forgets_nor_manages_users():
    review = make_review()
    editor = member_of("Editor")

    act(editor, "delete_selected", review)
    act(editor, "forget", review, reviews="keep")

    review.refresh_from_db()
    assert review.author == "Dana R."
    assert not DeletedReview.objects.exists()
    for page in ("auth/user/", "auth/group/"):
        assert editor.get(f"/admin/{page}").status_code == 403


def test_viewer_looks_and_changes_nothing():
    business, review, technician = make_business(), make_review(), make_technician()
    viewer = member_of("Viewer")

    for row in (business, review, technician):
        assert 'name="_save"' not in shown(viewer.get(change_page(row)))
        assert viewer.post(change_page(row), {"name": "x"}).status_code == 403
    act(viewer, "hide", review, reason="spam")
    assert Review.objects.filter(hidden=False).exists()
    assert viewer.get("/admin/reviews/importbatch/").status_code == 200
    assert viewer.get("/admin/reviews/importbatch/add/").status_code == 403
    for page in ("insights/taxonomy", "insights/insighttext", "websub/subscription"):
        assert viewer.get(f"/admin/{page}/", follow=True).status_code == 200


def test_group_that_a_superuser_has_changed_stays():
    group = Group.objects.get(name="Viewer")
    group.permissions.clear()

    importlib.import_module("config.migrations.0001_groups").create_groups(apps, None)

    assert not group.permissions.exists()
