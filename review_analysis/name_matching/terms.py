"""Compiled names and keywords, and their search in texts."""

import datetime as dt
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from review_analysis.name_matching.entries import GAP, SEPARATOR, Kind
from review_analysis.text import Text, compose, fold

_APOSTROPHES = "'`\u00b4\u02bc\u2018\u2019\uff07"
# Scripts without spaces between words, in which a match needs no word boundary.
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    r"\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
_BREAKS = frozenset(" \n.,!?'-")  # Common word boundaries, for speed.
_WORD = re.compile(r"\w+")
_ENDED_WORD = re.compile(r"\w+(?=\W)")  # The "a" of "a/c".
_MAX_CACHED = 20_000  # Words; more than the vocabulary of most texts.


def _is_word(char: str) -> bool:
    """Whether `char` continues a word: a letter, digit, underscore or combining mark."""
    if char.isalnum() or char == "_":
        return True
    # Variation selectors follow emoji and belong to no word.
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
    """A compiled name or keyword of an entry."""

    def __init__(self, kind: Kind, slug: str, spelling: str) -> None:
        spelling = trimmed(spelling)
        self.kind = kind
        self.slug = slug
        self.entry = kind, slug
        self.is_open = kind == "service" and spelling.endswith("*")
        if self.is_open:
            spelling = spelling.rstrip("*").rstrip()
        self.capitals = capitals(spelling) if kind != "service" else ()
        folded = fold(spelling)
        # The parts are common to all spellings of the term. The search looks for the first part, or
        # for the longest if the first is short, like an initial or "the".
        shared = re.split(f"{GAP}|[&.{_APOSTROPHES}]", folded)
        self.head = shared[0]
        self.needle = self.head if len(self.head) > 3 else max(reversed(shared), key=len)
        self.pattern = re.compile(_pattern(folded, kind, is_open=self.is_open))

    def is_meant_on(self, _date: dt.date) -> bool:
        """Whether a text of this date can mean the entry."""
        return True

    def match(self, text: Text, start: int) -> tuple[int, int] | None:
        """Match the term at `start` of the folded text; return its span in the composed one."""
        found = self.pattern.match(text.folded, start)
        if found is None:
            return None
        end = found.end()
        ending: int | None = 0
        if self.is_open:
            while end < len(text.folded) and _is_word(text.folded[end]):
                end += 1  # `\w` does not match combining accents.
        elif _joined(text.folded, end):
            ending = self._ending(text.folded, end)
        span = text.composed_span(start, end)
        if span is None or ending is None:
            return None
        return span if self._is_meant(text, *span, ending) else None

    def _ending(self, folded: str, end: int) -> int | None:
        """Return the length of an ending after the term, None if it is part of another word."""
        # "Marks'" is a misspelt "Mark's".
        is_owning = folded[end] == "s" and folded[end + 1 : end + 2] in {*_APOSTROPHES}
        return 0 if is_owning and self.kind != "service" else None

    def _is_meant(self, text: Text, start: int, end: int, _ending: int) -> bool:
        """Whether the span of the composed text means the entry."""
        return self.is_capitalised(text.nfc[start:end])

    def is_capitalised(self, spelling: str) -> bool:
        """Whether a spelling of the term has the term's capitals."""
        if not self.capitals:
            return True
        if len(self.capitals) == 1:
            return not self.capitals[0] or spelling[0] == spelling[0].upper()
        words = SEPARATOR.split(spelling)
        return all(
            word[0] == word[0].upper()
            for word, capital in zip(words, self.capitals, strict=False)
            if capital
        )


def trimmed(spelling: str) -> str:
    """Return the name from its first letter or digit on."""
    spelling = compose(spelling).strip()
    while spelling and not spelling[0].isalnum():
        spelling = spelling[1:]
    return spelling


def capitals(name: str) -> tuple[bool, ...]:
    """Tell which words of a name a text must capitalise."""
    words = [word for word in SEPARATOR.split(name) if word]
    return tuple(word[0] != word[0].lower() for word in words)


def _pattern(folded: str, kind: Kind, *, is_open: bool) -> str:
    parts: list[str] = []
    gap = f"{GAP}{{1,12}}"
    for sign in re.findall(f"{GAP}+|[{_APOSTROPHES}]|.", folded):
        if SEPARATOR.fullmatch(sign):
            # A keyword like "tune-up" is also written "tuneup".
            is_loose = kind == "service" and not sign.isspace()
            parts.append(f"{GAP}{{0,12}}" if is_loose else gap)
        elif sign in _APOSTROPHES:
            parts.append(f"[{_APOSTROPHES}]")
        elif sign == "&":
            parts.append("(?:&|and)")
        elif sign == ".":
            # There is no initial in "Mark, I thank you" and "Mark a tech".
            is_word = kind == "person" and parts[-1] in {"a", "i"} and parts[-2:-1] == [gap]
            parts.append(r"\." if is_word else r"\.?")
        else:
            parts.append(re.escape(sign))
    if is_open:
        parts.append(r"\w*")
    elif kind == "service":
        parts.append("(?:es)?" if folded.endswith(("s", "x", "z", "ch", "sh")) else "s?")
    return "".join(parts)


class Search(NamedTuple):
    """Terms with the same beginning. A text without `needle` contains none of them."""

    needle: str
    head: str
    terms: list[Term]


class SearchIndex:
    """Terms of a roster, indexed by their beginnings. Thread-safe."""

    def __init__(self, terms: Iterable[Term]) -> None:
        searches: dict[tuple[str, str], Search] = {}
        for term in terms:
            if term.head:  # A term without letters or digits never matches.
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
        # Texts have most words in common.
        self._begun_by = lru_cache(maxsize=_MAX_CACHED)(self._find_begun)

    def candidates(self, folded: str) -> list[Search]:
        """Return the searches whose terms may occur in a text."""
        if not self._all:
            return []
        if not folded.isascii() and _UNSPACED.search(folded):
            return [search for search in self._all if search.needle in folded]
        found: set[int] = set().union(*map(self._begun_by, _WORD.findall(folded)))
        return [search for n in sorted(found) if (search := self._all[n]).needle in folded]

    def _find_begun(self, word: str) -> tuple[int, ...]:
        """Return the numbers of searches whose terms may begin with a word."""
        numbers = self._by_word.get(word, ())
        for length in self._lengths:
            if length <= len(word):
                numbers += self._by_beginning.get(word[:length], ())
        return numbers
