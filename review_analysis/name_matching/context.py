"""A name in a text with its context."""

import re
from collections.abc import Sequence
from functools import cached_property

from review_analysis.name_matching import lists
from review_analysis.text import unaccented

WINDOW = 60  # Characters on either side of a name.

WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*|&|\$")
HYPHENS = frozenset("-\u2010\u2011")
APOSTROPHES = frozenset("'\u2019")
STOPS = ".!?\u2026\u3002"

_NEXT = re.compile(rf"[ \t\n\r\xa0]{{1,8}}({WORD.pattern})")
_LAST = re.compile(r"([^\W_]+(?:['\u2019][^\W_]+)*|&)(\.?)$")
_OPENERS = " \t\n\r\xa0*_\"'(\u201c\u2018"
_WITHIN = re.compile(r"(?<=[^\W\d_] )[^\W\d_]{3,}")  # Words within a sentence.
_SIGNED = re.compile(
    r"(?:\s+[^\W\d_]\.?)?(?:\s+(?:and|&)\s+[^\W\d_]+)?(?:\s+[A-Z][^\W\d_]*\.?)?"
    r"(?:,\s*[A-Z][a-z]+(?: [A-Z][a-z]+)?(?:,? [A-Z]{2})?)?\s*\.?\s*\Z"
)
_BEFORE_DOERS = lists.INTRODUCERS | lists.BEFORE_INFINITIVES | {"&", "and", "nor", "or"}
_NO_NOUNS = (
    lists.NOT_SURNAMES
    | lists.OBJECTS
    | lists.LOOSE
    | lists.PRAISE
    | lists.PERSONAL
    | lists.TRADES
    | {"around", "nor", "online", "or", "over", "today", "who", "yesterday"}
)
_NO_PLURALS = lists.NOT_SURNAMES | lists.FINITE | lists.MANNERS | lists.DEEDS | lists.PRESENT
_AFTER_VERBS = (lists.OBJECTS | lists.DETERMINERS | lists.ADVERBS | {"twice", "you"}) - {"too"}
_DEEDS = lists.PREDICATES | lists.DEEDS | lists.MANNERS | lists.PRESENT
LETTERS_MEANT = {*"ainruw"}  # "I", "a", "mike n dave", "you mike r", "will u", "mike w the crew".
_LIKE_ADVERBS = {"elderly", "family", "friendly", "lovely"}
_NOT_GIVEN_NAMES = (
    lists.NOT_SURNAMES | lists.CALLERS | lists.INTRODUCERS | lists.TRADES
)  # Capitalised, and no given name.


def plain(word: str) -> str:
    return word.replace("\u2019", "'").casefold()


def _plain_words(words: list[str]) -> list[str]:
    return plain(" ".join(words)).split()


def is_adverb(word: str) -> bool:
    return word in lists.ADVERBS or (
        word.endswith("ly") and len(word) > 5 and word not in _LIKE_ADVERBS
    )


def is_finite(word: str) -> bool:
    """Whether a word is a finite verb, which continues a sentence after a name."""
    return word in lists.FINITE or (len(word) > 3 and re.search(r"(?:ed|[^s]s)$", word) is not None)


def is_action_verb(word: str) -> bool:
    """Whether a word is unambiguously a verb of an action."""
    return word in _DEEDS or (len(word) > 3 and word.endswith("ed"))


def is_spelt_like(word: str, name: str) -> bool:
    """Whether a word is the name, with at most one typing error if the name is long."""
    if word == name or len(name) < 5 or word[:1] != name[0] or abs(len(word) - len(name)) > 1:
        return word == name
    same = 0
    while word[same : same + 1] == name[same : same + 1]:
        same += 1
    rest, wanted = word[same:], name[same:]
    swapped = rest[1::-1] + rest[2:]
    return rest[1:] in {wanted, wanted[1:]} or rest == wanted[1:] or swapped == wanted


def letters_of(word: str) -> str:
    """Remove accents and punctuation: "o'peña" becomes "opena"."""
    plain_letters = word if word.isascii() else unaccented(word)
    return plain_letters if plain_letters.isalnum() else "".join(filter(str.isalnum, plain_letters))


def is_shouted(text: str, start: int, end: int) -> bool:
    """Whether the words beside a name in capitals are in capitals too."""
    before = WORD.findall(text, max(0, start - WINDOW), start)[-1:]
    neighbours = [*before, *WORD.findall(text, end, end + WINDOW)[:1]]
    is_telling = end - start > 1  # A single letter is usually a capital anyway.
    return is_telling and all(
        word.isupper() for word in neighbours if len(word) > 1 and not word.isdigit()
    )


