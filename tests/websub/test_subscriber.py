"""The subscriber with conforming and non-conforming hubs."""

import contextlib
import datetime as dt

import pytest
from django.core.management import call_command
from django.urls import include, path
from django.utils import timezone

from tests.websub.publishers import LINKS
from websub.protocol import signature
from websub.subscriber import content_received, services
from websub.subscriber.models import Subscription

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("reader")]
urlpatterns = [path("callbacks/", include("websub.subscriber.urls"))]

ATOM = (
    '<feed xmlns:atom="a"><atom:link REL="self" href="{self}"/><link rel="hub" href="{hub}"/>'
    '<entry><link rel="self" href="/entry"/></entry></feed>'
)


@pytest.fixture
def reader(settings):
    settings.ROOT_URLCONF = __name__
    settings.WEBSUB_BASE_URL = "https://reader.example"
    settings.WEBSUB_ALLOWED_NETWORKS = ["127.0.0.0/8"]


@pytest.fixture
def subscribed(publisher, client):
    """Return a subscription that the hub has verified."""
    services.subscribe(f"{publisher.url}/feed")
    assert ask(client, publisher).status_code == 200
    return Subscription.objects.get()


def ask(client, publisher, mode="subscribe", **fields):
    """Send the hub's verification of intent with changed fields. None removes a field."""
    given = {"topic": publisher.names["self"], "challenge": "echo me", "lease_seconds": "7200"}
    given = {"mode": mode} | given | fields
    query = {f"hub.{name}": value for name, value in given.items() if value is not None}
    return client.get(callback(), query)


def callback():
    return Subscription.objects.get().callback.removeprefix("https://reader.example")


def deliver(client, row, body=b"news", *, method="sha256", secret="", **headers):
    signed = signature(secret or row.secrets()[0], body, method)
    headers = {"X-Hub-Signature": signed} | headers
    return client.post(callback(), body, content_type="application/atom+xml", headers=headers)


@contextlib.contextmanager
def received():
    """Collect the content that receivers get."""
    found = []

    def keep(sender, subscription, body, content_type, **kwargs):
        found.append((subscription.url, body, content_type))

    content_received.connect(keep)
    try:
        yield found
    finally:
        content_received.disconnect(keep)


# --- Requests -------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", [(LINKS, ""), ("", ATOM), ("<x>; rel=next", ATOM)])
def test_hub_is_discovered_and_gets_canonical_topic(publisher, answer):
    header, body = (text.format(**publisher.names) for text in answer)
    publisher.topic = (200, {"Link": header} if header else {}, body)

    row = services.subscribe(f"{publisher.url}/feed?from=elsewhere")

    assert publisher.requests == [
        (
            "/hub",
            {
                "hub.mode": "subscribe",
                "hub.topic": f"{publisher.url}/feed",
                "hub.callback": f"https://reader.example/callbacks/{row.token}",
                "hub.lease_seconds": "864000",
                "hub.secret": row.secrets()[0],
            },
        )
    ]
    assert len(row.token) >= 43
    row.refresh_from_db()
    assert (row.expires_at, row.last_error) == (None, services.UNVERIFIED)


def to_the_cloud(publisher):
    publisher.hub = {"/hub": (307, {"Location": "http://169.254.169.254:8080/latest"})}


def for_ever(publisher):
    publisher.hub = {"/hub": (307, {"Location": "/hub"})}


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda p: setattr(p, "topic", (404,)), "404 Client Error"),
        (lambda p: setattr(p, "topic", (200, {}, "<p>No links.")), "The topic names no hub."),
        (lambda p: setattr(p, "topic", (200, {"Link": "<http://[>; rel=hub"})), "Invalid IPv6"),
        (lambda p: setattr(p, "topic", (200, {"Link": "<ftp://a/>; rel=hub"})), "No connection"),
        (lambda p: setattr(p, "topic", (200, {"Link": f"</{'a' * 3000}>; rel=hub"})), "2048"),
        (lambda p: p.hub.update({"/hub": (400, {}, "Bad\n topic")}), "answered 400. Bad topic"),
        (to_the_cloud, "public addresses alone"),
        (for_ever, "Exceeded 3 redirects."),
    ],
)
def test_failed_request_has_reason_and_is_retried(publisher, change, error, time_machine):
    time_machine.move_to("2026-05-01T12:00:00Z", tick=False)
    topic, hub = publisher.topic, dict(publisher.hub)
    change(publisher)
    services.subscribe(f"{publisher.url}/feed")
    assert error in Subscription.objects.get().last_error
    assert services.renew() == 0
    publisher.topic, publisher.hub, publisher.requests = topic, hub, []

    time_machine.shift(3_600)
    call_command("renew_subscriptions", verbosity=0)

    assert [path for path, _ in publisher.requests] == ["/hub"]
    assert Subscription.objects.get().last_error == services.UNVERIFIED


