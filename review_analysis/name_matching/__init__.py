"""Which people, services and service areas a text names, and where.

A `Roster` is compiled once and reads any number of texts. Reading costs one look at each distinct
word, however many terms the roster has; only where one may begin is the place looked at closely, so
that a text of any length takes time in proportion to its length.

- A term matches whole words. Between the words of a term any white space or hyphens may stand.
- Names match capitalised or in capitals; a person's also in lower case, where it is no word or
  the words around speak of a person. An alias written in lower case matches in any case.
- A person also goes by the usual short forms of the first name, by other spellings of it and
  those without accents, by "Dr." or "Ms." with the surname (Mr. Lee is no Ms. Lee, and "Delacruz"
  is de la Cruz), and by the first name with the surname's initial or a slip in the surname, unless
  another person is called so. Filters know none of these.
- Services match in any case, in the singular or plural; a trailing `*` stands for any ending.
- A name that two people go by names neither of them.
- Composed and decomposed letters are the same (NFC).

**The path of a name**, in reading order:

1. `entries`: all that an entry goes by, with `nicknames`, and which of these mean it alone.
2. `terms`: each of them compiled. Which may begin in a text, and which stand there as words of
   their own, with their capitals? For services, areas and full names that is all.
3. `people`: a first name or surname alone may be anybody's, or a word. How it is written decides
   who judges, by the words around it (`context`):
   - with a capital: `disambiguation`. No, if it is a stranger's (`other_people`) or somebody's on
     the writer's own side (`customer_names`). Yes, if the person's surname follows, or for a
     name that is also a word if it is introduced as a person is (`person_cues`). No, if it is used
     as that word (`common_words`). Otherwise yes.
   - in lower case, or in capitals among capitals: `lowercase`. Yes, if it is no word or there
     are signs of a person; no, for strangers here too. Otherwise, where nothing near has a capital,
     as if it had one.
   - after a title, for a surname: yes, if the title may be theirs.
4. `matcher`: of those that overlap one stands, and where in the text as it was given (`text`).

`lists` says which names are words, and of which kind, and has the words around by what they tell.
A rule is a function over the surroundings with an example of what it holds for, and of
what not. Its worth is measured on whole reviews
(tests/review_analysis/names/test_names_in_reviews.py).
"""

from review_analysis.name_matching.entries import AreaEntry, PersonEntry, ServiceEntry
from review_analysis.name_matching.matcher import Found, Roster

__all__ = ["AreaEntry", "Found", "PersonEntry", "Roster", "ServiceEntry"]
