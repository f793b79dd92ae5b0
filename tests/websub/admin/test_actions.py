import datetime as dt

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User

from publishing.models import Document
from tests.administration import change_url
from tests.websub.admin.pages import CALLBACK, NOW, SUBSCRIPTIONS, act, hub_page_html
from tests.websub.rows import TOPIC, make_attempt, make_subscription
from websub.models import Attempt, Subscription, Verification

pytestmark = pytest.mark.django_db

FORMER_TOPIC = "https://former.example/feed.xml"


ROWS = {
    "with errors of ours": {"acknowledged_version": 3, "consecutive_failures": 2, "hub_errors": 5},
    "behind": {"acknowledged_version": 6},
    "current": {"acknowledged_version": 7},
    "over": {"expires_at": NOW},
    "former": {"topic": FORMER_TOPIC},
}
RESUMED = {"next_attempt_at": NOW, "hub_errors": 0}


SENDS = ["deliver_due", "deliver_slow_due"]
# The rows that an action changes, their new values, the message and the tasks.
EFFECTS = {
    "retry_now": (
        ["with errors of ours", "behind"],
        RESUMED,
        [
            "2 subscriptions: what is due goes out now.",
            "3 subscriptions: nothing is due.",
            'newest content" sends what they have once more',
        ],
        SENDS,
    ),
    "resend_newest": (
        ["with errors of ours", "behind", "current"],
        RESUMED,
        [
            "3 subscriptions: the newest content is delivered once more",
            "2 subscriptions: nothing is sent: their lease is over",
        ],
        SENDS,
    ),
    "send_test": (
        ["with errors of ours", "behind", "current"],
        {"test_requested_at": NOW},
        [
            "3 subscriptions: the newest content is sent once as a test",
            "2 subscriptions: nothing is sent",
        ],
        ["deliver_slow_due"],
    ),
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("action", EFFECTS)
def test_action_changes_and_counts_matching_rows(admin_client, enqueued_tasks, action):
    changed, values, sentences, tasks = EFFECTS[action]
    Document.objects.create(path="/feed.xml", version=7)
    later = NOW + dt.timedelta(hours=1)
    rows = {name: make_subscription(**{"next_attempt_at": later} | of) for name, of in ROWS.items()}
    before = {name: Subscription.objects.values().get(pk=row.pk) for name, row in rows.items()}

    page = act(admin_client, action, *rows.values())

    for name, row in rows.items():
        expected = before[name] | (values if name in changed else {})
        if action == "resend_newest" and name == "current":
            expected["acknowledged_version"] = 6
        assert Subscription.objects.values().get(pk=row.pk) == expected, name
    assert [words for words in sentences if words not in page] == []
    assert enqueued_tasks == tasks
    waits = '<div class="readonly">about to be sent</div>' in hub_page_html(
        admin_client, change_url(rows["behind"])
    )
    assert waits == (action == "send_test")


# --- Orphaned subscriptions -----------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_filtered_orphans_are_removed_after_confirmation(admin_client, enqueued_tasks):
    kept = make_subscription()
    first, *_ = (make_subscription(topic=FORMER_TOPIC) for _ in range(5))
    form = {"action": "remove", "_selected_action": first.pk, "select_across": "1"}

    question = admin_client.post(f"{SUBSCRIPTIONS}?state=orphaned", form).content.decode()
    assert "Remove 5 subscriptions" in question
    assert '<input type="hidden" name="select_across" value="1">' in question
    assert Subscription.objects.count() == 6

    form["confirmed"] = "yes"
    page = admin_client.post(f"{SUBSCRIPTIONS}?state=orphaned", form, follow=True).content.decode()

    assert "5 subscriptions: removed" in page
    assert Subscription.objects.get() == kept
    denials = Verification.objects.filter(mode="denied", reason__contains="https://reviews.example")
    assert denials.count() == 5


@pytest.mark.django_db(transaction=True)
def test_removal_is_confirmed_and_notifies_callback(admin_client, enqueued_tasks):
    row, other = make_subscription(callback=CALLBACK), make_subscription()
    make_attempt(subscription=row)

    question = act(admin_client, "remove", row)
    assert "hooks.tern.example follows" in question
    assert "capability" not in question
    assert Subscription.objects.count() == 2

    page = act(admin_client, "remove", row, confirmed="yes")

    assert list(Subscription.objects.all()) == [other]
    assert Attempt.objects.get().subscription is None
    denial = Verification.objects.get()
    assert (denial.callback, denial.topic_as_sent, denial.mode) == (CALLBACK, TOPIC, "denied")
    assert denial.reason == "An administrator of this hub removed the subscription."
    assert enqueued_tasks == ["verify_due"]
    assert "1 subscription: removed" in page
    assert "capability" not in LogEntry.objects.get().object_repr


ACTIONS = ("retry_now", "send_test", "resend_newest", "remove")


def test_test_deliveries_are_limited_in_rows(admin_client, monkeypatch):
    monkeypatch.setattr("websub.admin.MAX_TESTS", 2)
    rows = [make_subscription() for _ in range(3)]

    page = act(admin_client, "send_test", *rows)

    assert "Choose at most 2 subscriptions at a time." in page
    assert Subscription.objects.filter(test_requested_at=None).count() == 3


def test_viewer_has_no_actions(client):
    user = User.objects.create_user("eve", password="correct horse battery", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="view_subscription"))
    client.force_login(user)
    row = make_subscription(next_attempt_at=NOW + dt.timedelta(hours=1))

    page = hub_page_html(client, SUBSCRIPTIONS)
    for action in ACTIONS:
        act(client, action, row, confirmed="yes")

    assert "Retry now" not in page
    assert Subscription.objects.get().next_attempt_at > NOW
