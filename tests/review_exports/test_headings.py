"""Columns recognised by headings and cells, and values left out because of them."""

import pytest

from tests.review_exports.exports import opened, read, refused, workbook


@pytest.mark.parametrize(
    ("heading", "stars"),
    [("Stars (1-5)", [4, 5]), ("Overall Rating (out of 10)", [2, 3]), ("Score /100", [1, 1])],
)
def test_heading_names_the_scale_of_the_stars(heading, stars):
    content = f"{heading},Date,Name\n4,2025-01-01,Ada\n5,2025-01-01,Bo\n"

    assert [record.rating for record in read(content).records] == stars


def test_named_column_may_name_the_scale_of_the_stars():
    question = "How likely are you to recommend us? (0-10)"
    content = f"{question},Date\n9,2025-01-01\n4,2025-01-02\n"

    reading = read(content, columns={question: "rating"})

    assert [record.rating for record in reading.records] == [5, 2]


@pytest.mark.parametrize(
    ("stars", "words"),
    [
        ("Sterne", "Bewertung"),
        ("Note", "Évaluation"),
        ("Puntuación", "Valoración"),
        ("Voto", "Valutazione"),
        ("Nota", "Avaliação"),
        ("Cijfer", "Beoordeling"),
        ("Stjerner", "Vurdering"),
    ],
)
def test_word_for_a_rating_means_the_words_beside_stars(stars, words):
    beside = read(f"Date,{words},{stars}\n2025-01-02,Fine,4\n").record
    alone = read(f"Date,{words}\n2025-01-02,4\n").record

    assert (beside.rating, beside.text) == (4, "Fine")
    assert (alone.rating, alone.text) == (4, "")


def test_headings_may_say_more_than_their_name():
    reading = read("Date (UTC),Name [optional],Rating *,Your Review\n2025-01-01,Ada,5,Fine\n")

    assert reading.mapping == {
        "Date (UTC)": "date",
        "Name [optional]": "author",
        "Rating *": "rating",
        "Your Review": "text",
    }


@pytest.mark.parametrize(
    ("headings", "cells"),
    [
        ("Review Submit Date and Time,Star Rating", "2025-01-02T12:00:00Z,5"),
        ("Reviewed At,Stars", "2025-01-02 12:00,5"),
        ("datetime_utc,review_rating", "01/22/2025 12:00:00,5"),
        ("date,date_utc,rating", "2 weeks ago,2025-01-02,5"),
    ],
)
def test_dates_and_stars_are_found_by_further_names(headings, cells):
    reading = read(f"{headings}\n{cells}\n")

    assert (reading.record.rating, reading.record.date.year) == (5, 2025)


@pytest.mark.parametrize(
    "heading", ["Responded On", "Responded At", "Developer Reply Date and Time", "Reply Timestamp"]
)
def test_day_of_a_reply_is_found_by_further_names(heading):
    reading = read(f"Date,Stars,Name,Reply,{heading}\n2025-01-02,5,Ada,Thanks,2025-01-05\n")

    assert str(reading.record.reply_date) == "2025-01-05"


@pytest.mark.parametrize(
    ("words", "stars"),
    [
        ("Recommended", [5]),
        ("Doesn\u2019t recommend", [1]),
        ("yes", [5]),
        ("No", [1]),
        ("1", []),
        ("10", []),
        ("0", []),
    ],
)
def test_recommendation_counts_in_words_only(words, stars):
    reading = read(f"Date,Name,Recommendation\n2025-01-02,Ada,{words}\n")

    assert [record.rating for record in reading.records] == stars


def test_who_wants_to_stay_anonymous_does():
    rows = "2025-01-02,5,Ada,yes\n2025-01-02,4,Bo,no\n"
    reading = read(f"Date,Stars,Name,Anonymous\n{rows}")

    assert [record.author for record in reading.records] == ["Anonymous", "Bo"]


@pytest.mark.parametrize("heading", ["Response", "Response Date"])
def test_answer_where_nothing_is_said_is_asked_for(heading):
    open_columns = opened(f"{heading},Score\nVery great work indeed on the roof,5\n").shape.columns

    assert not open_columns[0].field
    assert open_columns[0].is_open


def test_title_that_all_rows_share_is_the_places():
    rows = [f"2025-01-0{day},5,Ada {day},Tern Hollow,Fine {day}" for day in (1, 2, 3)]
    content = "\n".join(["Date,Stars,Name,Title,Text", *rows])
    reading = read(content)

    assert [record.text for record in reading.records] == ["Fine 1", "Fine 2", "Fine 3"]
    assert "title" not in reading.mapping.values()
    assert read(content.replace("Tern Hollow,Fine 3", "Good,Fine 3")).warnings == []
    named = read(content, columns={"Title": "title", "Date": "date"})
    assert named.records[0].text == "Tern Hollow\n\nFine 1"


