"""Which words of a language model are published in place of ours.

A draft says the same in better words. One that holds a number, a name or a comparison which the
text has not is published by an administrator alone.
"""

import re
from collections.abc import Mapping
from typing import Any

from insights.prose import is_quotable
from review_analysis.grammar import FUNCTION_WORDS
from review_analysis.valence import known_words

_NUMBER = re.compile(r"(\d+(?:[.,]\d+)*)(\s?%|\s+per\s?cent\b)?")
_WORD = re.compile(r"[^\W\d_]+")
_SENTENCE_START = re.compile(r"(?:\A|[.!] )\W*")
_NUMBER_WORDS = frozenset(
    """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety dozen
    dozens hundred hundreds thousand thousands million millions billion billions half third thirds
    quarter quarters fifth fifths sixth sixths seventh eighth eighths ninth tenth tenths twice
    thrice double triple both""".split()
)
# Other words with which a sentence about reviews may begin.
_BEGINNING = frozenset(
    """customers clients guests patients residents reviewers reviews overall most many few people
    prices""".split()
)
# Told by intervals alone; see `Aggregate.stands_out` and the verdicts of the answers.
_COMPARING = frozenset(
    """strongest weakest best worst most least top highest lowest greatest finest biggest smallest
    favourite favorite favourites favorites differ differs divided mixed disagree split""".split()
)


def automatic_text(written: Mapping[str, Any]) -> str:
    """An automatic text, as the artifact keeps it, without the reviewer's words at its end."""
    text: str = written.get("answer") or written.get("text", "")
    return text.removesuffix(written.get("quoted", ""))


def unsupported_claims(draft: str, text: str) -> list[str]:
    """Why a draft of a text should not be published unread, in sentences; none when all is told."""
    words = set(_WORD.findall(text))
    known = {word.lower() for word in words}
    capitals = {word for word in _WORD.findall(draft) if word[0].isupper()}
    # Five digits are not taken for a telephone number here: all numbers are looked at below.
    if not is_quotable(_NUMBER.sub("0", draft), capitals):
        return ["It is not plain text in whole sentences."]
    numbers = _numbers(draft) - _numbers(text)
    numbers |= {word for word in _WORD.findall(draft) if word.lower() in _NUMBER_WORDS - known}
    starts = {match.end() for match in _SENTENCE_START.finditer(draft)}
    names = {
        match[0]
        for match in _WORD.finditer(draft)
        if match[0][0].isupper()
        and match[0] not in words
        and not (match.start() in starts and _is_ordinary(match[0].lower(), known))
    }
    comparing = {word.lower() for word in _WORD.findall(draft)} & _COMPARING - known
    return [
        *(f"The automatic text does not say “{word}”." for word in sorted(comparing)),
        *(f"The automatic text does not tell the number {number}." for number in sorted(numbers)),
        *(f"The automatic text does not tell the name {name}." for name in sorted(names)),
    ]


def _numbers(text: str) -> set[str]:
    """76 of 88 are not 76%, which is written in several ways."""
    return {f"{match[1]}{'%' if match[2] else ''}" for match in _NUMBER.finditer(text)}


def _is_ordinary(word: str, known: set[str]) -> bool:
    """Whether a word with a capital need not be a name."""
    return word in known or word in FUNCTION_WORDS or word in _BEGINNING or word in known_words()
