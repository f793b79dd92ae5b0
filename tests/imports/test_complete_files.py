"""A complete file hides missing reviews, but never many without confirmation."""

import json
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command

from imports import services as import_services
from imports.importer import HIDDEN_MOST
from imports.models import ImportBatch
from reviews import services
from reviews.models import Review
from tests.reviews.imports import (
    BAD,
    COMPLETE,
    ROWS,
    counts,
    load,
    published,
    revision,
    table,
    undo,
)

pytestmark = pytest.mark.django_db


def rows(count: int) -> list[str]:
    return [f"g-{n},Author {n},5,2026-01-01,Good work {n}.,google,,," for n in range(count)]


@pytest.fixture
def run(tmp_path, capsys):
    def run(lines: list[str], *options: str) -> dict:
        file = tmp_path / "r.csv"
        file.write_bytes(table(*lines))
        error = None
        try:
            call_command("import_reviews", str(file), "--json", "--complete", *options)
        except CommandError as refused:
            error = str(refused)
        return json.loads(capsys.readouterr().out) | {"error": error}

    return run


def hidden() -> int:
    return Review.objects.filter(hidden=True).count()


@pytest.mark.parametrize(
    ("stored", "missing", "is_done"),
    [(40, 2, True), (40, 3, False), (19, 1, False), (600, 20, True), (600, 21, False)],
)
def test_many_missing_reviews_need_confirmation(run, stored, missing, is_done):
    load(table(*rows(stored)))

    printed = run(rows(stored)[missing:])

    assert hidden() == (missing if is_done else 0)
    if is_done:
        assert (printed["hidden"], printed["error"]) == (missing, None)
    else:
        (refusal,) = printed["errors"]
        assert refusal["code"] == "too_many_to_hide"
        assert f"lacks {missing} of the {stored} reviews" in refusal["message"]
        assert "Use --hide-many." in refusal["message"]
        assert run(rows(stored)[missing:], "--hide-many")["hidden"] == missing
        assert hidden() == missing


def test_dry_run_reports_question(run):
    load(table(*rows(30)))

    printed = run(rows(30)[HIDDEN_MOST:], "--dry-run")

    assert any("lacks 20 of the 30 reviews" in said for said in printed["warnings"])
    assert any("--hide-many" in said for said in printed["warnings"])
    assert hidden() == 0


def test_incomplete_file_hides_nothing(run, tmp_path):
    load(table(*rows(30)))
    reviews = [
        {
            "id": f"g-{n}",
            "author": f"Author {n}",
            "rating": 5,
            "date": "2026-01-01",
            "text": "Good",
            "source": "google",
        }
        for n in range(1, 30)
    ]
    file = tmp_path / "r.json"
    file.write_text(json.dumps({"total": 62, "reviews": reviews}))

    call_command("import_reviews", str(file), "--complete", "--hide-many")

    assert hidden() == 0


def test_other_sources_are_left_alone(run):
    load(table(*rows(30), "y-1,Ann,5,2026-01-01,Fine.,yelp,,,"))

    run(rows(30)[1:])

    assert Review.objects.get(hidden=True).external_id == "g-0"


@pytest.mark.django_db(transaction=True)
def test_review_hidden_by_complete_file_is_shown_when_it_returns():
    rows = [f"g-{n},A{n},5,2026-03-01,Text {n}.,google,,," for n in range(10)]
    load(table(*rows))
    services.hide(Review.objects.filter(external_id="g-9"))
    before = published()
    hiding = load(table(*rows[1:]), options=replace(COMPLETE, hide_many=True))
    hidden, at = published(), revision()
    again = table(rows[0].replace("Text 0.", "More."), *rows[1:])

    looked = load(again, dry_run=True)
    report = load(again)

    assert counts(report) == (0, 1, 9, 0, 0)
    assert report.warnings[-1] == "1 review that an earlier complete file lacked is shown again."
    assert (looked.warnings, looked.samples) == (report.warnings, report.samples)
    assert looked.ratings_added == report.ratings_added == (5, 1)
    assert sorted(published()) == sorted(one.replace("Text 0.", "More.") for one in before)
    assert revision() == at + 1
    assert load(table(*rows[1:])).shown_again == 0

    # Only the last import can be undone, and undoing restores the review it found.
    assert undo(ImportBatch.objects.get(pk=hiding.batch_id))["left"] == 1
    import_services.undo(ImportBatch.objects.get(pk=report.batch_id))
    assert published() == hidden

    assert load(table(*rows)).shown_again == 1  # Including a review without other changes.
    assert published() == before


@pytest.mark.django_db(transaction=True)
def test_review_hidden_by_hand_stays_hidden_when_edits_are_released():
    load(table(*ROWS))
    review = Review.objects.filter(external_id="g-1")
    services.edit_review(review.get(), {"text": "Mended."})
    services.hide(review)

    assert services.release_edits(Review.objects.all()) == 1
    assert services.release_edits(Review.objects.all()) == 0
    report = load(table(*ROWS))

    assert (report.changed, report.shown_again) == (1, 0)
    assert (review.get().hidden, review.get().text) == (True, "Maren was quick.")


@pytest.mark.django_db
def test_complete_file_with_bad_rows_hides_nothing():
    load(table(*ROWS))

    report = load(table(*ROWS[1:], BAD), options=replace(COMPLETE, hide_many=True))

    assert not Review.objects.filter(hidden=True).exists()
    assert any("No missing review is hidden" in warning for warning in report.warnings)


@pytest.mark.django_db
def test_review_shown_by_hand_is_not_hidden_by_a_complete_file():
    load(table(*ROWS))
    review = Review.objects.filter(external_id="g-1")
    services.hide(review, reason="spam")
    services.hide(review, hidden=False)

    report = load(table(*ROWS[1:]), options=replace(COMPLETE, hide_many=True))

    assert report.hidden == 0
