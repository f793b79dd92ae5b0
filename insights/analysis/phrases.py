"""Words to quote: what a mention says in short, and candidates for an aspect's top phrases."""

import re
from functools import lru_cache

import snowballstemmer

from insights.analysis.reading import Phrase
from insights.analysis.segments import Words
from insights.analysis.valence import Valences

MAX_PHRASES = 12  # Candidates of one aspect in one review.
_LONGEST = 4
_REACH = 7  # Words between a mention and the opinion that its phrase still holds.
_MAX_QUOTE_WORDS = 12

_CONTENT = frozenset("nAV")
_INNER = frozenset("nAVJ#N") | {"D", "P"}
_EDGE = re.compile(r"[^\W_]")
_stemmer = snowballstemmer.stemmer("english")


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    stem: str = _stemmer.stemWord(word)
    return stem


def opinion_span(
    sentence: Words, valences: Valences, first: int, last: int, sign: float
) -> tuple[int, int]:
    """First and last word of the mention together with the words that judge it."""
    low, high = sentence.clause_bounds(first)
    best, place = 0.0, -1
    for index in range(max(low, first - _REACH), min(high, last + _REACH) + 1):
        strength = valences.strengths[index]
        if strength * sign > 0 or (not sign and strength):
            worth = abs(strength) / (1 + 0.2 * max(first - index, index - last, 0))
            if worth > best:
                best, place = worth, index
    begin, stop = first, last
    if place >= 0:
        begin, stop = min(first, place), max(last, place)
        # A set phrase, a negator and what strengthens the word belong to it.
        for start, length in valences.phrases.items():
            if start <= place < start + length:
                begin, stop = min(begin, start), max(stop, start + length - 1)
        while begin > low and begin > first - _MAX_QUOTE_WORDS and (
            sentence.tags[begin - 1] in {"J", "N", "H"}
        ):
            begin -= 1
    else:
        begin, stop = max(low, first - 2), min(high, last + 3)
    while begin < first and sentence.tags[begin] in {",", ".", "&", "B", "W"}:
        begin += 1
    while stop > last and sentence.tags[stop] in {",", ".", "&", "B", "W", "D", "P"}:
        stop -= 1
    return begin, stop


def candidates(
    sentence: Words,
    valences: Valences,
    bounds: tuple[int, int],
    names: frozenset[int],
    score: float,
    surface: str,
) -> list[Phrase]:
    """Windows of two to four words of the clause that hold a judging word and a noun.

    `names` are the words that name somebody; `surface` is the text the offsets are of.
    """
    low, high = bounds
    tags, words = sentence.tags, sentence.words
    found: list[Phrase] = []
    for start in range(low, high + 1):
        if tags[start] not in _CONTENT and tags[start] not in {"N", "J"}:
            continue
        for stop in range(start + 1, min(start + _LONGEST, high + 1)):
            if tags[stop] not in _INNER or stop in names or start in names:
                break
            if tags[stop] not in _CONTENT:
                continue
            inner = range(start, stop + 1)
            judges = [i for i in inner if valences.strengths[i]]
            if not judges or not any(tags[i] == "n" and i not in judges for i in inner):
                continue
            key = " ".join(_stem(words[i]) for i in inner if tags[i] not in {"D", "P"})
            text = surface[sentence.starts[start] : sentence.ends[stop]]
            found.append(Phrase(key, " ".join(text.split()), score))
            if len(found) == MAX_PHRASES:
                return found
    return found
