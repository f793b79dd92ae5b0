"""Sessions of the administration: their end, list and cookies, and redirects."""

import datetime as dt
from urllib.parse import urlencode

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from sign_in import tasks
from tests.administration import page_html
from tests.factories import make_review
from tests.sign_in.conftest import PASSWORD

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("owner")]

SESSIONS = "/admin/account/sessions/"


def sign_in(client, path="/admin/", **headers):
    values = {"username": "owner", "password": PASSWORD, "next": path}
    return client.post("/admin/login/", values, headers=headers)


def is_signed_in(client):
    return client.get("/admin/").status_code == 200


def test_unused_session_ends_after_twelve_hours(client, clock):
    sign_in(client)
    clock.shift(dt.timedelta(hours=11, minutes=59))
    assert is_signed_in(client)
    clock.shift(dt.timedelta(hours=11, minutes=59))
    assert is_signed_in(client)
    clock.shift(dt.timedelta(hours=12, minutes=1))
    assert not is_signed_in(client)


@pytest.mark.slow
def test_used_session_ends_fourteen_days_after_sign_in(client, clock):
    sign_in(client)
    for _ in range(14 * 4 - 1):
        clock.shift(dt.timedelta(hours=6))
        assert is_signed_in(client)
    clock.shift(dt.timedelta(hours=6, minutes=1))

    assert not is_signed_in(client)


def test_expired_sessions_are_deleted(owner):
    for name, days in (("over", -1), ("open", 1)):
        end = timezone.now() + dt.timedelta(days=days)
        Session.objects.create(session_key=name, expire_date=end)
        UserSession.objects.create(session_key=name, user=owner, ip="192.0.2.1", user_agent="x")

    tasks.purge_logins()

    for model in (Session, UserSession):
        assert [session.session_key for session in model.objects.all()] == ["open"]


def test_user_lists_own_sessions_and_ends_others(client, clock):
    User.objects.create_superuser("boss", password=PASSWORD)
    here, there, boss = client, Client(), Client()
    boss.post("/admin/login/", {"username": "boss", "password": PASSWORD})
    sign_in(there, **{"user-agent": "Phone/1.0 <b>"})
    clock.shift(dt.timedelta(hours=1))
    sign_in(here, **{"user-agent": "Desk/2.0"})

    page = page_html(here.get(SESSIONS))
    assert page.count("<tr><td>") == 2
    assert "Phone/1.0 &lt;b&gt;" in here.get(SESSIONS).content.decode()
    assert page.count("(this one)") == 1
    assert here.post(SESSIONS)["Location"] == SESSIONS

    assert is_signed_in(here)
    assert not is_signed_in(there)
    assert is_signed_in(boss)
    assert "There is no other session." in page_html(here.get(SESSIONS))


def test_user_ends_one_session(client):
    phone, tablet = Client(), Client()
    for each in (client, phone, tablet):
        sign_in(each)
    session = UserSession.objects.get(session_key=phone.session.session_key)

    page = client.post(SESSIONS, {"session": session.pk}, follow=True)

    assert "The session of 127.0.0.1 is ended." in page_html(page)
    assert [is_signed_in(each) for each in (client, phone, tablet)] == [True, False, True]


def test_ending_sessions_requires_password(client, clock):
    other = Client()
    sign_in(other)
    sign_in(client)
    clock.shift(dt.timedelta(minutes=6))

    response = client.post(SESSIONS)

    assert response["Location"] == f"/admin/account/confirm/?{urlencode({'next': SESSIONS})}"
    assert is_signed_in(other)
    assert client.post(response["Location"], {"password": PASSWORD})["Location"] == SESSIONS
    client.post(SESSIONS)
    assert [is_signed_in(each) for each in (client, other)] == [True, False]


def test_changed_password_ends_other_sessions(client, clock):
    other = Client()
    sign_in(other)
    sign_in(client)
    new = "eleven herons over slate"
    client.post(
        "/admin/password_change/",
        {"old_password": PASSWORD, "new_password1": new, "new_password2": new},
    )

    assert is_signed_in(client)
    assert not is_signed_in(other)


def test_sign_out_clears_browser_data(client):
    sign_in(client)

    answer = client.post("/admin/logout/")

    assert answer.headers["Clear-Site-Data"] == '"cache", "storage"'
    assert "Clear-Site-Data" not in client.get("/admin/login/").headers
    assert not is_signed_in(client)


def test_cookies_on_https_have_host_prefix(client):
    page = client.get("/admin/login/")
    sign_in(client)

    for cookie in (page.cookies["__Host-csrftoken"], client.cookies["__Host-sessionid"]):
        assert (cookie["secure"], cookie["path"], cookie["domain"]) == (True, "/", "")
        assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")


@pytest.mark.parametrize(
    "path",
    [
        "/admin/nothing/",
        "/admin/login/",
        "/admin/logout/",
        "/admin/account/second-step/authenticate/",
        "/nothing",
        "https://elsewhere.example/admin/",
        "//elsewhere.example/",
        "javascript:alert(1)",
        "/admin/\x00",
        "",
    ],
)
def test_sign_in_redirects_to_front_page_by_default(client, path):
    assert sign_in(client, path)["Location"] == "/admin/"


@pytest.mark.parametrize("path", ["/admin/reviews/review/?rating=5", "/admin/account/sessions/"])
def test_sign_in_redirects_to_requested_page(client, path):
    assert sign_in(client, path)["Location"] == path


def test_form_of_expired_session_redirects_back_to_page(client):
    review = make_review()
    page = f"/admin/reviews/review/{review.pk}/change/"
    host = {"host": "reviews.example"}

    from_page = client.post(
        "/admin/imports/importbatch/1/apply/",
        headers={**host, "referer": f"https://reviews.example{page}"},
    )
    from_elsewhere = client.post(
        page, headers={**host, "referer": "https://elsewhere.example/admin/x/"}
    )

    escaped = page.replace("/", "%2F")
    assert from_page["Location"] == f"/admin/login/?next={escaped}"
    assert from_elsewhere["Location"] == "/admin/login/?next=%2Fadmin%2F"
