"""Signs of a person near a name that is also a word."""

import re

from review_analysis.name_matching import lists
from review_analysis.name_matching.context import Surroundings, is_action_verb, is_adverb
from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)

SPOKEN_TO = re.compile(
    r"(?i)\b(?:(?:credit|five|hello|hi|hats off|kudos|props|shout ?outs?|spoken?|stars"
    r"|talk(?:ed|ing)|thanks?|thank ?(?:yo)?u|thumbs up|thx|tysm)(?: again| so much)?(?: to| 2)?"
    r"|(?:spoken?|speaking|talk(?:ed|ing)) with|named|name (?:is|was)|ask(?:ed|ing)? for),?"
    r"\s+(?:([^\W\d_]+) (?:and|&) )?$"
)
_AT_WORK = re.compile(
    r"(?i)(?:,? (?:and|or|&) \w+)?\s+(?:at|behind|from|in|on|over|with) (?:the )?(?:[\w-]+ ){0,2}"
    r"(?:accounting|bar|billing|claims|counter|department|dept|desk|dispatch|finance|front|hr|intake"
    r"|kitchen|lab|leasing|maintenance|office|parts|pharmacy|phones?|radiology|reception|register"
    r"|sales|scheduling|service|shift|shop|store|support|surgery|therapy|triage|warehouse|window)\b"
)
_CALLS_BY_NAME = lists.CALLERS - {"big", "little", "old", "thank", "thanks", "young"}
_AFTER_WILL = lists.AFTER_MODAL | lists.ADVERBS
_FURTHER = lists.FINITE - {"is", "was"}
_TRADE = lists.either(lists.TRADES)
_ADDRESSED = re.compile(r"(?i),? ?(?:- )?(?:thank|you (?:are|did|made|rock|were)\b)")
# Words that are no subjects without an article.
_NEVER_BARE = {"king", "long", "major", "prince", "queen", "young"}
_BEFALLING = _WORDS["befalling"]  # Verbs of seasons, prices and colours.
_REQUESTED = re.compile(r"(?i)\b(?:ask(?:ed|ing)?|cheers) for\s+$")
_THANKED = re.compile(r"(?i)\bthank(?:s| ?you| u)?(?: so much| again)?,?\s*$")
_ALSO = re.compile(r"(?i)\b(?:as|neither|nor|so) (?:did|does|has|is|was)\s+$")


def is_introduced(around: Surroundings) -> bool:
    """Whether a title, trade, desk or thanks introduces a person: "Will in billing"."""
    if around.next in lists.TRADES and around.name not in lists.COMMON:
        return True
    if around.previous in _CALLS_BY_NAME or (
        around.name not in lists.TRADES and is_at_work(around)
    ):
        return around.previous not in lists.DETERMINERS | lists.MONTH_BEFORE | lists.PLACE_BEFORE
    if not _THANKED.search(around.before):
        return False
    # Not "Thanks, will use again".
    return around.next not in _AFTER_WILL or around.next in {"for", "you", "i", "we"}


def is_personal(around: Surroundings) -> bool:
    """Whether a word that is rarely a name means a person: "Price was polite"."""
    if _REQUESTED.search(around.before):
        return True
    if around.previous in lists.DETERMINERS:  # "This Price guy".
        return around.next in lists.TRADES
    is_named = around.previous in lists.INTRODUCERS or _ALSO.search(around.before) is not None
    if not around.next:
        is_called = has_trade(around) and not around.spelling.islower()  # "So long, the waiter".
        return is_named or is_called or _ADDRESSED.match(around.after) is not None
    if around.next in {"and", "&", "or"}:
        has_company = around.following[1:2] in (["her"], ["his"], ["their"])
        return around.is_paired or has_company or is_named
    return _is_doing(around) or (is_named and around.next in _FURTHER)


def _is_doing(around: Surroundings) -> bool:
    """Whether the name is the subject of a person's action: "Price explained"."""
    words = [word for word in around.following if not is_adverb(word)]
    verb, rest = next(iter(words), ""), words[1:2]
    if verb in {"is", "was"}:
        qualities = lists.PERSONAL if around.name in lists.THINGS else lists.PERSONAL | lists.PRAISE
        is_person = bool(
            qualities.intersection(rest) or lists.JOBS.intersection(around.following[:5])
        )
        return is_person or around.name in _NEVER_BARE
    if verb in _BEFALLING and around.name in lists.THINGS:
        return False
    is_deed_of_theirs = around.name in _NEVER_BARE or verb not in _BEFALLING
    return verb in lists.DEEDS | lists.MANNERS or (is_action_verb(verb) and is_deed_of_theirs)


def is_addressed(around: Surroundings) -> bool:
    """Whether the writer speaks to the person: "Will you are the best"."""
    if around.next in {"thank", "thanks"}:
        return True
    says = around.following[1:2]
    return around.next == "you" and bool({"are", "were", "rock", "did", "made"}.intersection(says))


def is_at_work(around: Surroundings) -> bool:
    """Whether a place of work follows: "Grace at the front desk"."""
    return _AT_WORK.match(around.after) is not None


def has_trade(around: Surroundings) -> bool:
    """Whether a trade follows: "Mark the technician", "this Will guy"."""
    return any(word in lists.TRADES for word in around.following[:3])
