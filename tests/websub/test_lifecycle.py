"""The life of a subscription: plain HTTP, commits and tasks, events in any order."""

import datetime as dt
import socket
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, Phase
from hypothesis import settings as Bounds  # noqa: N812  (`settings` are Django's here)
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from guarded_http.client import Outcome
from guarded_http.urls import NOT_ENCRYPTED
from tests.websub.conftest import FEED, refused, send
from tests.websub.deliveries import deliver_all
from tests.websub.rows import make_subscription
from tests.websub.sinks import start_sink
from websub import tasks, verification
from websub.cleanup import run_cleanup
from websub.models import Attempt, Subscription, Verification
from websub.verification import verify

pytestmark = pytest.mark.django_db
HTTPS = "must be an https URL."


# --- Plain http -----------------------------------------------------------------------------------


def test_http_callback_in_allowed_network_is_verified_and_gets_deliveries(
    allow_loopback, settings, publish, ask
):
    settings.WEBSUB_ALLOW_HTTP = True
    with start_sink(None) as sink:
        callback = sink.url()
        assert ask("subscribe", callback, secret="s3cret").status_code == 202
        verify()
        publish(b"over http")
        deliver_all()

        assert sink.bodies(callback) == [b"over http"]
        assert "X-Hub-Signature" in sink.posts(callback)[0].headers


@pytest.mark.parametrize(
    ("is_on", "networks", "callback", "sentence"),
    [
        (False, ["127.0.0.0/8"], "http://127.0.0.1:8080/", HTTPS),
        (True, [], "http://127.0.0.1:8080/", "must be reachable on the public internet."),
        (True, ["127.0.0.0/8"], "http://8.8.8.8:8080/", NOT_ENCRYPTED),
        (True, ["127.0.0.0/8"], "http://public.example.com:8080/", NOT_ENCRYPTED),
        (True, ["127.0.0.0/8"], "http://127.0.0.1/", "uses port 80, which is not contacted"),
        (True, ["127.0.0.0/8"], "ftp://127.0.0.1:8080/", HTTPS),
    ],
)
def test_other_http_callbacks_are_refused(  # noqa: PLR0917
    settings, monkeypatch, ask, is_on, networks, callback, sentence
):
    settings.WEBSUB_ALLOW_HTTP, settings.WEBSUB_ALLOWED_NETWORKS = is_on, networks
    found = [(None, None, None, "", ("93.184.215.14", 8080))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **options: found)

    assert sentence in refused(ask("subscribe", callback), 400)


# --- With commits and tasks -----------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_tasks_lead_from_request_to_delivery(sink, publish, ask):
    publish()
    callback = sink.url()
    ask("subscribe", callback)
    tasks.verify_due()
    publish(b"content")
    tasks.deliver_due()
    tasks.sweep_up()

    assert sink.bodies(callback) == [b"content"]


@pytest.mark.django_db(transaction=True)
def test_failing_confirmation_changes_nothing(sink, publish, ask, monkeypatch):
    publish()
    callback = sink.url()
    make_subscription(callback=callback, secret="old")
    before = Subscription.objects.values().get()
    ask("subscribe", callback, secret="new")

    def fail(*args, **kwargs):
        raise RuntimeError("crash")

    with monkeypatch.context() as patch:
        patch.setattr(verification, "_activate", fail)
        with pytest.raises(RuntimeError, match="crash"):
            verify()

    assert Subscription.objects.values().get() == before
    assert Verification.objects.get().state == "pending"


# --- Any order ------------------------------------------------------------------------------------

CALLBACK = "https://hooks.example.com/cb"


