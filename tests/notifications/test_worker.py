"""Messages after the death of a worker, and without a broker."""

import os
import signal
import subprocess
import sys
import threading

import pytest
from django.utils import timezone

from core.claims import claim_first
from notifications import queue
from notifications.models import Message
from tests.factories import make_review
from tests.processes import ROOT, environment
from tests.sources.servers import Reply, maker_server

WORKER = """
import sys, django
django.setup()
from notifications import queue, tasks
queue.CLAIM_SECONDS = 3
tasks.sweep()
"""
SETUP = """
import sys, django
django.setup()
from notifications import services
from notifications.models import Endpoint
from tests.factories import make_review
services.save_endpoint(Endpoint(name="CRM", url=sys.argv[1], events=["review.created"]))
for number in range(3):
    make_review(external_id=f"r-{number}")
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


@pytest.mark.slow
def test_killed_worker_loses_nothing_and_each_event_keeps_its_id(migrated):
    """Without a broker, and with the worker killed in the middle of its second message."""
    with maker_server() as server:
        is_second, goes_on = threading.Event(), threading.Event()

        def script(requested):
            if len(server.requests) == 2:
                is_second.set()
                goes_on.wait(20)
            return Reply()

        server.reply = script
        env = environment(
            migrated,
            SECRET_KEY="k" * 50,
            BASE_URL="https://reviews.example",
            DJANGO_SETTINGS_MODULE="config.settings",
            CELERY_BROKER_URL="redis://127.0.0.1:1/0",  # Nothing listens there.
            WEBHOOKS_ALLOWED_NETWORKS="127.0.0.0/8",
        )

        def start(program, *args):
            return subprocess.Popen([sys.executable, "-c", program, *args], cwd=ROOT, env=env)

        assert start(SETUP, server.url("/hook")).wait(60) == 0
        worker = start(WORKER)
        assert is_second.wait(60)
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait()
        goes_on.set()

        threading.Event().wait(3.5)
        assert start(WORKER).wait(60) == 0

    ids = [request.headers["webhook-id"] for request in server.requests]
    assert len(ids) == 4
    assert len(set(ids)) == 3
    assert ids[1] == ids[2]
