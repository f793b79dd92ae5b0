"""Compiled names of people, and the decision whether a text means the person."""

import datetime as dt
import re

from review_analysis.name_matching import disambiguation, lists, lowercase
from review_analysis.name_matching.context import is_shouted, letters_of
from review_analysis.name_matching.entries import SEPARATOR, PersonEntry
from review_analysis.name_matching.nicknames import GIVEN_NAMES
from review_analysis.name_matching.terms import Term, capitals, trimmed
from review_analysis.text import Text, fold

_EMPHASISED = lists.ADJECTIVES | lists.COMMON | lists.MASS | {"max"}
_INITIAL = re.compile(r"\s+[^\W\d_]\.?$")  # "D." in "Mark D.".
# Possessives without an apostrophe: "mikes the best"; not "Andres took care".
_OWNED_BADLY = re.compile(
    r"s (?!(?:came|did|gave|got|had|made|said|showed|told|took|went"
    r"|(?:explain|fix|help)ed|and|are|at|for|from|in|is|of|on|or|to|was|were|with)\b)[^\W\d_]"
)


class PersonTerm(Term):
    """A name of a person. If `is_titled`, it matches only after a title."""

    def __init__(self, person: PersonEntry, spelling: str, *, is_titled: bool) -> None:
        super().__init__("person", person.slug, spelling)
        self.person = person
        self.is_titled = is_titled
        surname = SEPARATOR.split(fold(" ".join(person.words[1:])))
        joined = "".join(surname)  # "Delacruz".
        self.surname = list(filter(None, map(letters_of, dict.fromkeys([*surname, joined]))))
        spelling = trimmed(spelling)
        first = _INITIAL.sub("", spelling)
        self.has_initial = first != spelling
        self.is_first_name = capitals(first) == (True,)
        # Whether the name may match in lower case. Aliases match as they were entered.
        self.is_free = spelling in (*person.words[:1], *person.short_forms)
        folded = fold(spelling)
        parts = SEPARATOR.split(folded)
        is_several = len(parts) > 1 and spelling not in person.aliases
        self.is_full_name = is_several and not lists.WORDS.issuperset(parts)
        is_word = folded in lists.WORDS or f"{folded}s" in GIVEN_NAMES
        self.is_plain_name = self.is_free and not is_word

    def is_meant_on(self, date: dt.date) -> bool:
        return self.person.is_active(date)

    def _ending(self, folded: str, end: int) -> int | None:
        if self.is_plain_name and _OWNED_BADLY.match(folded, end):
            return 1
        return super()._ending(folded, end)

    def _is_meant(self, text: Text, start: int, end: int, ending: int) -> bool:
        if self.is_titled:
            return disambiguation.is_titled_person(text.nfc, start, end, title=self.person.title)
        spelling = text.nfc[start:end]
        is_capitalised = self.is_capitalised(spelling)
        if not self.is_first_name or not (is_capitalised or self.is_free):
            return is_capitalised or self.is_full_name
        end = start + len(_INITIAL.sub("", spelling) if self.has_initial else spelling) + ending
        if not is_capitalised:
            return lowercase.is_that_person(text.nfc, start, end, surname=self.surname)
        if spelling.isupper() and text.is_aligned and is_shouted(text.nfc, start, end):
            return lowercase.is_that_person(text.folded, start, end, surname=self.surname)
        read = text.nfc
        if spelling.isupper() and fold(spelling) in _EMPHASISED:  # "It was RICH."
            read = f"{read[:start]}{spelling.lower()}{read[end:]}"
            return lowercase.is_that_person(read, start, end, surname=self.surname)
        return disambiguation.is_that_person(read, start, end, surname=self.surname)
