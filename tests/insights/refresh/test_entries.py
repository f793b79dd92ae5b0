from io import StringIO

import pytest
from django.core.management import call_command

from core import celery
from insights import refresh as refreshing
from insights import services, tasks
from insights.refresh import refresh
from reviews.models import Review
from reviews.roster import rematch_due
from tests.factories import make_review, make_technician
from tests.insights.refresh.published import make_many, published

# Each commit is a separate change, as in production.
pytestmark = pytest.mark.django_db(transaction=True)


def test_command_reports_due_work_and_progress():
    def run(*args):
        out, err = StringIO(), StringIO()
        call_command("refresh_insights", *args, stdout=out, stderr=err)
        return out.getvalue().strip(), err.getvalue().strip()

    make_review()

    assert run() == ("Insights refreshed.", "1 of 1 reviews read.")
    assert run() == ("Insights are up to date.", "")
    assert run("--all") == ("Insights refreshed.", "1 of 1 reviews read.")


def test_many_reviews_are_left_to_worker(monkeypatch):
    monkeypatch.setattr(refreshing, "FEW", 2)
    make_many(3)

    assert not services.refresh_few()
    assert published()["review_count"] == 0
    Review.objects.filter(author="Author 0").delete()
    assert services.refresh_few()

    assert published()["review_count"] == 2


def test_one_of_very_many_reviews_is_left_to_worker(monkeypatch):
    monkeypatch.setattr(refreshing, "FEW_COUNTED", 2)
    make_many(3)
    refresh()
    make_technician(name="Ana Castellano")
    assert not services.refresh_few()  # Mentions must be matched again.
    rematch_due()
    refresh()
    assert services.refresh_few()  # Nothing is due.

    make_review()

    assert not services.refresh_few()
    assert published()["review_count"] == 3
    Review.objects.filter(author__in=["Author 0", "Author 1"]).delete()
    assert services.refresh_few()
    assert published()["review_count"] == 2


def test_stopping_worker_leaves_rest_to_another(monkeypatch):
    make_many(3)
    with monkeypatch.context() as stopping:
        stopping.setattr(celery, "is_shutting_down", lambda: True)
        tasks.refresh_insights()
    assert published()["review_count"] == 0

    tasks.refresh_insights()

    assert published()["review_count"] == 3