def test_title_that_not_all_rows_have_is_the_reviews():
    rows = [f"2025-01-0{day},5,Ada {day},{'Great' if day > 1 else ''}" for day in (1, 2, 3, 4)]
    reading = read("\n".join(["Date,Stars,Name,Title", *rows]))

    assert [record.text for record in reading.records] == ["", "Great", "Great", "Great"]


@pytest.mark.parametrize(
    "headings", ["Customer First Name,Customer Last Name", "reviewer_first_name,reviewer_last_name"]
)
def test_parts_of_a_name_may_say_whose_they_are(headings):
    reading = read(f"{headings},Date,Stars,Text\nAda,P.,2025-01-02,5,Fine\n")

    assert reading.record.author == "Ada P."
    assert reading.warnings == []


def test_headings_may_be_the_paths_of_members():
    yelp = (
        "reviewId,rating,date,text,user/name,user/photoUrl,ownerReplies/0/text,ownerReplies/0/date\n"
        "y1,5,2025-03-04,Fine,Ada,https://shop.example/ada,Thanks,2025-03-05\n"
        "y2,4,2025-03-06,Ok,Bo,,,\n"
    )
    trustpilot = (
        "id,rating,title,dates/experiencedDate,dates/publishedDate,consumer.displayName\n"
        "t1,5,Good,2025-03-01,2025-03-04,Ada\n"
    )
    klaviyo = (
        "id,attributes/status/value,attributes/created,attributes/rating,attributes/author\n"
        "1,published,2025-03-04,5,Ada\n2,rejected,2025-03-04,5,Bo\n"
    )
    first, second = read(yelp).records

    assert (first.author_avatar_url, first.reply_text) == ("https://shop.example/ada", "Thanks")
    assert (str(first.reply_date), second.reply_text) == ("2025-03-05", "")
    assert str(read(trustpilot).record.date) == "2025-03-04"
    assert read(trustpilot).record.author == "Ada"
    assert (read(klaviyo).record.author, read(klaviyo).record.rating) == ("Ada", 5)
    assert [skip.row for skip in read(klaviyo).skipped] == [3]


def test_what_is_no_path_is_not_taken_for_one():
    reading = read("Date,Stars,Name,Customer Photo\n2025-01-02,5,Ada,https://shop.example/sink\n")

    assert reading.record.author_avatar_url == ""


@pytest.mark.parametrize("heading", ["Time", "Review Time"])
def test_time_of_the_day_is_no_other_date(heading):
    assert not read(f"Review Date,{heading},Stars,Text\n2025-01-02,12:30,5,Fine\n").warnings


def test_id_that_all_rows_share_is_no_reviews():
    rows = [f"2025-01-{10 + n},5,Ada {n},7" for n in range(5)]
    reading = read("\n".join(["Date,Stars,Name,External ID", *rows]))

    assert len(reading.records) == 5
    assert all(record.external_id_is_synthetic for record in reading.records)
    assert "review_id" not in reading.mapping.values()


def test_row_that_repeats_the_headings_is_left_out():
    part = "Date,Stars,Name\n2025-01-02,5,Ada {}\n"
    reading = read(part.format(1) + part.format(2))

    assert len(reading.records) == 2
    assert [(skip.row, skip.code) for skip in reading.skipped] == [(3, "headings_repeated")]


def test_refusal_shows_no_contact_data_in_place_of_headings():
    refusal = refused("Ada,ada@mail.example,+1 555 010 0199,203.0.113.7\nBo,5,x,y\n")

    assert "mail.example" not in refusal.message
    assert "555" not in refusal.message
    assert "mail.example" not in repr(refusal)


def test_text_document_is_refused_as_one():
    assert "(RTF)" in refused("{\\rtf1\\ansi Date, Stars}").message


@pytest.mark.parametrize("question", ["Kommentar, frei", "Was war gut, was nicht, und warum?"])
def test_commas_of_a_heading_set_no_rows_apart(question):
    rows = "02.01.2025;5;Ada;Alles, wirklich\n03.01.2025;4;Bo;Gut\n"
    reading = read(
        f"Datum, Uhrzeit;Sterne;Name;{question}\n{rows}",
        columns={"Datum, Uhrzeit": "date", question: "text"},
    )

    assert [record.author for record in reading.records] == ["Ada", "Bo"]


