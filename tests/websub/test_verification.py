"""Verification of intent (WebSub 5.3) over real TLS."""

import datetime as dt
import re
import time

import pytest
from django.utils import timezone

from tests.websub.conftest import FEED, REVIEWS
from tests.websub.rows import make_subscription, make_verification
from tests.websub.sinks import echo
from websub import verification
from websub.claims import FAST
from websub.client import Fault, Outcome
from websub.delivery import deliver
from websub.models import Subscription, Verification
from websub.secrets import decrypt
from websub.verification import claim, record_verifications, verify

pytestmark = pytest.mark.django_db


def differs(how):
    return f"The callback answered {how}. It must be the value of hub.challenge and nothing else."


NEVER_LISTENING = "https://127.0.0.1:9/callback"


def test_callback_is_asked_once_and_the_subscription_begins(sink, publish, ask):
    publish()
    publish()
    callback = sink.url("?user=%7E1&hub.mode=mine")
    ask("subscribe", callback, secret="s3cret", lease_seconds="7200")
    before = timezone.now()

    verify()

    (asked,) = sink.gets(callback)
    target = re.fullmatch(
        r"/callback-\d+\?user=%7E1&hub\.mode=mine&hub\.mode=subscribe"
        r"&hub\.topic=https%3A%2F%2Freviews\.example%2Ffeed\.xml"
        r"&hub\.challenge=([A-Za-z0-9_-]{43})&hub\.lease_seconds=7200",
        asked.target,
    )
    assert target
    assert asked.headers["User-Agent"] == "Reviews-Hub/1.0 (+https://reviews.example)"
    live = Subscription.objects.get()
    assert (live.callback, live.topic, live.lease_seconds) == (callback, FEED, 7200)
    assert decrypt(live.encrypted_secret) == "s3cret"
    assert live.acknowledged_version == 2  # What is published now; the next change is the first.
    lease = live.expires_at - before
    assert dt.timedelta(seconds=7200) <= lease < dt.timedelta(seconds=7205)
    done = Verification.objects.get()
    assert (done.state, done.attempts, done.last_status) == ("confirmed", 1, 200)
    assert done.encrypted_secret == ""
    assert target[1] not in str(Verification.objects.values().get())


def test_change_since_the_request_is_delivered(sink, publish, ask):
    publish()
    callback = sink.url()
    ask("subscribe", callback)
    publish()

    verify()
    deliver(FAST)

    assert sink.bodies(callback) == [b"<feed>version 2</feed>"]


def test_lease_begins_when_the_callback_was_asked_and_not_when_it_had_answered(on_loopback):
    make_verification(lease_seconds=7200)
    (row,) = claim(1)
    before = timezone.now()

    asked_at = time.monotonic() - 8
    record_verifications(
        [verification.VerificationResult(row, CONFIRMED, asked_at, is_confirmed=True)]
    )

    lease = Subscription.objects.get().expires_at - before
    assert dt.timedelta(seconds=7191) < lease < dt.timedelta(seconds=7197)


def test_challenge_is_another_each_time(sink, publish, ask):
    publish()
    callback = sink.url()
    for _ in range(2):
        ask("subscribe", callback)
        verify()

    challenges = {received.query["hub.challenge"] for received in sink.gets(callback)}
    assert len(challenges) == 2


@pytest.mark.parametrize("status", [200, 201, 202, 299])
def test_any_2xx_with_the_challenge_confirms(sink, publish, ask, status):
    ask("subscribe", sink.url(verify_status=status))

    verify()

    assert Subscription.objects.count() == 1


@pytest.mark.parametrize(
    ("manners", "error"),
    [
        ({"verify_status": 404}, "The callback answered 404."),
        ({"verify_status": 500}, "The callback answered 500."),
        (
            {"verify_status": 302},
            "The callback redirected (302); redirects are not followed.",
        ),
        ({"verify_body": lambda r: b"no"}, differs("with another text than the challenge")),
        (
            {"verify_body": lambda r: echo(r) + b"\n"},
            differs("with a line break after the challenge"),
        ),
        (
            {"verify_body": lambda r: b" " + echo(r)},
            differs("with white space around the challenge"),
        ),
        ({"verify_body": lambda r: b""}, differs("with an empty body")),
        (
            {"verify_body": lambda r: echo(r) * 1000},
            differs("with more than the challenge"),
        ),
        (
            {"verify_body": lambda r: b"abc", "headers": {"Content-Encoding": "br"}},
            differs("with a compressed body (br), although the request accepts identity alone"),
        ),
    ],
)
def test_any_other_answer_is_final(sink, ask, clock, manners, error):
    callback = sink.url(**manners)
    ask("subscribe", callback, secret="s3cret")

    verify()
    clock.shift(3600)
    verify()

    assert len(sink.gets(callback)) == 1
    assert not Subscription.objects.exists()
    done = Verification.objects.get()
    assert (done.state, done.last_error, done.encrypted_secret) == ("refused", error, "")


