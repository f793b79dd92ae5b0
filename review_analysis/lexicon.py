"""Lexicon of praise and blame, compiled from `lexicon.txt`."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("lexicon.txt")
_VOWELS = frozenset("aeiou")


class Lexicon:
    """Strengths of words and of set phrases of up to five words. Immutable."""

    def __init__(self, source: str) -> None:
        self.words: dict[str, float] = {}
        self._phrases: dict[tuple[str, ...], float] = {}
        self.adjectives: list[str] = []
        self.comparatives: set[str] = set()
        self.faint: set[tuple[str, ...]] = set()
        for line in source.splitlines():
            if line and not line.startswith("#"):
                kind, weight, entries = line.split(" ", 2)
                for entry in entries.split(","):
                    self._add(kind, float(weight), tuple(entry.lower().split()))
        self.faint_words = frozenset(words[0] for words in self.faint if len(words) == 1)
        phrase_heads = {phrase[0] for phrase in self._phrases}
        self.first_words = self.words.keys() | phrase_heads | self.faint_words

    def _add(self, kind: str, weight: float, words: tuple[str, ...]) -> None:
        if kind == "a" and len(words) == 1:
            self.adjectives.append(words[0])
        if kind == "o":
            self.faint.add(_split_clitics(words))
        forms = (words, *_forms(kind, words)) if kind in {"a", "n", "v"} else (words,)
        for number, form in enumerate(map(_split_clitics, forms)):
            if len(form) > 1:
                self._phrases[form] = weight
            elif not number or form[0] not in self.words:  # An entry overrides a derived form.
                self.words[form[0]] = weight
                if number and kind == "a" and form[0].endswith("er"):
                    self.comparatives.add(form[0])

    def phrase_at(self, words: list[str], index: int) -> tuple[int, float] | None:
        """Return length and strength of the longest set phrase at `index`."""
        if words[index] == "zero":  # "Zero complaints" means "no complaints".
            as_no = ["no", *words[index + 1 : index + 5]]
            return self._phrase_at(words, index) or self._phrase_at(as_no, 0)
        return self._phrase_at(words, index)

    def _phrase_at(self, words: list[str], index: int) -> tuple[int, float] | None:
        for length in (5, 4, 3, 2):
            form = tuple(words[index : index + length])
            if form in self._phrases:
                return len(form), self._phrases[form]
        return None


def _split_clitics(words: tuple[str, ...]) -> tuple[str, ...]:
    """Split clitics as the tokeniser does: "i'll" is two words."""
    parts: list[str] = []
    for word in words:
        head, mark, tail = word.partition("'")
        if mark and head.isalpha() and tail in {"s", "re", "m", "ve", "ll", "d"}:
            parts += [head, "'" + tail]
        else:
            parts.append(word)
    return tuple(parts)


def _forms(kind: str, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the regular inflected forms of an entry."""
    if kind == "n":
        yield (*words[:-1], _plural(words[-1]))
        return
    word, rest = words[0], words[1:]
    if kind == "v":
        stem = word[:-1] if word.endswith("e") else _double_final(word)
        is_ied = word.endswith("y") and word[-2] not in _VOWELS
        yield (word[:-1] + "ied" if is_ied else stem + "ed"), *rest
        yield _plural(word), *rest
        yield stem + "ing", *rest
    elif kind == "a" and not rest:
        yield from ((form,) for form in _adjective_forms(word))


def _adjective_forms(word: str) -> Iterator[str]:
    if word.endswith("y"):
        yield from (word[:-1] + ending for ending in ("ily", "ier", "iest", "iness"))
    elif word.endswith("le"):
        yield from (word[:-1] + "y", word + "r", word + "st")
    elif word.endswith("ic"):
        yield word + "ally"
    else:
        yield from (word + "ly", word + "ness")
        stem = word[:-1] if word.endswith("e") else _double_final(word)
        if len(word) < 7:
            yield from (stem + "er", stem + "est")


def _plural(word: str) -> str:
    if word.endswith("y") and word[-2] not in _VOWELS:
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "z", "ch", "sh")) else "s")


def _double_final(word: str) -> str:
    """Double the last letter of a short word before an ending: "bad" as in "badder"."""
    is_short = len(word) == 3 and word[0] not in _VOWELS and word[1] in _VOWELS
    return word + word[2] if is_short and word[2] not in "aeiouwxy" else word


@cache
def load() -> Lexicon:
    return Lexicon(_FILE.read_text("utf-8"))
