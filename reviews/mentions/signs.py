"""Pure: signs of a person about a name that is also a word."""

import re

from reviews.mentions.surroundings import Surroundings, is_adverb
from reviews.mentions.words import (
    ADVERBS,
    AFTER_MODAL,
    CALLERS,
    COMMON,
    DEEDS,
    DETERMINERS,
    FINITE,
    INTRODUCERS,
    JOBS,
    MANNERS,
    MONTH_BEFORE,
    PERSONAL,
    PLACE_BEFORE,
    PRAISE,
    SEASONS,
    THINGS,
    TRADES,
)

_AT_WORK = re.compile(
    r"(?i)(?:,? (?:and|or|&) \w+)?\s+(?:at|behind|from|in|on|over|with) (?:the )?(?:[\w-]+ ){0,2}"
    r"(?:accounting|bar|billing|claims|counter|department|dept|desk|dispatch|finance|front|hr|intake"
    r"|kitchen|lab|leasing|maintenance|office|parts|pharmacy|phones?|radiology|reception|register"
    r"|sales|scheduling|service|shift|shop|store|support|surgery|therapy|triage|warehouse|window)\b"
)
_CALLS_BY_NAME = CALLERS - {"big", "little", "old", "thank", "thanks", "young"}
_AFTER_WILL = AFTER_MODAL | ADVERBS
_OF_SEASONS = MONTH_BEFORE | {"all", "by", "entire", "for", "whole"}
_ASKED = re.compile(r"(?i)\b(?:ask(?:ed|ing)?|cheers) for\s+$")
_THANKED = re.compile(r"(?i)\bthank(?:s| you| u)?(?: so much| again)?,?\s*$")
_ALSO = re.compile(r"(?i)\b(?:as|neither|nor|so) (?:did|does|has|is|was)\s+$")


def is_introduced(around: Surroundings) -> bool:
    """ "Mr. Will", "Will the technician", "Will in billing", "Thank you Will for coming"."""
    if around.next in TRADES and around.name not in COMMON:
        return True
    if around.previous in _CALLS_BY_NAME or (around.name not in TRADES and is_at_work(around)):
        return around.previous not in DETERMINERS | MONTH_BEFORE | PLACE_BEFORE
    if not _THANKED.search(around.before):
        return False
    # But "Thanks, will use again".
    return around.next not in _AFTER_WILL or around.next in {"for", "you", "i", "we"}


def is_personal(around: Surroundings) -> bool:
    """Signs of a person at a word that seldom is one: "Price was polite", "Long explained"."""
    if _ASKED.search(around.before):
        return True
    name = around.name
    if name in SEASONS and (
        around.previous in _OF_SEASONS
        or {"season", "seasons", "time"}.intersection(around.following[:6])
    ):
        return False
    is_named = around.previous in INTRODUCERS or _ALSO.search(around.before) is not None
    if not around.next:
        return is_named or has_trade(around)
    if around.next in {"and", "&", "or"}:
        has_company = around.following[1:2] in (["her"], ["his"], ["their"])
        return around.is_paired or has_company or is_named
    words = [word for word in around.following if not is_adverb(word)]
    verb, rest = words[:1], words[1:2]
    if verb and verb[0] in {"is", "was"}:
        qualities = PERSONAL if name in THINGS else PERSONAL | PRAISE
        return bool(qualities.intersection(rest)) or bool(JOBS.intersection(around.following[:5]))
    return bool((DEEDS | MANNERS).intersection(verb)) or (is_named and around.next in FINITE)


def is_addressed(around: Surroundings) -> bool:
    """ "Will thank you for coming", "Will you are the best"."""
    if around.next in {"thank", "thanks"}:
        return True
    says = around.following[1:2]
    return around.next == "you" and bool({"are", "were", "rock", "did", "made"}.intersection(says))


def is_at_work(around: Surroundings) -> bool:
    """ "Grace at the front desk"; "Guy at the front desk" may be anybody."""
    return _AT_WORK.match(around.after) is not None


def has_trade(around: Surroundings) -> bool:
    """ "Mark the technician", "this Will guy"."""
    return any(word in TRADES for word in around.following[:3])
