"""E-mail: chosen by each user, bundled, with an unsubscribe link; passwords and invitations."""

import datetime as dt
import re
import smtplib

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client

from notifications.models import Message, Notice, Recipient
from tests.administration import form_fields, page_html
from tests.factories import make_business, make_review
from tests.reviews.imports import load, table

pytestmark = pytest.mark.django_db
PAGE = "/admin/notifications/recipient/"
NEW = {"new_password1": "ferns in copper rain", "new_password2": "ferns in copper rain"}


def test_new_review_is_mailed_as_text_and_html(person, work):
    make_business()
    make_review(author="Ravi P.", rating=4, text="Quick & tidy <b>work</b>.")

    work()
    work(5)

    [message] = mail.outbox
    assert message.to == ["dana@tern.example"]
    assert message.from_email == "Reviews <reviews@reviews.example>"
    assert message.subject == "New review: 4 stars by Ravi P. on Google"
    assert "Quick & tidy <b>work</b>." in message.body
    html, kind = message.alternatives[0]
    assert (kind, "Quick &amp; tidy &lt;b&gt;work&lt;/b&gt;." in html) == ("text/html", True)


def test_import_of_1000_reviews_is_one_message(person, work):
    Recipient.objects.create(
        user=User.objects.create_superuser("ravi", "ravi@tern.example", "x"), most_stars=5
    )
    rows = [f"g-{n},Dana {n},5,2026-03-14,Quick and tidy work {n}.,google,,," for n in range(1000)]
    assert load(table(*rows)).new == 1000

    for seconds in (0, 5, 61, 61):
        work(seconds)

    assert sorted(message.to[0] for message in mail.outbox) == [
        "dana@tern.example",
        "ravi@tern.example",
    ]
    assert mail.outbox[0].subject == "1000 messages of this business"
    assert "980 more" in mail.outbox[0].body


def test_messages_within_a_minute_are_bundled(person, work):
    make_review(text="First.")
    work()
    make_review(text="Second.")
    work(5)
    make_review(text="Third.")
    work(5)
    assert len(mail.outbox) == 1

    work(55)

    assert len(mail.outbox) == 2
    assert "Second." in mail.outbox[1].body
    assert "Third." in mail.outbox[1].body


def test_mail_about_few_stars_is_a_choice(person, work):
    Recipient.objects.update(most_stars=2)
    make_review(rating=3)
    make_review(rating=2, text="Too late.")

    work()

    [message] = mail.outbox
    assert "Too late." in message.body
    assert Notice.objects.count() == 1


def test_reviews_are_not_mailed_without_permission(person, work):
    User.objects.update(is_superuser=False)
    make_review()

    work()

    assert mail.outbox == []


def test_nothing_is_mailed_in_quiet_hours(person, time_machine, work):
    make_business(time_zone="America/Los_Angeles")
    Recipient.objects.update(quiet_from=dt.time(20), quiet_until=dt.time(7))
    time_machine.move_to("2026-03-14T06:59:00Z")  # 23:59 in the zone of the business.
    make_review()

    work()
    work(6 * 3600)
    assert mail.outbox == []

    work(1.1 * 3600)
    assert len(mail.outbox) == 1


def test_one_click_unsubscribe_ends_all_mail(person, work):
    make_review()
    work()
    headers = mail.outbox[0].message()
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    path = headers["List-Unsubscribe"].strip("<>").removeprefix("https://reviews.example")

    page = Client().get(path)
    assert "Stop all notifications" in page_html(page)
    assert Recipient.objects.get().most_stars == 5
    response = Client().post(path, {"List-Unsubscribe": "One-Click"})

    assert "no more e-mail" in page_html(response)
    assert not response.cookies
    make_review()
    work(120)
    assert len(mail.outbox) == 1


def test_mail_and_its_page_are_in_language_of_business(person, work):
    make_business(language="de-AT")
    make_review(author="Ravi P.", rating=4)
    work()

    [message] = mail.outbox
    assert message.subject == "Neue Bewertung: 4 Sterne von Ravi P. auf Google"
    assert '<html lang="de">' in message.alternatives[0].content
    path = message.message()["List-Unsubscribe"].strip("<>")
    page = page_html(Client().get(path.removeprefix("https://reviews.example")))
    assert '<html lang="de">' in page
    assert "E-Mail" in page


