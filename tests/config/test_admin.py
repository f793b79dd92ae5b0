"""The administration as a whole: its front page, its lists and its access."""

import re

import pytest
from django.contrib.admin import site
from django.contrib.auth.models import Group, Permission, User

from tests.administration import navigation, page_html
from tests.factories import make_review

pytestmark = pytest.mark.django_db

LABELS = sorted(model._meta.label for model in site._registry)
SIX = ("Inbox", "Import", "Sources", "Website", "Insights", "Settings")
PASSWORD = "correct horse battery"


def test_navigation_has_six_entries_and_advanced_tables_for_superusers(admin_client):
    page = page_html(admin_client.get("/admin/sources/sourcerun/"))

    names = re.findall(
        r'<a href="([^"]+)"[^>]*>(\w+)</a>', page.split('<nav class="places"')[1].split("</nav>")[0]
    )
    assert [name for _, name in names] == [*SIX, "Advanced"]
    assert [*navigation(admin_client)] == [*SIX, "Advanced"]
    assert 'href="/admin/sources/sourceconnection/" aria-current="true">Sources</a>' in page
    assert 'href="/admin/sources/sourcerun/" aria-current="page"' in page
    listed = {address for pages in navigation(admin_client).values() for address in pages}
    models = {f"/admin/{model._meta.label_lower.replace('.', '/')}/" for model in site._registry}
    assert models <= listed
    assert admin_client.get("/admin/").status_code == 200


def test_search_in_popup_stays_in_popup(admin_client):
    page = page_html(admin_client.get("/admin/auth/user/?_popup=1&q=nobody"))

    assert '(<a href="?_popup=1">Show all</a>)' in page


@pytest.mark.parametrize(
    ("page", "values"),
    [
        ("user/{boss}/password/", {"password1": PASSWORD + "!", "password2": PASSWORD + "!"}),
        ("user/{boss}/change/", {"username": "boss", "is_active": ""}),
        ("user/{staff}/change/", {"username": "staff", "is_superuser": "on"}),
        ("user/{boss}/delete/", {"post": "yes"}),
        ("user/add/", {"username": "new", "password1": PASSWORD, "password2": PASSWORD}),
        ("group/add/", {"name": "everything"}),
    ],
)
def test_only_superusers_create_superusers(client, page, values):
    boss = User.objects.create_superuser("boss", password=PASSWORD)
    staff = User.objects.create_user("staff", password=PASSWORD, is_staff=True)
    staff.user_permissions.set(Permission.objects.filter(content_type__app_label="auth"))
    client.force_login(staff)

    response = client.post("/admin/auth/" + page.format(boss=boss.pk, staff=staff.pk), values)

    assert response.status_code == 403
    assert client.get("/admin/auth/user/").status_code == 200
    assert "Administrator" in page_html(client.get(f"/admin/auth/user/{boss.pk}/change/"))
    assert [user.username for user in User.objects.filter(is_superuser=True)] == ["boss"]
    assert User.objects.get(username="boss").check_password(PASSWORD)


@pytest.mark.parametrize("label", LABELS)
def test_lists_accept_no_regular_expression(admin_client, label):
    place = label.lower().replace(".", "/")

    assert admin_client.get(f"/admin/{place}/?pk__iregex=.").status_code == 400


@pytest.mark.parametrize("model", ["reviews/review", "imports/importbatch", "auth/user"])
@pytest.mark.parametrize(
    "query",
    [
        "q=%00", "q=" + "+a" * 1_200, "x%00=1", "rating=%00", "source=%27%3B", "o=a.b", "e=1",
        "p=999999999999999999999", "id__exact=" + "9" * 30, "date__year=99999",
        "date_joined__year=99999", "created_at__year=99999",
    ],
)  # fmt: skip
def test_list_accepts_any_parameter(admin_client, model, query):
    make_review()

    response = admin_client.get(f"/admin/{model}/?{query}", follow=True)

    assert response.status_code == 200


@pytest.mark.parametrize("key", ["1\x00", "9" * 30])
def test_impossible_selected_row_is_handled_like_bad_filter(admin_client, key):
    for label in LABELS:
        address = f"/admin/{label.lower().replace('.', '/')}/"
        for action in ("delete_selected", "remove_second_step", "cleanup_expired_attempts"):
            selected = {"action": action, "_selected_action": key}

            response = admin_client.post(address, selected)

            assert (response.status_code, response["Location"]) == (302, f"{address}?e=1")


@pytest.mark.parametrize("key", ["abc", "9" * 30, "1%00"])
def test_url_of_impossible_row_is_not_an_error(admin_client, key):
    for label in LABELS:
        for page in ("change", "delete", "history"):
            address = f"/admin/{label.lower().replace('.', '/')}/{key}/{page}/"

            assert admin_client.get(address).status_code in {302, 403, 404}, address


def test_number_above_all_keys_is_refused_in_form(admin_client):
    values = {"name": "Night shift", "permissions": ["9" * 30]}

    # PostgreSQL compares with any number, so the form refuses it there.
    assert admin_client.post("/admin/auth/group/add/", values).status_code in {200, 400}
    assert not Group.objects.filter(name="Night shift").exists()


@pytest.mark.parametrize("key", ["abc", "1\x00", "-1"])
@pytest.mark.parametrize(
    ("address", "field"),
    [
        ("/admin/auth/group/add/", "permissions"),
        ("/admin/auth/user/add/", "role"),
        ("/admin/auth/user/{user}/change/", "role"),
    ],
)
def test_impossible_group_or_permission_is_refused(admin_client, admin_user, address, field, key):
    page = admin_client.post(address.format(user=admin_user.pk), {"username": "dana", field: [key]})

    assert page.status_code == 200
    assert page.context["adminform"].errors[field]


def test_sign_in_accepts_any_extra_field(client):
    response = client.post(
        "/admin/login/?next=%00&x=%00" + "y" * 5_000,
        {"username": "owner", "password": "wrong" * 2_000},
        headers={"user-agent": "x" * 5_000, "accept": "\xff" * 5_000},
    )

    assert response.status_code == 200


@pytest.mark.parametrize("name", ["\x00", "\ud800", "a" * 10_000])
def test_sign_in_accepts_any_user_name(client, name):
    username = name.encode("utf-8", "surrogatepass")
    body = b"password=x&username=" + b"".join(b"%%%02X" % byte for byte in username)

    response = client.generic(
        "POST", "/admin/login/", body, content_type="application/x-www-form-urlencoded"
    )

    assert response.status_code == 200
