"""Quotations: the words of a mention, and candidates for the top phrases of an aspect."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from snowballstemmer.english_stemmer import EnglishStemmer

from review_analysis.features import ScoredSentence
from review_analysis.grammar import FUNCTION_WORDS
from review_analysis.segments import VERBS, Words
from review_analysis.valence import NEGATED, WISHED
from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)

MAX_PHRASES = 12  # Candidates of one aspect in one review.
_LONGEST = 4
_REACH = 7  # Words between a mention and the opinion that its quotation includes.
_MAX_QUOTE_WORDS = 12

_CONTENT = frozenset("nAV")
_FIRST = _CONTENT | {"N", "J"}
_FILLERS = frozenset("DP")
_EMPTY = _FILLERS | {"C"}
_INNER = _FIRST | _FILLERS | {"#", "C"}
# Words that a phrase's key omits: "very friendly staff" is "friendly staff".
_DEGREES = _WORDS["degrees"]
_COMPARING = frozenset("more less fewer better worse than".split())
_LEAST_PRAISE = 0.7  # Or blame; "available" and "big" are too weak.
_ONE_SIDED = 0.6  # Minimum share of the prevailing polarity in a phrase.
_ENGLISH = 0.1  # Minimum share of English function words in a clause.
_FEW_WORDS = 6  # A shorter clause need not have any.
_LETTER = re.compile(r"(?![ai])[^\W\d_]")  # "Y" of "punctual y amable".


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return the stem of a lower-case word (Snowball, English)."""
    part: str = EnglishStemmer().stemWord(word)  # A stemmer has state that threads must not share.
    return part


def opinion_span(sentence: ScoredSentence, first: int, last: int, sign: int) -> tuple[int, int]:
    """Return first and last word of a mention with its nearest opinion."""
    valences, tags = sentence.valences, sentence.words.tags
    low, high = sentence.words.clause_bounds(first)
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
        # Include the whole set phrase, negators and adverbs.
        for start, length in valences.phrases.items():
            if start <= place < start + length:
                begin, stop = min(begin, start), max(stop, start + length - 1)
        least = max(low, first - _MAX_QUOTE_WORDS)
        while begin > least and tags[begin - 1] in {"J", "N", "H"}:
            begin -= 1
    else:
        begin, stop = max(low, first - 2), min(high, last + 3)
    while begin < first and tags[begin] in {",", ".", "&", "B", "W"}:
        begin += 1
    while stop > last and tags[stop] in {",", ".", "&", "B", "W", "D", "P"}:
        stop -= 1
    return begin, stop


class Candidate(NamedTuple):
    """Quotation for a mention whose score has the sign of `praise`."""

    key: str
    start: int
    end: int
    praise: float  # Polarity of the words without their context.


def candidates(
    sentence: ScoredSentence, low: int, high: int, names: frozenset[int]
) -> Iterator[Candidate]:
    """Yield spans of two to four words with opinion and noun.

    The spans lie within words low..high, and contain none of `names`, the words that name somebody.
    """
    tags, words, strengths = sentence.words.tags, sentence.words, sentence.valences.strengths
    if not any(strengths[low : high + 1]) or not _is_english(words.words[low : high + 1]):
        return
    wished = _wished(words, low, high)
    # A candidate must not begin within a set phrase or end before its last word.
    inside = {
        index
        for first, length in sentence.valences.phrases.items()
        for index in range(first + 1, first + length)
        if not _FILLERS.issuperset(tags[first:index])
    }
    unfinished = {
        index
        for first, length in sentence.valences.phrases.items()
        for index in range(first, first + length - 1)
    }
    things = [tag == "n" and not s for tag, s in zip(tags, strengths, strict=True)]
    for start in range(low, high + 1):
        is_object = _is_object_of_preposition(words, start, low)
        if not any(strengths[start : start + _LONGEST]):
            continue
        if start in names or start in wished or start in inside or tags[start] not in _FIRST:
            continue
        if words.words[start] in _DEGREES or words.words[start] in _COMPARING:
            continue
        for stop in range(start + 1, min(start + _LONGEST, high + 1)):
            if stop in names or tags[stop] not in _INNER or (is_object and tags[stop] in VERBS):
                break
            word = words.words[stop]
            if stop in wished or word in _COMPARING or _LETTER.fullmatch(word):
                break
            if (
                tags[stop] in _CONTENT
                and stop not in unfinished
                and not _cuts_off(sentence, stop, high)
                and any(strengths[start : stop + 1])
                and any(things[start : stop + 1])
                and word not in words.words[start:stop]
                and abs(praise := _own_polarity(sentence, start, stop)) >= _LEAST_PRAISE
                and not _is_contradicted(sentence, stop, high, praise)
            ):
                yield Candidate(
                    _key(words.words[start : stop + 1], tags[start : stop + 1]),
                    words.starts[start],
                    words.ends[stop],
                    praise,
                )


