"""Decision whether a name in lower case, or among capitals, means a technician."""

import re
from collections.abc import Sequence

from review_analysis.name_matching import disambiguation, lists
from review_analysis.name_matching.common_words import is_part_of_a_phrase, is_that_word
from review_analysis.name_matching.context import (
    APOSTROPHES,
    HYPHENS,
    Surroundings,
    is_action_verb,
    is_adverb,
)
from review_analysis.name_matching.nicknames import GIVEN_NAMES, NICKNAMES
from review_analysis.name_matching.other_people import is_other_person
from review_analysis.name_matching.person_cues import SPOKEN_TO, is_at_work
from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)

_CHEERED = re.compile(  # "Great job mark!", "you are the best, rose"; not "the best rose".
    r"(?i)(?:\b(?:(?:bravo|day|done|help|job|stars|thanks again"
    r"|(?:bless|love|thank) you),?|(?:best|work|you),)"
    r"|10/10,?|a\+,?) $"
)
_TRADE = lists.either(lists.TRADES)
_NAMED_BY_TRADE = re.compile(rf"\b(?:{_TRADE}|desk|office)(?: (?:is|was) |(?:'s name)?: |, | \()$")
_CALLED_BY_TRADE = re.compile(rf"(?:,| \()? ?(?:the|our|my) (?:[a-z]+ )?(?:{_TRADE})\b")
_ADDRESSED = re.compile(
    r",? (?:you|u) (?:are|da|r|rock|were)\b|,? ?(?:- )?(?:thanks?|thx) (?:yo)?u\b"
)
_IN_PERSON = re.compile(r" (?:and|&) (?:his|her)\b|,? who\b")
_PRAISED = re.compile(
    r" (?:is|was) (?:always |so |such )?(?:the best|an? (?:absolute|amazing|asset|awesome|excellent"
    r"|gem|genius|godsend|great|keeper|legend|life ?saver|magician|peach|pro|professional|real"
    r"|rock ?star|saint|sweetheart|treasure|true|wizard)|available|here|on time)\b"
)
_JOINED_BEFORE = re.compile(r"([^\W\d_]+)(?: (?:and|&|n|n?or) |, (?:(?:and|&|n?or) )?)$")
_JOINED_AFTER = re.compile(r"(?: (?:and|&|n|n?or) |, (?:(?:and|&|n?or) )?)([^\W\d_]+)")
_NEARBY = 200  # Characters on either side that are searched for capitals.
_OPENERS = lists.CONNECTIVES | {"", "&", "and"}
_BEFORE_OBJECTS = (
    (lists.INTRODUCERS | lists.CHOICES | lists.EXCEPTED | {"about", "know", "known", "told", "w"})
    - lists.TRADES
    - {"our"}
)
_WERE = {"are", "can", "could", "should", "were", "would"}
_CHARACTER = lists.PERSONAL - {"early", "here", "late", "my", "our", "quick", "sweet"}
_BEFORE_NAMES = (_OPENERS | _BEFORE_OBJECTS | lists.NOT_SURNAMES | lists.TRADES | {"time"}) - {
    "our"
}
_UNCOUNTED = lists.MASS | lists.COMMON | lists.MONTHS | lists.TRADES
_PRAISED_THINGS = (
    lists.FOODS | lists.SEASONS | lists.COMMON | lists.TRADES | {"art", "cash", "rock", "stone"}
)
# Names that are not words, except rare words of reviews like "al" in "et al".
_PLAIN_NAMES = frozenset(
    name
    for name in GIVEN_NAMES | NICKNAMES.keys()
    if name not in lists.WORDS and name not in _WORDS["rare_words"] and len(name) > 2
)
_PAIRED_NAMES = lists.WORDS - lists.COMMON - lists.MONTHS - lists.MODALS - lists.TRADES


def is_that_person(text: str, start: int, end: int, *, surname: Sequence[str]) -> bool:
    """Whether the name in lower case at `text[start:end]` means a technician."""
    around = Surroundings(text, start, end)
    if around.name in _PLAIN_NAMES or _has_signs(around, surname):
        return not (is_part_of_a_phrase(around) or is_other_person(around, surname))
    # In a text without capitals a lower-case name is as likely as a capitalised one elsewhere.
    nearby = text[max(0, start - _NEARBY) : end + _NEARBY]
    if not nearby.islower() or _is_a_thing(around):
        return False
    return disambiguation.is_that_person(text, start, end, surname=surname)