def test_day_of_the_review_comes_before_the_day_it_was_added():
    reading = read("Date Added,Reviewed on,Stars,Name\n2025-03-03,2025-01-02,5,Ada\n")

    assert str(reading.record.date) == "2025-01-02"


# --- Which row holds the headings -----------------------------------------------------------------

TITLED = (
    "Job list Q3\n\nMade on,1 May\nDay,Mark,Who,Words\n2026-01-01,5,Jo,Great\n2026-01-01,4,Sam,Ok\n"
)
HEADLESS = "2025-08-01,5,Jo Park,Great work\n2025-08-02,4,Sam Hill,Quick\n"
NAMED = {"Day": "date", "Mark": "rating", "Who": "author", "Words": "text"}
NUMBERED = {
    "Column 1": "date", "Column 2": "rating", "Column 3": "author", "Column 4": "text"
}  # fmt: skip


def unrecognised(content, **changes):
    export = opened(content, **changes)
    assert export.shape.questions
    return export


def as_workbook(text):
    return workbook([line.split(",") if line else [] for line in text.splitlines()])


@pytest.mark.parametrize("written", [str, as_workbook, lambda text: text.replace(",", ";")])
def test_widest_early_row_is_offered_as_headings(written):
    export = unrecognised(written(TITLED))

    assert export.columns == ["Day", "Mark", "Who", "Words"]
    assert export.heading_row == 4
    assert [number for number, _ in export.first_rows] == [1, 3, 4, 5, 6]
    assert export.first_rows[0][1] == ["Job list Q3"]


@pytest.mark.parametrize("written", [str, as_workbook])
def test_table_without_headings_is_offered_with_numbered_columns(written):
    export = unrecognised(written(HEADLESS))

    assert export.columns == [*NUMBERED]
    assert export.heading_row == 0
    assert any("no row of headings" in one.message for one in export.shape.questions)
    assert [one.samples[0] for one in export.shape.columns] == [
        "2025-08-01",
        "5",
        "Jo Park",
        "Great work",
    ]


@pytest.mark.parametrize("written", [str, as_workbook])
@pytest.mark.parametrize(
    ("content", "columns", "heading_row", "rows"),
    [
        (TITLED, NAMED, 4, [5, 6]),
        (TITLED, NAMED, None, [5, 6]),
        (HEADLESS, NUMBERED, 0, [1, 2]),
    ],
)
def test_named_columns_are_read_by_the_row_of_headings(
    written, content, columns, heading_row, rows
):
    reading = read(written(content), columns=columns, heading_row=heading_row)

    assert [record.row for record in reading.records] == rows
    assert [record.rating for record in reading.records] == [5, 4]
    assert not reading.errors


def test_row_of_headings_overrules_recognition():
    content = "Date,Name,Stars\nDate,Author,Rating\n2025-01-01,Ada,5\n"

    assert read(content, heading_row=2).mapping == {
        "Date": "date",
        "Author": "author",
        "Rating": "rating",
    }


@pytest.mark.parametrize("written", [str, as_workbook])
@pytest.mark.parametrize("row", [2, 99])
def test_row_that_holds_nothing_cannot_be_the_headings(written, row):
    refusal = refused(written(TITLED), heading_row=row)

    assert refusal.code == "heading_row_missing"
    assert f"Row {row} holds nothing" in refusal.message


def test_first_rows_show_no_contact_data():
    export = unrecognised("Day,Phone,Mail\nx,555 010 0199,ada@mail.example\n")

    assert export.first_rows == [(1, ["Day", "Phone", "Mail"]), (2, ["x", "", ""])]


def test_day_of_a_workbook_is_shown_as_a_day():
    import datetime as dt

    day = dt.datetime(2025, 8, 1)  # noqa: DTZ001
    export = unrecognised(workbook([["Who", "Day"], ["Ann", day]]))

    assert export.first_rows[1] == (2, ["Ann", "2025-08-01"])
    assert [one.samples for one in export.shape.columns] == [("Ann",), ("2025-08-01",)]


def test_headings_with_runs_of_blanks_are_read_at_once():
    """A scale was sought from within the blanks: a fifth of a second for each heading."""
    blanks = [f"Question {number}{' ' * 180}x" for number in range(1_900)]
    headings = ",".join(["Name", "Stars", "Date", *blanks, " " * 100_000])
    content = f"{headings}\nAda,5,2025-01-01{',no' * 1_901}\n"

    assert read(content).record.rating == 5