class Surroundings:
    """A name and the folded words around it. Most attributes are computed on access."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self._text, self._end = text, end
        self.before = text[max(0, start - WINDOW) : start]
        self.after = text[end : end + WINDOW]
        self.spelling = text[start:end]
        self.name = self.spelling.casefold()
        # The adjacent words, empty if there is punctuation between.
        word = _NEXT.match(text, end)
        self.next_spelling = word[1] if word else ""
        self.next = plain(self.next_spelling)
        chunk = text[max(0, start - 40) : start].rstrip(_OPENERS).rpartition(" ")[2]
        last = _LAST.search(chunk)
        self.previous_spelling = last[1] if last else ""
        self.previous = plain(self.previous_spelling)
        if last and last[2] and self.previous not in lists.ABBREVIATIONS:  # Unlike "Mr. Mark".
            self.previous_spelling = self.previous = ""

    @cached_property
    def following(self) -> list[str]:
        return _plain_words(WORD.findall(self.after)[:8])

    def is_before(self, surname: Sequence[str]) -> bool:
        """Whether the surname or its initial follows: "Will Pruitt", "Rose A."."""
        if not surname or not self.next:
            return False
        if len(self.next) == 1:
            is_dotted = self.after.lstrip()[1:2] == "."
            is_small = self.next_spelling.islower()
            is_word = self.next in (LETTERS_MEANT if is_small else {"a", "i"})
            is_word |= is_small and self.name in lists.MODALS  # "Will b back".
            return (is_dotted or not is_word) and self.next in {word[0] for word in surname}
        initial, is_own = self.next[0], False
        for word in surname:
            if word[0] == initial:
                is_own |= is_spelt_like(letters_of(self.next.removesuffix("'s")), word)
        return is_own

    @property
    def is_before_a_surname(self) -> bool:
        """Whether any surname follows: "Mark Johnson"; not "Mark Monday"."""
        spelling = self.next_spelling
        return (
            spelling[:1].isupper()
            and not spelling.isupper()
            and self.next.removesuffix("'s") not in lists.NOT_SURNAMES
            and not self._is_title_case
        )

    @cached_property
    def preceding(self) -> list[str]:
        return _plain_words(WORD.findall(self.before)[-6:])

    @property
    def is_before_a_noun(self) -> bool:
        """Whether a noun follows: "London hotels"; not "watched Austin work"."""
        if self.is_before_a_plural:
            return True
        return (
            self.next_spelling.islower()
            and self.previous not in _BEFORE_DOERS
            and self.next not in _NO_NOUNS
            and not is_finite(self.next)
            and not is_adverb(self.next)
        )

    @property
    def is_before_a_plural(self) -> bool:
        """Whether a plural follows: "Mason jars"; not "Mason works hard"."""
        if not self.next_spelling.islower() or self.next in _NO_PLURALS:
            return False
        is_plural = self.next.endswith("s") and not self.next.endswith(("'s", "ss"))
        return is_plural and not _AFTER_VERBS.intersection(self.following[1:2])

    @property
    def ends_the_text(self) -> bool:
        """Whether only the rest of a signature follows: "Mark R.", "Mark & Linda"."""
        limit = self._end + WINDOW
        return len(self._text) < limit and _SIGNED.match(self._text, self._end, limit) is not None

    @property
    def is_paired(self) -> bool:
        """Whether another capitalised name follows "and": "Summer and Joy", "Rich & Dave"."""
        other = re.match(r"\s+(?:and|or|&)\s+([^\W\d_])", self.after)
        return other is not None and other[1].isupper()

    @property
    def is_unmarked(self) -> bool:
        """Whether the capitals do not tell a name from a word here."""
        if self.spelling.islower():
            return self.previous not in lists.INTRODUCERS
        return not self.previous

    @property
    def follows_a_name(self) -> bool:
        """Whether another name precedes within the sentence: "Cary" in "Cary Grant"."""
        earlier = self.before.rstrip(_OPENERS).removesuffix(self.previous_spelling).rstrip()
        return self.follows_a_capital and earlier[-1:].isalpha() and not self._is_title_case

    @property
    def _is_title_case(self) -> bool:
        """Whether the Context Is Written Like This."""
        words = _WITHIN.findall(f"{self.before} {self.after}")
        capitals = sum(word[0].isupper() for word in words)
        return len(words) >= 4 and capitals >= 0.8 * len(words)

    @property
    def follows_a_capital(self) -> bool:
        """Whether a capitalised word precedes that does not introduce a technician."""
        word = self.previous_spelling
        return (
            word[:1].isupper()
            and not word.isupper()
            and not {self.previous, self.previous.removesuffix("s")} & _NOT_GIVEN_NAMES
            and not self.previous.endswith("'s")
        )
