"""`manage.py import_reviews`: its output and exit status."""

import io
import os
from typing import BinaryIO

import pytest
from django.db import OperationalError

from core.db import errors as database_errors
from imports.management.commands import import_reviews
from imports.models import ImportBatch
from reviews.models import Review
from tests.factories import make_business
from tests.imports.command import GOOD, report, run

pytestmark = pytest.mark.django_db

BAD_ROW = "g-2,Bad,0,2026-03-01,Bad stars.,google\n"


def test_import_into_an_empty_database_reports_every_count(file):
    printed, error = report(file)

    assert error is None
    assert printed == {
        "format": "generic",
        "rows": 1,
        "new": 1,
        "changed": 0,
        "unchanged": 0,
        "skipped": 0,
        "skipped_reasons": [],
        "unread": [],
        "warnings": [
            (
                "There is no business yet, so times are converted to days in UTC. If that is "
                "wrong, enter the business with its time zone first. Or name a time zone for this "
                "import: --time-zone."
            )
        ],
        "errors": [],
    }
    assert Review.objects.get().author == "Dana R."
    assert ImportBatch.objects.get().file_name == "reviews.csv"
    printed, error = report(file)
    assert (printed["unchanged"], printed["new"], error) == (1, 0, None)


def test_partial_import_succeeds_and_names_bad_rows(file):
    file.write_text(GOOD + BAD_ROW)

    printed, error = report(file)

    assert (printed["new"], error) == (1, None)
    (bad,) = printed["errors"]
    assert list(bad) == ["row", "field", "code", "message", "value"]
    assert (bad["row"], bad["field"], bad["code"], bad["value"]) == (
        3,
        "rating",
        "rating_out_of_range",
        "0",
    )


def test_strict_refuses_file_with_bad_rows(file):
    file.write_text(GOOD + BAD_ROW)

    printed, error = report(file, "--strict")

    assert (printed["rows"], printed["new"]) == (2, 0)
    assert error == "Nothing was imported: 1 row is bad."
    assert not Review.objects.exists()
    assert not ImportBatch.objects.exists()
    assert "Read Table, CSV: 2 rows, 0 new," in run(file, "--strict")[0]


def test_source_without_letters_is_refused(file):
    _, error = run(file, "--source", "!!!")

    assert error == "--source '!!!' has no letter or digit. Use a name like google."


HEADINGS = GOOD.partition("\n")[0]
SPAM = (
    "title,body,rating,review_date,curated,reviewer_name\n"
    ",Buy my pills,5,2025-03-02 10:12:00 UTC,spam,Bot\n"
)


@pytest.mark.parametrize(
    ("content", "codes", "sentence"),
    [
        (f"{HEADINGS}\n{BAD_ROW}", ["rating_out_of_range"], "Nothing was imported: 1 row is bad."),
        (HEADINGS, ["no_reviews_found"], "The file holds no reviews: nothing follows its headings"),
        ('{"reviews": []}', ["no_reviews_found"], "The file holds no reviews: nothing follows"),
        (SPAM, [], "Nothing was imported: the format leaves every row out, such as unpublished"),
    ],
)
def test_file_without_reviews_is_a_failure(file, content, codes, sentence):
    file.write_text(content)

    printed, error = report(file)

    assert (printed["new"], [bad["code"] for bad in printed["errors"]]) == (0, codes)
    assert error.startswith(sentence)
    assert not ImportBatch.objects.exists()


def test_dry_run_imports_nothing(file):
    printed, error = report(file, "--dry-run")

    assert (printed["new"], error) == (1, None)
    assert not Review.objects.exists()
    assert not ImportBatch.objects.exists()
    assert "Would import" in run(file, "--dry-run")[0]


@pytest.mark.parametrize("dry_run", [[], ["--dry-run"]])
def test_refused_file_is_one_error_without_row(file, dry_run):
    file.write_text("first_name,email\nA,B\n")

    printed, error = report(file, *dry_run)

    assert printed["rows"] == 0
    (refusal,) = printed["errors"]
    assert (refusal["row"], refusal["code"]) == (None, "columns_not_recognised")
    assert error == refusal["message"]
    assert "Use --map 'COLUMN=FIELD'" in refusal["message"]
    assert refusal["message"].endswith("--heading-row N for the row that holds the headings.")


