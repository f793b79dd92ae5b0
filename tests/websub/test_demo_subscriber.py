"""A subscriber to try the hub with, its certificates, and the examples in the documentation."""

import contextlib
import datetime as dt
import gzip
import http.client
import io
import re
import shutil
import signal
import socket
import ssl
import stat
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from ipaddress import ip_address
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import time_machine
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from publishing.models import Document
from tests.processes import ROOT, environment, run
from websub import delivery, demo_certificates, demo_subscriber, exchange, verification
from websub.claims import FIRST
from websub.demo_certificates import make_certificate
from websub.demo_subscriber import Listener, PortTaken, Subscriber, is_signed
from websub.management.commands import demo_subscriber as command
from websub.models import Subscription

TOPIC = "https://reviews.example/feed.xml"
CHALLENGE = {"hub.mode": "subscribe", "hub.topic": TOPIC, "hub.challenge": "echo me"}


def until(condition, meanwhile=lambda: None):
    """Wait for something that takes another thread or process a moment."""
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline, "It did not happen."
        meanwhile()
        time.sleep(0.02)


def connect(port, authority):
    return http.client.HTTPSConnection(
        "127.0.0.1", port, timeout=10, context=ssl.create_default_context(cafile=authority)
    )


def request(connection, method, target, body=None, headers=()):
    connection.request(method, target, body, dict(headers))
    response = connection.getresponse()
    return response.status, response.read()


# --- The command, against the hub -----------------------------------------------------------------


class Started:
    """The command in a thread: what it says, how it ends, and a way to ask it to stop."""

    def __init__(self, monkeypatch, **options):
        self.out = io.StringIO()
        self.stop = threading.Event()
        self.error = None
        monkeypatch.setattr(command, "_asked_to_stop", lambda: contextlib.nullcontext(self.stop))
        self.thread = threading.Thread(target=self._run, args=(options,))
        self.thread.start()

    def _run(self, options):
        try:
            call_command("demo_subscriber", stdout=self.out, **options)
        except CommandError as error:
            self.error = str(error)

    @property
    def said(self):
        return self.out.getvalue()

    def has_ended(self):
        return not self.thread.is_alive()


@pytest.fixture
def installation(live_server, settings, tmp_path):
    """A hub at a loopback address that trusts the demo subscriber."""
    settings.BASE_URL = live_server.url
    settings.STATE_DIR = tmp_path
    settings.HUB_ALLOW_NETS = ["127.0.0.0/8"]
    settings.HUB_CA_BUNDLE = str(make_certificate(tmp_path).authority)
    settings.RATE_LIMITS = {}
    settings.VERSION_POLL_MS = 0
    Document.objects.create(path="/feed.xml", version=1, gzip=gzip.compress(b"<feed/>"))
    return live_server.url


@pytest.fixture
def start(monkeypatch):
    started = []

    def start(**options):
        started.append(Started(monkeypatch, **options))
        return started[-1]

    yield start
    for demo in started:
        demo.stop.set()
        demo.thread.join(30)


def test_a_new_user_sees_subscription_verification_and_push(installation, start):
    demo = start(topic="/feed.xml")
    until(lambda: "Waiting for changes" in demo.said, verification.verify)
    [subscription] = Subscription.objects.all()

    Document.objects.update(version=2, gzip=gzip.compress(b"<feed>new</feed>"))
    delivery.deliver(FIRST)
    demo.stop.set()
    until(demo.has_ended, verification.verify)

    assert demo.error is None
    assert demo.said.splitlines() == [
        f"Asking the hub for {installation}/feed.xml, to be sent to {subscription.callback}",
        "The hub answered 202 and will verify that we mean it.",
        "The hub asks whether we really want to subscribe. Echoing its challenge.",
        "Subscribed for 864000 seconds; subscribe again before they are over.",
        "Waiting for changes; Ctrl-C unsubscribes. To make one, run in another shell:",
        "  .venv/bin/python manage.py add_review --rating 5 --text 'On time.'",
        "Delivery 1: 16 bytes of application/atom+xml.",
        "  The sha256 signature is right.",
        "Unsubscribing.",
        "The hub asks whether we really want to unsubscribe. Echoing its challenge.",
        "Unsubscribed.",
    ]
    assert not Subscription.objects.exists()


