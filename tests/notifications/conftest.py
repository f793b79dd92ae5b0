"""A receiver of webhooks on loopback, and the work of a worker."""

import datetime as dt
import json

import django
import pytest
from django.contrib.auth.models import User
from django.db import transaction
from jsonschema import Draft202012Validator

from config.documents import FILE
from notifications import services, tasks
from notifications.models import Endpoint, Recipient
from notifications.record import TROUBLES
from tests.sources.servers import Reply, maker_server


@pytest.fixture
def receiver(settings):
    """Start a server on loopback that accepts every message."""
    settings.WEBHOOKS_ALLOWED_NETWORKS = ["127.0.0.0/8"]
    with maker_server() as server:
        server.reply = Reply(b"thanks")
        yield server
    bodies = [json.loads(r.body) for r in server.requests if "webhook-id" in r.headers]
    check_described(body for body in bodies if body["type"] != "test")


def check_described(bodies):
    """Check each event body against the OpenAPI description."""
    components = json.loads(FILE.read_bytes())["components"]
    for body in bodies:
        name = body["type"].title().replace(".", "")
        described = components["pathItems"][name]["post"]["requestBody"]
        schema = described["content"]["application/json"]["schema"]
        Draft202012Validator(schema | {"components": components}).validate(body)


@pytest.fixture
def endpoint(receiver, db):
    """Create an endpoint that subscribes to all events. Return it with its secret."""
    row = Endpoint(
        name="CRM",
        url=receiver.url("/hook"),
        events=["review.created", "review.updated", "review.removed"],
    )
    row.secret = services.save_endpoint(row)
    return row


@pytest.fixture
def work(time_machine):
    """Run a worker's due tasks, some seconds later."""

    def work(seconds: float = 0) -> None:
        if seconds:
            time_machine.shift(seconds)
        # As after a commit: the next change is counted separately.
        transaction.get_connection().run_on_commit.clear()
        tasks.record_and_deliver()

    time_machine.move_to(dt.datetime.now(dt.UTC))
    return work


@pytest.fixture
def mail_enabled(settings):
    """Enable e-mail, kept in `django.core.mail.outbox`."""
    settings.EMAIL_ENABLED = True
    settings.DEFAULT_FROM_EMAIL = "Reviews <reviews@reviews.example>"
    if django.VERSION >= (6, 1):
        settings.MAILERS = {"default": {"BACKEND": "django.core.mail.backends.locmem.EmailBackend"}}


@pytest.fixture
def person(mail_enabled, db):
    """Create a superuser with e-mail about all reviews and problems."""
    user = User.objects.create_superuser("dana", "dana@tern.example", "moss under nine lanterns")
    recipient = Recipient(user=user, most_stars=5, events=[*TROUBLES])
    services.save_recipient(recipient)
    return recipient