def _key(words: Sequence[str], tags: Sequence[str]) -> str:
    """Return the sorted stems: "friendly staff" and "the staff were very friendly" are equal."""
    telling = {
        stem(word)
        for word, tag in zip(words, tags, strict=True)
        if tag not in _EMPTY and word not in _DEGREES
    }
    return " ".join(sorted(telling))


def _is_object_of_preposition(words: Words, start: int, low: int) -> bool:
    """Whether the words belong to a preposition: "the gate" in "staff at the gate"."""
    before = start - 1
    while before >= low and words.tags[before] in {"A", "n", "#"}:
        before -= 1
    before -= before >= low and words.tags[before] == "D"
    return before >= low and words.tags[before] == "P" and words.words[before] != "of"


def _cuts_off(sentence: ScoredSentence, stop: int, high: int) -> bool:
    """Whether the phrase would end before its noun or object: "a week for my old"."""
    tags = sentence.words.tags
    if stop == high:
        return False
    if tags[stop] == "A":
        return tags[stop + 1] in {"A", "n"}
    is_plain_verb = tags[stop] == "V" and not sentence.valences.strengths[stop]
    return is_plain_verb and tags[stop + 1] in {"D", "A", "n", "#"}


def _is_contradicted(sentence: ScoredSentence, stop: int, high: int, praise: float) -> bool:
    """Whether the following verb says the opposite: "early appointment takes weeks"."""
    if stop == high or sentence.words.tags[stop + 1] not in VERBS:
        return False
    said = sum(sentence.valences.strengths[stop + 1 : min(stop + 1 + _LONGEST, high + 1)])
    return said * praise < 0


def _wished(words: Words, low: int, high: int) -> frozenset[int]:
    """Return the words from "wish", "if" or "needs" up to the next comma."""
    wished: set[int] = set()
    for index in range(low, high + 1):
        goes_on = index - 1 in wished and words.tags[index] != ","
        if goes_on or words.words[index] in _WORDS["wishing"]:
            wished.add(index)
    return frozenset(wished)


def _is_english(words: Sequence[str]) -> bool:
    """Whether a clause is short or has function words of English."""
    small = sum(word in FUNCTION_WORDS for word in words)
    return len(words) <= _FEW_WORDS or small >= _ENGLISH * len(words)


def _own_polarity(sentence: ScoredSentence, start: int, stop: int) -> float:
    """Return the polarity of words start..stop without their context, 0 if it is mixed."""
    valences, tags = sentence.valences, sentence.words.tags
    total, sides, is_denied = 0.0, 0.0, False
    for index in range(start, stop + 1):
        is_denied = is_denied or tags[index] == "N"
        if valences.reasons[index] == WISHED:
            return 0.0
        turned = valences.reasons[index] == NEGATED and not is_denied
        total += -valences.strengths[index] if turned else valences.strengths[index]
        sides += abs(valences.strengths[index])
    return total if abs(total) >= _ONE_SIDED * sides else 0.0