def test_a_hub_that_contacts_public_addresses_alone_is_told_how_to_be_started(
    installation, start, settings, tmp_path
):
    settings.HUB_ALLOW_NETS = []

    demo = start()
    until(demo.has_ended)

    assert demo.error == (
        "The hub refused with 400: hub.callback must be reachable on the public internet.\n"
        "Start the installation so that its hub trusts this machine, and it alone:\n"
        f"  HUB_CA_BUNDLE={tmp_path}/demo-subscriber-ca.pem HUB_ALLOW_NETS=127.0.0.0/8 make up"
    )


def test_a_hub_that_does_not_trust_the_certificate_is_noticed(
    installation, start, settings, trusted
):
    settings.HUB_CA_BUNDLE = trusted.bundle

    demo = start()
    until(demo.has_ended, verification.verify)

    assert demo.error.startswith("The hub does not trust our certificate.\nStart the installation")
    assert not Subscription.objects.exists()


def test_a_hub_without_a_worker_is_noticed(installation, start, monkeypatch):
    monkeypatch.setattr(command, "VERIFIED_WITHIN_SECONDS", 0.2)

    demo = start()
    until(demo.has_ended)

    assert demo.error == (
        "The hub did not come back to verify. Its worker does that: "
        f"{installation}/status tells whether one is at work."
    )


def test_an_unsubscription_that_nobody_verifies_does_not_hold_up_the_end(
    installation, start, monkeypatch
):
    monkeypatch.setattr(command, "UNSUBSCRIBED_WITHIN_SECONDS", 0.1)
    demo = start(secret="")
    until(lambda: "Waiting for changes" in demo.said, verification.verify)

    demo.stop.set()
    until(demo.has_ended)

    assert demo.said.endswith("it will give up on us by itself.\n")
    assert Subscription.objects.get().encrypted_secret == ""


def test_a_hub_that_has_gone_meanwhile_does_not_hold_up_the_end(installation, start, settings):
    demo = start()
    until(lambda: "Waiting for changes" in demo.said, verification.verify)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        settings.BASE_URL = f"http://127.0.0.1:{taken.getsockname()[1]}"

    demo.stop.set()
    until(demo.has_ended)

    assert demo.error is None
    assert "Is `make up` running? The hub will give up on us by itself.\n" in demo.said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_and_termination_end_it_in_good_order(number):
    before = signal.getsignal(number)

    with command._asked_to_stop() as stop:
        signal.raise_signal(number)
        assert stop.is_set()

    assert signal.getsignal(number) is before


def test_a_topic_that_is_none_is_refused_in_the_words_of_the_hub(installation, start):
    demo = start(topic="/elsewhere")
    until(demo.has_ended)

    assert demo.error.startswith("The hub refused with 400: hub.topic must be one of ")


def test_an_installation_that_does_not_run_is_noticed(settings, tmp_path):
    settings.STATE_DIR = tmp_path
    with socket.create_server(("127.0.0.1", 0)) as taken:
        settings.BASE_URL = f"http://127.0.0.1:{taken.getsockname()[1]}"

    with pytest.raises(CommandError, match=r"Is `make up` running\?"):
        call_command("demo_subscriber", stdout=io.StringIO())


def test_a_port_that_is_taken_is_refused(settings, tmp_path):
    settings.STATE_DIR, settings.BASE_URL = tmp_path, "http://localhost:8000"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        with pytest.raises(CommandError, match=rf"Port {port} cannot be used.* leave it out\."):
            call_command("demo_subscriber", port=port, stdout=io.StringIO())


@pytest.mark.parametrize("port", [-1, 65_536, 2**40])
def test_a_port_that_is_none_is_refused(tmp_path, port):
    with pytest.raises(PortTaken):
        Listener(Subscriber(TOPIC, "", print), make_certificate(tmp_path).certificate, port)


