"""Pure: one name or keyword, compiled, and the places where it stands as words of its own."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from reviews.mentions import uncapitalised
from reviews.mentions.entries import Kind, TechnicianEntry
from reviews.mentions.given_names import GIVEN_NAMES
from reviews.mentions.meanings import WORDS
from reviews.mentions.names import GAP, SEPARATOR
from reviews.mentions.namesakes import is_that_person, is_titled_person
from reviews.mentions.offsets import Text
from reviews.mentions.surroundings import is_shouted, letters_of
from reviews.text import compose, fold

_APOSTROPHES = "'`\u00b4\u02bc\u2018\u2019\uff07"
# Scripts that write words without spaces between them: no boundary is needed on their side.
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    r"\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
_BREAKS = frozenset(" \n.,!?'-")  # The usual ones, decided at once.
_WORD = re.compile(r"\w+")
# What ends a word of ASCII becomes a blank.
_BLANKS = "".join(chr(code) if _WORD.match(chr(code)) else " " for code in range(128)).encode()
_BLANKS += bytes(range(128, 256))
_ENDED_WORD = re.compile(r"\w+(?=\W)")  # The "a" of "a/c".
_INITIAL = re.compile(r"\s+[^\W\d_]\.?$")  # Of "Mark D.".
_OWNED_BADLY = re.compile(  # "Mikes work", "mikes the best"; but "two Mikes in a week".
    r"s (?!(?:and|are|at|for|from|in|is|of|on|or|to|was|were|with)\b)[^\W\d_]"
)
_REMEMBERED = 20_000  # Words; enough for a language, and a bound for noise.


def _is_word(char: str) -> bool:
    """Whether `char` continues a word: a letter, digit, underscore or combining mark."""
    if char.isalnum() or char == "_":
        return True
    # Variation selectors follow emoji and are nobody's letter.
    return (
        char > "\u02ff"
        and unicodedata.category(char) in {"Mn", "Mc"}
        and not ("\ufe00" <= char <= "\ufe0f")
    )


def _joined(text: str, index: int) -> bool:
    """Whether the characters on both sides of `index` belong to one word."""
    if not 0 < index < len(text) or text[index] in _BREAKS or text[index - 1] in _BREAKS:
        return False
    if not _is_word(text[index]) or not _is_word(text[index - 1]):
        return False
    return not (_UNSPACED.match(text[index]) or _UNSPACED.match(text[index - 1])) or (
        unicodedata.category(text[index])[0] == "M"
    )


def word_starts(folded: str, head: str) -> Iterator[int]:
    start = folded.find(head)
    while start >= 0:
        if start == 0 or folded[start - 1] in _BREAKS or not _joined(folded, start):
            yield start
        start = folded.find(head, start + 1)


class Term:
    """One name or keyword of an entry, compiled."""

    __slots__ = (
        "capitals",
        "entry",
        "has_initial",
        "head",
        "is_first_name",
        "is_free",
        "is_full_name",
        "is_open",
        "is_plain_name",
        "is_titled",
        "kind",
        "needle",
        "pattern",
        "person",
        "slug",
        "surname",
        "title",
    )

    def __init__(
        self,
        kind: Kind,
        slug: str,
        spelling: str,
        person: TechnicianEntry | None = None,
        *,
        is_titled: bool = False,
    ) -> None:
        spelling = compose(spelling).strip()
        self.kind = kind
        self.slug = slug
        self.entry = kind, slug
        self.person = person
        self.is_titled = is_titled
        self.title = person.title if person else ""
        surname = SEPARATOR.split(fold(" ".join(person.words[1:]))) if person else []
        joined = ["".join(surname)] if len(surname) > 1 else []  # "Delacruz".
        self.surname = list(filter(None, map(letters_of, surname + joined)))
        self.is_open = kind == "service" and spelling.endswith("*")
        spelling = spelling.rstrip("*").rstrip() if self.is_open else spelling
        while spelling and not spelling[0].isalnum():
            spelling = spelling[1:]
        self.capitals = _capitals(spelling) if kind != "service" else ()
        first = _INITIAL.sub("", spelling)
        self.has_initial = first != spelling
        self.is_first_name = person is not None and _capitals(first) == (True,)
        # Other names are given with the capitals that they need.
        self.is_free = person is not None and spelling in (*person.words[:1], *person.short_forms)
        folded = fold(spelling)
        parts = SEPARATOR.split(folded)
        self.is_full_name = (
            person is not None
            and len(parts) > 1
            and spelling not in person.aliases
            and not WORDS.issuperset(parts)
        )
        is_word = folded in WORDS or f"{folded}s" in GIVEN_NAMES
        self.is_plain_name = self.is_free and not is_word
        # The parts that every spelling of the term shares: a quick search looks for the first, or
        # where that is an initial, "the" or the like for the longest.
        shared = re.split(f"{GAP}|[&.{_APOSTROPHES}]", folded)
        self.head = shared[0]
        self.needle = self.head if len(self.head) > 3 else max(reversed(shared), key=len)
        self.pattern = re.compile(_pattern(folded, kind, is_open=self.is_open))

    def match(self, text: "Text", start: int) -> tuple[int, int] | None:
        """The span in the composed text of this term, if it stands at `start` of the folded one."""
        found = self.pattern.match(text.folded, start)
        if found is None:
            return None
        end = found.end()
        while self.is_open and end < len(text.folded) and _is_word(text.folded[end]):
            end += 1  # Beyond accents, which are not letters of their own.
        ending = 0
        if not self.is_open and _joined(text.folded, end):
            # The work of "Marks'" is that of Mark, and that of "Mikes" that of Mike.
            if self.kind == "service" or text.folded[end] != "s":
                return None
            if text.folded[end + 1 : end + 2] not in {*_APOSTROPHES}:
                if not (self.is_plain_name and _OWNED_BADLY.match(text.folded, end)):
                    return None
                ending = 1
        span = text.unfolded(start, end)
        return span if span is not None and self._is_meant(text, *span, ending) else None

    def _is_meant(self, text: "Text", start: int, end: int, ending: int) -> bool:
        """Whether the words at that place are this entry's name, by capitals and context."""
        if self.is_titled:
            return is_titled_person(text.nfc, start, end, title=self.title)
        spelling = text.nfc[start:end]
        is_capitalised = not self.capitals or self._is_capitalised(spelling)
        if not self.is_first_name or not (is_capitalised or self.is_free):
            return is_capitalised or self.is_full_name
        end = start + len(_INITIAL.sub("", spelling) if self.has_initial else spelling) + ending
        if not is_capitalised:
            return uncapitalised.is_that_person(text.nfc, start, end, surname=self.surname)
        if spelling.isupper() and text.is_even and is_shouted(text.nfc, start, end):
            return uncapitalised.is_that_person(text.folded, start, end, surname=self.surname)
        return is_that_person(text.nfc, start, end, surname=self.surname)

    def _is_capitalised(self, spelling: str) -> bool:
        if len(self.capitals) == 1:
            return not self.capitals[0] or spelling[0] == spelling[0].upper()
        words = SEPARATOR.split(spelling)
        return all(
            word[0] == word[0].upper()
            for word, capital in zip(words, self.capitals, strict=False)
            if capital
        )


