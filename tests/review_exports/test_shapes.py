"""New shapes are confirmed once. Blank or unknown values never permit publication."""

import io
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from review_exports import proposals, recognition
from review_exports.formats.base import fold_value
from review_exports.records import Record
from review_exports.rows import NULL_STRINGS
from review_exports.shapes import Confirmation, ConfirmationRequired, Shape, merged
from tests.review_exports.exports import open_shape, opened, options, read

HEADINGS = "Date,Name,Rating,Comment"
ROWS = ["2025-01-02,Ann,5,Shown", "2025-01-03,Ben,4,Kept", "2025-01-04,Cleo,3,Plain"]
TABLE = f"{HEADINGS}\n" + "\n".join(ROWS) + "\n"
# Letters without delimiters, quotation marks or formula guards.
WORDS = st.text(
    st.characters(categories=["L", "N"], max_codepoint=0x2FF), min_size=1, max_size=12
).filter(lambda word: word not in NULL_STRINGS)


def with_column(heading, cells):
    """Return a table with one more column of repeating cells."""
    rows = (f"{row},{cells[n % len(cells)]}" for n, row in enumerate(ROWS))
    return f"{HEADINGS},{heading}\n" + "\n".join(rows) + "\n"


def confirmed(content, **answers):
    """Return the confirmations of an installation that knows this file."""
    shape = opened(content, accept=True, **answers).shape
    assert not shape.questions
    return {shape.key: shape.confirmation}


def authors(content, **changes):
    return [one.author for one in read(content, **changes).outcomes if isinstance(one, Record)]


@given(WORDS, st.lists(WORDS | st.just(""), min_size=1, max_size=3, unique=True))
def test_unknown_column_beside_ratings_is_asked_about(heading, cells):
    export = recognition.read(
        io.BytesIO(with_column(heading, cells).encode()),
        options(accept=False),
        file_name="reviews.csv",
    )

    assert not export.shape.is_confirmed
    with pytest.raises(ConfirmationRequired):
        next(iter(export))


PROPOSED = st.sampled_from(sorted(set().union(*proposals.WORDS.values())))


@given(
    WORDS | PROPOSED | st.builds("{} {}".format, PROPOSED, PROPOSED),
    st.lists(WORDS | st.just(""), min_size=2, max_size=3, unique_by=fold_value),
)
@example("verified photo", ["ja", "nein"])
@example("Likes", ["0", "1"])
@example("Moderator note", ["", "The customer does not want this to be shown to anybody"])
def test_acceptance_does_not_pass_distinguishing_unread_column(heading, cells):
    shape = opened(with_column(heading, cells), file_name="reviews.csv").shape

    column = shape.columns[-1]
    assert column.field or column.is_open
    assert column.field or column.may_decide
    assert shape.is_confirmed is not column.is_open or column.field


@given(
    WORDS,
    st.lists(WORDS | st.just(""), min_size=2, max_size=3, unique_by=fold_value),
    st.data(),
)
def test_only_confirmed_values_are_published(heading, cells, data):
    public = data.draw(st.sampled_from([cell for cell in cells if cell]))

    found = authors(
        with_column(f"Use {heading}", cells),
        columns={f"Use {heading}": "status"},
        decisions={f"Use {heading}": {cell: cell == public for cell in cells}},
    )

    permitted = [row for n, row in enumerate(ROWS) if cells[n % len(cells)] == public]
    assert found == [row.split(",")[1] for row in permitted]


def test_confirmed_shape_is_read_without_question():
    known = confirmed(with_column("Approved", ["yes", "no"]))

    again = authors(with_column("Approved", ["yes", "no"]), accept=False, confirmations=known)

    assert again == ["Ann", "Cleo"]


def test_confirmed_shape_allows_other_column_order_and_row_count():
    known = confirmed(TABLE)
    content = "Comment,Rating,Date,Name\nFine,5,2025-02-02,Dora\n"

    assert authors(content, accept=False, confirmations=known) == ["Dora"]


def test_only_new_column_is_asked_about():
    known = confirmed(TABLE)

    shape = open_shape(with_column("Zone", ["2", "3"]), accept=False, confirmations=known)

    assert [column.name for column in shape.columns if column.is_new] == ["Zone"]
    assert [question.names for question in shape.questions] == [{"Zone": 3}]
    assert [column.may_decide for column in shape.columns if column.is_new] == [True]


def test_new_value_in_deciding_column_is_asked_about():
    known = confirmed(with_column("Approved", ["yes", "no"]))

    shape = open_shape(with_column("Approved", ["yes", "later"]), accept=False, confirmations=known)

    (column,) = [column for column in shape.columns if column.is_new]
    assert dict(column.decisions) == {"yes": True, "later": None}
    assert authors(with_column("Approved", ["yes", "later"]), confirmations=known) == [
        "Ann",
        "Cleo",
    ]