@pytest.mark.parametrize(
    "address", ["https://reviews.example", "http://192.0.2.1:8000", "http://127.0.0.1.example"]
)
def test_an_installation_at_a_public_address_is_refused(settings, tmp_path, address):
    settings.STATE_DIR, settings.BASE_URL = tmp_path, address

    with pytest.raises(CommandError, match="for an installation at a loopback address"):
        call_command("demo_subscriber", stdout=io.StringIO())

    assert not list(tmp_path.iterdir())


def test_an_installation_with_an_https_address_refuses_to_trust_the_demo(tmp_path):
    values = {"SECRET_KEY": "k" * 50, "HUB_CA_BUNDLE": str(tmp_path / demo_certificates.AUTHORITY)}

    public = run(
        "manage.py", "check", env=environment(tmp_path, BASE_URL="https://x.example", **values)
    )
    local = run(
        "manage.py", "check", env=environment(tmp_path, BASE_URL="http://localhost", **values)
    )

    assert (public.returncode, public.stdout) == (1, "")
    assert public.stderr == (
        "HUB_CA_BUNDLE is the demo subscriber's authority, which no installation with an https "
        "address may trust. Leave it out, and HUB_ALLOW_NETS too.\n"
    )
    assert local.returncode == 0


# --- The subscriber -------------------------------------------------------------------------------


@pytest.fixture
def said():
    return []


@pytest.fixture
def subscriber(said):
    subscriber = Subscriber(TOPIC, "shared secret", said.append, wanted="subscribe")
    subscriber.answered.set()
    return subscriber


def test_what_was_asked_for_is_confirmed_once(subscriber):
    assert subscriber.verify(CHALLENGE) == (200, b"echo me")
    assert subscriber.confirmed.is_set()
    assert subscriber.verify(CHALLENGE) == (404, b"")


@pytest.mark.parametrize(
    "changed", [{"hub.mode": "unsubscribe"}, {"hub.topic": f"{TOPIC}?"}, {"hub.mode": ""}]
)
def test_what_was_not_asked_for_is_not_confirmed(subscriber, changed):
    assert subscriber.verify(CHALLENGE | changed) == (404, b"")
    assert not subscriber.confirmed.is_set()


def test_a_denial_is_said_with_its_reason_and_nothing_a_terminal_acts_upon(subscriber, said):
    query = {"hub.mode": "denied", "hub.topic": TOPIC, "hub.reason": "No\x1b[2J\nmore" + "x" * 999}

    assert subscriber.verify(query) == (200, b"")

    [sentence] = said
    assert sentence.startswith("The hub ended or denied the subscription: No?[2J?morexxx")
    assert len(sentence) < 400


@pytest.mark.parametrize(
    "signature", ["", "sha256=", "sha256=00", "md5=" + "0" * 32, "SHA256=x", "sha256=ÿ"]
)
def test_a_delivery_with_a_wrong_signature_is_ignored_and_acknowledged(subscriber, said, signature):
    assert subscriber.receive(b"<feed/>", "application/atom+xml", signature) == 204
    assert said[-1] == "  The signature is WRONG or missing: the content is ignored."


def test_without_a_secret_nothing_is_signed(said):
    subscriber = Subscriber(TOPIC, "", said.append)

    subscriber.receive(b"<feed/>", "text/\x1bplain", "")

    assert said == [
        "Delivery 1: 7 bytes of text/?plain.",
        "  It is not signed, since no secret was agreed upon.",
    ]


@given(
    body=st.binary(max_size=50),
    other=st.binary(max_size=50),
    secret=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20),
    method=st.sampled_from(["sha1", "sha256", "sha384", "sha512"]),
)
def test_a_signature_of_the_hub_fits_its_body_and_no_other(body, other, secret, method):
    signature = exchange.signature(secret, body, method)

    assert is_signed(body, signature, secret)
    assert is_signed(other, signature, secret) == (other == body)


# --- The listener ---------------------------------------------------------------------------------


@pytest.fixture
def listener(subscriber, tmp_path):
    listener = Listener(subscriber, make_certificate(tmp_path).certificate, 0)
    listener.start()
    yield listener
    listener.shutdown()
    listener.server_close()


