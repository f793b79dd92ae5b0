"""What is due is read, and the dataset follows when all of it is."""

import datetime as dt
import json
import os
import signal
import subprocess
import sys
import time
from io import StringIO
from pathlib import Path

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction

from insights import refresh as refreshing
from insights import selectors, services, taxonomy
from insights.dataset import build
from insights.engine import ReviewResult, RulesAnalyser
from insights.models import AnalysisRun, Artifact, ReviewAnalysis
from insights.refresh import is_due, refresh
from insights.signals import insights_refreshed
from insights.tasks import refresh_insights
from insights.taxonomies import builtin
from insights.topics import Vocabulary
from reviews.models import Business, Review, Revision
from reviews.roster import rematch_due
from reviews.services import hide
from tests.factories import build_review, make_business, make_review, make_technician

CLAIM = dt.timedelta(seconds=RulesAnalyser.batch_seconds)
NOON = dt.datetime(2026, 3, 20, 12, tzinfo=dt.UTC)
PROJECT = Path(__file__).resolve().parents[2]

# Each commit is a change of its own, as it is in life.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def announced():
    heard = []

    def hear(**kwargs):
        heard.append(True)

    insights_refreshed.connect(hear)
    yield heard
    insights_refreshed.disconnect(hear)


class Watched(RulesAnalyser):
    """The built-in analyser, which tells what it was asked to read."""

    model_id = "watched/1"

    def __init__(self):
        super().__init__()
        self.read = []
        self.unreadable = ""
        self.before_reading = lambda: None

    def analyse(self, batch, taxonomy, roster):
        self.before_reading()
        if self.unreadable and any(self.unreadable in review.text for review in batch):
            raise RuntimeError("Beyond me.")
        self.read += [review.text for review in batch]
        results = super().analyse(batch, taxonomy, roster)
        return [ReviewResult(reading, self.model_id) for reading, _ in results]


@pytest.fixture
def watched(monkeypatch):
    analyser = Watched()
    monkeypatch.setattr(selectors, "analyser", lambda: analyser)
    monkeypatch.setattr(refreshing, "analyser", lambda: analyser)
    monkeypatch.setattr(refreshing, "_shapes_seen", set())
    return analyser


def published():
    return json.loads(build(NOON))


def make_many(count):
    Review.objects.bulk_create(
        build_review(text=f"Number {number}: fair price.", author=f"Author {number}")
        for number in range(count)
    )


# --- One review -----------------------------------------------------------------------------------


def test_nothing_is_due_in_a_new_installation_and_after_a_refresh(announced, watched):
    assert refresh() is False

    make_review()

    assert refresh() is True
    assert refresh() is False
    assert announced == [True]


def test_to_find_nothing_due_costs_two_queries(django_assert_num_queries):
    make_review()
    refresh()

    with django_assert_num_queries(2):
        assert is_due() is False


def test_an_edit_reads_that_review_alone(watched):
    make_many(3)
    review = make_review(text="They came late.")
    refresh()
    watched.read.clear()

    review.text = "They came on time."
    review.save()
    refresh()

    assert watched.read == ["They came on time."]


def test_a_worker_that_has_just_started_counts_before_an_edit_needs_it(monkeypatch):
    make_many(3)
    refresh()
    refreshing._ledgers.clear()
    counted = []
    read = selectors.records

    def watched(keys=None):
        for key, record in read(keys):
            counted.append(record.text)
            yield key, record

    monkeypatch.setattr(selectors, "records", watched)
    refresh_insights()
    assert len(counted) == 3

    make_review(text="They came late.")
    refresh_insights()

    assert counted[3:] == ["They came late."]


@pytest.mark.parametrize(
    "change",
    [
        lambda review: review.delete(),
        lambda review: Review.objects.filter(pk=review.pk).delete(),
        lambda review: hide(Review.objects.filter(pk=review.pk)),
    ],
    ids=["deleted", "deleted in bulk", "hidden"],
)
def test_a_review_that_goes_is_counted_no_more_and_none_is_read(watched, change):
    make_many(3)
    review = make_review(text="They came late.")
    refresh()
    watched.read.clear()
    assert published()["review_count"] == 4

    change(review)
    refresh()

    assert watched.read == []
    assert published()["review_count"] == 3
    assert review.ulid not in published()["per_review"]