def test_failed_verification_leaves_a_line_in_the_log(sink, ask, caplog):
    caplog.set_level("INFO", "websub.verification")
    ask("subscribe", sink.url(verify_status=404))

    verify()

    [line] = caplog.messages
    assert line == (
        f"The request to subscribe {FEED} at 127.0.0.1 came to nothing: The callback answered 404."
    )


def test_redirect_is_not_followed(sink, ask):
    target = sink.url()
    callback = sink.url(verify_status=302, headers={"Location": target})
    ask("subscribe", callback)

    verify()

    assert sink.gets(target) == []
    assert Verification.objects.get().state == "refused"


def test_topic_is_repeated_as_it_was_sent(sink, publish, ask):
    publish()
    callback = sink.url()
    ask("subscribe", callback, topic="https://reviews.example/feed%2Exml")

    verify()

    (asked,) = sink.gets(callback)
    assert "hub.topic=https%3A%2F%2Freviews.example%2Ffeed%252Exml" in asked.target
    assert Subscription.objects.get().topic == FEED


def test_verify_token_is_repeated_and_then_forgotten(sink, ask):
    callback = sink.url()
    ask("subscribe", callback, verify_token="t&k=n \u00e9")

    verify()

    (asked,) = sink.gets(callback)
    assert asked.target.endswith("&hub.lease_seconds=864000&hub.verify_token=t%26k%3Dn%20%C3%A9")
    done = Verification.objects.get()
    assert (done.state, done.verify_token) == ("confirmed", "")


def test_verification_without_a_verify_token_has_none(sink, ask):
    callback = sink.url()
    ask("subscribe", callback)

    verify()

    assert "hub.verify_token" not in sink.gets(callback)[0].query


@pytest.mark.parametrize(
    ("before", "asked", "after"),
    [
        (None, "", ""),
        (None, "sha1", "sha1"),
        ("", "sha512", "sha512"),
        ("sha1", "", "sha1"),  # An administrator's choice outlives renewals that name none.
        ("sha1", "sha256", "sha256"),
    ],
)
def test_renewal_keeps_the_signature_method_unless_it_names_one(sink, ask, before, asked, after):
    callback = sink.url()
    if before is not None:
        make_subscription(callback=callback, signature_method=before)
    ask("subscribe", callback, **({"signature_method": asked} if asked else {}))

    verify()

    assert Subscription.objects.get().signature_method == after


def test_unsubscription_from_a_former_topic_is_verified_and_ends_it(sink, ask):
    topic = "https://former.example/feed.xml"
    kept = sink.url(verify_status=404)
    ended = sink.url()
    for callback in (kept, ended):
        make_subscription(callback=callback, topic=topic)
        assert ask("unsubscribe", callback, topic=topic).status_code == 202

    verify()

    assert sink.gets(ended)[0].query["hub.topic"] == topic
    assert Subscription.objects.get().callback == kept


def test_request_whose_topic_is_not_served_any_more_is_denied(sink, ask, settings):
    callback = sink.url()
    ask("subscribe", callback)
    settings.BASE_URL = "https://moved.example"

    verify()
    verify()

    assert not Subscription.objects.exists()
    (told,) = sink.gets(callback, "denied")
    assert told.query["hub.topic"] == FEED
    assert told.query["hub.reason"] == (
        "This hub serves its topics under https://moved.example now. Subscribe to those."
    )


# --- Renewing and ending --------------------------------------------------------------------------


def test_renewal_replaces_secret_and_lease_and_goes_on_where_it_was(sink, publish, ask):
    publish()
    publish()
    callback = sink.url()
    live = make_subscription(
        callback=callback,
        secret="old",
        acknowledged_version=1,
        consecutive_failures=2,
        is_slow=True,
    )
    make_subscription(secret="of another", suspended_reason="A fault of ours.")
    others = Subscription.objects.exclude(pk=live.pk)
    before = others.values().get()
    ask("subscribe", callback, lease_seconds="7200")

    verify()

    renewed = Subscription.objects.get(pk=live.pk)
    assert others.values().get() == before
    assert renewed.encrypted_secret == ""  # A renewal may drop the secret (WebSub 5.1).
    assert renewed.lease_seconds == 7200
    assert renewed.expires_at < live.expires_at
    assert (renewed.acknowledged_version, renewed.consecutive_failures) == (1, 2)
    assert renewed.next_attempt_at == live.next_attempt_at


