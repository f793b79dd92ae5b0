"""How far the stars of a file count."""

import pytest

from review_exports.shapes import ConfirmationRequired
from tests.review_exports.exports import read, refused


def test_half_stars_are_rounded_up_when_asked():
    assert read('Name,Stars,Date\nAda,"4,5",2025-01-01\n', round_half_up=True).record.rating == 5


def rated(*stars):
    rows = [f"Ada {number},{one},2025-01-01" for number, one in enumerate(stars)]
    return "\n".join(["Name,Stars,Date", *rows])


@pytest.mark.parametrize(
    "stars",
    [
        (9, 10),
        (9, 10, 3, 8),
        ("9,5", 3, "10,0", 7.5),
        (95, 80, 2, 100),
        (10, 5, 4),
        (5, 4, 3, 5, 5, 5, 5, 5, 5, 10),
        ("10 - Extremely likely", "8 - Likely", "2 - Unlikely"),
    ],
)
def test_file_with_many_stars_above_five_asks_how_far_they_count(stars):
    stars = [f'"{one}"' for one in stars]

    for content in (rated(*stars), [{"rating": one, "date": "2025-01-01"} for one in (9, 10, 7)]):
        refusal = refused(content)
        assert refusal.code == "best_rating_unknown"
        assert "are above 5, and nothing in the file says how far" in refusal.message


def test_answer_says_how_far_the_stars_count():
    assert ratings(read(rated(9, 10, 3, 8), best_rating=10)) == [5, 5, 2, 4]
    assert ratings(read(rated(95, 40, 5, 62), best_rating=100)) == [5, 2, 1, 3]
    assert ratings(read(rated(9, "3/5", 3, 8), best_rating=10)) == [5, 3, 2, 4]

    reading = read(rated(9, 10, 3, 8), best_rating=5)
    assert ratings(reading) == [3]
    assert [code for _, _, code in reading.codes] == ["rating_out_of_range"] * 3


def ratings(reading):
    return [record.rating for record in reading.records]


def test_few_stars_above_five_are_slips():
    assert ratings(read(rated(*[5] * 10, 6, 7, 9))) == [5] * 10
    assert ratings(read(rated(5, 6, 4, 7, 9, 5, 5))) == [5, 4, 5, 5]
    assert ratings(read(rated(*[5] * 30, 10))) == [5] * 30


@pytest.mark.parametrize(
    "column",
    ["Best Rating,10", "Out of,10", "Max Rating,10.0", "Rating Scale,1-10", "Survey Type,NPS"],
)
def test_column_may_say_how_far_the_stars_count(column):
    heading, best = column.split(",")
    rows = [f"{stars},{best},2025-01-01,Ada {stars}" for stars in (9, 10, 3, 8)]

    assert ratings(read("\n".join([f"Stars,{heading},Date,Name", *rows]))) == [5, 5, 2, 4]


@pytest.mark.parametrize(
    "members",
    [
        {"rating": {"value": 8, "max": 10}},
        {"rating": {"rating": 8, "rating_max": 10}},
        {"score": 8, "survey_type": "nps"},
    ],
)
def test_member_may_say_how_far_the_stars_count(members):
    assert read([{"date": "2025-01-01", **members}]).record.rating == 4


def test_one_rating_above_five_of_two_is_asked_about():
    # As German marks are, of which six is the worst.
    with pytest.raises(ConfirmationRequired, match="Stars such as 6 are above 5"):
        read("Datum;Kunde;Note\n2026-01-03;Ann;1\n2026-01-04;Bo;6\n")