def test_a_hidden_review_is_read_when_it_is_shown_again(watched):
    review = make_review(text="Fair price.", hidden=True)
    refresh()
    assert published()["review_count"] == 0
    assert watched.read == []

    review.hidden = False
    review.save()
    refresh()

    assert watched.read == ["Fair price."]
    assert published()["review_count"] == 1


def test_a_change_of_the_stars_is_a_change_of_the_reading():
    review = make_review(rating=5, text="")
    refresh()

    review.rating = 1
    review.save()
    refresh()

    assert published()["per_review"][review.ulid]["sentiment"] == {
        "score": -1.0, "label": "negative",
    }  # fmt: skip


def test_what_nobody_reads_in_the_insights_leaves_their_bytes_alone():
    review = make_review()
    refresh()
    before = build(NOON)

    review.reply_text, review.reply_date = "Thank you.", review.date
    review.save()

    assert refresh() is True
    assert build(NOON) == before


def test_increment_and_rebuild_give_the_same_bytes():
    make_business()
    make_technician("Maren Holt")
    make_many(5)
    review = make_review(text="Maren Holt left a mess.", technicians=["maren-holt"])
    refresh()
    review.text = "Maren Holt was tidy, at a fair price."
    review.save()
    Review.objects.filter(author="Author 2").delete()
    make_review(text="Fair price.", author="New")
    refresh()
    followed = build(NOON)

    refreshing._ledgers.clear()
    refresh(everything=True)

    assert build(NOON) == followed


# --- Another basis --------------------------------------------------------------------------------


def with_a_new_aspect(label="Ladders"):
    content = builtin("home_services")
    content["aspects"].append({"id": "ladders", "label": label, "terms": ["ladder*"]})
    return content


def test_a_published_taxonomy_is_followed_and_its_version_told():
    make_business()
    for name in ("A", "B"):
        make_review(text="He brought a great ladder.", author=name)
    refresh()
    services.save_draft("home_services", with_a_new_aspect(), by=None)
    refresh()
    assert published()["version"] == 1  # A draft changes nothing.

    edition = services.publish_draft("home_services", by=None)
    refresh()

    assert edition.version == published()["version"] == 2
    assert "ladders" in {aspect["id"] for aspect in published()["aspects"]}
    assert taxonomy.draft("home_services") is None


def test_a_draft_with_faults_is_refused_and_stays():
    content = with_a_new_aspect(label="")
    services.save_draft("home_services", content, by=None)

    with pytest.raises(services.TaxonomyRefused) as refusal:
        services.publish_draft("home_services", by=None)

    assert len(refusal.value.faults) == 1
    assert "label" in refusal.value.faults[0]
    assert taxonomy.draft("home_services").content == content
    assert taxonomy.published("home_services")["version"] == 1


def test_another_vertical_brings_other_words():
    make_business(vertical="generic")
    for name in ("A", "B"):
        make_review(text="Our toilet was fixed on time.", author=name)
    refresh()
    before = {aspect["id"] for aspect in published()["aspects"]}

    Business.objects.update(vertical="home_services")
    refresh()

    assert "punctuality" in {aspect["id"] for aspect in published()["aspects"]} - before


def test_a_new_name_on_the_roster_is_found_in_the_old_texts():
    review = make_review(text="Maren Holt was great.")
    refresh()
    assert published()["per_review"][review.ulid]["technicians"] == []

    make_technician("Maren Holt")
    rematch_due()
    refresh()

    assert published()["per_review"][review.ulid]["technicians"] == ["maren-holt"]


def test_mentions_that_are_matched_late_are_followed_too():
    make_technician("Maren Holt")
    review = make_review(text="Maren Holt was great.")
    refresh()
    assert published()["per_review"][review.ulid]["technicians"] == []

    rematch_due()
    refresh()

    assert published()["per_review"][review.ulid]["technicians"] == ["maren-holt"]


def test_the_dataset_never_mixes_two_bases(watched):
    watched.batch_size = 2
    make_many(6)
    refresh()
    before = build(NOON)
    seen = []
    watched.before_reading = lambda: seen.append(build(NOON))

    watched.model_id = "watched/2"
    refresh()

    assert seen == [before] * 3
    assert published()["model"] == "watched/2"
    assert set(ReviewAnalysis.objects.values_list("model", flat=True)) == {"watched/2"}