def _capitals(name: str) -> tuple[bool, ...]:
    """For each word of a name whether a text must capitalise it."""
    words = [word for word in SEPARATOR.split(name) if word]
    return tuple(word[0] != word[0].lower() for word in words)


def _pattern(folded: str, kind: Kind, *, is_open: bool) -> str:
    parts: list[str] = []
    gap = f"{GAP}{{1,12}}"
    for piece in re.findall(f"{GAP}+|[{_APOSTROPHES}]|.", folded):
        if SEPARATOR.fullmatch(piece):
            # A keyword like "tune-up" is also written "tuneup".
            is_loose = kind == "service" and not piece.isspace()
            parts.append(f"{GAP}{{0,12}}" if is_loose else gap)
        elif piece in _APOSTROPHES:
            parts.append(f"[{_APOSTROPHES}]")
        elif piece == "&":
            parts.append("(?:&|and)")
        elif piece == ".":
            # But "Mark, I thank you" and "Mark a tech" have no initial.
            is_word = kind == "technician" and parts[-1] in {"a", "i"} and parts[-2:-1] == [gap]
            parts.append(r"\." if is_word else r"\.?")
        else:
            parts.append(re.escape(piece))
    if is_open:
        parts.append(r"\w*")
    elif kind == "service":
        parts.append("(?:es)?" if folded.endswith(("s", "x", "z", "ch", "sh")) else "s?")
    return "".join(parts)


class Search(NamedTuple):
    """Terms that begin alike. A text without the needle holds none of them."""

    needle: str
    head: str
    terms: list[Term]


class Searches:
    """The terms of a roster by what they begin with. Safe to share between threads."""

    def __init__(self, terms: Iterable[Term]) -> None:
        searches: dict[tuple[str, str], Search] = {}
        for term in terms:
            if term.head:  # A term without letters or digits means nothing.
                key = (term.needle, term.head)
                searches.setdefault(key, Search(*key, [])).terms.append(term)
        self._all = list(searches.values())
        self._by_word: dict[str, tuple[int, ...]] = {}
        self._by_beginning: dict[str, tuple[int, ...]] = {}
        for number, search in enumerate(self._all):
            ended = _ENDED_WORD.match(search.head)
            index = self._by_word if ended else self._by_beginning
            beginning = ended[0] if ended else search.head
            index[beginning] = (*index.get(beginning, ()), number)
        self._lengths = sorted(set(map(len, self._by_beginning)))
        # Texts have most words in common, and most of these begin nothing.
        self._begun: dict[str, tuple[int, ...]] = {}
        self._idle: set[str] = set()

    def within(self, folded: str) -> list[Search]:
        """Those worth making in a text, as a word of it begins like their terms."""
        if not self._all:
            return []
        if folded.isascii():
            # Half of the time that an expression takes to find the words.
            words = folded.encode().translate(_BLANKS).decode().split()
        elif _UNSPACED.search(folded):
            return [search for search in self._all if search.needle in folded]
        else:
            words = _WORD.findall(folded)
        begun, idle = self._begun, self._idle
        found: set[int] = set()
        for word in [word for word in words if word not in idle]:
            found.update(begun[word] if word in begun else self._begun_by(word))
        return [search for n in sorted(found) if (search := self._all[n]).needle in folded]

    def _begun_by(self, word: str) -> tuple[int, ...]:
        """The searches whose terms may begin with a word."""
        numbers = self._by_word.get(word, ())
        for length in self._lengths:
            if length <= len(word):
                numbers += self._by_beginning.get(word[:length], ())
        if len(self._begun) + len(self._idle) < _REMEMBERED and len(word) < 30:
            if numbers:
                self._begun[word] = numbers
            else:
                self._idle.add(word)
        return numbers