@pytest.fixture
def connection(listener, tmp_path):
    with contextlib.closing(
        connect(listener.server_port, tmp_path / demo_certificates.AUTHORITY)
    ) as connection:
        yield connection


def test_the_listener_answers_one_request_after_another_on_one_connection(
    connection, subscriber, said
):
    challenge = request(connection, "GET", f"{subscriber.path}?{urlencode(CHALLENGE)}")
    signed = {"X-Hub-Signature": exchange.signature("shared secret", b"new", "sha512")}
    posted = request(connection, "POST", subscriber.path, b"new", signed)

    assert (challenge, posted) == ((200, b"echo me"), (204, b""))
    assert said[-1] == "  The sha512 signature is right."


def test_the_listener_knows_its_own_path_alone(connection, said):
    assert request(connection, "GET", f"/callback/guess?{urlencode(CHALLENGE)}") == (404, b"")
    assert request(connection, "POST", "/callback/guess", b"new") == (404, b"")
    assert said == []


@pytest.mark.parametrize("length", ["-1", "x", "9" * 30])
def test_the_listener_reads_no_body_of_unknown_or_absurd_length(
    connection, subscriber, said, length
):
    connection.putrequest("POST", subscriber.path)
    connection.putheader("Content-Length", length)
    connection.endheaders()

    assert connection.getresponse().status == 411
    assert said == []


def test_a_port_is_taken_that_a_hub_may_contact(monkeypatch):
    first = demo_subscriber._free_port()
    monkeypatch.setattr(demo_subscriber, "SERVICE_PORTS", {first})

    assert demo_subscriber._free_port() != first


# --- Certificates ---------------------------------------------------------------------------------


def test_the_authority_is_made_once_and_the_certificate_every_time(tmp_path):
    first = [path.read_bytes() for path in make_certificate(tmp_path / ".")]
    second = [path.read_bytes() for path in make_certificate(tmp_path)]

    assert second[0] == first[0]
    assert second[1] != first[1]


@pytest.mark.parametrize("damage", ["authority", "key", "other key"])
def test_an_authority_that_cannot_be_used_is_made_anew(tmp_path, damage):
    before = make_certificate(tmp_path).authority.read_bytes()
    if damage == "other key":
        (tmp_path / "other").mkdir()
        make_certificate(tmp_path / "other")
        shutil.copy(tmp_path / "other" / demo_certificates.AUTHORITY_KEY, tmp_path)
    else:
        name = {"authority": demo_certificates.AUTHORITY, "key": demo_certificates.AUTHORITY_KEY}
        (tmp_path / name[damage]).write_text("rubbish")

    assert make_certificate(tmp_path).authority.read_bytes() != before


def test_an_authority_in_its_last_month_is_made_anew(tmp_path):
    before = make_certificate(tmp_path).authority.read_bytes()

    with time_machine.travel(dt.datetime.now(dt.UTC) + dt.timedelta(days=340)):
        assert make_certificate(tmp_path).authority.read_bytes() != before


def test_keys_are_readable_by_their_owner_alone(tmp_path):
    make_certificate(tmp_path)

    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}

    assert modes == {
        "demo-subscriber-ca.pem": 0o600,
        "demo-subscriber-ca.key": 0o600,
        "demo-subscriber.pem": 0o600,
    }


def handshake(folder, name, certificate, key):
    """Whether a client that trusts the folder's authority accepts this server as `name`."""
    bundle = folder / "server.pem"
    bundle.write_bytes(
        certificate.public_bytes(demo_certificates._PEM) + demo_certificates._private(key)
    )
    server_side = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server_side.load_cert_chain(bundle)
    client_side = ssl.create_default_context(cafile=folder / demo_certificates.AUTHORITY)
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = client_side.wrap_bio(to_client, to_server, server_hostname=name)
    server = server_side.wrap_bio(to_server, to_client, server_side=True)
    for side in (client, server, client):
        with contextlib.suppress(ssl.SSLWantReadError):
            side.do_handshake()


