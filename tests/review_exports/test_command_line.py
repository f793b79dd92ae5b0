"""`python -m review_exports FILE`: JSON Lines, exit codes, and questions with their option."""

import csv
import importlib
import io
import json
import sys

import pytest

from review_exports.__main__ import main

TABLE = "Date,Name,Rating,Comment\n2024-01-02,Ann,5,Good\n2024-01-03,Ben,4.5,Fine\n"


@pytest.fixture
def run(tmp_path, capsys):
    """Run the command on a content. Return exit code, printed objects and stderr."""

    def run(content, *words):
        file = tmp_path / "reviews"
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        code = main([str(file), *words])
        out, err = capsys.readouterr()
        return code, [json.loads(line) for line in out.splitlines()], err

    return run


def test_file_record_and_row_error_are_json_lines(run):
    code, (facts, record, error, end), err = run(TABLE, "--accept")

    assert code == 1
    assert (facts["type"], facts["format"], facts["shape"]["is_confirmed"]) == (
        "file",
        "generic",
        True,
    )
    assert (record["type"], record["row"], record["author"], record["date"]) == (
        "record",
        2,
        "Ann",
        "2024-01-02",
    )
    assert (error["type"], error["row"], error["code"]) == ("row_error", 3, "rating_not_whole")
    assert error["cells"] == ["2024-01-03", "Ben", "4.5", "Fine"]
    assert end == {"type": "end", "warnings": []}
    assert err.splitlines() == ["Half stars are rounded up with --round-half-up."]


def test_command_runs_on_systems_without_resource_limits(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "resource", None)
    monkeypatch.delitem(sys.modules, "review_exports.__main__")
    (file := tmp_path / "reviews.csv").write_text(TABLE)

    command = importlib.import_module("review_exports.__main__")

    assert command.main([str(file), "--accept"]) == 1


def test_columns_of_new_shape_are_shown_and_nothing_is_read(run):
    code, (facts, refused), err = run(TABLE.replace("Comment", "Approved").replace("Good", "yes"))

    assert (code, facts["type"], refused["code"]) == (2, "file", "confirmation_required")
    assert "* Name: author   Ann | Ben" in err
    assert "      yes (1 row) may be published" in err
    assert "Fine (1 row) is left out, since it is not understood" in err
    assert "If the table is right, use --accept" in err


@pytest.mark.parametrize(
    ("content", "words", "answer"),
    [
        (
            TABLE.replace("2024-01-02", "04/05/2024"),
            ["--date-order", "dmy"],
            "Use --date-order dmy or mdy.",
        ),
        (
            TABLE.replace("Name", "Who knows").replace("Rating", "Value given"),
            ["--map", "Value given=rating", "Who knows=author"],
            "Use --map 'COLUMN=FIELD' or 'COLUMN=ignore'",
        ),
        (
            TABLE.replace("Comment", "As example").replace("Good", "y").replace("Fine", "n"),
            ["--publish", "As example=y"],
            "--publish 'COLUMN=VALUE' for each value",
        ),
        (
            "Date,Name,Rating,Place name\n2024-01-02,Ann,5,North\n2024-01-03,Ben,4,South\n",
            ["--place", "North"],
            "Use --place NAME for each of yours",
        ),
        (
            "Date,Name,Rating\n2024-01-02,Ann,9\n2024-01-03,Ben,8\n2024-01-03,Cleo,10\n",
            ["--best-rating", "10"],
            "Use --best-rating 5 or 10 or",
        ),
        (
            "Date,Name,Rating\n2024-01-02,Ann,Excellent\n2024-01-03,Ben,Poor\n",
            ["--stars", "Excellent=5", "--stars", "Poor=1"],
            "Use --stars 'WORD=NUMBER' for each.",
        ),
        (
            "Date,Name,Rating,Status\n2024-01-02,Ann,5,Merged\n2024-01-03,Ben,4,Kept\n",
            ["--publish", "Status=Merged"],
            "It is not known which values permit publication: Status.",
        ),
    ],
    ids=["date_order", "columns", "publication", "places", "best_rating", "stars", "status"],
)
def test_question_names_its_option(run, content, words, answer):
    code, (facts, refused), err = run(content, "--accept")

    assert (code, facts["type"], refused["type"]) == (2, "file", "refused")
    assert answer in err
    assert run(content, "--accept", "--round-half-up", *words)[0] == 0


def test_standard_input_may_be_a_pipe(monkeypatch, capsys):
    class Pipe(io.BytesIO):
        def seekable(self):
            return False

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(Pipe(TABLE.encode())))

    assert main(["-", "--accept", "--round-half-up"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 4


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "No file is named. Write it behind the command: python -m review_exports FILE."),
        (["missing.csv"], "missing.csv cannot be read: No such file or directory."),
        (["-", "--time-zone", "Mars/Base"], "There is no time zone 'Mars/Base'."),
        (["-", "--heading-row", "-1"], "--heading-row is a row number from 1 on, or 0."),
        (["-", "--publish", "Closed"], "--publish 'Closed' is not COLUMN=VALUE"),
    ],
)
def test_errors_exit_with_two(words, message, capsys):
    assert main(words) == 2
    assert message in capsys.readouterr().err


def test_records_are_printed_as_csv(tmp_path, capsys):
    file = tmp_path / "reviews.csv"
    file.write_text(TABLE.replace("Comment", "Comment,Room").replace("Good", "=Good,12"))

    assert main([str(file), "--csv", "--accept", "--map", "Room=extra"]) == 1
    out, err = capsys.readouterr()
    (row,) = csv.DictReader(io.StringIO(out))

    assert (row["author"], row["rating"], row["date"]) == ("Ann", "5", "2024-01-02")
    assert (row["text"], row["reply_date"], row["extra"]) == ("'=Good", "", '{"Room": "12"}')
    assert err.startswith("Row 3: ")


def test_csv_of_unconfirmed_file_is_empty(tmp_path, capsys):
    file = tmp_path / "reviews.csv"
    file.write_text(TABLE)

    assert main([str(file), "--csv"]) == 2
    assert capsys.readouterr().out == ""
