"""Verification of intent (WebSub 5.3) over real TLS."""

import datetime as dt
import gzip
import re
import time

import pytest
from django.utils import timezone

from guarded_http import client
from tests.websub.conftest import FEED
from tests.websub.rows import make_subscription, make_verification
from tests.websub.sinks import echo
from websub import verification
from websub.models import Subscription, Verification
from websub.secrets import decrypt
from websub.verification import claim, record_verifications, verify

pytestmark = pytest.mark.django_db


def differs(how):
    must = "It must be the value of hub.challenge and nothing else, as plain text."
    return f"The callback answered with {how}. {must}"


def test_confirmed_verification_starts_subscription(sink, publish, ask):
    publish()
    publish()
    callback = sink.url("?user=%7E1&hub.mode=mine")
    ask("subscribe", callback, secret="s3cret", lease_seconds="7200")
    before = timezone.now()

    verify()

    (request,) = sink.gets(callback)
    target = re.fullmatch(
        r"/callback-\d+\?user=%7E1&hub\.mode=mine&hub\.mode=subscribe"
        r"&hub\.topic=https%3A%2F%2Freviews\.example%2Ffeed\.xml"
        r"&hub\.challenge=([A-Za-z0-9_-]{43})&hub\.lease_seconds=7200",
        request.target,
    )
    assert target
    assert request.headers["User-Agent"] == "Reviews-Hub/1.0 (+https://reviews.example)"
    live = Subscription.objects.get()
    assert (live.callback, live.topic, live.lease_seconds) == (callback, FEED, 7200)
    assert decrypt(live.encrypted_secret) == "s3cret"
    assert live.acknowledged_version == 2  # What is published now.
    lease = live.expires_at - before
    assert dt.timedelta(seconds=7200) <= lease < dt.timedelta(seconds=7205)
    done = Verification.objects.get()
    assert (done.state, done.attempts, done.last_status) == ("confirmed", 1, 200)
    assert done.encrypted_secret == ""
    assert target[1] not in str(Verification.objects.values().get())


def test_lease_begins_with_verification_request(allow_loopback):
    make_verification(lease_seconds=7200)
    (row,) = claim(1)
    before = timezone.now()

    requested_at = time.monotonic() - 8
    record_verifications(
        [verification.VerificationResult(row, client.Outcome(200), requested_at, is_confirmed=True)]
    )

    lease = Subscription.objects.get().expires_at - before
    assert dt.timedelta(seconds=7191) < lease < dt.timedelta(seconds=7197)


BODIES = {
    "another text than the challenge": [lambda r: b"no", lambda r: gzip.compress(echo(r))],
    "white space around the challenge": [lambda r: echo(r) + b"\n"],
    "more than the challenge": [lambda r: b"\xef\xbb\xbf" + echo(r), lambda r: echo(r) * 1000],
    "an empty body": [lambda r: b""],
}


@pytest.mark.parametrize("mode", ["subscribe", "unsubscribe"])
@pytest.mark.parametrize(
    ("manners", "error"),
    [
        ({"verify_status": 404}, "The callback answered 404."),
        ({"verify_status": 302}, "The callback redirected (302); redirects are not followed."),
        *(({"verify_body": body}, differs(how)) for how, all_ in BODIES.items() for body in all_),
    ],
)
def test_other_response_is_final_and_keeps_live_subscription(  # noqa: PLR0917
    sink, ask, clock, mode, manners, error
):
    callback = sink.url(**manners)
    make_subscription(callback=callback, secret="old", consecutive_failures=1)
    before = Subscription.objects.values().get()
    ask(mode, callback, secret="new", lease_seconds="3600")

    verify()
    clock.shift(3600)
    verify()

    assert len(sink.gets(callback)) == 1
    assert Subscription.objects.values().get() == before
    done = Verification.objects.get()
    assert (done.state, done.last_error, done.encrypted_secret) == ("refused", error, "")


def test_topic_is_repeated_verbatim(sink, publish, ask):
    publish()
    callback = sink.url()
    ask("subscribe", callback, topic="https://reviews.example/feed%2Exml")

    verify()

    (request,) = sink.gets(callback)
    assert "hub.topic=https%3A%2F%2Freviews.example%2Ffeed%252Exml" in request.target
    assert Subscription.objects.get().topic == FEED


def test_unsubscription_from_former_topic_is_verified(sink, ask):
    topic = "https://former.example/feed.xml"
    kept = sink.url(verify_status=404)
    ended = sink.url()
    for callback in (kept, ended):
        make_subscription(callback=callback, topic=topic)
        assert ask("unsubscribe", callback, topic=topic).status_code == 202

    verify()

    assert sink.gets(ended)[0].query["hub.topic"] == topic
    assert Subscription.objects.get().callback == kept


def test_request_for_removed_topic_is_denied(sink, ask, settings):
    callback = sink.url()
    ask("subscribe", callback)
    settings.BASE_URL = settings.WEBSUB_BASE_URL = "https://moved.example"

    verify()
    verify()

    assert not Subscription.objects.exists()
    (denial,) = sink.gets(callback, "denied")
    assert denial.query["hub.topic"] == FEED
    assert denial.query["hub.reason"] == (
        "This hub serves its topics under https://moved.example now. Subscribe to those."
    )


# --- Renewing and ending --------------------------------------------------------------------------


def test_renewal_replaces_secret_and_lease_and_keeps_version(sink, publish, ask):
    publish()
    publish()
    callback = sink.url()
    live = make_subscription(
        callback=callback,
        secret="old",
        acknowledged_version=1,
        consecutive_failures=2,
        in_slow_queue=True,
    )
    make_subscription(secret="of another")
    others = Subscription.objects.exclude(pk=live.pk)
    before = others.values().get()
    ask("subscribe", callback, lease_seconds="7200")

    verify()

    renewed = Subscription.objects.get(pk=live.pk)
    assert others.values().get() == before
    assert renewed.encrypted_secret == ""  # A renewal may remove the secret (WebSub 5.1).
    assert renewed.lease_seconds == 7200
    assert renewed.expires_at < live.expires_at
    assert (renewed.acknowledged_version, renewed.consecutive_failures) == (1, 2)
    assert renewed.next_attempt_at == live.next_attempt_at