@pytest.mark.parametrize(
    ("name", "is_accepted"),
    [("localhost", True), ("127.9.9.9", True), ("reviews.example", False), ("192.0.2.1", False)],
)
def test_the_authority_can_vouch_for_this_machine_alone(tmp_path, name, is_accepted):
    make_certificate(tmp_path)
    authority_key, authority = demo_certificates._read_authority(tmp_path)
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.IPAddress(ip_address(name)) if name[0].isdecimal() else x509.DNSName(name)
    issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.public_key())
    certificate = (
        demo_certificates._builder(
            demo_certificates._name("leaf"), authority.subject, key.public_key(), dt.timedelta(1)
        )
        .add_extension(x509.SubjectAlternativeName([subject]), critical=False)
        .add_extension(issuer, critical=False)
        .sign(authority_key, SHA256())
    )

    if is_accepted:
        handshake(tmp_path, name, certificate, key)
    else:
        with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree violation"):
            handshake(tmp_path, name, certificate, key)


# --- The examples in the documentation ------------------------------------------------------------


class FakeHub(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.asked.append({name: value for name, [value] in parse_qs(body).items()})
        self.send_response(202)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args):
        """Nobody listens."""


@pytest.fixture
def hub():
    server = HTTPServer(("127.0.0.1", 0), FakeHub)
    server.asked = []
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def example(hub, tmp_path):
    """Starts an example as the documentation says; gives its process."""
    processes = []

    def example(interpreter, name, callback):
        text = (ROOT / "docs" / "subscribers.md").read_text(encoding="utf-8")
        [code] = re.findall(rf"<!-- {re.escape(name)} -->\n```\w+\n(.*?)```", text, re.DOTALL)
        (tmp_path / name).write_text(code, encoding="utf-8")
        certificate = make_certificate(tmp_path).certificate
        address = f"http://127.0.0.1:{hub.server_port}/api/websub/hub"
        command = [interpreter, tmp_path / name, address, TOPIC, callback, certificate, "secret"]
        processes.append(
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        )
        return processes[-1]

    yield example
    for process in processes:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.mark.parametrize(
    ("interpreter", "name"), [(sys.executable, "subscriber.py"), ("node", "subscriber.mjs")]
)
def test_the_examples_verify_intent_and_signature(example, hub, tmp_path, interpreter, name):
    if not shutil.which(interpreter):
        pytest.skip(f"{interpreter} is not installed")
    callback = f"https://127.0.0.1:{demo_subscriber._free_port()}/callback/hard-to-guess"
    path = urlsplit(callback).path
    process = example(interpreter, name, callback)
    until(lambda: hub.asked or process.poll() is not None)

    with contextlib.closing(
        connect(urlsplit(callback).port, tmp_path / demo_certificates.AUTHORITY)
    ) as connection:
        query = urlencode(CHALLENGE | {"hub.lease_seconds": "864000"})
        answers = [
            request(connection, "GET", f"{path}?{query}"),
            request(connection, "GET", f"/elsewhere?{query}"),
            request(connection, "GET", f"{path}?{query.replace('feed.xml', 'other')}"),
            request(connection, "GET", f"{path}?{query.replace('subscribe', 'unsubscribe')}"),
        ]
        posts = []
        for method in ("sha256", "sha384", "sha512", "sha1"):
            signature = exchange.signature("secret", b"new content", method)
            posts.append((b"new content", signature))
        posts += [(b"other content", posts[0][1]), (b"new content", ""), (b"", "sha256=zz")]
        statuses = [
            request(connection, "POST", path, body, {"X-Hub-Signature": signature})[0]
            for body, signature in posts
        ]
        denial = urlencode({"hub.mode": "denied", "hub.topic": TOPIC, "hub.reason": "Enough."})
        assert request(connection, "GET", f"{path}?{denial}")[0] == 200

    assert hub.asked == [
        {
            "hub.mode": "subscribe",
            "hub.topic": TOPIC,
            "hub.callback": callback,
            "hub.secret": "secret",
        }
    ]
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
        {"subscriber.py": "Denied: 'Enough.'", "subscriber.mjs": 'Denied: "Enough."'}[name],
    ]
