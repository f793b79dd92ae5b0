"""`manage.py import_reviews` confirms a new layout at a terminal or by options."""

import io
from collections.abc import Iterator

import pytest
from django.core.management import CommandError, call_command

from imports.models import ConfirmedShape
from reviews.models import Review
from tests.factories import make_business
from tests.imports.command import GOOD, report, run

pytestmark = pytest.mark.django_db

APPROVED = (
    "Date,Name,Stars,Review,Approved\n2025-01-02,Ada,5,Fine,checked\n2025-01-03,Bo,1,Secret,\n"
)


def authors() -> set[str]:
    return set(Review.objects.values_list("author", flat=True))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def at_terminal(monkeypatch):
    """Run the command at a terminal, where a person types these answers."""

    def import_at_terminal(file, *answers: str) -> tuple[str, str | None]:
        typed: Iterator[str] = iter(answers)

        def type_answer(prompt: str) -> str:
            out.write(prompt)
            try:
                return next(typed)
            except StopIteration:
                raise EOFError from None

        out = Terminal()
        monkeypatch.setattr("sys.stdin", Terminal())
        monkeypatch.setattr("builtins.input", type_answer)
        try:
            call_command("import_reviews", str(file), stdout=out)
        except CommandError as error:
            return out.getvalue(), str(error)
        return out.getvalue(), None

    return import_at_terminal


@pytest.mark.parametrize("dry_run", [[], ["--dry-run"]])
def test_new_layout_prints_table_and_imports_nothing(file, dry_run):
    printed, error = run(file, *dry_run, accept=False)

    assert "* rating: rating   5" in printed
    assert "Stars: 5 → 5" in printed
    assert "Days: 2026-03-14 is 2026-03-14" in printed
    assert error.startswith("The columns of this file have not been confirmed yet.")
    assert "--accept" in error
    assert not Review.objects.exists()
    assert not ConfirmedShape.objects.exists()


def test_accepted_layout_is_not_asked_about_again(file):
    assert run(file, accept=True)[1] is None

    file.write_text(GOOD.replace("g-1", "g-2").replace("Dana R.", "Ivo"))
    assert run(file, accept=False)[1] is None

    assert authors() == {"Dana R.", "Ivo"}
    assert ConfirmedShape.objects.get().file_name == "reviews.csv"


def test_accepted_dry_run_confirms_nothing(file):
    assert run(file, "--dry-run", accept=True)[1] is None

    assert run(file, accept=False)[1] is not None


def test_json_has_the_table(file):
    printed, error = report(file, accept=False)

    (refusal,) = printed["errors"]
    assert (refusal["code"], refusal["row"]) == ("confirmation_required", None)
    columns = printed["confirmation"]["columns"]
    assert [(one["name"], one["field"]) for one in columns][:3] == [
        ("id", "review_id"),
        ("author", "author"),
        ("rating", "rating"),
    ]
    assert error == refusal["message"]
    assert "confirmation" not in report(file)[0]


def test_acceptance_publishes_no_unknown_value(file):
    head, *rows = APPROVED.replace("checked", "yes").splitlines()
    rows += ["2025-01-04,Cy,5,Fine,perhaps", "2025-01-05,Di,5,Fine,no"]
    file.write_text("\n".join([head, *rows]))

    printed, error = run(file, "--accept", accept=False)

    assert error is None
    assert "3 rows are left out: Approved is" in printed
    assert authors() == {"Ada"}
    file.write_text("\n".join([head, *rows, "2025-01-06,Ed,5,Fine,whenever"]))
    assert "whenever (1 row) is left out, since it is not understood" in run(file, accept=False)[0]
    assert authors() == {"Ada"}


def test_skipped_rows_are_counted_by_column_and_value(file):
    file.write_text(APPROVED + "2025-01-04,Cy,5,Fine,later\n2025-01-05,Di,5,Fine,later\n")

    options = ("--publish", "Approved=checked", "--withhold", "Approved=later")
    printed, _ = run(file, *options)

    assert "3 rows are left out: Approved is later (2), blank (1)." in printed
    assert "Skipped 2 rows: Approved is later; the row is left out." in printed


def test_rows_of_other_place_are_asked_about(file):
    make_business(name="Tern Hollow")
    file.write_text(
        "Business,Date,Name,Stars\nTern Hollow,2024-05-01,Ana,5\nRival,2024-05-03,Cal,1\n"
    )

    _, error = run(file)
    assert "--place NAME for each of yours, or --other-place NAME" in error

    assert run(file, "--other-place", "Rival")[1] is None
    assert authors() == {"Ana"}
    assert run(file, accept=False)[1] is None  # The place is known now.


def test_unread_columns_are_named(file):
    file.write_text("Date,Name,Stars,Mood\n2025-01-02,Ada,5,good\n")

    assert "Not read: Mood." in run("--dry-run", file)[0]
    assert report("--dry-run", file)[0]["unread"] == ["Mood"]


def test_table_is_confirmed_at_terminal(file, at_terminal):
    printed, error = at_terminal(file, "y")

    assert error is None
    assert "Is the rest of the table right?" in printed
    assert authors() == {"Dana R."}


@pytest.mark.parametrize("answers", [("n",), ("",), ()])
def test_unconfirmed_table_is_not_imported(file, at_terminal, answers):
    _, error = at_terminal(file, *answers)

    assert error == "Nothing was imported: not confirmed."
    assert not Review.objects.exists()


def test_open_questions_are_asked_at_terminal(file, at_terminal):
    file.write_text("Date,Name,Stars\n04/05/2025,Ann,50\n04/06/2025,Bo,10\n")

    printed, error = at_terminal(file, "x", "50", "10", "dmy", "y")

    assert error is None
    assert "Answer with one of" in printed
    assert dict(Review.objects.values_list("author", "rating")) == {"Ann": 5, "Bo": 1}


def test_deciding_column_is_asked_about_value_by_value(file, at_terminal):
    rows = "2025-01-02,Ada,5,Fine,yes\n2025-01-03,Bo,1,Secret,no\n2025-01-04,Cy,4,Good,yes\n"
    file.write_text("Date,Name,Stars,Review,Friend\n" + rows)

    printed, error = at_terminal(file, "status", "y", "n", "y")

    assert error is None
    assert "May rows with no in Friend be published? [y/n] (n): " in printed
    assert authors() == {"Ada", "Cy"}


def test_deciding_values_may_hold_separator_of_option(file, at_terminal):
    rows = "2025-01-02,Ada,5,Fine,mode=all\n2025-01-03,Bo,1,Secret,mode=none\n"
    file.write_text("Date,Name,Stars,Review,Sharing status\n" + rows)

    _, error = at_terminal(file, "y", "n", "y")

    assert error is None
    assert authors() == {"Ada"}