def test_renewal_tries_again_what_a_fault_of_ours_had_set_aside(sink, ask):
    callback = sink.url()
    make_subscription(callback=callback, suspended_reason="Secret lost.", hub_errors=5)
    ask("subscribe", callback)

    verify()

    renewed = Subscription.objects.get()
    assert (renewed.suspended_reason, renewed.hub_errors) == ("", 0)


@pytest.mark.parametrize("mode", ["subscribe", "unsubscribe"])
@pytest.mark.parametrize("manners", [{"verify_status": 404}, {"verify_body": lambda r: b"no"}])
def test_failed_verification_leaves_the_live_subscription_as_it_was(sink, ask, mode, manners):
    callback = sink.url(**manners)
    make_subscription(callback=callback, secret="old", consecutive_failures=1)
    before = Subscription.objects.values().get()
    ask(mode, callback, secret="new", lease_seconds="3600")

    verify()

    assert Subscription.objects.values().get() == before


def test_verified_unsubscription_ends_this_pair_alone(sink, ask):
    callback = sink.url()
    make_subscription(callback=callback)
    other = make_subscription(callback=callback, topic=REVIEWS)
    ask("unsubscribe", callback)

    verify()

    assert Subscription.objects.get() == other
    (asked,) = sink.gets(callback, "unsubscribe")
    assert set(asked.query) == {"hub.mode", "hub.topic", "hub.challenge", "hub.lease_seconds"}


def test_unsubscription_of_what_only_waited_leaves_nothing(sink, ask):
    callback = sink.url()
    for mode in ("subscribe", "unsubscribe"):
        ask(mode, callback)

    verify()

    assert Verification.objects.get().state == "confirmed"
    assert not Subscription.objects.exists()


def test_subscription_that_has_ended_begins_anew(sink, publish, ask):
    publish()
    callback = sink.url()
    make_subscription(callback=callback, consecutive_failures=2, expires_at=timezone.now())
    ask("subscribe", callback)

    verify()

    fresh = Subscription.objects.get()
    assert (fresh.consecutive_failures, fresh.acknowledged_version) == (0, 1)


# --- Faults ---------------------------------------------------------------------------------------


def test_callback_that_is_not_reached_is_tried_three_times_in_all(
    on_loopback, ask, settings, time_machine
):
    settings.WEBSUB_VERIFY_RETRY_SECONDS = (30.0, 300.0)
    settings.HUB_ALLOWED_PORTS = "9"
    time_machine.move_to("2026-05-01T12:00:00Z", tick=False)
    ask("subscribe", NEVER_LISTENING)
    seen = []
    for wait in (0, 29, 1, 299, 1, 3600):
        time_machine.shift(wait)
        verify()
        waiting = Verification.objects.get()
        seen.append((waiting.attempts, waiting.state))

    assert seen == [
        (1, "pending"),
        (1, "pending"),
        (2, "pending"),
        (2, "pending"),
        (3, "failed"),
        (3, "failed"),
    ]
    assert "could not be connected to" in Verification.objects.get().last_error


def test_without_retries_the_first_failure_is_the_last(on_loopback, ask, settings):
    settings.WEBSUB_VERIFY_RETRY_SECONDS = ()
    settings.HUB_ALLOWED_PORTS = "9"
    ask("subscribe", NEVER_LISTENING)

    verify()

    assert Verification.objects.get().state == "failed"


def test_callback_that_is_up_again_is_verified_after_all(sink, ask, settings, monkeypatch):
    settings.WEBSUB_VERIFY_RETRY_SECONDS = (0.0,)
    callback = sink.url()
    ask("subscribe", callback)
    with monkeypatch.context() as patch:
        patch.setattr(
            verification,
            "verify_intent",
            lambda v: _asked(v, Outcome(None, "Down.", Fault.CALLBACK)),
        )
        record_verifications([verification.verify_intent(v) for v in claim(1)])
    assert not Subscription.objects.exists()

    verify()

    assert Subscription.objects.count() == 1


