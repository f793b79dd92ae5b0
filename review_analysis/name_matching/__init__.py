"""Recognition of the people, services and service areas that a text names.

A `Roster` is compiled once for any number of texts. A search looks up each distinct word once,
whatever the size of the roster, and takes linear time in the length of the text.

- A term matches whole words, separated by white space or hyphens.
- Names match in title case and in capitals. A person's name also matches in lower case if it is not
  an English word, or if the context is that of a person. A lower-case alias matches in any case.
- People also match by common short forms and other spellings of the first name, without accents, by
  "Dr." or "Ms." with the surname (not "Mr. Lee" for Ms. Lee; "Delacruz" for de la Cruz), and by the
  first name with the surname's initial or a misspelt surname, unless that is another person's name.
  Filters do not use these forms.
- Services match in any case, in singular and plural; a trailing `*` matches any ending.
- A name that two people share matches neither.
- Composed and decomposed characters are equal (NFC).

**Stages of the recognition**, by module:

1. `entries` lists the names of an entry, with `nicknames`, except for ambiguous ones.
2. `terms` compiles each name and finds it as separate words with the right capitals. This decides
   services, areas and full names.
3. `people` decides single first names and surnames, which may be other people's or words, by their
   context (`context`):
   - Title case: `disambiguation`. Rejected if the name belongs to another person (`other_people`)
     or to the customer's side (`customer_names`). Accepted if the person's surname follows, or if a
     name that is also a word is introduced as a person (`person_cues`). Rejected if it is used as
     that word (`common_words`). Otherwise accepted.
   - Lower case, or capitals among capitals: `lowercase`. Accepted if the name is not a word or has
     signs of a person, and is not another person's. If there are no capitals nearby at all, the
     rules for title case apply.
   - A surname after a title: accepted if the title fits the person.
4. `matcher` removes overlaps and converts the offsets to the original text.

`lists` has the names that are words, by kind, and the context words, by meaning. The rules are
measured on whole reviews in tests/review_analysis/names/test_names_in_reviews.py.
"""

from review_analysis.name_matching.entries import AreaEntry, PersonEntry, ServiceEntry
from review_analysis.name_matching.matcher import Found, Roster

__all__ = ["AreaEntry", "Found", "PersonEntry", "Roster", "ServiceEntry"]
