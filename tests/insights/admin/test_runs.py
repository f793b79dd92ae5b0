"""The history of analysis runs, and its permissions."""

import re

import pytest
from django.contrib.auth.models import Permission, User

from insights.models import AnalysisRun, ChatDay, Taxonomy
from insights.refresh import refresh
from tests.administration import page_html
from tests.factories import make_business, make_review
from tests.insights.admin.pages import ANALYSES, RUNS, TEXTS, VERSIONS, draft, edit_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def viewer(client):
    user = User.objects.create_user("viewer", is_staff=True)
    permissions = Permission.objects.filter(
        content_type__app_label="insights", codename__startswith="view_"
    )
    user.user_permissions.set(permissions)
    client.force_login(user)
    return client


def test_history_shows_progress_of_runs(admin):
    AnalysisRun.objects.create(
        reason="basis", basis="b", model="rules", taxonomy="home_services 2", total=400, done=100
    )

    page = page_html(admin.get(RUNS))

    assert "100 of 400 (25 %)" in page
    assert admin.get(f"{RUNS}add/").status_code == 403


def test_language_model_days_show_budget_and_fallbacks(admin):
    ChatDay.objects.create(day="2026-03-14", reviews=41, tokens=5_300, fallbacks=7)

    page = page_html(admin.get("/admin/insights/chatday/"))

    for name, value in (("reviews", "41"), ("tokens", "5300"), ("fallbacks", "7")):
        assert f'<td class="field-{name}">{value}</td>' in page
    assert admin.get("/admin/insights/chatday/add/").status_code == 403


def test_viewer_changes_nothing(viewer):
    make_business()
    review = make_review(text="The price was outrageous!", rating=1)
    refresh()
    version = draft()

    for page in (
        VERSIONS,
        edit_page(version),
        f"{VERSIONS}{version.pk}/preview/",
        ANALYSES,
        f"{ANALYSES}{review.pk}/change/",
        TEXTS,
        f"{TEXTS}summary/",
    ):
        buttons = re.findall(
            r'<input type="submit"[^>]* value="([^"]*)"', page_html(viewer.get(page))
        )
        assert set(buttons) <= {"Search"}, page
    for page in (
        f"{VERSIONS}add/",
        edit_page(version),
        f"{VERSIONS}{version.pk}/publish/",
        f"{VERSIONS}{version.pk}/discard/",
        f"{ANALYSES}{review.pk}/change/",
        f"{TEXTS}summary/",
    ):
        assert viewer.post(page, {"sentiment": "positive", "text": "x"}).status_code == 403, page
    assert Taxonomy.objects.get().version is None


def test_custom_pages_require_view_permission(viewer):
    pages = [f"{ANALYSES}try/", TEXTS, f"{TEXTS}summary/"]
    make_business()
    assert [viewer.get(page).status_code for page in pages] == [200, 200, 200]

    User.objects.get(username="viewer").user_permissions.clear()

    assert [viewer.get(page).status_code for page in pages] == [403, 403, 403]


@pytest.mark.parametrize("pk", ["999", "0", "x", "9" * 30, "-1"])
def test_missing_row_is_404(admin, pk):
    for page in (VERSIONS, ANALYSES):
        assert admin.get(f"{page}{pk}/change/").status_code == 404


def test_get_of_button_url_is_refused(admin):
    version = draft()

    for page in ("publish", "discard"):
        assert admin.get(f"{VERSIONS}{version.pk}/{page}/").status_code == 405
    assert admin.get(f"{VERSIONS}{version.pk}/again/")["Location"] == (
        f"{VERSIONS}{version.pk}/change/"
    )
