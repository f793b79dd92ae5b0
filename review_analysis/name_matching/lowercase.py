"""Tell a technician's name where a text writes it in lower case, or shouts all around it.

A first name that is no word is taken as if it had its capital. Of the others taken is whom somebody
thanks, talks to, asks for, calls by a trade or names beside another, and who does something without
"the" or "a" before: a noun that can be counted is a name then. Where nothing near has a capital, a
name is also taken that is not used as a word.
"""

import re
from collections.abc import Sequence

from review_analysis.name_matching import disambiguation
from review_analysis.name_matching.common_words import is_part_of_a_phrase
from review_analysis.name_matching.context import (
    APOSTROPHES,
    HYPHENS,
    Surroundings,
    is_adverb,
    is_deed,
)
from review_analysis.name_matching.customer_names import is_of_the_family
from review_analysis.name_matching.nicknames import GIVEN_NAMES, NICKNAMES
from review_analysis.name_matching.other_people import is_other_person
from review_analysis.name_matching.person_cues import SPOKEN_TO, is_at_work
from review_analysis.name_matching.word_senses import (
    ABSTRACT,
    ADJECTIVES,
    COMMON,
    FOODS,
    MASS,
    MODALS,
    MONTHS,
    PLACES,
    SEASONS,
    VERBS,
    WORDS,
)
from review_analysis.name_matching.words import (
    CHOICES,
    CONNECTIVES,
    DEEDS,
    DETERMINERS,
    EXCEPTED,
    FRIENDS,
    INTRODUCERS,
    JOBS,
    MANNERS,
    NOT_SURNAMES,
    PERSONAL,
    PRAISE,
    SUBJECTS,
    TITLES,
    TRADES,
    either,
)
from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)

_SOUGHT = re.compile(  # Whom one comes to, and no thing that one comes by.
    r"(?i)\b(?:(?:appointment|book(?:ed)?|consult(?:ation)?|session|work(?:ed|ing)?) w(?:ith)?"
    r"|ask(?:ed|ing)? for|go see|request(?:ed)?|(?:assisted|done|helped|seated|seen|served) by)\s+$"
)
_CHEERED = re.compile(  # "Great job mark!", "you are the best, rose"; but "the best rose".
    r"(?i)(?:\b(?:(?:bravo|day|done|help|job|stars|thanks again"
    r"|(?:bless|love|thank) you),?|(?:best|work|you),)"
    r"|10/10,?|a\+,?) $"
)
_TRADE = either(TRADES)
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
_GIVEN_TO = re.compile(
    r"(?i)\b(?:assigned|came|come|credit|due|gave|give|given|go|going|grateful|introduced|listened|luck"
    r"|refer\w*|rush\w*|sent|switched|take|took|thankful|thanks|went|wrote)(?: \w+){0,3} to $"
)
_GOES_ON = re.compile(r", ([^\W\d_]+)")
_JOINED_BEFORE = re.compile(r"([^\W\d_]+)(?: (?:and|&|n|n?or) |, (?:(?:and|&|n?or) )?)$")
_JOINED_AFTER = re.compile(r"(?: (?:and|&|n|n?or) |, (?:(?:and|&|n?or) )?)([^\W\d_]+)")
_NEARBY = 200  # Characters on either side in which a capital may stand.
_AFTER_THANKS = {"", "&", "and", "for", "n", "u", "ur", "you"}
_OPENERS = CONNECTIVES | {"", "&", "and"}
_BEFORE_OBJECTS = (
    (INTRODUCERS | CHOICES | EXCEPTED | {"about", "know", "known", "told", "w"}) - TRADES - {"our"}
)
_BEFORE_INFINITIVES = {"to", *"can could did do does might must should will would".split()}
_OUT = {
    "back",
    "everything",
    "for",
    "it",
    "itself",
    "myself",
    "out",
    "them",
    "themselves",
    "up",
    "yourself",
}
_BEFORE_VERBS = {"had", "have", "to"}
_AFTER_OBJECTS = {"", *"& again and at back for from out today who with".split()}
_WERE = {"are", "can", "could", "should", "were", "would"}
_SOMEBODY = {"her", "him", "me", "my", "our", "us", "you"}
_OF_THINGS = {"brought", "cost", "had", "has", "hit", "kept", "left", "let", "made"}
_CHARACTER = PERSONAL - {"early", "here", "late", "my", "our", "quick", "sweet"}
_BEFORE_NAMES = (_OPENERS | _BEFORE_OBJECTS | NOT_SURNAMES | TRADES | {"time"}) - {"our"}
_RARE_WORDS = _WORDS["rare_words"]
# What they did and what they do are one form: "that will set the tone".
_UNINFLECTED = {"beat", "cut", "fit", "hit", "hurt", "let", "put", "quit", "read", "set", "shut"}
_UNCOUNTED = MASS | COMMON | MONTHS | TRADES
_PRAISED_THINGS = FOODS | SEASONS | COMMON | TRADES | {"art", "cash", "rock", "stone"}
# But not "et al" and the like, nor what reviews say of food, cameras and water.
_PLAIN_NAMES = frozenset(
    name
    for name in GIVEN_NAMES | NICKNAMES.keys()
    if name not in WORDS and name not in _RARE_WORDS and len(name) > 2
)
_PAIRED_NAMES = WORDS - COMMON - MONTHS - MODALS - TRADES