def test_altered_unsubscribe_link_is_not_found(person, client):
    assert "incomplete" in page_html(client.post("/unsubscribe/1:abc:def"), 404)
    assert Recipient.objects.get().most_stars == 5


def test_line_breaks_of_name_add_no_header(person, work):
    make_review(author="Eve\r\nBcc: all@tern.example")

    work()

    [message] = mail.outbox
    assert message.subject == "New review: 5 stars by Eve Bcc: all@tern.example on Google"
    assert message.message()["Bcc"] is None


def test_mail_server_error_is_explained_and_retried(person, work, monkeypatch):

    error = smtplib.SMTPAuthenticationError(535, b"no")
    with monkeypatch.context() as patch:
        patch.setattr(
            mail.EmailMultiAlternatives, "send", lambda self: (_ for _ in ()).throw(error)
        )
        make_review()
        work()
    message = Message.objects.get()
    assert message.last_error == (
        "The mail server does not accept the user and password of EMAIL_URL."
    )
    assert message.state == "waiting"

    work(120)

    assert len(mail.outbox) == 1
    assert [a.is_success for a in message.log.order_by("pk")] == [False, True]


# --- The page -------------------------------------------------------------------------------------


def test_choice_is_saved_and_test_mail_is_sent(admin_user, admin_client, mail_enabled, work):
    User.objects.update(email="admin@tern.example")
    form = form_fields(admin_client.get(PAGE))
    answer = admin_client.post(
        PAGE,
        form | {"most_stars": "3", "digest": "daily", "events": ["source.failed"], "_test": ""},
    )
    assert answer.status_code == 302

    recipient = Recipient.objects.get()
    assert (recipient.most_stars, recipient.digest) == (3, "daily")
    assert recipient.events == ["source.failed"]
    work()
    assert mail.outbox[-1].subject == "Test message of this business"


def test_quiet_hours_need_both_ends(admin_client):
    form = form_fields(admin_client.get(PAGE)) | {"quiet_from": "20:00"}

    assert "Quiet hours have a beginning and an end." in page_html(admin_client.post(PAGE, form))


# --- Passwords ------------------------------------------------------------------------------------


def link_of(message):
    return re.search(r"https://reviews\.example(/admin/reset/\S+)", message.body)[1]


def test_forgotten_password_is_reset_by_link(person, client, work):
    response = client.post("/admin/password_reset/", {"email": "Dana@tern.example"})
    assert response.status_code == 302
    work()

    page = client.get(link_of(mail.outbox[0]), follow=True)
    path = page.redirect_chain[-1][0]
    client.post(path, NEW)

    assert User.objects.get().check_password("ferns in copper rain")
    assert "_auth_user_id" not in client.session  # The sign-in asks for the second factor.
    assert "link" in page_html(client.get(link_of(mail.outbox[0]), follow=True)).lower()


def test_unknown_address_gets_same_response_and_no_mail(person, client, work):
    known = client.post("/admin/password_reset/", {"email": "dana@tern.example"})
    unknown = client.post("/admin/password_reset/", {"email": "eve@tern.example"})

    assert (known.status_code, known.headers["Location"]) == (
        unknown.status_code,
        unknown.headers["Location"],
    )
    work()
    assert [message.to for message in mail.outbox] == [["dana@tern.example"]]


def test_password_reset_is_off_without_mail(client, db):
    assert client.get("/admin/password_reset/").status_code == 404


def test_user_without_password_is_invited(admin_client, mail_enabled, work):
    page = "/admin/auth/user/add/"
    form = form_fields(admin_client.get(page)) | {"username": "ravi", "role": "administrator"}
    refused = admin_client.post(page, form)
    assert "Enter an e-mail address for the invitation" in page_html(refused)
    admin_client.post(page, form | {"email": "ravi@tern.example"})

    work()

    assert not User.objects.get(username="ravi").has_usable_password()
    [message] = mail.outbox
    assert "as ravi" in message.body
    client = Client()
    path = client.get(link_of(message), follow=True).redirect_chain[-1][0]
    client.post(path, NEW)
    assert User.objects.get(username="ravi").check_password("ferns in copper rain")
