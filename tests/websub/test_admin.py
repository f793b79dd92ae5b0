"""The hub as an administrator sees it."""

import datetime as dt
import html

import pytest
import time_machine
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.core.cache import cache
from django.urls import reverse

from config import heartbeat
from publishing.models import Document
from tests.websub.rows import TOPIC, make_attempt, make_subscription, make_verification
from websub import denials, tasks
from websub.models import Attempt, Subscription, Verification

pytestmark = pytest.mark.django_db

NOW = dt.datetime(2026, 5, 1, 10, tzinfo=dt.UTC)
SUBSCRIPTIONS = "/admin/websub/subscription/"
ATTEMPTS = "/admin/websub/attempt/"
VERIFICATIONS = "/admin/websub/verification/"
LISTS = [SUBSCRIPTIONS, ATTEMPTS, VERIFICATIONS]
CALLBACK = "https://hooks.tern.example/receive/path?token=capability"


@pytest.fixture(autouse=True)
def noon():
    cache.clear()
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def rung(monkeypatch):
    """Which doorbells rang."""
    bells = []
    for name in ("deliver_due", "deliver_slow_due", "verify_due"):
        bell = getattr(tasks, name)
        monkeypatch.setattr(bell, "ring", lambda name=name: bells.append(name))
    return bells


@pytest.fixture
def staff(client):
    """Somebody who may see and operate everything, without being a superuser."""
    user = User.objects.create_user("dana", password="correct horse battery", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(content_type__app_label="websub"))
    client.force_login(user)
    return client


def change_page(row):
    return reverse(f"admin:websub_{row._meta.model_name}_change", args=[row.pk])


def shown(client, address, status=200, **data):
    response = client.get(address, data)
    assert response.status_code == status
    return " ".join(html.unescape(response.content.decode()).split())


def act(client, action, *rows, **more):
    data = {"action": action, "_selected_action": [row.pk for row in rows], **more}
    response = client.post(SUBSCRIPTIONS, data, follow=True)
    assert response.status_code == 200
    return " ".join(html.unescape(response.content.decode()).split())


# --- The list -------------------------------------------------------------------------------------


def test_a_subscription_is_listed_with_all_that_matters(admin_client):
    Document.objects.create(path="/feed.xml", version=7)
    make_subscription(
        callback=CALLBACK,
        misses=1,
        acknowledged_version=6,
        expires_at=NOW + dt.timedelta(days=9, hours=23, minutes=5),
        next_attempt_at=NOW + dt.timedelta(minutes=4),
        last_attempt_at=NOW - dt.timedelta(seconds=61),
        last_status=500,
        last_seconds=0.25,
        last_error="The callback answered 500.",
    )

    page = shown(admin_client, SUBSCRIPTIONS)

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
        ({"misses": 2}, "failing", "10 d left", "due now"),
        ({"set_aside": "A fault of ours.", "misses": 1}, "set aside", "10 d left", "none"),
        ({"expires_at": NOW, "misses": 1}, "expired", "ended just now", "none"),
    ],
)
def test_state_lease_and_next_attempt_say_what_will_happen(
    admin_client, fields, state, lease, attempt
):
    Document.objects.create(path="/feed.xml", version=7)
    make_subscription(**fields)

    page = shown(admin_client, SUBSCRIPTIONS)

    assert f">{state}</span>" in page
    assert f">{lease}<" in page
    assert f'<td class="field-next_attempt">{attempt}</td>' in page


def test_a_fault_of_ours_is_not_shown_as_silence_of_the_callback(admin_client):
    row = make_subscription(own_faults=1, last_attempt_at=NOW, last_error="A fault of ours.")
    make_attempt(subscription=row, result="own fault", status=None, seconds=0.0)

    assert ">not sent, just now<" in shown(admin_client, SUBSCRIPTIONS)
    assert ">not sent after 0 ms<" in shown(admin_client, ATTEMPTS)


def test_a_subscription_that_was_never_tried_is_said_so(admin_client):
    make_subscription()

    page = shown(admin_client, SUBSCRIPTIONS)

    assert ">not tried yet<" in page


@pytest.mark.parametrize("state", ["active", "failing", "set aside", "expired"])
def test_the_list_is_filtered_by_state(admin_client, state):
    for name, fields in {
        "active": {},
        "failing": {"misses": 1},
        "set-aside": {"misses": 1, "set_aside": "A fault of ours."},
        "expired": {"misses": 1, "set_aside": "A fault.", "expires_at": NOW},
    }.items():
        make_subscription(callback=f"https://{name}.example/", **fields)

    page = shown(admin_client, SUBSCRIPTIONS, state=state)

    listed = [
        name
        for name in ("active", "failing", "set-aside", "expired")
        if f">{name}.example<" in page
    ]
    assert listed == [state.replace(" ", "-")]