def is_that_person(text: str, start: int, end: int, *, surname: Sequence[str]) -> bool:
    """Whether the name in lower case at `text[start:end]` means a technician.

    `surname` as in `disambiguation.is_that_person`.
    """
    around = Surroundings(text, start, end)
    if around.name in MODALS and around.previous in SUBJECTS:  # Most are; so decided at once.
        return around.before.endswith("hank you ") and around.next in {"", "for"}
    if around.name in _PLAIN_NAMES or _has_signs(around, surname):
        return not (
            is_part_of_a_phrase(around)
            or is_other_person(around, surname)
            or is_of_the_family(text, start, end)
        )
    # Who writes no capitals at all may mean a name wherever it is not used as a word.
    nearby = text[max(0, start - _NEARBY) : end + _NEARBY]
    is_described = around.name in ADJECTIVES | PLACES and around.previous in INTRODUCERS
    if is_described and not _stands_alone(around):  # "With rich experience".
        return False
    if around.name in FOODS or not nearby.islower() or _is_a_thing(around):
        return False
    return disambiguation.is_that_person(text, start, end, surname=surname)


def _is_a_thing(around: Surroundings) -> bool:
    """ "Our gas bill", "x-ray", "the tech drew a sketch", "we hope", "grace was said"."""
    name, previous = around.name, around.previous
    if around.before[-1:] in HYPHENS or (name in MASS and around.next in {"is", "was"}):
        return True
    if (name == "hope" and around.next == "to") or _is_done(around):
        return True
    if name in MODALS:
        return previous not in _BEFORE_OBJECTS and (previous != "" or not around.next)
    if name in VERBS and (previous in SUBJECTS - {"you"} or previous in TRADES):
        return True
    return not (previous in _BEFORE_NAMES or previous.endswith("ed") or is_adverb(previous))


def _is_done(around: Surroundings) -> bool:
    """ "To bill me twice", "to max out the plan", "they will bill the insurance"."""
    if around.previous not in _BEFORE_INFINITIVES or SPOKEN_TO.search(around.before):
        return False
    if around.previous == "to" and around.name in VERBS | {"bill", "max"}:
        return _GIVEN_TO.search(around.before) is None
    return around.next in DETERMINERS | _SOMEBODY | _OUT


def _has_signs(around: Surroundings, surname: Sequence[str]) -> bool:
    if around.before[-1:] in HYPHENS:  # "Two-lane".
        return False
    if around.is_before(surname) or (_is_shown(around) and not is_part_of_a_phrase(around)):
        return True
    if _is_spoken_to(around):
        return _ends_thanks(around) or not disambiguation.is_that_word(around)
    return (_is_object(around) or _is_subject(around)) and not disambiguation.is_that_word(around)


def _is_shown(around: Surroundings) -> bool:
    """Signs that leave little room for another meaning of the word."""
    name, before, after = around.name, around.before, around.after
    if before[-1:] in {"@", "#"} or (_SOUGHT.search(before) and not around.is_before_a_noun):
        return True
    if name in TRADES or around.previous in DETERMINERS | {"our"}:
        return False
    if _is_titled(around) or (_CHEERED.search(before) and not around.next and name not in COMMON):
        return True
    # But "may the owner be blessed", "hope you are well", "it took so long, the waitress left".
    is_apart = name not in VERBS | MODALS | COMMON or (after[:1] in {*",("} and name not in COMMON)
    if is_apart and (_CALLED_BY_TRADE.match(after) or _ADDRESSED.match(after)):
        return True
    return _IN_PERSON.match(after) is not None or _is_joined(around)


