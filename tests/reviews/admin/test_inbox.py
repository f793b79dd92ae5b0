"""The inbox: its tabs and counts, the opened review, and its actions."""

import datetime as dt
import re

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from reviews import services
from reviews.models import Review
from tests.administration import page_html
from tests.factories import make_business, make_review

pytestmark = pytest.mark.django_db

INBOX = "/admin/inbox/"
TODAY = dt.datetime(2026, 6, 15, 12, tzinfo=dt.UTC)


@pytest.fixture(autouse=True)
def today(time_machine):
    time_machine.move_to(TODAY)


def staff(*codenames: str) -> Client:
    user = User.objects.create_user("staff", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    client = Client()
    client.force_login(user)
    return client


def tabs(page: str) -> dict[str, int]:
    found = re.findall(r'">(\w+) <span class="inbox-count">(\d+)</span>', page)
    return {label: int(count) for label, count in found}


def authors(page: str) -> list[str]:
    return re.findall(r'<bdi class="inbox-author">([^<]+)</bdi>', page)


def opened(page: str) -> str:
    return re.findall(r'<h2 id="inbox-title"><bdi>([^<]+)</bdi>', page)[0]


def act(client, tab, review, action, **values):
    return client.post(f"{INBOX}{tab}/{review.ulid}/", {"action": action, **values}, follow=True)


@pytest.fixture
def reviews():
    """Create five reviews, newest first, one for each tab except All, and one for none."""
    make_business()
    rows = {
        "New": {"date": dt.date(2026, 6, 10), "reply_text": "Thanks!"},
        "Open": {"date": dt.date(2026, 2, 1)},
        "Poor": {"date": dt.date(2026, 1, 1), "rating": 3, "reply_text": "Sorry."},
        "Spam": {"date": dt.date(2025, 12, 1), "hidden": True},
        "Old": {"date": dt.date(2025, 1, 1), "reply_text": "Thank you."},
    }
    return {author: make_review(author=author, **fields) for author, fields in rows.items()}


def test_tabs_count_and_list_open_work(admin_client, reviews):
    page = page_html(admin_client.get(INBOX))

    assert tabs(page) == {"New": 1, "Unanswered": 1, "Low": 1, "Withheld": 1, "All": 5}
    listed = {"new": ["New"], "unanswered": ["Open"], "low": ["Poor"], "withheld": ["Spam"]}
    for tab, names in (listed | {"all": [*reviews]}).items():
        assert authors(page_html(admin_client.get(f"{INBOX}{tab}/"))) == names, tab


def test_opened_review_is_shown_beside_list_with_neighbours(admin_client, reviews):
    page = page_html(admin_client.get(f"{INBOX}all/{reviews['Poor'].ulid}/"))

    assert opened(page) == "Poor"
    assert authors(page) == [*reviews]
    assert f'rel="prev" href="{INBOX}all/{reviews["Open"].ulid}/"' in page
    assert f'rel="next" href="{INBOX}all/{reviews["Spam"].ulid}/"' in page
    assert "Sorry." in page


def test_list_has_pages_and_opens_page_of_review(admin_client):
    rows = [make_review(author=f"A{n}", date=dt.date(2026, 1, 1)) for n in range(30)]
    oldest = Review.objects.newest_first().last()

    page = page_html(admin_client.get(f"{INBOX}all/{oldest.ulid}/"))

    assert "Page 2 of 2" in page
    assert oldest.author in authors(page)
    assert len(authors(page)) == len(rows) - 25
    assert len(authors(page_html(admin_client.get(f"{INBOX}all/?page=1")))) == 25


def test_hiding_asks_for_reason_and_opens_next_review(admin_client, admin_user, reviews):
    more = make_review(author="More", date=dt.date(2026, 1, 5))

    page = page_html(act(admin_client, "unanswered", reviews["Open"], "hide"))
    assert "Say why these reviews are hidden." in page

    page = page_html(act(admin_client, "unanswered", reviews["Open"], "hide", reason="spam"))
    assert "The review by Open is hidden now." in page
    assert opened(page) == "More"
    hidden = Review.objects.get(author="Open")
    assert (hidden.hidden_by, hidden.hidden_reason) == (admin_user, "spam")

    page = page_html(act(admin_client, "all", hidden, "show"))
    assert "The review by Open is public now." in page
    assert opened(page) == "Open"
    assert "admin: Hidden: spam or fake." in page
    assert Review.objects.visible().filter(pk=hidden.pk).exists()
    services.hide(Review.objects.filter(pk=more.pk), reason="spam")
    page = page_html(act(admin_client, "unanswered", hidden, "hide", reason="other"))
    assert "Every public review is answered." in page


def test_actions_require_permissions(reviews):
    address = f"{INBOX}all/{reviews['Open'].ulid}/"
    viewer = staff("view_review")

    page = page_html(viewer.get(address))
    assert 'name="action"' not in page
    assert viewer.post(address, {"action": "hide", "reason": "spam"}).status_code == 403
    User.objects.all().delete()
    assert staff("view_business").get(INBOX).status_code == 403
    assert Client().get(INBOX)["Location"].startswith("/admin/login/")


@pytest.mark.parametrize(
    "address", ["nothing/", "all/01ARZ3NDEKTSV4RRFFQ69G5FAV/", f"all/{'9' * 300}/"]
)
def test_unknown_tab_or_review_is_not_found(admin_client, address):
    assert admin_client.get(f"{INBOX}{address}").status_code == 404
    assert admin_client.post(f"{INBOX}{address}", {"action": "show"}).status_code == 404


@pytest.mark.parametrize("page", ["0", "-1", "x", "9" * 30, "²"])
def test_missing_page_is_replaced_by_existing_one(admin_client, reviews, page):
    assert len(authors(page_html(admin_client.get(f"{INBOX}all/?page={page}")))) == 5
