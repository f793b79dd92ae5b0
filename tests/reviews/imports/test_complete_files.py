"""A complete file hides what it lacks, and never many reviews without a person."""

import json

import pytest
from django.core.management import CommandError, call_command

from reviews.imports.importer import HIDDEN_MOST
from reviews.models import Review
from tests.reviews.loading import load, table

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
def test_many_missing_reviews_need_a_yes(run, stored, missing, is_done):
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


def test_dry_run_tells_what_would_be_asked(run):
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