def _is_a_thing(around: Surroundings) -> bool:
    """Whether the name is used as a word: "our gas bill", "x-ray", "we hope"."""
    name, previous = around.name, around.previous
    if around.before[-1:] in HYPHENS or (name in lists.MASS and around.next in {"is", "was"}):
        return True
    if name in lists.MODALS:
        return previous not in _BEFORE_OBJECTS and (previous != "" or not around.next)
    if name in lists.VERBS and (previous in lists.SUBJECTS - {"you"} or previous in lists.TRADES):
        return True
    return not (previous in _BEFORE_NAMES or previous.endswith("ed"))


def _has_signs(around: Surroundings, surname: Sequence[str]) -> bool:
    if around.before[-1:] in HYPHENS:  # "Two-lane".
        return False
    if around.is_before(surname) or (_is_shown(around) and not is_part_of_a_phrase(around)):
        return True
    spoken = SPOKEN_TO.search(around.before)  # "Talked to mark".
    is_met = spoken is not None and (spoken[1] or "").casefold() not in lists.NOT_SURNAMES
    return (is_met or _is_subject(around)) and not is_that_word(around)


def _is_shown(around: Surroundings) -> bool:
    """Whether there are strong signs of a person."""
    name, before, after = around.name, around.before, around.after
    if name in lists.TRADES or around.previous in lists.DETERMINERS | {"our"}:
        return False
    if _is_titled(around) or (
        _CHEERED.search(before) and not around.next and name not in lists.COMMON
    ):
        return True
    # Not "may the owner be blessed", "hope you are well", "it took so long, the waitress left".
    is_apart = name not in lists.VERBS | lists.MODALS | lists.COMMON or (
        after[:1] in {*",("} and name not in lists.COMMON
    )
    if is_apart and (_CALLED_BY_TRADE.match(after) or _ADDRESSED.match(after)):
        return True
    return _IN_PERSON.match(after) is not None or _is_joined(around)


def _is_titled(around: Surroundings) -> bool:
    """Whether a title or trade introduces the name: "our tech (mark)"."""
    if around.previous in lists.TITLES and around.name not in lists.MODALS:
        return True
    if around.previous in lists.TRADES and is_action_verb(around.next):
        return True
    if around.name in lists.COMMON:  # "My waiter was good."
        return False
    return _NAMED_BY_TRADE.search(around.before) is not None and around.after[:1] in {*",).!", ""}


def _is_joined(around: Surroundings) -> bool:
    """Whether the name is joined to another one: "rose and maria", "both mark and bill"."""
    if around.name in lists.MODALS or around.is_before_a_noun:
        return False
    beside = _JOINED_BEFORE.search(around.before), _JOINED_AFTER.match(around.after)
    others = {other[1] for other in beside if other}
    is_free = around.previous in _OPENERS | _BEFORE_OBJECTS
    if not _PLAIN_NAMES.isdisjoint(others):
        return True
    return is_free and not others & _PAIRED_NAMES <= lists.ABSTRACT | lists.FOODS


def _is_subject(around: Surroundings) -> bool:
    """Whether the name is an acting subject: "rob knows his stuff"; not "art was on the walls"."""
    # "Homey and rich, always served hot".
    is_apart = not around.next and around.after[:1] not in APOSTROPHES
    is_opener = around.previous in _OPENERS or is_adverb(around.previous)
    if is_apart or around.name in lists.TRADES or not is_opener:
        return False
    if is_at_work(around):
        return True
    words = [word for word in around.following if not is_adverb(word)]
    verb, quality = [*(words[2:] if words[:1] in (["and"], ["&"]) else words), "", ""][:2]
    if around.name not in _UNCOUNTED:
        return is_action_verb(verb) or verb in _WERE or around.after[:1] in APOSTROPHES
    if verb in {"is", "was"}:
        is_praised = around.name not in _PRAISED_THINGS and (
            quality in lists.PRAISE | {"sweet"} or _PRAISED.match(around.after) is not None
        )
        return is_praised or quality in _CHARACTER or not lists.JOBS.isdisjoint(words[1:6])
    return verb in lists.DEEDS | lists.MANNERS