@pytest.mark.parametrize("address", LISTS)
def test_lists_are_filtered_by_topic_and_searched_by_host(admin_client, address):
    for topic, name in ((TOPIC, "atom"), ("https://reviews.example/reviews.json", "all")):
        row = make_subscription(callback=f"https://{name}.example/", topic=topic)
        make_attempt(subscription=row)
        make_verification(callback=f"https://{name}.example/", topic=topic)

    by_topic = shown(admin_client, address, topic="/feed.xml")
    by_host = shown(admin_client, address, q="all.exam")

    assert (">atom.example<" in by_topic, ">all.example<" in by_topic) == (True, False)
    assert (">atom.example<" in by_host, ">all.example<" in by_host) == (False, True)


@pytest.mark.parametrize("address", LISTS)
@pytest.mark.parametrize(
    "query",
    ["q=%00", "state=%00", "topic=x", "subscription=%EF%BC%91", "subscription=" + "9" * 30, "p=x"],
)
def test_no_query_breaks_a_list(admin_client, address, query):
    make_attempt()

    response = admin_client.get(f"{address}?{query}", follow=True)

    assert response.status_code in {200, 400}


@pytest.mark.parametrize("address", LISTS)
def test_lists_take_the_same_few_queries_however_many_rows(
    admin_client, address, django_assert_max_num_queries
):
    for _ in range(30):
        row = make_subscription()
        make_attempt(subscription=row)
        make_verification()

    with django_assert_max_num_queries(7):
        shown(admin_client, address)


def test_rows_are_counted_no_further_than_anybody_pages(admin_client, monkeypatch):
    monkeypatch.setattr("websub.admin.lists.COUNTED_ROWS", 60)
    row = make_subscription()
    Attempt.objects.bulk_create(
        Attempt(subscription=row, topic=TOPIC, version=1, result="miss", seconds=1)
        for _ in range(200)
    )

    page = shown(admin_client, ATTEMPTS)

    assert "60 attempts" in page


# --- What is not shown ----------------------------------------------------------------------------


def test_lists_never_show_more_of_a_callback_than_its_host(admin_client):
    row = make_subscription(callback=CALLBACK)
    make_attempt(subscription=row)
    make_verification(callback=CALLBACK)

    for address in LISTS:
        page = shown(admin_client, address)
        assert "hooks.tern.example" in page
        assert "capability" not in page
        assert "/receive/path" not in page


def test_only_superusers_see_a_callback_and_nobody_a_secret(admin_client, client, staff):
    rows = [
        make_subscription(callback=CALLBACK, secret="shared secret"),
        make_verification(callback=CALLBACK, encrypted_secret="gAAAA-stored"),
    ]

    for row in rows:
        by_staff = shown(staff, change_page(row))
        by_superuser = shown(admin_client, change_page(row))
        assert CALLBACK in by_superuser
        assert "capability" not in by_staff
        assert "hooks.tern.example" in by_staff
        for page in (by_staff, by_superuser):
            assert row.encrypted_secret not in page
            assert "shared secret" not in page


@pytest.mark.parametrize(("secret", "signed"), [("shared secret", "yes"), ("", "no")])
def test_a_subscription_tells_whether_its_deliveries_are_signed(admin_client, secret, signed):
    row = make_subscription(secret=secret)

    page = shown(admin_client, change_page(row))

    assert f'<div class="readonly">{signed}</div>' in page


@pytest.mark.parametrize("address", LISTS)
@pytest.mark.parametrize(
    "lookup",
    ["callback__contains", "encrypted_secret__startswith", "subscription__callback", "key"],
)
def test_callbacks_and_secrets_cannot_be_guessed_by_filters(staff, address, lookup):
    make_attempt(subscription=make_subscription(callback=CALLBACK))

    assert staff.get(address, {lookup: "capability"}).status_code == 400


@pytest.mark.parametrize("address", LISTS)
def test_nothing_can_be_added_changed_or_deleted_by_a_form(admin_client, address):
    make_attempt(subscription=make_subscription(callback=CALLBACK))
    make_verification(callback=CALLBACK)
    model = {SUBSCRIPTIONS: Subscription, ATTEMPTS: Attempt, VERIFICATIONS: Verification}[address]
    row = model.objects.get()

    assert admin_client.get(f"{address}add/").status_code == 403
    assert admin_client.post(change_page(row), {"topic": "x"}).status_code == 403
    assert admin_client.post(f"{address}{row.pk}/delete/", {"post": "yes"}).status_code == 403
    assert model.objects.get().topic == TOPIC


