"""Work on connections: killed workers, a failing broker, claims, and growth."""

import datetime as dt
import subprocess
import sys
import threading

import pytest
from django.core.management import call_command
from django.db import connection as database
from django.utils import timezone

from imports.models import ImportBatch
from reviews.models import Review
from sources import polling, runs, schedule, services, tasks
from sources.client import TOTAL_SECONDS
from sources.models import POLL_LABEL, SourceConnection, SourceRun
from sources.tasks import CHANGED_DAYS, OTHER_DAYS, purge_runs
from tests.administration import change_url
from tests.sources.rows import entries, make_connection, make_form, make_url_connection, post
from tests.sources.servers import Reply, conditional, in_sequence

pytestmark = pytest.mark.django_db(transaction=True)


class Killed(BaseException):
    """Ends a worker's process, so that none of its code runs afterwards."""


def kill_at(monkeypatch, module, name):
    """Kill the worker when it calls this function for the first time."""
    real = getattr(module, name)
    left = [Killed()]

    def killed_once(*args, **kwargs):
        if left:
            raise left.pop()
        return real(*args, **kwargs)

    monkeypatch.setattr(module, name, killed_once)


@pytest.mark.parametrize(
    "step",
    [
        (runs, "import_claimed"),  # Between storing and importing.
        (runs, "_preview"),
        (runs.import_services, "upload"),
        (runs.import_services, "run_now"),
        (runs.import_services, "apply"),
        (runs, "finish"),
        (runs, "end"),
    ],
)
def test_worker_killed_at_any_step_loses_nothing(maker, fetch_due, clock, monkeypatch, step):
    connection = make_url_connection(maker)
    maker.reply = conditional(entries(3))
    kill_at(monkeypatch, *step)
    with pytest.raises(Killed):
        fetch_due()
    connection.refresh_from_db()
    assert SourceRun.objects.get().state == "stored"
    assert connection.claim_token

    clock.shift(schedule.IMPORT_CLAIM_SECONDS + 1)
    tasks.process_due()

    assert Review.objects.count() == 3
    assert SourceRun.objects.get().state == "imported"
    assert ImportBatch.objects.get().state == "applied"
    assert len(maker.requests) == 1


def test_worker_killed_before_storing_fetches_again_soon(maker, fetch_due, clock, monkeypatch):
    make_url_connection(maker)
    maker.reply = conditional(entries(3))
    kill_at(monkeypatch, polling, "_record_poll")
    with pytest.raises(Killed):
        fetch_due()
    assert not SourceRun.objects.exists()

    clock.shift(TOTAL_SECONDS + 20)
    tasks.process_due()

    assert Review.objects.count() == 3
    assert [r.headers.get("If-None-Match") for r in maker.requests] == [None, None]


def test_unreachable_broker_delays_push_until_sweep(allow_local_sources, client, monkeypatch):
    connection = make_connection("push")

    def publish(*args, **kwargs):
        raise OSError("no broker")

    monkeypatch.setattr("celery.app.task.Task.apply_async", publish)

    response = post(client, connection, entries(2))

    assert response.status_code == 202
    call_command("sweep")
    assert Review.objects.count() == 2


