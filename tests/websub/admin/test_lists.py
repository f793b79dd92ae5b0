import datetime as dt

import pytest

from core import heartbeat
from publishing.models import Document
from tests.administration import change_url
from tests.websub.admin.pages import (
    ATTEMPTS,
    CALLBACK,
    LISTS,
    NOW,
    SUBSCRIPTIONS,
    VERIFICATIONS,
    hub_page_html,
)
from tests.websub.rows import TOPIC, make_attempt, make_subscription, make_verification
from websub.models import callback_hash

pytestmark = pytest.mark.django_db

# --- List -----------------------------------------------------------------------------------------


def test_subscription_is_listed_with_its_columns(admin_client):
    Document.objects.create(path="/feed.xml", version=7)
    make_subscription(
        callback=CALLBACK,
        consecutive_failures=1,
        acknowledged_version=6,
        expires_at=NOW + dt.timedelta(days=9, hours=23, minutes=5),
        next_attempt_at=NOW + dt.timedelta(minutes=4),
        last_attempt_at=NOW - dt.timedelta(seconds=61),
        last_status=500,
        last_seconds=0.25,
        last_error="The callback answered 500.",
    )

    page = hub_page_html(admin_client, SUBSCRIPTIONS)

    for words in (
        '>hooks.tern.example<div class="hub-small">/feed.xml</div>',
        '<span class="hub-failing">failing</span>',
        ">9 d 23 h left<",
        ">1 of 3<",
        ">500 after 250 ms, 61 s ago<",
        ">in 4 min<",
        ">The callback answered 500.<",
    ):
        assert words in page


@pytest.mark.parametrize(
    ("fields", "state", "lease", "attempt"),
    [
        ({"acknowledged_version": 7}, "active", "10 d left", "at the next change"),
        ({"acknowledged_version": 6}, "active", "10 d left", "due now"),
        ({"consecutive_failures": 2}, "failing", "10 d left", "due now"),
        ({"expires_at": NOW, "consecutive_failures": 1}, "expired", "ended just now", "none"),
        (
            {"topic": "https://former.example/feed.xml", "consecutive_failures": 1},
            "orphaned",
            "10 d left",
            "none: the topic is not served under https://reviews.example",
        ),
        (
            {"topic": "https://former.example/feed.xml", "expires_at": NOW},
            "expired",
            "ended just now",
            "none",
        ),
    ],
)
def test_state_lease_and_next_attempt_are_shown(admin_client, fields, state, lease, attempt):
    Document.objects.create(path="/feed.xml", version=7)
    make_subscription(**fields)

    page = hub_page_html(admin_client, SUBSCRIPTIONS, state=state)

    for other in {"active", "failing", "orphaned", "expired"} - {state}:
        assert '<span class="hub-' not in hub_page_html(admin_client, SUBSCRIPTIONS, state=other)
    assert f">{state}</span>" in page
    assert f">{lease}<" in page
    assert f'<td class="field-next_attempt">{attempt}</td>' in page


@pytest.mark.parametrize("address", LISTS)
def test_lists_are_filtered_by_topic_and_searched_by_host(admin_client, address):
    for topic, name in ((TOPIC, "atom"), ("https://reviews.example/reviews.json", "all")):
        row = make_subscription(callback=f"https://{name}.example/", topic=topic)
        make_attempt(subscription=row)
        make_verification(callback=f"https://{name}.example/", topic=topic)

    by_topic = hub_page_html(admin_client, address, topic="/feed.xml")
    by_host = hub_page_html(admin_client, address, q="all.exam")

    assert (">atom.example<" in by_topic, ">all.example<" in by_topic) == (True, False)
    assert (">atom.example<" in by_host, ">all.example<" in by_host) == (False, True)


@pytest.mark.parametrize("address", LISTS)
def test_rows_are_found_by_whole_callback_only(admin_client, address):
    for callback in (CALLBACK, f"{CALLBACK}2", "https://other.example/receive"):
        row = make_subscription(callback=callback)
        make_attempt(subscription=row, callback_hash=callback_hash(callback))
        make_verification(callback=callback)
    count = "1 " + {SUBSCRIPTIONS: "subscription", ATTEMPTS: "attempt"}.get(address, "verification")

    assert f"{count} " in hub_page_html(admin_client, address, q=f" {CALLBACK} ")
    assert "receive/path" not in hub_page_html(admin_client, address, q=CALLBACK).replace(
        CALLBACK, ""
    )
    for part in (CALLBACK[:-1], "https://hooks.tern.example/"):
        assert "tern.example<" not in hub_page_html(admin_client, address, q=part)


