"""`python -m review_exports FILE`: JSON Lines, exit codes, and questions with their option."""

import io
import json

import pytest

from review_exports.__main__ import main

TABLE = "Date,Name,Rating,Comment\n2024-01-02,Ann,5,Good\n2024-01-03,Ben,4.5,Fine\n"


@pytest.fixture
def run(tmp_path, capsys):
    """Runs the command on a content; exit code, printed objects, and standard error."""

    def run(content, *words):
        file = tmp_path / "reviews"
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        code = main([str(file), *words])
        out, err = capsys.readouterr()
        return code, [json.loads(line) for line in out.splitlines()], err

    return run


def test_records_and_row_errors_are_lines_of_json(run):
    code, (record, error), err = run(TABLE)

    assert code == 1
    assert (record["type"], record["row"], record["author"], record["date"]) == (
        "record",
        2,
        "Ann",
        "2024-01-02",
    )
    assert (error["type"], error["row"], error["code"]) == ("row_error", 3, "rating_not_whole")
    assert error["cells"] == ["2024-01-03", "Ben", "4.5", "Fine"]
    assert err.splitlines() == [
        "Half stars are rounded up with --round-half-up.",
        "Table, CSV: records 1, row errors 1, skipped rows 0.",
    ]


def test_option_for_row_errors_makes_exit_code_zero(run):
    code, rows, _ = run(TABLE, "--round-half-up")

    assert code == 0
    assert [row["rating"] for row in rows] == [5, 5]


def test_skipped_rows_are_lines_and_no_failure(run):
    code, (first, second), _ = run(
        "Date,Name,Rating,Status\n2024-01-02,Ann,5,published\n2024-01-03,Ben,4,spam\n"
    )

    assert code == 0
    assert (first["type"], second["type"]) == ("record", "skipped")
    assert second["code"] == "not_published"


@pytest.mark.parametrize(
    ("content", "words", "answer"),
    [
        (
            TABLE.replace("2024-01-02", "04/05/2024"),
            ["--date-order", "dmy", "--round-half-up"],
            "Use --date-order dmy or --date-order mdy.",
        ),
        (
            TABLE.replace("Name", "Who knows").replace("Rating", "Value given"),
            ["--map", "Value given=rating", "--round-half-up"],
            "Use --map COLUMN=FIELD, and --heading-row N",
        ),
        (
            TABLE.replace("Comment", "Use as example").replace("Good", "1").replace("Fine", "1"),
            ["--map", "Use as example=published", "--round-half-up"],
            "Use --map COLUMN=published, COLUMN=withheld or COLUMN=ignore.",
        ),
        (
            "Date,Name,Rating,Place name\n2024-01-02,Ann,5,North\n2024-01-03,Ben,4,South\n",
            ["--place", "North"],
            "Use --place NAME for each of yours.",
        ),
        (
            "Date,Name,Rating\n2024-01-02,Ann,9\n2024-01-03,Ben,8\n2024-01-03,Cleo,10\n",
            ["--best-rating", "10"],
            "Use --best-rating 10 or another.",
        ),
    ],
    ids=["date_order", "columns", "publication", "places", "best_rating"],
)
def test_question_names_the_option_that_answers_it(run, content, words, answer):
    code, rows, err = run(content)

    assert (code, rows) == (2, [])
    assert answer in err
    assert run(content, *words)[0] == 0


def test_standard_input_may_be_a_pipe(monkeypatch, capsys):
    class Pipe(io.BytesIO):
        def seekable(self):
            return False

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(Pipe(TABLE.encode())))

    assert main(["-", "--round-half-up"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "No file is named. Write it behind the command: python -m review_exports FILE."),
        (["missing.csv"], "missing.csv cannot be read: No such file or directory."),
        (["-", "--time-zone", "Mars/Base"], "--time-zone 'Mars/Base' is unknown."),
        (["-", "--heading-row", "-1"], "--heading-row is a row number from 1 on, or 0."),
        (["-", "--status", "Closed"], "--status 'Closed' is not WORD=public or WORD=hidden"),
    ],
)
def test_what_cannot_be_done_exits_with_two(words, message, capsys):
    assert main(words) == 2
    assert message in capsys.readouterr().err
