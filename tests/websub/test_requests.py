import datetime as dt
import socket
from io import BytesIO
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.utils import timezone

from tests.asgi import post
from tests.websub.conftest import CALLBACK, FEED, FORM, refused, send
from tests.websub.rows import make_subscription, make_verification
from websub.models import Subscription, Verification
from websub.secrets import decrypt

pytestmark = pytest.mark.django_db


def test_request_is_accepted_with_202_before_any_contact(client):
    # The callback's name does not resolve, and tests may not connect anywhere.
    answer = send(client, FORM | {"hub.secret": "s3cret", "hub.lease_seconds": "7200"})

    assert answer.status_code == 202
    assert answer.content == b""
    assert "Content-Type" not in answer
    waiting = Verification.objects.get()
    assert waiting.state == "pending"
    assert waiting.callback == CALLBACK  # Byte for byte.
    assert waiting.callback_host == "hooks.example.com"
    assert waiting.topic == waiting.topic_as_sent == FEED
    assert waiting.lease_seconds == 7200
    assert not Subscription.objects.exists()


def test_secret_is_encrypted_at_rest_and_not_shown(client, caplog):
    send(client, FORM | {"hub.secret": "tell-nobody"})

    waiting = Verification.objects.get()
    assert "tell-nobody" not in waiting.encrypted_secret
    assert decrypt(waiting.encrypted_secret) == "tell-nobody"
    assert "tell-nobody" not in f"{waiting} {waiting!r} {caplog.text}"


@pytest.mark.parametrize(
    ("fields", "granted"),
    [
        ({}, 864_000),
        ({"hub.lease_seconds": "1"}, 3_600),
        ({"hub.lease_seconds": "3601"}, 3_601),
        ({"hub.lease_seconds": "2591999"}, 2_591_999),
        ({"hub.lease_seconds": "2592001"}, 2_592_000),
        ({"hub.lease_seconds": "9" * 19}, 2_592_000),
    ],
)
def test_lease_is_granted_within_bounds(client, fields, granted):
    send(client, FORM | fields)

    assert Verification.objects.get().lease_seconds == granted


def test_newer_request_replaces_the_pending_one(client, time_machine):
    time_machine.move_to("2026-05-01T12:00:00Z", tick=False)
    send(client, FORM | {"hub.secret": "first"})
    fresh = Verification.objects.values().get()
    hour = dt.timedelta(hours=1)
    Verification.objects.update(
        mode="denied",
        reason="No more.",
        attempts=2,
        claimed_until=timezone.now() + hour,
        claim_token="somebody",
        last_status=500,
        last_error="before",
        published_version=7,
        requested_at=timezone.now() - hour,
        next_attempt_at=timezone.now() + hour,
    )

    send(client, FORM | {"hub.secret": "second", "hub.lease_seconds": "9000"})

    waiting = Verification.objects.values().get()
    secret = waiting["encrypted_secret"]
    assert decrypt(secret) == "second"
    assert waiting == fresh | {"encrypted_secret": secret, "lease_seconds": 9000}


def test_request_does_not_change_live_subscription(client):
    live = make_subscription(callback=CALLBACK, secret="old")
    before = Subscription.objects.values().get()

    for mode in ("subscribe", "unsubscribe"):
        assert send(client, FORM | {"hub.mode": mode, "hub.secret": "new"}).status_code == 202

    assert Subscription.objects.values().get() == before
    assert Verification.objects.get(key=live.key).mode == "unsubscribe"


def test_unsubscription_of_unknown_pair_has_no_effect(client):
    make_verification(callback=CALLBACK, state=Verification.State.CONFIRMED)
    make_verification(callback=f"{CALLBACK}&other")
    make_subscription(callback=f"{CALLBACK}&other")
    make_subscription(callback=CALLBACK, expires_at=timezone.now())
    before = list(Verification.objects.values())

    answer = send(client, FORM | {"hub.mode": "unsubscribe", "hub.lease_seconds": "rubbish"})

    assert answer.status_code == 202
    assert list(Verification.objects.values()) == before


def test_own_host_names_are_refused_but_not_whole_domain(client, settings):
    settings.ALLOWED_HOSTS = ["testserver", "www.reviews.example", ".example.com"]
    ours, another = "https://www.reviews.example/cb", "https://hooks.example.com/cb"

    assert "hub.callback must not be an address of this site itself" in refused(
        send(client, FORM | {"hub.callback": ours}), 400
    )
    assert send(client, FORM | {"hub.callback": another}).status_code == 202