def test_fault_of_ours_uses_up_no_try(on_loopback, ask):
    ask("subscribe", "https://hooks.example.com/cb")

    for _ in range(5):
        Verification.objects.update(next_attempt_at=timezone.now())
        record_verifications(
            [_asked(v, Outcome(None, "Resolver down.", Fault.OURS)) for v in claim(1)]
        )

    waiting = Verification.objects.get()
    assert (waiting.state, waiting.attempts) == ("pending", 0)
    assert waiting.last_error == "Resolver down."
    assert waiting.next_attempt_at > timezone.now()


def test_error_in_our_own_code_stops_neither_the_row_nor_the_others(sink, ask, monkeypatch):
    ask("subscribe", sink.url())
    ask("subscribe", sink.url())
    bad = Verification.objects.earliest("pk").pk
    real = verification.verify_intent

    def fail(row):
        if row.pk == bad:
            raise RuntimeError("bug")
        return real(row)

    monkeypatch.setattr(verification, "verify_intent", fail)

    verify()

    assert Subscription.objects.count() == 1
    assert Verification.objects.get(pk=bad).state == "pending"


def _asked(row, outcome, *, confirmed=False):
    return verification.VerificationResult(row, outcome, time.monotonic(), is_confirmed=confirmed)


CONFIRMED = Outcome(200, body=b"challenge")


# --- Claims ---------------------------------------------------------------------------------------


def test_request_is_claimed_by_one_worker(on_loopback):
    make_verification()

    assert len(claim(10)) == 1
    assert claim(10) == []


def test_claim_ends_by_itself(on_loopback, clock):
    make_verification()
    claim(10)

    clock.shift(21)

    assert len(claim(10)) == 1


def test_late_answer_of_a_frozen_worker_counts_no_more(on_loopback, clock):
    make_verification()
    (frozen,) = claim(1)
    clock.shift(21)
    (mine,) = claim(1)

    record_verifications([_asked(frozen, Outcome(404))])
    assert Verification.objects.get().state == "pending"

    record_verifications([_asked(mine, CONFIRMED, confirmed=True)])
    assert Subscription.objects.count() == 1


def test_answer_to_a_replaced_request_counts_no_more(on_loopback, ask, settings):
    callback = "https://hooks.example.com/cb"
    ask("subscribe", callback, secret="first")
    (asked_before,) = claim(1)
    ask("subscribe", callback, secret="second")

    record_verifications([_asked(asked_before, CONFIRMED, confirmed=True)])

    assert not Subscription.objects.exists()
    assert decrypt(Verification.objects.get(state="pending").encrypted_secret) == "second"


def test_answer_to_an_unsubscription_that_was_replaced_ends_nothing(on_loopback, ask):
    callback = "https://hooks.example.com/cb"
    make_subscription(callback=callback)
    ask("unsubscribe", callback)
    (asked_before,) = claim(1)
    ask("subscribe", callback)

    record_verifications([_asked(asked_before, CONFIRMED, confirmed=True)])

    assert Subscription.objects.get().callback == callback
    assert Verification.objects.get(state="pending").mode == "subscribe"


# --- Denials --------------------------------------------------------------------------------------


def test_denial_is_told_until_the_callback_has_heard_it(sink, settings, clock):
    settings.WEBSUB_VERIFY_RETRY_SECONDS = (30.0, 300.0)
    callback = sink.url()
    Verification.objects.queue_denials([make_subscription(callback=callback)], "No more.")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            verification,
            "verify_intent",
            lambda v: _asked(v, Outcome(None, "Down.", Fault.CALLBACK)),
        )
        verify()
    assert Verification.objects.get().state == "pending"

    clock.shift(31)
    verify()
    clock.shift(3600)
    verify()

    (told,) = sink.gets(callback)
    assert told.query == {"hub.mode": "denied", "hub.topic": FEED, "hub.reason": "No more."}
    assert (Verification.objects.get().state, Subscription.objects.count()) == ("told", 1)


def test_who_has_asked_anew_is_not_told_of_a_denial(sink, ask):
    callback = sink.url()
    live = make_subscription(callback=callback)
    ask("subscribe", callback)
    Verification.objects.queue_denials([live], "No more.")

    verify()

    assert sink.gets(callback, "denied") == []
    assert len(sink.gets(callback, "subscribe")) == 1


def test_request_takes_the_place_of_a_denial_that_was_not_told_yet(sink, ask):
    callback = sink.url()
    Verification.objects.queue_denials([make_subscription(callback=callback)], "No more.")
    Subscription.objects.all().delete()
    ask("subscribe", callback)

    verify()

    assert sink.gets(callback, "denied") == []
    assert Subscription.objects.get().callback == callback