def _is_titled(around: Surroundings) -> bool:
    """ "Dr. april", "our tech (mark)", "technician: mark", "my server jack is the best"."""
    is_doing = is_deed(around.next) and around.next not in _UNINFLECTED
    if around.previous in TITLES and around.previous != "miss" and around.name not in MODALS:
        return True
    if around.previous in TRADES | TITLES and is_doing and around.name not in FRIENDS:
        return True
    if around.name in COMMON:  # "My waiter was good."
        return False
    return _NAMED_BY_TRADE.search(around.before) is not None and around.after[:1] in {*",).!", ""}


def _is_joined(around: Surroundings) -> bool:
    """Beside another name: "rose and maria", "victor, max", "both mark and bill"."""
    if around.name in MODALS or around.is_before_a_noun:
        return False
    beside = _JOINED_BEFORE.search(around.before), _JOINED_AFTER.match(around.after)
    others = {other[1] for other in beside if other}
    is_free = around.previous in _OPENERS | _BEFORE_OBJECTS
    if around.name in ADJECTIVES | COMMON and not is_free:  # "Was very good and ashley".
        return False
    if not _PLAIN_NAMES.isdisjoint(others):
        return True
    return is_free and not others & _PAIRED_NAMES <= ABSTRACT | FOODS


def _is_spoken_to(around: Surroundings) -> bool:
    """ "Thanks mark", "talked to mark", "thank you pat and mark", "our tech mark"."""
    if around.previous in TRADES:
        return around.name not in VERBS | MODALS | COMMON | FRIENDS
    spoken = SPOKEN_TO.search(around.before)
    return spoken is not None and (spoken[1] or "").casefold() not in NOT_SURNAMES


def _ends_thanks(around: Surroundings) -> bool:
    """ "Thank you pat and rose for your help", "thx bill"; but "thanks, hope you stay"."""
    if around.name in MODALS | {"hope"}:
        return around.next in {"", "for"}
    return around.next in _AFTER_THANKS


def _is_object(around: Surroundings) -> bool:
    """ "Had rob out", "choose rob"; but "had to rob a bank", "with art on the walls"."""
    if around.previous not in _BEFORE_OBJECTS or around.name in _UNCOUNTED:
        return False
    if around.name in MODALS:
        return around.next in _AFTER_OBJECTS
    if (around.name in VERBS and around.previous in _BEFORE_VERBS) or _is_done(around):
        return False
    if around.name in PLACES | ADJECTIVES:
        return _stands_alone(around)
    return not around.is_before_a_noun


def _stands_alone(around: Surroundings) -> bool:
    """ "With rich today"; but "with rich, buttery sauce", "got boston lettuce", "got lucky"."""
    goes_on = _GOES_ON.match(around.after)
    word = around.next or (goes_on[1] if goes_on else "")
    is_got = around.name in ADJECTIVES and around.previous == "got"
    return not is_got and word in _AFTER_OBJECTS | SUBJECTS | CONNECTIVES


def _is_subject(around: Surroundings) -> bool:
    """ "Rob knows his stuff", "rob and dana came", "rob's work"; but "art was on the walls"."""
    # "Homey and rich, always served hot".
    is_apart = not around.next and around.after[:1] not in APOSTROPHES
    is_opener = around.previous in _OPENERS or is_adverb(around.previous)
    if is_apart or around.name in TRADES or not is_opener:
        return False
    if is_at_work(around):
        return True
    words = [word for word in around.following if not is_adverb(word)]
    verb, quality = [*(words[2:] if words[:1] in (["and"], ["&"]) else words), "", ""][:2]
    if around.name in MODALS and verb in _UNINFLECTED:
        return False
    if around.name not in _UNCOUNTED:
        return is_deed(verb) or verb in _WERE or around.after[:1] in APOSTROPHES
    if verb in {"is", "was"}:
        is_praised = around.name not in _PRAISED_THINGS and (
            quality in PRAISE | {"sweet"} or _PRAISED.match(around.after) is not None
        )
        return is_praised or quality in _CHARACTER or not JOBS.isdisjoint(words[1:6])
    does = is_deed(verb) and verb not in _OF_THINGS
    return verb in DEEDS | MANNERS or (does and quality in _SOMEBODY)