def test_missing_deciding_column_is_asked_about():
    known = confirmed(with_column("Approved", ["yes", "no"]))

    shape = open_shape(TABLE, confirmations=known)

    assert "lacks Approved" in shape.questions[0].message
    assert authors(TABLE, confirmations=known, columns={"Approved": "ignore"}) == [
        "Ann",
        "Ben",
        "Cleo",
    ]


def test_scale_that_no_longer_fits_is_asked_about():
    known = confirmed(TABLE)

    shape = open_shape(TABLE.replace(",5,", ",10,"), confirmations=known)

    assert [question.kind for question in shape.questions] == ["scale"]
    assert "earlier files of this kind" in shape.questions[0].message


def test_date_order_that_no_longer_fits_is_asked_about():
    dates = TABLE.replace("2025-01-02", "04/05/2024").replace("2025-01-03", "25/05/2024")
    known = confirmed(dates)

    again = dates.replace("25/05/2024", "06/05/2024")
    assert str(read(again, accept=False, confirmations=known).records[0].date) == "2024-05-04"
    shape = open_shape(dates.replace("25/05/2024", "05/25/2024"), confirmations=known)

    assert [question.kind for question in shape.questions] == ["date_order"]


@pytest.mark.parametrize("content", [TABLE, with_column("Approved", ["yes", ""])])
def test_shape_and_confirmation_round_trip(content):
    shape = opened(content).shape

    assert Shape.from_json(shape.as_json()) == shape
    assert Confirmation.from_json(shape.confirmation.as_json()) == shape.confirmation


def test_newer_answers_replace_older_ones():
    stored = Confirmation(columns={"A": "rating", "B": ""}, best_rating=10, date_order="dmy")

    both = merged(
        stored, replace(stored, columns={"B": "text"}, best_rating=None, date_order="mdy")
    )

    assert (both.columns, both.best_rating, both.date_order) == (
        {"A": "rating", "B": "text"},
        10,
        "mdy",
    )


def test_blank_in_forbidding_column_is_asked_about():
    content = with_column("Hidden", ["yes", ""])

    shape = open_shape(content)

    assert [column.name for column in shape.columns if column.is_open] == ["Hidden"]
    assert authors(content, decisions={"Hidden": {"yes": False, "": True}}) == ["Ben"]


def test_place_other_than_business_is_asked_about():
    content = with_column("Business", ["Rival Pipes LLC"])
    names = ["Tern Hollow"]

    shape = open_shape(content, business_names=names)

    assert shape.places == (("Rival Pipes LLC", 3, None),)
    assert authors(with_column("Business", ["TERN HOLLOW"]), business_names=names) == [
        "Ann",
        "Ben",
        "Cleo",
    ]
    other = read(content, business_names=names, places={"Rival Pipes LLC": False})
    assert not other.records
    assert other.warnings == ["other_places_left_out"]


REVIEW = {"author": "Ann", "rating": 5, "date": "2025-03-04", "text": "Good."}


@pytest.mark.parametrize(
    "document",
    [
        {"place_name": "Rival Pipes", "reviews": [REVIEW]},
        {"name": "Rival Pipes", "address": "1 Main St", "reviews": [REVIEW]},
        {"result": {"name": "Rival Pipes", "place_id": "ChIJ", "reviews": [REVIEW]}},
        {"place_info": {"title": "Rival Pipes"}, "reviews": [REVIEW]},
        {"displayName": {"text": "Rival Pipes", "languageCode": "en"}, "reviews": [REVIEW]},
        {"venue": {"name": "Rival Pipes"}, "data": {"reviews": [REVIEW]}},
        {"business": "Rival Pipes", "feedback": [REVIEW]},
    ],
)
def test_place_beside_list_of_reviews_is_asked_about(document):
    shape = open_shape(document, business_names=["Tern Hollow"])

    assert shape.places == (("Rival Pipes", 1, None),)
    assert authors(document, business_names=["Rival Pipes"]) == ["Ann"]


def test_title_without_facts_of_place_is_not_a_place():
    document = {"title": "Reviews of October", "count": 1, "reviews": [REVIEW]}

    assert not opened(document, business_names=["Tern Hollow"]).shape.places


def test_number_of_stars_is_not_a_name():
    review = {"author": "Ann", "date": "2025-03-04", "text": "Good."}
    reviews = [review | {"scores": {"overall": n, "staff": 6 - n, "service": 3}} for n in (4, 5)]

    columns = opened(reviews).shape.columns

    assert {one.name for one in columns if one.field} == {*review, "scores.overall"}


def test_stars_are_shown_on_scale_of_row():
    review = {"author": "Ann", "date": "2025-03-04", "text": "Good."}
    ratings = ({"value": 9, "best": 10}, {"value": 4, "best": 5})

    shape = opened([review | {"rating": rating} for rating in ratings]).shape

    assert shape.stars == (("9 / 10", 5), ("4 / 5", 4))