def test_ids_of_other_reviews_are_refused_with_options(file):
    heading = "id,author,rating,date,text\n"
    file.write_text(heading + "1,Ann,5,2024-01-02,Praise\n2,Ben,4,2024-01-03,Fine\n")
    run(file)
    file.write_text(heading + "1,Dora,3,2024-02-02,Meh\n2,Eli,5,2024-02-03,Wow\n")

    for arguments in ((), ("--dry-run",)):
        printed, error = report(file, *arguments)
        assert printed["errors"][0]["code"] == "ids_in_doubt"
        assert "or leave their column out" in error
        assert error.endswith("Use --ids row-numbers or --ids same.")
    assert Review.objects.count() == 2
    assert report(file, "--ids", "row-numbers", "--dry-run")[0]["new"] == 2
    assert report(file, "--ids", "same", "--dry-run")[0]["changed"] == 2
    assert report(file, "--ids", "row-numbers")[1] is None
    assert Review.objects.count() == 4


@pytest.mark.parametrize("file_stands", ["first", "last"])
def test_several_columns_can_be_named_at_once(file, file_stands):
    file.write_text("Grade=Note,Visit\n5,2026-03-14\n")
    args = ["--map", "Grade=Note=rating", "Visit=date"]

    printed, error = report(*([file, *args] if file_stands == "first" else [*args, file]))

    assert (printed["new"], error) == (1, None)


def test_file_argument_is_required():
    printed, error = report()

    assert printed["errors"][0]["code"] == "file_missing"
    assert error == "No file is named. Write it behind the command: import_reviews FILE."


@pytest.mark.parametrize(
    ("zone", "date"), [("America/Los_Angeles", "2026-03-13"), ("Asia/Tokyo", "2026-03-14")]
)
def test_time_zone_decides_the_day(file, zone, date):
    make_business(time_zone="UTC")
    file.write_text(GOOD.replace("2026-03-14", "2026-03-14T04:30:00Z"))

    run(file, "--time-zone", zone)

    assert str(Review.objects.get().date) == date


@pytest.mark.parametrize(
    ("args", "code", "sentence"),
    [
        (["--format", "nope"], "format_unknown", "There is no format 'nope'. Use one of: "),
        (["--time-zone", "Mars/Base"], "time_zone_unknown", "There is no time zone 'Mars/Base'."),
        (["--time-zone", "../etc"], "time_zone_unknown", "There is no time zone '../etc'."),
        (["--time-zone", "America"], "time_zone_unknown", "There is no time zone 'America'."),
        (["--map", "stars"], "map_invalid", "--map 'stars' is not COLUMN=FIELD"),
        (["--map", "a=stars"], "map_invalid", "there is no field 'stars'. Use one of: review_id"),
    ],
)
def test_bad_option_is_named_with_remedy(file, args, code, sentence):
    printed, error = report(file, *args)

    assert sentence in error
    assert [(bad["row"], bad["code"]) for bad in printed["errors"]] == [(None, code)]
    assert run(file, *args)[1] == error
    assert not Review.objects.exists()


@pytest.mark.parametrize("name", ["missing.csv", ".", "nul\0.csv", "x" * 300, "\udcff"])
def test_unreadable_file_is_explained(tmp_path, name):
    printed, error = report(f"{tmp_path}/{name}")

    assert "cannot be read" in error
    assert printed["errors"][0]["code"] == "file_unreadable"


def test_file_name_may_be_undecodable(tmp_path):
    path = tmp_path / "caf\udce9.csv"
    path.write_text(GOOD)

    assert report(path)[0]["new"] == 1
    assert ImportBatch.objects.get().file_name == "caf.csv"


def test_file_is_read_from_standard_input(file, monkeypatch):
    for opened in (file.open("rb"), piped(file.read_bytes())):
        with opened as given, io.TextIOWrapper(given) as stdin:
            monkeypatch.setattr("sys.stdin", stdin)
            printed, error = report("-")
        assert (printed["rows"], error) == (1, None)

    assert Review.objects.get().author == "Dana R."
    assert ImportBatch.objects.first().file_name == "standard input"


def piped(content: bytes) -> BinaryIO:
    """Replace standard input by a pipe that holds all of it, as in `command |`."""
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(content)
    return os.fdopen(reading, "rb")


def test_database_without_tables_is_explained(file, monkeypatch):
    def fail(*args, **kwargs):
        raise OperationalError("no such table: reviews_review")

    monkeypatch.setattr(import_reviews.services, "import_file", fail)

    printed, error = report(file)

    assert error == f"{database_errors.NOT_MIGRATED} (no such table: reviews_review)"
    assert printed["errors"][0]["code"] == "database"