def test_subscription_is_renewed_before_its_lease_ends(publisher, client, time_machine):
    time_machine.move_to("2026-05-01T12:00:00Z", tick=False)
    services.subscribe(f"{publisher.url}/feed")
    ask(client, publisher)
    time_machine.shift(3_599)
    assert services.renew() == 0
    time_machine.shift(1)

    assert services.renew() == 1
    ask(client, publisher)

    assert [form["hub.mode"] for _, form in publisher.requests] == ["subscribe"] * 2
    assert Subscription.objects.get().expires_at == timezone.now() + dt.timedelta(hours=2)


def test_confirmed_unsubscription_deletes_row(publisher, client, subscribed):
    assert ask(client, publisher, "unsubscribe").status_code == 404
    services.unsubscribe(subscribed.url)
    assert ask(client, publisher).status_code == 404
    assert deliver(client, subscribed).status_code == 410

    assert ask(client, publisher, "unsubscribe").content == b"echo me"

    assert publisher.requests[-1][1]["hub.mode"] == "unsubscribe"
    assert not Subscription.objects.exists()
    services.unsubscribe(subscribed.url)


# --- Verification of intent -----------------------------------------------------------------------


def test_verification_is_answered_with_challenge_only(publisher, client):
    services.subscribe(f"{publisher.url}/feed")

    answer = ask(client, publisher, challenge="<b>&", reason="ignored")

    assert (answer.status_code, answer.content) == (200, b"<b>&")
    assert answer["Content-Type"] == "text/plain"
    row = Subscription.objects.get()
    assert (row.expires_at - timezone.now()).total_seconds() == pytest.approx(7_200, abs=60)
    assert row.last_error == ""


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"topic": "https://other.example/feed"}, 404),
        ({"topic": None}, 404),
        ({"mode": "publish"}, 404),
        ({"mode": None}, 404),
        ({"mode": "unsubscribe"}, 404),
        ({"challenge": None}, 404),
        ({"challenge": ""}, 404),
        ({"lease_seconds": "0"}, 400),
        ({"lease_seconds": "-5"}, 400),
        ({"lease_seconds": "ten"}, 400),
        ({"lease_seconds": "\u0661"}, 400),
    ],
)
def test_wrong_verification_confirms_nothing(publisher, client, fields, status):
    services.subscribe(f"{publisher.url}/feed")

    answer = ask(client, publisher, **fields)

    assert answer.status_code == status
    assert b"echo me" not in answer.content
    assert Subscription.objects.get().expires_at is None


def test_denial_ends_subscription_and_is_retried_after_a_day(publisher, client, subscribed):
    assert ask(client, publisher, "denied", challenge=None, reason="Enough.").status_code == 204

    subscribed.refresh_from_db()
    assert subscribed.expires_at is None
    assert subscribed.last_error == "The hub denied the subscription. Enough."
    assert subscribed.next_request_at - timezone.now() > dt.timedelta(hours=23)
    assert deliver(client, subscribed).status_code == 410


# --- Content --------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["sha1", "sha256", "sha384", "sha512"])
def test_signed_content_is_passed_to_receivers(client, subscribed, method):
    with received() as found:
        answer = deliver(client, subscribed, method=method)

    assert (answer.status_code, answer.content) == (204, b"")
    assert found == [(subscribed.url, b"news", "application/atom+xml")]
    subscribed.refresh_from_db()
    assert subscribed.received_at is not None


@pytest.mark.parametrize(
    "header",
    ["", "sha256=", "sha256", "md5=00", "new=00", "sha256=\u00e9", "sha512={sha256}", "{other}"],
)
def test_content_without_valid_signature_is_refused_and_shown(client, subscribed, header):
    digests = {
        "sha256": signature(subscribed.secrets()[0], b"news", "sha256").partition("=")[2],
        "other": signature("another secret", b"news", "sha256"),
    }
    with received() as found:
        answer = deliver(client, subscribed, **{"X-Hub-Signature": header.format(**digests)})

    assert (answer.status_code, found) == (403, [])
    subscribed.refresh_from_db()
    assert "signature" in subscribed.last_error


def test_content_signed_before_key_change_is_accepted(client, subscribed, settings):
    secret = subscribed.secrets()[0]
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "new" * 20, [settings.SECRET_KEY]

    assert deliver(client, subscribed, secret=secret).status_code == 204
    settings.SECRET_KEY_FALLBACKS = []
    assert deliver(client, subscribed, secret=secret).status_code == 403


def test_content_that_is_too_long_is_refused(client, subscribed, settings):
    settings.WEBSUB_SUBSCRIBER_MAX_BYTES = 10

    with received() as found:
        assert deliver(client, subscribed, b"x" * 11).status_code == 413
        assert deliver(client, subscribed, b"x" * 10).status_code == 204
    assert len(found) == 1


def test_exception_of_receiver_makes_hub_retry(client, subscribed):
    def fail(**kwargs):
        raise RuntimeError("The queue is away.")

    content_received.connect(fail)
    client.raise_request_exception = False
    try:
        assert deliver(client, subscribed).status_code == 500
    finally:
        content_received.disconnect(fail)
    subscribed.refresh_from_db()
    assert subscribed.received_at is None
