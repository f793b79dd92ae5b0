"""Split sentences into tokens like BERT's uncased models (WordPiece).

Words are in lower case without accents, and each mark is a word. A word is split into the longest
known prefix, then the longest known continuation (`##ing`), and so on.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

MAX_TOKENS = 128  # Of a sentence, with [CLS] and [SEP].
_MAX_LETTERS = 64  # A longer word is [UNK].
_WORD = re.compile(r"[^\W_]+|\S")

Span = tuple[int, int]


class Tokens(NamedTuple):
    """Ids of the tokens, and the span of each token's word; [CLS] and [SEP] have empty spans."""

    ids: list[int]
    spans: list[Span]

    def within(self, start: int, end: int) -> list[int]:
        """Indices of the tokens whose words overlap the characters start..end."""
        return [
            index for index, (begin, stop) in enumerate(self.spans) if begin < end and start < stop
        ]


class Tokenizer:
    """Tokenizer with one vocabulary."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._ids = {token: number for number, token in enumerate(vocabulary)}
        self._first, self._last, self._unknown = (
            self._ids[name] for name in ("[CLS]", "[SEP]", "[UNK]")
        )

    def tokens(self, text: str, most: int = MAX_TOKENS) -> Tokens:
        """Split a text into at most `most` tokens; further ones are dropped."""
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
        """Return the longest known token that begins at `start`, and its end."""
        prefix = "##" if start else ""
        for end in range(len(word), start, -1):
            number = self._ids.get(prefix + word[start:end])
            if number is not None:
                return number, end
        return None, start