class SubscriptionLifecycle(RuleBasedStateMachine):
    """Compare a model of one subscription with the rows, with a simulated network."""

    world: "World"

    @initialize()
    def begin(self) -> None:
        for model in (Subscription, Verification, Attempt):
            model.objects.all().delete()
        self.active = False
        self.consecutive_failures = 0
        self.lease_ends = 0.0
        self.acknowledged = 0
        self.delivered: list[int] = []
        self.pending: tuple[str, int] | None = None
        self.requested_at, self.published_version = timezone.now(), 0
        self.version = self.world.publish().version

    def expire_in_model(self) -> None:
        if self.active and timezone.now().timestamp() >= self.lease_ends:
            self.active = False

    @rule(lease=st.sampled_from([3600, 7200]))
    def ask_to_subscribe(self, lease: int) -> None:
        self.world.ask("subscribe", lease)
        self.pending, self.requested_at = ("subscribe", lease), timezone.now()
        self.published_version = self.version

    @rule()
    def ask_to_unsubscribe(self) -> None:
        self.world.ask("unsubscribe", 0)
        if self.active or self.pending:
            self.pending, self.requested_at = ("unsubscribe", 0), timezone.now()

    @precondition(lambda self: self.pending)
    @rule(agrees=st.booleans())
    def verify(self, *, agrees: bool) -> None:
        now = timezone.now().timestamp()
        self.world.verify(agrees=agrees)
        assert self.pending
        (mode, lease), self.pending = self.pending, None
        if not agrees:
            return
        if mode == "unsubscribe":
            self.active = False
        else:
            if not self.active:
                self.acknowledged, self.consecutive_failures = self.published_version, 0
                self.delivered = []
            self.active, self.lease_ends = True, now + lease

    @rule()
    def publish(self) -> None:
        self.version = self.world.publish().version

    @rule(status=st.sampled_from([204, 500, 410]))
    def deliver(self, status: int) -> None:
        sent = self.world.deliver(status)
        if not self.active or self.acknowledged == self.version:
            assert sent == []
            return
        assert sent == [self.version]  # One post, of the newest content.
        assert not self.delivered or sent[0] > self.delivered[-1]
        if status == 204:
            self.acknowledged, self.consecutive_failures = self.version, 0
            self.delivered += sent
        else:
            self.consecutive_failures += 1
            if status == 410 or self.consecutive_failures == 3:
                self.active = False

    @rule(seconds=st.sampled_from([2, 1800]))
    def wait(self, seconds: int) -> None:
        self.world.clock.shift(seconds)
        self.expire_in_model()

    @rule()
    def tidy_up(self) -> None:
        run_cleanup()
        # Long after its last try was due.
        if self.pending and timezone.now() - self.requested_at > dt.timedelta(seconds=3930):
            self.pending = None

    @invariant()
    def rows_are_what_the_model_says(self) -> None:
        if not hasattr(self, "active"):
            return
        live = Subscription.objects.active().first()
        assert (live is not None) == self.active
        if live:
            assert (live.consecutive_failures, live.acknowledged_version) == (
                self.consecutive_failures,
                self.acknowledged,
            )
        waiting = Verification.objects.filter(state="pending").first()
        assert (waiting and waiting.mode) == (self.pending and self.pending[0])


class World:
    """Clock, topic and callback of the subscription, with a simulated network."""

    def __init__(self, publish, clock, monkeypatch) -> None:
        self.publish, self.clock, self.patch = publish, clock, monkeypatch

    def ask(self, mode: str, lease: int) -> None:
        form = {"hub.mode": mode, "hub.callback": CALLBACK, "hub.topic": FEED}
        answer = send(Client(), form | {"hub.lease_seconds": str(lease)} if lease else form)
        assert answer.status_code == 202

    def play(self, outcome) -> None:
        def request(connection, method, url, *, body=b"", **others):
            return outcome(method, url, body)

        self.patch.setattr("guarded_http.client.Connection.request", request)

    def verify(self, *, agrees: bool) -> None:
        def outcome(method, url, body):
            fields = dict(pair.partition("=")[::2] for pair in urlsplit(url).query.split("&"))
            return Outcome(200, body=fields["hub.challenge"].encode() if agrees else b"no")

        self.play(outcome)
        verify()

    def deliver(self, status: int) -> list[int]:
        sent: list[int] = []

        def outcome(method, url, body):
            if method == "POST":
                sent.append(int(body[14:-7]))
            return Outcome(status)

        self.play(outcome)
        self.clock.shift(1.1)  # After the pause between two deliveries.
        deliver_all()
        return sent


def test_any_order_of_events_follows_model(publish, clock, allow_loopback, settings, monkeypatch):
    settings.WEBSUB_RETRY_SECONDS = (1.0,)
    settings.WEBSUB_VERIFY_RETRY_SECONDS = (30.0, 300.0)
    settings.WEBSUB_USE_CELERY = False
    machine = type(
        "Machine", (SubscriptionLifecycle,), {"world": World(publish, clock, monkeypatch)}
    )
    run_state_machine_as_test(
        machine,
        settings=Bounds(
            max_examples=Bounds.default.max_examples // 4,
            stateful_step_count=20,
            phases=(Phase.reuse, Phase.generate),  # Twenty steps are readable without shrinking.
            suppress_health_check=list(HealthCheck),
        ),
    )
