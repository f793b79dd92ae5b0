import pytest

from tests.review_exports.exports import columns_of, read, refusal_reason, workbook

# --- Workbooks ------------------------------------------------------------------------------------


def test_workbook_is_read_like_a_table():
    import datetime as dt

    content = workbook(
        [
            ["Name", "Stars", "Date", "Text", "Reply", "E-Mail"],
            ["Ada", 5, dt.datetime(2025, 1, 1), "Fine\nwork", None, "a@mail.example"],  # noqa: DTZ001
            [],
            ["Bo", 4.0, dt.datetime(2025, 3, 2, 4, 30), 42, "Thanks", None],  # noqa: DTZ001
            ["Cy", "4/5", "31.12.2024", None, None, None],
            ["Di", 4.5, "2025-01-01", None, None, None],
            ["Ed", 5, 45000, None, None, None],
            ["Fi", 5, "2025-01-01", None, None, None, "surplus"],
        ]
    )
    reading = read(content)

    assert [(r.row, r.author, r.rating, str(r.date), r.text) for r in reading.records] == [
        (2, "Ada", 5, "2025-01-01", "Fine\nwork"),
        (4, "Bo", 4, "2025-03-01", "42"),
        (5, "Cy", 4, "2024-12-31", ""),
    ]
    assert reading.codes == [
        (6, "rating", "rating_not_whole"),
        (7, "date", "date_invalid"),
        (8, None, "row_too_long"),
    ]
    assert "mail.example" not in repr(reading.outcomes)
    assert reading.export.encoding == "xlsx"


def test_escaped_text_in_workbook_is_unescaped():
    text = "Fine_x000D_\nwork, _x005F_x000D_ and my_x_file"
    reading = read(workbook([["Name", "Stars", "Date", "Text"], ["Ada", 5, "2025-01-01", text]]))

    assert reading.record.text == "Fine\nwork, _x000D_ and my_x_file"


def test_date_of_workbook_is_a_date_in_error_cells():
    import datetime as dt

    moment = dt.datetime(2025, 1, 1)  # noqa: DTZ001  (as a workbook has it)
    (error,) = read(workbook([["Name", "Stars", "Date"], ["Ada", 9, moment]])).errors

    assert error.cells == ("Ada", "9", "2025-01-01")


def test_workbook_of_known_maker_is_recognised():
    content = workbook(
        [
            [
                "review_id",
                "author_title",
                "review_rating",
                "review_datetime_utc",
                "review_timestamp",
            ],
            ["ChdX", "Keiko", 5, "08/04/2025 09:33:20", 1754300000],
        ]
    )
    reading = read(content)

    assert reading.export.format == "outscraper"
    assert (reading.record.external_id, str(reading.record.date)) == ("ChdX", "2025-08-04")


REVIEWS = [["Name", "Stars", "Date"], ["Ada", 5, "2025-01-01"]]


@pytest.mark.parametrize(
    "content",
    [
        workbook([["Prepared for", "Tern Hollow"]], Reviews=REVIEWS),
        workbook([], Reviews=REVIEWS),
        workbook(REVIEWS, Notes=[["To do"], ["Call Ada"]]),
    ],
)
def test_sheet_with_reviews_is_found_at_any_position(content):
    reading = read(content)

    assert (reading.record.author, reading.warnings) == ("Ada", [])


def test_hidden_sheet_comes_last():
    stars = [["Name", "Stars", "Date"], ["Bo", 4, "2025-01-01"]]
    reading = read(workbook([["Notes"]], hidden=stars, Reviews=REVIEWS))

    assert reading.record.author == "Ada"


def test_further_sheets_with_reviews_are_reported():
    reading = read(workbook(REVIEWS, Later=REVIEWS, Notes=[["To do"]]))

    (warning,) = reading.export.warnings
    assert len(reading.records) == 1
    assert warning.code == "sheets_left_unread"
    assert "Only the sheet First is read" in warning.message
    assert "Later." in warning.message


def test_sheet_with_ambiguous_dates_is_not_skipped():
    unclear = [["Name", "Stars", "Date"], ["Bo", 4, "04/05/2025"]]

    assert refusal_reason(workbook(unclear, Other=REVIEWS)).code == "date_order_ambiguous"
    assert read(workbook(REVIEWS, Other=unclear)).warnings == ["sheets_left_unread"]


def test_columns_to_map_are_from_first_nonempty_sheet():
    refusal = refusal_reason(workbook([], Answers=[["Who", "How many"]], Notes=[["To do"]]))

    assert columns_of(refusal) == ["Who", "How many"]
