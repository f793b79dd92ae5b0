"""Messages and replies after the death of a worker, and without a broker."""

import json
import os
import signal
import subprocess
import sys
from collections import Counter

import pytest
from django.utils import timezone

from core.claims import claim_first
from notifications import queue
from notifications.models import Message
from tests.factories import make_review
from tests.notifications.smtp import mail_server
from tests.processes import ROOT, environment
from tests.sources.servers import Reply, maker_server

SETUP = """
import sys, django
django.setup()
from django.contrib.auth.models import User
from notifications import record, services
from notifications.models import Endpoint, Recipient
from reviews import replies, services as reviews
from tests.factories import make_business, make_review
from tests.sources.rows import make_connection

make_business()
user = User.objects.create_superuser("dana", "dana@tern.example", "moss under nine lanterns")
chosen = ["review.created", "review.updated"]
services.save_endpoint(Endpoint(name="CRM", url=sys.argv[1] + "/hook", events=chosen))
services.save_recipient(Recipient(user=user, most_stars=5))
given = {"key": "k", "api_secret": "s", "business_user": "u1"}
make_connection("trustpilot", business="www.example.com", source="", **given)
google = make_connection("google_business_profile", client_id="1", client_secret="s", source="")
google.settings = {**google.settings, "locations": ["accounts/1/locations/2"]}
google.secrets = {**google.secrets, "refresh_token": "rt"}
google.save()
written = [
    make_review(source="trustpilot", external_id="tp1", text="Fine."),
    make_review(external_id="locations/2/reviews/g1", text="Fine."),
]
record.record_reviews()
reviews.edit_review(written[0], {"text": "Fine work."})
record.record_reviews()
for review in written:
    replies.send(review, f"Thank you for {review.external_id}!", user)
"""
WORKER = """
import json, sys, django
django.setup()
from notifications import tasks
from notifications.models import Message, Recipient
from reviews.models import Reply, Review
from sources import google_oauth, replies
from sources.connectors import google_business_profile, trustpilot_replies

google_business_profile.API = sys.argv[1] + "/google"
google_oauth.TOKEN = sys.argv[1] + "/token"
trustpilot_replies.API = sys.argv[1] + "/trustpilot"
# As when the claims of a killed worker, and the minute of a person, have ended.
Message.objects.update(claimed_until=None)
Reply.objects.update(claimed_until=None)
Recipient.objects.update(last_mail_at=None)
tasks.record_and_deliver()
replies.send_due()
print(json.dumps([
    sorted(set(Message.objects.values_list("state", flat=True))),
    sorted(set(Reply.objects.values_list("state", flat=True))),
    list(Review.objects.order_by("pk").values_list("reply_text", flat=True)),
]))
"""


@pytest.mark.django_db
def test_claim_of_a_killed_worker_expires(endpoint, receiver, work):
    make_review()
    receiver.reply = Reply(status=500)
    work()
    receiver.reply = Reply()
    claim = claim_first(Message.objects.waiting(), queue.CLAIM_SECONDS)
    work(30)
    assert len(receiver.requests) == 1

    work(queue.CLAIM_SECONDS)

    assert len(receiver.requests) == 2
    assert Message.objects.get().finished_at <= timezone.now()
    assert not claim.rows().exists()


class ThirdParties:
    """Third-party servers. Each kills the worker at the first message that it receives."""

    def __init__(self):
        self.worker = None
        self.killed = 0
        self.seen = Counter()
        self.webhooks = []
        self.on_trustpilot = self.on_google = ""

    def get(self, what):
        self.seen[what] += 1
        if self.seen[what] == 1:
            os.kill(self.worker.pid, signal.SIGKILL)
            self.killed += 1

    def __call__(self, requested):
        path, body = requested.target, requested.body
        answer = {}
        if path == "/hook":
            self.webhooks.append((requested.headers["webhook-id"], json.loads(body)))
            self.get(f"webhook {requested.headers['webhook-id']}")
        elif path.endswith(("/token", "/accesstoken")):
            answer = {"access_token": "at"}
        elif requested.method == "GET":
            answer = {"companyReply": {"text": self.on_trustpilot}}
        elif path.startswith("/trustpilot"):
            assert not self.on_trustpilot, "Trustpilot got a second reply."
            self.on_trustpilot = json.loads(body)["message"]
            self.get("reply on Trustpilot")
        else:
            assert requested.method == "PUT"  # Replaces all other servers.
            self.on_google = json.loads(body)["comment"]
            self.get("reply on Google")
        return Reply(json.dumps(answer).encode())


@pytest.mark.slow
def test_messages_and_replies_survive_kills_without_broker(migrated):
    """Repeated webhooks and mails keep their id, and replies exist once."""
    outside = ThirdParties()
    with maker_server() as server, mail_server() as mails:
        server.reply = outside
        mails.on_message = lambda message: outside.get(f"mail {message['Message-ID']}")
        env = environment(
            migrated,
            SECRET_KEY="k" * 50,
            BASE_URL="https://reviews.example",
            DJANGO_SETTINGS_MODULE="config.settings",
            CELERY_BROKER_URL="redis://127.0.0.1:1/0",  # Nothing listens there.
            WEBHOOKS_ALLOWED_NETWORKS="127.0.0.0/8",
            SOURCES_ALLOWED_NETWORKS="127.0.0.0/8",
            EMAIL_URL=f"smtp://127.0.0.1:{mails.server_address[1]}",
            DEFAULT_FROM_EMAIL="Reviews <reviews@reviews.example>",
        )

        def start(program):
            return subprocess.Popen(
                [sys.executable, "-c", program, server.url("")],
                cwd=ROOT,
                env=env,
                stdout=subprocess.PIPE,
                text=True,
            )

        with start(SETUP) as process:
            assert process.wait(120) == 0
        ends = []
        while not ends or ends[-1] == -signal.SIGKILL:
            with start(WORKER) as outside.worker:
                said, _ = outside.worker.communicate(timeout=120)
            ends.append(outside.worker.returncode)

    assert ends == [-signal.SIGKILL] * outside.killed + [0]
    assert outside.killed == 7  # Four webhooks, a mail, two replies.
    assert {what: count for what, count in outside.seen.items() if count != 2} == {
        "reply on Trustpilot": 1
    }
    replies = ["Thank you for tp1!", "Thank you for locations/2/reviews/g1!"]
    assert json.loads(said) == [["delivered"], ["sent"], replies]
    assert [outside.on_trustpilot, outside.on_google] == replies
    # Repeated messages keep their id, and events of a review their order.
    assert outside.webhooks[::2] == outside.webhooks[1::2]
    events = [(body["type"], body["data"]["id"]) for _, body in outside.webhooks[::2]]
    first = events[0][1]
    assert [kind for kind, ulid in events if ulid == first] == [
        "review.created",
        "review.updated",
        "review.updated",  # Caused by the published reply.
    ]
    assert len({message["Message-ID"] for message in mails.received}) == 1
