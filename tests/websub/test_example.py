"""Run the example subscribers unchanged."""

import os
import shutil
import subprocess
import sys
from urllib.parse import urlencode, urlsplit

import pytest
import requests

from tests.processes import ROOT, reserved_port
from tests.waiting import wait_until
from tests.websub.deliveries import deliver_all
from websub import protocol
from websub.models import Subscription, Verification
from websub.verification import verify

pytestmark = pytest.mark.slow

TOPIC = "https://reviews.example/feed.xml"
CHALLENGE = {"hub.mode": "subscribe", "hub.topic": TOPIC, "hub.challenge": "echo me"}


def _free_port():
    with reserved_port() as port:
        return port


@pytest.fixture
def certificate(trusted, tmp_path):
    path = tmp_path / "certificate.pem"
    trusted.ca.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(str(path))
    return path


@pytest.fixture
def example(publisher, certificate):
    """Start examples and return their processes."""
    processes = []

    def example(interpreter, name, callback):
        address = publisher.names["hub"]
        path = ROOT / "examples" / "websub_subscriber" / name
        command = [interpreter, path, address, TOPIC, callback, certificate, "secret"]
        processes.append(
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        )
        return processes[-1]

    yield example
    for process in processes:
        process.kill()
        process.wait()
        process.stdout.close()


def test_example_in_node_verifies_intent_and_signature(example, publisher, trusted):
    if not shutil.which("node"):
        pytest.skip("node is not installed")
    callback = f"https://127.0.0.1:{_free_port()}/callback/hard-to-guess"
    path = urlsplit(callback).path
    process = example("node", "subscriber.mjs", callback)
    wait_until(lambda: publisher.requests or process.poll() is not None)

    def request(method, target, body=None, **headers):
        address = callback.replace(path, target)
        answer = requests.request(
            method, address, data=body, headers=headers, verify=trusted.bundle, timeout=10
        )
        return answer.status_code, answer.content

    query = urlencode(CHALLENGE | {"hub.lease_seconds": "864000"})
    answers = [
        request("GET", f"{path}?{query}"),
        request("GET", f"/elsewhere?{query}"),
        request("GET", f"{path}?{query.replace('feed.xml', 'other')}"),
        request("GET", f"{path}?{query.replace('subscribe', 'unsubscribe')}"),
    ]
    new = b"new content"
    posts = [
        (new, protocol.signature("secret", new, method))
        for method in ("sha256", "sha384", "sha512", "sha1")
    ]
    posts += [(b"other content", posts[0][1]), (new, ""), (b"", "sha256=zz")]
    statuses = [request("POST", path, body, **{"X-Hub-Signature": by})[0] for body, by in posts]
    denial = urlencode({"hub.mode": "denied", "hub.topic": TOPIC, "hub.reason": "Enough."})
    assert request("GET", f"{path}?{denial}")[0] == 200

    form = {"mode": "subscribe", "topic": TOPIC, "callback": callback, "secret": "secret"}
    assert publisher.requests == [("/hub", {f"hub.{name}": value for name, value in form.items()})]
    assert answers[0] == (200, b"echo me")
    assert [status for status, _ in answers[1:]] == [404, 404, 404]
    assert statuses == [200] * 7
    process.kill()
    said = [line.rstrip() for line in process.communicate()[0].splitlines()]
    assert said == [
        "Asked to subscribe: 202",
        "Confirmed",
        *["Received 11 bytes"] * 3,
        *["Ignored: the signature does not fit"] * 4,
        'Denied: "Enough."',
    ]


@pytest.mark.django_db(transaction=True)
def test_example_with_app_follows_own_hub(live_server, settings, publish, tmp_path):
    base = live_server.url.replace("localhost", "127.0.0.1")
    settings.ALLOWED_HOSTS, settings.WEBSUB_STATE_DIR = ["127.0.0.1"], tmp_path
    settings.BASE_URL = settings.WEBSUB_BASE_URL = base
    settings.WEBSUB_ALLOW_HTTP, settings.WEBSUB_ALLOWED_NETWORKS = True, ["127.0.0.0/8"]
    publish(b"<feed>1</feed>")
    path, address = "examples/websub_subscriber/subscriber.py", f"http://127.0.0.1:{_free_port()}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "SECRET_KEY": "k" * 50}
    del environment["DJANGO_SETTINGS_MODULE"]
    command = [sys.executable, ROOT / path, address, f"{base}/feed.xml"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE
    ) as started:
        try:
            wait_until(lambda: Verification.objects.exists() or started.poll() is not None)
            verify()
            subscription = Subscription.objects.get()
            publish(b"<feed>2</feed>")
            deliver_all()
        finally:
            started.kill()
            printed = started.stdout.read().decode()

    assert subscription.callback.startswith(f"{address}/callbacks/")
    assert subscription.encrypted_secret
    subscription.refresh_from_db()
    assert (subscription.last_status, subscription.last_error) == (204, "")
    assert "Received 14 bytes of application/atom+xml" in printed