@pytest.mark.parametrize("length", ["65537", "30000000", "9" * 5_000])
def test_too_long_content_length_is_refused_unread(length):
    class Unreadable:
        def read(self, *args):
            raise AssertionError("The body was read.")

        readline = read

    answer = Client().post(
        "/api/websub/hub",
        b"",
        content_type="application/x-www-form-urlencoded",
        CONTENT_LENGTH=length,
        **{"wsgi.input": Unreadable()},
    )
    assert refused(answer, 413) == "The body is longer than 65536 bytes."


def test_truncated_body_is_refused():
    body = urlencode(FORM).encode()
    answer = Client().post(
        "/api/websub/hub",
        b"",
        content_type="application/x-www-form-urlencoded",
        CONTENT_LENGTH=str(len(body) + 1),
        **{"wsgi.input": BytesIO(body)},
    )
    assert refused(answer, 400) == "The body could not be read to its end."


CHUNKED = {"CONTENT_LENGTH": "", "HTTP_TRANSFER_ENCODING": "chunked"}


@pytest.mark.parametrize("is_ended", [True, False])
def test_chunked_body_is_accepted_if_wsgi_server_ends_it(is_ended):
    answer = Client().post(
        "/api/websub/hub",
        b"instead of",
        content_type="application/x-www-form-urlencoded",
        **CHUNKED,
        **{"wsgi.input": BytesIO(urlencode(FORM).encode()), "wsgi.input_terminated": is_ended},
    )
    if is_ended:
        assert answer.status_code == 202
    else:
        assert refused(answer, 411) == "The body must come with a Content-Length."


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("length", [0, 65_537])
def test_chunked_body_is_accepted_under_asgi_up_to_limit(length):
    body = urlencode(FORM).encode() + b"&more=".ljust(length, b"x")
    headers = {
        "host": "testserver",
        "content-type": "application/x-www-form-urlencoded",
        "transfer-encoding": "chunked",
    }

    status, _, _ = post("/api/websub/hub", body[:30], body[30:], **headers)

    assert status == (413 if length else 202)


@pytest.mark.parametrize("method", ["get", "head", "put", "patch", "delete"])
def test_other_methods_are_refused_with_allow(client, method):
    answer = getattr(client, method)("/api/websub/hub")
    assert answer.status_code == 405
    assert answer["Allow"] == "POST, OPTIONS"
    assert answer["Content-Type"] == "text/plain; charset=utf-8"


def test_hubs_as_callbacks_are_refused(client):
    answer = send(client, FORM, HTTP_USER_AGENT="Reviews-Hub/1.0 (+https://other.example)")
    assert refused(answer, 403) == "A hub cannot subscribe at a hub."


def test_task_is_enqueued_after_commit(client, enqueued_tasks, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        send(client, FORM)
        assert enqueued_tasks == []

    assert enqueued_tasks == ["verify_due"]


@pytest.mark.parametrize(
    ("addresses", "status"),
    [
        (["10.1.2.3"], 202),
        (["10.1.2.3", "10.1.2.4"], 202),
        (["::ffff:10.1.2.3"], 202),
        (["8.8.8.8"], 400),
        (["10.1.2.3", "192.168.0.1"], 400),
        (["fe80::1%eth0"], 400),
        ([], 400),
    ],
)
def test_reserved_name_is_accepted_in_allowed_network(
    client, settings, monkeypatch, addresses, status
):
    settings.WEBSUB_ALLOWED_NETWORKS = ["10.0.0.0/8"]
    lookups = []

    def resolve(host, port, **kwargs):
        lookups.append((host, port))
        if not addresses:
            raise socket.gaierror(socket.EAI_NONAME, "unknown")
        return [(None, None, None, "", (address, port)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)

    answer = send(client, FORM | {"hub.callback": "https://hooks.internal:8443/cb"})

    assert lookups == [("hooks.internal", 8443)]
    if status == 202:
        assert answer.status_code == 202
    else:
        assert "reserved host name" in refused(answer, 400)


def test_refused_request_is_logged(client, caplog):
    caplog.set_level("INFO", "websub")

    send(
        client, FORM | {"hub.callback": "http://hooks.example.com/capability", "hub.secret": "s3c"}
    )

    [line] = caplog.messages
    assert line == "Refused a request to the hub with 400: hub.callback must be an https URL."


def test_subscription_to_former_topic_can_be_ended_but_not_started(client):
    former = "https://former.example/feed.xml"
    make_subscription(callback=CALLBACK, topic=former)

    begun = send(client, FORM | {"hub.topic": former})
    assert "hub.topic must be one of" in refused(begun, 400)
    unknown = {"hub.topic": former, "hub.callback": f"{CALLBACK}2", "hub.mode": "unsubscribe"}
    assert "hub.topic must be one of" in refused(send(client, FORM | unknown), 400)
    assert send(client, FORM | {"hub.topic": former, "hub.mode": "unsubscribe"}).status_code == 202

    assert Verification.objects.get().topic == former