def test_without_permission_there_is_nothing_to_see(client):
    user = User.objects.create_user("eve", password="correct horse battery", is_staff=True)
    client.force_login(user)

    for address in LISTS:
        assert client.get(address).status_code == 403
    assert "WebSub hub" not in shown(client, "/admin/")


# --- The rows -------------------------------------------------------------------------------------


def test_a_subscription_leads_to_its_attempts_and_verifications(admin_client):
    row = make_subscription(callback=CALLBACK)
    make_attempt(subscription=row, error="Of this one.")
    make_attempt(error="Of another one.")
    make_verification(callback=CALLBACK, last_error="Of this one.")
    make_verification(last_error="Of another one.")

    page = shown(admin_client, change_page(row))

    for address in (ATTEMPTS, VERIFICATIONS):
        assert f'href="{address}?subscription={row.pk}"' in page
        log = shown(admin_client, address, subscription=row.pk)
        assert "Of this one." in log
        assert "Of another one." not in log


@pytest.mark.parametrize("address", LISTS)
def test_sentences_and_names_never_become_markup(admin_client, address):
    hostile = "<script>alert(1)</script>"
    row = make_subscription(last_error=hostile, last_attempt_at=NOW)
    make_attempt(subscription=row, error=hostile, callback_host=hostile)
    make_verification(last_error=hostile, attempts=1)

    page = admin_client.get(address).content.decode()

    assert hostile not in page
    assert "&lt;script&gt;" in page


def test_an_attempt_tells_how_it_went(admin_client):
    make_attempt(
        result="miss", status=None, error="The callback did not answer in time.", seconds=5
    )
    make_attempt(result="own fault", error="Our name resolver did not answer.")

    page = shown(admin_client, ATTEMPTS, result="miss")

    assert ">no answer after 5.0 s<" in page
    assert ">The callback did not answer in time.<" in page
    assert ">2026-05-01 10:00:00<" in page
    assert "resolver" not in page


def test_a_verification_tells_what_waits_and_what_came_of_it(admin_client):
    make_verification(attempts=1, next_attempt_at=NOW + dt.timedelta(seconds=30))
    refused = make_verification(
        state="refused", attempts=1, last_status=404, last_error="The callback answered 404."
    )

    page = shown(admin_client, VERIFICATIONS, state="refused")

    assert ">The callback answered 404.<" in page
    assert ">once<" in page
    assert "1 verification" in page
    assert ">none<" in shown(admin_client, change_page(refused))


# --- Actions --------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_retry_now_makes_a_waiting_delivery_due_and_rings(admin_client, rung):
    later = NOW + dt.timedelta(hours=1)
    row = make_subscription(
        misses=2, next_attempt_at=later, set_aside="A fault of ours.", own_faults=5
    )
    other = make_subscription(next_attempt_at=later)
    over = make_subscription(expires_at=NOW, next_attempt_at=later)

    page = act(admin_client, "retry_now", row, over)

    row.refresh_from_db()
    assert (row.next_attempt_at, row.set_aside, row.own_faults, row.misses) == (NOW, "", 0, 2)
    assert Subscription.objects.get(pk=other.pk).next_attempt_at == later
    assert Subscription.objects.get(pk=over.pk).next_attempt_at == later
    assert "1 subscription: what is due goes out now." in page
    assert rung == ["deliver_due", "deliver_slow_due"]


@pytest.mark.django_db(transaction=True)
def test_verify_again_asks_as_the_subscriber_had_asked(admin_client, rung):
    row = make_subscription(callback=CALLBACK, secret="shared secret", lease_seconds=7200)

    page = act(admin_client, "verify_again", row)

    asked = Verification.objects.get()
    assert (asked.callback, asked.topic, asked.topic_as_sent) == (CALLBACK, TOPIC, TOPIC)
    assert (asked.mode, asked.state, asked.lease_seconds) == ("subscribe", "pending", 7200)
    assert asked.encrypted_secret == row.encrypted_secret
    assert asked.key == row.key
    assert "1 subscription: the callback is asked again" in page
    assert rung == ["verify_due"]


