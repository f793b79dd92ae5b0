"""Pure: tell a technician's name where a text writes it in lower case.

Taken is whom somebody thanks, talks to, asks for or calls by a trade, and who does something
without "the" or "a" before: a noun that can be counted is a name then.
"""

import re
from collections.abc import Sequence

from reviews.mentions.namesakes import is_that_word
from reviews.mentions.strangers import is_a_stranger
from reviews.mentions.surroundings import APOSTROPHES, HYPHENS, Surroundings, is_adverb, is_deed
from reviews.mentions.words import (
    CHOICES,
    COMMON,
    DEEDS,
    INTRODUCERS,
    MANNERS,
    MASS,
    MODALS,
    MONTHS,
    NOT_SURNAMES,
    PERSONAL,
    TRADES,
    VERBS,
)

_SPOKEN_TO = re.compile(
    r"(?i)\b(?:(?:kudos|props|shout ?out|spoken?|talk(?:ed|ing)|thanks?|thank you|thumbs up|thx)"
    r"(?: again| so much)?(?: to)?|(?:spoken?|talk(?:ed|ing)) with|named|name (?:is|was)"
    r"|ask(?:ed|ing)? for)\s+(?:([^\W\d_]+) (?:and|&) )?$"
)
_OPENERS = {"", "&", "and", "because", "but", "so", "then", "when"}
_BEFORE_OBJECTS = (INTRODUCERS | CHOICES | {"about", "told"}) - TRADES - {"our"}
_BEFORE_VERBS = {"had", "have", "to"}
_WERE = {"are", "can", "could", "were", "would"}
_CHARACTER = PERSONAL - {"early", "here", "late", "my", "our", "quick", "sweet"}
_UNCOUNTED = MASS | COMMON | MONTHS | TRADES


def is_that_person(text: str, start: int, end: int, *, surname: Sequence[str]) -> bool:
    """Whether the name in lower case at `text[start:end]` means a technician.

    `surname` as in `namesakes.is_that_person`.
    """
    around = Surroundings(text, start, end)
    if around.before[-1:] in HYPHENS:  # "Two-lane".
        return False
    is_sure = around.is_before(surname)
    if _is_spoken_to(around):
        is_sure = is_sure or around.next in {"", "for"}  # "Thank you pat and rose for your help".
    elif not (is_sure or _is_object(around) or _is_subject(around)):
        return False
    return not is_a_stranger(around, surname) and (is_sure or not is_that_word(around))


def _is_spoken_to(around: Surroundings) -> bool:
    """ "Thanks mark", "talked to mark", "thank you pat and mark", "our tech mark"."""
    if around.previous in TRADES:
        return around.name not in VERBS | MODALS | COMMON
    spoken = _SPOKEN_TO.search(around.before)
    return spoken is not None and (spoken[1] or "").casefold() not in NOT_SURNAMES


def _is_object(around: Surroundings) -> bool:
    """ "Had rob out", "choose rob"; but "had to rob a bank", "with art on the walls"."""
    if around.previous not in _BEFORE_OBJECTS or around.name in _UNCOUNTED or around.name in MODALS:
        return False
    if around.name in VERBS and around.previous in _BEFORE_VERBS:
        return False
    return not around.is_before_a_noun


def _is_subject(around: Surroundings) -> bool:
    """ "Rob knows his stuff", "rob and dana came", "rob's work"; but "art was on the walls"."""
    if around.previous not in _OPENERS or around.name in TRADES:
        return False
    words = [word for word in around.following if not is_adverb(word)]
    verb, quality = [*(words[2:] if words[:1] in (["and"], ["&"]) else words), "", ""][:2]
    if around.name in _UNCOUNTED:
        return verb in DEEDS | MANNERS or (verb in {"is", "was"} and quality in _CHARACTER)
    return is_deed(verb) or verb in _WERE or around.after[:1] in {*APOSTROPHES}
