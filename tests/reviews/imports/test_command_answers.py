"""`manage.py import_reviews`: rows that are left out, and options that answer questions."""

import pytest

from reviews.models import Review
from tests.factories import make_business
from tests.reviews.imports.command import report, run

LEFT_OUT = (
    "reviewId,rating,body,reviewer.name,dateCreated,status\n"
    "ok1,5,Fine,Sarah,2026-08-01T10:00:00Z,approved\n"
    "ok2,1,No,Joe,2026-08-02T10:00:00Z,rejected\n"
    "ok3,2,Meh,Jo,2026-08-03T10:00:00Z,pending\n"
    "ok1,5,Fine,Sarah,2026-08-01T10:00:00Z,approved\n"
)


@pytest.mark.django_db
def test_skipped_rows_are_counted_by_reason(file):
    file.write_text(LEFT_OUT)

    for _ in range(2):  # Also where the file is not read again.
        printed, _ = report(file)
        reasons = printed["skipped_reasons"]
        assert sum(reason["rows"] for reason in reasons) == printed["skipped"] == 3
        assert {reason["code"]: reason["rows"] for reason in reasons}["repeated_in_file"] == 1
        assert all(reason["message"].endswith(".") for reason in reasons)


@pytest.mark.django_db
def test_text_says_why_rows_are_skipped(file):
    file.write_text(LEFT_OUT)

    printed, _ = run(file)

    assert "Skipped 1 row: The file has this review before; the repetition is left out." in printed


@pytest.mark.django_db
def test_row_of_headings_can_be_named(file):
    file.write_text("Notes,Of,The,Office\nDay,Mark,Who,Words\n2026-01-01,5,Jo,Great\n")
    names = ["--map", "Day=date", "Mark=rating", "Who=author", "Words=text"]

    printed, error = report(file, "--heading-row", "2", *names)

    assert (printed["new"], error) == (1, None)


@pytest.mark.django_db
def test_file_without_headings_has_numbered_columns(file):
    file.write_text("2026-01-01,5,Jo\n2026-01-02,4,Sam\n")
    names = ["--map", "Column 1=date", "Column 2=rating", "Column 3=author"]

    printed, error = report(file, "--heading-row", "0", *names)

    assert (printed["new"], error) == (2, None)
    assert "--heading-row" in report(file, "--heading-row", "-1")[1]


PLACES = (
    "Business,Date,Reviewer,Stars\nTern Hollow,2024-05-01,Ana,5\nTern Hollow,2024-05-02,Ben,4\n"
    "Rival,2024-05-03,Cal,1\n"
)


@pytest.mark.django_db
def test_places_are_named_with_an_option_and_remembered(file):
    file.write_text(PLACES)
    _, error = run(file)
    assert error == (
        "The file holds reviews of several places: Tern Hollow (2), Rival (1). Say which of them "
        "are yours; reviews of the others are left out. Use --place NAME for each of yours."
    )

    assert "2 new" in run("--place", "Tern Hollow", "--dry-run", file)[0]
    assert run(file)[1] == error
    assert "2 new, 0 changed, 0 unchanged, 1 skipped" in run("--place", "Tern Hollow", file)[0]
    assert "0 new, 0 changed, 2 unchanged, 1 skipped" in run(file)[0]


@pytest.mark.django_db
def test_place_that_the_file_lacks_is_refused_with_those_that_it_has(file):
    file.write_text(PLACES)

    assert run("--place", "Tern", file)[1] == (
        "No review of the file is of the place Tern. The file names these: Tern Hollow (2), "
        "Rival (1)."
    )


@pytest.mark.django_db
def test_column_about_consent_is_refused_with_the_option_that_answers(file):
    file.write_text("Date,Name,Stars,Consent\n2025-01-02,Ada,5,Yes\n2025-01-03,Bo,1,No\n")

    assert "Use --map COLUMN=published, COLUMN=withheld or COLUMN=ignore." in run(file)[1]
    assert "2 new" in run("--map", "Consent=ignore", "--dry-run", file)[0]
    assert "1 new" in run("--map", "Consent=published", file)[0]
    assert Review.objects.get().author == "Ada"


@pytest.mark.django_db
def test_status_is_answered_with_an_option_and_remembered(file):
    file.write_text("Date,Name,Stars,Status\n2025-01-02,Ada,5,Merged\n2025-01-03,Bo,1,Published\n")
    out, _ = run(file)

    assert "Use --status 'Merged=public' or --status 'Merged=hidden'." in out
    assert "1 rejected" in out
    assert "1 new, 0 changed, 1 unchanged" in run("--status", "Merged=public", file)[0]
    assert "2 unchanged" in run(file)[0]
    assert "is not WORD=public" in run("--status", "Merged=perhaps", file)[1]


@pytest.mark.django_db
def test_columns_that_are_not_read_are_named(file):
    file.write_text("Date,Name,Stars,Mood\n2025-01-02,Ada,5,good\n")

    assert "Not read: Mood." in run("--dry-run", file)[0]
    assert report("--dry-run", file)[0]["unread"] == ["Mood"]


@pytest.mark.django_db
def test_command_names_its_options_where_the_administration_has_none(file):
    make_business()
    file.write_text('[{"stars_given": 5, "date": "2026-01-02"}]')
    refusal = report(file)[0]["errors"][0]["message"]
    assert refusal.endswith("Or say which member holds what: --map MEMBER=FIELD.")

    file.write_text("author,rating,date\nAnn,,2026-01-02\nBen,4.5,2026-01-02\nCy,5,2026-01-02\n")
    printed, _ = run(file)
    assert "Rows without stars are left out with --skip-blank-ratings." in printed
    assert "Half stars are rounded up with --round-half-up." in printed
