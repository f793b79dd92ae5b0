"""Recall and precision of names in whole reviews."""

import re
from pathlib import Path

import pytest

from review_analysis.name_matching import PersonEntry, Roster

# Names that are also English words or common names of other people.
TEAM = Roster(
    PersonEntry(name, name)
    for name in (
        *("Mark Reyes", "Will Okafor", "Dr. April Bell", "May Lin", "June Park", "Bill Tran"),
        *("Grant Ito", "Rich Vega", "Frank Moss", "Art Novak", "Pat Doyle", "Hope Diaz"),
        *("Grace Kim", "Joy Adeyemi", "Rose Adler", "Faith Osei", "Chase Lowe", "Drew Fox"),
        *("Sue Hart", "Dean Wolfe", "Jack Ames", "Ray Ortiz", "Miles Chen", "Summer Voss"),
        *("Amber Holt", "Dawn Pike", "Angel Cruz", "Major Banks", "Christian Roy", "Price Hollis"),
        *("Young Cho", "Long Nguyen", "Don Webb", "Max Stein", "Michael Tate", "David Orr"),
        *("Robert Lang", "Elizabeth Shaw", "Katherine Bloom", "José Peña", "Zoë Blake"),
        *("Shane O'Neil", "D'Angelo Watts", "Kevin Marsh", "Chris Abbot", "James Lund"),
        "Autumn Reed",
    )
)


# Names in `words_and_names_in_reviews.txt`, half of them used as words.
CROWD = Roster(
    PersonEntry(name, name if " " in name else f"{name} Quimby")
    for name in (
        *("Mark Delaney", "Will Torres", "April Nguyen", "Bill Hartman", "Grace Kim"),
        *("Hope Sanders", "Rose Martinez", "Chase Whitfield", "Grant Olsen", "Drew Palmer"),
        *("May Chen", "June Fischer", "Summer Brooks", "Dawn Petrov", "Faith Okafor"),
        *("Joy Banerjee", "Rich Kowalski", "Frank Moretti", "Jack Lindqvist", "Carol Hughes"),
        *("Art Feldman", "Pat O'Brien", "Rob Santos", "Sue Whitaker", "Chip Dawson"),
        *("Guy Laurent", "Gene Abbott", "Dale Hutchins", "Heather Stone", "Ginger Walsh"),
        *("José Ramírez", "Sean O'Connor", "Maria Lopez", "Austin Reed", "Jordan Blake"),
        *("Hunter Price", "Miles Carver", "Ray", "Max", "Dean", "Amber", "Crystal", "Angel"),
        *("Christian", "Don", "Penny", "Ruby", "Sandy", "Rusty", "Daisy", "Lily", "Holly", "Ivy"),
        *("Olive", "Jasmine", "Iris", "Herb", "Basil", "Cliff", "Clay", "Glen", "Lane", "Mason"),
        *("Rod", "King", "Prince", "Duke", "Star", "Sky", "Skip", "Buck", "Wade", "Nick", "Mike"),
        *("Bob", "Josh", "Dallas", "Phoenix", "Savannah", "Charlotte", "Madison", "Georgia"),
        *("Virginia", "Paris", "London", "Chelsea", "Victoria", "Sydney", "Dakota"),
    )
)


# A line that begins with "@" is the roster of the following lines. Errors in the held-back files
# are not inspected, and no rule may be written for one of them.
@pytest.mark.parametrize(
    ("roster", "file", "least_recall", "least_precision"),
    [
        (TEAM, "names_in_reviews.txt", 0.98, 0.97),
        (CROWD, "words_and_names_in_reviews.txt", 0.98, 0.97),
        (None, "people_in_reviews.txt", 0.97, 0.97),
        (None, "people_in_reviews_held_back.txt", 0.96, 0.96),
        (None, "namesakes_in_reviews.txt", 0.98, 0.95),
        (None, "namesakes_in_reviews_held_back.txt", 0.96, 0.9),
        (None, "firms_and_places_in_reviews.txt", 0.98, 0.87),
        (None, "firms_and_places_in_reviews_held_back.txt", 0.96, 0.82),
    ],
)
def test_names_in_reviews_have_precision_and_recall(roster, file, least_recall, least_precision):
    recall, precision = _measured(roster, file)

    assert recall >= least_recall
    assert precision >= least_precision


@pytest.mark.parametrize("change", [str.lower, str.upper])
def test_names_in_lower_case_have_precision_and_recall(change):
    recall, precision = _measured(TEAM, "names_in_reviews.txt", change)

    assert recall >= 0.945
    assert precision >= 0.96


def _measured(roster, file, change=str):
    """Compare with the brackets in each line, which mark the people of the roster."""
    right = wrong = missed = 0
    for line in Path(__file__).with_name(file).read_text(encoding="utf-8").splitlines():
        if line.startswith("@ "):
            roster = Roster(PersonEntry(name, name) for name in line[2:].split(", "))
            continue
        marked = change(line.replace("\\n", "\n"))
        text = re.sub(r"[\[\]]", "", marked)
        meant = [
            (m.start() - 2 * i, m.end() - 2 * i - 2)
            for i, m in enumerate(re.finditer(r"\[[^\]]+\]", marked))
        ]
        found = [(f.start, f.end) for f in roster.find(text)]
        hits = sum(any(a < end and start < b for start, end in found) for a, b in meant)
        right += hits
        missed += len(meant) - hits
        wrong += sum(not any(a < end and start < b for a, b in meant) for start, end in found)
    return right / (right + missed), right / (right + wrong)