def test_only_one_of_several_workers_fetches_source(maker, clock):
    make_url_connection(maker)
    maker.reply = conditional(entries(3))

    def work() -> None:
        polling.poll_due()
        database.close()

    workers = [threading.Thread(target=work) for _ in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert len(maker.requests) == 1
    assert ImportBatch.objects.count() == 1


def test_result_of_worker_with_lost_claim_is_discarded(maker, clock, fetch_due):
    connection = make_url_connection(maker)

    def reply(requested):
        # An administrator has changed the settings meanwhile.
        SourceConnection.objects.update(claimed_until=None, claim_token="")
        database.close()
        return Reply(entries(3), headers={"ETag": '"old"'})

    maker.reply = reply

    fetch_due()

    connection.refresh_from_db()
    assert not SourceRun.objects.exists()
    assert connection.fetch_state == {}


def test_changed_settings_reset_next_fetch(maker, fetch_due):
    connection = make_url_connection(maker)
    maker.reply = conditional(entries(3))
    fetch_due()
    connection.refresh_from_db()
    form = make_form("url", {"address": maker.url("/other.json")})
    assert form.is_valid()

    services.save_connection(connection, form)
    fetch_due(0)

    assert [r.target for r in maker.requests] == ["/r.json", "/other.json"]
    assert "If-None-Match" not in maker.requests[1].headers


@pytest.mark.parametrize(
    ("token", "looks"), [(f"{POLL_LABEL}of another worker", 0), ("an import's", 1)]
)
def test_slow_fetches_leave_threads_and_imports_do_not_delay_fetches(maker, token, looks):
    for number in range(polling.CONCURRENT_POLLS):
        make_url_connection(maker, f"/{number}")
    soon = timezone.now() + dt.timedelta(minutes=1)
    SourceConnection.objects.update(claimed_until=soon, claim_token=token)
    make_url_connection(maker, "/next")

    assert polling.poll_due() == looks


def test_source_whose_results_cannot_be_stored_is_fetched_less_often(
    maker, fetch_due, clock, monkeypatch
):
    from django.db import OperationalError

    make_url_connection(maker)
    maker.reply = Reply(entries(3))

    def full(*args, **kwargs):
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(polling, "_record_poll", full)
    for _ in range(6 * 60):
        fetch_due(10)

    assert len(maker.requests) <= 10

    monkeypatch.undo()
    fetch_due(3600)
    assert Review.objects.count() == 3


@pytest.fixture
def killed_readers(monkeypatch):
    """Kill readers before they answer. Return how many were started."""
    start, started = subprocess.Popen, []

    def killed(command, **options):
        started.append(command)
        code = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
        return start([sys.executable, "-c", code], **options)

    monkeypatch.setattr(subprocess, "Popen", killed)
    return started


def test_rejected_content_stays_an_error_until_it_changes(maker, fetch_due, client, admin_user):
    connection = make_url_connection(maker)
    bad = [Reply(b"no reviews", headers={"ETag": '"1"'})] * 3
    maker.reply = in_sequence(*bad, Reply(status=304), Reply(b"no reviews"), Reply(entries(3)))
    for _ in range(5):
        fetch_due()

    connection.refresh_from_db()
    assert "set aside" in connection.last_error
    button = connection.last_error.partition("“")[2].partition("”")[0]
    client.force_login(admin_user)
    assert f">{button}</button>" in client.get(change_url(connection)).content.decode()
    assert SourceRun.objects.count() == 3
    fetch_due()
    connection.refresh_from_db()
    assert (connection.last_error, Review.objects.count()) == ("", 3)


def test_import_that_kills_its_readers_waits_for_decision(maker, clock, request):
    make_url_connection(maker)
    maker.reply = Reply(entries(3))
    apply = runs.import_services.apply

    def killing(batch, **given):
        request.getfixturevalue("killed_readers")
        apply(batch, **given)

    request.getfixturevalue("monkeypatch").setattr(runs.import_services, "apply", killing)
    for _ in range(6):
        clock.shift(120)
        tasks.process_due()

    run = SourceRun.objects.get()
    assert (run.state, "3 times" in run.reasons[0]) == ("waiting", True)
    assert len(request.getfixturevalue("killed_readers")) == 3


def test_next_fetch_leaves_time_for_sweep_and_import(maker, fetch_due):
    connection = make_url_connection(maker, interval_seconds=100)
    maker.reply = Reply(entries(3))

    fetch_due()

    connection.refresh_from_db()
    wait = connection.next_look_at - connection.last_look_at
    assert 90 <= wait.total_seconds() <= 95


def test_old_runs_are_purged_without_their_batches(maker, fetch_due, clock):
    make_url_connection(maker)
    maker.reply = in_sequence(Reply(entries(3)), Reply(b"no reviews"))
    fetch_due()
    fetch_due()
    assert SourceRun.objects.count() == 2

    clock.shift(dt.timedelta(days=OTHER_DAYS + 1))
    purge_runs()
    assert SourceRun.objects.count() == 1
    clock.shift(dt.timedelta(days=CHANGED_DAYS))
    purge_runs()
    assert not SourceRun.objects.exists()

    assert ImportBatch.objects.exclude(state="refused").count() == 1
    assert Review.objects.count() == 3
