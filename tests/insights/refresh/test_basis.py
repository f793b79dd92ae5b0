"""New words, names or rules: every review is analysed again before the dataset follows."""

import pytest

from insights import services, taxonomy
from insights.dataset import build
from insights.models import ReviewAnalysis
from insights.refresh import is_due, refresh
from insights.store_findings import digest_of
from review_analysis.taxonomies import builtin
from reviews.models import Business, Review
from reviews.roster import rematch_due
from tests.factories import make_business, make_review, make_technician
from tests.insights.refresh.published import NOON, make_many, published

# Each commit is a separate change, as in production.
pytestmark = pytest.mark.django_db(transaction=True)


def with_a_new_aspect(label="Ladders"):
    content = builtin("home_services")
    content["aspects"].append({"id": "ladders", "label": label, "terms": ["ladder*"]})
    return content


def test_published_taxonomy_is_applied_with_its_version():
    make_business()
    for name in ("A", "B"):
        make_review(text="He brought a great ladder.", author=name)
    refresh()
    services.save_draft("home_services", with_a_new_aspect(), by=None)
    refresh()
    assert published()["version"] == 1  # A draft changes nothing.

    version = services.publish_draft("home_services", by=None)
    refresh()

    assert version.version == published()["version"] == 2
    assert "ladders" in {aspect["id"] for aspect in published()["aspects"]}
    assert taxonomy.draft("home_services") is None


def test_version_increases_with_each_taxonomy_of_any_vertical():
    make_business()
    make_review(text="He brought a great ladder.")
    versions = []
    for vertical, is_edited in (
        ("home_services", True),
        ("clinic", False),
        ("clinic", True),
        ("home_services", False),
        ("home_services", True),
    ):
        Business.objects.update(vertical=vertical)
        if is_edited:
            services.save_draft(vertical, builtin(vertical), by=None)
            services.publish_draft(vertical, by=None)
        refresh()
        versions.append(published()["version"])

    assert versions == [2, 2, 3, 3, 4]


def test_new_name_on_roster_is_found_in_old_texts():
    review = make_review(text="Maren Holt was great.")
    refresh()
    assert published()["per_review"][review.ulid]["technicians"] == []

    make_technician("Maren Holt")
    rematch_due()
    refresh()

    assert published()["per_review"][review.ulid]["technicians"] == ["maren-holt"]


def test_dataset_never_mixes_two_inputs(observed_analyser):
    observed_analyser.batch_size = 2
    make_many(6)
    refresh()
    before = build(NOON)
    seen = []
    observed_analyser.before_reading = lambda: seen.append(build(NOON))

    observed_analyser.model_id = "watched/2"
    refresh()

    assert seen == [before] * 3
    assert published()["model"] == "watched/2"
    assert set(ReviewAnalysis.objects.values_list("model", flat=True)) == {"watched/2"}


def test_review_edited_during_run_is_analysed_again(observed_analyser):
    make_many(3)
    review = make_review(text="They came late.")

    def edit_once():
        observed_analyser.before_reading = lambda: None
        review.text = "They came on time."
        review.save()

    observed_analyser.before_reading = edit_once
    refresh()

    assert not is_due()
    assert observed_analyser.read[-1] == "They came on time."
    assert ReviewAnalysis.objects.get(review=review).text_sha256 == digest_of("They came on time.")


def test_review_deleted_during_run_is_ignored(observed_analyser):
    make_many(3)
    review = make_review()
    observed_analyser.before_reading = lambda: Review.objects.filter(pk=review.pk).delete()

    refresh()

    assert published()["review_count"] == 3