@pytest.mark.django_db(transaction=True)
def test_verify_again_leaves_a_request_of_the_subscriber_alone(admin_client, rung):
    row = make_subscription(callback=CALLBACK)
    make_verification(callback=CALLBACK, mode="unsubscribe")

    page = act(admin_client, "verify_again", row)

    assert Verification.objects.get().mode == "unsubscribe"
    assert "All of them wait for a verification already." in page


@pytest.mark.django_db(transaction=True)
def test_remove_asks_first_then_ends_the_subscription_and_has_its_callback_told(admin_client):
    row, other = make_subscription(callback=CALLBACK), make_subscription()
    make_attempt(subscription=row)

    question = act(admin_client, "remove", row)
    assert "hooks.tern.example follows" in question
    assert "capability" not in question
    assert Subscription.objects.count() == 2

    page = act(admin_client, "remove", row, confirmed="yes")

    assert list(Subscription.objects.all()) == [other]
    assert Attempt.objects.get().subscription is None
    told = Verification.objects.get()
    assert (told.callback, told.topic_as_sent, told.mode) == (CALLBACK, TOPIC, "denied")
    assert told.reason == "An administrator of this hub removed the subscription."
    assert "1 subscription: removed" in page
    assert "capability" not in LogEntry.objects.get().object_repr


def test_denial_shows_what_the_callback_is_told_and_no_lease(admin_client):
    denials.put_down([make_subscription()], "No more of it.")
    row = Verification.objects.get()

    page = admin_client.get(reverse("admin:websub_verification_change", args=[row.pk]))

    text = page.content.decode()
    assert "No more of it." in text
    assert "0 ms" not in text


@pytest.mark.parametrize("action", ["remove", "verify_again"])
def test_an_action_takes_so_many_rows_and_no_more(admin_client, monkeypatch, action):
    monkeypatch.setattr("websub.admin.subscriptions.ACTED_ON", 2)
    rows = [make_subscription() for _ in range(3)]

    page = act(admin_client, action, *rows, confirmed="yes")

    assert "Choose at most 2 subscriptions at a time." in page
    assert Subscription.objects.count() == 3
    assert not Verification.objects.exists()


@pytest.mark.parametrize("key", ["abc", "1\x00", "9" * 30, "-1"])
def test_chosen_rows_that_cannot_exist_are_answered_like_a_bad_filter(admin_client, key):
    for action in ("retry_now", "verify_again", "remove"):
        answer = admin_client.post(SUBSCRIPTIONS, {"action": action, "_selected_action": key})
        assert (answer.status_code, answer["Location"]) == (302, f"{SUBSCRIPTIONS}?e=1")


def test_whoever_may_only_look_is_offered_no_action(client):
    user = User.objects.create_user("eve", password="correct horse battery", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="view_subscription"))
    client.force_login(user)
    row = make_subscription(next_attempt_at=NOW + dt.timedelta(hours=1))

    page = shown(client, SUBSCRIPTIONS)
    act(client, "retry_now", row)

    assert "Retry now" not in page
    assert Subscription.objects.get().next_attempt_at > NOW


# --- The front page -------------------------------------------------------------------------------


def test_the_front_page_shows_how_the_hub_is_doing(admin_client):
    Document.objects.create(path="/feed.xml", version=7, changed_at=NOW - dt.timedelta(minutes=5))
    row = make_subscription(
        acknowledged_version=6, misses=1, next_attempt_at=NOW - dt.timedelta(hours=1)
    )
    make_subscription(acknowledged_version=7, set_aside="A fault of ours.")
    make_attempt(subscription=row, seconds=0.25)
    make_attempt(subscription=row, result="miss")
    heartbeat.beat("worker")

    page = shown(admin_client, "/admin/")

    for title, value in {
        "Active": f'<a href="{SUBSCRIPTIONS}">2</a>',
        "Failing": f'<a href="{SUBSCRIPTIONS}?state=failing">1</a>',
        "Set aside": f'<a href="{SUBSCRIPTIONS}?state=set+aside">1</a>',
        "Oldest due": "5 min",
        "Acknowledged, 24 h": f'<a href="{ATTEMPTS}?result=acknowledged">1</a>',
        "Missed, 24 h": f'<a href="{ATTEMPTS}?result=miss">1</a>',
        "Median latency": "250 ms",
        "Worker": "ok",
        "Scheduler": "absent",
    }.items():
        assert f"<dt>{title}</dt><dd>{value}</dd>" in page


def test_the_front_page_of_a_new_installation_has_nothing_to_complain_about(admin_client):
    page = shown(admin_client, "/admin/")

    assert "<dt>Oldest due</dt><dd>none</dd>" in page
