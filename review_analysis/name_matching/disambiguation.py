"""Decision whether a name in title case, or after a title, means a technician."""

import re
from collections.abc import Sequence

from review_analysis.name_matching import lists
from review_analysis.name_matching.common_words import is_that_word
from review_analysis.name_matching.context import Surroundings
from review_analysis.name_matching.customer_names import is_on_the_writers_side
from review_analysis.name_matching.other_people import is_other_person
from review_analysis.name_matching.person_cues import is_introduced

_AFTER_DOCTORS = re.compile(r"(?i)\b(?:drs\.?|doctors) [^\W\d_]+ (?:&|and) $")


def is_that_person(text: str, start: int, end: int, *, surname: Sequence[str]) -> bool:
    """Whether the capitalised single name at `text[start:end]` means a technician."""
    around = Surroundings(text, start, end)
    if is_other_person(around, surname):
        return False
    if around.is_before(surname) or (around.name in lists.WORDS and is_introduced(around)):
        return True
    return not is_that_word(around)


def is_titled_person(text: str, start: int, end: int, *, title: str) -> bool:
    """Whether the technician's title precedes the surname: "Ms. Lee"; not "Mr. Lee"."""
    around = Surroundings(text, start, end)
    given = around.previous
    if given in {"and", "&"} and _AFTER_DOCTORS.search(around.before):
        given = "drs"
    if given not in lists.TITLES or around.is_before_a_surname:  # "Dr. Kim Nguyen".
        return False
    are_of_two = {given, title} & lists.MENS and {given, title} & lists.WOMENS
    if given != title and (given in lists.OFFICES or are_of_two):
        return False
    return not is_on_the_writers_side(around)
