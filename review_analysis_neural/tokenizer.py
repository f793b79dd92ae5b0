"""Tokens of a sentence, as BERT's uncased models cut it.

Each word is taken in lower case without accents; a mark is a word by itself. A word is the longest
known token that it begins with, then the longest that goes on (`##ing`), and so on.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

MAX_TOKENS = 128  # Of a sentence, with the two that frame it.
_MAX_LETTERS = 64  # A longer word is unknown.
_WORD = re.compile(r"[^\W_]+|\S")

Span = tuple[int, int]


class Tokens(NamedTuple):
    """Numbers of the tokens, and where the word of each stands; the frame's have no place."""

    ids: list[int]
    spans: list[Span]

    def within(self, start: int, end: int) -> list[int]:
        """Indices of the tokens whose words have some of the characters start..end."""
        return [
            index for index, (begin, stop) in enumerate(self.spans) if begin < end and start < stop
        ]


class Tokenizer:
    """Cuts text into the tokens of one vocabulary."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._ids = {token: number for number, token in enumerate(vocabulary)}
        self._first, self._last, self._unknown = (
            self._ids[name] for name in ("[CLS]", "[SEP]", "[UNK]")
        )

    def tokens(self, text: str, most: int = MAX_TOKENS) -> Tokens:
        """At most so many tokens; those beyond are left out."""
        ids, spans = [self._first], [(0, 0)]
        for match in _WORD.finditer(text):
            found = self._of_word(match[0])
            ids += found
            spans += [match.span()] * len(found)
            if len(ids) >= most:
                break
        return Tokens([*ids[: most - 1], self._last], [*spans[: most - 1], (0, 0)])

    def _of_word(self, word: str) -> list[int]:
        word = word.lower()
        if not word.isascii():
            letters = unicodedata.normalize("NFD", word)
            word = "".join(char for char in letters if unicodedata.category(char) != "Mn")
        if len(word) > _MAX_LETTERS:
            return [self._unknown]
        found: list[int] = []
        start = 0
        while start < len(word):
            number, start = self._longest(word, start)
            if number is None:
                return [self._unknown]
            found.append(number)
        return found

    def _longest(self, word: str, start: int) -> tuple[int | None, int]:
        """The longest known token that begins there, and where it ends."""
        prefix = "##" if start else ""
        for end in range(len(word), start, -1):
            number = self._ids.get(prefix + word[start:end])
            if number is not None:
                return number, end
        return None, start
