"""E-mail as received by a mail server on loopback."""

import django
import pytest

from config import env
from notifications.models import Message
from tests.factories import make_review
from tests.notifications.smtp import mail_server

pytestmark = pytest.mark.django_db


@pytest.fixture
def server(person, settings, monkeypatch):
    """Start the mail server of EMAIL_URL."""
    with mail_server() as server:
        monkeypatch.setenv("EMAIL_URL", f"smtp://127.0.0.1:{server.server_address[1]}")
        use_mail_server(settings)
        yield server


def use_mail_server(settings):
    found = env.mail_server("EMAIL_URL")
    if django.VERSION < (6, 1):
        for name, value in found.items():
            setattr(settings, name, value)
    else:
        settings.MAILERS = {"default": env.mailer(found)}


def test_mail_has_text_html_and_unsubscribe_headers(server, work):
    make_review(text="Grüße aus Köln")

    work()

    [message] = server.received
    assert message["From"] == "Reviews <reviews@reviews.example>"
    assert message["To"] == "dana@tern.example"
    unsubscribe = message["List-Unsubscribe"].strip()
    assert unsubscribe.startswith("<https://reviews.example/unsubscribe/")
    assert unsubscribe.endswith(">")
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    parts = {part.get_content_type(): part for part in message.walk()}
    for kind in ("text/plain", "text/html"):
        assert "Grüße aus Köln" in parts[kind].get_payload(decode=True).decode()


def test_retry_has_same_message_id(server, work):
    make_review()
    work()
    first = server.received[0]["Message-ID"]
    Message.objects.update(state="waiting")  # The state after a worker was killed after sending.

    work(120)

    assert [message["Message-ID"] for message in server.received] == [first, first]


def test_address_refused_by_mail_server_is_not_retried(server, work):
    server.refuses = True
    make_review()

    work()

    message = Message.objects.get()
    assert message.state == "failed"
    assert message.last_error == (
        "The mail server refuses the address of the user: 550 no such user"
    )


def test_unreachable_mail_server_is_retried(person, settings, work, silent_port, monkeypatch):
    monkeypatch.setenv("EMAIL_URL", f"smtp://127.0.0.1:{silent_port}")
    use_mail_server(settings)
    make_review()

    work()

    message = Message.objects.get()
    assert (message.state, message.last_error) == (
        "waiting",
        "The mail server of EMAIL_URL cannot be reached.",
    )
