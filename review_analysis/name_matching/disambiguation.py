"""Tell a technician's name from words and strangers that look like it.

"Mark" may be Mark Dunn, a verb at the start of a sentence, or Mark Zuckerberg. The decision rests
on a few words on either side, so that it costs the same in a text of any length.

A name that is not an English word is taken unless another surname, another given name, an address,
a firm, the writer or the writer's family claims it. A name that is also a word (`WORDS`) must not
be used as that word, and where a capital letter says nothing, at the start of a sentence or where
All Words Have One, the words around it decide. A name that is a `COMMON` word needs signs of a
person.
"""

import re
from collections.abc import Callable, Sequence

from review_analysis.name_matching import lists
from review_analysis.name_matching.common_words import (
    describes_a_thing,
    is_command,
    is_compound,
    is_counted,
    is_determined,
    is_done_to_somebody,
    is_hoped,
    is_invoice,
    is_joined_to_another,
    is_modal,
    is_part_of_a_phrase,
    is_predicated,
    opens_a_noun_phrase,
)
from review_analysis.name_matching.context import APOSTROPHES, Surroundings
from review_analysis.name_matching.customer_names import is_on_the_writers_side
from review_analysis.name_matching.months_and_towns import (
    is_among_months,
    is_dated,
    is_place,
    is_weather,
    is_when,
)
from review_analysis.name_matching.other_people import is_other_person
from review_analysis.name_matching.person_cues import (
    is_at_work,
    is_introduced,
    is_personal,
)

_AFTER_DOCTORS = re.compile(r"(?i)\b(?:drs\.?|doctors) [^\W\d_]+ (?:&|and) $")
_Use = Callable[[Surroundings], bool]

# How a name is used as the word that it is too, also by a capital within the sentence ("in April"),
# and the names that may be.
_MARKED: tuple[tuple[frozenset[str], _Use], ...] = (
    (lists.WORDS, is_part_of_a_phrase),
    (lists.WORDS - lists.MODALS, is_determined),
    (lists.NOUNS, is_counted),
    (lists.VERBS, is_done_to_somebody),
    (lists.MONTHS, is_dated),
    (lists.MONTHS, is_when),
    (lists.MONTHS, is_among_months),
    (lists.MONTHS, is_weather),
    (lists.PLACES, is_place),
    (lists.PLACES | lists.ADJECTIVES, describes_a_thing),
    (lists.ADJECTIVES, is_predicated),
    (lists.MODALS, is_modal),
)
# The same where any word may have a capital, as at the start of a sentence, or none has.
_UNMARKED: tuple[tuple[frozenset[str], _Use], ...] = (
    *_MARKED,
    (lists.WORDS, is_compound),
    (lists.WORDS & lists.TRADES, is_at_work),
    (frozenset({"bill"}), is_invoice),
    (frozenset({"hope"}), is_hoped),
    (lists.VERBS, is_command),
    (lists.VERBS, describes_a_thing),
    (lists.ADJECTIVES, is_joined_to_another),
    (lists.NOUNS | lists.ADJECTIVES, opens_a_noun_phrase),
)
_USES = {name: [use for names, use in _MARKED if name in names] for name in lists.WORDS}
_UNMARKED_USES = {name: [use for names, use in _UNMARKED if name in names] for name in lists.WORDS}


def is_that_person(text: str, start: int, end: int, *, surname: Sequence[str]) -> bool:
    """Whether the capitalised single name at `text[start:end]` means a technician."""
    around = Surroundings(text, start, end)
    if is_other_person(around, surname):
        return False
    if around.is_before(surname) or (around.name in lists.WORDS and is_introduced(around)):
        return True
    return not is_that_word(around)


def is_titled_person(text: str, start: int, end: int, *, title: str) -> bool:
    """Whether the title of a technician comes before a surname: "Ms.", no "Mr. Lee"."""
    around = Surroundings(text, start, end)
    given = around.previous
    if given in {"and", "&"} and _AFTER_DOCTORS.search(around.before):
        given = "drs"
    if given not in lists.TITLES or around.is_before_a_surname:  # "Dr. Kim Nguyen".
        return False
    if given != title and (given in lists.OFFICES or _are_of_two({given, title})):
        return False
    return not is_on_the_writers_side(around)


def _are_of_two(titles: set[str]) -> bool:
    return not (titles.isdisjoint(lists.MENS) or titles.isdisjoint(lists.WOMENS))


def is_that_word(around: Surroundings) -> bool:
    """Whether the name is used as the word that it is too."""
    if around.name not in lists.WORDS:
        return is_part_of_a_phrase(around)
    after = around.after
    if after[:1] in APOSTROPHES:
        # "April '24", "Austin's best plumbers"; else a possessive is a person's.
        is_praise = any(word in lists.SUPERLATIVES for word in around.following[:3])
        return after[1:2].isdigit() or (around.name in lists.PLACES and is_praise)
    if around.name in lists.COMMON:
        return is_part_of_a_phrase(around) or not is_personal(around)
    uses = _UNMARKED_USES if around.is_unmarked else _USES
    for is_use in uses[around.name]:  # noqa: SIM110  (`any` takes half as long again.)
        if is_use(around):
            return True
    return False
