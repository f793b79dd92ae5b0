"""Runs over many reviews, including killed ones."""

import datetime as dt
import os
import signal
import subprocess
import sys
import time

import pytest
import time_machine
from django.db import connection

from insights import refresh as refreshing
from insights.backends import RulesAnalyser
from insights.models import AnalysisRun, Artifact, ReviewAnalysis
from insights.refresh import refresh
from reviews.models import Review
from tests.factories import make_business, make_review, make_technician
from tests.insights.refresh.published import make_many, published
from tests.processes import ROOT

# Each commit is a separate change, as in production.
pytestmark = pytest.mark.django_db(transaction=True)

CLAIM = dt.timedelta(seconds=RulesAnalyser.batch_seconds)


def test_run_reports_reason_and_progress(monkeypatch):
    make_business()
    monkeypatch.setattr(refreshing, "RUN", 3)
    make_many(5)
    reported = []

    refresh(on_progress=lambda done, total: reported.append((done, total)))
    make_technician("Maren Holt")
    refresh()
    refresh(everything=True)

    runs = AnalysisRun.objects.order_by("started_at")
    assert [(run.reason, run.done, run.total) for run in runs] == [
        ("reviews", 5, 5), ("basis", 5, 5), ("asked", 5, 5),
    ]  # fmt: skip
    assert all(run.finished_at and not run.error for run in runs)
    assert {run.taxonomy for run in runs} == {"home_services 1"}
    assert reported == [(5, 5)]


def test_interrupted_run_continues(observed_analyser, monkeypatch):
    monkeypatch.setattr(refreshing, "RUN", 3)
    observed_analyser.batch_size = 2
    make_many(6)

    def stop_in_the_third_batch():
        if len(observed_analyser.read) == 4:
            raise KeyboardInterrupt

    observed_analyser.before_reading = stop_in_the_third_batch
    with pytest.raises(KeyboardInterrupt):
        refresh()
    observed_analyser.before_reading = lambda: None
    assert published()["review_count"] == 0
    make_review(text="Written meanwhile.")
    refresh()

    assert sorted(observed_analyser.read) == sorted(Review.objects.values_list("text", flat=True))
    (run,) = AnalysisRun.objects.all()
    assert (run.done, run.total) == (7, 7)
    assert published()["review_count"] == 7


@pytest.mark.slow
@pytest.mark.skipif(connection.vendor != "sqlite", reason="the child opens the test's own file")
def test_killed_run_continues():
    batch = RulesAnalyser.batch_size
    make_many(2 * batch)
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.insights.killed_settings"}
    environment["KILLED_DATABASE"] = str(connection.settings_dict["NAME"])
    child = subprocess.Popen(
        [sys.executable, "manage.py", "refresh_insights"],
        cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while ReviewAnalysis.objects.count() < batch and time.monotonic() < deadline:
        time.sleep(0.02)
    child.send_signal(signal.SIGKILL)
    child.wait()
    assert ReviewAnalysis.objects.count() == batch
    first = set(ReviewAnalysis.objects.values_list("analysed_at", flat=True))

    with time_machine.travel(dt.datetime.now(dt.UTC) + 2 * CLAIM):
        assert refresh() is True

    assert published()["review_count"] == 2 * batch
    assert first <= set(ReviewAnalysis.objects.values_list("analysed_at", flat=True))


def test_claim_of_other_worker_is_respected_until_expiry():
    make_review()
    Artifact.objects.create(claimed_until=dt.datetime.now(dt.UTC) + CLAIM)

    assert refresh() is False

    with time_machine.travel(dt.datetime.now(dt.UTC) + 2 * CLAIM):
        assert refresh() is True


def test_older_version_leaves_work_to_newer(observed_analyser):
    make_review()
    refresh()
    Artifact.objects.update(shape="of newer code")
    make_review()

    assert refresh() is False
    assert published()["review_count"] == 1