def test_log_shows_size_method_and_tests(admin_client):
    make_attempt(sent_bytes=1_234_567, signature_method="sha1", is_test=True, result="failed")
    make_attempt(sent_bytes=0, signature_method="")

    page = hub_page_html(admin_client, ATTEMPTS)

    for words in (">1.2 MB<", ">0 bytes<", ">sha1<", ">no<", ">Test: failed<", ">Acknowledged<"):
        assert words in page
    assert "Test: failed" not in hub_page_html(admin_client, ATTEMPTS, test="no")
    tests = hub_page_html(admin_client, ATTEMPTS, test="yes")
    assert (">1.2 MB<" in tests, ">0 bytes<" in tests) == (True, False)


@pytest.mark.parametrize("address", LISTS)
def test_list_queries_do_not_grow_with_rows(admin_client, address, django_assert_max_num_queries):
    for _ in range(30):
        row = make_subscription()
        make_attempt(subscription=row)
        make_verification()

    admin_client.get("/admin/")  # The first page after signing in also writes to the session.
    with django_assert_max_num_queries(9):
        hub_page_html(admin_client, address)


# --- Rows -----------------------------------------------------------------------------------------


def test_subscription_links_to_its_attempts_and_verifications(admin_client):
    row = make_subscription(callback=CALLBACK)
    make_attempt(subscription=row, error="Of this one.")
    make_attempt(error="Of another one.")
    make_verification(callback=CALLBACK, last_error="Of this one.")
    make_verification(last_error="Of another one.")

    page = hub_page_html(admin_client, change_url(row))

    for address in (ATTEMPTS, VERIFICATIONS):
        assert f'href="{address}?subscription={row.pk}"' in page
        log = hub_page_html(admin_client, address, subscription=row.pk)
        assert "Of this one." in log
        assert "Of another one." not in log


@pytest.mark.parametrize("address", LISTS)
def test_sentences_and_names_are_escaped(admin_client, address):
    hostile = "<script>alert(1)</script>"
    row = make_subscription(last_error=hostile, last_attempt_at=NOW)
    make_attempt(subscription=row, error=hostile, callback_host=hostile)
    make_verification(last_error=hostile, attempts=1)

    page = admin_client.get(address).content.decode()

    assert hostile not in page
    assert "&lt;script&gt;" in page


# --- Front page -----------------------------------------------------------------------------------


def test_front_page_shows_state_of_hub(admin_client):
    Document.objects.create(path="/feed.xml", version=7, changed_at=NOW - dt.timedelta(minutes=5))
    row = make_subscription(
        acknowledged_version=6, consecutive_failures=1, next_attempt_at=NOW - dt.timedelta(hours=1)
    )
    make_subscription(acknowledged_version=7)
    make_subscription(topic="https://former.example/feed.xml", consecutive_failures=1)
    make_attempt(subscription=row, seconds=0.25)
    make_attempt(subscription=row, seconds=9, result="failed", is_test=True)
    make_attempt(subscription=row, result="failed")
    heartbeat.beat("worker")

    page = hub_page_html(admin_client, "/admin/")

    for title, value in {
        "Active": f'<a href="{SUBSCRIPTIONS}">2</a>',
        "Orphaned": f'<a href="{SUBSCRIPTIONS}?state=orphaned">1</a>',
        "Failing": f'<a href="{SUBSCRIPTIONS}?state=failing">1</a>',
        "Oldest due": "5 min",
        "Acknowledged, 24 h": f'<a href="{ATTEMPTS}?result=acknowledged">1</a>',
        "Failed, 24 h": f'<a href="{ATTEMPTS}?result=failed">1</a>',
        "Median latency": "250 ms",
        "Worker": "ok",
        "Scheduler": "absent",
    }.items():
        assert f"<dt>{title}</dt><dd>{value}</dd>" in page