def test_a_review_that_is_edited_while_all_are_read_is_read_again(watched):
    make_many(3)
    review = make_review(text="They came late.")

    def edit_once():
        watched.before_reading = lambda: None
        review.text = "They came on time."
        review.save()

    watched.before_reading = edit_once
    refresh()

    assert not is_due()
    assert watched.read[-1] == "They came on time."
    assert ReviewAnalysis.objects.get(review=review).text_sha256 == refreshing.digest_of(
        "They came on time."
    )


def test_a_review_that_is_deleted_while_it_is_read_does_no_harm(watched):
    make_many(3)
    review = make_review()
    watched.before_reading = lambda: Review.objects.filter(pk=review.pk).delete()

    refresh()

    assert published()["review_count"] == 3


# --- Runs -----------------------------------------------------------------------------------------


def test_a_run_of_many_tells_why_and_how_far(monkeypatch):
    make_business()
    monkeypatch.setattr(refreshing, "RUN", 3)
    make_many(5)
    told = []

    refresh(on_progress=lambda done, total: told.append((done, total)))
    make_technician("Maren Holt")
    refresh()
    refresh(everything=True)

    runs = AnalysisRun.objects.order_by("started_at")
    assert [(run.reason, run.done, run.total) for run in runs] == [
        ("reviews", 5, 5), ("basis", 5, 5), ("asked", 5, 5),
    ]  # fmt: skip
    assert all(run.finished_at and not run.error for run in runs)
    assert {run.taxonomy for run in runs} == {"home_services 1"}
    assert told == [(5, 5)]


def test_a_run_that_was_cut_short_goes_on_where_it_stopped(watched, monkeypatch):
    monkeypatch.setattr(refreshing, "RUN", 3)
    watched.batch_size = 2
    make_many(6)

    def stop_in_the_third_batch():
        if len(watched.read) == 4:
            raise KeyboardInterrupt

    watched.before_reading = stop_in_the_third_batch
    with pytest.raises(KeyboardInterrupt):
        refresh()
    watched.before_reading = lambda: None
    assert published()["review_count"] == 0
    refresh()

    assert sorted(watched.read) == sorted(Review.objects.values_list("text", flat=True))
    (run,) = AnalysisRun.objects.all()
    assert (run.done, run.total) == (6, 6)
    assert published()["review_count"] == 6


