"""`manage.py demo_subscriber` against the hub, as a new user starts it."""

import contextlib
import gzip
import io
import signal
import socket
import threading

import pytest
from django.core.management import CommandError, call_command

from publishing.models import Document
from tests.processes import environment, run
from tests.waiting import eventually
from tests.websub.demo.talking import TOPIC
from websub import delivery, demo_certificates, verification
from websub.claims import FAST
from websub.demo_certificates import make_certificate
from websub.demo_subscriber import Listener, PortTaken, Subscriber
from websub.management.commands import demo_subscriber as command
from websub.models import Subscription


class Started:
    """The command in a thread: what it says, how it ends, and a way to ask it to stop."""

    def __init__(self, monkeypatch, **options):
        self.out = io.StringIO()
        self.stop = threading.Event()
        self.error = None
        monkeypatch.setattr(command, "_stop_signal", lambda: contextlib.nullcontext(self.stop))
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
    settings.WEBSUB_VISIBLE_AFTER_SECONDS = 0.0
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
    eventually(lambda: "Waiting for changes" in demo.said, verification.verify)
    [subscription] = Subscription.objects.all()

    Document.objects.update(version=2, gzip=gzip.compress(b"<feed>new</feed>"))
    delivery.deliver(FAST)
    demo.stop.set()
    eventually(demo.has_ended, verification.verify)

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


def test_hub_for_public_addresses_alone_gets_the_remedy(installation, start, settings, tmp_path):
    settings.HUB_ALLOW_NETS = []

    demo = start()
    eventually(demo.has_ended)

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
    eventually(demo.has_ended, verification.verify)

    assert demo.error.startswith("The hub does not trust our certificate.\nStart the installation")
    assert not Subscription.objects.exists()


def test_a_hub_without_a_worker_is_noticed(installation, start, monkeypatch):
    monkeypatch.setattr(command, "VERIFIED_WITHIN_SECONDS", 0.2)

    demo = start()
    eventually(demo.has_ended)

    assert demo.error == (
        "The hub did not come back to verify. Its worker does that: "
        f"{installation}/status tells whether one is at work."
    )


def test_unsubscription_without_verification_does_not_delay_the_end(
    installation, start, monkeypatch
):
    monkeypatch.setattr(command, "UNSUBSCRIBED_WITHIN_SECONDS", 0.1)
    demo = start(secret="")
    eventually(lambda: "Waiting for changes" in demo.said, verification.verify)

    demo.stop.set()
    eventually(demo.has_ended)

    assert demo.said.endswith("it will give up on us by itself.\n")
    assert Subscription.objects.get().encrypted_secret == ""


def test_a_hub_that_has_gone_meanwhile_does_not_hold_up_the_end(installation, start, settings):
    demo = start()
    eventually(lambda: "Waiting for changes" in demo.said, verification.verify)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        settings.BASE_URL = f"http://127.0.0.1:{taken.getsockname()[1]}"

    demo.stop.set()
    eventually(demo.has_ended)

    assert demo.error is None
    assert "Is `make up` running? The hub will give up on us by itself.\n" in demo.said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_and_termination_end_it_in_good_order(number):
    before = signal.getsignal(number)

    with command._stop_signal() as stop:
        signal.raise_signal(number)
        assert stop.is_set()

    assert signal.getsignal(number) is before


def test_a_topic_that_is_none_is_refused_in_the_words_of_the_hub(installation, start):
    demo = start(topic="/elsewhere")
    eventually(demo.has_ended)

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
