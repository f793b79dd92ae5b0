"""The groups of a new installation, as their members use the administration."""

import importlib

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group, Permission, User
from django.test import Client

from reviews.models import DeletedReview, Review
from tests.administration import change_url, form_fields, navigation, page_html
from tests.factories import make_business, make_review, make_technician

pytestmark = pytest.mark.django_db

REVIEWS = "/admin/reviews/review/"


PASSWORD = "correct horse battery"
DAILY_WORK = [
    *("review", "savedanswer", "importbatch", "confirmedshape", "sourceconnection", "sourcerun"),
    *("insighttext", "reviewanalysis", "taxonomy"),
    *(
        "business",
        "technician",
        "service",
        "servicearea",
        "recipient",
        "deletedreview",
        "forgottenauthor",
    ),
]
OTHER_PAGES = (
    *("/admin/inbox/", "/admin/website/", "/admin/account/second-step/", "/admin/setup/"),
    "/admin/notifications/digest/",
)

# Permissions of pages that belonged to reviews when the migrations granted them.
IMPORTS = {
    "Viewer": ["view_importbatch", "view_confirmedshape"],
    "Editor": [
        *("view_importbatch", "view_confirmedshape"),
        *("add_importbatch", "delete_confirmedshape"),
    ],
}


def run_migration(name, function):
    getattr(importlib.import_module(f"config.migrations.{name}"), function)(apps, None)


def create_groups():
    run_migration("0001_groups", "create_groups")
    run_migration("0002_sources_for_groups", "allow")
    run_migration("0003_confirmed_shapes", "allow")
    run_migration("0004_roles", "set_up_roles")
    run_migration("0005_saved_answers", "allow")
    for role, codenames in IMPORTS.items():
        permissions = Permission.objects.filter(codename__in=codenames)
        Group.objects.get(name=role).permissions.add(*permissions)


@pytest.fixture(autouse=True)
def groups():
    """Create the groups as the migrations do. Transactional tests empty their table."""
    Group.objects.all().delete()
    create_groups()


def member_of(group: str) -> Client:
    user = User.objects.create_user(group.lower())
    user.groups.add(Group.objects.get(name=group))
    client = Client()
    client.force_login(user)
    return client


def make_user(admin_client: Client, name: str, role: str) -> None:
    add = "/admin/auth/user/add/"
    values = {"username": name, "password1": PASSWORD, "password2": PASSWORD, "role": role}
    values["email"] = ""
    sent = form_fields(admin_client.get(add)) | values
    assert set(sent) == {*values, "csrfmiddlewaretoken"}
    assert admin_client.post(add, sent).status_code == 302


def sign_in(name: str) -> Client:
    make_business()
    client = Client()
    credentials = {"username": name, "password": PASSWORD}
    assert client.post("/admin/login/?next=/admin/", credentials)["Location"] == "/admin/"
    return client


def listed(client: Client) -> list[str]:
    """Return the models in the navigation."""
    pages = [address for place in navigation(client).values() for address in place]
    return [page.split("/")[3] for page in pages if page not in OTHER_PAGES]


@pytest.mark.parametrize("role", ["Editor", "Viewer"])
def test_new_user_with_role_sees_daily_work_alone(admin_client, role):
    make_user(admin_client, "dana", str(Group.objects.get(name=role).pk))

    client = sign_in("dana")

    assert listed(client) == DAILY_WORK
    assert navigation(client)["Website"] == ["/admin/website/"]
    assert "Advanced" not in navigation(client)
    assert "hub-box" not in page_html(client.get("/admin/"))
    for model in admin.site._registry:
        address = f"/admin/{model._meta.label_lower.replace('.', '/')}/"
        allowed = model._meta.model_name in DAILY_WORK
        assert client.get(address, follow=True).status_code == (200 if allowed else 403), address


def test_changed_role_replaces_groups_and_permissions(admin_client):
    user = User.objects.create_user("dana")
    user.groups.set(Group.objects.all())
    user.user_permissions.add(Permission.objects.get(codename="view_attempt"))
    form = form_fields(admin_client.get(change_url(user)))

    assert "Unchanged: Editor and Viewer and own permissions" in page_html(
        admin_client.get(change_url(user))
    )
    admin_client.post(change_url(user), form)
    assert (user.groups.count(), user.user_permissions.count()) == (2, 1)

    viewer = Group.objects.get(name="Viewer")
    admin_client.post(change_url(user), form | {"role": str(viewer.pk)})
    assert (list(user.groups.all()), user.user_permissions.count()) == ([viewer], 0)

    admin_client.post(change_url(user), form | {"role": "administrator"})
    user.refresh_from_db()
    assert (user.is_superuser, user.is_staff, user.groups.count()) == (True, True, 0)

    admin_client.post(change_url(user), form | {"role": str(viewer.pk)})
    user.refresh_from_db()
    assert (user.is_superuser, list(user.groups.all())) == (False, [viewer])


def test_group_given_on_either_page_allows_sign_in():
    members = [User.objects.create_user(name) for name in ("dana", "eve")]
    User.objects.create_user("outsider")

    members[0].groups.add(Group.objects.get(name="Viewer"))
    Group.objects.get(name="Editor").user_set.add(members[1])

    assert set(User.objects.filter(is_staff=True)) == set(members)


def act(client: Client, action: str, review: Review, **values: str):
    data = {"action": action, "_selected_action": [review.pk], "post": "yes"}
    return client.post(REVIEWS, data | values, follow=True)


def test_editor_does_the_daily_work():
    make_business()
    review = make_review()
    editor = member_of("Editor")

    form = form_fields(editor.get(change_url(review)))
    editor.post(change_url(review), form | {"reply_text": "Thanks!", "reply_date": "2026-03-15"})
    act(editor, "hide", review, reason="spam")

    review.refresh_from_db()
    assert (review.reply_text, review.hidden_reason) == ("Thanks!", "spam")
    assert "Import reviews" in page_html(editor.get("/admin/imports/importbatch/add/"))
    assert editor.get("/admin/reviews/technician/add/").status_code == 200
    assert "Save" in page_html(editor.get("/admin/reviews/business/1/change/"))


def test_editor_cannot_delete_forget_or_manage_users():
    review = make_review()
    editor = member_of("Editor")

    act(editor, "delete_selected", review)
    act(editor, "forget", review, reviews="keep")

    review.refresh_from_db()
    assert review.author == "Dana R."
    assert not DeletedReview.objects.exists()
    for page in ("auth/user/", "auth/group/"):
        assert editor.get(f"/admin/{page}").status_code == 403


def test_viewer_changes_nothing():
    business, review, technician = make_business(), make_review(), make_technician()
    viewer = member_of("Viewer")

    for row in (business, review, technician):
        assert 'name="_save"' not in page_html(viewer.get(change_url(row)))
        assert viewer.post(change_url(row), {"name": "x"}).status_code == 403
    act(viewer, "hide", review, reason="spam")
    assert Review.objects.filter(hidden=False).exists()
    assert viewer.get("/admin/imports/importbatch/").status_code == 200
    assert viewer.get("/admin/imports/importbatch/add/").status_code == 403
    for page in ("insights/taxonomy", "insights/insighttext", "sources/sourceconnection"):
        assert viewer.get(f"/admin/{page}/", follow=True).status_code == 200