@pytest.mark.skipif(connection.vendor != "sqlite", reason="the child opens the test's own file")
def test_a_run_that_was_killed_goes_on_where_it_stopped():
    make_many(1_500)
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.insights.killed_settings"}
    environment["KILLED_DATABASE"] = str(connection.settings_dict["NAME"])
    child = subprocess.Popen(
        [sys.executable, "manage.py", "refresh_insights"],
        cwd=PROJECT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while ReviewAnalysis.objects.count() < 200 and time.monotonic() < deadline:
        time.sleep(0.02)
    child.send_signal(signal.SIGKILL)
    child.wait()
    done = ReviewAnalysis.objects.count()
    assert 200 <= done < 1_500
    first = set(ReviewAnalysis.objects.values_list("analysed_at", flat=True))

    with time_machine.travel(dt.datetime.now(dt.UTC) + 2 * CLAIM):
        assert refresh() is True

    assert published()["review_count"] == 1_500
    assert first <= set(ReviewAnalysis.objects.values_list("analysed_at", flat=True))


def test_somebody_elses_claim_is_left_alone_until_it_expires():
    make_review()
    Artifact.objects.create(claimed_until=dt.datetime.now(dt.UTC) + CLAIM)

    assert refresh() is False

    with time_machine.travel(dt.datetime.now(dt.UTC) + 2 * CLAIM):
        assert refresh() is True


def test_an_older_version_of_the_program_leaves_the_work_to_the_newer(watched):
    make_review()
    refresh()
    Artifact.objects.update(shape="of newer code")
    make_review()

    assert refresh() is False
    assert published()["review_count"] == 1


# --- Trouble --------------------------------------------------------------------------------------


def test_a_text_that_nobody_can_read_counts_by_its_stars_and_holds_up_no_other(watched, caplog):
    make_many(3)
    bad = make_review(rating=2, text="Unreadable text.")
    watched.unreadable = "Unreadable"

    refresh()

    assert published()["review_count"] == 4
    assert published()["model"] == "mixed"
    assert published()["per_review"][bad.ulid]["sentiment"]["score"] == -0.5
    assert "its stars count" in caplog.text


def test_sums_that_were_left_half_counted_are_counted_anew(monkeypatch):
    make_many(3)
    refresh()
    make_many(2)
    with monkeypatch.context() as broken:
        broken.setattr(Vocabulary, "add", lambda self, record: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            refresh()

    assert refresh() is True

    assert published()["review_count"] == 5


# --- Corrections ----------------------------------------------------------------------------------


def test_a_correction_wins_and_survives_whatever_is_read_anew(watched):
    make_business()
    user = User.objects.create(username="ann")
    review = make_review(text="They came on time.")
    refresh()
    assert published()["per_review"][review.ulid]["aspects"][0]["label"] == "positive"
    watched.read.clear()

    services.correct(review, "aspects.punctuality", "negative", by=user)
    refresh()
    assert watched.read == ["They came on time."]
    watched.model_id = "watched/2"
    refresh()

    (aspect,) = published()["per_review"][review.ulid]["aspects"]
    assert (aspect["label"], aspect["score"]) == ("negative", -1.0)


def test_a_correction_that_is_made_while_the_review_is_read_wins_too(watched, monkeypatch):
    review = make_review(text="", rating=5)
    finding = refreshing.findings_of

    def correct_once(*args):
        monkeypatch.setattr(refreshing, "findings_of", finding)
        services.correct(review, "sentiment", "negative", by=None)
        return finding(*args)

    monkeypatch.setattr(refreshing, "findings_of", correct_once)
    refresh()

    assert published()["per_review"][review.ulid]["sentiment"]["label"] == "negative"


def test_a_correction_of_another_text_is_passed_over():
    make_business()
    review = make_review(text="They came on time.")
    services.correct(review, "sentiment", "negative", by=None)
    refresh()
    assert published()["per_review"][review.ulid]["sentiment"]["label"] == "negative"

    review.text = "They came on time, and at a fair price."
    review.save()
    refresh()

    assert published()["per_review"][review.ulid]["sentiment"]["label"] == "positive"


@pytest.mark.parametrize("in_bulk", [False, True])
def test_a_withdrawn_correction_counts_no_more(in_bulk):
    review = make_review(text="", rating=5)
    override = services.correct(review, "sentiment", "negative", by=None)
    refresh()

    if in_bulk:
        services.withdraw_correction(review, "sentiment")
    else:
        override.delete()
    refresh()

    assert published()["per_review"][review.ulid]["sentiment"]["label"] == "positive"


@pytest.mark.parametrize(
    ("path", "value"),
    [("sentiment", "absent"), ("aspects.price", "resolved"), ("technicians.mara", "absent")],
)
def test_a_correction_that_makes_no_sense_is_refused_by_the_database(path, value):
    review = make_review()

    with pytest.raises(IntegrityError), transaction.atomic():
        services.correct(review, path, value, by=None)


# --- The command and the task ---------------------------------------------------------------------


def test_the_command_says_whether_anything_was_due_and_how_far_it_is():
    def run(*args):
        out, err = StringIO(), StringIO()
        call_command("refresh_insights", *args, stdout=out, stderr=err)
        return out.getvalue().strip(), err.getvalue().strip()

    make_review()

    assert run() == ("Insights refreshed.", "1 of 1 reviews read.")
    assert run() == ("Insights are up to date.", "")
    assert run("--all") == ("Insights refreshed.", "1 of 1 reviews read.")


def test_the_revision_of_the_insights_is_that_of_the_reviews_they_follow():
    make_review()
    refresh()

    assert Revision.objects.current(Revision.INSIGHTS) == Revision.objects.current("reviews")


def test_many_are_left_to_the_worker(monkeypatch):
    monkeypatch.setattr(refreshing, "FEW", 2)
    make_many(3)

    services.refresh_few()
    assert published()["review_count"] == 0
    Review.objects.filter(author="Author 0").delete()
    services.refresh_few()

    assert published()["review_count"] == 2
